//! The kinds of node, as types, and what one visit to a node knows.
//!
//! ```text
//!  Root -> Pv -> Pv -> ...                     the open window
//!     \     \     \
//!      ZeroWindow -> ZeroWindow -> ...         the empty window
//! ```

use shakmaty::Move;

use crate::{
    tt::Entry,
    value::{INFINITE, Value},
};

/// A kind of node. Which kind a child has is fixed by the type, so an impossible transition does not compile.
pub(super) trait NodeKind {
    /// Whether the node is the root of the search.
    const ROOT: bool;

    /// Whether the node is searched with an open window and its value is wanted exactly.
    const PV: bool;

    /// The kind of a child that is searched with the node's own window. Any child may be a [`ZeroWindow`] first.
    type Child: Below;
}

/// A kind of node below the root.
pub(super) trait Below: NodeKind {}

/// The root: always searched with an open window, never pruned.
pub(super) struct Root;

/// A node on the principal variation, searched with an open window.
pub(super) struct Pv;

/// A node searched with an empty window, only to learn on which side of it its value lies.
pub(super) struct ZeroWindow;

impl NodeKind for Root {
    const ROOT: bool = true;
    const PV: bool = true;
    type Child = Pv;
}

impl NodeKind for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
    type Child = Pv;
}

impl NodeKind for ZeroWindow {
    const ROOT: bool = false;
    const PV: bool = false;
    type Child = ZeroWindow;
}

impl Below for Pv {}

impl Below for ZeroWindow {}

/// What a visit to a node knows; the steps of [`negamax`](super::negamax) fill it in and read it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The value the side to move is already sure of elsewhere.
    pub(super) alpha: Value,
    /// The value from which on the opponent avoids this node.
    pub(super) beta: Value,
    /// Plies left to search.
    pub(super) depth: i32,
    /// Plies from the root.
    pub(super) ply: usize,
    /// Whether the parent expects this node to fail high.
    pub(super) cut_node: bool,
    pub(super) in_check: bool,
    /// What the table knows.
    pub(super) tt: Option<Entry>,
    /// The table's move, legal here.
    pub(super) tt_move: Option<Move>,
    /// What the evaluator says; `None` in check.
    pub(super) raw_eval: Option<Value>,
    /// `raw_eval` corrected by experience; meaningless in check.
    pub(super) static_eval: Value,
    /// The evaluation that pruning goes by: `static_eval`, moved by the table's bound where that is tighter.
    pub(super) eval: Value,
    /// Whether the side to move stands better than at its last turn.
    pub(super) improving: bool,
    /// Whether the position was on, or beside, a principal variation, now or at an earlier visit.
    pub(super) tt_pv: bool,
    /// What the endgame tables say the node is worth at least.
    pub(super) floor: Value,
    /// What the endgame tables say the node is worth at most.
    pub(super) ceiling: Value,
    /// The one move not to be searched: whether any other is nearly as good is what this visit is to find out.
    pub(super) excluded: Option<Move>,
}

impl Node {
    /// A visit of which only what the parent says is known yet.
    #[inline]
    pub(super) fn new(
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        cut_node: bool,
        in_check: bool,
    ) -> Self {
        Self {
            alpha,
            beta,
            depth,
            ply,
            cut_node,
            in_check,
            tt: None,
            tt_move: None,
            raw_eval: None,
            static_eval: -INFINITE,
            eval: -INFINITE,
            improving: false,
            tt_pv: false,
            floor: -INFINITE,
            ceiling: INFINITE,
            excluded: None,
        }
    }
}
