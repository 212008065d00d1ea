//! The root: the node whose moves are compared, and whose results are kept.
//!
//! It goes through the loop over the moves of every node ([`negamax`](super::negamax)), which calls the three
//! functions about a root move below.

use shakmaty::Move;

use super::{
    CURRENT_MOVE_DELAY,
    node::{Node, Root},
    picker::Picker,
    watcher::{Visit, Watcher},
    worker::Worker,
};
use crate::{
    chess::value::{INFINITE, Value},
    engine::{eval::Evaluator, tt::Bound},
};

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// Searches the root moves from `first` on, as deep as the iteration less `reduction`, with the window
    /// `alpha..beta`. No step ends the root early.
    pub(super) fn root(&mut self, first: usize, alpha: Value, beta: Value, reduction: i32) -> Value {
        self.root_moves.begin(first);
        let depth = self.root_moves.depth as i32;
        self.watcher.enter(Visit { alpha, beta, depth });
        let depth = (depth - reduction).max(1);
        self.watcher.reduced(depth);
        let mut node = Node::new(alpha, beta, depth, 0, false, self.position.is_check());
        self.enter::<Root>(0);
        self.clear_grandchildren(0);
        self.look_up_correction(&mut node);
        self.probe::<Root>(&mut node);
        node.tt_move = self.tt_move(node.tt);
        self.assess(&mut node);
        node.improving = true;
        let mut picker = Picker::given(self.root_moves.searched().iter().map(|root| root.m), self.moves);
        let value = self.search_moves::<Root>(&mut node, &mut picker);
        picker.finish(self.moves);
        self.watcher.leave(value);
        value
    }

    /// The legal moves of the root in the order of a picker whose table move is `first`.
    pub(super) fn moves_in_order(&mut self, first: Option<Move>) -> Vec<Move> {
        let mut picker = Picker::new(first, self.context(0), self.moves);
        let mut order = Vec::new();
        while let Some(m) = picker.next(&self.position, self.histories, self.moves) {
            order.push(m);
        }
        picker.finish(self.moves);
        order
    }

    /// Called before root move `number` of those searched now is searched.
    pub(super) fn begin_root_move(&mut self, number: usize) {
        let roots = &mut self.root_moves;
        roots.current = roots.searched.start + number - 1;
        roots.nodes = self.nodes;
        if self.id == 0 && self.shared.clock.elapsed() >= CURRENT_MOVE_DELAY {
            self.observer.current_move(roots.list[roots.current].m, roots.current + 1);
        }
    }

    /// Called when the root move has proved with a zero window that it is worth at least `value`, which is
    /// more than alpha. The search for its exact value follows.
    pub(super) fn keep_lower_bound(&mut self, value: Value) {
        self.root_moves.record(self.seldepth, value, Bound::Lower, &[]);
    }

    /// Called after the root move was searched with the window of `node`.
    pub(super) fn end_root_move(&mut self, node: &Node, value: Value) {
        let (nodes, is_first) = (self.nodes, self.root_moves.current == self.root_moves.searched.start);
        let depth = self.root_moves.depth;
        let root = &mut self.root_moves.list[self.root_moves.current];
        root.nodes += nodes - self.root_moves.nodes;
        if is_first || value > node.alpha {
            let bound = Bound::of(value, node.alpha, node.beta);
            self.root_moves.record(self.seldepth, value, bound, self.variations.at(1));
        } else if root.found_at(depth).is_some_and(|result| result.value > node.alpha) {
            // Earlier results of this iteration, from a zero window or another search, are no longer valid.
            (root.value, root.result) = (-INFINITE, None);
        }
    }
}
