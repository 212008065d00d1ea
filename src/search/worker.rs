//! One thread of a search: its position, evaluator and memory, and the one pair of functions that moves them all.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use crossbeam_utils::CachePadded;

use shakmaty::Move;

use super::{
    Stop, Techniques,
    clock::Clock,
    frame::{self, Frame, Variations},
    history::{Context, Histories, Played},
    nodes::Nodes,
    picker::Moves,
    tablebase::InTree,
    watcher::{Visit, Watcher},
};
use crate::{
    eval::Evaluator,
    position::Position,
    tt::{Entry, Table},
    value::{MAX_PLY, Value},
};

/// Nodes after which even the first iteration, which otherwise always completes, gives way to a stop.
const FIRST_ITERATION_NODES: u64 = 10_000;

/// What the threads of one search share.
pub(super) struct Shared<'s> {
    pub(super) table: &'s Table,
    pub(super) clock: Clock,
    pub(super) stop: &'s Stop,
    pub(super) techniques: Techniques,
    pub(super) tablebases: InTree<'s>,
    /// Positions that the endgame tables were asked about.
    pub(super) table_hits: CachePadded<AtomicU64>,
    /// Raised when the search ends, for whatever reason; [`Stop`] is the caller's and only read.
    pub(super) ended: CachePadded<AtomicBool>,
    pub(super) nodes: Nodes,
}

impl Shared<'_> {
    /// Nodes of all threads, as of their last polls.
    pub(super) fn total_nodes(&self) -> u64 {
        self.nodes.total()
    }

    pub(super) fn count_table_hit(&self) {
        self.table_hits.fetch_add(1, Ordering::Relaxed);
    }

    pub(super) fn total_table_hits(&self) -> u64 {
        self.table_hits.load(Ordering::Relaxed)
    }

    pub(super) fn end(&self) {
        self.ended.store(true, Ordering::Relaxed);
    }
}

/// What one thread keeps from one search to the next. It lives as long as the number of threads stays what it is.
#[derive(Debug)]
pub(super) struct Memory<E> {
    evaluator: E,
    histories: Histories,
    /// The frames of the line that is looked at, and the moves of its nodes: nothing to remember, but costly to make.
    frames: Vec<Frame>,
    variations: Variations,
    moves: Moves,
}

impl<E: Evaluator> Memory<E> {
    /// The memory of a thread that has not searched yet. This is where every thread gets its evaluator: a clone of
    /// `prototype`.
    pub(super) fn new(prototype: &E) -> Self {
        Self {
            evaluator: prototype.clone(),
            histories: Histories::default(),
            frames: frame::stack(),
            variations: Variations::default(),
            moves: Moves::with_capacity(64 * MAX_PLY),
        }
    }

    /// Forgets what was learnt from earlier searches.
    pub(super) fn clear(&mut self) {
        self.histories = Histories::default();
    }
}

/// See the head of this module.
pub(super) struct Worker<'s, E, W> {
    pub(super) shared: &'s Shared<'s>,
    /// The number of this thread; thread 0 leads the search.
    pub(super) id: usize,
    pub(super) position: Position,
    pub(super) evaluator: &'s mut E,
    pub(super) watcher: W,
    pub(super) histories: &'s mut Histories,
    pub(super) frames: &'s mut [Frame],
    pub(super) variations: &'s mut Variations,
    pub(super) moves: &'s mut Moves,
    /// Nodes visited by this thread.
    pub(super) nodes: u64,
    next_poll: u64,
    /// The longest line of this iteration, in plies.
    pub(super) seldepth: usize,
    /// Iterations completed.
    pub(super) completed: u32,
    /// No null move is tried above this ply: a null-move cut-off is being verified.
    pub(super) null_move_from: usize,
    /// The search is over for this thread; whatever is being returned means nothing.
    pub(super) aborted: bool,
}

impl<'s, E: Evaluator, W: Watcher> Worker<'s, E, W> {
    /// Thread `id` of a search, with nothing done yet but `claim` nodes to visit; if these are none, it has nothing to do.
    pub(super) fn new(
        shared: &'s Shared<'s>,
        id: usize,
        claim: u64,
        root: &Position,
        memory: &'s mut Memory<E>,
        watcher: W,
    ) -> Self {
        let Memory { evaluator, histories, frames, variations, moves } = memory;
        evaluator.reset(root);
        frames.iter_mut().for_each(Frame::reset);
        moves.clear();
        Self {
            shared,
            id,
            position: root.clone(),
            evaluator,
            watcher,
            histories,
            frames,
            variations,
            moves,
            nodes: 0,
            next_poll: claim,
            seldepth: 0,
            completed: 0,
            null_move_from: 0,
            aborted: claim == 0,
        }
    }
}

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// Plays `m` at `ply` everywhere: position, evaluator, frame, node count.
    #[inline]
    pub(super) fn make(&mut self, ply: usize, m: Move) {
        match m {
            // Nearly all moves, each kind compiled by itself: to know so much leaves little of the work on a delta to do.
            Move::Normal { role, from, capture: None, to, promotion: None } => {
                self.make_known(ply, Move::Normal { role, from, capture: None, to, promotion: None });
            }
            Move::Normal { role, from, capture: Some(victim), to, promotion: None } => {
                self.make_known(ply, Move::Normal { role, from, capture: Some(victim), to, promotion: None });
            }
            _ => self.make_known(ply, m),
        }
    }

    /// [`make`](Self::make) of a move whose kind is known when compiling.
    #[inline(always)]
    fn make_known(&mut self, ply: usize, m: Move) {
        self.frames[ply].played = Played::new(self.position.turn(), m);
        let table = self.shared.table;
        let delta = self.position.play_announced(m, |key| table.prefetch(key));
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

    /// Passes the move at `ply`; false (and nothing done) in check.
    pub(super) fn make_null(&mut self, ply: usize) -> bool {
        let passed = self.position.play_null();
        if passed {
            self.frames[ply].played = Played::default();
            self.evaluator.push_null(&self.position);
            self.watcher.make(None);
            self.count_node();
        }
        passed
    }

    /// Does `search` before the eyes of the watcher: a visit to the current position, through `alpha..beta`.
    #[inline]
    pub(super) fn visit(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: i32,
        search: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        self.watcher.enter(Visit { alpha, beta, depth });
        let value = search(self);
        self.watcher.leave(value);
        value
    }

    /// The moves that led to the node at `ply`.
    #[inline]
    pub(super) fn context(&self, ply: usize) -> Context {
        let before = |plies| ply.checked_sub(plies).map_or(Played::default(), |ply| self.frames[ply].played);
        Context([before(1), before(2), before(4)])
    }

    /// A node is a position reached by a move, null moves included.
    #[inline]
    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.next_poll {
            self.poll();
        }
    }

    pub(super) fn remember(&self, ply: usize, entry: Entry) {
        self.shared.table.store(self.position.key(), ply, entry);
    }

    /// Lets the other threads see how many nodes this one has visited.
    pub(super) fn publish_nodes(&self) {
        self.shared.nodes.publish(self.id, self.nodes);
    }

    /// Looks whether the search has to end.
    #[cold]
    fn poll(&mut self) {
        let shared = self.shared;
        self.publish_nodes();
        let claim = shared.nodes.claim();
        let may_end = self.completed > 0 || self.nodes >= FIRST_ITERATION_NODES;
        if may_end && (shared.stop.is_stopped() || shared.clock.out_of_time(shared.stop)) {
            shared.end();
        }
        let ended = shared.ended.load(Ordering::Relaxed);
        self.aborted = claim == 0 || (ended && (self.id > 0 || may_end));
        self.next_poll = self.nodes + claim;
    }
}
