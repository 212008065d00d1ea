//! Reductions: nodes and moves that are searched less deep than usual.

use super::{
    node::{Node, NodeKind},
    params::*,
    picker::Candidate,
    watcher::Watcher,
    worker::Worker,
};
use crate::{chess::position::is_tactical, engine::eval::Evaluator};

/// Natural logarithms of 1 to 63, in 1/100.
const LOGARITHMS: [i32; 64] = logarithms();

const fn logarithms() -> [i32; 64] {
    let mut table = [0; 64];
    let mut logarithm = 0.0;
    let mut number = 1;
    while number < 63 {
        // ln((n+1)/n) = 2 artanh(1/(2n+1)), whose series converges quickly.
        let x = 1.0 / (2 * number + 1) as f64;
        let cube = x * x * x;
        logarithm += 2.0 * (x + cube / 3.0 + cube * x * x / 5.0 + cube * cube * x / 7.0);
        number += 1;
        table[number] = (100.0 * logarithm + 0.5) as i32;
    }
    table
}

/// The reduction by depth and move number alone, in 1/100 ply.
pub(super) fn late_move_reduction(depth: i32, number: usize) -> i32 {
    let product = LOGARITHMS[depth.clamp(0, 63) as usize] * LOGARITHMS[number.min(63)];
    late_move_reduction_base() + product / late_move_reduction_divisor()
}

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// Internal iterative reduction: without a table move the order is poor, so the node is searched less
    /// deep now. The result provides a table move for the next visit. High in the tree a node loses a ply
    /// more if a cut-off is expected, and a ply if the search that found its table move was much shallower.
    /// Reference: E. Schröder, "Internal Iterative Reductions", talkchess 2020.
    pub(super) fn internal_reduction(&self, node: &mut Node) {
        if !self.techniques.internal_reduction {
            return;
        }
        let unknown = node.tt_move.is_none();
        node.depth -= i32::from(unknown && node.depth >= internal_reduction_depth());
        let outdated = node.tt.is_some_and(|tt| tt.depth + internal_reduction_lag() <= node.depth);
        let more = if unknown { node.cut_node } else { outdated };
        node.depth -= i32::from(more && !node.in_check && node.depth >= internal_reduction_more_depth());
    }

    /// Changes the depth of a node whose move was reduced, now that its static evaluation is known.
    ///
    /// If the evaluation has become clearly worse for the side that moved, the move is most likely as bad as
    /// expected, and one ply less is enough to show it. If it has not become worse, a large reduction was too
    /// large: one ply is given back. The technique is known from Stockfish.
    pub(super) fn hindsight(&self, node: &mut Node) {
        let parent = &self.frames[node.ply - 1];
        let Some(before) = parent.static_eval.filter(|_| parent.reduction >= 2 && !node.in_check) else {
            return;
        };
        let loss = node.static_eval + before;
        if loss > hindsight_margin() {
            node.depth = (node.depth - 1).max(1);
        } else if loss <= 0 && parent.reduction >= 3 {
            node.depth += 1;
        }
    }

    /// Late-move reduction of a move of `node`, in plies; 0 means full depth, −1 a ply more.
    ///
    /// The later a move comes in the order, the less likely it is best. It is first searched shallower, and
    /// at full depth only if it exceeds alpha. A move with a very good history may be searched a ply deeper
    /// instead, which is known from Stockfish. The caller exempts captures that do not lose material.
    /// Reference: T. Romstad, "An Introduction to Late Move Reductions"; chessprogramming.org, "Late Move
    /// Reductions".
    pub(super) fn reduction<N: NodeKind>(&self, node: &Node, candidate: Candidate) -> i32 {
        let first = if N::PV { 3 } else { 2 };
        if !self.techniques.late_move_reductions
            || node.depth < late_move_reduction_depth()
            || candidate.number < first
        {
            return 0;
        }
        let mut reduction = late_move_reduction(node.depth, candidate.number);
        if node.tt_pv {
            reduction -= lmr_near_pv() + if N::PV { lmr_pv() } else { 0 };
        }
        if node.cut_node {
            reduction += lmr_cut_node();
        }
        if !node.improving {
            reduction += lmr_not_improving();
        }
        if node.in_check {
            reduction -= lmr_check();
        }
        if node.tt_move.is_some_and(is_tactical) {
            reduction += lmr_table_tactical();
        }
        if self.frames[node.ply + 1].cut_offs > 3 {
            reduction += lmr_cut_offs();
        }
        reduction -= node.correction.abs() * lmr_correction() / 100;
        reduction -= 100 * candidate.move_history.total / lmr_history();
        (reduction / 100).max(if self.may_extend(node) { -1 } else { 0 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::position::Position,
        engine::{
            search::{history::MoveHistory, node::ZeroWindow, worker::testing::below_root},
            tt::Entry,
        },
    };

    const MIDDLEGAME: &str = "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7";

    #[test]
    fn a_large_correction_reduces_less() {
        let m = Position::from_fen(MIDDLEGAME).unwrap().find_move("a2a3").unwrap();
        let move_history = MoveHistory { total: 0, continuation: 0 };
        let candidate = Candidate { m, number: 20, tactical: false, good: false, move_history };
        let reduction = |correction| {
            let node = Node { correction, ..Node::new(0, 1, 12, 1, true, false) };
            below_root(MIDDLEGAME, |worker| worker.reduction::<ZeroWindow>(&node, candidate))
        };
        let plain = reduction(0);
        assert!(plain > 2, "{plain}");
        let one_ply = 10_000 / lmr_correction();
        assert_eq!([one_ply, -one_ply].map(reduction), [plain - 1; 2], "either sign");
    }

    #[test]
    fn a_very_good_history_adds_a_ply_up_to_twice_the_depth_of_the_iteration() {
        let m = Position::from_fen(MIDDLEGAME).unwrap().find_move("a2a3").unwrap();
        let reduction = |history, ply| {
            let move_history = MoveHistory { total: history, continuation: 0 };
            let candidate = Candidate { m, number: 4, tactical: false, good: false, move_history };
            let node = Node::new(0, 1, 3, ply, false, false);
            below_root(MIDDLEGAME, |worker| worker.reduction::<ZeroWindow>(&node, candidate))
        };
        assert_eq!(reduction(0, 1), 1);
        assert_eq!(reduction(5 * lmr_history(), 1), -1, "never more than one");
        assert_eq!(reduction(5 * lmr_history(), 2), 0, "before the first iteration is complete");
    }

    #[test]
    fn in_check_a_move_is_reduced_less() {
        let m = Position::from_fen(MIDDLEGAME).unwrap().find_move("a2a3").unwrap();
        let move_history = MoveHistory { total: 0, continuation: 0 };
        let candidate = Candidate { m, number: 20, tactical: false, good: false, move_history };
        let reduction = |in_check| {
            let node = Node::new(0, 1, 12, 1, true, in_check);
            below_root(MIDDLEGAME, |worker| worker.reduction::<ZeroWindow>(&node, candidate))
        };
        assert_eq!(reduction(false) - reduction(true), lmr_check() / 100);
    }

    #[test]
    fn without_a_good_table_move_a_node_is_searched_less_deep() {
        let m = Position::from_fen(MIDDLEGAME).unwrap().find_move("a2a3").unwrap();
        let loss = |depth, found_at: Option<i32>, cut_node, in_check| {
            let tt = found_at.map(|depth| Entry { depth, ..Entry::default() });
            let mut node =
                Node { tt, tt_move: tt.map(|_| m), ..Node::new(0, 1, depth, 1, cut_node, in_check) };
            below_root(MIDDLEGAME, |worker| worker.internal_reduction(&mut node));
            depth - node.depth
        };
        let [low, high] = [internal_reduction_depth(), internal_reduction_more_depth() + 1];
        assert_eq!([low - 1, low, high].map(|depth| loss(depth, None, false, false)), [0, 1, 1]);
        assert_eq!([low, high].map(|depth| loss(depth, None, true, false)), [1, 2], "an expected cut-off");
        assert_eq!(loss(high, None, true, true), 1, "in check");
        let lag = internal_reduction_lag();
        assert_eq!(
            [lag - 1, lag].map(|lag| loss(high, Some(high - lag), false, false)),
            [0, 1],
            "an old move"
        );
    }

    #[test]
    fn the_evaluation_after_a_reduced_move_changes_its_depth() {
        let depth_after = |reduction, before, now| {
            below_root(MIDDLEGAME, |worker| {
                worker.frames[0].reduction = reduction;
                worker.frames[0].static_eval = before;
                let mut node = Node { static_eval: now, ..Node::new(0, 1, 8, 1, true, false) };
                worker.hindsight(&mut node);
                node.depth
            })
        };
        let beyond = hindsight_margin() + 1;
        assert_eq!(depth_after(2, Some(0), beyond), 7);
        assert_eq!(depth_after(2, Some(0), hindsight_margin()), 8, "too small a change");
        assert_eq!(depth_after(1, Some(0), beyond), 8, "hardly reduced");
        assert_eq!(depth_after(2, Some(-beyond), beyond), 8, "it was as bad before");
        assert_eq!(depth_after(2, None, beyond), 8, "unknown in check");
        assert_eq!(depth_after(3, Some(50), -50), 9, "reduced too much");
        assert_eq!(depth_after(3, Some(50), -49), 8);
        assert_eq!(depth_after(2, Some(50), -50), 8, "reduced only a little");
    }

    #[test]
    fn the_series_is_the_logarithm() {
        for (number, &logarithm) in LOGARITHMS.iter().enumerate().skip(1) {
            let exact = 100.0 * (number as f64).ln();
            assert!((f64::from(logarithm) - exact).abs() <= 0.6, "ln {number}: {logarithm}");
        }
    }
}
