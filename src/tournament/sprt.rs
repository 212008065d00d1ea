//! The sequential test: play until it is clear whether a player is `elo1` stronger, or only `elo0`.
//!
//! This is the generalised sequential probability ratio test over pairs of games. Both hypotheses fix only the mean (or
//! the normalised edge) of the five outcomes of a pair; the rest of each distribution is fitted to the results by maximum
//! likelihood, and the test compares the two fits. Once the log-likelihood ratio (LLR) leaves the interval
//! `ln(β / (1 - α)) .. ln((1 - β) / α)`, the test is over, with error probabilities near α and β (A. Wald, "Sequential
//! Tests of Statistical Hypotheses", 1945; Michel Van den Bergh, "A practical introduction to the GSPRT" and "Comments on
//! Normalized Elo", whose likelihood equations are solved here).

use serde::Serialize;

use super::elo::{NORMALISED, Pentanomial, score_of_elo};
use super::settings::{SettingError, split};

/// The values of the five outcomes of a pair, as mean scores.
const OUTCOMES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

/// What an outcome that never came counts as: without it a fit could not allow for that outcome at all.
const UNSEEN: f64 = 1e-3;

/// The scale on which the hypotheses are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Model {
    /// Elo of the mean score.
    Logistic,
    /// Normalised Elo: the length of the test does not depend on the draw rate.
    Normalised,
}

/// A test: two hypotheses and the errors allowed.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Sprt {
    /// The null hypothesis, in Elo.
    pub elo0: f64,
    /// The alternative, in Elo; above `elo0`.
    pub elo1: f64,
    /// Probability of accepting `elo1` where `elo0` holds, above 0 and below 0.5.
    pub alpha: f64,
    /// Probability of accepting `elo0` where `elo1` holds, above 0 and below 0.5.
    pub beta: f64,
    /// The scale.
    pub model: Model,
}

/// How a test stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Undecided.
    Open,
    /// `elo0` is accepted.
    H0,
    /// `elo1` is accepted.
    H1,
}

impl Default for Sprt {
    /// 0 against 5 Elo with errors of 5 %.
    fn default() -> Self {
        Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: Model::Logistic }
    }
}

impl Sprt {
    /// Reads `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=logistic`; what is left out has these values.
    ///
    /// # Errors
    /// [`SettingError`] for an unknown key, a value out of range, or `elo1` not above `elo0`.
    pub fn parse(list: &str) -> Result<Self, SettingError> {
        let mut sprt = Sprt::default();
        for setting in split(list)? {
            let elo = || setting.read("Elo, -1000 to 1000", |&elo: &f64| elo.abs() <= 1000.0);
            let error =
                || setting.read("a probability, above 0 and below 0.5", |&p: &f64| p > 0.0 && p < 0.5);
            match (setting.key.as_str(), setting.value.as_str()) {
                ("elo0", _) => sprt.elo0 = elo()?,
                ("elo1", _) => sprt.elo1 = elo()?,
                ("alpha", _) => sprt.alpha = error()?,
                ("beta", _) => sprt.beta = error()?,
                ("model", "logistic") => sprt.model = Model::Logistic,
                ("model", "normalised" | "normalized") => sprt.model = Model::Normalised,
                ("model", _) => return Err(setting.bad("logistic or normalised")),
                _ => return Err(setting.unknown("elo0, elo1, alpha, beta, model")),
            }
        }
        match sprt.elo0 < sprt.elo1 {
            true => Ok(sprt),
            false => Err(SettingError::BadValue {
                key: "elo1".to_owned(),
                value: sprt.elo1.to_string(),
                expected: format!("more than elo0={}", sprt.elo0),
            }),
        }
    }

    /// The LLR at which `elo0` is accepted, below 0.
    #[must_use]
    pub fn lower(&self) -> f64 {
        (self.beta / (1.0 - self.alpha)).ln()
    }

    /// The LLR at which `elo1` is accepted, above 0.
    #[must_use]
    pub fn upper(&self) -> f64 {
        ((1.0 - self.beta) / self.alpha).ln()
    }

    /// The log-likelihood ratio of `elo1` to `elo0`; 0 without pairs.
    #[must_use]
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        if pairs.pairs() == 0 {
            return 0.0;
        }
        let counts = pairs.0.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / total);
        let fit = |elo: f64| match self.model {
            Model::Logistic => fit_mean(&seen, score_of_elo(elo)),
            // The edge is per game; a pair's mean has a deviation smaller by √2.
            Model::Normalised => fit_edge(&seen, elo / NORMALISED * std::f64::consts::SQRT_2),
        };
        let (null, alternative) = (fit(self.elo0), fit(self.elo1));
        let ratios = alternative.iter().zip(null).map(|(p1, p0)| (p1 / p0).ln());
        counts.iter().zip(ratios).map(|(count, ratio)| count * ratio).sum()
    }

    /// How the test stands at an LLR.
    #[must_use]
    pub fn verdict(&self, llr: f64) -> Verdict {
        if llr >= self.upper() {
            Verdict::H1
        } else if llr <= self.lower() {
            Verdict::H0
        } else {
            Verdict::Open
        }
    }
}

/// The most likely distribution behind the frequencies `seen` among those with the given mean.
fn fit_mean(seen: &[f64; 5], mean: f64) -> [f64; 5] {
    fit(seen, &OUTCOMES.map(|outcome| outcome - mean))
}

/// The same among those whose mean exceeds ½ by `edge` standard deviations. The constraint is not linear in the
/// probabilities; it is linearised at the last fit, again and again, until the fit stays put.
fn fit_edge(seen: &[f64; 5], edge: f64) -> [f64; 5] {
    let mut fitted = *seen;
    for _ in 0..20 {
        let expect = |value: &dyn Fn(f64) -> f64| -> f64 {
            fitted.iter().zip(OUTCOMES).map(|(p, outcome)| p * value(outcome)).sum()
        };
        let mean = expect(&|outcome| outcome);
        let deviation = expect(&|outcome| (outcome - mean).powi(2)).sqrt();
        let slopes = OUTCOMES.map(|outcome| {
            let distance = (outcome - mean) / deviation;
            outcome - 0.5 - edge * deviation * (1.0 + distance * distance) / 2.0
        });
        let next = fit(seen, &slopes);
        let moved: f64 = next.iter().zip(fitted).map(|(new, old)| (new - old).abs()).sum();
        fitted = next;
        if moved < 1e-12 {
            break;
        }
    }
    fitted
}

/// The most likely distribution `p` behind the frequencies `seen` among those with `Σ pᵢ slopeᵢ = 0`. By Lagrange
/// `pᵢ = seenᵢ / (1 + θ slopeᵢ)`, where θ is the only root of a falling function between two poles; it is bisected.
fn fit(seen: &[f64; 5], slopes: &[f64; 5]) -> [f64; 5] {
    let least = slopes.iter().copied().fold(f64::INFINITY, f64::min);
    let most = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let balance = |theta: f64| -> f64 {
        seen.iter().zip(slopes).map(|(p, slope)| p * slope / (1.0 + theta * slope)).sum()
    };
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if balance(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    let theta = (low + high) / 2.0;
    std::array::from_fn(|i| seen[i] / (1.0 + theta * slopes[i]))
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    use super::*;

    /// Against a Python program of another method: both multipliers of the likelihood by Newton's method, and for the
    /// normalised model a golden-section search over the deviation.
    #[test]
    fn the_ratio_agrees_with_independent_values() {
        let cases = [
            ([30, 180, 420, 210, 40], 0.0, 5.0, 1.413_276, 0.984_188),
            ([812, 5301, 9954, 5511, 822], 0.0, 2.0, 1.502_194, 1.385_281),
            ([10, 95, 210, 80, 8], 0.0, 5.0, -1.158_738, -0.576_894),
            ([0, 20, 70, 31, 2], -3.0, 1.0, 0.780_615, 0.366_953),
            ([5, 10, 40, 22, 9], 0.0, 10.0, 0.962_837, 0.720_052),
        ];
        for (counts, elo0, elo1, logistic, normalised) in cases {
            for (model, expected) in [(Model::Logistic, logistic), (Model::Normalised, normalised)] {
                let sprt = Sprt { elo0, elo1, model, ..Sprt::default() };
                let llr = sprt.llr(&Pentanomial(counts));
                assert!((llr - expected).abs() < 2e-6, "{counts:?} {model:?}: {llr}, not {expected}");
            }
        }
    }

    #[test]
    fn fits_meet_their_constraints() {
        let seen = [0.05, 0.2, 0.5, 0.2, 0.05];
        let moments = |p: [f64; 5]| {
            let mean: f64 = p.iter().zip(OUTCOMES).map(|(p, x)| p * x).sum();
            let variance: f64 = p.iter().zip(OUTCOMES).map(|(p, x)| p * (x - mean).powi(2)).sum();
            (p.iter().sum::<f64>(), mean, variance.sqrt())
        };
        let (total, mean, _) = moments(fit_mean(&seen, 0.55));
        assert!((total - 1.0).abs() < 1e-9 && (mean - 0.55).abs() < 1e-9);
        let (total, mean, deviation) = moments(fit_edge(&seen, 0.2));
        assert!((total - 1.0).abs() < 1e-9 && ((mean - 0.5) / deviation - 0.2).abs() < 1e-9);
    }

    #[test]
    fn the_bounds_are_walds() {
        let sprt = Sprt::default();
        assert!((sprt.upper() - 2.944_439).abs() < 1e-6);
        assert!((sprt.lower() + 2.944_439).abs() < 1e-6);
        assert_eq!(sprt.verdict(2.95), Verdict::H1);
        assert_eq!(sprt.verdict(-2.95), Verdict::H0);
        assert_eq!(sprt.verdict(sprt.llr(&Pentanomial::default())), Verdict::Open);
    }

    #[test]
    fn unfit_tests_are_refused() {
        for list in ["elo0=5,elo1=5", "alpha=0", "beta=0.5", "elo0=x", "model=x", "elo2=3", "elo1=nan"] {
            assert!(Sprt::parse(list).is_err(), "{list}");
        }
        let sprt = Sprt::parse("elo0=-3,elo1=1,alpha=0.1,model=normalized").unwrap();
        assert_eq!((sprt.elo0, sprt.alpha, sprt.beta), (-3.0, 0.1, 0.05));
    }

    /// 1,000 tests between players whose difference is known. The rate of wrong verdicts must stay within α (β) plus
    /// three standard errors of 1,000 draws: 0.05 + 3 √(0.05 · 0.95 / 1000) = 0.0707. It must not vanish either.
    #[test]
    fn a_thousand_simulated_tests_keep_their_error_rates() {
        let sprt = Sprt { elo1: 25.0, ..Sprt::default() };
        let shape = [0.04, 0.22, 0.48, 0.22, 0.04];
        for (elo, wrong) in [(sprt.elo0, Verdict::H1), (sprt.elo1, Verdict::H0)] {
            let truth = fit_mean(&shape, score_of_elo(elo));
            let mut random = StdRng::seed_from_u64(3);
            let verdicts = (0..1000).map(|_| simulate(&sprt, &truth, &mut random));
            let errors = verdicts.filter(|&verdict| verdict == wrong).count();
            assert!((20..=70).contains(&errors), "{errors} of 1000 tests at {elo} Elo ended in {wrong:?}");
        }
    }

    fn simulate(sprt: &Sprt, truth: &[f64; 5], random: &mut StdRng) -> Verdict {
        let mut pairs = Pentanomial::default();
        loop {
            let mut left: f64 = random.random();
            let drawn = truth.iter().position(|p| {
                left -= p;
                left < 0.0
            });
            pairs.note(drawn.unwrap_or(4));
            match sprt.verdict(sprt.llr(&pairs)) {
                Verdict::Open => {}
                verdict => return verdict,
            }
        }
    }
}
