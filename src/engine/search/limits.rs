//! The limits that the caller sets for a search, and the counter that keeps the limit of nodes.

use std::{
    iter,
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use crossbeam_utils::CachePadded;
use shakmaty::{ByColor, Color, Move};

use crate::chess::position::Position;

/// The maximum number of nodes that a thread visits between two checks of the clock and the stop flag.
const BATCH: u64 = 512;

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
    /// When the search was requested and its time began; `None` means when
    /// [`search`](super::Searcher::search) is called.
    pub begun: Option<Instant>,
    /// Moves until the next time control; `None` means the rest of the game.
    pub moves_to_go: Option<u32>,
    /// Iterations to complete, in plies.
    pub depth: Option<u32>,
    /// Nodes to visit, over all threads.
    pub nodes: Option<u64>,
    /// Nodes of the first thread after which no new iteration begins. Unlike with [`nodes`](Self::nodes),
    /// every iteration is completed.
    pub soft_nodes: Option<u64>,
    /// End when a mate in at most this many moves is proved. Without one, only another limit or a stop ends
    /// the search.
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

    /// Whether a search within these limits ends by itself, once it no longer ponders. One for a mate does so
    /// at the latest when it is [abandoned](super::Stop::abandon).
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

/// Counts the nodes of all threads of one search and distributes the limit.
///
/// A thread visits only nodes that it has claimed. With a limit, claims are taken from the rest of the limit,
/// in ever smaller batches towards the end, and every thread uses its whole claim. The total therefore equals
/// the limit exactly, with any number of threads. A claim, and the check of the clock that goes with it, cost
/// the same with any number of threads. Every counter has its own cache lines, so that threads do not slow
/// each other by counting.
#[derive(Debug)]
pub(super) struct Nodes {
    limit: u64,
    claimed: CachePadded<AtomicU64>,
    /// Nodes visited by each thread, as of its last claim.
    visited: Vec<CachePadded<AtomicU64>>,
}

impl Nodes {
    /// Returns counters for `threads` threads, which may visit at most `limit` nodes (`u64::MAX` for no
    /// limit).
    pub(super) fn new(limit: u64, threads: usize) -> Self {
        Self {
            limit,
            claimed: CachePadded::default(),
            visited: iter::repeat_with(CachePadded::default).take(threads).collect(),
        }
    }

    /// Claims nodes; returns how many the thread may visit before the next claim, 0 if none are left.
    pub(super) fn claim(&self) -> u64 {
        if self.limit == u64::MAX {
            return BATCH;
        }
        let share = |claimed: u64| (self.limit - claimed).div_ceil(self.threads() as u64).min(BATCH);
        let take = |claimed| Some(claimed + share(claimed));
        self.claimed.fetch_update(Ordering::Relaxed, Ordering::Relaxed, take).map_or(0, share)
    }

    /// The number of threads.
    pub(super) fn threads(&self) -> usize {
        self.visited.len()
    }

    /// Whether all nodes that the limit allows have been claimed.
    pub(super) fn all_claimed(&self) -> bool {
        self.claimed.load(Ordering::Relaxed) >= self.limit
    }

    /// Publishes that thread `id` has visited `nodes` nodes.
    pub(super) fn publish(&self, id: usize, nodes: u64) {
        self.visited[id].store(nodes, Ordering::Relaxed);
    }

    /// The published nodes of all threads.
    pub(super) fn total(&self) -> u64 {
        self.visited.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_add_up_to_the_limit() {
        for threads in [1, 2, 8] {
            for limit in [1, 2, 7, 511, 512, 513, 5000, 100_000] {
                let nodes = Nodes::new(limit, threads);
                let claims: Vec<u64> =
                    std::iter::repeat_with(|| nodes.claim()).take_while(|&n| n > 0).collect();
                assert_eq!(claims.iter().sum::<u64>(), limit);
                assert!(claims.iter().all(|&claim| claim <= BATCH) && nodes.all_claimed());
                assert!(
                    claims.len() as u64 <= limit.div_ceil(BATCH) + 16 * threads as u64,
                    "{}",
                    claims.len()
                );
            }
        }
    }
}
