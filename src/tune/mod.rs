//! Fits the evaluator's weights to the data of our own games.
//!
//! The evaluation is, but for the last touch of the [`endgame`](crate::eval::endgame), a sum of weights: a position
//! enters as the features it has and how often (taken from the evaluator's own code, see
//! [`terms`](crate::eval::classical::terms)), and what is fitted are the weights. A logistic curve turns a value into the points
//! expected, and the mean square of what is then missing to the *target* of each position is made small. The target is
//! a blend of what the game brought and what the search said:
//!
//! ```text
//!  expected(value) = 1 / (1 + exp(-value / scale))
//!  target          = blend · result + (1 - blend) · expected(score)
//!  loss            = mean of (expected(evaluation) - target)²
//! ```
//!
//! The `scale` is fitted first, so that `expected(score)` predicts the results best: values keep the size they have.
//!
//! * [`Dataset`]: the positions, as compact as memory asks for, split by blocks into training and validation;
//! * [`Outcomes`]: what scores came to, for the scale and for [`wdl`](crate::wdl);
//! * [`Model`]: loss and gradient; [`Trainer`]: Adam on mini-batches, the best weights by validation;
//! * [`source`]: the text of `src/eval/classical/weights.rs`.
//!
//! One seed gives one result, with any number of threads: batches are cut into the same pieces, and their gradients
//! are added in order.
//!
//! Reference: chessprogramming.org, "Texel's Tuning Method"; D. Kingma and J. Ba, "Adam", 2015.

mod dataset;
mod model;
mod outcomes;
mod source;
mod trainer;

pub use dataset::{Dataset, Sample, Split};
pub use model::{Model, Weights, start, without};
pub use outcomes::Outcomes;
pub use source::{rounded, source};
pub use trainer::{Epoch, Schedule, Trainer};

#[cfg(test)]
mod tests;
