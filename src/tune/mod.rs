//! Fits the evaluator's weights to the data of our own games.
//!
//! The evaluation is a sum of weights, apart from the corrections by [`endgame`](crate::eval::endgame). A position is
//! represented by the counts of its features, which come from the evaluator's own code (see
//! [`terms`](crate::eval::classical::terms)); the weights are fitted. A logistic curve converts a value to expected
//! points. Tuning minimises the mean square of the difference to the *target* of each position, a blend of the result
//! of the game and the score of the search:
//!
//! ```text
//!  expected(value) = 1 / (1 + exp(-value / scale))
//!  target          = blend · result + (1 - blend) · expected(score)
//!  loss            = mean of (expected(evaluation) - target)²
//! ```
//!
//! The `scale` is fitted first, so that `expected(score)` predicts the results best. Values therefore keep their size.
//!
//! * [`Dataset`]: the positions in compact form, split by blocks into training and validation;
//! * [`Outcomes`]: results by score, for the scale and for [`wdl`](crate::wdl);
//! * [`Model`]: loss and gradient; [`Tuner`]: Adam on mini-batches, with the best weights by validation;
//! * [`source`]: the text of `src/eval/classical/weights.rs`.
//!
//! The seed determines the result, with any number of threads: batches are divided into the same pieces, and their
//! gradients are added in order.
//!
//! Reference: chessprogramming.org, "Texel's Tuning Method"; D. Kingma and J. Ba, "Adam", 2015.

mod dataset;
mod model;
mod outcomes;
mod source;
mod trainer;

pub use dataset::{Dataset, Sample, Split};
pub use model::{Model, TaperedWeights, start, without};
pub use outcomes::Outcomes;
pub use source::{rounded, source};
pub use trainer::{Diverged, Tuner, TuningEpoch, TuningSchedule};

#[cfg(test)]
mod tests;
