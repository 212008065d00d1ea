//! Which nodes and which moves are not worth searching: each technique a condition, a margin and what it claims.
//!
//! None of these is sound; each trades a small risk for much depth, and none is used where mates are at stake. What
//! each is worth in strength stands in CHANGELOG.md.
//!
//! Futility leaves moves out by what they are worth at most. The value of the node is then no less than that, or the table
//! would remember, and the corrections learn from, more than anybody has shown. The others assume of the moves they leave
//! out that none is better than the best one searched.

use super::{
    moves::Candidate,
    node::{Node, NodeKind, ZeroWindow},
    params::{
        futility_base, futility_depth, futility_margin, history_pruning_depth, history_pruning_margin,
        late_move_pruning_base, late_move_pruning_depth, null_move_depth, null_move_depth_divisor,
        null_move_eval_divisor, null_move_reduction, null_move_verify_depth, probcut_depth, probcut_margin,
        probcut_reduction, razoring_base, razoring_depth, razoring_margin, reverse_futility_depth,
        reverse_futility_margin, see_pruning_depth, see_quiet_margin, see_tactical_margin,
    },
    picker::{Picker, is_tactical},
    reductions::late_move_reduction,
    watcher::{Skip, Watcher, Why},
    worker::Worker,
};
use crate::{
    eval::Evaluator,
    position::PackedMove,
    tt::{Bound, Entry},
    value::{DECIDED, DRAW, Value, is_decided},
};

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// The techniques that end a whole node before any move is made; also when the search ends below one of them.
    pub(super) fn prune<N: NodeKind>(&mut self, node: &Node) -> Option<Value> {
        if N::PV || node.in_check {
            return None;
        }
        let because = |why| move |value| (why, value);
        let (why, value) = (self.razoring(node).map(because(Why::Razoring)))
            .or_else(|| self.reverse_futility(node).map(because(Why::ReverseFutility)))
            .or_else(|| self.null_move(node).map(because(Why::NullMove)))
            .or_else(|| self.probcut(node).map(because(Why::ProbCut)))?;
        self.watcher.ended(why);
        self.remember_eval(node, why);
        Some(value)
    }

    /// Stores the evaluation of a node that ends before any move is made, if nothing is known of it yet: the next visit
    /// need not evaluate it again. Only what searched the same position, unlike reverse futility (`why`), can have made it known.
    fn remember_eval(&self, node: &Node, why: Why) {
        let known = || {
            why != Why::ReverseFutility && self.shared.table.probe(self.position.key(), node.ply).is_some()
        };
        if node.tt.is_some() || self.aborted || known() {
            return;
        }
        let entry = Entry { raw_eval: node.raw_eval, bound: None, pv: node.tt_pv, ..Entry::default() };
        self.remember(node.ply, entry);
    }

    /// Razoring: an evaluation this far below alpha is left to quiescence, and if that cannot mend it, the node is lost.
    /// Unsound when a quiet move carries a threat that wins more than the margin.
    /// Reference: chessprogramming.org, "Razoring".
    fn razoring(&mut self, node: &Node) -> Option<Value> {
        let applies = self.shared.techniques.razoring
            && node.depth <= razoring_depth()
            && !is_decided(node.alpha)
            && node.eval + razoring_base() + razoring_margin() * node.depth <= node.alpha;
        if !applies {
            return None;
        }
        let value = self.leaf::<ZeroWindow>(node.alpha, node.beta, node.ply);
        (value <= node.alpha || self.aborted).then_some(value)
    }

    /// Reverse futility: an evaluation this far above beta will not fall below it in the few plies left.
    /// Unsound when a threat hangs over the position that the evaluation does not see.
    /// Reference: chessprogramming.org, "Reverse Futility Pruning".
    fn reverse_futility(&self, node: &Node) -> Option<Value> {
        let margin = reverse_futility_margin() * (node.depth - i32::from(node.improving));
        let applies = self.shared.techniques.reverse_futility
            && node.depth <= reverse_futility_depth()
            && !is_decided(node.beta)
            && !is_decided(node.eval)
            && !node.tt_pv
            && node.tt_move.is_none_or(is_tactical);
        (applies && node.eval - margin >= node.beta).then(|| i32::midpoint(node.eval, node.beta))
    }

    /// Null move: if we stand well even after passing, some real move will do at least as well.
    /// Unsound in zugzwang, so it is not tried with only pawns left, nor twice in a row, and cut-offs at high depth are
    /// verified by a search in which we may not pass again.
    /// Reference: C. Donninger, "Null Move and Deep Search", 1993; E. A. Heinz, "Adaptive Null-Move Pruning", 1999.
    fn null_move(&mut self, node: &Node) -> Option<Value> {
        let passed_last = node.ply > 0 && self.frames[node.ply - 1].played.is_none();
        let applies = self.shared.techniques.null_move
            && node.depth >= null_move_depth()
            && node.eval >= node.beta
            && node.static_eval >= node.beta
            && !is_decided(node.beta)
            && !passed_last
            && node.ply >= self.null_move_from
            && self.position.has_pieces();
        if !applies || !self.make_null(node.ply) {
            return None;
        }
        let surplus = (node.eval - node.beta) / null_move_eval_divisor();
        let reduction = null_move_reduction() + node.depth / null_move_depth_divisor() + surplus.min(3);
        let depth = node.depth - reduction;
        let beta = node.beta;
        let value = -self.negamax::<ZeroWindow>(-beta, 1 - beta, depth, node.ply + 1, !node.cut_node);
        self.unmake();
        if self.aborted {
            return Some(DRAW);
        }
        if value < beta {
            return None;
        }
        // What is decided after passing is no proof that it is without.
        let value = if value >= DECIDED { beta } else { value };
        if node.depth < null_move_verify_depth() || self.null_move_from > 0 {
            return Some(value);
        }
        self.null_move_from = node.ply + 1 + depth.max(0) as usize * 3 / 4;
        let verified = self.negamax::<ZeroWindow>(beta - 1, beta, depth, node.ply, false);
        self.null_move_from = 0;
        (verified >= beta).then_some(value)
    }

    /// ProbCut: a capture that in a shallower search holds far more than beta will hold beta in the full one.
    /// Unsound as every shallow search is. Reference: M. Buro, "ProbCut", 1995; T. Romstad's use of it in Stockfish
    /// with captures only is described at chessprogramming.org, "ProbCut".
    fn probcut(&mut self, node: &Node) -> Option<Value> {
        let beta = node.beta + probcut_margin();
        let depth = node.depth - probcut_reduction();
        let denied = node.tt.is_some_and(|tt| tt.depth >= depth && tt.value < beta);
        let applies = self.shared.techniques.probcut
            && node.depth >= probcut_depth()
            && !is_decided(node.beta)
            && !denied;
        if !applies {
            return None;
        }
        let gain = (beta - node.eval).max(0);
        let mut picker = Picker::tacticals(node.tt_move, gain, false, self.moves);
        let mut proof = None;
        while let Some(m) = picker.next(&self.position, self.histories, self.moves) {
            if !self.position.see_at_least(m, gain) {
                continue;
            }
            self.make(node.ply, m);
            let mut value = -self.leaf::<ZeroWindow>(-beta, 1 - beta, node.ply + 1);
            if value >= beta && depth > 0 {
                value = -self.negamax::<ZeroWindow>(-beta, 1 - beta, depth, node.ply + 1, !node.cut_node);
            }
            self.unmake();
            if self.aborted {
                break;
            }
            if value >= beta {
                proof = Some((m, value));
                break;
            }
        }
        picker.finish(self.moves);
        let (m, value) = proof?;
        let entry = Entry {
            m: PackedMove::new(m),
            value,
            raw_eval: node.raw_eval,
            depth: depth + 1,
            bound: Some(Bound::Lower),
            pv: node.tt_pv,
        };
        self.remember(node.ply, entry);
        Some(if is_decided(value) { value } else { value - probcut_margin() })
    }

    /// Gives up on the quiet moves of `node` when, after the first `count` moves, none of them is worth searching any
    /// more, and returns what those left out as futile are worth at most. Asked only once a move has been found that does
    /// not get us mated.
    pub(super) fn skip_quiets<N: NodeKind>(
        &mut self,
        node: &Node,
        count: usize,
        picker: &mut Picker,
    ) -> Option<Value> {
        if N::PV || node.in_check || is_decided(node.alpha) || !picker.may_have_quiets() {
            return None;
        }
        if self.late(node, count) {
            self.watcher.skipped(Skip::Late, None);
            picker.skip_quiets();
            return None;
        }
        let at_most = self.futile(node, count)?;
        self.watcher.skipped(Skip::Futile, Some(at_most));
        picker.skip_quiets_without_check();
        Some(at_most)
    }

    /// Whether a move is not worth searching by what it loses or how it fared. Asked only once a move has been found that
    /// does not get us mated.
    pub(super) fn not_worth_it<N: NodeKind>(&self, node: &Node, candidate: Candidate) -> bool {
        if N::PV || node.in_check || is_decided(node.alpha) {
            return false;
        }
        self.has_bad_history(node, candidate) || self.loses_too_much(node, candidate)
    }

    /// History pruning: a late quiet move that has always failed after such moves will fail again.
    /// Unsound when this position is the exception. Reference: chessprogramming.org, "History Leaf Pruning".
    fn has_bad_history(&self, node: &Node, candidate: Candidate) -> bool {
        let applies = self.shared.techniques.history_pruning
            && !candidate.tactical
            && candidate.experience.continuation < -history_pruning_margin();
        if !applies {
            return false;
        }
        let depth = reduced_depth(node, candidate.count);
        depth <= history_pruning_depth()
            && candidate.experience.continuation < -history_pruning_margin() * depth.max(1)
    }

    /// SEE pruning: a move that loses this much material near the leaves is skipped. Unsound for sacrifices.
    fn loses_too_much(&self, node: &Node, candidate: Candidate) -> bool {
        let margin = if candidate.tactical { see_tactical_margin() } else { see_quiet_margin() };
        self.shared.techniques.see_pruning
            && node.depth <= see_pruning_depth()
            && !self.position.see_at_least(candidate.m, -margin * node.depth)
    }

    /// Late-move pruning: near the leaves, quiet moves far down the order hardly ever turn out best.
    /// Unsound exactly when the order is wrong. Reference: chessprogramming.org, "Futility Pruning: Move Count Based".
    fn late(&self, node: &Node, count: usize) -> bool {
        let quota = late_move_pruning_base() + node.depth * node.depth;
        let quota = if node.improving { quota } else { quota / 2 };
        self.shared.techniques.late_move_pruning
            && node.depth <= late_move_pruning_depth()
            && count as i32 >= quota
    }

    /// Futility: a quiet move gains only so much; when even that, which is returned, leaves us below alpha, it cannot help.
    /// Unsound for quiet moves with a threat; those that give check are searched all the same.
    /// Reference: E. A. Heinz, "Extended Futility Pruning", 1998.
    fn futile(&self, node: &Node, count: usize) -> Option<Value> {
        if !self.shared.techniques.futility || node.eval + futility_base() > node.alpha {
            return None;
        }
        let depth = reduced_depth(node, count);
        let at_most = node.eval + futility_base() + futility_margin() * depth.max(0);
        (depth <= futility_depth() && at_most <= node.alpha).then_some(at_most)
    }
}

/// The depth to which the move of `node` in place `count` would be searched, but for the ply it takes.
fn reduced_depth(node: &Node, count: usize) -> i32 {
    node.depth - late_move_reduction(node.depth, count) / 100
}
