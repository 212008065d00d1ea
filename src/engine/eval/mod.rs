//! Static evaluation of positions.
//!
//! The search knows only the trait [`Evaluator`]. An evaluator follows the search move by move. It receives
//! the [`Delta`] of each move and keeps its state on a stack, so that an evaluation is cheap and a move is
//! taken back for free.
//!
//! * [`Classical`]: tapered sums of fitted weights, see [`classical`], corrected by [`endgame`].
//! * [`network`]: a neural network with learnt weights.
//! * [`Material`]: piece values alone, the simplest evaluator, for tests and lessons.
//!
//! [`Standard`] is the evaluator that every part of the program plays with.

pub mod classical;
pub mod endgame;
mod explain;
mod king_pawn;
mod material;
pub mod network;
mod standard;

use crate::chess::{
    position::{Delta, Position},
    value::Value,
};

pub use classical::Classical;
pub use explain::{Amount, Contribution, Explain, Explanation, Part};
pub use material::Material;
pub use standard::{Choose, EvaluatorChoice, EvaluatorKind, NoNetwork, Standard};

/// Evaluates positions for a search.
///
/// The contract, which `tests/engine/incremental.rs` tests for every evaluator: call `reset(root)`, then
/// `push` for every move played and `pop` for every move taken back. After that `evaluate(position)` equals
/// the result of a new evaluator after `reset(position)`. Values stay within
/// ±[`EVAL_LIMIT`](crate::chess::value::EVAL_LIMIT). An evaluator without a state needs only `evaluate`.
pub trait Evaluator: Clone + Send {
    /// Discards the state and begins at `root`.
    fn reset(&mut self, _root: &Position) {}

    /// Records a move that changed `delta` and led to `after`.
    fn push(&mut self, _after: &Position, _delta: &Delta) {}

    /// Records a null move that led to `after`.
    fn push_null(&mut self, _after: &Position) {}

    /// Takes the last move back.
    fn pop(&mut self) {}

    /// Returns the value of `position`, which the pushes have reached, in centipawns for the side to move.
    fn evaluate(&mut self, position: &Position) -> Value;
}
