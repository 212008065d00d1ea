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
    hash::Hash,
    mate_limit,
    nodes::Nodes,
    reporter::Reporter,
    root::Allowed,
    shortage::{Fewer, Shortage},
    threads::{self, Root, Threads},
    watcher::{Unwatched, Watcher},
    worker::{Memory, Shared},
};
use crate::{
    eval::Evaluator,
    position::{Legality, Position},
    tt::{Bound, Table},
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
    hash: Hash,
    memories: Vec<Memory<E>>,
    /// The threads of the search; `None` before the first one.
    threads: Option<Threads>,
    /// Whether the calling thread leads the search.
    calling: bool,
    /// The evaluator that each thread clones.
    prototype: E,
}

impl<E: Evaluator + Default> Searcher<E> {
    /// Returns a searcher with one thread, the default evaluator, and a table of `hash` MiB, which is allocated when
    /// first needed.
    #[must_use]
    pub fn new(hash: usize) -> Self {
        Self::with_evaluator(hash, E::default())
    }
}

impl<E: Evaluator> Searcher<E> {
    /// Returns a searcher with one thread and a table of `hash` MiB, which is allocated when first needed. Each thread
    /// evaluates with a clone of `prototype`.
    #[must_use]
    pub fn with_evaluator(hash: usize, prototype: E) -> Self {
        let memories = vec![Memory::new(&prototype)];
        Self { hash: Hash::new(hash), memories, threads: None, calling: false, prototype }
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
        self.hash.table.clear();
    }

    /// Requests a table of another size, in MiB. [`prepare`](Self::prepare) or the next search makes it; the entries of
    /// the old one are then lost.
    pub fn resize(&mut self, mebibytes: usize) {
        self.hash.resize(mebibytes);
    }

    /// Does all work that would delay the start of the next search. It makes a table of the requested size, backs it
    /// with memory, clears it if requested, and starts the threads. Work that is not done when `stop` is raised remains
    /// for the next call or search.
    ///
    /// # Errors
    ///
    /// [`Shortage`] if there is not enough memory for the table, or if the system starts fewer threads. The searcher
    /// then has an empty table of its previous size, if there is memory for that, and otherwise the smallest one. It
    /// searches with the threads that were started.
    pub fn prepare(&mut self, stop: &Stop) -> Result<(), Shortage> {
        self.make_ready(&|| stop.is_stopped())
    }

    fn make_ready(&mut self, enough: &(dyn Fn() -> bool + Sync)) -> Result<(), Shortage> {
        let made = self.hash.make(enough);
        let wanted = self.memories.len();
        if !self.hash.table.is_ready() {
            // More threads would not be faster, and may each reserve memory (glibc: 64 MiB) that the search then lacks.
            let cores = available_parallelism().map_or(1, NonZero::get);
            self.hash.table.prepare(wanted.min(cores), enough);
        }
        let mut fewer = None;
        if self.threads.is_none() {
            self.threads = Threads::start(wanted, self.calling);
            let started = self.threads.as_ref().map_or(0, Threads::count);
            fewer = (started < wanted).then_some(Fewer { started, wanted });
        }
        Shortage::check(made, fewer)
    }

    /// Clears all state for a new game. [`prepare`](Self::prepare) or the next search clears the table.
    pub fn clear(&mut self) {
        self.hash.table.clear();
        self.memories.iter_mut().for_each(Memory::clear);
    }

    /// The transposition table, for tests that examine the results of a search.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.hash.table
    }

    /// Searches `position` until `limits` are reached or `stop` is raised, and reports to `observer` meanwhile.
    ///
    /// Returns as soon as the limits are reached, even if [`Limits::infinite`] or [`Limits::ponder`] is set: the caller
    /// delays the answer ([`Stop::wait`]). A root without legal moves (or with none that [`Limits::search_moves`]
    /// allows) is reported at depth 0 and has no best move.
    ///
    /// Memory that is not ready (see [`prepare`](Self::prepare)) is prepared first. With limits of time this takes at
    /// most a quarter of the time, and it ends when `stop` is raised; the table then uses the part that is ready. If an
    /// evaluator panics, the search ends with the results so far.
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
        if let Err(error) = self.make_ready(&|| stop.is_stopped() || clock.has_prepared_enough(stop)) {
            observer.problem(&error);
        }
        let mate = mate_limit::prove(position, &moves, &mut clock, stop);
        if let Some(mate) = &mate {
            if settings.multi_pv.min(moves.len()) == 1 {
                observer.iteration(mate);
                return conclude(outcome(&self.hash.table, position, vec![mate.clone()]), observer);
            }
            moves.sort_by_key(|m| mate.pv.first() != Some(m));
        }
        self.hash.table.new_search();
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
        let table = &self.hash.table;
        let Some(running) = &self.threads else {
            observer.problem(&"no thread for the search could be started, any legal move is played");
            return conclude(Vec::new(), 0, table, observer);
        };
        // They may be fewer than requested.
        let running_threads = running.count().min(self.memories.len());
        let threads = if settings.one_thread { 1 } else { running_threads };
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
