//! The evaluator that is learnt: a small neural network that is brought up to date instead of computed.
//!
//! ```text
//!   768 inputs of the side to move ──► N neurons ──┐
//!        (the same weights)                        ├──► one of the output layers, by the number of pieces ──► value
//!   768 inputs of the other side   ──► N neurons ──┘
//! ```
//!
//! A neuron's sum before its activation is the bias and the weights of the inputs that are on (`features.rs`). A move
//! switches two to four inputs, so the sums of both sides, the *accumulators*, follow from those of the position
//! before. All numbers are whole: what is kept from move to move is exactly what a fresh look finds.
//!
//! * `features.rs`: which input a piece on a square is.
//! * [`Network`]: architecture and weights, and the evaluation from scratch, the twin of the fast one.
//! * [`file`](mod@file): networks as bytes, with checks.
//! * [`Neural`]: the evaluator. `accumulator.rs` keeps the sums, `output.rs` makes a value of them; both work on
//!   [`wide`]'s vectors, which are the widest the processor compiled for has.
//!
//! Reference: Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi", 2018;
//! chessprogramming.org, "NNUE".

mod accumulator;
mod evaluator;
mod features;
pub mod file;
mod output;

use std::fmt;

use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
use shakmaty::{Board, Color};

use crate::value::{EVAL_LIMIT, Value};

pub use evaluator::Neural;
pub use features::{INPUTS, View, bucket};

/// What the weights of the inputs, their biases, and the greatest activation of a neuron are counted in: 255 is 1.
pub const QA: i32 = 255;

/// What the weights of the outputs are counted in: 64 is 1.
pub const QB: i32 = 64;

/// The greatest size of an input's weight, 1.98: 32 of them and a bias fit into 16 bits.
pub const INPUT_LIMIT: i16 = 505;

/// The greatest size of a neuron's bias.
pub const BIAS_LIMIT: i16 = i16::MAX - 32 * INPUT_LIMIT;

/// The greatest size of an output's weight, 1.98: times the greatest activation it fits into 16 bits.
pub const OUTPUT_LIMIT: i16 = 127;

/// Neurons are computed so many at a time; their number is a multiple of it.
pub const LANES: usize = 32;

/// The largest number of neurons: the sums of the output cannot overflow then.
pub const MOST_NEURONS: usize = 1024;

/// [`LANES`] numbers, one for each of as many neurons: a cache line. Up to 32 pieces no sum of them can overflow; with
/// more, which no game has, sums wrap everywhere alike.
type Lane = wide::i16x32;

/// What becomes of the sum of a neuron.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Activation {
    /// Limited to 0 and 1.
    Clipped,
    /// Limited to 0 and 1, and squared.
    SquaredClipped,
}

/// The form of a network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Architecture {
    /// Neurons for each side: a multiple of [`LANES`], at most [`MOST_NEURONS`].
    pub neurons: usize,
    /// What becomes of their sums.
    pub activation: Activation,
    /// Output layers, one for each range of numbers of pieces: 1, 2, 4, 8, 16 or 32.
    pub buckets: usize,
}

impl Architecture {
    /// Whether there can be such a network.
    #[must_use]
    pub fn is_valid(self) -> bool {
        let Self { neurons, buckets, .. } = self;
        (LANES..=MOST_NEURONS).contains(&neurons)
            && neurons.is_multiple_of(LANES)
            && buckets.is_power_of_two()
            && buckets <= 32
    }
}

impl fmt::Display for Architecture {
    /// `768-256x2-8 squared`, the words of file names and reports.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let activation = match self.activation {
            Activation::Clipped => "clipped",
            Activation::SquaredClipped => "squared",
        };
        write!(f, "{INPUTS}-{}x2-{} {activation}", self.neurons, self.buckets)
    }
}

/// Whole-numbered weights, in the order in which they are computed with.
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
    inputs: Vec<Lane>,
    biases: Vec<Lane>,
    outputs: Vec<Lane>,
    output_biases: Vec<i32>,
}

/// Why there can be no such network.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsuitable {
    /// Sizes that cannot be computed with.
    #[error(
        "expected a multiple of {LANES} neurons up to {MOST_NEURONS} and 1, 2, 4, 8, 16 or 32 buckets, got {} and {}",
        .0.neurons, .0.buckets
    )]
    Architecture(Architecture),
    /// More or fewer weights than the architecture has.
    #[error("expected {expected} {what}, got {got}")]
    Count {
        /// Which weights.
        what: &'static str,
        /// As many as the architecture has.
        expected: usize,
        /// As many as there are.
        got: usize,
    },
    /// A weight so large that sums could overflow.
    #[error("expected {what} from -{limit} to {limit}, got {got}")]
    Size {
        /// Which weights.
        what: &'static str,
        /// The greatest size.
        limit: i16,
        /// The weight.
        got: i16,
    },
    /// A scale that means nothing.
    #[error("expected a scale from 1 to 10000 centipawns, got {0}")]
    Scale(i32),
    /// Provenance that is no JSON.
    #[error("expected a JSON object as provenance: {0}")]
    Provenance(String),
}

impl Network {
    /// A network of `architecture` and `weights`. An output of 1 is worth `scale` centipawns; `provenance`, a JSON object,
    /// says where the weights come from.
    ///
    /// # Errors
    ///
    /// [`Unsuitable`] if sizes do not fit, or a weight is so large that sums could overflow.
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
        Ok(Self {
            architecture,
            scale,
            provenance,
            inputs: lanes("weights of inputs", INPUTS * neurons, INPUT_LIMIT, &weights.inputs)?,
            biases: lanes("biases", neurons, BIAS_LIMIT, &weights.biases)?,
            outputs: lanes("weights of outputs", buckets * 2 * neurons, OUTPUT_LIMIT, &weights.outputs)?,
            output_biases: weights.output_biases.clone(),
        })
    }

    /// A network of random weights, the same for the same `seed`: it knows nothing, but computes like a trained one. For
    /// tests and measurements.
    ///
    /// # Panics
    ///
    /// If there can be no such `architecture`.
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

    /// Its form.
    #[must_use]
    pub fn architecture(&self) -> Architecture {
        self.architecture
    }

    /// What an output of 1 is worth, in centipawns.
    #[must_use]
    pub fn scale(&self) -> i32 {
        self.scale
    }

    /// Where the weights come from: a JSON object.
    #[must_use]
    pub fn provenance(&self) -> &str {
        &self.provenance
    }

    /// For each neuron the weight of `input`, in 1/[`QA`].
    #[must_use]
    pub fn input_weights(&self, input: usize) -> &[i16] {
        bytemuck::cast_slice(self.input_row(self.lanes(), input))
    }

    /// For each neuron its bias, in 1/[`QA`].
    #[must_use]
    pub fn biases(&self) -> &[i16] {
        bytemuck::cast_slice(&self.biases)
    }

    /// For each neuron of the side to move, then of the other side, its weight in `bucket`, in 1/[`QB`].
    #[must_use]
    pub fn output_weights(&self, bucket: usize) -> &[i16] {
        bytemuck::cast_slice(self.output_row(self.lanes(), bucket))
    }

    /// The bias of the output in `bucket`, in 1/([`QA`]·[`QB`]).
    #[must_use]
    pub fn output_bias(&self, bucket: usize) -> i32 {
        self.output_biases[bucket]
    }

    /// How many lanes the neurons of one side take.
    #[inline]
    fn lanes(&self) -> usize {
        self.architecture.neurons / LANES
    }

    /// The weights of `input`, which are as many as fit into `lanes`.
    #[inline]
    fn input_row(&self, lanes: usize, input: usize) -> &[Lane] {
        &self.inputs[input * lanes..][..lanes]
    }

    /// The value of a position for `turn`, the side to move, in centipawns: number by number and from scratch, which
    /// is what the fast evaluation must equal. Slow.
    ///
    /// With `a` a neuron's sum limited to 0..=[`QA`], and `w` its weight, the output is the sum of `w·a²/QA` (or `w·a`),
    /// and the bias; it counts in 1/(QA·QB). Divisions are rounded towards zero.
    #[must_use]
    pub fn evaluate(&self, board: &Board, turn: Color) -> Value {
        let bucket = bucket(board.occupied().count(), self.architecture.buckets);
        let sums = [turn, !turn].map(|side| self.sums(View::of(side, board), board)).concat();
        let mut sum = 0;
        for (&neuron, &weight) in sums.iter().zip(self.output_weights(bucket)) {
            let active = i64::from(neuron).clamp(0, i64::from(QA));
            sum += i64::from(weight)
                * match self.architecture.activation {
                    Activation::Clipped => active,
                    Activation::SquaredClipped => active * active,
                };
        }
        self.value(sum, bucket)
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

    /// The weights of `bucket`: those of the side to move, then those of the other side, in `lanes` each.
    #[inline]
    fn output_row(&self, lanes: usize, bucket: usize) -> &[Lane] {
        &self.outputs[bucket * 2 * lanes..][..2 * lanes]
    }

    /// The value in centipawns that the weighted sum of the activations amounts to.
    #[inline]
    fn value(&self, sum: i64, bucket: usize) -> Value {
        let sum = match self.architecture.activation {
            Activation::Clipped => sum,
            Activation::SquaredClipped => sum / i64::from(QA),
        };
        let output = sum + i64::from(self.output_biases[bucket]);
        let value = output * i64::from(self.scale) / i64::from(QA * QB);
        value.clamp(i64::from(-EVAL_LIMIT), i64::from(EVAL_LIMIT)) as Value
    }
}
