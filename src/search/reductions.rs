//! Reductions: nodes and moves that are searched less deep than usual.

use super::{
    moves::Candidate,
    node::{Node, NodeKind},
    params::{
        hindsight_margin, internal_reduction_depth, late_move_reduction_base, late_move_reduction_depth,
        late_move_reduction_divisor, lmr_correction, lmr_cut_node, lmr_cut_offs, lmr_history, lmr_near_pv,
        lmr_not_improving, lmr_pv, lmr_table_tactical,
    },
    picker::is_tactical,
    watcher::Watcher,
    worker::Worker,
};
use crate::eval::Evaluator;

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
pub(super) fn late_move_reduction(depth: i32, count: usize) -> i32 {
    let product = LOGARITHMS[depth.clamp(0, 63) as usize] * LOGARITHMS[count.min(63)];
    late_move_reduction_base() + product / late_move_reduction_divisor()
}

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// Internal iterative reduction: without a table move the order is poor, so the node is searched shallower now. The
    /// result provides a table move for the next visit. Reference: E. Schröder, "Internal Iterative Reductions",
    /// talkchess 2020.
    pub(super) fn internal_reduction(&self, node: &mut Node) {
        let applies = self.shared.techniques.internal_reduction
            && node.depth >= internal_reduction_depth()
            && node.tt_move.is_none();
        node.depth -= i32::from(applies);
    }

    /// Hindsight reduction: if the move to this node was reduced, and the static evaluation has changed in favour of
    /// the side to move since then, the move is most likely as bad as expected, and one ply less is enough to show it.
    /// Reference: Stockfish, "hindsight" depth adjustment.
    pub(super) fn hindsight_reduction(&self, node: &mut Node) {
        let parent = &self.frames[node.ply - 1];
        let applies = parent.reduction >= 2
            && node.depth >= 2
            && !node.in_check
            && parent.static_eval.is_some_and(|before| node.static_eval + before > hindsight_margin());
        node.depth -= i32::from(applies);
    }

    /// Late-move reduction of a move of `node`, in plies; 0 means full depth.
    ///
    /// The later a move comes in the order, the less likely it is best. It is first searched shallower, and at full
    /// depth only if it exceeds alpha. The caller exempts captures that do not lose material. Reference: T. Romstad,
    /// "An Introduction to Late Move Reductions"; chessprogramming.org, "Late Move Reductions".
    pub(super) fn reduction<N: NodeKind>(&self, node: &Node, candidate: Candidate) -> i32 {
        let first = if N::PV { 3 } else { 2 };
        if !self.shared.techniques.late_move_reductions
            || node.depth < late_move_reduction_depth()
            || candidate.count < first
            || node.in_check
        {
            return 0;
        }
        let mut reduction = late_move_reduction(node.depth, candidate.count);
        if node.tt_pv {
            reduction -= lmr_near_pv() + if N::PV { lmr_pv() } else { 0 };
        }
        if node.cut_node {
            reduction += lmr_cut_node();
        }
        if !node.improving {
            reduction += lmr_not_improving();
        }
        if node.tt_move.is_some_and(is_tactical) {
            reduction += lmr_table_tactical();
        }
        if self.frames[node.ply + 1].cut_offs > 3 {
            reduction += lmr_cut_offs();
        }
        reduction -= node.correction.abs() * lmr_correction() / 100;
        reduction -= 100 * candidate.experience.history / lmr_history();
        (reduction / 100).max(0)
    }

    /// The reduction of the move just made, reduced by one ply if it gives check.
    pub(super) fn spare_checks(&self, reduction: i32) -> i32 {
        reduction - i32::from(reduction > 0 && self.position.is_check())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_series_is_the_logarithm() {
        for (number, &logarithm) in LOGARITHMS.iter().enumerate().skip(1) {
            let exact = 100.0 * (number as f64).ln();
            assert!((f64::from(logarithm) - exact).abs() <= 0.6, "ln {number}: {logarithm}");
        }
    }
}
