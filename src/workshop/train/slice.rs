//! A slice of hidden neurons: weights, forward pass and backward pass.
//!
//! The hidden neurons of a network are connected only by the output. The network is therefore divided into
//! slices of [`LANES`] neurons, and each thread processes a whole batch with one slice, then with the next:
//!
//! * the weights of a slice and their gradient stay in the nearest caches for the whole batch;
//! * no two threads write to the same place and nothing is summed across threads, so the result does not
//!   depend on the number of threads.
//!
//! The forward pass adds up the input weights as integers of 16 bits, in units of 1/[`UNIT`]. The weights
//! that the training changes have 32 bits, and are rounded once a batch. Sums beyond ±8, which hardly exist,
//! are limited to that range; so the order of the pieces could change them.

use wide::{f32x16, i16x32};

use super::{
    batch::{BUCKETS, Batch, EqualPieces},
    lane::{LANES, Lane},
};
use crate::engine::eval::network::{INPUTS, QA};

/// Rows of a slice: one for each feature, one for the bias, and two for each output bucket, one for either
/// side.
pub(super) const ROWS: usize = INPUTS + 1 + 2 * BUCKETS;
/// The row of the bias.
pub(super) const BIAS: usize = INPUTS;
/// The first row of the output weights.
pub(super) const OUTPUT: usize = INPUTS + 1;

/// The integer that stands for 1 in the forward pass. It is sixteen times as fine as the integers of a
/// finished network, which it represents exactly.
pub(super) const UNIT: i16 = 16 * QA as i16;

/// The weights of the neurons of a slice.
#[derive(Clone, Debug, PartialEq)]
pub struct NeuronSlice {
    /// The [`ROWS`] rows.
    pub rows: Vec<Lane>,
}

/// The input weights and the bias of a slice as integers, in 1/[`UNIT`].
#[derive(Clone, Debug)]
pub struct Rounded {
    rows: Vec<i16x32>,
}

/// The intermediate results of a slice between forward and backward pass.
#[derive(Clone, Debug, Default)]
pub struct ForwardPass {
    /// The sums of the neurons, limited to the range of the activation, for the side to move and for the
    /// other side.
    hidden: Vec<[i16x32; 2]>,
    /// The contribution of the slice to the output of each position.
    pub outputs: Vec<f32>,
}

impl NeuronSlice {
    /// Returns a slice with all weights zero.
    #[must_use]
    pub fn zero() -> Self {
        Self { rows: vec![Lane::ZERO; ROWS] }
    }

    /// The weights for the forward pass.
    #[must_use]
    pub fn rounded(&self) -> Rounded {
        let unit = f32x16::splat(f32::from(UNIT));
        Rounded {
            rows: self.rows[..=BIAS].iter().map(|row| row.map(|weight| weight * unit).round()).collect(),
        }
    }

    /// The output weights of `bucket` for either side, times `factor`.
    fn output(&self, bucket: usize, factor: f32) -> [Lane; 2] {
        let factor = f32x16::splat(factor);
        [0, 1].map(|side| self.rows[OUTPUT + 2 * bucket + side].map(|weight| weight * factor))
    }

    /// Runs the forward pass for `batch`. `rounded` has the weights of this slice.
    pub fn forward(&self, rounded: &Rounded, batch: &Batch, pass: &mut ForwardPass) {
        pass.hidden.resize(batch.len(), [i16x32::ZERO; 2]);
        pass.outputs.resize(batch.len(), 0.0);
        for run in batch.runs() {
            let (hidden, outputs) =
                (&mut pass.hidden[run.positions.clone()], &mut pass.outputs[run.positions.clone()]);
            self.forward_run(rounded, &run, hidden, outputs);
        }
    }

    fn forward_run(
        &self,
        Rounded { rows }: &Rounded,
        run: &EqualPieces<'_>,
        hidden: &mut [[i16x32; 2]],
        outputs: &mut [f32],
    ) {
        let (none, full) = (i16x32::ZERO, i16x32::splat(UNIT));
        let [our_weights, their_weights] = self.output(run.bucket, 1.0 / f32::from(UNIT).powi(2));
        for ((features, hidden), output) in run.features().zip(hidden).zip(outputs) {
            let (mut ours, mut theirs) = (rows[BIAS], rows[BIAS]);
            for &[our, their] in features {
                ours = ours.saturating_add(rows[usize::from(our)]);
                theirs = theirs.saturating_add(rows[usize::from(their)]);
            }
            let (ours, theirs) = (ours.max(none).min(full), theirs.max(none).min(full));
            *hidden = [ours, theirs];
            let (ours, theirs) = (Lane::from(ours), Lane::from(theirs));
            let mut sum = ours.zip(our_weights, |active, weight| active * active * weight);
            sum += theirs.zip(their_weights, |active, weight| active * active * weight);
            *output = sum.sum();
        }
    }

    /// Computes the gradient of the loss by every weight, given its gradient by the output of each position.
    /// Overwrites `gradient`.
    pub fn backward(&self, batch: &Batch, pass: &ForwardPass, slopes: &[f32], gradient: &mut Self) {
        gradient.rows.fill(Lane::ZERO);
        for run in batch.runs() {
            let (hidden, slopes) = (&pass.hidden[run.positions.clone()], &slopes[run.positions.clone()]);
            self.backward_run(&run, hidden, slopes, gradient);
        }
    }

    fn backward_run(
        &self,
        run: &EqualPieces<'_>,
        hidden: &[[i16x32; 2]],
        slopes: &[f32],
        gradient: &mut Self,
    ) {
        let full = f32x16::splat(f32::from(UNIT));
        // The slope of the squared activation is twice the activation, and 0 where it is limited.
        let [our_weights, their_weights] = self.output(run.bucket, 2.0 / f32::from(UNIT));
        let by_sum = |active: Lane, weights: Lane, slope: f32x16| {
            active.zip(weights, |active, weight| active.simd_lt(full) & (active * weight * slope))
        };
        let [mut bias, mut our_outputs, mut their_outputs] = [Lane::ZERO; 3];
        for ((features, &[ours, theirs]), &slope) in run.features().zip(hidden).zip(slopes) {
            let slope = f32x16::splat(slope);
            let (ours, theirs) = (Lane::from(ours), Lane::from(theirs));
            our_outputs += ours.map(|active| active * active * slope);
            their_outputs += theirs.map(|active| active * active * slope);
            let (ours, theirs) = (by_sum(ours, our_weights, slope), by_sum(theirs, their_weights, slope));
            bias += ours;
            bias += theirs;
            for &[our, their] in features {
                gradient.rows[usize::from(our)] += ours;
                gradient.rows[usize::from(their)] += theirs;
            }
        }
        gradient.rows[BIAS] += bias;
        let unit = f32x16::splat(1.0 / f32::from(UNIT).powi(2));
        for (side, sum) in [our_outputs, their_outputs].into_iter().enumerate() {
            gradient.rows[OUTPUT + 2 * run.bucket + side] += sum.map(|sum| sum * unit);
        }
    }
}

const _: () = assert!(BUCKETS <= LANES, "the output biases fill one lane");
