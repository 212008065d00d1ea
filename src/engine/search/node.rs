//! The kinds of node, as types; the state of one visit to a node; and what a search keeps for each ply of the
//! line.
//!
//! ```text
//!  Root -> Pv -> Pv -> ...                     the open window
//!     \     \     \
//!      ZeroWindow -> ZeroWindow -> ...         the zero window
//! ```
//!
//! A [`Node`] is what one visit knows, and ends with it. A [`Frame`] is what nodes of other plies read of a
//! ply. [`MovesPlayed`] is separate, because it also has plies before the root, and [`Variations`], because
//! they are large and only nodes with an open window have them.

use arrayvec::ArrayVec;
use shakmaty::Move;

use super::{
    history::Context,
    history_value::{MoveRow, RecentMoves},
};
use crate::{
    chess::value::{DRAW, INFINITE, MAX_PLY, Value, mated_in},
    engine::tt::Entry,
};

/// A kind of node. The type fixes the kind of its children, so an impossible transition does not compile.
pub(super) trait NodeKind {
    /// Whether the node is the root of the search.
    const ROOT: bool;

    /// Whether the node is searched with an open window, for an exact value.
    const PV: bool;

    /// The kind of a child that is searched with the node's own window. Every child may be searched as
    /// [`ZeroWindow`] first.
    type Child: NotRoot;
}

/// A kind of node below the root.
pub(super) trait NotRoot: NodeKind {}

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

impl NotRoot for Pv {}

impl NotRoot for ZeroWindow {}

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
    /// `raw_eval` damped by the fifty-move rule and corrected by the correction history; meaningless in
    /// check.
    pub(super) static_eval: Value,
    /// The part of `static_eval` that the correction history added.
    pub(super) correction: Value,
    /// The evaluation used for pruning: `static_eval`, replaced by the table's value if that bounds it more
    /// tightly.
    pub(super) eval: Value,
    /// Whether the static evaluation is better than at the last turn of the side to move, or, if it was in
    /// check then, at the turn before.
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

    /// The value of a node without legal moves: mate or stalemate.
    pub(super) fn value_without_moves(&self) -> Value {
        if self.in_check { mated_in(self.ply) } else { DRAW }
    }

    /// `static_eval`, replaced by the table's value if that bounds it more tightly.
    pub(super) fn tightened_eval(&self) -> Value {
        let bounded = self.tt.and_then(|entry| Some((entry.bound?, entry.value)));
        bounded.map_or(self.static_eval, |(bound, value)| bound.tighten(self.static_eval, value))
    }
}

/// A variation.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// The state of one ply.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    /// The corrected static evaluation at this ply; `None` in check.
    pub(super) static_eval: Option<Value>,
    /// The move played at this ply, if it is quiet.
    pub(super) quiet: Option<Move>,
    /// The number of the move played at this ply in the order of its node, from 1; only in the main search.
    pub(super) number: u16,
    /// The late-move reduction of the move played at this ply, in plies; 0 while it is searched to full
    /// depth.
    pub(super) reduction: i32,
    /// What the histories of the quiet moves at this ply depend on; `None` if not yet computed.
    pub(super) context: Option<Context>,
    /// The number of nodes at this ply that have failed high since the node two plies above was entered: a
    /// measure of how bad the moves that lead to this ply are.
    pub(super) cut_offs: u32,
}

const _: () = assert!(size_of::<Frame>() == 64, "a power of two, so that frames are quick to find");

impl Frame {
    /// Clears the frame of the last search.
    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }
}

/// The moves played at the plies of the current line. The plies before the root have entries too, which are
/// no moves, so that looking back needs no conditions.
#[derive(Debug)]
pub(super) struct MovesPlayed([MoveRow; Self::BEFORE_ROOT + MAX_PLY + 2]);

impl Default for MovesPlayed {
    fn default() -> Self {
        Self([MoveRow::default(); Self::BEFORE_ROOT + MAX_PLY + 2])
    }
}

impl MovesPlayed {
    /// How far a [`RecentMoves`] looks back.
    const BEFORE_ROOT: usize = 4;

    /// Records the move played at `ply`.
    #[inline]
    pub(super) fn set(&mut self, ply: usize, played: MoveRow) {
        self.0[Self::BEFORE_ROOT + ply] = played;
    }

    /// The moves that led to the node at `ply`.
    #[inline]
    pub(super) fn before(&self, ply: usize) -> RecentMoves {
        // No node is deeper. The compiler then knows that no index is out of bounds.
        let here = Self::BEFORE_ROOT + ply.min(MAX_PLY + 1);
        RecentMoves([self.0[here - 1], self.0[here - 2], self.0[here - 4]])
    }
}

/// The frames of a line, one more than the longest line reaches.
pub(super) type Frames = [Frame; MAX_PLY + 2];

/// Returns the frames of a line.
pub(super) fn stack() -> Box<Frames> {
    vec![Frame::default(); MAX_PLY + 2].try_into().expect("as many frames")
}

/// The principal variations, from each ply on. Only nodes with an open window set theirs; the variations at
/// the plies of other nodes are stale. They are separate from the frames, which every node uses and which
/// must stay small.
#[derive(Debug)]
pub(super) struct Variations(Vec<Line>);

impl Default for Variations {
    fn default() -> Self {
        Self(vec![Line::new(); MAX_PLY + 2])
    }
}

impl Variations {
    /// The variation from `ply` on.
    pub(super) fn at(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }

    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Sets the variation of `ply` to `m` followed by the variation of the next ply.
    pub(super) fn extend(&mut self, ply: usize, m: Move) {
        let [parent, child] = &mut self.0[ply..ply + 2] else { return };
        parent.clear();
        parent.push(m);
        let room = parent.remaining_capacity();
        parent.extend(child.iter().copied().take(room));
    }
}
