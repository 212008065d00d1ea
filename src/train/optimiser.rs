//! AdamW: Adam, with weights that shrink a little at every step, and clipping.
//!
//! References: D. Kingma and J. Ba, "Adam", 2015; I. Loshchilov and F. Hutter, "Decoupled Weight Decay Regularization",
//! 2019.

use super::lane::Lane;

/// How the mean of the gradient and the mean of its square fade from step to step, as in the paper on Adam.
const FADING: [f32; 2] = [0.9, 0.999];
/// Keeps a step finite where the gradient has always been nothing.
const EPSILON: f32 = 1e-8;
/// No weight is larger: what the quantised file has room for (127 of 64 parts in the output layer).
const WEIGHT_LIMIT: f32 = 1.98;

/// What the optimiser remembers of some weights.
#[derive(Clone, Debug, PartialEq)]
pub struct Moments {
    /// The fading mean of the gradient.
    pub means: Vec<Lane>,
    /// The fading mean of its square.
    pub squares: Vec<Lane>,
}

/// The numbers of one step.
#[derive(Clone, Copy, Debug)]
pub struct Step {
    /// The learning rate.
    rate: f32,
    /// What is left of each weight before the step.
    keep: f32,
    /// What the means are divided by, since they began at zero.
    warm: [f32; 2],
}

impl Step {
    /// The `number`-th step, the first being 1, at the learning rate `rate`; weights shrink by `decay` times `rate`.
    #[must_use]
    pub fn new(number: u64, rate: f32, decay: f32) -> Self {
        let warm = FADING.map(|fading| 1.0 - libm::pow(f64::from(fading), number as f64) as f32);
        Self { rate, keep: 1.0 - rate * decay, warm }
    }
}

impl Moments {
    /// For so many rows of weights.
    #[must_use]
    pub fn new(rows: usize) -> Self {
        Self { means: vec![Lane::ZERO; rows], squares: vec![Lane::ZERO; rows] }
    }

    /// Moves `weights` down their `gradient`.
    pub fn descend(&mut self, step: &Step, weights: &mut [Lane], gradient: &[Lane]) {
        let rows = weights.iter_mut().zip(gradient).zip(self.means.iter_mut().zip(&mut self.squares));
        for ((weights, slopes), (means, squares)) in rows {
            *means = means.zip(slopes, |mean, slope| FADING[0] * mean + (1.0 - FADING[0]) * slope);
            *squares =
                squares.zip(slopes, |square, slope| FADING[1] * square + (1.0 - FADING[1]) * slope * slope);
            let change = means.zip(squares, |mean, square| {
                step.rate * (mean / step.warm[0]) / ((square / step.warm[1]).sqrt() + EPSILON)
            });
            *weights = weights.zip(&change, |weight, change| {
                (step.keep * weight - change).clamp(-WEIGHT_LIMIT, WEIGHT_LIMIT)
            });
        }
    }
}
