//! A training from its first to its last step, in any number of sessions.

use std::{fmt, io, thread};

use serde::{Deserialize, Serialize};

use super::{
    accepted::DataFile,
    anchor::Anchor,
    batch::Batch,
    feed::{Fed, Feeding},
    loader::shuffled,
    network::FloatNetwork,
    schedule::{Shape, TrainingSchedule},
    trainer::{NetworkTrainer, TrainerState},
};
use crate::{
    words::counted,
    workshop::data::{Filter, Record},
};

/// Everything that determines the network. Checkpoints and the provenance of networks contain it by the names
/// of the fields. A field that gets another name keeps its old one there (`#[serde(rename)]`): else old
/// checkpoints cannot be read.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Plan {
    /// Hidden neurons for each perspective.
    pub hidden: usize,
    /// The seed of the first weights and of the order of the positions.
    pub seed: u64,
    /// Positions for each step.
    pub batch: usize,
    /// The course of learning rate and target.
    pub schedule: TrainingSchedule,
    /// The filter of the positions.
    pub filter: Filter,
    /// How the training uses the shards of its folder.
    pub feeding: Feeding,
    /// The validation data.
    pub validation: Vec<DataFile>,
    /// The source of the first weights, if they are not random.
    pub start: Option<Start>,
    /// The share of an [`Anchor`] with the weights of `start` in the target; 0 without an anchor.
    // Plans of earlier programs lack it.
    #[serde(default)]
    pub anchor: f32,
}

/// A file with the first weights.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Start {
    /// Its name, without folders.
    pub name: String,
    /// The [checksum](FloatNetwork::checksum) of the weights, in hexadecimal digits.
    pub crc32: String,
    /// Whether the moments are from this file too.
    pub moments: bool,
}

/// The state before the first step.
#[derive(Clone, Debug)]
pub enum Begin {
    /// Random weights.
    Random,
    /// These weights, [widened](FloatNetwork::widened) if the plan has more neurons.
    Weights(FloatNetwork),
    /// The weights and moments of another training with as many neurons.
    Branch(TrainerState),
}

impl Plan {
    /// The first difference of the `other` plan, by the flags of `train`: `expected --seed 1, got --seed 2`.
    #[must_use]
    pub fn difference(&self, other: &Self) -> Option<String> {
        let mut pairs = self.described().into_iter().zip(other.described());
        let (ours, others) = pairs.find(|(ours, others)| ours != others)?;
        Some(format!("expected {ours}, got {others}"))
    }

    /// All of the plan, one thing at a time, by the flags of `train`. What depends on others is behind them.
    fn described(&self) -> Vec<String> {
        let Self { hidden, seed, batch, schedule, filter, feeding, validation, start, anchor } = self;
        let Filter { no_checks, no_tacticals, no_mates, score_limit, first_ply } = filter;
        let &TrainingSchedule { steps, warm_up, rate, final_rate, shape, result_share, decay, exponent } =
            schedule;
        let [from, to] = result_share;
        let given =
            |is_given: bool, flag: &str| if is_given { flag.to_owned() } else { format!("no {flag}") };
        let file = |file: &DataFile| {
            let DataFile { name, bytes, crc32, counts } = file;
            format!("{name} of {} with checksum {crc32}: {counts}", counted(*bytes, "byte", "bytes"))
        };
        let mut all = vec![
            format!("--hidden {hidden}"),
            format!("--seed {seed}"),
            format!("--batch {batch}"),
            given(!no_checks, "--tactical"),
            given(!no_tacticals, "--tactical"),
            given(!no_mates, "positions with the score of a mate"),
            score_limit.map_or("no --score-limit".to_owned(), |limit| format!("--score-limit {limit}")),
            format!("--first-ply {first_ply}"),
            counted(validation.len() as u64, "file for --validation", "files for --validation"),
        ];
        all.extend(validation.iter().map(file));
        all.extend([
            format!("--uses {}", feeding.uses),
            format!("--window {}", feeding.window),
            start.as_ref().map_or(
                "no --start and no --branch".to_owned(),
                |Start { name, crc32, moments }| {
                    let flag = if *moments { "--branch" } else { "--start" };
                    format!("{flag} {name} with checksum {crc32}")
                },
            ),
            format!("--anchor {anchor}"),
            match steps {
                TrainingSchedule::ENDLESS => "no --positions".to_owned(),
                steps => format!("{} by --positions", counted(steps, "step", "steps")),
            },
            format!("--warm-up {warm_up}"),
            format!("--rate {rate}"),
            format!("--final-rate {final_rate}"),
            match shape {
                Shape::Cosine => "--shape cosine".to_owned(),
                Shape::Constant => "--shape constant".to_owned(),
            },
            format!("--result-share {from}-{to}"),
            format!("a weight decay of {decay}"),
            format!("--exponent {exponent}"),
        ]);
        all
    }
}

/// The result of a round: of one pass through the positions of some shards.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Round {
    /// Its number, from 1.
    pub number: u64,
    /// Positions used so far, in all rounds.
    pub positions: u64,
    /// The learning rate at its end.
    pub rate: f32,
    /// The mean loss over the training positions, each computed before the step that uses it.
    pub training: f64,
    /// The mean loss over the validation data, at its end.
    pub validation: f64,
}

impl fmt::Display for Round {
    /// Writes a row of the table: number, positions, learning rate, losses.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { number, positions, rate, training, validation } = self;
        write!(f, "{number:>5}  {positions:>13}  {rate:>10.7}  {training:.6}    {validation:.6}")
    }
}

/// The reason why a training cannot continue.
#[derive(Debug, thiserror::Error)]
pub enum TrainingError {
    /// A thread cannot be started.
    #[error(transparent)]
    Thread(#[from] io::Error),
    /// The weights are so large that the loss is not a number.
    #[error("the loss is not a number any more; a lower learning rate may help")]
    Diverged,
}

/// The state of a training.
#[derive(Clone, Debug)]
pub struct TrainingRun {
    /// The plan.
    pub plan: Plan,
    /// The completed rounds.
    pub rounds: Vec<Round>,
    /// The sum of the losses of this round's steps.
    pub loss: f64,
    /// What it has taken from its folder of shards.
    pub fed: Fed,
    /// The network.
    pub trainer: NetworkTrainer,
}

impl TrainingRun {
    /// Begins a training.
    #[must_use]
    pub fn new(plan: Plan, begin: Begin) -> Self {
        let state = match begin {
            Begin::Random => TrainerState::new(FloatNetwork::random(plan.hidden, plan.seed)),
            Begin::Weights(network) => TrainerState::new(network.widened(plan.hidden, plan.seed)),
            Begin::Branch(state) => TrainerState { steps: 0, ..state },
        };
        let trainer = NetworkTrainer::new(state, plan.schedule);
        Self { plan, rounds: Vec::new(), loss: 0.0, fed: Fed::default(), trainer }
    }

    /// Whether all steps are done.
    #[must_use]
    pub fn is_over(&self) -> bool {
        self.trainer.steps() >= self.plan.schedule.steps
    }

    /// Continues with the positions that [`fill`](Fed::fill) has returned, to the end of the round or of the
    /// training, and adds the result to [`rounds`](Self::rounds). `step` is called after each step but the
    /// last: a checkpoint between that step and the result would lose the result. If it returns `false`, the
    /// round is interrupted and `false` returned.
    ///
    /// The order of the positions depends on the seed and the number of the round. An interrupted round is
    /// continued by skipping the positions it has already used. Positions at its end that do not fill a batch
    /// are not used.
    ///
    /// `anchor` is the one of the plan, if it has one. It does not affect the validation.
    ///
    /// # Errors
    ///
    /// [`TrainingError`]; the network is useless then.
    pub fn round(
        &mut self,
        mut window: Vec<Record>,
        validation: &[Batch],
        mut anchor: Option<&mut Anchor>,
        threads: usize,
        mut step: impl FnMut(&Self) -> bool,
    ) -> Result<bool, TrainingError> {
        let size = self.plan.batch as u64;
        let done = self.trainer.steps() - self.rounds.last().map_or(0, |round| round.positions / size);
        let left = (window.len() as u64 / size - done).min(self.plan.schedule.steps - self.trainer.steps());
        let end = self.trainer.steps() + left;
        let order = self.order();
        let is_whole = thread::scope(|scope| {
            let batches = shuffled(scope, &mut window, self.plan.batch, order, threads)?;
            for mut batch in batches.take((done + left) as usize).skip(done as usize) {
                if let Some(anchor) = &mut anchor {
                    anchor.pull(&mut batch);
                }
                self.loss += self.trainer.step(&batch);
                if !self.loss.is_finite() {
                    return Err(TrainingError::Diverged);
                }
                if self.trainer.steps() < end && !step(self) {
                    return Ok(false);
                }
            }
            Ok(true)
        })?;
        if !is_whole {
            return Ok(false);
        }
        let validation = self.validation_loss(validation);
        if !(self.loss + validation).is_finite() {
            return Err(TrainingError::Diverged);
        }
        self.rounds.push(Round {
            number: self.rounds.len() as u64 + 1,
            positions: end * size,
            rate: self.plan.schedule.rate(end),
            training: self.loss / (done + left) as f64,
            validation,
        });
        self.loss = 0.0;
        self.fed.end_round();
        Ok(true)
    }

    /// The seed of the order of the positions in this round.
    fn order(&self) -> u64 {
        self.plan.seed.wrapping_add((self.rounds.len() as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15))
    }

    /// The mean loss over `batches`. It uses the share of the result at the end of the training, so that the
    /// losses of all rounds are comparable.
    pub fn validation_loss(&mut self, batches: &[Batch]) -> f64 {
        let share = self.plan.schedule.result_share[1];
        let sum: f64 = batches.iter().map(|batch| self.trainer.loss(batch, share) * batch.len() as f64).sum();
        sum / batches.iter().map(Batch::len).sum::<usize>() as f64
    }
}
