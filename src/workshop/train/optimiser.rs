//! AdamW: Adam with weight decay, and clipping.
//!
//! References: D. Kingma and J. Ba, "Adam", 2015; I. Loshchilov and F. Hutter, "Decoupled Weight Decay
//! Regularization", 2019.

use wide::f32x16;

use super::lane::Lane;

/// The decay of the mean of the gradient and of the mean of its square, from the paper on Adam.
const FADING: [f32; 2] = [0.9, 0.999];
/// Keeps a step finite if the gradient has always been zero.
const EPSILON: f32 = 1e-8;
/// The largest absolute value of a weight: the limit of the quantised file (127/64 in the output layer).
const WEIGHT_LIMIT: f32 = 1.98;

/// The moments of some weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    /// The decaying mean of the gradient.
    pub means: Vec<Lane>,
    /// The decaying mean of its square.
    pub squares: Vec<Lane>,
}

/// The parameters of one step.
#[derive(Clone, Copy, Debug)]
pub struct UpdateStep {
    /// The learning rate.
    rate: f32,
    /// The factor of each weight before the step (weight decay).
    keep: f32,
    /// The bias corrections of the two means, which began at zero.
    warm: [f32; 2],
}

impl UpdateStep {
    /// Returns step `number`, from 1, with learning rate `rate`; weights decay by `decay` times `rate`.
    #[must_use]
    pub fn new(number: u64, rate: f32, decay: f32) -> Self {
        let warm = FADING.map(|fading| 1.0 - libm::pow(f64::from(fading), number as f64) as f32);
        Self { rate, keep: 1.0 - rate * decay, warm }
    }
}

impl Moments {
    /// Returns the moments of `rows` rows of weights.
    #[must_use]
    pub fn new(rows: usize) -> Self {
        Self { means: vec![Lane::ZERO; rows], squares: vec![Lane::ZERO; rows] }
    }

    /// Updates `weights` by one step against their `gradient`.
    pub fn descend(&mut self, step: &UpdateStep, weights: &mut [Lane], gradient: &[Lane]) {
        let [fading, rising] =
            [FADING, FADING.map(|fading| 1.0 - fading)].map(|pair| pair.map(f32x16::splat));
        let warm = step.warm.map(f32x16::splat);
        let [rate, keep, epsilon, limit] = [step.rate, step.keep, EPSILON, WEIGHT_LIMIT].map(f32x16::splat);
        let rows = weights.iter_mut().zip(gradient).zip(self.means.iter_mut().zip(&mut self.squares));
        for ((weights, &slopes), (means, squares)) in rows {
            *means = means.zip(slopes, |mean, slope| fading[0] * mean + rising[0] * slope);
            *squares = squares.zip(slopes, |square, slope| fading[1] * square + rising[1] * slope * slope);
            let change = means.zip(*squares, |mean, square| {
                rate * (mean / warm[0]) / ((square / warm[1]).sqrt() + epsilon)
            });
            *weights = weights
                .zip(change, |weight, change| (keep * weight - change).fast_max(-limit).fast_min(limit));
        }
    }
}
