//! How games are made.

use std::ops::RangeInclusive;

use crate::{position::Position, value::Value};

/// Everything that determines the games, besides their numbers.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The seed of all that is left to chance.
    pub seed: u64,
    /// Where games start; game `n` takes the `n`-th, all the way round. Never empty.
    pub starts: Vec<Position>,
    /// How many random plies, all legal moves being equally likely, are played from there; each number as likely.
    pub random_plies: RangeInclusive<u32>,
    /// Openings whose score is larger than this, in centipawns for either side, are replaced by others.
    pub balance: Value,
    /// Nodes after which a search begins no new iteration; see [`HARD_LIMIT`](Self::HARD_LIMIT).
    pub nodes: u64,
    /// The transposition table of each thread, in MiB; it is cleared before every game.
    pub hash: usize,
    /// When a game counts as won.
    pub win: Option<WinRule>,
    /// When a game counts as drawn.
    pub draw: Option<DrawRule>,
    /// The ply of the game at which it is drawn, whatever the position.
    pub max_plies: u32,
}

/// A game is won when for some plies running, and so in the eyes of both sides, the scores favour one side that much.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WinRule {
    /// The least score, in centipawns.
    pub score: Value,
    /// For how many plies running.
    pub plies: u32,
}

/// A game is drawn when late enough for some plies running the scores are close to zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawRule {
    /// The largest score, in centipawns for either side.
    pub score: Value,
    /// For how many plies running.
    pub plies: u32,
    /// The first ply of the game that counts.
    pub from_ply: u32,
}

impl Recipe {
    /// A search is broken off, wherever it is, at this many times [`nodes`](Self::nodes).
    pub const HARD_LIMIT: u64 = 8;

    /// How many different games there are, if the openings are a list that can be used up.
    #[must_use]
    pub fn games(&self) -> Option<u64> {
        (*self.random_plies.end() == 0).then_some(self.starts.len() as u64)
    }
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            seed: 1,
            starts: vec![Position::default()],
            random_plies: 8..=10,
            balance: 200,
            nodes: 5000,
            hash: 8,
            win: Some(WinRule { score: 1000, plies: 4 }),
            draw: Some(DrawRule { score: 8, plies: 10, from_ply: 80 }),
            max_plies: 400,
        }
    }
}
