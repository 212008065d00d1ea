//! How deep each move is searched: extensions and reductions.

use std::sync::LazyLock;

use shakmaty::Move;

use super::{
    node::{Node, NodeKind},
    params::{
        INTERNAL_REDUCTION_DEPTH, LATE_MOVE_REDUCTION_BASE, LATE_MOVE_REDUCTION_DEPTH,
        LATE_MOVE_REDUCTION_DIVISOR, LATE_MOVE_REDUCTION_HISTORY,
    },
    picker::is_tactical,
    worker::Worker,
};
use crate::eval::Evaluator;

/// Plies by which the `count`-th move at `depth` is reduced before anything else is known about it, in 1/100 ply.
static REDUCTIONS: LazyLock<[[i32; 64]; 64]> = LazyLock::new(|| {
    let mut table = [[0; 64]; 64];
    for (depth, row) in table.iter_mut().enumerate().skip(1) {
        for (count, cell) in row.iter_mut().enumerate().skip(1) {
            let product = (depth as f64).ln() * (count as f64).ln();
            let divisor = f64::from(LATE_MOVE_REDUCTION_DIVISOR) / 100.0;
            *cell = LATE_MOVE_REDUCTION_BASE + (100.0 * product / divisor) as i32;
        }
    }
    table
});

/// The reduction that the place in the order alone suggests, in plies.
pub(super) fn late_move_reduction(depth: i32, count: usize) -> i32 {
    REDUCTIONS[depth.clamp(0, 63) as usize][count.min(63)] / 100
}

impl<E: Evaluator> Worker<'_, E> {
    /// Check extension: a side in check has few replies and cannot do what it wants, so the line is followed one ply
    /// farther; not beyond twice the depth of the iteration, or perpetual checks would explode.
    pub(super) fn check_extension(&self, in_check: bool, ply: usize) -> i32 {
        let room = ply < 2 * (self.completed as usize + 1);
        i32::from(in_check && room && self.shared.techniques.check_extension)
    }

    /// Internal iterative reduction: without a move from the table the order is poor, and a shallower search now, which
    /// leaves a move behind for the next visit, is the better investment.
    /// Reference: E. Schröder, "Internal Iterative Reductions", talkchess 2020.
    pub(super) fn internal_reduction(&self, node: &mut Node) {
        let applies = self.shared.techniques.internal_reduction
            && node.depth >= INTERNAL_REDUCTION_DEPTH
            && node.tt_move.is_none();
        node.depth -= i32::from(applies);
    }

    /// Late-move reduction of `m`, the `count`-th move of `node`, in plies; 0 means full depth.
    ///
    /// The later a move comes in the order, the less likely it is best; it is searched shallower first and again at
    /// full depth only if it surprises. Captures that win or hold material are spared by the caller.
    /// Reference: T. Romstad, "An Introduction to Late Move Reductions"; chessprogramming.org, "Late Move Reductions".
    pub(super) fn reduction<N: NodeKind>(&self, node: &Node, m: Move, count: usize) -> i32 {
        let first = if N::PV { 3 } else { 2 };
        if !self.shared.techniques.late_move_reductions
            || node.depth < LATE_MOVE_REDUCTION_DEPTH
            || count < first
            || node.in_check
        {
            return 0;
        }
        let mut reduction = late_move_reduction(node.depth, count);
        reduction -= i32::from(N::PV);
        reduction += i32::from(node.cut_node);
        reduction += i32::from(!node.improving);
        if !is_tactical(m) {
            let history = self.histories.quiet(self.position.turn(), m);
            reduction -= history / LATE_MOVE_REDUCTION_HISTORY;
        }
        reduction.clamp(0, node.depth - 2)
    }

    /// The reduction of the move just made, one ply less if it gives check.
    pub(super) fn spare_checks(&self, reduction: i32) -> i32 {
        reduction - i32::from(reduction > 0 && self.position.is_check())
    }
}
