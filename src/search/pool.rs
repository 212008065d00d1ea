//! The threads of a search and what they keep from one move to the next.
//!
//! Lazy SMP: all threads search the same root and share nothing but the transposition table. They drift apart by
//! chance, and what one finds the others meet in the table. Thread 0 leads: it alone watches the clock, reports, and
//! ends the search. With one thread a search is deterministic.
//!
//! Reference: chessprogramming.org, "Lazy SMP".

use std::{
    sync::atomic::{AtomicBool, AtomicU64},
    thread,
    time::Duration,
};

use shakmaty::Move;

use super::{
    Limits, Observer, Outcome, Report, Silent, Stop, Techniques,
    clock::Clock,
    deepening::Deepening,
    mate::{Solver, Verdict},
    watcher::{Unwatched, Watcher},
    worker::{Memory, Shared, Worker},
};
use crate::{
    eval::Evaluator,
    position::{Legality, Position},
    tt::{Bound, OutOfMemory, Table},
    value::{DRAW, mate_in, mated_in},
};

/// The stack of a search thread, in bytes: room for the longest line even without optimisation.
const STACK: usize = 32 << 20;

/// The most nodes the mate solver may use before the ordinary search takes over.
const MATE_SOLVER_NODES: u64 = 500_000;

/// What stays the same from move to move of a game: the caller's settings of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many lines to report (at least 1).
    pub multi_pv: usize,
    /// Time to keep back on every move for whatever lies between engine and referee.
    pub move_overhead: Duration,
    /// The techniques to search with.
    pub techniques: Techniques,
}

impl Default for Settings {
    fn default() -> Self {
        Self { multi_pv: 1, move_overhead: Duration::from_millis(10), techniques: Techniques::ALL }
    }
}

/// Everything a search keeps from one move to the next: the transposition table and each thread's memory.
#[derive(Debug)]
pub struct Searcher<E> {
    table: Table,
    /// The size the table is to have, in MiB, while it has not been allocated yet.
    wanted: Option<usize>,
    threads: Vec<Memory<E>>,
    /// What each thread's evaluator is a clone of.
    prototype: E,
}

impl<E: Evaluator + Default> Searcher<E> {
    /// A searcher with one thread, the default evaluator, and a table of `hash` MiB that is allocated when first needed.
    #[must_use]
    pub fn new(hash: usize) -> Self {
        Self::with_evaluator(hash, E::default())
    }
}

impl<E: Evaluator> Searcher<E> {
    /// A searcher with one thread and a table of `hash` MiB that is allocated when first needed. Each thread evaluates with a
    /// clone of `prototype`.
    #[must_use]
    pub fn with_evaluator(hash: usize, prototype: E) -> Self {
        Self {
            table: Table::default(),
            wanted: Some(hash),
            threads: vec![Memory::new(&prototype)],
            prototype,
        }
    }

    /// Sets the number of threads (at least 1).
    pub fn set_threads(&mut self, threads: usize) {
        let prototype = &self.prototype;
        self.threads.resize_with(threads.max(1), || Memory::new(prototype));
    }

    /// Changes the size of the table, in MiB. What it held is lost.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if there is not enough memory; the old table is kept.
    pub fn resize(&mut self, mebibytes: usize) -> Result<(), OutOfMemory> {
        self.table = Table::new(mebibytes)?;
        self.wanted = None;
        Ok(())
    }

    /// Allocates the table if that has not happened yet (it is put off so that start-up is instant).
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if there is not enough memory; the searcher goes on with the smallest table there is.
    pub fn prepare(&mut self) -> Result<(), OutOfMemory> {
        self.wanted.take().map_or(Ok(()), |mebibytes| self.resize(mebibytes))
    }

    /// Forgets everything: a new game.
    pub fn clear(&mut self) {
        self.table.clear(self.threads.len());
        self.threads.iter_mut().for_each(Memory::clear);
    }

    /// The transposition table, for tools and tests that want to see what a search has learnt.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Searches `position` within `limits` until they are reached or `stop` is raised, telling `observer` on the way.
    ///
    /// Returns as soon as the limits are reached, even when [`Limits::infinite`] or [`Limits::ponder`] is set: to hold
    /// the answer back ([`Stop::wait`]) is the caller's business. A root without legal moves (or with none that
    /// [`Limits::search_moves`] allows) is reported at depth 0 and has no best move.
    ///
    /// # Panics
    ///
    /// If the system cannot start a thread.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: &Stop,
        settings: &Settings,
        observer: &mut (impl Observer + Send),
    ) -> Outcome {
        self.search_watched(position, limits, stop, settings, observer, Unwatched)
    }

    /// As [`search`](Self::search), with `watcher` looking on from inside at the leading thread.
    ///
    /// # Panics
    ///
    /// If the system cannot start a thread.
    pub fn search_watched(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: &Stop,
        settings: &Settings,
        observer: &mut (impl Observer + Send),
        watcher: impl Watcher,
    ) -> Outcome {
        // A refused size has been reported by whoever asked for it; the search goes on with a small table.
        let _ = self.prepare();
        let mut moves = position.legal_moves();
        moves.retain(|m| limits.search_moves.is_empty() || limits.search_moves.contains(m));
        let mut clock = Clock::new(limits, position.turn(), settings.move_overhead);
        if moves.is_empty() {
            return nothing_to_play(position, observer);
        }
        let mut solved = 0;
        if settings.multi_pv == 1 && clock.mate.is_some() {
            match prove_mate(position, &moves, &mut clock, stop) {
                Ok(report) => {
                    observer.iteration(&report);
                    return outcome(&self.table, position, vec![report]);
                }
                Err(nodes) => solved = nodes,
            }
        }
        self.table.new_search();
        let shared = Shared {
            table: &self.table,
            clock,
            stop,
            techniques: settings.techniques,
            ended: AtomicBool::new(false),
            nodes: self.threads.iter().map(|_| AtomicU64::new(0)).collect(),
        };
        let threads = &mut self.threads;
        let lines = run(&shared, threads, position, &moves, settings.multi_pv, observer, watcher);
        let nodes = shared.total_nodes() + solved;
        Outcome { nodes, ..outcome(&self.table, position, lines) }
    }
}

/// What to play by `lines`.
fn outcome(table: &Table, position: &Position, lines: Vec<Report>) -> Outcome {
    let pv = lines.first().map_or(&[][..], |line| &line.pv);
    let best = pv.first().copied();
    let ponder = pv.get(1).copied().or_else(|| expected_reply(table, position, best));
    let nodes = lines.first().map_or(0, |line| line.nodes);
    Outcome { best, ponder, nodes, lines }
}

/// Lets the mate solver try first. If it fails, returns the nodes it has used, having taken them from the limits. If it
/// has shown that there is no mate to be found, the ordinary search need not go on for ever: only deep enough to find a
/// move, or that it is the side to move that is mated.
fn prove_mate(position: &Position, moves: &[Move], clock: &mut Clock, stop: &Stop) -> Result<Report, u64> {
    let Some(asked) = clock.mate else { return Err(0) };
    // A limit of depth says how far ahead to look at most; the solver heeds it too.
    let wanted = asked.min(clock.depth.div_ceil(2));
    let budget = (clock.nodes / 3).min(MATE_SOLVER_NODES);
    let (verdict, nodes) = Solver::new(position, moves, clock, stop, budget).solve(wanted);
    match verdict {
        Verdict::Mate(pv) => Ok(Report {
            depth: pv.len() as u32,
            seldepth: pv.len() as u32,
            multi_pv: 1,
            value: mate_in(pv.len()),
            bound: Bound::Exact,
            nodes,
            time: clock.elapsed(),
            hashfull: 0,
            tb_hits: 0,
            pv,
        }),
        verdict => {
            clock.nodes -= nodes.min(clock.nodes - 1);
            if verdict == Verdict::None {
                clock.depth = clock.depth.min(4 * asked + 4);
            }
            Err(nodes)
        }
    }
}

/// Runs all threads and returns the lines to play by.
fn run<E: Evaluator, W: Watcher, O: Observer + Send>(
    shared: &Shared<'_>,
    threads: &mut [Memory<E>],
    position: &Position,
    moves: &[Move],
    multi_pv: usize,
    observer: &mut O,
    watcher: W,
) -> Vec<Report> {
    let Some((leader, helpers)) = threads.split_first_mut() else { return Vec::new() };
    thread::scope(|scope| {
        let helpers: Vec<_> = helpers
            .iter_mut()
            .enumerate()
            .filter_map(|(index, memory)| {
                let search = move || {
                    let mut worker = Worker::new(shared, index + 1, position, memory, Unwatched);
                    let lines = Deepening::new(&mut worker, moves, multi_pv, &mut Silent).run();
                    worker.publish_nodes();
                    lines
                };
                // A helper that cannot be started is not missed.
                thread::Builder::new().stack_size(STACK).spawn_scoped(scope, search).ok()
            })
            .collect();
        let lead = || {
            let mut worker = Worker::new(shared, 0, position, leader, watcher);
            let lines = Deepening::new(&mut worker, moves, multi_pv, observer).run();
            worker.publish_nodes();
            shared.end();
            lines
        };
        let leader = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, lead);
        let lines = join(leader.expect("the system can start a thread"));
        let best = helpers
            .into_iter()
            .map(join)
            .filter(|other| is_better(other, &lines))
            .max_by_key(|lines| rank(lines));
        best.unwrap_or(lines)
    })
}

fn join<T>(handle: thread::ScopedJoinHandle<'_, T>) -> T {
    handle.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn rank(lines: &[Report]) -> (u32, i32) {
    lines.first().map_or((0, 0), |line| (line.depth, line.value))
}

/// Whether a helper's line is to be played instead of the leader's: it went deeper, or as deep and found more.
fn is_better(helper: &[Report], leader: &[Report]) -> bool {
    helper.len() == leader.len() && rank(helper) > rank(leader)
}

fn nothing_to_play(position: &Position, observer: &mut impl Observer) -> Outcome {
    let mated = position.is_check() && !Legality::of(position).any_move();
    let report = Report {
        depth: 0,
        seldepth: 0,
        multi_pv: 1,
        value: if mated { mated_in(0) } else { DRAW },
        bound: Bound::Exact,
        nodes: 0,
        time: Duration::ZERO,
        hashfull: 0,
        tb_hits: 0,
        pv: Vec::new(),
    };
    observer.iteration(&report);
    Outcome { lines: vec![report], ..Outcome::default() }
}

/// The reply to `best` that the table knows, for a line that ends with it.
fn expected_reply(table: &Table, position: &Position, best: Option<Move>) -> Option<Move> {
    let mut position = position.clone();
    position.play(best?);
    let reply = table.probe(position.key(), 1)?.m?;
    Legality::of(&position).unpack(reply)
}
