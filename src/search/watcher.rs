//! Watching a search from inside: the tree it really walks through, as it walks.
//!
//! A [`Watcher`] is told of every move made, every visit to a node and how it ended. The search is compiled once for each
//! kind of watcher, so that for [`Unwatched`], which is how Zugwerk plays, nothing of this is left in the program.

use shakmaty::Move;

use crate::value::Value;

/// What is asked of a node when it is visited. A node may be visited more than once, with other windows and depths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Visit {
    /// The lower end of the window, for the side to move.
    pub alpha: Value,
    /// The upper end of the window, for the side to move.
    pub beta: Value,
    /// Plies to search; quiescence begins at 0.
    pub depth: i32,
}

/// Why a node was left before all its moves were considered.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Why {
    /// The game is drawn.
    Draw,
    /// No mate from here can be sooner than one already found.
    MateDistance,
    /// The transposition table knew enough.
    Table,
    /// The endgame tables knew enough.
    Tablebase,
    /// The evaluation is far above beta.
    ReverseFutility,
    /// The evaluation is far below alpha, and quiescence does not mend it.
    Razoring,
    /// Even passing holds beta.
    NullMove,
    /// A shallower search of a capture is far above beta.
    ProbCut,
    /// More than one move holds beta.
    MultiCut,
    /// In quiescence: the evaluation holds beta.
    StandPat,
}

/// Moves that are not searched, though nothing has caused a cut-off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Skip {
    /// The quiet moves still to come: they come too late in the order.
    Late,
    /// The quiet moves still to come, unless they give check: none can reach alpha.
    Futile,
    /// This one: it loses too much material, or its history is too bad.
    One(Move),
    /// In quiescence: captures that win too little to reach alpha.
    Small,
    /// In quiescence: the quiet moves still to come that leave check.
    Evasions,
}

/// Watches one thread of a search. Its calls are properly nested: between [`enter`](Self::enter) and
/// [`leave`](Self::leave) of a node, and between `make` and `unmake` of a move, lies all that is searched below.
pub trait Watcher: Send {
    /// A move is made; `None` passes.
    #[inline]
    fn make(&mut self, m: Option<Move>) {
        let _ = m;
    }

    /// The last move is taken back.
    #[inline]
    fn unmake(&mut self) {}

    /// The current position is visited. With no other visit open it is the root, and a new search of it begins: the next
    /// iteration, or the same one once more with a wider window.
    #[inline]
    fn enter(&mut self, visit: Visit) {
        let _ = visit;
    }

    /// The node visited last is searched less deep than it was asked to be.
    #[inline]
    fn reduced(&mut self, depth: i32) {
        let _ = depth;
    }

    /// The node visited last leaves out moves, on the assumption that none is worth more than `at_most`, or, without one,
    /// than the best move searched. Unless one move is excluded, to find out whether any other is nearly as good, the value
    /// of the node will not be less.
    #[inline]
    fn skipped(&mut self, skip: Skip, at_most: Option<Value>) {
        let _ = (skip, at_most);
    }

    /// The node visited last is about to be left early.
    #[inline]
    fn ended(&mut self, why: Why) {
        let _ = why;
    }

    /// The visit that was begun last ends with `value`, for the side to move.
    #[inline]
    fn leave(&mut self, value: Value) {
        let _ = value;
    }
}

/// Nobody watches.
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
