//! The training step: forward pass, loss, backward pass, update.

use rayon::prelude::*;

use super::{
    batch::Batch,
    lane::Lane,
    network::Network,
    optimiser::{Moments, Step},
    schedule::Schedule,
    slice::{Passage, Slice},
    target::{sigmoid, target},
};

/// The number of positions that one thread processes at a time, for work that is divided by positions.
const PIECE: usize = 1024;

/// The state of one slice of the network.
#[derive(Clone, Debug)]
struct Part {
    weights: Slice,
    gradient: Slice,
    moments: Moments,
    passage: Passage,
}

/// Trains a network. The seed determines the network, with any number of threads.
#[derive(Clone, Debug)]
pub struct Trainer {
    parts: Vec<Part>,
    biases: Lane,
    bias_moments: Moments,
    schedule: Schedule,
    /// The weight decay, per step and unit of the learning rate.
    decay: f32,
    /// Number of steps done.
    steps: u64,
}

/// Everything needed to continue a training.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The weights.
    pub network: Network,
    /// The moments of each slice, and finally of the output biases.
    pub moments: Vec<Moments>,
    /// Number of steps done.
    pub steps: u64,
}

impl State {
    /// Returns the state before the first step.
    #[must_use]
    pub fn new(network: Network) -> Self {
        let slices = network.slices.iter().map(|slice| Moments::new(slice.rows.len()));
        let moments = slices.chain([Moments::new(1)]).collect();
        Self { network, moments, steps: 0 }
    }
}

impl Trainer {
    /// Continues from `state`.
    #[must_use]
    pub fn new(state: State, schedule: Schedule, decay: f32) -> Self {
        let mut moments = state.moments;
        let bias_moments = moments.pop().expect("those of the output biases");
        let parts = state.network.slices.into_iter().zip(moments);
        let parts = parts.map(|(weights, moments)| Part {
            weights,
            gradient: Slice::zero(),
            moments,
            passage: Passage::default(),
        });
        Self {
            parts: parts.collect(),
            biases: state.network.biases,
            bias_moments,
            schedule,
            decay,
            steps: state.steps,
        }
    }

    /// Returns the state, to continue later.
    #[must_use]
    pub fn state(&self) -> State {
        let moments = self.parts.iter().map(|part| part.moments.clone());
        State {
            network: self.network(),
            moments: moments.chain([self.bias_moments.clone()]).collect(),
            steps: self.steps,
        }
    }

    /// The current network.
    #[must_use]
    pub fn network(&self) -> Network {
        Network { slices: self.parts.iter().map(|part| part.weights.clone()).collect(), biases: self.biases }
    }

    /// The number of steps done.
    #[must_use]
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// Trains on `batch`, and returns its mean loss before the step.
    pub fn step(&mut self, batch: &Batch) -> f64 {
        self.steps += 1;
        let share = self.schedule.result_share(self.steps);
        let (loss, slopes) = self.forward(batch, share);
        let step = Step::new(self.steps, self.schedule.rate(self.steps), self.decay);
        self.parts.par_iter_mut().for_each(|part| {
            part.weights.backward(batch, &part.passage, &slopes, &mut part.gradient);
            part.moments.descend(&step, &mut part.weights.rows, &part.gradient.rows);
        });
        let mut gradient = Lane::ZERO;
        for (&bucket, &slope) in batch.buckets.iter().zip(&slopes) {
            gradient.0[usize::from(bucket)] += slope;
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
        self.parts.par_iter_mut().for_each(|part| part.weights.forward(batch, &mut part.passage));
        (0..batch.len()).map(|index| self.output(batch, index)).collect()
    }

    /// The mean loss over `batch`, and its slope by the output of each position.
    fn forward(&mut self, batch: &Batch, share: f32) -> (f64, Vec<f32>) {
        self.parts.par_iter_mut().for_each(|part| part.weights.forward(batch, &mut part.passage));
        let mut slopes = vec![0.0; batch.len()];
        let losses: Vec<f64> = slopes
            .par_chunks_mut(PIECE)
            .enumerate()
            .map(|(piece, slopes)| {
                let mut loss = 0.0;
                for (index, slope) in (piece * PIECE..).zip(slopes) {
                    let expected = sigmoid(self.output(batch, index));
                    let missing = expected - target(share, batch.results[index], batch.scores[index]);
                    loss += f64::from(missing * missing);
                    *slope = 2.0 * missing * expected * (1.0 - expected) / batch.len() as f32;
                }
                loss
            })
            .collect();
        (losses.iter().sum::<f64>() / batch.len() as f64, slopes)
    }

    /// The output for a position of the last forward pass.
    fn output(&self, batch: &Batch, index: usize) -> f32 {
        let slices = self.parts.iter().map(|part| part.passage.outputs[index]).sum::<f32>();
        slices + self.biases.0[usize::from(batch.buckets[index])]
    }
}

#[cfg(test)]
mod tests;
