//! The schedule of a training.

use serde::{Deserialize, Serialize};

/// The shape of the learning rate after the warm-up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Half a cosine wave from the first rate to the last.
    #[default]
    Cosine,
    /// The first rate to the end: the trunk from which others branch.
    Constant,
}

/// What determines a step, besides its batch: learning rate, weight decay, target and loss.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct TrainingSchedule {
    /// Number of steps; [`ENDLESS`](Self::ENDLESS) if only an interruption ends the training.
    pub steps: u64,
    /// Steps in which the learning rate rises from zero.
    pub warm_up: u64,
    /// The learning rate after the warm-up.
    pub rate: f32,
    /// The learning rate at the end.
    pub final_rate: f32,
    /// The shape of its decrease.
    pub shape: Shape,
    /// The share of the result in the target, at the start and at the end; it is interpolated linearly.
    pub result_share: [f32; 2],
    /// The weight decay, per step and unit of the learning rate.
    pub decay: f32,
    /// The loss of a position is the distance of its expected points from the target to this power.
    pub exponent: f32,
}

impl TrainingSchedule {
    /// The number of steps of a training that only an interruption ends.
    pub const ENDLESS: u64 = u64::MAX;

    /// The learning rate of step `number`, from 1.
    #[must_use]
    pub fn rate(&self, number: u64) -> f32 {
        if number <= self.warm_up {
            return self.rate * number as f32 / self.warm_up as f32;
        }
        let rest = self.steps.saturating_sub(self.warm_up).max(1);
        let done = (number - self.warm_up) as f64 / rest as f64;
        let remaining = match self.shape {
            Shape::Cosine => f64::midpoint(1.0, libm::cos(done * std::f64::consts::PI)),
            Shape::Constant => 1.0,
        };
        self.final_rate + (self.rate - self.final_rate) * remaining as f32
    }

    /// The share of the result in the target of step `number`.
    #[must_use]
    pub fn result_share(&self, number: u64) -> f32 {
        let [from, to] = self.result_share;
        from + (to - from) * (number as f64 / self.steps.max(1) as f64) as f32
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCHEDULE: TrainingSchedule = TrainingSchedule {
        steps: 110,
        warm_up: 10,
        rate: 1.0,
        final_rate: 0.1,
        shape: Shape::Cosine,
        result_share: [0.1, 0.4],
        decay: 0.0,
        exponent: 2.0,
    };

    #[test]
    fn the_rate_rises_and_falls() {
        let rates: Vec<f32> = (1..=110).map(|step| SCHEDULE.rate(step)).collect();
        assert!(rates[..10].is_sorted_by(|a, b| a < b) && rates[9..].is_sorted_by(|a, b| a > b), "{rates:?}");
        assert_eq!((rates[0], rates[9]), (0.1, 1.0));
        assert!((rates[59] - 0.55).abs() < 1e-6 && (rates[109] - 0.1).abs() < 1e-6, "{rates:?}");
        let constant = TrainingSchedule { shape: Shape::Constant, ..SCHEDULE };
        assert_eq!([5, 10, 110, 1000].map(|step| constant.rate(step)), [0.5, 1.0, 1.0, 1.0]);
    }

    #[test]
    fn the_share_of_the_result_changes_evenly() {
        let shares = [0, 55, 110].map(|step| SCHEDULE.result_share(step));
        assert!(shares.iter().zip([0.1, 0.25, 0.4]).all(|(a, b)| (a - b).abs() < 1e-6), "{shares:?}");
    }
}
