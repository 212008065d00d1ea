//! Converts a floating-point network to the integers that the engine plays with, and measures the deviation.

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    batch::{BUCKETS, Batch},
    network::Network,
    schedule::{Schedule, Shape},
    target::SCALE,
    trainer::{State, Trainer},
};
use crate::{
    data::Record,
    eval::network::{
        self as played, Activation, Architecture, BIAS_LIMIT, INPUT_LIMIT, INPUTS, OUTPUT_LIMIT, QA, QB,
        Unsuitable, Weights,
    },
};

/// A network with an architecture that is not trained here.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("expected a network with the squared activation and {BUCKETS} output buckets, got {0}")]
pub struct OtherForm(Architecture);

/// The architecture of `network`.
#[must_use]
pub fn architecture(network: &Network) -> Architecture {
    Architecture { neurons: network.hidden(), activation: Activation::SquaredClipped, buckets: BUCKETS }
}

/// Returns the nearest network of integers.
///
/// # Errors
///
/// [`Unsuitable`] if the size is not supported, or `provenance` is not a JSON object.
pub fn quantise(network: &Network, provenance: String) -> Result<played::Network, Unsuitable> {
    let whole = |weights: Vec<f32>, one: i32, limit: i16| {
        let limit = f32::from(limit);
        weights.into_iter().map(move |weight| (weight * one as f32).round().clamp(-limit, limit) as i16)
    };
    let outputs = (0..BUCKETS).flat_map(|bucket| [0, 1].map(|side| network.output_weights(bucket, side)));
    let weights = Weights {
        inputs: (0..INPUTS)
            .flat_map(|input| whole(network.feature_weights(input), QA, INPUT_LIMIT))
            .collect(),
        biases: whole(network.hidden_biases(), QA, BIAS_LIMIT).collect(),
        outputs: outputs.flat_map(|weights| whole(weights, QB, OUTPUT_LIMIT)).collect(),
        output_biases: (0..BUCKETS)
            .map(|bucket| (network.output_bias(bucket) * (QA * QB) as f32).round() as i32)
            .collect(),
    };
    played::Network::new(architecture(network), &weights, SCALE as i32, provenance)
}

/// Returns the weights of `network` as floating-point numbers, as the start of another training.
///
/// # Errors
///
/// [`OtherForm`] if the network has another architecture than those trained here.
pub fn dequantise(network: &played::Network) -> Result<Network, OtherForm> {
    let (got, neurons) = (network.architecture(), network.architecture().neurons);
    if got != (Architecture { neurons, activation: Activation::SquaredClipped, buckets: BUCKETS }) {
        return Err(OtherForm(got));
    }
    let part = |weights: &[i16], one: i32| -> Vec<f32> {
        weights.iter().map(|&weight| f32::from(weight) / one as f32).collect()
    };
    let outputs = |bucket: usize, side: usize| {
        part(&network.output_weights(bucket)[side * neurons..(side + 1) * neurons], QB)
    };
    Ok(Network::from_rows(
        neurons,
        |input| part(network.input_weights(input), QA),
        &part(network.biases(), QA),
        outputs,
        |bucket| network.output_bias(bucket) as f32 / (QA * QB) as f32,
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
pub fn compare(network: &Network, quantised: &played::Network, records: &[Record]) -> Deviation {
    let mut batch = Batch::default();
    let records: Vec<_> = records.iter().filter(|record| batch.push(record, 0.0)).collect();
    let schedule = Schedule {
        steps: 0,
        warm_up: 0,
        rate: 0.0,
        final_rate: 0.0,
        shape: Shape::Cosine,
        result_share: [0.0; 2],
    };
    let outputs = Trainer::new(State::new(network.clone()), schedule, 0.0).outputs(&batch);
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
        mean: distances.iter().sum::<f64>() / records.len().max(1) as f64,
        largest: distances.into_iter().fold(0.0, f64::max),
    }
}
