//! Which moves are searched deeper than usual.
//!
//! Checks are not extended as such: since singular moves are, it only cost depth (CHANGELOG.md).

use shakmaty::Move;

use super::{
    node::{Node, NodeKind, ZeroWindow},
    params::{
        double_extension_margin, negative_extension, singular_depth, singular_margin, singular_tt_slack,
    },
    watcher::Watcher,
    worker::Worker,
};
use crate::{
    eval::Evaluator,
    tt::Bound,
    value::{Value, is_decided},
};

/// What looking for a singular move has led to.
pub(super) enum Extension {
    /// Search the move by so many plies deeper, or less deep if negative.
    Plies(i32),
    /// The node need not be searched at all, or the search is over.
    CutOff(Value),
}

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// Singular extension of `m` if it is the table's move.
    ///
    /// All other moves are searched to half the depth, through a window a little below what the table says `m` is worth.
    /// If none gets there, `m` is the only good move and is searched one ply deeper (two if the others fall far short).
    /// If one gets there and even that is beyond beta, two moves refute this node: *multi-cut*. Else, where the table
    /// says that `m` holds beta, or a cut is expected anyway, it hardly needs its full depth.
    /// Not beyond twice the depth of the iteration, or forced lines would never end; and not at the root, where every move
    /// is to be compared at the same depth.
    /// Reference: T. Anantharaman, M. Campbell, F. Hsu, "Singular Extensions", 1988; chessprogramming.org, "Singular
    /// Extensions" and "Multi-Cut".
    #[inline]
    pub(super) fn extension<N: NodeKind>(&mut self, node: &Node, m: Move) -> Extension {
        if N::ROOT || node.depth < singular_depth() || node.tt_move != Some(m) {
            return Extension::Plies(0);
        }
        self.singular_extension::<N>(node, m)
    }

    /// [`extension`](Self::extension) of the table's move, `m`. Out of line: the loop over the moves should not prepare for it.
    #[inline(never)]
    fn singular_extension<N: NodeKind>(&mut self, node: &Node, m: Move) -> Extension {
        let Some(tt) = node.tt.filter(|tt| {
            self.shared.techniques.singular
                && matches!(tt.bound, Some(Bound::Lower | Bound::Exact))
                && tt.depth >= node.depth - singular_tt_slack()
                && !is_decided(tt.value)
                && node.ply < 2 * (self.completed as usize + 1)
        }) else {
            return Extension::Plies(0);
        };
        let beta = tt.value - singular_margin() * node.depth / 16;
        let value = self.search_without(m, node, beta);
        if self.aborted {
            return Extension::CutOff(value);
        }
        if value < beta {
            let far = !N::PV && value < beta - double_extension_margin();
            return Extension::Plies(1 + i32::from(far));
        }
        if value >= node.beta && !is_decided(value) {
            return Extension::CutOff(value);
        }
        let hopeless = tt.value >= node.beta || node.cut_node;
        Extension::Plies(if hopeless { -negative_extension() } else { 0 })
    }

    /// Whether any move but `m` reaches `beta`, to half the depth.
    fn search_without(&mut self, m: Move, node: &Node, beta: Value) -> Value {
        let mut others = Node {
            alpha: beta - 1,
            beta,
            depth: (node.depth - 1) / 2,
            tt_move: None,
            excluded: Some(m),
            ..*node
        };
        self.visit(beta - 1, beta, others.depth, |worker| worker.search_picked::<ZeroWindow>(&mut others))
    }
}
