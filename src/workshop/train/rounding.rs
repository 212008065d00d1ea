//! Rounds the weights of an output layer together.
//!
//! The nearest integer of every weight is not the best choice: the errors of many weights add up. Here the
//! weights are changed one after the other, each to the integer with the least sum of squared errors over
//! sample positions while the others stay, until no change helps. The errors include those of the rounded
//! input weights, so these are partly compensated too.
//!
//! Reference: M. Nagel et al., "Up or Down? Adaptive Rounding for Post-Training Quantization", 2020, for the
//! idea; this file uses plain coordinate descent.

use crate::engine::eval::network::{OUTPUT_LIMIT, QA};

/// The largest number of times that all weights are looked at; a few are enough.
const SWEEPS: usize = 20;

/// Keeps a weight near its exact value where the sample says little about it: the squared deviation of a
/// weight counts as much as the squared error in this many positions with the full activation.
const PRIOR: f32 = 1.0;

/// An output layer and the sample for it.
pub(super) struct Layer<'a> {
    /// The weights.
    pub(super) weights: &'a mut [i16],
    /// The bias, in 1/[`QA`] of the unit of a weight.
    pub(super) bias: &'a mut i32,
    /// The weights before rounding, in the same unit.
    pub(super) exact: Vec<f32>,
    /// For each neuron its activation in each position of the sample, from 0 to 1.
    pub(super) activations: Vec<Vec<f32>>,
    /// The error of the output in each position: the exact output less that of the rounded weights.
    pub(super) errors: Vec<f32>,
}

impl Layer<'_> {
    /// Rounds the weights anew.
    pub(super) fn round(mut self) {
        for _ in 0..SWEEPS {
            let has_changed = self.sweep();
            self.shift_bias();
            if !has_changed {
                break;
            }
        }
    }

    /// Moves the mean error into the bias.
    fn shift_bias(&mut self) {
        let mean = self.errors.iter().sum::<f32>() / (self.errors.len() as f32 + PRIOR);
        let shift = (mean * QA as f32).round();
        *self.bias += shift as i32;
        self.errors.iter_mut().for_each(|error| *error -= shift / QA as f32);
    }

    /// Changes every weight to the integer that is best while the others stay. Returns whether any has
    /// changed.
    fn sweep(&mut self) -> bool {
        let limit = f32::from(OUTPUT_LIMIT);
        let mut has_changed = false;
        let weights = self.weights.iter_mut().zip(&self.exact).zip(&self.activations);
        for ((weight, exact), activations) in weights {
            let old = f32::from(*weight);
            let pull = product(activations, &self.errors) + PRIOR * (exact - old);
            let new = (old + pull / (product(activations, activations) + PRIOR)).round().clamp(-limit, limit);
            if new != old {
                let errors = self.errors.iter_mut().zip(activations);
                errors.for_each(|(error, activation)| *error -= (new - old) * activation);
                *weight = new as i16;
                has_changed = true;
            }
        }
        has_changed
    }
}

fn product(one: &[f32], other: &[f32]) -> f32 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounding_together_makes_the_errors_of_two_weights_cancel() {
        // Two neurons that are always equally active: the sum of both weights is 3, but each is 1.5.
        let (mut weights, mut bias) = ([2, 2], 0);
        let activations: Vec<f32> = (1..=100_u8).map(|n| f32::from(n) / 100.0).collect();
        let errors = activations.iter().map(|activation| (3.0 - 4.0) * activation).collect();
        let activations = vec![activations.clone(), activations];
        Layer { weights: &mut weights, bias: &mut bias, exact: vec![1.5; 2], activations, errors }.round();
        assert_eq!((weights.iter().sum::<i16>(), bias), (3, 0), "{weights:?}");
    }

    #[test]
    fn without_a_sample_nothing_changes_and_a_constant_error_goes_to_the_bias() {
        for (errors, shift) in [(vec![], 0), (vec![0.5; 1000], 127)] {
            let (mut weights, mut bias) = ([7], 3);
            let activations = vec![vec![0.0; errors.len()]];
            Layer { weights: &mut weights, bias: &mut bias, exact: vec![7.4], activations, errors }.round();
            assert_eq!((weights, bias), ([7], 3 + shift));
        }
    }
}
