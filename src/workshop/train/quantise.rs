//! Converts a floating-point network to the integers that the engine plays with, and measures the deviation.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    batch::{BUCKETS, Batch},
    network::FloatNetwork,
    rounding::Layer,
    schedule::TrainingSchedule,
    target::SCALE,
    trainer::{NetworkTrainer, TrainerState},
};
use crate::{
    engine::eval::network::{
        self as played, Architecture, BIAS_LIMIT, INPUT_LIMIT, INPUTS, OUTPUT_LIMIT, QA, QB, Unsuitable,
        Weights, bucket,
    },
    workshop::data::Record,
};

/// A network with an architecture that no training can start from.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("expected a network with the squared activation and at most {BUCKETS} output buckets, got {0}")]
pub struct OtherForm(Architecture);

/// The architecture of `network`.
#[must_use]
pub fn architecture(network: &FloatNetwork) -> Architecture {
    Architecture { neurons: network.hidden(), buckets: BUCKETS }
}

/// Returns a network of integers. All weights are rounded to the nearest one. Then the output weights are
/// rounded again, for the least error in the positions of `records`.
///
/// # Errors
///
/// [`Unsuitable`] if the size is not supported, or `provenance` is not a JSON object.
pub fn quantise(
    network: &FloatNetwork,
    provenance: &str,
    records: &[Record],
) -> Result<played::Network, Unsuitable> {
    let mut weights = nearest(network);
    let with = |weights: &Weights| {
        played::Network::new(architecture(network), weights, SCALE as i32, provenance.to_owned())
    };
    round_outputs(network, &with(&weights)?, &mut weights, records);
    with(&weights)
}

/// Returns the nearest integer of every weight.
fn nearest(network: &FloatNetwork) -> Weights {
    let whole = |weights: Vec<f32>, one: i32, limit: i16| {
        let limit = f32::from(limit);
        weights.into_iter().map(move |weight| (weight * one as f32).round().clamp(-limit, limit) as i16)
    };
    let outputs = (0..BUCKETS).flat_map(|bucket| [0, 1].map(|side| network.output_weights(bucket, side)));
    Weights {
        inputs: (0..INPUTS)
            .flat_map(|input| whole(network.feature_weights(input), QA, INPUT_LIMIT))
            .collect(),
        biases: whole(network.hidden_biases(), QA, BIAS_LIMIT).collect(),
        outputs: outputs.flat_map(|weights| whole(weights, QB, OUTPUT_LIMIT)).collect(),
        output_biases: (0..BUCKETS)
            .map(|bucket| (network.output_bias(bucket) * (QA * QB) as f32).round() as i32)
            .collect(),
    }
}

/// Rounds the output weights of `weights` together; `nearest` is the network with these weights.
fn round_outputs(
    network: &FloatNetwork,
    nearest: &played::Network,
    weights: &mut Weights,
    records: &[Record],
) {
    let (records, outputs) = outputs(network, records);
    let layers = weights.outputs.par_chunks_exact_mut(2 * network.hidden());
    layers.zip(&mut weights.output_biases).enumerate().for_each(|(layer, (weights, bias))| {
        let exact = [0, 1].map(|side| network.output_weights(layer, side)).concat();
        let exact = exact.into_iter().map(|weight| weight * QB as f32).collect();
        let (mut activations, mut errors) = (vec![vec![]; weights.len()], vec![]);
        for (record, output) in records.iter().zip(&outputs) {
            let board = record.board();
            if bucket(board.occupied().count(), BUCKETS) != layer {
                continue;
            }
            let mut error = output * QB as f32 - *bias as f32 / QA as f32;
            let active = nearest.activations(&board, record.turn());
            for ((activations, active), &weight) in activations.iter_mut().zip(active).zip(&*weights) {
                let active = active as f32 / (QA * QA) as f32;
                activations.push(active);
                error -= f32::from(weight) * active;
            }
            errors.push(error);
        }
        Layer { weights, bias, exact, activations, errors }.round();
    });
}

/// Returns the weights of `network` as floating-point numbers, as the start of another training. If it has
/// fewer output buckets than [`BUCKETS`], several buckets begin with the weights of the one that contains
/// them.
///
/// # Errors
///
/// [`OtherForm`] if the network has more output buckets.
pub fn dequantise(network: &played::Network) -> Result<FloatNetwork, OtherForm> {
    let Architecture { neurons, buckets } = network.architecture();
    if buckets > BUCKETS {
        return Err(OtherForm(network.architecture()));
    }
    // An output of 1 is worth the network's own scale in centipawns; here it is worth SCALE.
    let unit = QB as f32 * SCALE / network.scale() as f32;
    let start = |bucket: usize| bucket * buckets / BUCKETS;
    let part = |weights: &[i16], one: f32| -> Vec<f32> {
        weights.iter().map(|&weight| f32::from(weight) / one).collect()
    };
    let outputs = |bucket: usize, side: usize| {
        part(&network.output_weights(start(bucket))[side * neurons..(side + 1) * neurons], unit)
    };
    Ok(FloatNetwork::from_rows(
        neurons,
        |input| part(network.input_weights(input), QA as f32),
        &part(network.biases(), QA as f32),
        outputs,
        |bucket| network.output_bias(start(bucket)) as f32 / (QA as f32 * unit),
    ))
}

/// The deviation between the values of two networks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Deviation {
    /// Number of positions compared.
    pub positions: usize,
    /// The mean absolute difference in centipawns.
    pub mean: f64,
    /// The largest absolute difference in centipawns.
    pub largest: f64,
}

/// Compares the values of `quantised` and `network` for `records`, which must have both kings.
#[must_use]
pub fn compare(network: &FloatNetwork, quantised: &played::Network, records: &[Record]) -> Deviation {
    let (records, outputs) = outputs(network, records);
    let distances: Vec<f64> = records
        .par_iter()
        .zip(&outputs)
        .map(|(record, output)| {
            let value = quantised.evaluate(&record.board(), record.turn());
            (f64::from(value) - f64::from(output * SCALE)).abs()
        })
        .collect();
    Deviation {
        positions: records.len(),
        // Not `sum`, which is -0.0 without any.
        mean: distances.iter().fold(0.0, |sum, distance| sum + distance) / records.len().max(1) as f64,
        largest: distances.into_iter().fold(0.0, f64::max),
    }
}

/// Returns those of `records` that have both kings, and the output of `network` for each.
fn outputs<'r>(network: &FloatNetwork, records: &'r [Record]) -> (Vec<&'r Record>, Vec<f32>) {
    let mut batch = Batch::default();
    let records = records.iter().filter(|record| batch.push(record, 0.0)).collect();
    (
        records,
        NetworkTrainer::new(TrainerState::new(network.clone()), TrainingSchedule::default()).outputs(&batch),
    )
}
