//! The state of a search that is kept between moves, and the start and end of a search.
//!
//! Lazy SMP: all threads search the same root and share only the transposition table. They diverge by chance, and each
//! uses the results of the others through the table. Thread 0 is the leader: it alone reports, and decides after each
//! iteration whether to continue. The answer does not wait until the other threads have ended; the next search does. With
//! one thread a search is deterministic.
//!
//! Reference: chessprogramming.org, "Lazy SMP".

use std::{num::NonZero, sync::atomic::AtomicBool, thread::available_parallelism, time::Duration};

use crossbeam_utils::CachePadded;
use shakmaty::Move;

use super::{
    Limits, Observer, Outcome, Report, Stop, Tablebases, Techniques,
    ballot::Ballot,
    clock::Clock,
    mate_limit,
    nodes::Nodes,
    reporter::Reporter,
    root::Allowed,
    threads::{self, FewerThreads, Root, Threads},
    watcher::{Unwatched, Watcher},
    worker::{Memory, Shared},
};
use crate::{
    eval::Evaluator,
    position::{Legality, Position},
    tt::{Bound, Refused, Table},
    value::{DRAW, mated_in},
};

/// The caller's settings of the search, which stay the same during a game.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The number of lines to report (at least 1).
    pub multi_pv: usize,
    /// Time reserved on every move for delays between engine and GUI.
    pub move_overhead: Duration,
    /// Whether only the leading thread searches.
    pub one_thread: bool,
    /// The enabled techniques.
    pub techniques: Techniques,
    /// The endgame tables.
    pub tablebases: Tablebases,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            one_thread: false,
            techniques: Techniques::ALL,
            tablebases: Tablebases::default(),
        }
    }
}

/// The state that is kept between searches: the transposition table, and the threads with their memories.
#[derive(Debug)]
pub struct Searcher<E> {
    table: Table,
    /// Whether the table must be cleared before the next search.
    needs_clearing: bool,
    memories: Vec<Memory<E>>,
    /// The threads of the search; `None` before the first one.
    threads: Option<Threads>,
    /// Whether the calling thread leads the search.
    calling: bool,
    /// The evaluator that each thread clones.
    prototype: E,
}

impl<E: Evaluator + Default> Searcher<E> {
    /// Returns a searcher with one thread, the default evaluator, and a table as [`with_evaluator`](Self::with_evaluator)
    /// makes it.
    #[must_use]
    pub fn new(hash: usize) -> Self {
        Self::with_evaluator(hash, E::default())
    }
}

impl<E: Evaluator> Searcher<E> {
    /// Returns a searcher with one thread and a table of `hash` MiB, or the smallest table if the system refuses that one.
    /// Each thread evaluates with a clone of `prototype`.
    #[must_use]
    pub fn with_evaluator(hash: usize, prototype: E) -> Self {
        let memories = vec![Memory::new(&prototype)];
        let table = Table::new(hash).unwrap_or_default();
        Self { table, needs_clearing: true, memories, threads: None, calling: false, prototype }
    }

    /// Sets the number of threads (at least 1). They are started when first needed.
    pub fn set_threads(&mut self, threads: usize) {
        let prototype = &self.prototype;
        self.memories.resize_with(threads.max(1), || Memory::new(prototype));
        self.threads = None;
    }

    /// Makes the calling thread lead the search; it must have a stack of [`STACK`](super::STACK) bytes. This saves
    /// passing the search to another thread and the answer back: 18 to 20 % more games of self-play at 100 nodes a
    /// move.
    pub fn lead_on_calling_thread(&mut self) {
        self.calling = true;
        self.threads = None;
    }

    /// Makes every thread evaluate with a clone of `prototype` from now on, and clears the table and the histories.
    pub fn set_evaluator(&mut self, prototype: E) {
        self.memories.iter_mut().for_each(|memory| *memory = Memory::new(&prototype));
        self.prototype = prototype;
        self.needs_clearing = true;
    }

    /// Replaces the table by an empty one of `mebibytes` MiB.
    ///
    /// # Errors
    ///
    /// [`Refused`] if the system does not provide the memory. The table then stays as it is, because it is freed only when
    /// there is a new one. So if the size of address space is limited, both must fit in.
    pub fn resize(&mut self, mebibytes: usize) -> Result<(), Refused> {
        self.table = Table::new(mebibytes)?;
        self.needs_clearing = true;
        Ok(())
    }

    /// Does all work that would delay the start of the next search: starts the threads, and clears the table if it is new
    /// or if that was requested.
    ///
    /// # Errors
    ///
    /// [`FewerThreads`] if the system starts fewer threads than requested; the searcher then has only these.
    pub fn prepare(&mut self) -> Result<(), FewerThreads> {
        let wanted = self.memories.len();
        if self.threads.is_none() {
            self.threads = Threads::start(wanted, self.calling);
        }
        let started = self.threads.as_ref().map_or(0, Threads::count);
        self.memories.truncate(started.max(1));
        if self.needs_clearing {
            // More threads than cores would not be faster.
            let cores = available_parallelism().map_or(1, NonZero::get);
            self.table.clear(self.memories.len().min(cores));
            self.needs_clearing = false;
        }
        if started < wanted { Err(FewerThreads { started, wanted }) } else { Ok(()) }
    }

    /// Clears all state for a new game. [`prepare`](Self::prepare) or the next search clears the table.
    pub fn clear(&mut self) {
        self.needs_clearing = true;
        self.memories.iter_mut().for_each(Memory::clear);
    }

    /// The transposition table, for tests that examine the results of a search.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.table
    }

    /// Searches `position` until `limits` are reached or `stop` is raised, and reports to `observer` meanwhile.
    ///
    /// Returns as soon as the limits are reached, even if [`Limits::infinite`] or [`Limits::ponder`] is set: the caller
    /// delays the answer ([`Stop::wait`]). A root without legal moves (or with none that [`Limits::search_moves`]
    /// allows) is reported at depth 0 and has no best move.
    ///
    /// What is not ready is prepared first (see [`prepare`](Self::prepare)), however long that takes. If an evaluator panics,
    /// the search ends with the results so far.
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

    /// Like [`search`](Self::search), with `watcher` observing the leading thread from inside.
    pub fn search_watched(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: &Stop,
        settings: &Settings,
        observer: &mut (impl Observer + Send),
        watcher: impl Watcher,
    ) -> Outcome {
        let task = Task { position, limits, stop, settings };
        self.run(task, observer, watcher, |outcome, _| outcome)
    }

    /// Like [`search`](Self::search), but passes the outcome to `conclude` as soon as the limits are reached, and returns
    /// what that returns.
    ///
    /// Another thread of the search, which gets no core on a busy machine, may still need time to end then. This
    /// function, like [`search`](Self::search), returns when all threads have ended.
    pub fn search_then<O: Observer + Send, R: Send>(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: &Stop,
        settings: &Settings,
        observer: &mut O,
        conclude: impl FnOnce(Outcome, &mut O) -> R + Send,
    ) -> R {
        self.run(Task { position, limits, stop, settings }, observer, Unwatched, conclude)
    }

    fn run<O: Observer + Send, R: Send>(
        &mut self,
        task: Task<'_>,
        observer: &mut O,
        watcher: impl Watcher,
        conclude: impl FnOnce(Outcome, &mut O) -> R + Send,
    ) -> R {
        let Task { position, limits, stop, settings } = task;
        let mut clock = Clock::new(limits, position.ply(), settings.move_overhead);
        let mut moves = limits.root_moves(position);
        if moves.is_empty() {
            let outcome = nothing_to_play(position, observer);
            return conclude(outcome, observer);
        }
        if let Err(error) = self.prepare() {
            observer.problem(&error);
        }
        let mate = mate_limit::prove(position, &moves, &mut clock, stop);
        if let Some(mate) = &mate {
            if settings.multi_pv.min(moves.len()) == 1 {
                observer.iteration(mate);
                return conclude(outcome(&self.table, position, vec![mate.clone()]), observer);
            }
            moves.sort_by_key(|m| mate.pv.first() != Some(m));
        }
        self.table.new_search();
        let mut roots: Vec<_> = moves.iter().copied().map(Allowed::new).collect();
        let enough = || stop.is_stopped() || clock.out_of_time(stop);
        let asked = settings.tablebases.rank(position, &mut roots, &enough);
        let root = Root { position, moves: &roots, asked, multi_pv: settings.multi_pv };
        self.think(task, root, clock, observer, watcher, |mut lines, nodes, table, observer| {
            let is_better = |mate: &Report| lines.first().is_none_or(|first| first.value < mate.value);
            if let Some(mate) = mate.filter(is_better) {
                lines = mate_limit::put_first(mate, lines);
                lines.iter().for_each(|line| observer.iteration(line));
            }
            for problem in settings.tablebases.problems() {
                observer.problem(&problem);
            }
            let outcome =
                if lines.is_empty() { nothing_found(table, root) } else { outcome(table, position, lines) };
            conclude(Outcome { nodes, ..outcome }, observer)
        })
    }

    /// Runs all threads. `conclude` receives the final lines, which `observer` has received last, and the number of nodes
    /// visited.
    fn think<O: Observer + Send, R: Send>(
        &mut self,
        Task { stop, settings, .. }: Task<'_>,
        root: Root<'_>,
        clock: Clock,
        observer: &mut O,
        watcher: impl Watcher,
        conclude: impl FnOnce(Vec<Report>, u64, &Table, &mut O) -> R + Send,
    ) -> R {
        let table = &self.table;
        let Some(running) = &self.threads else {
            observer.problem(&"no thread for the search could be started, any legal move is played");
            return conclude(Vec::new(), 0, table, observer);
        };
        let threads = if settings.one_thread { 1 } else { self.memories.len() };
        let nodes = Nodes::new(clock.nodes, clock.solver_nodes, threads);
        let ended = CachePadded::new(AtomicBool::new(false));
        let shared = Shared {
            table,
            clock,
            stop,
            techniques: settings.techniques,
            tablebases: root.asked.in_tree,
            table_hits: CachePadded::new(root.asked.hits.into()),
            ended,
            nodes,
            ballot: Ballot::new(threads),
        };
        let mut reporter = Reporter::new(observer);
        let memories = &mut self.memories[..threads];
        let concluded =
            threads::run(running, &shared, memories, root, &mut reporter, watcher, |results, reporter| {
                let (lines, nodes) = reporter.decide(results, &shared);
                conclude(lines, nodes, table, reporter.observer())
            });
        for id in shared.ballot.panicked() {
            memories[id] = Memory::new(&self.prototype);
        }
        concluded
    }
}

/// What the caller asks for.
#[derive(Clone, Copy)]
struct Task<'t> {
    position: &'t Position,
    limits: &'t Limits,
    stop: &'t Stop,
    settings: &'t Settings,
}

/// Returns the move to play by `lines`.
fn outcome(table: &Table, position: &Position, lines: Vec<Report>) -> Outcome {
    let pv = lines.first().map_or(&[][..], |line| &line.pv);
    let best = pv.first().copied();
    let ponder = pv.get(1).copied().or_else(|| expected_reply(table, position, best));
    let nodes = lines.first().map_or(0, |line| line.nodes);
    Outcome { best, ponder, nodes, lines }
}

/// The outcome of a search without a result: the table move of an earlier search, or else any move.
fn nothing_found(table: &Table, root: Root<'_>) -> Outcome {
    let is_allowed = |m: &Move| root.moves.iter().any(|allowed| allowed.m == *m);
    let known = expected_move(table, root.position).filter(is_allowed);
    let known = known.filter(|_| root.moves.iter().all(|allowed| allowed.standing.is_none()));
    Outcome { best: known.or_else(|| root.moves.first().map(|allowed| allowed.m)), ..Outcome::default() }
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

/// The reply to `best` in the table, for a line that ends with `best`.
fn expected_reply(table: &Table, position: &Position, best: Option<Move>) -> Option<Move> {
    let mut position = position.clone();
    position.play(best?);
    expected_move(table, &position)
}

/// The table move of `position`.
fn expected_move(table: &Table, position: &Position) -> Option<Move> {
    let known = table.probe(position.table_key(), 1)?.m?;
    Legality::of(position).unpack(known)
}
