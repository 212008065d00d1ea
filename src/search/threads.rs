//! Runs the threads of one search, and handles a panic in one of them.
//!
//! The threads belong to a pool that sleeps between searches; each search gives every thread its part. The calling
//! thread may be the leader. The leader concludes the search, even if another thread has not ended yet. A thread that
//! panics ends the search: the best answer so far is played, and the observer is informed.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
    thread,
};

use rayon::{ThreadBuilder, ThreadPool, ThreadPoolBuilder};

use super::{
    Observer, Silent,
    deepening::Deepening,
    root::Allowed,
    tablebase::Asked,
    vote::ThreadResult,
    watcher::{Unwatched, Watcher},
    worker::{Memory, Shared, Worker},
};
use crate::{eval::Evaluator, position::Position};

/// The stack size of a search thread, in bytes: enough for the longest line even without optimisation.
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

/// The threads on which searches run.
#[derive(Debug)]
pub(super) struct Threads {
    /// The thread pool; `None` if the calling thread alone suffices.
    pool: Option<ThreadPool>,
    /// Whether the calling thread leads the search.
    calling: bool,
}

impl Threads {
    /// Starts `count` threads, including the calling one if `calling`, or as many as the system allows; `None` if that
    /// is not even one.
    pub(super) fn start(count: usize, calling: bool) -> Option<Self> {
        let wanted = count - usize::from(calling);
        let sizes = std::iter::successors(Some(wanted), |&size| (size > 1).then_some(size / 2));
        let pool = sizes.filter(|&size| size > 0).find_map(start);
        (calling || pool.is_some()).then_some(Self { pool, calling })
    }

    /// The number of threads.
    pub(super) fn count(&self) -> usize {
        self.pool.as_ref().map_or(0, ThreadPool::current_num_threads) + usize::from(self.calling)
    }
}

/// Starts `size` threads. If the system does not allow that many, those that have started end before this returns, so that
/// their memory is free for a smaller pool.
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

/// The root that all threads search.
#[derive(Clone, Copy)]
pub(super) struct Root<'s> {
    pub(super) position: &'s Position,
    /// The moves to search, best first if an order is known.
    pub(super) moves: &'s [Allowed],
    /// The results of probing the endgame tables at the root, and what may be probed below.
    pub(super) asked: Asked<'s>,
    pub(super) multi_pv: usize,
}

/// Runs as many of `threads` as there are `memories`, at least one. The first thread leads, and reports to `observer` and
/// `watcher`. It passes the results of the threads to `conclude`, whose answer is returned when all threads have ended.
pub(super) fn run<E: Evaluator, O: Observer + Send, R: Send>(
    threads: &Threads,
    shared: &Shared<'_>,
    memories: &mut [Memory<E>],
    root: Root<'_>,
    observer: &mut O,
    watcher: impl Watcher,
    conclude: impl FnOnce(Vec<ThreadResult>, &mut O) -> R + Send,
) -> R {
    let (leader, others) = memories.split_first_mut().expect("a search has a leader");
    // Claimed before the other threads start, so that the leader gets nodes however few are allowed.
    let first = shared.nodes.claim();
    let lead = move || {
        let result = think(shared, 0, first, leader, root, observer, watcher);
        // If the leader has used up its nodes, the others may still use theirs.
        if result.panic.is_some() || !shared.nodes.all_claimed() {
            shared.end();
        }
        conclude(shared.ballot.collect(result, || shared.must_end()), observer)
    };
    let Some(pool) = &threads.pool else { return lead() };
    let mut concluded = None;
    pool.in_place_scope(|scope| {
        for (id, memory) in (1..).zip(others) {
            scope.spawn(move |_| {
                let claim = shared.nodes.claim();
                let result = think(shared, id, claim, memory, root, &mut Silent, Unwatched);
                let has_panicked = result.panic.is_some();
                // Before the end, so that the leader is told of the panic.
                shared.ballot.finish(id, result);
                if has_panicked {
                    shared.end();
                }
            });
        }
        if threads.calling {
            concluded = Some(lead());
        } else {
            scope.spawn(|_| concluded = Some(lead()));
        }
    });
    concluded.expect("the leader has concluded")
}

/// Runs the part of thread `id`, which may begin with `claim` nodes.
fn think<E: Evaluator, W: Watcher, O: Observer>(
    shared: &Shared<'_>,
    id: usize,
    claim: u64,
    memory: &mut Memory<E>,
    Root { position, moves, multi_pv, .. }: Root<'_>,
    observer: &mut O,
    watcher: W,
) -> ThreadResult {
    let mut result = ThreadResult::default();
    let thought = catch_unwind(AssertUnwindSafe(|| {
        let mut worker = Worker::new(shared, id, claim, position, memory, watcher);
        if worker.aborted {
            return;
        }
        let mut deepening = Deepening::new(&mut worker, moves, multi_pv, observer);
        let run = catch_unwind(AssertUnwindSafe(|| deepening.run()));
        result = deepening.take_result();
        worker.publish_nodes();
        if let Err(panic) = run {
            std::panic::resume_unwind(panic);
        }
    }));
    result.panic = thought.err().map(|panic| message(&*panic).to_owned());
    result
}

/// The message of a panic.
pub(crate) fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no reason given")
}
