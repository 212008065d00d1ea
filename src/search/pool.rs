//! What a search keeps from one move to the next, and how a search begins and ends.
//!
//! Lazy SMP: all threads search the same root and share nothing but the transposition table. They drift apart by
//! chance, and what one finds the others meet in the table. Thread 0 leads: it alone reports, and decides after each iteration
//! whether to go on. With one thread a search is deterministic.
//!
//! Reference: chessprogramming.org, "Lazy SMP".

use std::{fmt::Display, mem, sync::atomic::AtomicBool, time::Duration};

use crossbeam_utils::CachePadded;
use shakmaty::Move;

use super::{
    Limits, Observer, Outcome, Report, Stop, Tablebases, Techniques,
    clock::Clock,
    hash::{Hash, Refused},
    mate::{Proof, Solver},
    nodes::Nodes,
    root::Allowed,
    threads::{self, Root, Threads},
    vote,
    watcher::{Unwatched, Watcher},
    worker::{Memory, Shared},
};
use crate::{
    eval::Evaluator,
    position::{Legality, Position},
    tt::{Bound, Table},
    value::{DRAW, mate_in, mated_in},
};

/// The most nodes the mate solver may use before the ordinary search takes over.
const MATE_SOLVER_NODES: u64 = 500_000;

/// What stays the same from move to move of a game: the caller's settings of the search.
#[derive(Clone, Debug)]
pub struct Settings {
    /// How many lines to report (at least 1).
    pub multi_pv: usize,
    /// Time to keep back on every move for whatever lies between engine and referee.
    pub move_overhead: Duration,
    /// The techniques to search with.
    pub techniques: Techniques,
    /// The endgame tables.
    pub tablebases: Tablebases,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            techniques: Techniques::ALL,
            tablebases: Tablebases::default(),
        }
    }
}

/// Everything a search keeps from one move to the next: the transposition table, and the threads with what each remembers.
#[derive(Debug)]
pub struct Searcher<E> {
    hash: Hash,
    memories: Vec<Memory<E>>,
    /// Where searches run; `None` before the first one.
    threads: Option<Threads>,
    /// Whether the thread that asks for a search leads it.
    calling: bool,
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
        let memories = vec![Memory::new(&prototype)];
        Self { hash: Hash::new(hash), memories, threads: None, calling: false, prototype }
    }

    /// Sets the number of threads (at least 1). They are started when they are first needed.
    pub fn set_threads(&mut self, threads: usize) {
        let prototype = &self.prototype;
        self.memories.resize_with(threads.max(1), || Memory::new(prototype));
        self.threads = None;
    }

    /// Lets the thread that asks for a search lead it, which must have a stack of [`STACK`](super::STACK) bytes. That spares
    /// handing the search over and its answer back: 18 to 20 % more games of self-play at 100 nodes a move.
    pub fn lead_on_calling_thread(&mut self) {
        self.calling = true;
        self.threads = None;
    }

    /// Lets every thread evaluate with a clone of `prototype` from now on. What was learnt with the evaluator before is
    /// forgotten.
    pub fn set_evaluator(&mut self, prototype: E) {
        self.memories.iter_mut().for_each(|memory| *memory = Memory::new(&prototype));
        self.prototype = prototype;
        self.hash.table.clear();
    }

    /// Asks for a table of another size, in MiB; it is made by [`prepare`](Self::prepare) or the next search. What the table
    /// holds is lost then.
    pub fn resize(&mut self, mebibytes: usize) {
        self.hash.resize(mebibytes);
    }

    /// Makes the table if there is none of the size asked for, has the system provide all its memory, clears it if that has
    /// been asked for, and starts the threads: all that would keep the next search from beginning at once. What is not done
    /// when `stop` is raised is left for the next call or search.
    ///
    /// # Errors
    ///
    /// [`Refused`] if there is not enough memory for the table; the searcher goes on with an empty one of the size it had
    /// before, if there is memory for that, or else with the smallest there is.
    pub fn prepare(&mut self, stop: &Stop) -> Result<(), Refused> {
        self.make_ready(&|| stop.is_stopped())
    }

    fn make_ready(&mut self, enough: &(dyn Fn() -> bool + Sync)) -> Result<(), Refused> {
        let made = self.hash.make(enough);
        self.hash.table.prepare(self.memories.len(), enough);
        if self.threads.is_none() {
            self.threads = Threads::start(self.memories.len(), self.calling);
        }
        made
    }

    /// Forgets everything: a new game. The table is cleared by [`prepare`](Self::prepare) or the next search.
    pub fn clear(&mut self) {
        self.hash.table.clear();
        self.memories.iter_mut().for_each(Memory::clear);
    }

    /// The transposition table, for tools and tests that want to see what a search has learnt.
    #[must_use]
    pub fn table(&self) -> &Table {
        &self.hash.table
    }

    /// Searches `position` within `limits` until they are reached or `stop` is raised, telling `observer` on the way.
    ///
    /// Returns as soon as the limits are reached, even when [`Limits::infinite`] or [`Limits::ponder`] is set: to hold
    /// the answer back ([`Stop::wait`]) is the caller's business. A root without legal moves (or with none that
    /// [`Limits::search_moves`] allows) is reported at depth 0 and has no best move.
    ///
    /// Memory that is not ready yet (see [`prepare`](Self::prepare)) is got ready first, but with limits of time in no more than a
    /// quarter of it, and no further than to `stop`; the table is then as large as what is ready. An evaluator that panics ends
    /// the search with what has been found so far.
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
        let mut moves = position.legal_moves();
        moves.retain(|m| limits.search_moves.is_empty() || limits.search_moves.contains(m));
        if moves.is_empty() {
            return nothing_to_play(position, observer);
        }
        if let Err(error) = self.make_ready(&|| stop.is_stopped() || clock.has_prepared_enough(stop)) {
            observer.problem(&error);
        }
        if settings.multi_pv == 1
            && let Some(report) = prove_mate(position, &moves, &mut clock, stop)
        {
            observer.iteration(&report);
            return outcome(&self.hash.table, position, vec![report]);
        }
        self.hash.table.new_search();
        let mut roots: Vec<_> = moves.iter().copied().map(Allowed::new).collect();
        let enough = || stop.is_stopped() || clock.out_of_time(stop);
        let asked = settings.tablebases.rank(position, &mut roots, &enough);
        let root = Root { position, moves: &roots, asked, multi_pv: settings.multi_pv };
        let (lines, nodes) = self.think(root, clock, stop, settings.techniques, observer, watcher);
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

    /// Lets all threads search, and returns the lines to play by, of which `observer` has heard last, and the nodes visited.
    fn think(
        &mut self,
        root: Root<'_>,
        clock: Clock,
        stop: &Stop,
        techniques: Techniques,
        observer: &mut (impl Observer + Send),
        watcher: impl Watcher,
    ) -> (Vec<Report>, u64) {
        let Some(running) = &self.threads else {
            observer.problem(&"no thread for the search could be started, any move is played");
            return (Vec::new(), 0);
        };
        // The system may have refused to start more.
        let threads = running.count().min(self.memories.len());
        let nodes = Nodes::new(clock.nodes, clock.solver_nodes, threads);
        let ended = CachePadded::new(AtomicBool::new(false));
        let shared = Shared {
            table: &self.hash.table,
            clock,
            stop,
            techniques,
            tablebases: root.asked.in_tree,
            table_hits: CachePadded::new(root.asked.hits.into()),
            ended,
            nodes,
        };
        let mut heard = Heard { observer, last: None };
        let memories = &mut self.memories[..threads];
        let mut words = threads::run(running, &shared, memories, root, &mut heard, watcher);
        for (memory, _) in memories.iter_mut().zip(&words).filter(|(_, word)| word.panic.is_some()) {
            *memory = Memory::new(&self.prototype);
        }
        if let Some(panic) = words.iter().find_map(|word| word.panic.as_ref()) {
            heard.problem(&format_args!("the search failed ({panic}), the best answer so far is played"));
        }
        let mut lines: Vec<_> = words.iter_mut().map(|word| mem::take(&mut word.lines)).collect();
        let mut lines = vote::choose(&lines).map(|chosen| lines.swap_remove(chosen)).unwrap_or_default();
        heard.make_last(&mut lines, &shared);
        (lines, shared.total_nodes())
    }
}

/// Passes on what an observer is told, and remembers what the best line was when that was reported last.
struct Heard<'o, O> {
    observer: &'o mut O,
    last: Option<Report>,
}

impl<O: Observer> Heard<'_, O> {
    /// Tells of `lines`, as of now, if what was reported last is not what they begin with; of the first alone if only nodes
    /// have come to it since.
    fn make_last(&mut self, lines: &mut [Report], shared: &Shared<'_>) {
        let key = |line: &Report| (line.pv.first().copied(), line.value, line.bound, line.depth);
        let nodes = shared.total_nodes();
        let untold = match &self.last {
            Some(last) if lines.first().map(key) == Some(key(last)) => usize::from(last.nodes < nodes),
            _ => lines.len(),
        };
        for line in &mut lines[..untold] {
            line.nodes = nodes;
            line.time = shared.clock.elapsed();
            line.hashfull = shared.table.hashfull();
            line.tb_hits = shared.total_table_hits();
            self.observer.iteration(line);
        }
    }
}

impl<O: Observer> Observer for Heard<'_, O> {
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

/// What to play by `lines`.
fn outcome(table: &Table, position: &Position, lines: Vec<Report>) -> Outcome {
    let pv = lines.first().map_or(&[][..], |line| &line.pv);
    let best = pv.first().copied();
    let ponder = pv.get(1).copied().or_else(|| expected_reply(table, position, best));
    let nodes = lines.first().map_or(0, |line| line.nodes);
    Outcome { best, ponder, nodes, lines }
}

/// Lets the mate solver try first, if a mate is asked for. If it fails, the nodes it has used are taken from the limits. If it
/// has shown that there is no mate to be found, the ordinary search need not go on for ever: only deep enough to find a
/// move, or that it is the side to move that is mated.
fn prove_mate(position: &Position, moves: &[Move], clock: &mut Clock, stop: &Stop) -> Option<Report> {
    let asked = clock.mate?;
    // A limit of depth says how far ahead to look at most; the solver heeds it too.
    let wanted = asked.min(clock.depth.div_ceil(2));
    let budget = (clock.nodes / 3).min(MATE_SOLVER_NODES);
    let (verdict, nodes) = Solver::new(position, moves, clock, stop, budget).solve(wanted);
    match verdict {
        Proof::Mate(pv) => Some(Report {
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
            clock.solver_nodes = nodes;
            if verdict == Proof::None {
                clock.depth = clock.depth.min(4 * asked + 4);
            }
            None
        }
    }
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
    expected_move(table, &position)
}

/// The move that the table knows for `position`.
fn expected_move(table: &Table, position: &Position) -> Option<Move> {
    let known = table.probe(position.key(), 1)?.m?;
    Legality::of(position).unpack(known)
}
