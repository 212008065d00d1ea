//! The sequential test: continues until it is decided whether a player is `elo1` stronger, or only `elo0`.
//!
//! This is the generalised sequential probability ratio test over pairs of games. Both hypotheses fix only
//! the mean (or the normalised edge) of the five outcomes of a pair. The rest of each distribution is fitted
//! to the results by maximum likelihood, and the test compares the two fits. When the log-likelihood ratio
//! (LLR) leaves the interval `ln(β / (1 - α)) .. ln((1 - β) / α)`, the test ends, with error probabilities
//! near α and β (A. Wald, "Sequential Tests of Statistical Hypotheses", 1945; Michel Van den Bergh, "A
//! practical introduction to the GSPRT" and "Comments on Normalized Elo", whose likelihood equations are
//! solved here).
//!
//! Fishtest's conventions are followed where the theory leaves a choice. An outcome that never occurred
//! counts as a thousandth of a pair. The fit of the normalised model begins at the uniform distribution, not
//! at the results. (If all results are equal they have no spread to begin with, and the iteration has other,
//! wrong fixed points.)
//!
//! A decided test remains decided: [`SprtRun`] ignores further pairs.

use std::fmt;

use serde::Serialize;

use super::elo::{NORMALISED, Pentanomial, Trinomial, score_of_elo};
use crate::{
    settings::{SettingError, split},
    words::counted,
};

/// The values of the outcomes of a game or of a pair of games, as mean scores.
fn outcomes<const N: usize>() -> [f64; N] {
    std::array::from_fn(|points| points as f64 / (N - 1) as f64)
}

/// The count of an outcome that never occurred; with 0 a fit could not include that outcome.
const UNSEEN: f64 = 1e-3;

/// The largest hypothesis in normalised Elo. From about 235 on the linearised constraint has no solution for
/// some results.
const MOST_NORMALISED: f64 = 200.0;

/// The scale on which the hypotheses are given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum EloScale {
    /// Elo of the mean score.
    Logistic,
    /// Normalised Elo: the length of the test does not depend on the draw rate.
    Normalised,
}

/// A test: two hypotheses and the allowed error probabilities.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Sprt {
    /// The null hypothesis, in Elo.
    pub elo0: f64,
    /// The alternative, in Elo; above `elo0`.
    pub elo1: f64,
    /// Probability of accepting `elo1` if `elo0` is true, above 0 and below 0.5.
    pub alpha: f64,
    /// Probability of accepting `elo0` if `elo1` is true, above 0 and below 0.5.
    pub beta: f64,
    /// The scale.
    pub model: EloScale,
}

/// The verdict of a test.
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

impl fmt::Display for Sprt {
    /// Writes the list that [`parse`](Self::parse) reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo0, elo1, alpha, beta, model } = self;
        let model = match model {
            EloScale::Logistic => "logistic",
            EloScale::Normalised => "normalised",
        };
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta},model={model}")
    }
}

impl Default for Sprt {
    /// Returns 0 against 5 Elo with errors of 5 %.
    fn default() -> Self {
        Sprt { elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05, model: EloScale::Logistic }
    }
}

impl Sprt {
    /// Parses `elo0=0,elo1=5,alpha=0.05,beta=0.05,model=logistic`; these are also the defaults of missing
    /// keys.
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
                ("model", "logistic") => sprt.model = EloScale::Logistic,
                ("model", "normalised" | "normalized") => sprt.model = EloScale::Normalised,
                ("model", _) => return Err(setting.bad("logistic or normalised")),
                _ => return Err(setting.unknown("elo0, elo1, alpha, beta, model")),
            }
        }
        let bad = |key: &str, value: f64, expected: String| {
            Err(SettingError::BadValue { key: key.to_owned(), value: value.to_string(), expected })
        };
        for (key, elo) in [("elo0", sprt.elo0), ("elo1", sprt.elo1)] {
            if sprt.model == EloScale::Normalised && elo.abs() > MOST_NORMALISED {
                return bad(key, elo, format!("normalised Elo, -{MOST_NORMALISED} to {MOST_NORMALISED}"));
            }
        }
        match sprt.elo0 < sprt.elo1 {
            true => Ok(sprt),
            false => bad("elo1", sprt.elo1, format!("more than elo0={}", sprt.elo0)),
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
        // The edge is per game; the standard deviation of a pair's mean is smaller by √2.
        self.llr_of(pairs.0, std::f64::consts::SQRT_2)
    }

    /// The log-likelihood ratio for games that do not depend on each other, which is not so of the two of a
    /// pair.
    #[must_use]
    pub fn llr_of_games(&self, games: &Trinomial) -> f64 {
        self.llr_of([games.losses, games.draws, games.wins], 1.0)
    }

    /// The ratio for samples of this many outcomes. Their normalised edge is `scale` times that of a game.
    fn llr_of<const N: usize>(&self, counts: [u64; N], scale: f64) -> f64 {
        if counts.iter().all(|&count| count == 0) {
            return 0.0;
        }
        let counts = counts.map(|count| if count == 0 { UNSEEN } else { count as f64 });
        let total: f64 = counts.iter().sum();
        let seen = counts.map(|count| count / total);
        let fit = |elo: f64| match self.model {
            EloScale::Logistic => fit_mean(&seen, score_of_elo(elo)),
            EloScale::Normalised => fit_edge(&seen, elo / NORMALISED * scale),
        };
        let (null, alternative) = (fit(self.elo0), fit(self.elo1));
        let ratios = alternative.iter().zip(null).map(|(p1, p0)| (p1 / p0).ln());
        counts.iter().zip(ratios).map(|(count, ratio)| count * ratio).sum()
    }

    /// The verdict at an LLR.
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

/// A running or decided test, serialised as the fields of the test, the ratio, both bounds and the verdict.
#[derive(Debug, Clone, Copy, Serialize)]
pub struct SprtRun {
    #[serde(flatten)]
    test: Sprt,
    #[serde(skip)]
    pairs: Pentanomial,
    llr: f64,
    lower: f64,
    upper: f64,
    verdict: Verdict,
}

impl SprtRun {
    /// Returns the test before the first pair.
    #[must_use]
    pub fn new(test: Sprt) -> Self {
        SprtRun::after(test, Pentanomial::default())
    }

    /// Returns the test after `pairs`, taken all at once.
    #[must_use]
    pub fn after(test: Sprt, pairs: Pentanomial) -> Self {
        SprtRun { pairs, ..SprtRun::at(test, test.llr(&pairs)) }
    }

    /// Returns the test at a log-likelihood ratio.
    #[must_use]
    pub fn at(test: Sprt, llr: f64) -> Self {
        let (lower, upper, verdict) = (test.lower(), test.upper(), test.verdict(llr));
        SprtRun { test, pairs: Pentanomial::default(), llr, lower, upper, verdict }
    }

    /// Counts a pair worth `half_points` (0 to 4), unless the test is decided.
    pub fn note(&mut self, half_points: usize) {
        if self.verdict == Verdict::Open {
            self.pairs.note(half_points);
            *self = SprtRun::after(self.test, self.pairs);
        }
    }

    /// The test.
    #[must_use]
    pub fn test(&self) -> Sprt {
        self.test
    }

    /// The log-likelihood ratio; after the verdict, its value at that time.
    #[must_use]
    pub fn llr(&self) -> f64 {
        self.llr
    }

    /// The verdict.
    #[must_use]
    pub fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The number of games until the verdict if the pairs to come move the ratio as those so far did on
    /// average. `None` after the verdict, and if there are no pairs.
    #[must_use]
    pub fn expected_games(&self) -> Option<u64> {
        let limit = if self.llr > 0.0 { self.upper } else { self.lower };
        let pairs = self.pairs.pairs() as f64 * (limit - self.llr) / self.llr;
        (self.verdict == Verdict::Open && pairs.is_finite()).then(|| 2 * pairs.ceil() as u64)
    }
}

/// The most likely distribution for the frequencies `seen` among those with the given mean.
fn fit_mean<const N: usize>(seen: &[f64; N], mean: f64) -> [f64; N] {
    fit(seen, &outcomes().map(|outcome| outcome - mean))
}

/// The most likely distribution among those whose mean exceeds ½ by `edge` standard deviations. This
/// constraint is not linear in the probabilities; it is linearised at the last fit, repeatedly, until the fit
/// converges.
fn fit_edge<const N: usize>(seen: &[f64; N], edge: f64) -> [f64; N] {
    let outcomes = outcomes::<N>();
    let mut fitted = [1.0 / N as f64; N];
    for _ in 0..100 {
        let expect = |value: &dyn Fn(f64) -> f64| -> f64 {
            fitted.iter().zip(outcomes).map(|(p, outcome)| p * value(outcome)).sum()
        };
        let mean = expect(&|outcome| outcome);
        let deviation = expect(&|outcome| (outcome - mean).powi(2)).sqrt();
        let slopes = outcomes.map(|outcome| {
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

/// The most likely distribution `p` for the frequencies `seen` among those with `Σ pᵢ slopeᵢ = 0`. By
/// Lagrange `pᵢ = seenᵢ / (1 + θ slopeᵢ)`, where θ is the only root of a decreasing function between two
/// poles. It is found by Newton's method, and by bisection where that would leave the interval.
fn fit<const N: usize>(seen: &[f64; N], slopes: &[f64; N]) -> [f64; N] {
    let least = slopes.iter().copied().fold(f64::INFINITY, f64::min);
    let most = slopes.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let (mut low, mut high) = (-1.0 / most, -1.0 / least);
    let mut theta = 0.0;
    for _ in 0..100 {
        let (mut balance, mut steepness) = (0.0, 0.0);
        for (p, slope) in seen.iter().zip(slopes) {
            let part = slope / (1.0 + theta * slope);
            balance += p * part;
            steepness += p * part * part;
        }
        if balance > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        let newton = theta + balance / steepness;
        let next = if low < newton && newton < high { newton } else { (low + high) / 2.0 };
        let moved = (next - theta).abs();
        theta = next;
        if moved <= 1e-14 * theta.abs() {
            break;
        }
    }
    std::array::from_fn(|i| seen[i] / (1.0 + theta * slopes[i]))
}

impl fmt::Display for SprtRun {
    /// `SPRT 0 against 5 Elo, …: LLR 1.23 in -2.94 .. 2.94, undecided; at this score about 560 games more`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let test = self.test();
        let Sprt { elo0, elo1, alpha, beta, model } = test;
        let scale = match model {
            EloScale::Logistic => "Elo",
            EloScale::Normalised => "nElo",
        };
        let (llr, lower, upper) = (self.llr(), test.lower(), test.upper());
        write!(
            f,
            "SPRT {elo0} against {elo1} {scale}, alpha {alpha}, beta {beta}: LLR {llr:.2} in {lower:.2} .. {upper:.2}, "
        )?;
        match self.verdict() {
            Verdict::Open => {
                f.write_str("undecided")?;
                match self.expected_games() {
                    Some(games) => {
                        write!(f, "; at this score about {} more", counted(games, "game", "games"))
                    }
                    None => Ok(()),
                }
            }
            Verdict::H0 => write!(f, "H0 accepted: not {elo1} {scale} stronger"),
            Verdict::H1 => write!(f, "H1 accepted: more than {elo0} {scale} stronger"),
        }
    }
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{Rng, SeedableRng};

    use super::*;

    #[test]
    fn a_test_says_what_it_found() {
        let line = |pairs| SprtRun::after(Sprt::default(), Pentanomial(pairs)).to_string();
        assert!(line([0, 0, 5, 0, 0]).contains("undecided; at this score about "));
        assert!(line([0; 5]).ends_with("undecided"));
        assert!(line([10, 100, 500, 300, 90]).ends_with("H1 accepted: more than 0 Elo stronger"));
        assert!(line([90, 300, 500, 100, 10]).ends_with("H0 accepted: not 5 Elo stronger"));
    }
    use crate::arena::stats::elo::elo_of_score;

    const OUTCOMES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

    /// Compared with a Python program that uses another method: both multipliers of the likelihood by
    /// Newton's method, and for the normalised model a golden-section search over the deviation.
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
            for (model, expected) in [(EloScale::Logistic, logistic), (EloScale::Normalised, normalised)] {
                let sprt = Sprt { elo0, elo1, model, ..Sprt::default() };
                let llr = sprt.llr(&Pentanomial(counts));
                assert!((llr - expected).abs() < 2e-6, "{counts:?} {model:?}: {llr}, not {expected}");
            }
        }
    }

    /// Compared with a Python program: a golden-section search over the only free number, the draws or
    /// (normalised) the mean.
    #[test]
    fn the_ratio_of_games_agrees_with_independent_values() {
        for ([losses, draws, wins], elo0, elo1, logistic, normalised) in [
            ([100, 260, 120], 0.0, 5.0, 0.519_863, 0.375_489),
            ([10, 10, 10], 0.0, 5.0, -0.004_660, -0.003_106),
            ([2000, 5000, 2100], -3.0, 1.0, 3.224_116, 2.016_708),
            ([5, 40, 12], 0.0, 10.0, 0.603_760, 0.346_030),
        ] {
            for (model, expected) in [(EloScale::Logistic, logistic), (EloScale::Normalised, normalised)] {
                let sprt = Sprt { elo0, elo1, model, ..Sprt::default() };
                let llr = sprt.llr_of_games(&Trinomial { wins, draws, losses });
                assert!((llr - expected).abs() < 2e-6, "{wins} {model:?}: {llr}, not {expected}");
            }
        }
        assert_eq!(Sprt::default().llr_of_games(&Trinomial::default()), 0.0);
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
        for list in [
            "elo0=5,elo1=5",
            "alpha=0",
            "beta=0.5",
            "elo0=x",
            "model=x",
            "elo2=3",
            "elo1=nan",
            "elo1=201,model=normalised",
        ] {
            assert!(Sprt::parse(list).is_err(), "{list}");
        }
        let reason = |list| Sprt::parse(list).unwrap_err().to_string();
        assert_eq!(reason("model=x"), "model=x: expected logistic or normalised");
        assert_eq!(reason("elo0=5,elo1=5"), "elo1=5: expected more than elo0=5");
    }

    #[test]
    fn every_setting_is_read_and_a_missing_one_has_its_default() {
        let expected =
            Sprt { elo0: -3.0, elo1: 200.0, alpha: 0.1, model: EloScale::Normalised, ..Sprt::default() };
        assert_eq!(Sprt::parse("elo0=-3,elo1=200,alpha=0.1,model=normalized").unwrap(), expected);
        let expected = Sprt { beta: 0.2, ..Sprt::default() };
        assert_eq!(Sprt::parse("beta=0.2,model=logistic").unwrap(), expected);
    }

    /// Degenerate results: only draws, only wins, one outcome a thousand times as frequent as another. The
    /// ratio must be finite, have the right sign, and give no verdict after few pairs.
    #[test]
    fn degenerate_counts_have_sane_ratios() {
        for model in [EloScale::Logistic, EloScale::Normalised] {
            let sprt = Sprt { model, ..Sprt::default() };
            let llr = |counts| sprt.llr(&Pentanomial(counts));
            for draws in [1, 200] {
                let llr = llr([0, 0, draws, 0, 0]);
                assert!((-2.94..0.0).contains(&llr), "{draws} drawn pairs, {model:?}: {llr}");
            }
            assert!((0.0..0.1).contains(&llr([0, 0, 0, 0, 1])), "{model:?}");
            assert!((0.0..0.1).contains(&llr([0, 0, 0, 1, 0])), "{model:?}");
            assert!((-0.1..0.0).contains(&llr([1, 0, 0, 0, 0])), "{model:?}");
            assert!((-0.1..0.0).contains(&llr([1, 0, 0, 0, 1])), "{model:?}");
            assert!(llr([0, 0, 0, 0, 1000]) > 2.95 && llr([1000, 0, 0, 0, 0]) < -1.0, "{model:?}");
            assert!(llr([0, 0, 5000, 400, 0]) > 2.95 && llr([0, 400, 5000, 0, 0]) < -2.95, "{model:?}");
        }
    }

    #[test]
    fn no_counts_and_no_hypotheses_make_it_less_than_a_number() {
        let mut random = StdRng::seed_from_u64(8);
        for _ in 0..3000 {
            let counts = [(); 5].map(|()| [0, 0, 0, 1, 3, 50, 4000, 100_000][random.random_range(0..8)]);
            let most = if random.random() { 200.0 } else { 5.0 };
            let elo0 = random.random_range(-most..most);
            let elo1 = random.random_range(elo0..most);
            for model in [EloScale::Logistic, EloScale::Normalised] {
                let sprt = Sprt { elo0, elo1, model, ..Sprt::default() };
                let llr = sprt.llr(&Pentanomial(counts));
                assert!(llr.is_finite(), "{counts:?} {sprt:?}: {llr}");
                if model == EloScale::Normalised {
                    let counts = counts.map(|count| (count as f64).max(UNSEEN));
                    let seen = counts.map(|count| count / counts.iter().sum::<f64>());
                    let edge = elo1 / NORMALISED * std::f64::consts::SQRT_2;
                    let fitted = fit_edge(&seen, edge);
                    let mean: f64 = fitted.iter().zip(OUTCOMES).map(|(p, x)| p * x).sum();
                    let spread: f64 = fitted.iter().zip(OUTCOMES).map(|(p, x)| p * (x - mean).powi(2)).sum();
                    let met = (mean - 0.5) / spread.sqrt();
                    assert!(
                        (met - edge).abs() < 1e-4 * (1.0 + edge.abs()),
                        "{counts:?} {elo1}: {met}, not {edge}"
                    );
                }
            }
        }
    }

    #[test]
    fn a_verdict_stands_whatever_comes_later() {
        let test = Sprt { elo1: 50.0, ..Sprt::default() };
        let mut run = SprtRun::new(test);
        assert_eq!((run.test(), run.llr()), (test, 0.0));
        let decided = (0..1000).find(|_| {
            run.note(3);
            run.verdict() != Verdict::Open
        });
        assert_eq!((decided.is_some(), run.verdict()), (true, Verdict::H1));
        let decided_at = run.llr();
        assert_eq!(test.verdict(decided_at), Verdict::H1);
        (0..1000).for_each(|_| run.note(0));
        assert_eq!((run.verdict(), run.llr()), (Verdict::H1, decided_at));
    }

    /// Frequencies of pairs of games with the given probability of a draw; the stronger player scores its
    /// share of the rest.
    fn pairs_of(draw_rate: f64, score: f64) -> [f64; 5] {
        let (win, loss) = (score - draw_rate / 2.0, 1.0 - score - draw_rate / 2.0);
        let game = [loss, draw_rate, win];
        let mut pair = [0.0; 5];
        for (first, p) in game.iter().enumerate() {
            for (second, q) in game.iter().enumerate() {
                pair[first + second] += p * q;
            }
        }
        pair
    }

    /// 2,000 tests at each end of each hypothesis, at draw rates of 30 to 95 %, in both models. The rate of
    /// wrong verdicts must stay within 5 % plus three standard errors of 2,000 draws: 0.05 + 3 √(0.05 · 0.95
    /// / 2000) = 0.0646. It must not be too small either, because such a test plays too many games. (If
    /// nearly all games are drawn, one decisive pair moves the ratio far beyond its bound, and errors are
    /// rarer.)
    #[test]
    fn simulated_tests_keep_their_error_rates() {
        const TESTS: usize = 2000;
        for draw_rate in [0.3, 0.6, 0.8, 0.95] {
            for model in [EloScale::Logistic, EloScale::Normalised] {
                // An edge that takes about a hundred pairs to prove, at every draw rate.
                let spread = ((1.0 - draw_rate) / 4.0_f64).sqrt();
                let edge = 0.2;
                let elo1 = match model {
                    EloScale::Logistic => elo_of_score(0.5 + edge * spread),
                    EloScale::Normalised => edge * NORMALISED,
                };
                let sprt = Sprt { elo1, model, ..Sprt::default() };
                // At H1 the spread of the games is slightly smaller than at H0; the normalised edge must
                // account for that.
                let mean = match model {
                    EloScale::Logistic => score_of_elo(elo1),
                    EloScale::Normalised => 0.5 + edge * spread / (1.0 + edge * edge).sqrt(),
                };
                for (mean, wrong) in [(0.5, Verdict::H1), (mean, Verdict::H0)] {
                    let truth = pairs_of(draw_rate, mean);
                    let mut random = StdRng::seed_from_u64(3);
                    let verdicts = (0..TESTS).map(|_| simulate(&sprt, &truth, &mut random));
                    let least = if draw_rate > 0.9 { 10 } else { 40 };
                    let errors = verdicts.filter(|&verdict| verdict == wrong).count();
                    let about = format!("draws {draw_rate}, {model:?}, mean {mean}");
                    assert!(
                        (least..=129).contains(&errors),
                        "{errors} of {TESTS} tests ended in {wrong:?}: {about}"
                    );
                }
            }
        }
    }

    /// Two programs that always draw their pairs are found equal, not one of them stronger.
    #[test]
    fn twins_are_found_equal() {
        for model in [EloScale::Logistic, EloScale::Normalised] {
            let sprt = Sprt { elo1: 20.0, model, ..Sprt::default() };
            let mut random = StdRng::seed_from_u64(1);
            assert_eq!(simulate(&sprt, &[0.0, 0.0, 1.0, 0.0, 0.0], &mut random), Verdict::H0);
            assert_eq!(simulate(&sprt, &[0.0, 0.001, 0.998, 0.001, 0.0], &mut random), Verdict::H0);
        }
    }

    fn simulate(sprt: &Sprt, truth: &[f64; 5], random: &mut StdRng) -> Verdict {
        let mut run = SprtRun::new(*sprt);
        for _ in 0..100_000 {
            let mut left: f64 = random.random();
            let drawn = truth.iter().position(|p| {
                left -= p;
                left < 0.0
            });
            run.note(drawn.unwrap_or(2));
            if run.verdict() != Verdict::Open {
                return run.verdict();
            }
        }
        panic!("undecided after 100,000 pairs: {sprt:?}");
    }
}
