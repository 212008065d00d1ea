//! Pruning of nodes and moves: each technique is a condition, a margin and a claim.
//!
//! No technique here is sound. Each risks a small error to gain much depth. None is used if the bound that it
//! compares with, alpha or beta, is decided (a mate, or a result of the endgame tables), or a known win
//! beside an ordinary evaluation: no margin bridges that. docs/course/README.md lists what they are for or
//! worth.
//!
//! Futility pruning skips moves by an upper bound on their value. The value of the node is then at least that
//! bound. Otherwise the table would store, and the correction history would learn from, a value lower than
//! the search has proved. The other techniques assume that no skipped move is better than the best move
//! searched.

use super::{
    history_value::RecentMoves,
    negamax::Found,
    node::{Node, NodeKind, ZeroWindow},
    params::*,
    picker::{Candidate, Picker},
    reductions::late_move_reduction,
    watcher::{Skip, Watcher, Why},
    worker::Worker,
};
use crate::{
    chess::{
        position::{PackedMove, is_tactical},
        value::{DECIDED, DRAW, Value, is_decided, is_known},
    },
    engine::{
        eval::Evaluator,
        tt::{Bound, Entry},
    },
};

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// Applies the techniques that end a whole node before any move is made; also when the search ends below
    /// one of them.
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

    /// Stores the evaluation of a node that ends before any move is made, so that the next visit need not
    /// evaluate it again.
    ///
    /// Skipped if the table has an entry by now. Reverse futility (`why`) has not searched the position, so
    /// the table has none.
    fn remember_eval(&self, node: &Node, why: Why) {
        let known = || {
            why != Why::ReverseFutility
                && self.shared.table.probe(self.position.table_key(), node.ply).is_some()
        };
        if node.tt.is_some() || self.aborted || known() {
            return;
        }
        let entry = Entry { raw_eval: node.raw_eval, bound: None, pv: node.tt_pv, ..Entry::default() };
        self.remember(node.ply, entry);
    }

    /// Razoring: if the evaluation is this far below alpha, quiescence decides; if it also fails low, the
    /// node fails low. Unsound if a quiet move makes a threat that wins more than the margin. Reference:
    /// chessprogramming.org, "Razoring".
    fn razoring(&mut self, node: &Node) -> Option<Value> {
        let applies = self.techniques.razoring
            && node.depth <= razoring_depth()
            && is_comparable(node, node.alpha)
            && node.eval + razoring_base() + razoring_margin() * node.depth <= node.alpha;
        if !applies {
            return None;
        }
        let value = self.leaf::<ZeroWindow>(node.alpha, node.beta, node.ply);
        (value <= node.alpha || self.aborted).then_some(value)
    }

    /// Reverse futility: if the evaluation is this far above beta, the few plies left will not bring the
    /// value below beta. Unsound if the opponent has a threat that the evaluation does not see. Reference:
    /// chessprogramming.org, "Reverse Futility Pruning".
    fn reverse_futility(&self, node: &Node) -> Option<Value> {
        let margin = reverse_futility_margin() * (node.depth - i32::from(node.improving));
        let applies = self.techniques.reverse_futility
            && node.depth <= reverse_futility_depth()
            && is_comparable(node, node.beta)
            && !is_decided(node.eval)
            && !node.tt_pv
            && node.tt_move.is_none_or(is_tactical);
        (applies && node.eval - margin >= node.beta).then(|| i32::midpoint(node.eval, node.beta))
    }

    /// Null move: if the side to move reaches beta even after passing, some real move will do at least as
    /// well. Unsound in zugzwang: therefore not tried with only pawns left, nor twice in succession. Cut-offs
    /// at high depth are verified by a search of the moves, without null moves in its upper plies. Reference:
    /// C. Donninger, "Null Move and Deep Search", 1993; E. A. Heinz, "Adaptive Null-Move Pruning", 1999.
    fn null_move(&mut self, node: &Node) -> Option<Value> {
        let RecentMoves([last, ..]) = self.recent(node.ply);
        let passed_last = node.ply > 0 && last.is_none();
        let applies = self.techniques.null_move
            && node.depth >= null_move_depth()
            && node.eval >= node.beta
            && node.static_eval >= node.beta
            && is_comparable(node, node.beta)
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
        // A decided value after a null move proves nothing about the real moves.
        let value = if value >= DECIDED { beta } else { value };
        (self.real_moves_confirm(node, depth) || self.aborted).then_some(value)
    }

    /// Whether the moves of `node`, searched to `depth`, reach beta as the null move has done. At low depth,
    /// and below another such search, they are not searched.
    fn real_moves_confirm(&mut self, node: &Node, depth: i32) -> bool {
        if node.depth < null_move_verify_depth() || self.null_move_from > 0 {
            return true;
        }
        self.null_move_from = node.ply + 1 + depth.max(0) as usize * 3 / 4;
        // Not by another visit to this node: that could end at once by the evaluation, which has not changed.
        let again = Node { alpha: node.beta - 1, depth: depth.max(1), cut_node: false, ..*node };
        let verified = self.search_again(again);
        self.null_move_from = 0;
        verified >= node.beta
    }

    /// ProbCut: a capture that is far above beta in a shallower search will reach beta in the full search.
    /// Unsound like every shallow search. Reference: M. Buro, "ProbCut", 1995; chessprogramming.org,
    /// "ProbCut", describes the variant with captures only by T. Romstad in Stockfish.
    ///
    /// The farther the evaluation is above beta, the shallower the confirming search.
    fn probcut(&mut self, node: &Node) -> Option<Value> {
        let margin = probcut_margin() - if node.improving { probcut_improving() } else { 0 };
        let beta = node.beta + margin;
        let surplus = (node.static_eval - node.beta) / probcut_eval_divisor();
        let depth = node.depth - probcut_reduction() - surplus.clamp(0, 3);
        let denied = node.tt.is_some_and(|tt| tt.bound.is_some() && tt.depth >= depth && tt.value < beta);
        let applies = self.techniques.probcut
            && node.depth >= probcut_depth()
            && is_comparable(node, node.beta)
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
            self.prefetch(m);
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
        Some(if is_decided(value) { value } else { value - margin })
    }

    /// Skips the remaining quiet moves of `node` if none of them is worth searching after the moves `found`
    /// so far.
    pub(super) fn skip_quiets<N: NodeKind>(&mut self, node: &Node, found: &mut Found, picker: &mut Picker) {
        let may_skip = found.is_safe(node) && self.skips_moves::<N>(node) && !node.in_check;
        if !may_skip || !picker.may_have_quiets() {
            return;
        }
        if self.late(node, found.count) {
            self.watcher.skipped(Skip::Late, None);
            picker.skip_quiets();
        } else if let Some(at_most) = self.futile(node, found.count) {
            self.watcher.skipped(Skip::Futile, Some(at_most));
            picker.skip_quiets_without_check(&self.position, self.moves);
            found.assume_at_most(at_most);
        }
    }

    /// Whether a move is skipped because of the material it loses or its history, also in check. Called only
    /// after a move that does not lose has been found ([`Found::is_safe`]).
    pub(super) fn not_worth_it<N: NodeKind>(&self, node: &Node, candidate: Candidate) -> bool {
        self.skips_moves::<N>(node)
            && (self.has_bad_history(node, candidate) || self.loses_too_much(node, candidate))
    }

    /// Whether moves of `node` may be skipped at all: not at the root, whose moves are all compared.
    fn skips_moves<N: NodeKind>(&self, node: &Node) -> bool {
        !N::ROOT && (!N::PV || self.techniques.pv_pruning) && is_comparable(node, node.alpha)
    }

    /// History pruning: a late quiet move that has always failed after such moves will fail again. Unsound if
    /// this position is an exception. Reference: chessprogramming.org, "History Leaf Pruning".
    fn has_bad_history(&self, node: &Node, candidate: Candidate) -> bool {
        let applies = self.techniques.history_pruning
            && !candidate.tactical
            && candidate.move_history.continuation < -history_pruning_margin();
        if !applies {
            return false;
        }
        let depth = depth_after_reduction(node, candidate.number);
        depth <= history_pruning_depth()
            && candidate.move_history.continuation < -history_pruning_margin() * depth.max(1)
    }

    /// SEE pruning: a move that loses this much material near the leaves is skipped; the better its history,
    /// the more it may lose. Unsound for sacrifices.
    fn loses_too_much(&self, node: &Node, candidate: Candidate) -> bool {
        /// The most that history adds or takes away, in centipawns.
        const MOST: i32 = 100;
        let history = candidate.move_history.total;
        let (depth, margin, trust) = if candidate.tactical {
            (node.depth, see_tactical_margin() * node.depth, history / see_tactical_history())
        } else {
            let depth = depth_after_reduction(node, candidate.number).max(0);
            (depth, see_quiet_margin() * depth * depth, history / see_quiet_history())
        };
        self.techniques.see_pruning
            && depth <= see_pruning_depth()
            && !self.position.see_at_least(candidate.m, -(margin + trust.clamp(-MOST, MOST)).max(0))
    }

    /// Late-move pruning: near the leaves, quiet moves late in the order are hardly ever best. Unsound if the
    /// order is wrong. Reference: chessprogramming.org, "Futility Pruning: Move Count Based".
    fn late(&self, node: &Node, count: usize) -> bool {
        let quota = late_move_pruning_base() + node.depth * node.depth;
        let quota = if node.improving { quota } else { quota / 2 };
        self.techniques.late_move_pruning && node.depth <= late_move_pruning_depth() && count as i32 >= quota
    }

    /// Futility: a quiet move gains only a limited amount. If even that leaves the value below alpha, quiet
    /// moves are skipped. Returns that value. Unsound for quiet moves with a threat; moves that give check
    /// are still searched. Reference: E. A. Heinz, "Extended Futility Pruning", 1998.
    fn futile(&self, node: &Node, count: usize) -> Option<Value> {
        if !self.techniques.futility || node.eval + futility_base() > node.alpha {
            return None;
        }
        let depth = depth_after_reduction(node, count);
        let at_most = node.eval + futility_base() + futility_margin() * depth.max(0);
        (depth <= futility_depth() && at_most <= node.alpha).then_some(at_most)
    }
}

/// Whether the evaluation of `node` can be compared with `bound` by a margin.
fn is_comparable(node: &Node, bound: Value) -> bool {
    !is_decided(bound) && (!is_known(bound) || is_known(node.eval))
}

/// The depth to which move `number` of `node` would be searched after reduction, its own ply included:
/// one more than the depth that other engines call `lmrDepth`. All depths of pruning here are such depths, or
/// that of the node.
fn depth_after_reduction(node: &Node, number: usize) -> i32 {
    node.depth - late_move_reduction(node.depth, number) / 100
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::search::{
        history::MoveHistory,
        history_value::MoveRow,
        node::{Pv, Root},
        worker::testing::below_root,
    };

    /// After each of its moves Black is mated. After a null move the search sees no mate for White.
    #[test]
    fn a_null_move_is_verified_by_the_real_moves() {
        below_root("8/7p/7P/8/8/4K2b/R1Q5/6k1 b - - 0 1", |worker| {
            let before = worker.position.legal_moves()[0];
            worker.played.set(0, MoveRow::new(worker.position.turn(), before));
            let mut node = Node::new(-1, 0, 16, 1, false, false);
            worker.assess(&mut node);
            node.beta = node.eval - 700;
            node.alpha = node.beta - 1;
            worker.null_move_from = 1;
            assert!(worker.null_move(&node).is_some(), "not verified below another verification");
            worker.null_move_from = 0;
            assert_eq!(worker.null_move(&node), None);
        });
    }

    /// Otherwise the next technique would play a move beyond the limit of nodes.
    #[test]
    fn a_null_move_ends_the_node_if_the_search_ends_in_its_verification() {
        let ended = |verifies: bool, limit: Option<u64>| {
            below_root("4k3/pp6/8/8/8/8/PP6/R3K3 w - - 0 1", |worker| {
                let before = worker.position.legal_moves()[0];
                worker.played.set(0, MoveRow::new(worker.position.turn(), before));
                let mut node = Node::new(-1, 0, 16, 1, false, false);
                worker.assess(&mut node);
                node.beta = node.eval - 100;
                node.alpha = node.beta - 1;
                worker.null_move_from = usize::from(!verifies);
                if let Some(limit) = limit {
                    worker.end_after(limit);
                }
                (worker.null_move(&node).is_some(), worker.aborted, worker.nodes)
            })
        };
        let (_, _, before_verification) = ended(false, None);
        let end = before_verification + 5;
        assert_eq!(ended(true, Some(end)), (true, true, end));
    }

    #[test]
    fn an_evasion_that_loses_too_much_is_skipped() {
        below_root("4r1k1/8/8/8/8/8/8/3QK3 w - - 0 1", |worker| {
            let is_skipped = |m, depth| {
                let m = worker.position.find_move(m).unwrap();
                let move_history = MoveHistory { total: 0, continuation: 0 };
                let candidate = Candidate { m, number: 2, tactical: false, good: false, move_history };
                worker.not_worth_it::<ZeroWindow>(&Node::new(0, 1, depth, 1, false, true), candidate)
            };
            assert!(is_skipped("d1e2", 1), "the queen for a rook");
            assert!(!is_skipped("d1e2", 8), "the limit grows with the depth");
            assert!(!is_skipped("e1f2", 1));
        });
    }

    #[test]
    fn a_move_with_a_good_history_may_lose_more() {
        below_root("4k3/8/2pp4/3p4/8/5N2/8/3RK3 w - - 0 1", |worker| {
            let is_skipped = |m, tactical, depth, history| {
                let m = worker.position.find_move(m).unwrap();
                let move_history = MoveHistory { total: history, continuation: 0 };
                let candidate = Candidate { m, number: 2, tactical, good: false, move_history };
                worker.loses_too_much(&Node::new(0, 1, depth, 1, false, false), candidate)
            };
            // A rook for a pawn, and a knight for nothing. At depth 4 both may be lost, at depth 3 not.
            for (m, tactical, trust) in
                [("d1d5", true, 100 * see_tactical_history()), ("f3e5", false, 100 * see_quiet_history())]
            {
                let skipped =
                    |depth| [-trust, 0, trust].map(|history| is_skipped(m, tactical, depth, history));
                assert_eq!(skipped(3), [true, true, false], "{m}");
                assert_eq!(skipped(4), [true, false, false], "{m}");
            }
        });
    }

    #[test]
    fn moves_are_skipped_on_the_principal_variation_but_never_at_the_root() {
        below_root("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", |worker| {
            let node = Node::new(0, 100, 4, 1, false, false);
            assert!(worker.skips_moves::<ZeroWindow>(&node) && worker.skips_moves::<Pv>(&node));
            assert!(!worker.skips_moves::<Root>(&node));
            worker.techniques.pv_pruning = false;
            assert!(worker.skips_moves::<ZeroWindow>(&node) && !worker.skips_moves::<Pv>(&node));
        });
    }

    #[test]
    fn probcut_confirms_less_deep_far_above_beta() {
        // The pawn wins the queen; the table then says how deep that was confirmed.
        let confirmed = |surplus| {
            below_root("4k3/8/8/3q4/4P3/8/PPP5/4K3 w - - 0 1", |worker| {
                let mut node = Node::new(-1, 0, 8, 1, false, false);
                (node.static_eval, node.eval) = (surplus, surplus);
                worker.probcut(&node)?;
                worker.shared.table.probe(worker.position.table_key(), 1).map(|entry| entry.depth)
            })
        };
        let (plain, step) = (8 - probcut_reduction() + 1, probcut_eval_divisor());
        let depths = [-step, step - 1, step, 3 * step, 5 * step].map(confirmed);
        assert_eq!(depths, [plain, plain, plain - 1, plain - 3, plain - 3].map(Some));
    }

    #[test]
    fn probcut_asks_the_table_only_for_values_with_a_bound() {
        below_root("4k3/8/8/3q4/4P3/8/P7/4K3 w - - 0 1", |worker| {
            let mut ended = |bound| {
                let entry = Entry { depth: 9, value: -500, bound, ..Entry::default() };
                let mut node = Node { tt: Some(entry), ..Node::new(-101, -100, 6, 1, false, false) };
                node.eval = -600;
                worker.probcut(&node).is_some()
            };
            assert!(!ended(Some(Bound::Upper)), "the table says that it will not reach the window");
            assert!(ended(None), "the value of an entry without a bound means nothing");
        });
    }
}
