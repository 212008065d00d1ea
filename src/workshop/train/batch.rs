//! Positions in the form for training: the indices of active features, in flat arrays.

use std::{ops::Range, slice::ChunksExact};

use arrayvec::ArrayVec;
use shakmaty::Role;

use crate::{
    engine::eval::network::{View, bucket},
    workshop::data::Record,
};

/// The number of output buckets, selected by the number of pieces.
pub const BUCKETS: usize = 16;

/// A batch of positions.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    /// For each piece of each position the active feature of the side to move, and that of the other side.
    features: Vec<[u16; 2]>,
    /// The start of the features of each position, and finally the end of all.
    starts: Vec<u32>,
    /// The score of the search, as expected points of the side to move.
    pub(super) scores: Vec<f32>,
    /// The result of the game for the side to move: 0, ½ or 1, or what an [`Anchor`](super::Anchor) made of
    /// it.
    pub(super) results: Vec<f32>,
}

/// Successive positions of a batch with the same number of pieces.
#[derive(Clone, Debug)]
pub(super) struct EqualPieces<'b> {
    /// Their places in the batch.
    pub(super) positions: Range<usize>,
    /// Their output bucket.
    pub(super) bucket: usize,
    pieces: usize,
    features: &'b [[u16; 2]],
}

impl<'b> EqualPieces<'b> {
    /// The active features of each position.
    pub(super) fn features(&self) -> ChunksExact<'b, [u16; 2]> {
        self.features.chunks_exact(self.pieces)
    }
}

impl Default for Batch {
    fn default() -> Self {
        Self { features: vec![], starts: vec![0], scores: vec![], results: vec![] }
    }
}

impl Batch {
    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.scores.len()
    }

    /// Whether the batch is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.scores.is_empty()
    }

    /// The active features of position `index`, for the side to move and for the other side.
    #[must_use]
    pub fn features(&self, index: usize) -> &[[u16; 2]] {
        &self.features[self.starts[index] as usize..self.starts[index + 1] as usize]
    }

    /// The output bucket of position `index`.
    pub(super) fn bucket(&self, index: usize) -> usize {
        bucket(self.features(index).len(), BUCKETS)
    }

    /// Divides the batch into runs.
    pub(super) fn runs(&self) -> impl Iterator<Item = EqualPieces<'_>> {
        let mut from = 0;
        std::iter::from_fn(move || {
            let rest = self.starts[from..].windows(2).map(|ends| (ends[1] - ends[0]) as usize);
            let pieces = rest.clone().next()?;
            let positions = from..from + rest.take_while(|&others| others == pieces).count();
            from = positions.end;
            let features =
                &self.features[self.starts[positions.start] as usize..self.starts[positions.end] as usize];
            Some(EqualPieces { positions, bucket: bucket(pieces, BUCKETS), pieces, features })
        })
    }

    /// Returns the batch in the order of the number of pieces, so that it has few runs. The passes through a
    /// network are fast then: their loops have the same length for many positions in a row.
    #[must_use]
    pub fn sorted(&self) -> Self {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_key(|&index| self.starts[index + 1] - self.starts[index]);
        let mut sorted = Self::default();
        sorted.features.reserve_exact(self.features.len());
        order.into_iter().for_each(|index| sorted.extend(self, index..index + 1));
        sorted
    }

    /// Adds a position with `score`, in expected points. A board without a king on each side is refused;
    /// returns `false` then.
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
        let [Some(ours), Some(theirs)] = [turn, !turn].map(|side| kings[side as usize]) else {
            return false;
        };
        let (ours, theirs) = (View::new(turn, ours), View::new(!turn, theirs));
        let features = |&placement| [ours, theirs].map(|view| view.input(placement) as u16);
        self.features.extend(pieces.iter().map(features));
        self.starts.push(u32::try_from(self.features.len()).expect("a batch is small"));
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
        self.scores.extend_from_slice(&other.scores[range.clone()]);
        self.results.extend_from_slice(&other.results[range]);
    }
}
