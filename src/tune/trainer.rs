//! Adam on mini-batches, until the validation loss no longer improves.

use rand::{SeedableRng as _, rngs::StdRng, seq::SliceRandom as _};

use super::{Model, Split, TaperedWeights, start};

/// The decay of the mean and of the mean square of the gradient, as in the paper.
const FADING: [f32; 2] = [0.9, 0.999];
/// Keeps a step finite if the gradient has always been zero; far below any relevant slope.
const EPSILON: f32 = 1e-8;
/// The strength of the pull of each weight towards its initial value. It affects only features that hardly ever occur.
const PULL: f32 = 1e-10;

/// The length and the step sizes of a fit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TuningSchedule {
    /// The maximum number of epochs.
    pub epochs: u32,
    /// Positions for each step.
    pub batch: usize,
    /// The step size of the first epoch, in centipawns; it falls exponentially towards a hundredth of it.
    pub rate: f32,
    /// The seed for the order of the positions.
    pub seed: u64,
}

impl TuningSchedule {
    /// The step size in `epoch`, from 1.
    fn rate_in(&self, epoch: u32) -> f32 {
        self.rate * 0.01_f32.powf((epoch - 1) as f32 / self.epochs.max(2) as f32)
    }
}

/// The result of an epoch.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TuningEpoch {
    /// Its number, from 1.
    pub number: u32,
    /// The step size, in centipawns.
    pub rate: f32,
    /// The mean loss over the training data, while the weights changed.
    pub training: f64,
    /// The loss over the validation data, with the mean of the weights over its steps.
    pub validation: f64,
    /// Whether it is the best so far.
    pub best: bool,
}

/// The weights are so large that the loss is not a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the loss is not a number any more; a lower rate may help")]
pub struct Diverged;

/// Fits weights.
#[derive(Clone, Debug)]
pub struct Tuner<'d> {
    data: &'d Split,
    model: Model,
    schedule: TuningSchedule,
    /// Which features are fitted.
    fitted: Vec<bool>,
    weights: TaperedWeights,
    means: TaperedWeights,
    squares: TaperedWeights,
    steps: i32,
    epoch: u32,
    order: Vec<u32>,
    rng: StdRng,
    best: (f64, TaperedWeights),
}

impl<'d> Tuner<'d> {
    /// Begins a fit; weights that are not `fitted` keep their initial values.
    #[must_use]
    pub fn new(data: &'d Split, model: Model, schedule: TuningSchedule, fitted: Vec<bool>) -> Self {
        let weights = start();
        let nothing: TaperedWeights = vec![[0.0; 2]; weights.len()];
        let best = (model.loss(&data.validation, &weights), weights.clone());
        Self {
            data,
            model,
            schedule,
            fitted,
            weights,
            means: nothing.clone(),
            squares: nothing,
            steps: 0,
            epoch: 0,
            order: (0..data.training.len() as u32).collect(),
            rng: StdRng::seed_from_u64(schedule.seed),
            best,
        }
    }

    /// The weights with the lowest validation loss, and that loss. They are the mean over the steps of an epoch, which
    /// averages out the noise of single batches.
    #[must_use]
    pub fn best(&self) -> (f64, &TaperedWeights) {
        (self.best.0, &self.best.1)
    }

    /// The current weights.
    #[cfg(test)]
    pub(super) fn weights(&self) -> &TaperedWeights {
        &self.weights
    }

    /// Runs one pass through the training data; `step` receives the number of positions of each step.
    ///
    /// # Errors
    ///
    /// [`Diverged`]; the weights are useless then.
    pub fn epoch(&mut self, mut step: impl FnMut(usize)) -> Result<TuningEpoch, Diverged> {
        self.epoch += 1;
        let rate = self.schedule.rate_in(self.epoch);
        self.order.shuffle(&mut self.rng);
        let mut training = 0.0;
        let mut mean: TaperedWeights = vec![[0.0; 2]; self.weights.len()];
        for batch in std::mem::take(&mut self.order).chunks(self.schedule.batch) {
            let (loss, gradient) = self.model.gradient(&self.data.training, batch, &self.weights);
            training += loss * batch.len() as f64;
            self.descend(&gradient, rate);
            for (sum, weight) in mean.iter_mut().zip(&self.weights) {
                *sum = [sum[0] + weight[0], sum[1] + weight[1]];
            }
            self.order.extend(batch);
            step(batch.len());
        }
        let steps = self.order.len().div_ceil(self.schedule.batch) as f32;
        let mean: TaperedWeights = mean.iter().map(|sum| sum.map(|sum| sum / steps)).collect();
        let validation = self.model.loss(&self.data.validation, &mean);
        if !(training + validation).is_finite() {
            return Err(Diverged);
        }
        let best = validation < self.best.0;
        if best {
            self.best = (validation, mean);
        }
        let training = training / self.order.len() as f64;
        Ok(TuningEpoch { number: self.epoch, rate, training, validation, best })
    }

    /// Makes one step of Adam.
    fn descend(&mut self, gradient: &TaperedWeights, rate: f32) {
        self.steps += 1;
        let warm = FADING.map(|fading| 1.0 - fading.powi(self.steps));
        let origin = start();
        for feature in (0..gradient.len()).filter(|&feature| self.fitted[feature]) {
            for half in 0..2 {
                let weight = &mut self.weights[feature][half];
                let slope = gradient[feature][half] + PULL * (*weight - origin[feature][half]);
                let mean = &mut self.means[feature][half];
                *mean = FADING[0] * *mean + (1.0 - FADING[0]) * slope;
                let square = &mut self.squares[feature][half];
                *square = FADING[1] * *square + (1.0 - FADING[1]) * slope * slope;
                *weight -= rate * (*mean / warm[0]) / ((*square / warm[1]).sqrt() + EPSILON);
            }
        }
    }
}
