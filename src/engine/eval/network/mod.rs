//! The learnt evaluator: a small neural network that is updated incrementally (NNUE).
//!
//! ```text
//!   768 inputs of the side to move ──► N neurons ──┐
//!        (the same weights)                        ├──► an output layer, by the number of pieces ──► value
//!   768 inputs of the other side   ──► N neurons ──┘
//! ```
//!
//! The sum of a neuron before its activation is its bias plus the weights of the active features
//! (`features.rs`). The sums of all neurons of one side are its *accumulator*. A move changes two to four
//! features, so the accumulators of both sides are computed from those of the previous position. All numbers
//! are integers, so the incremental result equals the result from scratch exactly.
//!
//! * `features.rs`: the feature index of a piece on a square.
//! * [`Network`]: architecture and weights, and the evaluation from scratch, with which tests compare the
//!   fast one.
//! * [`file`](mod@file): networks as bytes, with checks.
//! * [`Neural`]: the evaluator. `accumulator.rs` holds the accumulators, `output.rs` computes the value. Both
//!   use the vectors of [`wide`], which are compiled to the widest ones of the target processor.
//!
//! Reference: Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi",
//! 2018; chessprogramming.org, "NNUE".

mod accumulator;
mod evaluator;
mod features;
pub mod file;
mod output;

use std::fmt;

use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
use shakmaty::{Board, Color};

use crate::chess::value::{Value, ordinary};

pub use evaluator::Neural;
pub use features::{INPUTS, View, bucket};

/// The quantisation of input weights, biases and activations: 255 is 1.
pub const QA: i32 = 255;

/// The quantisation of output weights: 64 is 1.
pub const QB: i32 = 64;

/// The largest absolute value of an input weight, 1.98: the sum of 32 of them and a bias fits into 16 bits.
pub const INPUT_LIMIT: i16 = 505;

/// The largest absolute value of a neuron's bias.
pub const BIAS_LIMIT: i16 = i16::MAX - 32 * INPUT_LIMIT;

/// The largest absolute value of an output weight, 1.98: its product with the largest activation fits into 16
/// bits.
pub const OUTPUT_LIMIT: i16 = 127;

/// The number of neurons computed at once; the number of neurons is a multiple of it.
pub const LANES: usize = 32;

/// The largest number of neurons for which the sums of the output layer cannot overflow.
pub const MOST_NEURONS: usize = 1024;

/// [`LANES`] numbers, one for each of as many neurons: a cache line. With up to 32 pieces no sum can
/// overflow. With more, which no game has, all computations wrap in the same way.
type Lane = wide::i16x32;

/// The size of a network. The activation of its neurons is limited to the range 0 to 1, and squared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Architecture {
    /// Neurons for each side: a multiple of [`LANES`], at most [`MOST_NEURONS`].
    pub neurons: usize,
    /// Number of output layers, one for each range of piece counts: 1, 2, 4, 8, 16 or 32.
    pub buckets: usize,
}

impl Architecture {
    /// Whether the sizes are supported.
    #[must_use]
    pub fn is_valid(self) -> bool {
        let Self { neurons, buckets } = self;
        (LANES..=MOST_NEURONS).contains(&neurons)
            && neurons.is_multiple_of(LANES)
            && buckets.is_power_of_two()
            && buckets <= 32
    }
}

impl fmt::Display for Architecture {
    /// Writes `768-256x2-8 squared`, as in file names and reports.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{INPUTS}-{}x2-{} squared", self.neurons, self.buckets)
    }
}

/// Integer weights, in the order in which the evaluation reads them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Weights {
    /// For each input a weight for each neuron, in 1/[`QA`].
    pub inputs: Vec<i16>,
    /// For each neuron a bias, in 1/[`QA`].
    pub biases: Vec<i16>,
    /// For each bucket the weights of the neurons of the side to move, then of the other side, in 1/[`QB`].
    pub outputs: Vec<i16>,
    /// For each bucket a bias, in 1/([`QA`]·[`QB`]).
    pub output_biases: Vec<i32>,
}

/// A network.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Network {
    architecture: Architecture,
    scale: i32,
    provenance: String,
    /// By row: see [`features::Feature`].
    inputs: Vec<Lane>,
    biases: Vec<Lane>,
    /// By bucket.
    layers: Vec<Layer>,
    /// For each number of pieces its [`bucket`].
    buckets: [u8; 65],
}

/// An output layer.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Layer {
    /// The weights of the neurons of the side to move, then of the other side, in 1/[`QB`].
    weights: Vec<Lane>,
    /// The bias, in 1/([`QA`]·[`QB`]).
    bias: i32,
}

/// The reason why weights are not a valid network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsuitable {
    /// Unsupported sizes.
    #[error(
        "expected a multiple of {LANES} neurons up to {MOST_NEURONS} and 1, 2, 4, 8, 16 or 32 buckets, got {} and {}",
        .0.neurons, .0.buckets
    )]
    Architecture(Architecture),
    /// More or fewer weights than the architecture needs.
    #[error("expected {expected} {what}, got {got}")]
    Count {
        /// Which weights.
        what: &'static str,
        /// The number the architecture needs.
        expected: usize,
        /// The actual number.
        got: usize,
    },
    /// A weight so large that sums could overflow.
    #[error("expected {what} from -{limit} to {limit}, got {got}")]
    Size {
        /// Which weights.
        what: &'static str,
        /// The largest absolute value allowed.
        limit: i16,
        /// The weight.
        got: i16,
    },
    /// A scale out of range.
    #[error("expected a scale from 1 to 10000 centipawns, got {0}")]
    Scale(i32),
    /// Provenance that is not JSON.
    #[error("expected a JSON object as provenance: {0}")]
    Provenance(String),
}

/// Returns the weights of `inputs`, `lanes` lanes for each input, at the rows where the accumulators expect
/// them.
fn rows(inputs: &[Lane], lanes: usize) -> Vec<Lane> {
    let mut rows = vec![Lane::ZERO; features::ROWS * lanes];
    for (input, weights) in inputs.chunks_exact(lanes).enumerate() {
        rows[features::row_of_input(input) * lanes..][..lanes].copy_from_slice(weights);
    }
    rows
}

impl Network {
    /// Returns a network of `architecture` and `weights`. An output of 1 is worth `scale` centipawns.
    /// `provenance`, a JSON object, describes the origin of the weights.
    ///
    /// # Errors
    ///
    /// [`Unsuitable`] if sizes do not match, or a weight is so large that sums could overflow.
    pub fn new(
        architecture: Architecture,
        weights: &Weights,
        scale: i32,
        provenance: String,
    ) -> Result<Self, Unsuitable> {
        if !architecture.is_valid() {
            return Err(Unsuitable::Architecture(architecture));
        }
        if !(1..=10_000).contains(&scale) {
            return Err(Unsuitable::Scale(scale));
        }
        serde_json::from_str::<serde_json::Map<String, serde_json::Value>>(&provenance)
            .map_err(|error| Unsuitable::Provenance(error.to_string()))?;
        let Architecture { neurons, buckets, .. } = architecture;
        let count = |what, expected, got| {
            if expected == got { Ok(()) } else { Err(Unsuitable::Count { what, expected, got }) }
        };
        count("output biases", buckets, weights.output_biases.len())?;
        let lanes = |what, expected, limit: i16, weights: &[i16]| {
            count(what, expected, weights.len())?;
            if let Some(&got) = weights.iter().find(|weight| weight.unsigned_abs() > limit.unsigned_abs()) {
                return Err(Unsuitable::Size { what, limit, got });
            }
            let mut lanes = vec![Lane::ZERO; expected / LANES];
            bytemuck::cast_slice_mut(&mut lanes).copy_from_slice(weights);
            Ok(lanes)
        };
        let inputs = lanes("weights of inputs", INPUTS * neurons, INPUT_LIMIT, &weights.inputs)?;
        let biases = lanes("biases", neurons, BIAS_LIMIT, &weights.biases)?;
        let outputs = lanes("weights of outputs", buckets * 2 * neurons, OUTPUT_LIMIT, &weights.outputs)?;
        let layers = outputs.chunks_exact(2 * neurons / LANES).zip(&weights.output_biases);
        Ok(Self {
            architecture,
            scale,
            provenance,
            inputs: rows(&inputs, neurons / LANES),
            biases,
            layers: layers.map(|(weights, &bias)| Layer { weights: weights.to_vec(), bias }).collect(),
            buckets: std::array::from_fn(|pieces| bucket(pieces, buckets) as u8),
        })
    }

    /// Returns a network of random weights, the same for the same `seed`, for tests and measurements. It
    /// computes like a trained network.
    ///
    /// # Panics
    ///
    /// If `architecture` is not valid.
    #[must_use]
    pub fn random(architecture: Architecture, seed: u64) -> Self {
        let mut rng = StdRng::seed_from_u64(seed);
        let mut numbers = |count: usize, limit: i16| -> Vec<i16> {
            (0..count).map(|_| rng.random_range(-limit..=limit)).collect()
        };
        let Architecture { neurons, buckets, .. } = architecture;
        let weights = Weights {
            inputs: numbers(INPUTS * neurons, INPUT_LIMIT / 5),
            biases: numbers(neurons, INPUT_LIMIT / 5),
            outputs: numbers(buckets * 2 * neurons, OUTPUT_LIMIT / 4),
            output_biases: numbers(buckets, INPUT_LIMIT).into_iter().map(i32::from).collect(),
        };
        let provenance = format!("{{\"random\":{seed}}}");
        Self::new(architecture, &weights, 157, provenance).unwrap_or_else(|error| panic!("{error}"))
    }

    /// Its architecture.
    #[must_use]
    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// The value of an output of 1, in centipawns.
    #[must_use]
    pub fn scale(&self) -> i32 {
        self.scale
    }

    /// The origin of the weights: a JSON object.
    #[must_use]
    pub fn provenance(&self) -> &str {
        &self.provenance
    }

    /// For each neuron the weight of `input`, in 1/[`QA`].
    #[must_use]
    pub fn input_weights(&self, input: usize) -> &[i16] {
        bytemuck::cast_slice(self.input_row(features::row_of_input(input)))
    }

    /// The bias of each neuron, in 1/[`QA`].
    #[must_use]
    pub fn biases(&self) -> &[i16] {
        bytemuck::cast_slice(&self.biases)
    }

    /// The weights in `bucket` of the neurons of the side to move, then of the other side, in 1/[`QB`].
    #[must_use]
    pub fn output_weights(&self, bucket: usize) -> &[i16] {
        bytemuck::cast_slice(&self.layers[bucket].weights)
    }

    /// The bias of the output in `bucket`, in 1/([`QA`]·[`QB`]).
    #[must_use]
    pub fn output_bias(&self, bucket: usize) -> i32 {
        self.layers[bucket].bias
    }

    /// The output layer that evaluates `board`.
    #[inline]
    fn layer(&self, board: &Board) -> &Layer {
        &self.layers[usize::from(self.buckets[board.occupied().count()])]
    }

    /// The number of lanes that the neurons of one side take.
    #[inline]
    fn lanes(&self) -> usize {
        self.architecture.neurons / LANES
    }

    /// The weights of all rows, `blocks` blocks of `N` lanes each.
    #[inline(always)]
    fn rows<const N: usize>(&self, blocks: usize) -> &[[Lane; N]] {
        // With a known length the compiler sees that no row is out of bounds.
        &self.inputs.as_chunks().0[..features::ROWS * blocks]
    }

    /// The weights of the feature with the number `row`.
    #[inline]
    fn input_row(&self, row: usize) -> &[Lane] {
        let lanes = self.lanes();
        &self.inputs[row * lanes..][..lanes]
    }

    /// Returns the value of a position for `turn`, the side to move, in centipawns, computed number by number
    /// from scratch. Slow; tests compare the fast evaluation with it.
    ///
    /// With `a` the sum of a neuron limited to 0..=[`QA`], and `w` its weight, the output is the sum of
    /// `w·a²/QA` (or `w·a`) plus the bias, in 1/(QA·QB). Divisions round towards zero.
    #[must_use]
    pub fn evaluate(&self, board: &Board, turn: Color) -> Value {
        let bucket = bucket(board.occupied().count(), self.architecture.buckets);
        let active = self.activations(board, turn);
        let weights = self.output_weights(bucket);
        let sum = active.iter().zip(weights).map(|(active, &weight)| active * i64::from(weight)).sum();
        self.value(sum, &self.layers[bucket])
    }

    /// The activation of each neuron, first those of the side to move, `turn`: from 0 to the square of
    /// [`QA`]. Computed from scratch.
    #[must_use]
    pub fn activations(&self, board: &Board, turn: Color) -> Vec<i64> {
        let sums = [turn, !turn].map(|side| self.sums(View::of(side, board), board)).concat();
        sums.into_iter().map(|sum| i64::from(sum).clamp(0, i64::from(QA)).pow(2)).collect()
    }

    /// The sum of each neuron for one side.
    fn sums(&self, view: View, board: &Board) -> Vec<i16> {
        let mut sums = self.biases().to_vec();
        for input in view.inputs(board) {
            for (sum, &weight) in sums.iter_mut().zip(self.input_weights(input)) {
                *sum = sum.wrapping_add(weight);
            }
        }
        sums
    }

    /// Converts the weighted sum of the activations to a value in centipawns.
    #[inline]
    fn value(&self, sum: i64, layer: &Layer) -> Value {
        let output = sum / i64::from(QA) + i64::from(layer.bias);
        let value = output * i64::from(self.scale) / i64::from(QA * QB);
        ordinary(value.clamp(i64::from(Value::MIN), i64::from(Value::MAX)) as Value)
    }
}
