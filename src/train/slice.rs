//! Sixteen hidden neurons: their weights, and what passes through them forwards and backwards.
//!
//! The hidden neurons of a network meet only in the output. So the network is cut into slices of [`LANES`] neurons, and
//! each thread takes a whole batch through one slice, then through the next:
//!
//! * the weights of a slice and their gradient stay in the nearest caches while the batch passes by;
//! * no two threads write to the same place, nothing is added up across threads, and so the result does not depend on
//!   how many there are.

use super::{
    batch::{BUCKETS, Batch},
    lane::{LANES, Lane},
};
use crate::eval::network::INPUTS;

/// Rows of a slice: one for each input, the bias, and for each output bucket one for either side.
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

/// The squared clipped ReLU: nothing below 0, the square up to 1, and 1 from there on.
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
    /// [`ROWS`] of them.
    pub rows: Vec<Lane>,
}

/// What a slice keeps between the way forward and the way back.
#[derive(Clone, Debug, Default)]
pub struct Passage {
    /// The sums that enter the neurons, for the side to move and for the other side.
    hidden: Vec<[Lane; 2]>,
    /// What the slice adds to the output of each position.
    pub outputs: Vec<f32>,
}

impl Slice {
    /// All weights zero.
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

    /// Takes `batch` through the neurons.
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

    /// The gradient of the loss by every weight, given its gradient by the output of each position: written into
    /// `gradient`, whatever it held.
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

    /// One side of a position on the way back: `sums` entered the neurons, whose output weights are in `row`.
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
