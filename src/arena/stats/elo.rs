//! Estimates from results: Elo, normalised Elo and the likelihood of superiority, each with its error.
//!
//! A match is a sample of outcomes with values between 0 and 1. Counted game by game there are three (loss,
//! draw, win: *trinomial*); counted by pairs of games on one opening there are five (0 to 2 points:
//! *pentanomial*). The two games of a pair depend on each other through their opening, so the pentanomial
//! variance is the right one. It is usually smaller.
//!
//! * Elo of a mean score `s`: `400 log10(s / (1 - s))`, the logistic model; the interval is that of the
//!   score, mapped.
//! * Normalised Elo: `(s - 1/2) / σ · 800 / ln 10` with `σ` the standard deviation *per game*; unlike Elo it
//!   says how many games a proof takes, whatever the draw rate (Michel Van den Bergh, "Normalized Elo",
//!   2019).
//! * Likelihood of superiority: `Φ((s - 1/2) / error)`, the normal approximation, with the error that `s`
//!   would have if the players were equal: the outcomes' spread about ½. Game by game that is the field's
//!   `Φ((W - L) / √(W + L))`.
//!
//! Where everything is won (or lost) there is no spread: like Elo, normalised Elo then has only a lower
//! (upper) bound. It is that of the score's bound with the largest spread that such a score can have, if it
//! is above (below) ½; else there is none.
//!
//! Small samples give little information about the spread: nine drawn pairs do not prove that the next one is
//! drawn. In the errors, and in the `σ` by which normalised Elo divides, an outcome that never occurred
//! therefore counts as a fraction of a sample; all such fractions together are at most one sample. The scores
//! count only what occurred.

use std::fmt;

use serde::Serialize;

/// Half the width of a 95 % interval, in standard errors.
pub(super) const Z95: f64 = 1.959_963_984_540_054;

/// Normalised Elo per unit of `(s - 1/2) / σ`: 800 / ln 10.
pub const NORMALISED: f64 = 800.0 / std::f64::consts::LN_10;

/// Results game by game, from one player's perspective.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Trinomial {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

/// Pairs of games by the points of one player: 0, ½, 1, 1½, 2.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct Pentanomial(pub [u64; 5]);

/// A value and its 95 % interval; its bounds are infinite if the sample gives none.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Interval {
    /// The estimate.
    pub value: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

impl Interval {
    /// Half the width: the `±` of a table.
    #[must_use]
    pub fn margin(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

impl fmt::Display for Interval {
    /// `+12.3 ± 20.1`, or both bounds if one of them is infinite.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, margin) = (signed(self.value), self.margin());
        f.pad(&match margin.is_finite() {
            true => format!("{value} ± {margin:.1}"),
            false => format!("{value} ({} .. {})", signed(self.low), signed(self.high)),
        })
    }
}

/// One decimal with a sign; zero is `+0.0`.
#[must_use]
pub fn signed(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    format!("{:+.1}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// An estimate of a player's strength from a sample.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Estimate {
    /// Mean score, 0 to 1.
    pub score: f64,
    /// Elo difference.
    pub elo: Interval,
    /// Normalised Elo difference.
    pub normalised: Interval,
    /// Probability that the player is the stronger one, 0 to 1.
    pub superiority: f64,
}

impl fmt::Display for Estimate {
    /// `Elo +12.3 ± 20.1   nElo +15.0 ± 24.0   LOS 88.1 %`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo, normalised, superiority, .. } = self;
        write!(f, "Elo {elo:17} nElo {normalised:17} LOS {:.1} %", 100.0 * superiority)
    }
}

impl Trinomial {
    /// The number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Points: one for a win, half of one for a draw.
    #[must_use]
    pub fn points(&self) -> f64 {
        self.wins as f64 + self.draws as f64 / 2.0
    }

    /// The share of draws, if there are games.
    #[must_use]
    pub fn draw_rate(&self) -> Option<f64> {
        (self.games() > 0).then(|| self.draws as f64 / self.games() as f64)
    }

    /// Counts a game worth `half_points` (0, 1 or 2).
    pub fn note(&mut self, half_points: usize) {
        *[&mut self.losses, &mut self.draws, &mut self.wins][half_points] += 1;
    }

    /// Removes a game worth `half_points` (0, 1 or 2) that was counted.
    pub fn remove(&mut self, half_points: usize) {
        *[&mut self.losses, &mut self.draws, &mut self.wins][half_points] -= 1;
    }

    /// The estimate from single games; `None` without games.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        estimate(&self.counts(), 1.0)
    }

    /// The standard error of the mean score; `None` without games.
    #[must_use]
    pub fn error(&self) -> Option<f64> {
        (self.games() > 0).then(|| Sample::regularised(&self.counts()).error())
    }

    fn counts(&self) -> [u64; 3] {
        [self.losses, self.draws, self.wins]
    }
}

impl fmt::Display for Trinomial {
    /// Writes wins, draws and losses: `+5 =3 -2`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "+{} ={} -{}", self.wins, self.draws, self.losses)
    }
}

impl Pentanomial {
    /// The number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Counts a pair worth `half_points` (0 to 4).
    pub fn note(&mut self, half_points: usize) {
        self.0[half_points] += 1;
    }

    /// The estimate from pairs; `None` without pairs.
    #[must_use]
    pub fn estimate(&self) -> Option<Estimate> {
        estimate(&self.0, 2.0)
    }

    /// The standard error of the mean score; `None` without pairs.
    #[must_use]
    pub fn error(&self) -> Option<f64> {
        (self.pairs() > 0).then(|| Sample::regularised(&self.0).error())
    }
}

/// The Elo difference of a mean score between 0 and 1 in the logistic model.
///
/// ```
/// use zugwerk::arena::stats::elo::{elo_of_score, score_of_elo};
/// assert_eq!(elo_of_score(0.5), 0.0);
/// assert!((elo_of_score(10.0 / 11.0) - 400.0).abs() < 1e-9);
/// assert!((score_of_elo(elo_of_score(0.3)) - 0.3).abs() < 1e-12);
/// ```
#[must_use]
pub fn elo_of_score(score: f64) -> f64 {
    400.0 * (score / (1.0 - score)).log10()
}

/// The expected mean score of an Elo difference: the inverse of [`elo_of_score`].
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10_f64.powf(-elo / 400.0))
}

/// The counts of outcomes whose values are evenly spaced from 0 to 1.
struct Sample<const N: usize>([f64; N]);

impl<const N: usize> Sample<N> {
    fn new(counts: &[u64; N]) -> Self {
        Sample(counts.map(|count| count as f64))
    }

    /// Like [`new`](Self::new), with every outcome that never occurred counted as one of `N` parts of a
    /// sample.
    fn regularised(counts: &[u64; N]) -> Self {
        Sample(counts.map(|count| if count == 0 { 1.0 / N as f64 } else { count as f64 }))
    }

    fn size(&self) -> f64 {
        self.0.iter().sum()
    }

    fn mean_of(&self, value: impl Fn(f64) -> f64) -> f64 {
        let outcomes = self.0.iter().enumerate();
        let sum: f64 = outcomes.map(|(step, count)| count * value(step as f64 / (N - 1) as f64)).sum();
        sum / self.size()
    }

    fn mean(&self) -> f64 {
        self.mean_of(|value| value)
    }

    fn variance(&self) -> f64 {
        let mean = self.mean();
        self.mean_of(|value| (value - mean).powi(2))
    }

    /// The standard error of `ratio`, that of an edge to the standard deviation, in a sample of `size`. Both
    /// are estimated, and each outcome contributes to both errors (the delta method).
    fn ratio_error(&self, ratio: f64, size: f64) -> f64 {
        let (mean, deviation) = (self.mean(), self.variance().sqrt());
        let contribution = |value: f64| {
            let distance = (value - mean) / deviation;
            distance - ratio / 2.0 * (distance * distance - 1.0)
        };
        (self.mean_of(|value| contribution(value).powi(2)) / size).sqrt()
    }

    /// The standard error of the mean.
    fn error(&self) -> f64 {
        (self.variance() / self.size()).sqrt()
    }
}

/// The estimate from `counts` of outcomes with values evenly spaced from 0 to 1; each outcome is `games_each`
/// games.
fn estimate<const N: usize>(counts: &[u64; N], games_each: f64) -> Option<Estimate> {
    let (seen, regularised) = (Sample::new(counts), Sample::regularised(counts));
    if seen.size() == 0.0 {
        return None;
    }
    let (score, error) = (seen.mean(), regularised.error());
    let elo_at = |score: f64| elo_of_score(score.clamp(0.0, 1.0));
    let edge = score - 0.5;
    let ratio = edge / regularised.variance().sqrt();
    let normalised = ratio / games_each.sqrt() * NORMALISED;
    let normalised_margin =
        Z95 * regularised.ratio_error(ratio, seen.size()) / games_each.sqrt() * NORMALISED;
    // Of this score, with the largest spread that it can have: no draws.
    let least = |score: f64| match score > 0.5 {
        true => (score - 0.5) / (score * (1.0 - score)).sqrt() / games_each.sqrt() * NORMALISED,
        false => f64::NEG_INFINITY,
    };
    let spread_if_equal = (seen.mean_of(|value| (value - 0.5).powi(2)) / seen.size()).sqrt();
    Some(Estimate {
        score,
        elo: Interval {
            value: elo_at(score),
            low: elo_at(score - Z95 * error),
            high: elo_at(score + Z95 * error),
        },
        normalised: match score {
            1.0 => Interval { value: f64::INFINITY, low: least(score - Z95 * error), high: f64::INFINITY },
            0.0 => Interval {
                value: f64::NEG_INFINITY,
                low: f64::NEG_INFINITY,
                high: -least(1.0 - score - Z95 * error),
            },
            _ => Interval {
                value: normalised,
                low: normalised - normalised_margin,
                high: normalised + normalised_margin,
            },
        },
        superiority: if edge == 0.0 { 0.5 } else { normal_cdf(edge / spread_if_equal) },
    })
}

/// The standard normal distribution function.
fn normal_cdf(x: f64) -> f64 {
    libm::erfc(-x / std::f64::consts::SQRT_2) / 2.0
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{Rng as _, SeedableRng as _};

    use super::*;

    #[test]
    fn estimates_read_as_people_write_them() {
        let games = Trinomial { wins: 10, draws: 10, losses: 5 };
        let text = games.estimate().unwrap().to_string();
        assert_eq!(text, "Elo +70.4 ± 110.2     nElo +92.9 ± 143.3     LOS 90.2 %");
        let all = Trinomial { wins: 3, ..Trinomial::default() };
        assert!(all.estimate().unwrap().to_string().starts_with("Elo +inf ("));
        assert_eq!(signed(-0.04), "+0.0");
    }

    fn close(value: f64, expected: f64) {
        let same = value == expected || (value - expected).abs() < 5e-4;
        assert!(same, "{value} is not {expected}");
    }

    /// Compared with values computed independently in Python (`statistics.NormalDist` and plain sums).
    #[test]
    fn trinomial_estimates_agree_with_independent_values() {
        // (W, D, L), score, Elo, its interval, normalised Elo and margin, superiority
        for (counts, expected) in TRINOMIAL {
            let [wins, draws, losses] = counts;
            check(Trinomial { wins, draws, losses }.estimate().unwrap(), expected);
        }
    }

    #[test]
    fn pentanomial_estimates_agree_with_independent_values() {
        for (counts, expected) in PENTANOMIAL {
            check(Pentanomial(counts).estimate().unwrap(), expected);
        }
    }

    fn check(estimate: Estimate, expected: [f64; 7]) {
        let [score, elo, low, high, normalised, margin, superiority] = expected;
        close(estimate.score, score);
        close(estimate.elo.value, elo);
        close(estimate.elo.low, low);
        close(estimate.elo.high, high);
        close(estimate.normalised.value, normalised);
        close(estimate.normalised.margin(), margin);
        close(estimate.superiority, superiority);
    }

    const TRINOMIAL: [([u64; 3], [f64; 7]); 6] = [
        ([10, 10, 5], [0.6000, 70.4365, -32.5245, 187.7771, 92.8561, 143.2909, 0.9016]),
        ([120, 260, 100], [0.5208, 14.4849, -6.5267, 35.6030, 21.4238, 31.1470, 0.9112]),
        ([1, 0, 1], [0.5000, 0.0000, f64::NEG_INFINITY, f64::INFINITY, 0.0000, 481.5123, 0.5000]),
        ([3000, 9000, 2900], [0.5034, 2.3318, -1.1785, 5.8426, 3.7058, 5.5789, 0.9035]),
        ([40, 15, 45], [0.4750, -17.3863, -81.5249, 45.5770, -18.8701, 68.2837, 0.2938]),
        ([7, 1, 0], [0.9375, 470.4365, 211.0761, f64::INFINITY, 620.5499, 801.7796, 0.9959]),
    ];
    const PENTANOMIAL: [([u64; 5], [f64; 7]); 5] = [
        ([1, 2, 10, 5, 2], [0.5625, 43.6578, -28.3569, 119.6713, 65.1951, 111.9414, 0.8743]),
        ([30, 180, 420, 210, 40], [0.5142, 9.8730, -0.1233, 19.8857, 16.0315, 16.2523, 0.9733]),
        ([0, 3, 4, 3, 0], [0.5000, 0.0000, -92.3704, 92.3704, 0.0000, 152.2676, 0.5000]),
        ([812, 5301, 9954, 5511, 822], [0.5026, 1.7837, -0.2182, 3.7857, 2.8666, 3.2176, 0.9596]),
        ([5, 1, 0, 1, 3], [0.4000, -70.4365, -335.7811, 125.8381, -55.1108, 159.1384, 0.2464]),
    ];

    /// The errors are compared with plain sums in Python.
    #[test]
    fn samples_have_shares_and_errors_unless_they_are_empty() {
        let games = Trinomial { wins: 10, draws: 10, losses: 5 };
        assert_eq!((games.games(), games.points(), games.draw_rate()), (25, 15.0, Some(0.4)));
        assert_eq!(games.to_string(), "+10 =10 -5");
        assert!((games.error().unwrap() - 0.074_833_147_7).abs() < 1e-9);
        let pairs = Pentanomial([0, 3, 4, 3, 0]);
        assert_eq!(pairs.pairs(), 10);
        assert!((pairs.error().unwrap() - 0.066_269_465_2).abs() < 1e-9);
        let (no_games, no_pairs) = (Trinomial::default(), Pentanomial::default());
        assert_eq!((no_games.draw_rate(), no_games.error(), no_pairs.error()), (None, None, None));
    }

    /// 2,000 matches of 1,000 games are drawn from each distribution, and 95 % of the intervals should
    /// contain the true difference. The limits, 93.5 and 96.5 %, are three standard errors away.
    #[test]
    fn intervals_contain_the_true_difference() {
        let mut random = StdRng::seed_from_u64(1);
        let check = |covered: [u32; 2], chances: &[f64]| {
            assert!(covered.iter().all(|count| (1870..=1930).contains(count)), "{chances:?}: {covered:?}");
        };
        for chances in [[0.3, 0.4, 0.3], [0.2, 0.3, 0.5], [0.1, 0.2, 0.7]] {
            check(covered(chances, 1.0, &mut random), &chances);
        }
        for chances in [
            [0.06, 0.20, 0.48, 0.20, 0.06],
            [0.04, 0.18, 0.44, 0.26, 0.08],
            [0.01, 0.12, 0.72, 0.14, 0.01],
            [0.02, 0.08, 0.30, 0.40, 0.20],
            [0.25, 0.05, 0.40, 0.05, 0.25],
        ] {
            check(covered(chances, 2.0, &mut random), &chances);
        }
    }

    /// The number of simulated matches whose intervals of Elo and of normalised Elo contain the true
    /// differences, if the outcomes, of `games_each` games, have these chances.
    fn covered<const N: usize>(chances: [f64; N], games_each: f64, random: &mut StdRng) -> [u32; 2] {
        let value = |step: usize| step as f64 / (N - 1) as f64;
        let mean_of =
            |of: &dyn Fn(f64) -> f64| -> f64 { (0..N).map(|step| chances[step] * of(value(step))).sum() };
        let mean = mean_of(&|score| score);
        let deviation = (games_each * mean_of(&|score| (score - mean).powi(2))).sqrt();
        let truth = [elo_of_score(mean), (mean - 0.5) / deviation * NORMALISED];
        let mut covered = [0; 2];
        for _ in 0..2000 {
            let mut counts = [0; N];
            for _ in 0..(1000.0 / games_each) as u32 {
                let mut at: f64 = random.random();
                let drawn = chances.iter().position(|chance| {
                    at -= chance;
                    at < 0.0
                });
                counts[drawn.unwrap_or(N / 2)] += 1; // the sum of the chances may be a little less than one
            }
            let Estimate { elo, normalised, .. } = estimate(&counts, games_each).unwrap();
            for ((covered, interval), truth) in covered.iter_mut().zip([elo, normalised]).zip(truth) {
                *covered += u32::from((interval.low..=interval.high).contains(&truth));
            }
        }
        covered
    }

    #[test]
    fn small_and_one_sided_samples_claim_no_certainty() {
        assert!(Trinomial::default().estimate().is_none());
        let one_win = Trinomial { wins: 1, ..Trinomial::default() }.estimate().unwrap();
        assert_eq!(one_win.elo.value, f64::INFINITY);
        assert!((0.8..0.9).contains(&one_win.superiority), "{one_win:?}");
        assert!(one_win.elo.low < 0.0 && one_win.normalised.low < 0.0, "{one_win:?}");
        let nine_draws = Pentanomial([0, 0, 9, 0, 0]).estimate().unwrap();
        assert_eq!((nine_draws.elo.value, nine_draws.superiority), (0.0, 0.5));
        assert!((30.0..100.0).contains(&nine_draws.elo.margin()), "{nine_draws:?}");
        let more = Pentanomial([0, 0, 900, 0, 0]).estimate().unwrap();
        assert!((0.3..2.0).contains(&more.elo.margin()), "{more:?}");
        for counts in [[1, 0, 0, 0, 0], [0, 0, 0, 0, 7], [0, 0, 0, 1, 0], [4, 0, 0, 0, 4], [0, 0, 1, 0, 0]] {
            let estimate = Pentanomial(counts).estimate().unwrap();
            assert!((0.001..0.999).contains(&estimate.superiority), "{counts:?}: {estimate:?}");
            assert!(estimate.elo.low < estimate.elo.high, "{counts:?}: {estimate:?}");
            let is_one_sided = [0.0, 1.0].contains(&estimate.score);
            assert_eq!(estimate.normalised.value.is_finite(), !is_one_sided, "{counts:?}: {estimate:?}");
        }
    }

    /// Where all is won, both scales have a lower bound only, with the same sign; where all is lost, the same
    /// upper bound.
    #[test]
    fn whitewashes_have_bounds_on_both_scales() {
        for size in [1, 2, 5, 10, 100, 1000] {
            let won = Pentanomial([0, 0, 0, 0, size]).estimate().unwrap();
            let lost = Pentanomial([size, 0, 0, 0, 0]).estimate().unwrap();
            for (won, lost) in [(won.elo, lost.elo), (won.normalised, lost.normalised)] {
                assert_eq!((won.value, won.high), (f64::INFINITY, f64::INFINITY));
                assert_eq!((lost.value, lost.low), (f64::NEG_INFINITY, f64::NEG_INFINITY));
                assert!(
                    won.low < won.high && (won.low == -lost.high || (won.low + lost.high).abs() < 1e-9),
                    "{won:?} {lost:?}"
                );
            }
            assert_eq!(won.elo.low > 0.0, won.normalised.low.is_finite(), "{won:?}");
        }
        let ten = Pentanomial([0, 0, 0, 0, 10]).estimate().unwrap().to_string();
        assert!(ten.starts_with("Elo +inf (+") && ten.contains(" nElo +inf (+"), "{ten}");
    }
}
