//! One thread of a search: its position, evaluator and memory, and the functions that make and unmake moves
//! on all of them.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crossbeam_utils::CachePadded;

use shakmaty::Move;

use super::{
    Observer, Report, Stop, Techniques,
    clock::Clock,
    correction::CorrectionHistory,
    history::{Context, Histories, PawnSlot},
    history_value::{MoveRow, RecentMoves},
    limits::Nodes,
    node::{self, Frame, Frames, MovesPlayed, Variations},
    picker::Moves,
    root_moves::{RootMoves, RootPosition},
    tablebase::InTree,
    watcher::Watcher,
};
use crate::{
    chess::{
        position::{Delta, Position, is_tactical},
        value::MAX_PLY,
    },
    engine::{
        eval::Evaluator,
        tt::{Entry, Table},
    },
};

/// After this many nodes a stop also ends the first iteration of the leading thread. Before, only a limit of
/// nodes ends it.
const FIRST_ITERATION_NODES: u64 = 10_000;

/// The data that the threads of one search share.
pub(super) struct Shared<'s> {
    pub(super) table: &'s Table,
    pub(super) clock: Clock,
    pub(super) stop: &'s Stop,
    pub(super) techniques: Techniques,
    pub(super) tablebases: InTree<'s>,
    /// The number of positions found in the endgame tables.
    pub(super) table_hits: CachePadded<AtomicU64>,
    /// Raised when the search ends for any reason; [`Stop`] belongs to the caller and is only read.
    pub(super) ended: CachePadded<AtomicBool>,
    pub(super) nodes: Nodes,
}

impl Shared<'_> {
    /// The nodes of all threads, as last published.
    pub(super) fn total_nodes(&self) -> u64 {
        self.nodes.total()
    }

    pub(super) fn count_table_hit(&self) {
        self.table_hits.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn total_table_hits(&self) -> u64 {
        self.table_hits.load(Ordering::Relaxed)
    }

    /// Puts the current totals of the whole search into `lines`: the same into all, so that they neither run
    /// backwards nor depend on the order in which the lines are reported.
    pub(super) fn put_totals(&self, lines: &mut [Report]) {
        let (nodes, time) = (self.total_nodes(), self.clock.elapsed());
        let (hashfull, tb_hits) = (self.table.hashfull(), self.total_table_hits());
        for line in lines {
            (line.nodes, line.time, line.hashfull, line.tb_hits) = (nodes, time, hashfull, tb_hits);
        }
    }

    pub(super) fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }

    /// Whether the search must end, because a thread has ended it, by a stop, or by the clock.
    pub(super) fn must_end(&self) -> bool {
        if self.stop.is_stopped() || self.clock.out_of_time(self.stop) {
            self.end();
        }
        self.has_ended()
    }

    fn has_ended(&self) -> bool {
        self.ended.load(Ordering::Relaxed)
    }
}

/// The state that one thread keeps between searches. It exists until the number of threads changes.
#[derive(Debug)]
pub(super) struct Memory<E> {
    evaluator: E,
    histories: Histories,
    correction_history: CorrectionHistory,
    /// The frames of the current line, and the moves of its nodes: reused only because their allocation is
    /// slow.
    frames: Box<Frames>,
    played: MovesPlayed,
    variations: Variations,
    moves: Moves,
}

impl<E: Evaluator> Memory<E> {
    /// Returns the memory of a new thread. Every thread gets its evaluator here: a clone of `prototype`.
    pub(super) fn new(prototype: &E) -> Self {
        Self {
            evaluator: prototype.clone(),
            histories: Histories::default(),
            correction_history: CorrectionHistory::default(),
            frames: node::stack(),
            played: MovesPlayed::default(),
            variations: Variations::default(),
            moves: Moves::with_capacity(64 * MAX_PLY),
        }
    }

    /// Clears the histories of earlier searches.
    pub(super) fn clear(&mut self) {
        self.histories = Histories::default();
        self.correction_history = CorrectionHistory::default();
    }
}

/// One thread of a search; see the module documentation.
pub(super) struct Worker<'s, E, W> {
    pub(super) shared: &'s Shared<'s>,
    /// A copy of those of `shared`: every node reads them.
    pub(super) techniques: Techniques,
    /// The number of this thread; thread 0 leads the search.
    pub(super) id: usize,
    pub(super) position: Position,
    pub(super) evaluator: &'s mut E,
    pub(super) watcher: W,
    /// Who hears of iterations; nobody if this thread does not lead.
    pub(super) observer: &'s mut dyn Observer,
    pub(super) root_moves: RootMoves,
    pub(super) histories: &'s mut Histories,
    pub(super) correction_history: &'s mut CorrectionHistory,
    pub(super) frames: &'s mut Frames,
    pub(super) played: &'s mut MovesPlayed,
    pub(super) variations: &'s mut Variations,
    pub(super) moves: &'s mut Moves,
    /// Nodes visited by this thread.
    pub(super) nodes: u64,
    next_poll: u64,
    /// The longest line of this iteration, in plies.
    pub(super) seldepth: usize,
    /// The number of completed iterations.
    pub(super) completed: u32,
    /// The ply from which on null moves are tried: more than 0 only while a null-move cut-off is verified.
    pub(super) null_move_from: usize,
    /// The count of nodes from which on the current quiescence search takes no more pieces.
    pub(super) quiescence_end: u64,
    /// Whether the search is over for this thread; values returned then are meaningless.
    pub(super) aborted: bool,
}

impl<'s, E: Evaluator, W: Watcher> Worker<'s, E, W> {
    /// Returns thread `id` of a search, with `claim` nodes to visit; with none it does nothing.
    pub(super) fn new(
        shared: &'s Shared<'s>,
        id: usize,
        claim: u64,
        root: RootPosition<'_>,
        memory: &'s mut Memory<E>,
        observer: &'s mut dyn Observer,
        watcher: W,
    ) -> Self {
        let Memory { evaluator, histories, correction_history, frames, played, variations, moves } = memory;
        evaluator.reset(root.position);
        histories.techniques = shared.techniques;
        frames.iter_mut().for_each(Frame::reset);
        *played = MovesPlayed::default();
        moves.clear();
        Self {
            shared,
            techniques: shared.techniques,
            id,
            position: root.position.clone(),
            evaluator,
            watcher,
            observer,
            root_moves: RootMoves::new(root),
            histories,
            correction_history,
            frames,
            played,
            variations,
            moves,
            nodes: 0,
            next_poll: claim,
            seldepth: 0,
            completed: 0,
            null_move_from: 0,
            quiescence_end: 0,
            aborted: claim == 0,
        }
    }
}

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// Prefetches what the table may know of the position after `m`. To be called before
    /// [`make`](Self::make), as soon as `m` is likely to be made: the entry comes while the search decides
    /// how deeply to search `m`, and while the move is made.
    pub(super) fn prefetch(&self, m: Move) {
        let delta = Delta::of(self.position.turn(), m);
        self.shared.table.prefetch(self.position.table_key_after(&delta));
    }

    /// Plays `m` at `ply` on position, evaluator, frame and node count.
    pub(super) fn make(&mut self, ply: usize, m: Move) {
        self.frames[ply].quiet = (!is_tactical(m)).then_some(m);
        self.played.set(ply, MoveRow::new(self.position.turn(), m));
        let delta = self.position.play(m);
        self.correction_history.prefetch(&self.position, self.recent(ply + 1));
        self.evaluator.push(&self.position, &delta);
        self.watcher.make(Some(m));
        self.count_node();
    }

    #[inline]
    pub(super) fn unmake(&mut self) {
        self.position.undo();
        self.evaluator.pop();
        self.watcher.unmake();
    }

    /// Plays a null move at `ply`; in check it does nothing and returns false.
    pub(super) fn make_null(&mut self, ply: usize) -> bool {
        self.shared.table.prefetch(self.position.table_key_after_null());
        let passed = self.position.play_null();
        if passed {
            self.played.set(ply, MoveRow::default());
            self.frames[ply].quiet = None;
            self.evaluator.push_null(&self.position);
            self.watcher.make(None);
            self.count_node();
        }
        passed
    }

    /// The moves that led to the node at `ply`.
    #[inline]
    pub(super) fn recent(&self, ply: usize) -> RecentMoves {
        self.played.before(ply)
    }

    /// What the histories of the quiet moves of the current position, at `ply`, depend on.
    #[inline]
    pub(super) fn context(&mut self, ply: usize) -> Context {
        if let Some(context) = self.frames[ply].context {
            return context;
        }
        let context = Context {
            recent: self.recent(ply),
            threats: self.position.threats(),
            pawns: PawnSlot::new(self.position.pawn_key()),
        };
        self.frames[ply].context = Some(context);
        context
    }

    /// Counts a node: a position reached by a move or null move.
    #[inline]
    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.poll();
        }
    }

    pub(super) fn remember(&self, ply: usize, entry: Entry) {
        self.shared.table.store(self.position.table_key(), ply, entry);
    }

    /// Publishes the node count of this thread to the others.
    pub(super) fn publish_nodes(&self) {
        self.shared.nodes.publish(self.id, self.nodes);
    }

    /// Checks whether the search must end.
    fn poll(&mut self) {
        let shared = self.shared;
        self.publish_nodes();
        let claim = shared.nodes.claim();
        self.aborted = claim == 0;
        self.next_poll = self.nodes + claim;
        self.check_end();
    }

    /// Ends the search of this thread if the whole search must end.
    pub(super) fn check_end(&mut self) {
        let may_end = self.completed > 0 || self.nodes >= FIRST_ITERATION_NODES;
        let ended = if may_end { self.shared.must_end() } else { self.shared.has_ended() };
        self.aborted |= ended && (self.id > 0 || may_end);
    }
}

/// A thread of a search that has not begun, for the tests of single steps.
#[cfg(test)]
pub(super) mod testing {
    use super::*;
    use crate::engine::{
        eval::Classical,
        search::{Limits, Silent, tablebase::RankedMove, watcher::Unwatched},
    };

    impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
        /// Makes the search end when it has visited `nodes` nodes.
        pub(in crate::engine::search) fn end_after(&mut self, nodes: u64) {
            self.completed = 1;
            self.next_poll = nodes;
            self.shared.end();
        }
    }

    /// Runs `test` on a worker at the position of `fen`, one ply below the root.
    pub(in crate::engine::search) fn below_root<R>(
        fen: &str,
        test: impl FnOnce(&mut Worker<'_, Classical, Unwatched>) -> R,
    ) -> R {
        let table = Table::new(1).expect("a mebibyte");
        let (stop, nodes) = (Stop::default(), Nodes::new(u64::MAX, 1));
        let shared = Shared {
            table: &table,
            clock: Clock::new(&Limits::default(), 0, std::time::Duration::ZERO),
            stop: &stop,
            techniques: Techniques::ALL,
            tablebases: InTree::default(),
            table_hits: CachePadded::default(),
            ended: CachePadded::default(),
            nodes,
        };
        let mut memory = Memory::new(&Classical::default());
        let position = Position::from_fen(fen).expect("a position");
        let claim = shared.nodes.claim();
        let moves: Vec<_> = position.legal_moves().into_iter().map(RankedMove::new).collect();
        let (root, mut observer) = (RootPosition { position: &position, moves: &moves, multi_pv: 1 }, Silent);
        let mut worker = Worker::new(&shared, 0, claim, root, &mut memory, &mut observer, Unwatched);
        test(&mut worker)
    }
}
