//! What a position is worth without looking ahead.
//!
//! The search knows only the trait [`Evaluator`]. An evaluator follows the search move by move: it is told each
//! [`Delta`] and keeps whatever it needs on a stack of its own, so that evaluating costs little and taking a move back
//! costs nothing.
//!
//! * [`Classical`]: tapered sums of fitted weights, see [`classical`]; [`endgame`] has the last word.
//! * [`network`]: a network whose weights are learnt.
//! * [`Material`]: piece values alone, the plainest evaluator there is; for tests and lessons.
//!
//! [`Standard`] is the one that plays, in every part of the program.

pub mod classical;
pub mod endgame;
mod explain;
mod material;
pub mod network;
mod standard;

use crate::{
    position::{Delta, Position},
    value::Value,
};

pub use classical::Classical;
pub use explain::{Amount, Contribution, Explain, Explanation, Part};
pub use material::Material;
pub use standard::{Choice, Choose, Kind, NoNetwork, Standard};

/// Scores positions for a search.
///
/// The contract, which `tests/engine/incremental.rs` holds every evaluator to: after `reset(root)`, and `push` for every move
/// played and `pop` for every move taken back since, `evaluate(position)` equals what a fresh evaluator says after
/// `reset(position)`. Values stay within ±[`EVAL_LIMIT`](crate::value::EVAL_LIMIT).
pub trait Evaluator: Clone + Send {
    /// Begins anew at `root`, forgetting everything.
    fn reset(&mut self, root: &Position);

    /// A move was played: `delta` is what it changed, `after` is where it led.
    fn push(&mut self, after: &Position, delta: &Delta);

    /// A null move was played.
    fn push_null(&mut self, after: &Position);

    /// The last move was taken back.
    fn pop(&mut self);

    /// The value of `position`, the one reached by the pushes so far, in centipawns for the side to move.
    fn evaluate(&mut self, position: &Position) -> Value;
}
