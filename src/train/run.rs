//! A training from its first step to its last, over as many sittings as it takes.

use std::{fmt, path::PathBuf};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    admitted::Admitted,
    batch::Batch,
    loader::Loader,
    network::Network,
    schedule::Schedule,
    stream::FileError,
    trainer::{State, Trainer},
};
use crate::data::Filter;

/// Everything that determines the network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Hidden neurons for each perspective.
    pub hidden: usize,
    /// For the first weights and the order of the positions.
    pub seed: u64,
    /// Positions between two steps.
    pub batch: usize,
    /// The course of learning rate and target.
    pub schedule: Schedule,
    /// How fast weights shrink, per step and unit of the learning rate.
    pub decay: f32,
    /// Which positions are learnt from.
    pub filter: Filter,
    /// What is learnt from.
    pub training: Vec<DataFile>,
    /// What tells how well that goes.
    pub validation: Vec<DataFile>,
    /// What the first weights are taken from, if they are not random.
    pub start: Option<String>,
}

/// A file of positions, as provenance has it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DataFile {
    /// Its name, without folders.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// The CRC-32 of all its bytes, in hexadecimal digits.
    pub crc32: String,
    /// What is in it.
    pub counts: Admitted,
}

impl Plan {
    /// Where the `other` plan differs first, in words: `seed 2 instead of 1`.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<String> {
        let [ours, others] = [self, other].map(|plan| serde_json::to_value(plan).expect("numbers and names"));
        first_difference("plan", &ours, &others)
    }

    /// Steps in one pass through the data; what is left over at the end of a pass is not learnt from.
    #[must_use]
    pub fn steps_per_epoch(&self) -> u64 {
        self.training.iter().map(|file| file.counts.positions).sum::<u64>() / self.batch as u64
    }
}

/// The first field in which two JSON values differ.
fn first_difference(name: &str, ours: &Value, others: &Value) -> Option<String> {
    match (ours, others) {
        (Value::Object(ours), Value::Object(others)) => {
            let mut fields =
                ours.iter().map(|(name, ours)| (name, ours, others.get(name).unwrap_or(&Value::Null)));
            fields.find_map(|(name, ours, others)| first_difference(name, ours, others))
        }
        _ if ours == others => None,
        _ => Some(format!("{name} {others} instead of {ours}")),
    }
}

/// How a pass through the data went.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Epoch {
    /// Its number, the first being 1.
    pub number: u64,
    /// Positions learnt from so far, in all epochs.
    pub positions: u64,
    /// The learning rate at its end.
    pub rate: f32,
    /// The mean loss over the positions learnt from, each before it was.
    pub training: f64,
    /// The mean loss over the validation data, at its end.
    pub validation: f64,
}

impl fmt::Display for Epoch {
    /// The line of a table: number, positions, learning rate, losses.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, positions, rate, training, validation } = self;
        write!(f, "{number:>5}  {positions:>13}  {rate:>10.7}  {training:.6}    {validation:.6}")
    }
}

/// Why a training cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file cannot be read.
    #[error(transparent)]
    File(#[from] FileError),
    /// The files held more when the training began.
    #[error("the data have changed: expected {expected} batches, got {got}")]
    Fewer {
        /// As many as the plan says.
        expected: u64,
        /// As many as came.
        got: u64,
    },
    /// The weights have become so large that the loss is no number.
    #[error("the loss is no number any more; a lower learning rate may help")]
    Diverged,
}

/// Where a training stands.
#[derive(Clone, Debug)]
pub struct Run {
    /// What is done.
    pub plan: Plan,
    /// The epochs that are over.
    pub epochs: Vec<Epoch>,
    /// The sum of the losses of the steps in this epoch.
    pub loss: f64,
    /// The network.
    pub trainer: Trainer,
}

impl Run {
    /// At the beginning, with the weights of `start`, or random ones.
    #[must_use]
    pub fn new(plan: Plan, start: Option<Network>) -> Self {
        let network = start.unwrap_or_else(|| Network::random(plan.hidden, plan.seed));
        Self::resume(plan, Vec::new(), 0.0, State::new(network))
    }

    /// Goes on from `state`.
    #[must_use]
    pub fn resume(plan: Plan, epochs: Vec<Epoch>, loss: f64, state: State) -> Self {
        let trainer = Trainer::new(state, plan.schedule, plan.decay);
        Self { plan, epochs, loss, trainer }
    }

    /// Whether all steps are taken.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.trainer.steps() >= self.plan.schedule.steps
    }

    /// Goes on to the end of the epoch or of the training, and adds what came out to [`epochs`](Self::epochs). `step` is
    /// called after each step; when it returns `false`, a pass that is not over is broken off, and `false` returned.
    ///
    /// The order of the positions depends on the seed and the number of the epoch. A pass that was broken off begins
    /// with reading, and passing over, what was seen in it before.
    ///
    /// # Errors
    ///
    /// [`RunError`], after which the network is of no use.
    pub fn epoch(
        &mut self,
        files: &[PathBuf],
        validation: &[Batch],
        threads: usize,
        mut step: impl FnMut(&Self) -> bool,
    ) -> Result<bool, RunError> {
        let length = self.plan.steps_per_epoch();
        let (epoch, done) = (self.trainer.steps() / length, self.trainer.steps() % length);
        let seed = self.plan.seed.wrapping_add(epoch.wrapping_mul(0x9E37_79B9_7F4A_7C15));
        let mut loader = Loader::new(files, self.plan.filter, self.plan.batch, Some(seed), threads);
        let left = (length - done).min(self.plan.schedule.steps - self.trainer.steps());
        let end = self.trainer.steps() + left;
        for batch in loader.by_ref().skip(done as usize).take(left as usize) {
            self.loss += self.trainer.step(&batch?);
            if !step(self) && self.trainer.steps() < end {
                return Ok(false);
            }
        }
        let steps = self.trainer.steps();
        if steps < end {
            return Err(RunError::Fewer { expected: left, got: left - (end - steps) });
        }
        let validation = self.validation_loss(validation);
        if !(self.loss + validation).is_finite() {
            return Err(RunError::Diverged);
        }
        self.epochs.push(Epoch {
            number: epoch + 1,
            positions: steps * self.plan.batch as u64,
            rate: self.plan.schedule.rate(steps),
            training: self.loss / (done + left) as f64,
            validation,
        });
        self.loss = 0.0;
        Ok(true)
    }

    /// The mean loss over `batches`; the share of the result in the target is that of the end of the training, so that
    /// the losses of all epochs can be compared.
    pub fn validation_loss(&mut self, batches: &[Batch]) -> f64 {
        let share = self.plan.schedule.result_share[1];
        let sum: f64 = batches.iter().map(|batch| self.trainer.loss(batch, share) * batch.len() as f64).sum();
        sum / batches.iter().map(Batch::len).sum::<usize>() as f64
    }
}
