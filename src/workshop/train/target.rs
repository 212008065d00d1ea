//! The target of the training: a blend of the result of the game and the score of the search.
//!
//! ```text
//!  expected(value) = 1 / (1 + exp(-value / SCALE))
//!  target          = share · result + (1 - share) · expected(score)
//!  loss            = mean of |expected(evaluation) - target| to the power of 2 or another exponent
//! ```

/// The value, in centipawns, of a network's output of 1.
///
/// Every new network has it, so that its centipawns mean the same to the search as those of the networks
/// before. It was fitted to the games of the classical evaluator, before the first network.
pub const SCALE: f32 = 157.0;

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

// A build without a network has nothing to compare.
#[cfg(all(test, network))]
mod tests {
    use super::*;
    use crate::engine::eval::EvaluatorChoice;

    #[test]
    fn the_network_of_the_program_has_the_scale_of_the_training() {
        let network = EvaluatorChoice::default().network().unwrap();
        assert_eq!(network.scale() as f32, SCALE);
    }
}
