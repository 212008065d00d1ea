//! The moves of the root: in which order they are searched, and what is known about each.
//!
//! What the search says about a root move is kept with the move, be it exact or a bound, with the depth it comes from. So
//! when a search is ended in the middle of an iteration, everything that this iteration has found out is still there.

use std::cmp::Reverse;

use shakmaty::Move;

use super::{
    CURRENT_MOVE_DELAY, Observer,
    frame::Line,
    history::Experience,
    moves::Source,
    node::Node,
    picker::{Picker, is_tactical},
    watcher::Watcher,
    worker::Worker,
};
use crate::{
    eval::Evaluator,
    syzygy::Rank,
    tt::Bound,
    value::{INFINITE, Value, is_mate},
};

/// A move that may be played at the root, before the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct Allowed {
    pub(super) m: Move,
    /// What the endgame tables say, if they know all moves of the root.
    pub(super) standing: Option<Standing>,
}

impl Allowed {
    pub(super) fn new(m: Move) -> Self {
        Self { m, standing: None }
    }
}

/// A move of the root and what is known about it.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) m: Move,
    /// What orders the moves: the value in the last search of the root, or −INFINITE where the move was only shown to be no
    /// better than another one.
    pub(super) value: Value,
    /// Nodes spent on it in this search.
    pub(super) nodes: u64,
    /// What the endgame tables say, if they know all moves of the root.
    pub(super) standing: Option<Standing>,
    /// What was found out last.
    pub(super) finding: Option<Finding>,
}

/// What the endgame tables say about a root move.
#[derive(Clone, Copy, Debug)]
pub(super) struct Standing {
    pub(super) rank: Rank,
    /// What the result is worth.
    pub(super) value: Value,
}

/// What the search says about a root move.
#[derive(Clone, Debug)]
pub(super) struct Finding {
    /// The iteration it comes from.
    pub(super) depth: u32,
    pub(super) seldepth: usize,
    pub(super) value: Value,
    pub(super) bound: Bound,
    /// The variation, which begins with the move.
    pub(super) pv: Line,
}

impl RootMove {
    pub(super) fn new(Allowed { m, standing }: Allowed) -> Self {
        Self { m, value: -INFINITE, nodes: 0, standing, finding: None }
    }

    /// How the move ranks by the endgame tables; all ranks are equal where they do not know.
    pub(super) fn rank(&self) -> Option<Rank> {
        self.standing.map(|standing| standing.rank)
    }

    /// What the endgame tables say that the move is worth, unless the search, with `value`, knows more: how soon there is a
    /// mate.
    pub(super) fn known(&self, value: Value) -> Option<Value> {
        let known = self.standing?.value;
        (!is_mate(value) || known.signum() != value.signum()).then_some(known)
    }

    /// What iteration `depth` has found out about the move.
    pub(super) fn found_at(&self, depth: u32) -> Option<&Finding> {
        self.finding.as_ref().filter(|finding| finding.depth == depth)
    }
}

/// Sorts root moves, best first; equals stay as they are. What the endgame tables say comes before what the search says.
pub(super) fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|root| Reverse((root.rank(), root.value)));
}

/// How many moves, from the first on, the endgame tables do not tell apart.
pub(super) fn equals(moves: &[RootMove]) -> usize {
    moves.iter().take_while(|root| root.rank() == moves[0].rank()).count()
}

/// The root moves on their way through the move loop.
pub(super) struct RootMoves<'r, O> {
    moves: &'r mut [RootMove],
    /// Whether there are no others.
    complete: bool,
    /// The iteration.
    depth: u32,
    /// How many root moves come before these, since they lead lines of their own.
    before: usize,
    observer: &'r mut O,
    /// How many moves have been handed out.
    count: usize,
    /// Nodes visited before the move handed out last.
    nodes: u64,
    good_tactical: bool,
}

impl<'r, O: Observer> RootMoves<'r, O> {
    /// The moves of `roots` but for the first `before`, and of those as many as the endgame tables do not tell apart. `all` says
    /// whether every legal move is among `roots`.
    pub(super) fn new(
        roots: &'r mut [RootMove],
        before: usize,
        all: bool,
        depth: u32,
        observer: &'r mut O,
    ) -> Self {
        let rest = roots.len() - before;
        let end = before + equals(&roots[before..]);
        let moves = &mut roots[before..end];
        for root in &mut *moves {
            root.value = -INFINITE;
        }
        let complete = all && before == 0 && moves.len() == rest;
        Self { moves, complete, depth, before, observer, count: 0, nodes: 0, good_tactical: false }
    }

    fn announce<E: Evaluator, W: Watcher>(&mut self, worker: &Worker<'_, E, W>, m: Move) {
        if worker.id == 0 && worker.shared.clock.elapsed() >= CURRENT_MOVE_DELAY {
            self.observer.current_move(self.depth, m, self.before + self.count);
        }
    }

    /// Keeps what was found out about the move handed out last; `reply` is how the variation goes on.
    fn keep(&mut self, seldepth: usize, value: Value, bound: Bound, reply: &[Move]) {
        let root = &mut self.moves[self.count - 1];
        let mut pv = Line::from_iter([root.m]);
        let room = pv.remaining_capacity();
        pv.extend(reply.iter().copied().take(room));
        root.value = value;
        root.finding = Some(Finding { depth: self.depth, seldepth, value, bound, pv });
    }
}

impl<O: Observer> Source for RootMoves<'_, O> {
    fn next<E: Evaluator, W: Watcher>(&mut self, worker: &mut Worker<'_, E, W>) -> Option<Move> {
        let m = self.moves.get(self.count)?.m;
        self.count += 1;
        self.nodes = worker.nodes;
        self.good_tactical = is_tactical(m) && worker.position.see_at_least(m, 0);
        self.announce(worker, m);
        Some(m)
    }

    fn at_good_tactical(&self) -> bool {
        self.good_tactical
    }

    fn experience<E: Evaluator, W: Watcher>(&self, _: &Worker<'_, E, W>) -> Option<Experience> {
        None
    }

    fn is_complete(&self) -> bool {
        self.complete
    }

    fn picker(&mut self) -> Option<&mut Picker> {
        None
    }

    fn surprised<E: Evaluator, W: Watcher>(&mut self, worker: &Worker<'_, E, W>, value: Value) {
        self.keep(worker.seldepth, value, Bound::Lower, &[]);
    }

    fn searched<E: Evaluator, W: Watcher>(&mut self, worker: &Worker<'_, E, W>, node: &Node, value: Value) {
        let root = &mut self.moves[self.count - 1];
        root.nodes += worker.nodes - self.nodes;
        if self.count == 1 || value > node.alpha {
            let bound = Bound::of(value, node.alpha, node.beta);
            self.keep(worker.seldepth, value, bound, worker.variations.at(1));
        } else if root.found_at(self.depth).is_some_and(|finding| finding.value > node.alpha) {
            // What an empty window or an earlier search of this iteration said does not hold any more.
            (root.value, root.finding) = (-INFINITE, None);
        }
    }
}
