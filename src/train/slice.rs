//! A slice of sixteen hidden neurons: weights, forward pass and backward pass.
//!
//! The hidden neurons of a network are connected only by the output. The network is therefore divided into slices of
//! [`LANES`] neurons, and each thread processes a whole batch with one slice, then with the next:
//!
//! * the weights of a slice and their gradient stay in the nearest caches for the whole batch;
//! * no two threads write to the same place and nothing is summed across threads, so the result does not depend on the
//!   number of threads.

use super::{
    batch::{BUCKETS, Batch},
    lane::{LANES, Lane},
};
use crate::eval::network::INPUTS;

/// Rows of a slice: one for each feature, one for the bias, and two for each output bucket, one for either side.
pub(super) const ROWS: usize = INPUTS + 1 + 2 * BUCKETS;
/// The row of the bias.
pub(super) const BIAS: usize = INPUTS;
/// The first row of the output weights.
pub(super) const OUTPUT: usize = INPUTS + 1;

/// The row of the output weights of `bucket` for the side to move; those for the other side are in the next one.
#[inline(always)]
fn output_row(bucket: u8) -> usize {
    OUTPUT + 2 * usize::from(bucket)
}

/// The squared clipped ReLU: 0 below 0, the square up to 1, and 1 above.
#[inline(always)]
fn activate(x: f32) -> f32 {
    let clipped = x.clamp(0.0, 1.0);
    clipped * clipped
}

/// The slope of [`activate`].
#[inline(always)]
fn slope(x: f32) -> f32 {
    if x > 0.0 && x < 1.0 { 2.0 * x } else { 0.0 }
}

/// The weights of sixteen neurons.
#[derive(Clone, Debug, PartialEq)]
pub struct Slice {
    /// The [`ROWS`] rows.
    pub rows: Vec<Lane>,
}

/// The intermediate results of a slice between forward and backward pass.
#[derive(Clone, Debug, Default)]
pub struct Passage {
    /// The sums of the neurons before activation, for the side to move and for the other side.
    hidden: Vec<[Lane; 2]>,
    /// The contribution of the slice to the output of each position.
    pub outputs: Vec<f32>,
}

impl Slice {
    /// Returns a slice with all weights zero.
    #[must_use]
    pub fn zero() -> Self {
        Self { rows: vec![Lane::ZERO; ROWS] }
    }

    #[inline(always)]
    fn accumulate(&self, features: &[u16]) -> Lane {
        let mut sum = self.rows[BIAS];
        for &feature in features {
            sum.add(&self.rows[usize::from(feature)]);
        }
        sum
    }

    /// Runs the forward pass for `batch`.
    pub fn forward(&self, batch: &Batch, passage: &mut Passage) {
        passage.hidden.resize(batch.len(), [Lane::ZERO; 2]);
        passage.outputs.resize(batch.len(), 0.0);
        for index in 0..batch.len() {
            let (us, them) = batch.features(index);
            let row = output_row(batch.buckets[index]);
            let (ours, theirs) = (self.accumulate(us), self.accumulate(them));
            let mut output = ours.zip(&self.rows[row], |sum, weight| activate(sum) * weight);
            output.add(&theirs.zip(&self.rows[row + 1], |sum, weight| activate(sum) * weight));
            passage.outputs[index] = output.sum();
            passage.hidden[index] = [ours, theirs];
        }
    }

    /// Computes the gradient of the loss by every weight, given its gradient by the output of each position. Overwrites
    /// `gradient`.
    pub fn backward(&self, batch: &Batch, passage: &Passage, slopes: &[f32], gradient: &mut Self) {
        gradient.rows.fill(Lane::ZERO);
        for (index, &slope) in slopes.iter().enumerate() {
            let (us, them) = batch.features(index);
            let row = output_row(batch.buckets[index]);
            let [ours, theirs] = &passage.hidden[index];
            self.descend(us, ours, row, slope, gradient);
            self.descend(them, theirs, row + 1, slope, gradient);
        }
    }

    /// The backward pass for one side of a position: `sums` before activation, output weights in `row`.
    #[inline(always)]
    fn descend(&self, features: &[u16], sums: &Lane, row: usize, by_output: f32, gradient: &mut Self) {
        gradient.rows[row].add_scaled(by_output, &sums.map(activate));
        let by_sum = sums.zip(&self.rows[row], |sum, weight| by_output * weight * slope(sum));
        gradient.rows[BIAS].add(&by_sum);
        for &feature in features {
            gradient.rows[usize::from(feature)].add(&by_sum);
        }
    }
}

const _: () = assert!(BUCKETS <= LANES, "the output biases fill one lane");
