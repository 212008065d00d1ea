//! The state of a search that is kept between moves, and the start and end of a search.
//!
//! Lazy SMP: all threads search the same root and share only the transposition table. They diverge by chance,
//! and each uses the results of the others through the table. Thread 0 is the leader: it alone reports, and
//! decides after each iteration whether to continue. When all threads have ended, they vote for the line to
//! play. With one thread a search is deterministic.
//!
//! Reference: chessprogramming.org, "Lazy SMP".

use std::{num::NonZero, thread::available_parallelism, time::Duration};

use crossbeam_utils::CachePadded;
use shakmaty::Move;

use super::{
    Limits, Observer, Outcome, Report, Stop, Tablebases, Techniques,
    clock::Clock,
    limits::Nodes,
    root_moves::{RootPosition, expected_move},
    tablebase::RankedMove,
    threads::{FewerThreads, Threads},
    vote,
    watcher::{Unwatched, Watcher},
    worker::{Memory, Shared},
};
use crate::{
    chess::{
        position::{Legality, Position},
        value::{DRAW, mated_in},
    },
    engine::{
        eval::Evaluator,
        tt::{Refused, Table},
    },
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
    /// The evaluator that each thread clones.
    prototype: E,
}

impl<E: Evaluator + Default> Searcher<E> {
    /// Returns a searcher with one thread, the default evaluator, and a table as
    /// [`with_evaluator`](Self::with_evaluator) makes it.
    #[must_use]
    pub fn new(hash: usize) -> Self {
        Self::with_evaluator(hash, E::default())
    }
}

impl<E: Evaluator> Searcher<E> {
    /// Returns a searcher with one thread and a table of `hash` MiB, or the smallest table if the system
    /// refuses that one. Each thread evaluates with a clone of `prototype`.
    #[must_use]
    pub fn with_evaluator(hash: usize, prototype: E) -> Self {
        let memories = vec![Memory::new(&prototype)];
        let table = Table::new(hash).unwrap_or_default();
        Self { table, needs_clearing: true, memories, threads: None, prototype }
    }

    /// Sets the number of threads (at least 1). They are started when first needed.
    pub fn set_threads(&mut self, threads: usize) {
        let prototype = &self.prototype;
        self.memories.resize_with(threads.max(1), || Memory::new(prototype));
        self.threads = None;
    }

    /// Makes every thread evaluate with a clone of `prototype` from now on, and clears the table and the
    /// histories.
    pub fn set_evaluator(&mut self, prototype: E) {
        self.memories.iter_mut().for_each(|memory| *memory = Memory::new(&prototype));
        self.prototype = prototype;
        self.needs_clearing = true;
    }

    /// Makes good for a search that has panicked: replaces what it may have left half done.
    pub fn renew(&mut self) {
        self.set_evaluator(self.prototype.clone());
    }

    /// Replaces the table by an empty one of `mebibytes` MiB.
    ///
    /// # Errors
    ///
    /// [`Refused`] if the system does not provide the memory. The table then stays as it is, because it is
    /// freed only when there is a new one. Where the address space is limited, both must fit into it.
    pub fn resize(&mut self, mebibytes: usize) -> Result<(), Refused> {
        self.table = Table::new(mebibytes)?;
        self.needs_clearing = true;
        Ok(())
    }

    /// Does all work that would delay the start of the next search: starts the threads, and clears the table
    /// if it is new or if that was requested. What is not cleared when `stop` is raised is cleared before the
    /// next search.
    ///
    /// # Errors
    ///
    /// [`FewerThreads`] if the system starts fewer threads than requested; the searcher then has only these.
    pub fn prepare(&mut self, stop: &Stop) -> Result<(), FewerThreads> {
        let wanted = self.memories.len();
        let started = self.threads.get_or_insert_with(|| Threads::start(wanted)).count();
        self.memories.truncate(started);
        if self.needs_clearing {
            // More threads than cores would not be faster.
            let cores = available_parallelism().map_or(1, NonZero::get);
            let threads = self.memories.len().min(cores);
            self.needs_clearing = !self.table.clear(threads, &|| stop.is_stopped());
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

    /// Searches `position` until `limits` are reached or `stop` is raised, and reports to `observer`
    /// meanwhile. The calling thread leads the search; a stack of [`STACK`](super::STACK) bytes is always
    /// enough.
    ///
    /// Returns as soon as the limits are reached, even if [`Limits::infinite`] or [`Limits::ponder`] is set:
    /// the caller delays the answer ([`Stop::wait`]). A root without legal moves (or with none that
    /// [`Limits::search_moves`] allows) is reported at depth 0 and has no best move.
    ///
    /// What is not ready is prepared first (see [`prepare`](Self::prepare)), whatever the limits of time. If
    /// an evaluator panics, all threads end, and the panic goes on to the caller.
    pub fn search(
        &mut self,
        position: &Position,
        limits: &Limits,
        stop: &Stop,
        settings: &Settings,
        observer: &mut dyn Observer,
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
        observer: &mut dyn Observer,
        watcher: impl Watcher,
    ) -> Outcome {
        let clock = Clock::new(limits, position.ply(), settings.move_overhead);
        let moves = limits.root_moves(position);
        if moves.is_empty() {
            return nothing_to_play(position, observer);
        }
        if let Err(error) = self.prepare(stop) {
            observer.problem(&error);
        }
        let mut moves: Vec<_> = moves.into_iter().map(RankedMove::new).collect();
        let must_end = || stop.is_stopped() || clock.out_of_time(stop);
        let probe = settings.tablebases.rank(position, &mut moves, &must_end);
        // A mate that is asked for must not be overlooked.
        let all = settings.techniques;
        let techniques = if limits.mate.is_some() { all.without_pruning() } else { all };
        self.table.new_search();
        let threads = self.threads.as_ref().expect("they were started above");
        let count = if settings.one_thread { 1 } else { self.memories.len() };
        let shared = Shared {
            table: &self.table,
            nodes: Nodes::new(clock.nodes, count),
            clock,
            stop,
            techniques,
            tablebases: probe.in_tree,
            table_hits: CachePadded::new(probe.hits.into()),
            ended: CachePadded::default(),
        };
        let memories = &mut self.memories[..count];
        let root = RootPosition { position, moves: &moves, multi_pv: settings.multi_pv };
        let mut results = threads.run(&shared, memories, root, observer, watcher);
        let last = results[0].reported.take();
        let mut lines = vote::choose(results);
        report_final(&mut lines, last.as_ref(), &shared, observer);
        for problem in settings.tablebases.problems() {
            observer.problem(&problem);
        }
        let outcome = outcome(shared.table, position, lines);
        let best = outcome.best.or_else(|| moves.first().map(|allowed| allowed.m));
        Outcome { best, nodes: shared.total_nodes(), ..outcome }
    }
}

/// Reports the final `lines`, with current totals and the depth of the first one, unless the report `last`
/// says the same. Later lines may come from a smaller depth, but the reported depth never decreases.
fn report_final(
    lines: &mut [Report],
    last: Option<&Report>,
    shared: &Shared<'_>,
    observer: &mut dyn Observer,
) {
    let Some(first) = lines.first_mut() else { return };
    first.depth = first.depth.max(last.map_or(0, |last| last.depth));
    let (depth, nodes) = (first.depth, shared.total_nodes());
    let key = |line: &Report| (line.pv.first().copied(), line.value, line.bound, line.depth);
    if last.is_none_or(|last| key(first) != key(last) || last.nodes != nodes) {
        shared.put_totals(lines);
        for line in lines {
            observer.iteration(&Report { depth, ..line.clone() });
        }
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

fn nothing_to_play(position: &Position, observer: &mut dyn Observer) -> Outcome {
    let mated = position.is_check() && !Legality::of(position).any_move();
    let report = Report::new(0, if mated { mated_in(0) } else { DRAW }, Vec::new());
    observer.iteration(&report);
    Outcome { lines: vec![report], ..Outcome::default() }
}

/// The reply to `best` in the table, for a line that ends with `best`.
fn expected_reply(table: &Table, position: &Position, best: Option<Move>) -> Option<Move> {
    let mut position = position.clone();
    position.play(best?);
    expected_move(table, &position)
}
