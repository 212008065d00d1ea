//! The training positions, in about 140 bytes each.

use shakmaty::Position as _;

use crate::{
    data::{Block, Filter},
    eval::{
        classical::{self, FULL_PHASE},
        endgame::{FULL_CHANCES, Scaling},
    },
    position::Position,
    value::Value,
};

/// One position, all values for White.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample<'d> {
    /// The features that occur.
    pub features: &'d [u16],
    /// The count of each, White's less Black's.
    pub counts: &'d [i8],
    /// The phase: how much of the middlegame is left, 0 to 1.
    pub phase: f32,
    /// The factor of the advantage and the bonus added to it, if Black leads and if White leads.
    pub scaling: [(f32, f32); 2],
    /// The result for White: 0, ½ or 1.
    pub result: f32,
    /// The score of the search, in centipawns.
    pub score: f32,
}

/// The data of a [`Sample`] besides its features, and the end of those.
#[derive(Clone, Copy, Debug)]
struct Head {
    /// Not a `u32`: a hundred million positions have more features.
    end: usize,
    phase: u8,
    chances: [u8; 2],
    mop_up: [i16; 2],
    doubled_result: u8,
    score: i16,
}

/// Positions with their features, in the order they were added.
#[derive(Clone, Debug, Default)]
pub struct Dataset {
    heads: Vec<Head>,
    features: Vec<u16>,
    counts: Vec<i8>,
}

impl Dataset {
    /// The number of positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// Whether it is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.heads.is_empty()
    }

    /// Adds a position; `doubled_result` is 0, 1 or 2 for White, `score` is for White too.
    pub fn push(&mut self, position: &Position, doubled_result: u8, score: Value) {
        for (feature, count) in classical::count(position).present() {
            self.features.push(feature as u16);
            self.counts.push(count as i8);
        }
        let board = position.chess().board();
        let scaling = [false, true].map(|white_leads| Scaling::of(position, white_leads));
        self.heads.push(Head {
            end: self.features.len(),
            phase: classical::phase(board) as u8,
            chances: scaling.map(|scaling| scaling.chances as u8),
            mop_up: scaling.map(|scaling| scaling.mop_up as i16),
            doubled_result,
            score: score as i16,
        });
    }

    /// The position at `index`.
    #[must_use]
    pub fn sample(&self, index: usize) -> Sample<'_> {
        let head = &self.heads[index];
        let start = if index == 0 { 0 } else { self.heads[index - 1].end };
        let features = start..head.end;
        let scaling =
            |side: usize| (f32::from(head.chances[side]) / FULL_CHANCES as f32, f32::from(head.mop_up[side]));
        Sample {
            features: &self.features[features.clone()],
            counts: &self.counts[features],
            phase: f32::from(head.phase) / FULL_PHASE as f32,
            scaling: [scaling(0), scaling(1)],
            result: f32::from(head.doubled_result) / 2.0,
            score: f32::from(head.score),
        }
    }
}

/// The data for training and for validation.
#[derive(Clone, Debug)]
pub struct Split {
    /// The positions that the weights are fitted to.
    pub training: Dataset,
    /// The positions that decide when to stop.
    pub validation: Dataset,
    /// The share of blocks for validation.
    share: f64,
    seed: u64,
    /// The number of blocks that are divided.
    blocks: u64,
    /// The number of complete rounds of blocks. One block of each round is for validation.
    rounds: u64,
    /// The number of records read, admitted or not.
    pub records: u64,
}

impl Split {
    /// Returns an empty split; `share` is the share of the blocks for validation, above 0 and at most
    /// 0.5.
    #[must_use]
    pub fn new(share: f64, seed: u64) -> Self {
        let (training, validation) = (Dataset::default(), Dataset::default());
        Self { training, validation, share, seed, blocks: 0, rounds: 0, records: 0 }
    }

    /// Adds the records of a block that `filter` admits, all to the same side. A block contains whole games, and the
    /// positions of one game are too similar to be on both sides.
    pub fn add(&mut self, block: &Block, filter: Filter) {
        let validation = self.is_validation();
        self.blocks += 1;
        self.rounds += u64::from(self.blocks == self.blocks_of(self.rounds + 1));
        self.add_to(validation, block, filter);
    }

    /// Adds the records of a block that `filter` admits to the side that was chosen when the games were still whole:
    /// `validation` or training.
    pub fn add_to(&mut self, validation: bool, block: &Block, filter: Filter) {
        let side = if validation { &mut self.validation } else { &mut self.training };
        self.records += block.records.len() as u64;
        for record in block.records.iter().filter(|record| filter.admits(record)) {
            // A board that the rules do not allow is skipped.
            let Ok(position) = record.position() else { continue };
            let score = record.turn().fold_wb(record.score(), -record.score());
            side.push(&position, (2.0 * record.white_points()) as u8, score);
        }
    }

    /// Whether the next block is for validation: the one of its round that a hash chooses.
    pub(super) fn is_validation(&self) -> bool {
        let begin = self.blocks_of(self.rounds);
        let size = self.blocks_of(self.rounds + 1) - begin;
        crc32fast::hash(&(self.seed ^ self.rounds << 32).to_le_bytes()) as u64 % size == self.blocks - begin
    }

    /// The number of blocks in the first `rounds` rounds. On average a round has 1 / `share` blocks.
    fn blocks_of(&self, rounds: u64) -> u64 {
        (rounds as f64 / self.share).round() as u64
    }
}
