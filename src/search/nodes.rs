//! Counts the nodes of all threads and distributes the node limit.
//!
//! A thread visits only nodes that it has claimed. With a limit, claims are taken from the rest of the limit, in ever
//! smaller batches towards the end, and every thread uses its whole claim. The total therefore equals the limit
//! exactly, with any number of threads. A claim, and the check of the clock that goes with it, cost the same with any
//! number of threads.

use std::sync::atomic::{AtomicU64, Ordering};

use crossbeam_utils::CachePadded;

/// The maximum number of nodes that a thread visits between two checks of the clock and the stop flag.
const BATCH: u64 = 512;

/// The nodes of one search. Every counter has its own cache lines, so that threads do not slow each other by counting.
#[derive(Debug)]
pub(super) struct Nodes {
    limit: u64,
    /// Nodes visited before the threads began.
    before: u64,
    claimed: CachePadded<AtomicU64>,
    /// Nodes visited by each thread, as of its last claim.
    visited: Vec<CachePadded<AtomicU64>>,
}

impl Nodes {
    /// Returns counters for `threads` threads, which may visit at most `limit` nodes (`u64::MAX` for no limit), after
    /// `before` other nodes.
    pub(super) fn new(limit: u64, before: u64, threads: usize) -> Self {
        Self {
            limit,
            before,
            claimed: CachePadded::default(),
            visited: std::iter::repeat_with(CachePadded::default).take(threads).collect(),
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

    /// The published nodes of all threads, plus those before them.
    pub(super) fn total(&self) -> u64 {
        self.before + self.visited.iter().map(|nodes| nodes.load(Ordering::Relaxed)).sum::<u64>()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn claims_add_up_to_the_limit() {
        for threads in [1, 2, 8] {
            for limit in [1, 2, 7, 511, 512, 513, 5000, 100_000] {
                let nodes = Nodes::new(limit, 0, threads);
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
