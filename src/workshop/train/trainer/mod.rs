//! The training step: forward pass, loss, backward pass, update.

use rayon::prelude::*;

use super::{
    batch::Batch,
    lane::Lane,
    network::FloatNetwork,
    optimiser::{Moments, UpdateStep},
    schedule::TrainingSchedule,
    slice::{ForwardPass, NeuronSlice, Rounded},
    target::{sigmoid, target},
};

/// The number of positions that one thread processes at a time, for work that is divided by positions.
const PIECE: usize = 1024;

/// The state of one slice of the network.
#[derive(Clone, Debug)]
struct Part {
    weights: NeuronSlice,
    rounded: Rounded,
    gradient: NeuronSlice,
    moments: Moments,
    pass: ForwardPass,
}

impl Part {
    fn forward(&mut self, batch: &Batch) {
        self.weights.forward(&self.rounded, batch, &mut self.pass);
    }
}

/// Trains a network. The seed determines the network, with any number of threads.
#[derive(Clone, Debug)]
pub struct NetworkTrainer {
    parts: Vec<Part>,
    biases: Lane,
    bias_moments: Moments,
    schedule: TrainingSchedule,
    /// Number of steps done.
    steps: u64,
    /// Number of steps in the moments.
    age: u64,
}

/// Everything needed to continue a training.
#[derive(Clone, Debug, PartialEq)]
pub struct TrainerState {
    /// The weights.
    pub network: FloatNetwork,
    /// The moments of each slice, and finally of the output biases.
    pub moments: Vec<Moments>,
    /// Number of steps done.
    pub steps: u64,
    /// Number of steps in the moments; more than `steps` if they are from the training from which this one
    /// branches.
    pub age: u64,
}

impl TrainerState {
    /// Returns the state before the first step.
    #[must_use]
    pub fn new(network: FloatNetwork) -> Self {
        let slices = network.slices.iter().map(|slice| Moments::new(slice.rows.len()));
        let moments = slices.chain([Moments::new(1)]).collect();
        Self { network, moments, steps: 0, age: 0 }
    }
}

impl NetworkTrainer {
    /// Continues from `state`.
    #[must_use]
    pub fn new(state: TrainerState, schedule: TrainingSchedule) -> Self {
        let mut moments = state.moments;
        let bias_moments = moments.pop().expect("those of the output biases");
        let parts = state.network.slices.into_iter().zip(moments);
        let parts = parts.map(|(weights, moments)| Part {
            rounded: weights.rounded(),
            weights,
            gradient: NeuronSlice::zero(),
            moments,
            pass: ForwardPass::default(),
        });
        Self {
            parts: parts.collect(),
            biases: state.network.biases,
            bias_moments,
            schedule,
            steps: state.steps,
            age: state.age,
        }
    }

    /// Returns the state, to continue later.
    #[must_use]
    pub fn state(&self) -> TrainerState {
        let moments = self.parts.iter().map(|part| part.moments.clone());
        TrainerState {
            network: self.network(),
            moments: moments.chain([self.bias_moments.clone()]).collect(),
            steps: self.steps,
            age: self.age,
        }
    }

    /// The current network.
    #[must_use]
    pub fn network(&self) -> FloatNetwork {
        FloatNetwork {
            slices: self.parts.iter().map(|part| part.weights.clone()).collect(),
            biases: self.biases,
        }
    }

    /// The number of steps done.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Trains on `batch`, and returns its mean loss before the step.
    pub fn step(&mut self, batch: &Batch) -> f64 {
        self.steps += 1;
        self.age += 1;
        let share = self.schedule.result_share(self.steps);
        let (loss, slopes) = self.forward(batch, share);
        let step = UpdateStep::new(self.age, self.schedule.rate(self.steps), self.schedule.decay);
        self.parts.par_iter_mut().for_each(|part| {
            part.weights.backward(batch, &part.pass, &slopes, &mut part.gradient);
            part.moments.descend(&step, &mut part.weights.rows, &part.gradient.rows);
            part.rounded = part.weights.rounded();
        });
        let mut gradient = Lane::ZERO;
        for run in batch.runs() {
            gradient.numbers_mut()[run.bucket] += slopes[run.positions].iter().sum::<f32>();
        }
        self.bias_moments.descend(&step, std::slice::from_mut(&mut self.biases), &[gradient]);
        loss
    }

    /// The mean loss over `batch`, which is not empty, if the result has `share` of the target.
    pub fn loss(&mut self, batch: &Batch, share: f32) -> f64 {
        self.forward(batch, share).0
    }

    /// The outputs for `batch`, which times the scale are centipawns.
    pub fn outputs(&mut self, batch: &Batch) -> Vec<f32> {
        self.parts.par_iter_mut().for_each(|part| part.forward(batch));
        (0..batch.len()).map(|index| self.output(batch, index)).collect()
    }

    /// The mean loss over `batch`, and its slope by the output of each position.
    fn forward(&mut self, batch: &Batch, share: f32) -> (f64, Vec<f32>) {
        self.parts.par_iter_mut().for_each(|part| part.forward(batch));
        let (mut slopes, exponent) = (vec![0.0; batch.len()], self.schedule.exponent);
        let losses: Vec<f64> = slopes
            .par_chunks_mut(PIECE)
            .enumerate()
            .map(|(piece, slopes)| {
                let mut loss = 0.0;
                for (index, slope) in (piece * PIECE..).zip(slopes) {
                    let expected = sigmoid(self.output(batch, index));
                    let missing = expected - target(share, batch.results[index], batch.scores[index]);
                    let power = libm::powf(missing.abs(), exponent - 1.0);
                    loss += f64::from(power * missing.abs());
                    let by_expected = (exponent * power).copysign(missing);
                    *slope = by_expected * expected * (1.0 - expected) / batch.len() as f32;
                }
                loss
            })
            .collect();
        (losses.iter().sum::<f64>() / batch.len() as f64, slopes)
    }

    /// The output for a position of the last forward pass.
    fn output(&self, batch: &Batch, index: usize) -> f32 {
        let slices = self.parts.iter().map(|part| part.pass.outputs[index]).sum::<f32>();
        slices + self.biases.numbers()[batch.bucket(index)]
    }
}

#[cfg(test)]
mod tests;
