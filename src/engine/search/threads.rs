//! Runs the threads of one search.
//!
//! The thread that calls the search leads it. The others, its helpers, belong to a pool that sleeps between
//! searches. A panic in one of them ends the search of all, and goes on to the caller.

use std::{iter, thread};

use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};

use super::{
    Observer, Silent,
    deepening::Deepening,
    root_moves::RootPosition,
    vote::ThreadResult,
    watcher::{Unwatched, Watcher},
    worker::{Memory, Shared, Worker},
};
use crate::engine::eval::Evaluator;

/// The stack size of a search thread, in bytes: enough for the longest line even without optimisation. An
/// optimised program needs about two kibibytes for each ply.
pub const STACK: usize = 32 << 20;

/// The system starts fewer threads than requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("only {started} of {wanted} threads could be started")]
pub struct FewerThreads {
    /// The number of threads that could be started.
    pub started: usize,
    /// The number of threads requested.
    pub wanted: usize,
}

/// The threads of a search.
#[derive(Debug)]
pub(super) struct Threads {
    /// All but the calling thread; `None` if that is the only one.
    helpers: Option<ThreadPool>,
}

impl Threads {
    /// Starts `count` threads, including the calling one, or as many as the system allows.
    pub(super) fn start(count: usize) -> Self {
        let sizes = iter::successors(Some(count - 1), |&size| (size > 1).then_some(size / 2));
        Self { helpers: sizes.filter(|&size| size > 0).find_map(start) }
    }

    /// The number of threads, including the calling one.
    pub(super) fn count(&self) -> usize {
        1 + self.helpers.as_ref().map_or(0, ThreadPool::current_num_threads)
    }

    /// Searches `root` with as many threads as there are `memories`, at least one, and returns their results
    /// when all have ended. The calling thread leads: it is the first one, and reports to `observer` and
    /// `watcher`.
    pub(super) fn run<E: Evaluator>(
        &self,
        shared: &Shared<'_>,
        memories: &mut [Memory<E>],
        root: RootPosition<'_>,
        observer: &mut dyn Observer,
        watcher: impl Watcher,
    ) -> Vec<ThreadResult> {
        let mut results: Vec<_> = iter::repeat_with(ThreadResult::default).take(memories.len()).collect();
        let mut threads = (0..).zip(memories.iter_mut().zip(&mut results));
        let (_, (memory, result)) = threads.next().expect("a search has a leader");
        // Claimed before the helpers start, so that the leader gets nodes however few are allowed.
        let claim = shared.nodes.claim();
        let lead = || {
            *result = run_one(shared, 0, claim, memory, root, observer, watcher);
            // If the leader has used up its nodes, the helpers may still use theirs.
            if !shared.nodes.all_claimed() {
                shared.end();
            }
        };
        let Some(pool) = &self.helpers else {
            lead();
            return results;
        };
        pool.in_place_scope(|scope| {
            for (id, (memory, result)) in threads {
                scope.spawn(move |_| {
                    let claim = shared.nodes.claim();
                    *result = run_one(shared, id, claim, memory, root, &mut Silent, Unwatched);
                });
            }
            lead();
        });
        results
    }
}

/// Starts `size` threads. If the system does not allow that many, those that have started end before this
/// returns, so that their memory is free for a smaller pool.
fn start(size: usize) -> Option<ThreadPool> {
    let mut started = Vec::new();
    let spawn = |thread: ThreadBuilder| {
        let builder = thread::Builder::new().name(format!("search {}", thread.index())).stack_size(STACK);
        started.push(builder.spawn(|| thread.run())?);
        Ok(())
    };
    let pool = ThreadPoolBuilder::new().num_threads(size).spawn_handler(spawn).build().ok();
    if pool.is_none() {
        // They have had nothing to do, so none has panicked.
        started.into_iter().for_each(|thread| drop(thread.join()));
    }
    pool
}

/// Runs the search of one thread, number `id`, which may begin with `claim` nodes.
fn run_one<E: Evaluator>(
    shared: &Shared<'_>,
    id: usize,
    claim: u64,
    memory: &mut Memory<E>,
    root: RootPosition<'_>,
    observer: &mut dyn Observer,
    watcher: impl Watcher,
) -> ThreadResult {
    let _guard = EndOnPanic(shared);
    let mut worker = Worker::new(shared, id, claim, root, memory, observer, watcher);
    if worker.aborted {
        return ThreadResult::default();
    }
    let mut deepening = Deepening::new(&mut worker, root.multi_pv);
    deepening.iterate();
    let result = deepening.into_result();
    worker.publish_nodes();
    result
}

/// Ends the search of the other threads when this one panics.
struct EndOnPanic<'s>(&'s Shared<'s>);

impl Drop for EndOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.0.end();
        }
    }
}
