//! Positions in the form for training: the indices of active features, in flat arrays.

use std::ops::Range;

use arrayvec::ArrayVec;
use shakmaty::Role;

use crate::{
    data::Record,
    eval::network::{View, bucket},
};

/// The number of output buckets, selected by the number of pieces.
pub const BUCKETS: usize = 16;

/// A batch of positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// The active features: for each position first those of the side to move, then as many of the other side.
    features: Vec<u16>,
    /// The start of the features of each position, and finally the end of all.
    starts: Vec<u32>,
    /// The output bucket of each position.
    pub(super) buckets: Vec<u8>,
    /// The score of the search, as expected points of the side to move.
    pub(super) scores: Vec<f32>,
    /// The result of the game for the side to move: 0, ½ or 1.
    pub(super) results: Vec<f32>,
}

impl Default for Batch {
    fn default() -> Self {
        Self { features: vec![], starts: vec![0], buckets: vec![], scores: vec![], results: vec![] }
    }
}

impl Batch {
    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.buckets.len()
    }

    /// Whether the batch is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.buckets.is_empty()
    }

    /// The active features of position `index`, for the side to move and for the other side.
    #[inline(always)]
    #[must_use]
    pub fn features(&self, index: usize) -> (&[u16], &[u16]) {
        let both = &self.features[self.starts[index] as usize..self.starts[index + 1] as usize];
        both.split_at(both.len() / 2)
    }

    /// Adds a position with `score`, in expected points. A board without a king on each side is refused; returns
    /// `false` then.
    pub fn push(&mut self, record: &Record, score: f32) -> bool {
        let mut pieces = ArrayVec::<_, 32>::new();
        let mut kings = [None; 2];
        for (square, piece) in record.pieces() {
            if piece.role == Role::King {
                kings[piece.color as usize] = Some(square);
            }
            pieces.push((piece, square));
        }
        let turn = record.turn();
        for side in [turn, !turn] {
            let Some(king) = kings[side as usize] else {
                self.features.truncate(self.starts[self.len()] as usize);
                return false;
            };
            let view = View::new(side, king);
            self.features.extend(pieces.iter().map(|&placement| view.input(placement) as u16));
        }
        self.starts.push(u32::try_from(self.features.len()).expect("a batch is small"));
        self.buckets.push(bucket(pieces.len(), BUCKETS) as u8);
        self.scores.push(score);
        let white = record.white_points() as f32;
        self.results.push(turn.fold_wb(white, 1.0 - white));
        true
    }

    /// Adds the positions of `other` in `range`.
    pub fn extend(&mut self, other: &Self, range: Range<usize>) {
        let (from, to) = (other.starts[range.start], other.starts[range.end]);
        let end = self.starts[self.len()];
        self.features.extend_from_slice(&other.features[from as usize..to as usize]);
        let starts = &other.starts[range.start + 1..=range.end];
        self.starts.extend(starts.iter().map(|start| start - from + end));
        self.buckets.extend_from_slice(&other.buckets[range.clone()]);
        self.scores.extend_from_slice(&other.scores[range.clone()]);
        self.results.extend_from_slice(&other.results[range]);
    }
}
