//! The evaluator as a function of its weights: value, loss and gradient.

use rayon::prelude::*;
use shakmaty::Role;

use super::{Dataset, Sample};
use crate::{
    eval::classical::terms::{FEATURES, TERMS},
    value::material_value,
};

/// The middlegame and the endgame value of each feature, in centipawns.
pub type TaperedWeights = Vec<[f32; 2]>;

/// The initial weights of every fit, independent of the current weights: material by exchange values, everything else
/// 0.
#[must_use]
pub fn start() -> TaperedWeights {
    let mut weights = vec![[0.0; 2]; FEATURES];
    for (feature, weight) in weights.iter_mut().enumerate().take(6 * 64) {
        let role = Role::ALL[feature / 64];
        *weight = [material_value(role) as f32; 2];
    }
    weights
}

/// The features to fit if the terms with these names are left out.
#[must_use]
pub fn without(names: &[String]) -> Vec<bool> {
    let mut fitted = vec![true; FEATURES];
    for term in TERMS.iter().filter(|term| names.iter().any(|name| name == term.name)) {
        fitted[term.first..term.first + term.len].fill(false);
    }
    fitted
}

/// The number of positions of a batch that one thread sums at a time.
const PIECE: usize = 1024;

/// The parameters of the loss.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Model {
    /// The value, in centipawns, with odds of e to 1.
    pub scale: f32,
    /// The share of the result in the target; the rest is the score.
    pub blend: f32,
}

impl Model {
    /// The evaluation of `sample`, in centipawns for White, and its slope by the sum of the weights.
    #[must_use]
    pub fn value(sample: &Sample<'_>, weights: &TaperedWeights) -> (f32, f32) {
        let (mut mg, mut eg) = (0.0, 0.0);
        for (&feature, &count) in sample.features.iter().zip(sample.counts) {
            let [weight_mg, weight_eg] = weights[usize::from(feature)];
            mg += weight_mg * f32::from(count);
            eg += weight_eg * f32::from(count);
        }
        let sum = mg * sample.phase + eg * (1.0 - sample.phase);
        let (chances, mop_up) = sample.scaling[usize::from(sum > 0.0)];
        (sum * chances + mop_up, chances)
    }

    /// The expected points of `value`.
    #[must_use]
    pub fn expected(&self, value: f32) -> f32 {
        1.0 / (1.0 + (-value / self.scale).exp())
    }

    /// The target of `sample`, in points.
    #[must_use]
    pub fn target(&self, sample: &Sample<'_>) -> f32 {
        self.blend * sample.result + (1.0 - self.blend) * self.expected(sample.score)
    }

    /// The mean loss over all of `data`.
    #[must_use]
    pub fn loss(&self, data: &Dataset, weights: &TaperedWeights) -> f64 {
        let pieces: Vec<f64> = (0..data.len().div_ceil(PIECE))
            .into_par_iter()
            .map(|piece| {
                let samples =
                    (piece * PIECE..((piece + 1) * PIECE).min(data.len())).map(|at| data.sample(at));
                samples.map(|sample| f64::from(self.missing(&sample, weights).powi(2))).sum()
            })
            .collect();
        pieces.iter().sum::<f64>() / data.len() as f64
    }

    fn missing(&self, sample: &Sample<'_>, weights: &TaperedWeights) -> f32 {
        self.expected(Self::value(sample, weights).0) - self.target(sample)
    }

    /// The mean loss over the positions of `data` at the indices of `batch`, and its gradient.
    #[must_use]
    pub fn gradient(&self, data: &Dataset, batch: &[u32], weights: &TaperedWeights) -> (f64, TaperedWeights) {
        let pieces: Vec<(f64, TaperedWeights)> =
            batch.par_chunks(PIECE).map(|piece| self.sums(data, piece, weights)).collect();
        let (mut loss, mut gradient) = (0.0, vec![[0.0; 2]; FEATURES]);
        for (more, slope) in pieces {
            loss += more;
            for (sum, share) in gradient.iter_mut().zip(slope) {
                sum[0] += share[0];
                sum[1] += share[1];
            }
        }
        let count = batch.len() as f32;
        for sum in &mut gradient {
            *sum = sum.map(|slope| slope / count);
        }
        (loss / f64::from(count), gradient)
    }

    /// The sums of losses and gradients over `piece`.
    fn sums(&self, data: &Dataset, piece: &[u32], weights: &TaperedWeights) -> (f64, TaperedWeights) {
        let (mut loss, mut gradient) = (0.0, vec![[0.0; 2]; FEATURES]);
        for sample in piece.iter().map(|&index| data.sample(index as usize)) {
            let (value, growth) = Self::value(&sample, weights);
            let expected = self.expected(value);
            let missing = expected - self.target(&sample);
            loss += f64::from(missing * missing);
            let slope = 2.0 * missing * expected * (1.0 - expected) / self.scale * growth;
            let (mg, eg) = (slope * sample.phase, slope * (1.0 - sample.phase));
            for (&feature, &count) in sample.features.iter().zip(sample.counts) {
                let sum = &mut gradient[usize::from(feature)];
                sum[0] += mg * f32::from(count);
                sum[1] += eg * f32::from(count);
            }
        }
        (loss, gradient)
    }
}
