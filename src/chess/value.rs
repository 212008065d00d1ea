//! The value of a position: the scale of the search, and the form that users see.
//!
//! Inside the search a [`Value`] is one signed number from the perspective of the side to move. Negating it
//! changes sides. Ordinary values are centipawns. The top and bottom of the scale are reserved for mates,
//! counted in plies from the root. Next to them are the results of the endgame tables, counted by the ply of
//! the probe, and then the evaluations of endings that are known to be won, such as a queen against a bare
//! king:
//!
//! ```text
//!  0 .......... KNOWN_WIN .. EVAL_LIMIT   DECIDED ....... TABLE_WIN   MATE_BOUND ......... MATE   INFINITE
//!  centipawns   known wins:               won by tables:              mates:
//!               the nearer to mate,       at ply 240  ...  at ply 0   at ply 240  ...  at ply 0
//!               the larger
//! ```
//!
//! The scale below zero mirrors it.
//!
//! Outside the search (UCI, tools, PGN comments) a value is a [`Score`]: centipawns, or moves to mate.

use std::fmt;

use serde::Serialize;
use shakmaty::Role;

/// A value of the search in centipawns, or an encoded mate distance, from the perspective of the side to
/// move.
pub type Value = i32;

/// The longest line the search can follow, in plies from the root. It is also the longest mate a value can
/// express.
pub const MAX_PLY: usize = 240;

/// The value of a draw.
pub const DRAW: Value = 0;

/// The value of a mate given at the root (ply 0).
pub const MATE: Value = 32_000;

/// Larger than every value: the open bound of a search window.
pub const INFINITE: Value = MATE + 1;

/// Values whose absolute value is at least this are mates.
pub const MATE_BOUND: Value = MATE - MAX_PLY as Value;

/// The value of a win by the endgame tables at the root (ply 0).
pub const TABLE_WIN: Value = MATE_BOUND - 1;

/// Values whose absolute value is at least this are decided: mates, or wins and losses by endgame tables.
pub const DECIDED: Value = TABLE_WIN - MAX_PLY as Value;

/// The largest absolute value of an evaluation.
pub const EVAL_LIMIT: Value = DECIDED - 1;

/// Values whose absolute value is at least this are known wins, or decided. Ordinary evaluations are smaller.
pub const KNOWN_WIN: Value = 20_000;

/// The value of a piece as material, in centipawns: 1, 3, 3, 5 and 9 pawns. The king has none, because it
/// cannot be captured.
#[inline]
#[must_use]
pub const fn material_value(role: Role) -> Value {
    const VALUES: &[Value; 6] = &[100, 300, 300, 500, 900, 0];
    VALUES[role as usize - 1]
}

/// The value of a line in which the side to move at the root gives mate at `ply`.
///
/// ```
/// use zugwerk::chess::value::{MATE, mate_in, mated_in};
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

/// The plies to a mate in `moves` moves, which are counted as in [`Score::Mate`].
///
/// ```
/// use zugwerk::chess::value::plies_to_mate;
/// assert_eq!([2, 1, 0, -1, -2].map(plies_to_mate), [3, 1, 0, 2, 4]);
/// ```
#[must_use]
pub const fn plies_to_mate(moves: i32) -> usize {
    2 * moves.unsigned_abs() as usize - (moves > 0) as usize
}

/// The value of a mate in `plies`, given or suffered by the side to move, as another program has announced
/// it. A mate farther away than a value can express becomes the farthest.
#[must_use]
pub const fn announced_mate(is_won: bool, plies: usize) -> Value {
    let plies = if plies > MAX_PLY { MAX_PLY - is_won as usize } else { plies };
    if is_won { mate_in(plies) } else { mated_in(plies) }
}

/// Whether `value` is a mate for either side.
#[inline]
#[must_use]
pub const fn is_mate(value: Value) -> bool {
    value.abs() >= MATE_BOUND
}

/// Whether `value` is a mate, or a win or loss by endgame tables, for either side.
#[inline]
#[must_use]
pub const fn is_decided(value: Value) -> bool {
    value.abs() >= DECIDED
}

/// Whether `value` is a known win, or decided, for either side.
#[inline]
#[must_use]
pub const fn is_known(value: Value) -> bool {
    value.abs() >= KNOWN_WIN
}

/// Limits `value` to the ordinary evaluations.
#[inline]
#[must_use]
pub fn ordinary(value: Value) -> Value {
    value.clamp(1 - KNOWN_WIN, KNOWN_WIN - 1)
}

/// Converts a value counted from the root, found at `ply`, for storage in a table.
///
/// Mates and wins by endgame tables are stored by their distance from the position, because other lines reach
/// the same position at other plies. [`from_node`] is the inverse.
///
/// ```
/// use zugwerk::chess::value::{from_node, mate_in, to_node};
/// let kept = to_node(mate_in(7), 4); // a mate in three plies from ply 4
/// assert_eq!(from_node(kept, 10), mate_in(13));
/// assert_eq!(to_node(-35, 4), -35);
/// ```
#[inline]
#[must_use]
pub const fn to_node(value: Value, ply: usize) -> Value {
    shift_decided(value, ply as Value)
}

/// Converts a stored value ([`to_node`]) to a value counted from the root, for a search that meets it at
/// `ply`.
#[inline]
#[must_use]
pub const fn from_node(value: Value, ply: usize) -> Value {
    shift_decided(value, -(ply as Value))
}

/// Moves a mate, or a win by tables, `plies` nearer (its absolute value grows); returns other values
/// unchanged.
const fn shift_decided(value: Value, plies: Value) -> Value {
    match value {
        DECIDED.. => value + plies,
        ..=LOST => value - plies,
        _ => value,
    }
}

const LOST: Value = -DECIDED;

/// A value as users and protocols see it, from the perspective of the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Score {
    /// Centipawns.
    Cp(i32),
    /// Full moves to mate: positive if the side to move mates, negative if it is mated, 0 if it is checkmated
    /// already.
    Mate(i32),
}

impl From<Value> for Score {
    /// ```
    /// use zugwerk::chess::value::{Score, mate_in, mated_in};
    /// assert_eq!(Score::from(mate_in(3)), Score::Mate(2)); // my move, a reply, mate
    /// assert_eq!(Score::from(mated_in(4)), Score::Mate(-2));
    /// assert_eq!(Score::from(mated_in(0)), Score::Mate(0));
    /// assert_eq!(Score::from(-mate_in(1)), Score::Mate(-1)); // the same mate as the other side sees it
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
    /// Writes the score as UCI does: `cp 31`, `mate -2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Score::Cp(cp) => write!(f, "cp {cp}"),
            Score::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

/// The expected score of a human player with `value`, in percent. The curve is that published by Lichess
/// (<https://lichess.org/page/accuracy>).
///
/// ```
/// use zugwerk::chess::value::win_percent;
/// assert_eq!(win_percent(0), 50.0);
/// assert!(win_percent(100) > 58.0 && win_percent(100) < 60.0);
/// ```
#[must_use]
pub fn win_percent(value: Value) -> f64 {
    if is_mate(value) {
        return if value > 0 { 100.0 } else { 0.0 };
    }
    100.0 / (1.0 + (-0.003_682_08 * f64::from(value)).exp())
}
