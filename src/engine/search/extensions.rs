//! Extensions: moves that are searched deeper than usual.
//!
//! Checks as such are not extended: together with singular extensions this only cost depth (docs/ledger.tsv).

use shakmaty::Move;

use super::{
    node::{Node, NodeKind},
    params::*,
    watcher::Watcher,
    worker::Worker,
};
use crate::{
    chess::{
        position::is_tactical,
        value::{Value, is_decided},
    },
    engine::{
        eval::Evaluator,
        tt::{Bound, Entry},
    },
};

/// The result of the singular test.
pub(super) enum Extension {
    /// Search the move this many plies deeper, or shallower if negative.
    Plies(i32),
    /// The node ends with this value, or the search is over.
    CutOff(Value),
}

impl Extension {
    const NONE: Self = Self::Plies(0);
}

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// Singular extension of `m` if it is the table move.
    ///
    /// All other moves are searched to half the depth, with a window slightly below the table value of `m`.
    /// If none reaches it, `m` is the only good move and is searched one ply deeper. Off the principal
    /// variation it is searched two plies deeper if the others fall far short, or three if `m` is quiet and
    /// they fall very far short. If the value found is at least beta, two moves refute this node:
    /// *multi-cut*. Otherwise, if the table says that `m` reaches beta, or a cut-off is expected anyway, `m`
    /// is searched less deep.
    ///
    /// Nearer the leaves this test costs too much. There `m` is searched one ply deeper if the table says
    /// that it reaches at least its value, and the static evaluation is clearly below alpha: `m` is then
    /// likely to be the only good move. The technique is known from Stormphrax.
    ///
    /// Extensions stop at twice the depth of the iteration, because forced lines might never end. They are
    /// not used at the root, where all moves are compared at the same depth. Reference: T. Anantharaman, M.
    /// Campbell, F. Hsu, "Singular Extensions", 1988; chessprogramming.org, "Singular Extensions" and
    /// "Multi-Cut".
    #[inline]
    pub(super) fn extension<N: NodeKind>(&mut self, node: &Node, m: Move) -> Extension {
        if N::ROOT || node.tt_move != Some(m) {
            return Extension::NONE;
        }
        if node.depth < singular_depth() {
            return Extension::Plies(self.shallow_extension(node).into());
        }
        self.singular_extension::<N>(node, m)
    }

    /// Whether the table move is likely to be singular, without a test.
    #[inline]
    fn shallow_extension(&self, node: &Node) -> bool {
        self.techniques.singular
            && node.tt.is_some_and(|tt| tt.bound == Some(Bound::Lower))
            && !node.in_check
            && node.static_eval + shallow_extension_margin() <= node.alpha
            && !is_decided(node.alpha)
            && self.may_extend(node)
    }

    /// [`extension`](Self::extension) of the table move `m`, by a search of the other moves.
    fn singular_extension<N: NodeKind>(&mut self, node: &Node, m: Move) -> Extension {
        let Some(tt) = node.tt.filter(|tt| self.is_testable(node, tt)) else { return Extension::NONE };
        let beta = tt.value - singular_margin() * node.depth / 16;
        let value = self.search_without(m, node, beta);
        if self.aborted {
            return Extension::CutOff(value);
        }
        if value < beta {
            let trust = self.move_history(node.ply, m).total / singular_history();
            let below = |margin| !N::PV && value < beta - (margin - trust);
            let far = below(double_extension_margin());
            let very_far = far && !is_tactical(m) && below(triple_extension_margin());
            return Extension::Plies(1 + i32::from(far) + i32::from(very_far));
        }
        if value >= node.beta && !is_decided(value) {
            return Extension::CutOff(value);
        }
        Extension::Plies(if tt.value >= node.beta {
            -negative_extension_at_beta()
        } else if node.cut_node {
            -negative_extension()
        } else {
            0
        })
    }

    /// Whether the value of the table move, from its entry `tt`, is good enough for the singular test.
    fn is_testable(&self, node: &Node, tt: &Entry) -> bool {
        self.techniques.singular
            && matches!(tt.bound, Some(Bound::Lower | Bound::Exact))
            && tt.depth >= node.depth - singular_tt_slack()
            && !is_decided(tt.value)
            && self.may_extend(node)
    }

    /// Whether moves of `node` may be searched deeper than usual: up to twice the depth of the iteration.
    pub(super) fn may_extend(&self, node: &Node) -> bool {
        node.ply < 2 * (self.completed as usize + 1)
    }

    /// Searches all moves but `m` to half the depth, with a zero window below `beta`.
    fn search_without(&mut self, m: Move, node: &Node, beta: Value) -> Value {
        let others = Node {
            alpha: beta - 1,
            beta,
            depth: (node.depth - 1) / 2,
            tt_move: None,
            excluded: Some(m),
            ..*node
        };
        self.search_again(others)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::search::{node::ZeroWindow, worker::testing::below_root};

    #[test]
    fn a_quiet_move_far_better_than_the_others_is_searched_three_plies_deeper() {
        below_root("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", |worker| {
            let mut plies = |m: &str| {
                let m = worker.position.find_move(m).unwrap();
                let tt = Entry { value: 2000, depth: 7, bound: Some(Bound::Lower), ..Entry::default() };
                let node = Node::new(0, 1, 7, 1, false, false);
                let node = Node { tt: Some(tt), tt_move: Some(m), ..node };
                match worker.extension::<ZeroWindow>(&node, m) {
                    Extension::Plies(plies) => plies,
                    Extension::CutOff(value) => panic!("another move is worth {value}"),
                }
            };
            assert_eq!(plies("e4e5"), 3);
            assert_eq!(plies("e4d5"), 2, "captures two at most");
        });
    }

    #[test]
    fn a_table_move_that_is_not_singular_is_searched_less_deep() {
        below_root("4k3/7p/8/8/8/8/7P/Q3K3 w - - 0 1", |worker| {
            let m = worker.position.find_move("a1a2").unwrap();
            let mut plies = |value, beta, cut_node| {
                let tt = Entry { value, depth: 7, bound: Some(Bound::Lower), ..Entry::default() };
                let node = Node::new(beta - 1, beta, 7, 1, cut_node, false);
                match worker.extension::<ZeroWindow>(&Node { tt: Some(tt), tt_move: Some(m), ..node }, m) {
                    Extension::Plies(plies) => plies,
                    Extension::CutOff(value) => panic!("another move is worth {value}"),
                }
            };
            assert_eq!(plies(-500, 2000, false), 0);
            assert_eq!(plies(-500, 2000, true), -negative_extension());
        });
    }

    #[test]
    fn near_the_leaves_a_table_move_far_above_the_evaluation_is_searched_a_ply_deeper() {
        below_root("4k3/8/8/3p4/4P3/8/8/4K3 w - - 0 1", |worker| {
            let m = worker.position.find_move("e4d5").unwrap();
            let mut plies = |bound, static_eval, in_check| {
                let tt = Entry { depth: 3, bound: Some(bound), ..Entry::default() };
                let node = Node::new(0, 1, 4, 1, false, in_check);
                let node = Node { tt: Some(tt), tt_move: Some(m), static_eval, ..node };
                match worker.extension::<ZeroWindow>(&node, m) {
                    Extension::Plies(plies) => plies,
                    Extension::CutOff(value) => panic!("another move is worth {value}"),
                }
            };
            let far = -shallow_extension_margin();
            assert_eq!(plies(Bound::Lower, far, false), 1);
            assert_eq!(plies(Bound::Lower, far + 1, false), 0);
            assert_eq!(plies(Bound::Upper, far, false), 0);
            assert_eq!(plies(Bound::Lower, far, true), 0, "there is no evaluation");
        });
    }

    #[test]
    fn a_visit_without_a_move_counts_no_cut_off_of_the_node() {
        below_root("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", |worker| {
            let m = worker.position.find_move("e2e4").unwrap();
            let node = Node::new(0, 1, 4, 1, false, false);
            assert!(worker.search_without(m, &node, -1000) >= -1000, "the other moves reach the window");
            assert_eq!(worker.frames[1].cut_offs, 0);
            worker.search_picked::<ZeroWindow>(&mut Node { alpha: -1001, beta: -1000, ..node });
            assert_eq!(worker.frames[1].cut_offs, 1, "a visit of its own counts");
        });
    }
}
