//! The kinds of node, as types, and the state of one visit to a node.
//!
//! ```text
//!  Root -> Pv -> Pv -> ...                     the open window
//!     \     \     \
//!      ZeroWindow -> ZeroWindow -> ...         the zero window
//! ```

use shakmaty::Move;

use crate::{
    tt::Entry,
    value::{INFINITE, Value},
};

/// A kind of node. The type fixes the kind of its children, so an impossible transition does not compile.
pub(super) trait NodeKind {
    /// Whether the node is the root of the search.
    const ROOT: bool;

    /// Whether the node is searched with an open window, for an exact value.
    const PV: bool;

    /// The kind of a child that is searched with the node's own window. Every child may be searched as [`ZeroWindow`]
    /// first.
    type Child: Below;
}

/// A kind of node below the root.
pub(super) trait Below: NodeKind {}

/// The root: always searched with an open window; no move is skipped here.
pub(super) struct Root;

/// A node on the principal variation, searched with an open window.
pub(super) struct Pv;

/// A node searched with a zero window, only to learn on which side of it the value lies.
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

/// The state of one visit to a node; the steps of [`negamax`](super::negamax) fill it in and read it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    /// The lower bound of the window, for the side to move.
    pub(super) alpha: Value,
    /// The upper bound of the window, for the side to move.
    pub(super) beta: Value,
    /// Plies left to search.
    pub(super) depth: i32,
    /// Plies from the root.
    pub(super) ply: usize,
    /// Whether the parent expects this node to fail high.
    pub(super) cut_node: bool,
    pub(super) in_check: bool,
    /// The table entry, if there is one.
    pub(super) tt: Option<Entry>,
    /// The move of the table entry, if legal here.
    pub(super) tt_move: Option<Move>,
    /// The evaluator's value; `None` in check.
    pub(super) raw_eval: Option<Value>,
    /// `raw_eval` damped by the fifty-move rule and corrected by the correction history; meaningless in check.
    pub(super) static_eval: Value,
    /// The part of `static_eval` that the correction history added.
    pub(super) correction: Value,
    /// The evaluation used for pruning: `static_eval`, replaced by the table's value if that bounds it more tightly.
    pub(super) eval: Value,
    /// Whether the static evaluation is better than at the last turn of the side to move, or, if it was in check then, at
    /// the turn before.
    pub(super) improving: bool,
    /// Whether the position was on a principal variation or next to one, now or at an earlier visit.
    pub(super) tt_pv: bool,
    /// The lower bound of the value by the endgame tables.
    pub(super) floor: Value,
    /// The upper bound of the value by the endgame tables.
    pub(super) ceiling: Value,
    /// The move excluded from this visit, which tests whether any other move is nearly as good.
    pub(super) excluded: Option<Move>,
}

impl Node {
    /// Returns a visit with what its parent knows.
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
            correction: 0,
            eval: -INFINITE,
            improving: false,
            tt_pv: false,
            floor: -INFINITE,
            ceiling: INFINITE,
            excluded: None,
        }
    }
}
