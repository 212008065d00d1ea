//! The root moves: their order and their results.
//!
//! The result of a root move, exact or a bound, is stored with the move and its depth. If a search ends in the middle
//! of an iteration, all results of that iteration are therefore available.

use std::cmp::Reverse;

use shakmaty::Move;

use super::{
    CURRENT_MOVE_DELAY, Observer,
    negamax::{Found, Source},
    node::{Line, Node, NodeKind},
    picker::Candidate,
    tablebase::{Allowed, TableRank},
    watcher::Watcher,
    worker::Worker,
};
use crate::{
    eval::Evaluator,
    position::is_tactical,
    syzygy::Rank,
    tt::Bound,
    value::{INFINITE, Value, is_mate},
};

/// A root move and its results.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) m: Move,
    /// The sort key: the value in the last search of the root, or −INFINITE if the move was only proved to be no better
    /// than another.
    pub(super) value: Value,
    /// Nodes spent on it in this search.
    pub(super) nodes: u64,
    /// Its rank by the endgame tables, if they know all root moves.
    pub(super) table_rank: Option<TableRank>,
    /// Its latest result. Boxed, because root moves are sorted often and a variation is large.
    pub(super) result: Option<Box<RootResult>>,
}

/// A result of the search for a root move.
#[derive(Clone, Debug)]
pub(super) struct RootResult {
    /// The iteration that found it.
    pub(super) depth: u32,
    pub(super) seldepth: usize,
    pub(super) value: Value,
    pub(super) bound: Bound,
    /// The variation, which begins with the move.
    pub(super) pv: Line,
}

impl RootMove {
    pub(super) fn new(Allowed { m, table_rank }: Allowed) -> Self {
        Self { m, value: -INFINITE, nodes: 0, table_rank, result: None }
    }

    /// The rank of the move by the endgame tables; all ranks are equal if the tables do not know all moves.
    pub(super) fn rank(&self) -> Option<Rank> {
        self.table_rank.map(|table_rank| table_rank.rank)
    }

    /// The value of the move by the endgame tables, unless `value` of the search is a mate that agrees with them.
    pub(super) fn known(&self, value: Value) -> Option<Value> {
        let known = self.table_rank?.value;
        (!is_mate(value) || known.signum() != value.signum()).then_some(known)
    }

    /// The result of iteration `depth` for the move.
    pub(super) fn found_at(&self, depth: u32) -> Option<&RootResult> {
        self.result.as_deref().filter(|result| result.depth == depth)
    }
}

/// Sorts root moves, best first and stably. The rank by the endgame tables comes before the value of the search.
pub(super) fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|root| Reverse((root.rank(), root.value)));
}

/// Sorts root moves like [`sort`], and those with equal values, which are nearly all, in the order of `order`.
pub(super) fn sort_others(moves: &mut [RootMove], order: impl Iterator<Item = Move>) {
    // From one iteration to the next the order changes little, so each move is found at once or soon.
    let mut rest = &mut *moves;
    for m in order {
        if let Some(place) = rest.iter().position(|root| root.m == m) {
            rest[..=place].rotate_right(1);
            rest = &mut rest[1..];
        }
    }
    sort(moves);
}

/// The number of moves at the front that the endgame tables rank equally.
pub(super) fn equals(moves: &[RootMove]) -> usize {
    moves.iter().take_while(|root| root.rank() == moves[0].rank()).count()
}

/// The source of root moves for the move loop.
pub(super) struct RootMoves<'r> {
    moves: &'r mut [RootMove],
    /// Whether these are all legal moves.
    complete: bool,
    /// The iteration.
    depth: u32,
    /// The number of root moves before these; they begin lines of their own.
    before: usize,
    observer: &'r mut dyn Observer,
    /// The number of moves returned.
    count: usize,
    /// Nodes visited before the last move returned.
    nodes: u64,
}

impl<'r> RootMoves<'r> {
    /// Returns the moves of `roots` after the first `before`, as many as the endgame tables rank equally. `all` says
    /// whether `roots` contains every legal move.
    pub(super) fn new(
        roots: &'r mut [RootMove],
        before: usize,
        all: bool,
        depth: u32,
        observer: &'r mut dyn Observer,
    ) -> Self {
        let rest = roots.len() - before;
        let end = before + equals(&roots[before..]);
        let moves = &mut roots[before..end];
        for root in &mut *moves {
            root.value = -INFINITE;
        }
        let complete = all && before == 0 && moves.len() == rest;
        Self { moves, complete, depth, before, observer, count: 0, nodes: 0 }
    }

    fn announce<E: Evaluator, W: Watcher>(&mut self, worker: &Worker<'_, E, W>, m: Move) {
        if worker.id == 0 && worker.shared.clock.elapsed() >= CURRENT_MOVE_DELAY {
            self.observer.current_move(m, self.before + self.count);
        }
    }

    /// Stores the result of the last move returned; `reply` is the rest of the variation.
    fn keep(&mut self, seldepth: usize, value: Value, bound: Bound, reply: &[Move]) {
        let root = &mut self.moves[self.count - 1];
        let mut pv = Line::from_iter([root.m]);
        let room = pv.remaining_capacity();
        pv.extend(reply.iter().copied().take(room));
        root.value = value;
        root.result = Some(Box::new(RootResult { depth: self.depth, seldepth, value, bound, pv }));
    }
}

impl Source for RootMoves<'_> {
    fn next_candidate<N: NodeKind, E: Evaluator, W: Watcher>(
        &mut self,
        worker: &mut Worker<'_, E, W>,
        _: &Node,
        found: &mut Found,
    ) -> Option<Candidate> {
        let m = self.moves.get(self.count)?.m;
        self.count += 1;
        found.count = self.count;
        self.nodes = worker.nodes;
        self.announce(worker, m);
        let (tactical, experience) = (is_tactical(m), worker.experience(0, m));
        let good = tactical && worker.position.see_at_least(m, 0);
        Some(Candidate { m, count: self.count, tactical, good, experience })
    }

    fn is_complete(&self) -> bool {
        self.complete
    }

    fn failed_high<E: Evaluator, W: Watcher>(&mut self, worker: &Worker<'_, E, W>, value: Value) {
        self.keep(worker.seldepth, value, Bound::Lower, &[]);
    }

    fn searched<E: Evaluator, W: Watcher>(&mut self, worker: &Worker<'_, E, W>, node: &Node, value: Value) {
        let root = &mut self.moves[self.count - 1];
        root.nodes += worker.nodes - self.nodes;
        if self.count == 1 || value > node.alpha {
            let bound = Bound::of(value, node.alpha, node.beta);
            self.keep(worker.seldepth, value, bound, worker.variations.at(1));
        } else if root.found_at(self.depth).is_some_and(|result| result.value > node.alpha) {
            // Earlier results of this iteration, from a zero window or another search, are no longer valid.
            (root.value, root.result) = (-INFINITE, None);
        }
    }
}
