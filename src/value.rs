//! What a position is worth: the scale of the search, and the form the outside world sees.
//!
//! Inside the search a [`Value`] is one signed number, always from the view of the side to move, so that negating it
//! changes sides. Ordinary values are centipawns; the top and bottom of the scale are reserved for mates, counted in
//! plies from the root, and next to them for what the endgame tables know, counted by the ply at which they were asked:
//!
//! ```text
//!  0 ......... EVAL_LIMIT   DECIDED ......... TABLE_WIN   MATE_BOUND ........... MATE   INFINITE
//!  centipawns (evaluations  won by tables:                mates:
//!  stay in here)            at ply 240   ...  at ply 0    at ply 240     ...  at ply 0
//! ```
//!
//! and the same below zero.
//!
//! Outside (UCI, tools, PGN comments) the same thing is a [`Score`]: centipawns, or moves to mate.

use std::fmt;

/// A value of the search in centipawns, or a coded mate distance, from the view of the side to move.
pub type Value = i32;

/// The longest line the search can follow, in plies from the root; also the longest mate it can express.
pub const MAX_PLY: usize = 240;

/// A dead-drawn position.
pub const DRAW: Value = 0;

/// The value of giving mate at the root itself (ply 0).
pub const MATE: Value = 32_000;

/// Larger than every value: the open end of a search window.
pub const INFINITE: Value = MATE + 1;

/// Values of at least this size are mates.
pub const MATE_BOUND: Value = MATE - MAX_PLY as Value;

/// The value of a win that the endgame tables know at the root itself (ply 0).
pub const TABLE_WIN: Value = MATE_BOUND - 1;

/// Values of at least this size are decided: mates, or wins and losses by endgame tables.
pub const DECIDED: Value = TABLE_WIN - MAX_PLY as Value;

/// The largest size an evaluation may have, in centipawns.
pub const EVAL_LIMIT: Value = DECIDED - 1;

/// The value of a line in which the side to move at the root gives mate at `ply`.
///
/// ```
/// use zugwerk::value::{MATE, mate_in, mated_in};
/// assert_eq!(mate_in(1), MATE - 1);
/// assert_eq!(mated_in(2), -mate_in(2));
/// ```
#[inline]
#[must_use]
pub const fn mate_in(ply: usize) -> Value {
    MATE - ply as Value
}

/// The value of a line in which the side to move at the root is mated at `ply`.
#[inline]
#[must_use]
pub const fn mated_in(ply: usize) -> Value {
    -MATE + ply as Value
}

/// Whether `value` stands for a mate, given or suffered.
#[inline]
#[must_use]
pub const fn is_mate(value: Value) -> bool {
    value.abs() >= MATE_BOUND
}

/// Whether `value` stands for a mate, given or suffered, or for a win or loss by endgame tables.
#[inline]
#[must_use]
pub const fn is_decided(value: Value) -> bool {
    value.abs() >= DECIDED
}

/// A value counted from the root, met at `ply`, as a table keeps it: mates, and wins by endgame tables, by their distance
/// from the position itself, since that can be reached at any ply. [`from_node`] turns it back.
///
/// ```
/// use zugwerk::value::{from_node, mate_in, to_node};
/// let kept = to_node(mate_in(7), 4); // a mate three plies on
/// assert_eq!(from_node(kept, 10), mate_in(13));
/// assert_eq!(to_node(-35, 4), -35);
/// ```
#[inline]
#[must_use]
pub const fn to_node(value: Value, ply: usize) -> Value {
    shift_decided(value, ply as Value)
}

/// A value as a table keeps it ([`to_node`]), counted from the root of a search that meets it at `ply`.
#[inline]
#[must_use]
pub const fn from_node(value: Value, ply: usize) -> Value {
    shift_decided(value, -(ply as Value))
}

/// Moves a mate, or a win by tables, `plies` nearer (its value grows in size); other values stay.
const fn shift_decided(value: Value, plies: Value) -> Value {
    match value {
        DECIDED.. => value + plies,
        ..=LOST => value - plies,
        _ => value,
    }
}

const LOST: Value = -DECIDED;

/// A value as people and protocols write it, from the view of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Full moves to mate: positive when the side to move gives it, negative when it suffers it, 0 when it stands mated.
    Mate(i32),
}

impl From<Value> for Score {
    /// ```
    /// use zugwerk::value::{Score, mate_in, mated_in};
    /// assert_eq!(Score::from(mate_in(3)), Score::Mate(2)); // my move, a reply, mate
    /// assert_eq!(Score::from(mated_in(4)), Score::Mate(-2));
    /// assert_eq!(Score::from(mated_in(0)), Score::Mate(0));
    /// assert_eq!(Score::from(-mate_in(1)), Score::Mate(-1)); // the same mates from the other side
    /// assert_eq!(Score::from(-35), Score::Cp(-35));
    /// ```
    fn from(value: Value) -> Self {
        match value {
            v if v >= MATE_BOUND => Score::Mate((MATE - v + 1) / 2),
            v if v <= -MATE_BOUND => Score::Mate(-((MATE + v + 1) / 2)),
            v => Score::Cp(v),
        }
    }
}

impl fmt::Display for Score {
    /// The words UCI uses: `cp 31`, `mate -2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Cp(cp) => write!(f, "cp {cp}"),
            Score::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}
