//! The results that the threads of one search publish for the vote.
//!
//! A thread publishes after each iteration, and when it has ended. The leader waits for the others only briefly once
//! the search must end: on a busy machine a thread may get no core for a long time. Its last published result counts
//! then.

use std::{
    mem,
    sync::{Condvar, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use super::vote::ThreadResult;

/// How long the leader waits for threads that should have ended: enough for any that has a core, and less than the default
/// move overhead.
const PATIENCE: Duration = Duration::from_millis(3);

/// The results of the threads of one search.
#[derive(Debug)]
pub(super) struct Ballot {
    votes: Mutex<Votes>,
    /// Notified when the last thread has ended.
    complete: Condvar,
}

#[derive(Debug)]
struct Votes {
    /// The last result of each thread.
    results: Vec<ThreadResult>,
    /// The number of threads, without the leader, that have not ended.
    open: usize,
    /// The threads that have panicked.
    panicked: Vec<usize>,
}

impl Ballot {
    /// Returns the ballot of `threads` threads, at least one. The first one leads.
    pub(super) fn new(threads: usize) -> Self {
        let results = std::iter::repeat_with(ThreadResult::default).take(threads).collect();
        let votes = Votes { results, open: threads - 1, panicked: Vec::new() };
        Self { votes: Mutex::new(votes), complete: Condvar::new() }
    }

    /// Publishes `result` as the result of thread `id` so far.
    pub(super) fn publish(&self, id: usize, result: ThreadResult) {
        self.votes().put(id, result);
    }

    /// Publishes `result` as the final result of thread `id`, which does not lead.
    pub(super) fn finish(&self, id: usize, result: ThreadResult) {
        let mut votes = self.votes();
        votes.put(id, result);
        votes.open -= 1;
        if votes.open == 0 {
            self.complete.notify_one();
        }
    }

    /// Returns the last results of all threads, with `result` as that of the leader. Waits until all threads have ended, but
    /// only briefly once `must_end` returns true.
    pub(super) fn collect(&self, result: ThreadResult, must_end: impl Fn() -> bool) -> Vec<ThreadResult> {
        let mut votes = self.votes();
        votes.put(0, result);
        while votes.open > 0 {
            let last_wait = must_end();
            let waited = self.complete.wait_timeout_while(votes, PATIENCE, |votes| votes.open > 0);
            (votes, _) = waited.unwrap_or_else(PoisonError::into_inner);
            if last_wait {
                break;
            }
        }
        mem::take(&mut votes.results)
    }

    /// The threads that have panicked, when all have ended.
    pub(super) fn panicked(&self) -> Vec<usize> {
        mem::take(&mut self.votes().panicked)
    }

    fn votes(&self) -> MutexGuard<'_, Votes> {
        self.votes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Votes {
    /// Stores the result of thread `id`, unless the results have been collected.
    fn put(&mut self, id: usize, result: ThreadResult) {
        if result.panic.is_some() {
            self.panicked.push(id);
        }
        if let Some(place) = self.results.get_mut(id) {
            *place = result;
        }
    }
}
