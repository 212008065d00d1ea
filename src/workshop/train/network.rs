//! A network in floating point.

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;

use super::{
    batch::BUCKETS,
    lane::{LANES, Lane},
    slice::{BIAS, NeuronSlice, OUTPUT},
};
use crate::engine::eval::network::INPUTS;

/// The weights of a network: its hidden neurons in slices, and the biases of its outputs.
///
/// Its output, times the [`SCALE`](super::target::SCALE), is a value in centipawns.
#[derive(Clone, Debug, PartialEq)]
pub struct FloatNetwork {
    /// The hidden neurons, [`LANES`] at a time.
    pub slices: Vec<NeuronSlice>,
    /// The bias of the output for each bucket, in the first lanes.
    pub biases: Lane,
}

impl FloatNetwork {
    /// Returns a network of random weights. `hidden` must be a multiple of [`LANES`].
    ///
    /// The feature weights have the spread for a layer in which all inputs are active (K. He et al., "Delving
    /// Deep into Rectifiers", 2015). Only about thirty are, so the sums begin small and most neurons begin in
    /// the range with a slope.
    #[must_use]
    pub fn random(hidden: usize, seed: u64) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut row = |inputs: usize| {
            let limit = (6.0 / inputs as f32).sqrt();
            Lane::new(std::array::from_fn(|_| rng.random_range(-limit..limit)))
        };
        let mut slice = || {
            let mut slice = NeuronSlice::zero();
            slice.rows[..INPUTS].fill_with(|| row(INPUTS));
            slice.rows[OUTPUT..].fill_with(|| row(2 * hidden));
            slice
        };
        Self { slices: (0..hidden / LANES).map(|_| slice()).collect(), biases: Lane::ZERO }
    }

    /// Returns a network of `hidden` neurons with the same output. It has the neurons of this network, and
    /// new ones with random feature weights and output weights of zero. `hidden` must be a multiple of
    /// [`LANES`]; a network with as many neurons or more is returned as it is.
    ///
    /// A training of the wider network begins with what this one has learnt (T. Chen et al., "Net2Net",
    /// 2016).
    #[must_use]
    pub fn widened(mut self, hidden: usize, seed: u64) -> Self {
        let new = Self::random(hidden, seed).slices.into_iter().skip(self.slices.len());
        self.slices.extend(new.map(|mut slice| {
            slice.rows[OUTPUT..].fill(Lane::ZERO);
            slice
        }));
        self
    }

    /// Returns a network of these weights: for each feature the weights of the neurons, their biases, for
    /// each bucket and side the output weights, and for each bucket the output bias.
    #[must_use]
    pub fn from_rows(
        hidden: usize,
        inputs: impl Fn(usize) -> Vec<f32>,
        biases: &[f32],
        outputs: impl Fn(usize, usize) -> Vec<f32>,
        output_biases: impl Fn(usize) -> f32,
    ) -> Self {
        let mut slices = vec![NeuronSlice::zero(); hidden / LANES];
        let mut fill = |row: usize, weights: &[f32]| {
            for (slice, lanes) in slices.iter_mut().zip(weights.as_chunks::<LANES>().0) {
                slice.rows[row] = Lane::new(*lanes);
            }
        };
        (0..INPUTS).for_each(|input| fill(input, &inputs(input)));
        fill(BIAS, biases);
        for (bucket, side) in (0..BUCKETS).flat_map(|bucket| [(bucket, 0), (bucket, 1)]) {
            fill(OUTPUT + 2 * bucket + side, &outputs(bucket, side));
        }
        let biases = |lane: usize| if lane < BUCKETS { output_biases(lane) } else { 0.0 };
        Self { slices, biases: Lane::new(std::array::from_fn(biases)) }
    }

    /// The CRC-32 of all weights, for provenance.
    #[must_use]
    pub fn checksum(&self) -> u32 {
        let mut sum = crc32fast::Hasher::new();
        for lane in self.slices.iter().flat_map(|slice| &slice.rows).chain([&self.biases]) {
            lane.numbers().iter().for_each(|weight| sum.update(&weight.to_le_bytes()));
        }
        sum.finalize()
    }

    /// The number of hidden neurons for each perspective.
    #[must_use]
    pub fn hidden(&self) -> usize {
        self.slices.len() * LANES
    }

    /// The weight of each hidden neuron for `feature`.
    #[must_use]
    pub fn feature_weights(&self, feature: usize) -> Vec<f32> {
        self.row(feature)
    }

    /// The bias of each hidden neuron.
    #[must_use]
    pub fn hidden_biases(&self) -> Vec<f32> {
        self.row(BIAS)
    }

    /// The output weights of `bucket` for the neurons of the side to move (0) or of the other side (1).
    #[must_use]
    pub fn output_weights(&self, bucket: usize, side: usize) -> Vec<f32> {
        self.row(OUTPUT + 2 * bucket + side)
    }

    /// The bias of the output in `bucket`.
    #[must_use]
    pub fn output_bias(&self, bucket: usize) -> f32 {
        assert!(bucket < BUCKETS, "there is no such bucket");
        self.biases.numbers()[bucket]
    }

    fn row(&self, index: usize) -> Vec<f32> {
        self.slices.iter().flat_map(|slice| *slice.rows[index].numbers()).collect()
    }
}
