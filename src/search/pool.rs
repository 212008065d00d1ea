//! The state of a search that is kept between moves, and the start and end of a search.
//!
//! Lazy SMP: all threads search the same root and share only the transposition table. They diverge by chance, and each
//! uses the results of the others through the table. Thread 0 is the leader: it alone reports, and decides after each
//! iteration whether to continue. With one thread a search is deterministic.
//!
//! Reference: chessprogramming.org, "Lazy SMP".

use std::{
    fmt::Display, num::NonZero, sync::atomic::AtomicBool, thread::available_parallelism, time::Duration,
};

use crossbeam_utils::CachePadded;
use shakmaty::Move;

use super::{
    Limits, Observer, Outcome, Report, Stop, Tablebases, Techniques,
    clock::Clock,
    hash::Hash,
    mate_limit,
    nodes::Nodes,
    root::Allowed,
    shortage::{Fewer, Shortage},
    threads::{self, Root, Threads},
    vote,
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

    /// The transposition table, for tools and tests that examine the results of a search.
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
        let mut clock = Clock::new(limits, position.ply(), settings.move_overhead);
        let mut moves = limits.root_moves(position);
        if moves.is_empty() {
            return nothing_to_play(position, observer);
        }
        if let Err(error) = self.make_ready(&|| stop.is_stopped() || clock.has_prepared_enough(stop)) {
            observer.problem(&error);
        }
        let mate = mate_limit::prove(position, &moves, &mut clock, stop);
        if let Some(mate) = &mate {
            if settings.multi_pv.min(moves.len()) == 1 {
                observer.iteration(mate);
                return outcome(&self.hash.table, position, vec![mate.clone()]);
            }
            moves.sort_by_key(|m| mate.pv.first() != Some(m));
        }
        self.hash.table.new_search();
        let mut roots: Vec<_> = moves.iter().copied().map(Allowed::new).collect();
        let enough = || stop.is_stopped() || clock.out_of_time(stop);
        let asked = settings.tablebases.rank(position, &mut roots, &enough);
        let root = Root { position, moves: &roots, asked, multi_pv: settings.multi_pv };
        let (mut lines, nodes) = self.think(root, clock, stop, settings, observer, watcher);
        let is_better = |mate: &Report| lines.first().is_none_or(|first| first.value < mate.value);
        if let Some(mate) = mate.filter(is_better) {
            lines = mate_limit::put_first(mate, lines);
            lines.iter().for_each(|line| observer.iteration(line));
        }
        for problem in settings.tablebases.problems() {
            observer.problem(&problem);
        }
        if lines.is_empty() {
            let known = expected_move(&self.hash.table, position).filter(|m| moves.contains(m));
            let known = known.filter(|_| roots.iter().all(|root| root.standing.is_none()));
            let best = known.or_else(|| roots.first().map(|root| root.m));
            return Outcome { best, nodes, ..Outcome::default() };
        }
        Outcome { nodes, ..outcome(&self.hash.table, position, lines) }
    }

    /// Runs all threads. Returns the final lines, which `observer` has received last, and the number of nodes visited.
    fn think(
        &mut self,
        root: Root<'_>,
        clock: Clock,
        stop: &Stop,
        settings: &Settings,
        observer: &mut (impl Observer + Send),
        watcher: impl Watcher,
    ) -> (Vec<Report>, u64) {
        let Some(running) = &self.threads else {
            observer.problem(&"no thread for the search could be started, any legal move is played");
            return (Vec::new(), 0);
        };
        // They may be fewer than requested.
        let running_threads = running.count().min(self.memories.len());
        let threads = if settings.one_thread { 1 } else { running_threads };
        let nodes = Nodes::new(clock.nodes, clock.solver_nodes, threads);
        let ended = CachePadded::new(AtomicBool::new(false));
        let shared = Shared {
            table: &self.hash.table,
            clock,
            stop,
            techniques: settings.techniques,
            tablebases: root.asked.in_tree,
            table_hits: CachePadded::new(root.asked.hits.into()),
            ended,
            nodes,
        };
        let mut reporter = Reporter { observer, last: None };
        let memories = &mut self.memories[..threads];
        let mut results = threads::run(running, &shared, memories, root, &mut reporter, watcher);
        for (memory, _) in memories.iter_mut().zip(&results).filter(|(_, result)| result.panic.is_some()) {
            *memory = Memory::new(&self.prototype);
        }
        if let Some(panic) = results.iter().find_map(|result| result.panic.as_ref()) {
            reporter.problem(&format_args!("the search failed ({panic}), the best answer so far is played"));
        }
        let chosen = vote::choose(&results);
        let mut lines = chosen.map(|chosen| results.swap_remove(chosen).lines).unwrap_or_default();
        reporter.report_final(&mut lines, &shared);
        (lines, shared.total_nodes())
    }
}

/// Forwards reports to an observer and stores the last report of the best line.
struct Reporter<'o, O> {
    observer: &'o mut O,
    last: Option<Report>,
}

impl<O: Observer> Reporter<'_, O> {
    /// Reports `lines`, with current totals, unless the last reports agree with them. Other lines are reported with the depth
    /// of the first one. The last report of the first line is always of an exact value, because observers expect that: if it
    /// is a bound, all lines are reported once more, the first one as if it were exact.
    fn report_final(&mut self, lines: &mut [Report], shared: &Shared<'_>) {
        let key = |line: &Report| (line.pv.first().copied(), line.value, line.bound, line.depth);
        let nodes = shared.total_nodes();
        // The reported depth never decreases. The line of another thread may come from a smaller depth than the last report.
        if let (Some(last), Some(first)) = (&self.last, lines.first_mut()) {
            first.depth = first.depth.max(last.depth);
        }
        let Some(first) = lines.first() else { return };
        let (depth, bound) = (first.depth, first.bound);
        let told = |last: &Report| key(first) == key(last) && last.nodes == nodes;
        let is_told = self.last.as_ref().is_some_and(told);
        if is_told && bound == Bound::Exact {
            return;
        }
        shared.put_totals(lines);
        if !is_told {
            for line in &*lines {
                self.observer.iteration(&Report { depth, ..line.clone() });
            }
        }
        if bound != Bound::Exact {
            for line in lines {
                let bound = if line.multi_pv == 1 { Bound::Exact } else { line.bound };
                self.observer.iteration(&Report { depth, bound, ..line.clone() });
            }
        }
    }
}

impl<O: Observer> Observer for Reporter<'_, O> {
    fn iteration(&mut self, report: &Report) {
        if report.multi_pv == 1 {
            self.last = Some(report.clone());
        }
        self.observer.iteration(report);
    }

    fn current_move(&mut self, depth: u32, m: Move, number: usize) {
        self.observer.current_move(depth, m, number);
    }

    fn problem(&mut self, problem: &dyn Display) {
        self.observer.problem(problem);
    }
}

/// Returns the move to play by `lines`.
fn outcome(table: &Table, position: &Position, lines: Vec<Report>) -> Outcome {
    let pv = lines.first().map_or(&[][..], |line| &line.pv);
    let best = pv.first().copied();
    let ponder = pv.get(1).copied().or_else(|| expected_reply(table, position, best));
    let nodes = lines.first().map_or(0, |line| line.nodes);
    Outcome { best, ponder, nodes, lines }
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
