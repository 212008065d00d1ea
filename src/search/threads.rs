//! Running the threads of one search, and what becomes of it when one of them panics.
//!
//! The threads belong to a pool, which sleeps between searches; each search hands every thread its part. The thread that
//! asks for a search may be its leader. A thread that panics ends the search: the best answer so far is played, and whoever
//! listens is told.

use std::{
    any::Any,
    panic::{AssertUnwindSafe, catch_unwind},
};

use rayon::{ThreadPool, ThreadPoolBuilder};

use super::{
    Observer, Report, Silent,
    deepening::Deepening,
    root::Allowed,
    tablebase::Asked,
    watcher::{Unwatched, Watcher},
    worker::{Memory, Shared, Worker},
};
use crate::{eval::Evaluator, position::Position};

/// The stack of a search thread, in bytes: room for the longest line even without optimisation.
pub const STACK: usize = 32 << 20;

/// Where searches run.
#[derive(Debug)]
pub(super) struct Threads {
    /// Threads of their own; none where the calling thread is all that is needed.
    pool: Option<ThreadPool>,
    /// Whether the thread that asks for a search leads it.
    calling: bool,
}

impl Threads {
    /// `count` threads, the `calling` one among them or not, or as many as the system can start; `None` if that is not even
    /// one.
    pub(super) fn start(count: usize, calling: bool) -> Option<Self> {
        let wanted = count - usize::from(calling);
        let sizes = std::iter::successors(Some(wanted), |&size| (size > 1).then_some(size / 2));
        let build = |size| {
            let name = |index| format!("search {index}");
            ThreadPoolBuilder::new().num_threads(size).stack_size(STACK).thread_name(name).build().ok()
        };
        let pool = sizes.filter(|&size| size > 0).find_map(build);
        (calling || pool.is_some()).then_some(Self { pool, calling })
    }

    /// How many there are.
    pub(super) fn count(&self) -> usize {
        self.pool.as_ref().map_or(0, ThreadPool::current_num_threads) + usize::from(self.calling)
    }
}

/// What a thread had to say when the search ended.
#[derive(Debug, Default)]
pub(super) struct Word {
    /// Its lines, best first; none if it has not found any.
    pub(super) lines: Vec<Report>,
    /// What it said when it panicked, if it did.
    pub(super) panic: Option<String>,
}

/// What all threads search for.
#[derive(Clone, Copy)]
pub(super) struct Root<'s> {
    pub(super) position: &'s Position,
    /// The moves to look at, best first if anything is known of them.
    pub(super) moves: &'s [Allowed],
    /// What the endgame tables have been asked already, and what may be asked below.
    pub(super) asked: Asked<'s>,
    pub(super) multi_pv: usize,
}

/// Lets as many of `threads` search as there are `memories`, and returns what each has to say. The first leads, and tells
/// `observer` and `watcher`.
pub(super) fn run<E: Evaluator, W: Watcher, O: Observer + Send>(
    threads: &Threads,
    shared: &Shared<'_>,
    memories: &mut [Memory<E>],
    root: Root<'_>,
    observer: &mut O,
    watcher: W,
) -> Vec<Word> {
    let mut words: Vec<Word> = memories.iter().map(|_| Word::default()).collect();
    let mut parts = memories.iter_mut().zip(&mut words).enumerate();
    // Taken here, so that there is something left for the leader however few nodes are allowed.
    let first = shared.nodes.claim();
    let leader = parts.next().map(|(id, (memory, word))| {
        move || *word = think(shared, id, first, memory, root, observer, watcher)
    });
    let Some(pool) = &threads.pool else {
        leader.into_iter().for_each(|lead| lead());
        return words;
    };
    pool.in_place_scope(|scope| {
        for (id, (memory, word)) in parts {
            scope.spawn(move |_| {
                let claim = shared.nodes.claim();
                *word = think(shared, id, claim, memory, root, &mut Silent, Unwatched);
            });
        }
        let Some(lead) = leader else { return };
        if threads.calling { lead() } else { scope.spawn(|_| lead()) }
    });
    words
}

/// The part of thread `id`, which may begin with `claim` nodes.
fn think<E: Evaluator, W: Watcher, O: Observer>(
    shared: &Shared<'_>,
    id: usize,
    claim: u64,
    memory: &mut Memory<E>,
    Root { position, moves, multi_pv, .. }: Root<'_>,
    observer: &mut O,
    watcher: W,
) -> Word {
    let mut lines = Vec::new();
    let thought = catch_unwind(AssertUnwindSafe(|| {
        let mut worker = Worker::new(shared, id, claim, position, memory, watcher);
        if worker.aborted {
            return;
        }
        let mut deepening = Deepening::new(&mut worker, moves, multi_pv, observer);
        let run = catch_unwind(AssertUnwindSafe(|| deepening.run()));
        lines = deepening.into_lines();
        worker.publish_nodes();
        if let Err(panic) = run {
            std::panic::resume_unwind(panic);
        }
    }));
    // A leader that has used up its nodes lets the others use up theirs.
    if thought.is_err() || (id == 0 && !shared.nodes.all_claimed()) {
        shared.end();
    }
    Word { lines, panic: thought.err().map(|panic| message(&*panic).to_owned()) }
}

/// What a panic said.
pub(crate) fn message(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("no reason given")
}
