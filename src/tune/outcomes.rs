//! The results of the games by the score of the search.

use super::Dataset;

/// Larger scores are counted as this one.
const LIMIT: usize = 1500;

/// For each score, the number of games lost, drawn and won by the side with that score. Every game is counted for both
/// sides, so that winning and losing are symmetric.
#[derive(Clone, Debug)]
pub struct Outcomes {
    by_score: Vec<[f64; 3]>,
}

impl Outcomes {
    /// Counts the positions of `data`.
    #[must_use]
    pub fn of(data: &Dataset) -> Self {
        let mut by_score = vec![[0.0; 3]; 2 * LIMIT + 1];
        for sample in (0..data.len()).map(|index| data.sample(index)) {
            let score = (sample.score as i64).clamp(-(LIMIT as i64), LIMIT as i64);
            let result = (2.0 * sample.result) as usize;
            by_score[(score + LIMIT as i64) as usize][result] += 1.0;
            by_score[(LIMIT as i64 - score) as usize][2 - result] += 1.0;
        }
        Self { by_score }
    }

    fn scores(&self) -> impl Iterator<Item = (f64, &[f64; 3])> {
        self.by_score.iter().enumerate().map(|(index, counts)| (index as f64 - LIMIT as f64, counts))
    }

    /// The scale, in centipawns, at which the logistic curve of the score predicts the results best.
    #[must_use]
    pub fn scale(&self) -> f64 {
        let loss = |scale: f64| -> f64 {
            let share = |(score, counts): (f64, &[f64; 3])| {
                let expected = logistic(score / scale);
                let missing = [0.0, 0.5, 1.0].map(|result: f64| (expected - result).powi(2));
                missing.iter().zip(counts).map(|(missing, count)| missing * count).sum::<f64>()
            };
            self.scores().map(share).sum()
        };
        least(loss, 20.0, 1000.0)
    }

    /// The midpoint and the spread of [`wdl`](crate::wdl), in centipawns, that maximise the likelihood of the results.
    #[must_use]
    pub fn wdl(&self) -> (f64, f64) {
        let unlikelihood = |midpoint: f64, spread: f64| -> f64 {
            let share = |(score, counts): (f64, &[f64; 3])| {
                let win = logistic((score - midpoint) / spread);
                let loss = logistic((-score - midpoint) / spread);
                let chances = [loss, 1.0 - win - loss, win];
                chances.iter().zip(counts).map(|(chance, count)| -chance.max(1e-12).ln() * count).sum::<f64>()
            };
            self.scores().map(share).sum()
        };
        let best_midpoint = |spread: f64| least(|midpoint| unlikelihood(midpoint, spread), 1.0, 1000.0);
        let spread = least(|spread| unlikelihood(best_midpoint(spread), spread), 10.0, 500.0);
        (best_midpoint(spread), spread)
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The minimum of `f`, which first falls and then rises, between `low` and `high`, by golden-section search.
fn least(f: impl Fn(f64) -> f64, mut low: f64, mut high: f64) -> f64 {
    let shrink = (5_f64.sqrt() - 1.0) / 2.0;
    while high - low > 0.1 {
        let (left, right) = (high - shrink * (high - low), low + shrink * (high - low));
        if f(left) < f(right) {
            high = right;
        } else {
            low = left;
        }
    }
    f64::midpoint(low, high)
}
