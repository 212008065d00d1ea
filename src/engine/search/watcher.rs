//! Observes a search from inside: the actual tree, while it is searched.
//!
//! A [`Watcher`] receives every move made, every visit to a node and its end. The search is compiled
//! separately for each kind of watcher. For [`Unwatched`], which plays games, the compiler removes all calls.

use shakmaty::Move;

use crate::chess::value::Value;

/// The parameters of a visit to a node. A node may be visited several times, with other windows and depths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The lower bound of the window, for the side to move.
    pub alpha: Value,
    /// The upper bound of the window, for the side to move.
    pub beta: Value,
    /// Remaining depth in plies; quiescence begins at 0.
    pub depth: i32,
}

/// The reason why a node ended before all its moves were considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The game is drawn.
    Draw,
    /// A mate from here cannot be shorter than one already found.
    MateDistance,
    /// The value in the transposition table was sufficient.
    Table,
    /// The value by the endgame tables was sufficient.
    Tablebase,
    /// The evaluation is far above beta.
    ReverseFutility,
    /// The evaluation is far below alpha, and quiescence also fails low.
    Razoring,
    /// A null move reaches beta.
    NullMove,
    /// A shallower search of a capture is far above beta.
    ProbCut,
    /// More than one move reaches beta.
    MultiCut,
    /// In quiescence: the evaluation reaches beta.
    StandPat,
}

/// Moves that are not searched, although there was no cut-off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skip {
    /// The remaining quiet moves: they come too late in the order.
    Late,
    /// The remaining quiet moves, unless they give check: none can reach alpha.
    Futile,
    /// This move: it loses too much material, or its history is too bad.
    One(Move),
    /// In quiescence: captures that win too little to reach alpha.
    Small,
    /// In quiescence: the remaining quiet moves out of check.
    Evasions,
}

/// Observes one thread of a search. The calls are properly nested: everything searched below a node comes
/// between its [`enter`](Self::enter) and [`leave`](Self::leave), and below a move between its `make` and
/// `unmake`.
pub trait Watcher: Send {
    /// A move is made; `None` is a null move.
    #[inline]
    fn make(&mut self, m: Option<Move>) {
        let _ = m;
    }

    /// The last move is taken back.
    #[inline]
    fn unmake(&mut self) {}

    /// The current position is visited. If no other visit is open, it is the root, and a new search of it
    /// begins: the next iteration, or a repetition with a wider window.
    #[inline]
    fn enter(&mut self, visit: Visit) {
        let _ = visit;
    }

    /// The node visited last is searched with reduced depth.
    #[inline]
    fn reduced(&mut self, depth: i32) {
        let _ = depth;
    }

    /// The node visited last skips moves, on the assumption that each is worth at most `at_most` or, if that
    /// is `None`, no more than the best move searched. The value of the node will be at least that, except in
    /// a visit with an excluded move.
    #[inline]
    fn skipped(&mut self, skip: Skip, at_most: Option<Value>) {
        let _ = (skip, at_most);
    }

    /// The node visited last is about to end early.
    #[inline]
    fn ended(&mut self, why: Why) {
        let _ = why;
    }

    /// The visit begun last ends with `value`, for the side to move.
    #[inline]
    fn leave(&mut self, value: Value) {
        let _ = value;
    }
}

/// No watcher.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Watcher for Unwatched {}

impl<W: Watcher> Watcher for &mut W {
    fn make(&mut self, m: Option<Move>) {
        (**self).make(m);
    }

    fn unmake(&mut self) {
        (**self).unmake();
    }

    fn enter(&mut self, visit: Visit) {
        (**self).enter(visit);
    }

    fn reduced(&mut self, depth: i32) {
        (**self).reduced(depth);
    }

    fn skipped(&mut self, skip: Skip, at_most: Option<Value>) {
        (**self).skipped(skip, at_most);
    }

    fn ended(&mut self, why: Why) {
        (**self).ended(why);
    }

    fn leave(&mut self, value: Value) {
        (**self).leave(value);
    }
}
