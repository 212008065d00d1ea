//! The target of the training: a blend of the result of the game and the score of the search.
//!
//! ```text
//!  expected(value) = 1 / (1 + exp(-value / SCALE))
//!  target          = share · result + (1 - share) · expected(score)
//!  loss            = mean of |expected(evaluation) - target| to the power of 2 or another exponent
//! ```

pub use crate::engine::wdl::SCALE;

/// The expected points of a value in centipawns.
#[must_use]
pub fn expected(value: f32) -> f32 {
    sigmoid(value / SCALE)
}

/// The logistic curve. It uses the exponential of `libm`, which is the same on every machine.
#[inline]
#[must_use]
pub fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + libm::expf(-x))
}

/// The blend of `result` and `score`, both in points.
#[inline]
#[must_use]
pub(super) fn target(share: f32, result: f32, score: f32) -> f32 {
    share * result + (1.0 - share) * score
}
