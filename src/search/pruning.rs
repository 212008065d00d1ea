//! Which nodes and which moves are not worth searching: each technique a condition, a margin and what it claims.
//!
//! None of these is sound; each trades a small risk for much depth, and none is used where mates are at stake. What
//! each is worth in strength stands in CHANGELOG.md.

use shakmaty::Move;

use super::{
    node::{Node, NodeKind, ZeroWindow},
    params::{
        FUTILITY_BASE, FUTILITY_DEPTH, FUTILITY_MARGIN, LATE_MOVE_PRUNING_BASE, LATE_MOVE_PRUNING_DEPTH,
        NULL_MOVE_DEPTH, NULL_MOVE_DEPTH_DIVISOR, NULL_MOVE_EVAL_DIVISOR, NULL_MOVE_REDUCTION,
        NULL_MOVE_VERIFY_DEPTH, REVERSE_FUTILITY_DEPTH, REVERSE_FUTILITY_MARGIN, SEE_PRUNING_DEPTH,
        SEE_QUIET_MARGIN, SEE_TACTICAL_MARGIN,
    },
    picker::{Picker, is_tactical},
    reductions::late_move_reduction,
    worker::Worker,
};
use crate::{
    eval::Evaluator,
    value::{MATE_BOUND, Value, is_mate},
};

impl<E: Evaluator> Worker<'_, E> {
    /// The techniques that end a whole node before any move is made.
    pub(super) fn prune<N: NodeKind>(&mut self, node: &Node) -> Option<Value> {
        if N::PV || node.in_check {
            return None;
        }
        self.reverse_futility(node).or_else(|| self.null_move(node))
    }

    /// Reverse futility: an evaluation this far above beta will not fall below it in the few plies left.
    /// Unsound when a threat hangs over the position that the evaluation does not see.
    /// Reference: chessprogramming.org, "Reverse Futility Pruning".
    fn reverse_futility(&self, node: &Node) -> Option<Value> {
        let margin = REVERSE_FUTILITY_MARGIN * (node.depth - i32::from(node.improving));
        let applies = self.shared.techniques.reverse_futility
            && node.depth <= REVERSE_FUTILITY_DEPTH
            && !is_mate(node.beta)
            && !is_mate(node.eval);
        (applies && node.eval - margin >= node.beta).then_some(node.eval)
    }

    /// Null move: if we stand well even after passing, some real move will do at least as well.
    /// Unsound in zugzwang, so it is not tried with only pawns left, nor twice in a row, and cut-offs at high depth are
    /// verified by a search in which we may not pass again.
    /// Reference: C. Donninger, "Null Move and Deep Search", 1993; E. A. Heinz, "Adaptive Null-Move Pruning", 1999.
    fn null_move(&mut self, node: &Node) -> Option<Value> {
        let passed_last = node.ply > 0 && self.frames[node.ply - 1].null_move;
        let applies = self.shared.techniques.null_move
            && node.depth >= NULL_MOVE_DEPTH
            && node.eval >= node.beta
            && node.raw_eval.is_some_and(|eval| eval >= node.beta)
            && !is_mate(node.beta)
            && !passed_last
            && node.ply >= self.null_move_from
            && self.position.has_pieces();
        if !applies || !self.make_null() {
            return None;
        }
        let surplus = (node.eval - node.beta) / NULL_MOVE_EVAL_DIVISOR;
        let reduction = NULL_MOVE_REDUCTION + node.depth / NULL_MOVE_DEPTH_DIVISOR + surplus.min(3);
        let depth = node.depth - reduction;
        let beta = node.beta;
        self.frames[node.ply].null_move = true;
        let value = -self.negamax::<ZeroWindow>(-beta, 1 - beta, depth, node.ply + 1, !node.cut_node);
        self.frames[node.ply].null_move = false;
        self.unmake();
        if self.aborted || value < beta {
            return None;
        }
        // A mate found after passing is no proof of a mate.
        let value = if value >= MATE_BOUND { beta } else { value };
        if node.depth < NULL_MOVE_VERIFY_DEPTH || self.null_move_from > 0 {
            return Some(value);
        }
        self.null_move_from = node.ply + 1 + depth.max(0) as usize * 3 / 4;
        let verified = self.negamax::<ZeroWindow>(beta - 1, beta, depth, node.ply, false);
        self.null_move_from = 0;
        (verified >= beta).then_some(value)
    }

    /// Gives up on the quiet moves of `node` when, after the first `count` moves, none of them is worth searching any
    /// more. Asked only once a move has been found that does not get us mated.
    pub(super) fn skip_quiets<N: NodeKind>(&self, node: &Node, count: usize, picker: &mut Picker) {
        if N::PV || node.in_check || is_mate(node.alpha) {
            return;
        }
        if self.late(node, count) {
            picker.skip_quiets();
        } else if self.futile(node, count) {
            picker.skip_quiets_without_check();
        }
    }

    /// Whether `m` loses too much material to be worth searching: SEE pruning. Asked only once a move has been found
    /// that does not get us mated. Unsound for sacrifices.
    pub(super) fn loses_too_much<N: NodeKind>(&self, node: &Node, m: Move) -> bool {
        let margin = if is_tactical(m) { SEE_TACTICAL_MARGIN } else { SEE_QUIET_MARGIN };
        self.shared.techniques.see_pruning
            && !N::PV
            && !node.in_check
            && !is_mate(node.alpha)
            && node.depth <= SEE_PRUNING_DEPTH
            && !self.position.see_at_least(m, -margin * node.depth)
    }

    /// Late-move pruning: near the leaves, quiet moves far down the order hardly ever turn out best.
    /// Unsound exactly when the order is wrong. Reference: chessprogramming.org, "Futility Pruning: Move Count Based".
    fn late(&self, node: &Node, count: usize) -> bool {
        let quota = LATE_MOVE_PRUNING_BASE + node.depth * node.depth;
        let quota = if node.improving { quota } else { quota / 2 };
        self.shared.techniques.late_move_pruning
            && node.depth <= LATE_MOVE_PRUNING_DEPTH
            && count as i32 >= quota
    }

    /// Futility: a quiet move gains only so much; when even that leaves us below alpha, it cannot help.
    /// Unsound for quiet moves with a threat; those that give check are searched all the same.
    /// Reference: E. A. Heinz, "Extended Futility Pruning", 1998.
    fn futile(&self, node: &Node, count: usize) -> bool {
        let depth = node.depth - late_move_reduction(node.depth, count);
        self.shared.techniques.futility
            && depth <= FUTILITY_DEPTH
            && node.eval + FUTILITY_BASE + FUTILITY_MARGIN * depth.max(0) <= node.alpha
    }
}
