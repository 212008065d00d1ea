//! The limits that the caller sets for a search.

use std::time::{Duration, Instant};

use shakmaty::{ByColor, Color, Move};

use crate::position::Position;

/// One side's chess clock.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClockTime {
    /// Time left, if the caller gave it; 0 for a clock that has run out.
    pub left: Option<Duration>,
    /// Time added after each move.
    pub increment: Duration,
}

/// The limits of one search. They combine: whichever is reached first ends the search.
///
/// The default has no limits: only [`Stop`](super::Stop) ends such a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// The clocks of both sides.
    pub clocks: ByColor<ClockTime>,
    /// When the search was requested and its time began; `None` means when [`search`](super::Searcher::search) is
    /// called.
    pub begun: Option<Instant>,
    /// Moves until the next time control; `None` means the rest of the game.
    pub moves_to_go: Option<u32>,
    /// Iterations to complete, in plies.
    pub depth: Option<u32>,
    /// Nodes to visit, over all threads.
    pub nodes: Option<u64>,
    /// Nodes of the first thread after which no new iteration begins. Unlike with [`nodes`](Self::nodes), every
    /// iteration is completed.
    pub soft_nodes: Option<u64>,
    /// Search for a mate in at most this many moves and end when one is found.
    pub mate: Option<u32>,
    /// Time for this move.
    pub move_time: Option<Duration>,
    /// Answer only after a stop, even if other limits are reached.
    pub infinite: bool,
    /// Search on the opponent's time: like `infinite` until the ponderhit, then by the other limits.
    pub ponder: bool,
    /// The root moves to search; empty means all.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// Limits of `depth` iterations.
    #[must_use]
    pub fn depth(depth: u32) -> Self {
        Self { depth: Some(depth), ..Self::default() }
    }

    /// Limits of `nodes` nodes.
    #[must_use]
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// Limits of about `time`.
    #[must_use]
    pub fn move_time(time: Duration) -> Self {
        Self { move_time: Some(time), ..Self::default() }
    }

    /// Whether a search within these limits ends by itself, once it no longer ponders.
    #[must_use]
    pub fn is_bounded(&self) -> bool {
        let has_clock = self.clocks.white.left.is_some() || self.clocks.black.left.is_some();
        let has_number = self.depth.is_some() || self.nodes.is_some() || self.mate.is_some();
        !self.infinite && (has_clock || has_number || self.move_time.is_some())
    }

    /// The legal moves of `position` that these limits allow.
    #[must_use]
    pub fn root_moves(&self, position: &Position) -> Vec<Move> {
        let mut moves = position.legal_moves();
        moves.retain(|&m| self.allows(m));
        moves
    }

    /// Whether `m` is one of the [`search_moves`](Self::search_moves), or there are none.
    #[must_use]
    pub fn allows(&self, m: Move) -> bool {
        self.search_moves.is_empty() || self.search_moves.contains(&m)
    }

    /// The clock of `side`.
    #[must_use]
    pub fn clock(&self, side: Color) -> ClockTime {
        *self.clocks.get(side)
    }
}
