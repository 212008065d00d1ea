//! Simultaneous perturbation (SPSA): tunes many numbers at once by matches between neighbours.
//!
//! Each iteration changes every number up or down at random, plays a match between this change and the
//! opposite one, and makes a step towards the winner. One match gives very little information about one
//! number, but the noise averages out over the iterations, however many numbers there are.
//!
//! Reference: J. C. Spall, "Implementation of the Simultaneous Perturbation Algorithm for Stochastic
//! Optimization", 1998; the exponents 0.602 and 0.101 and the offset of a tenth of the iterations are his
//! recommendations. Step and perturbation sizes are given for the *end* of the run, as in fishtest and
//! OpenBench.

use rand::Rng;

const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
const OFFSET: f64 = 0.1;

/// The usual rate at the end of a run of tens of thousands of games.
pub const DEFAULT_RATE: f64 = 0.002;

/// A number to be tuned.
#[derive(Debug, Clone, PartialEq)]
pub struct Number {
    /// Its name.
    pub name: String,
    /// Its current value.
    pub value: f64,
    /// Its minimum.
    pub min: f64,
    /// Its maximum.
    pub max: f64,
    /// The perturbation at the end of the run.
    pub c_end: f64,
    /// The step size relative to the square of `c_end`, at the end of the run.
    pub r_end: f64,
}

impl Number {
    /// Returns the usual settings for a range: the final perturbation is a twentieth of it, at least a half.
    #[must_use]
    pub fn over(name: &str, value: i32, min: i32, max: i32) -> Self {
        let (min, max) = (f64::from(min), f64::from(max));
        let c_end = ((max - min) / 20.0).max(0.5);
        Number { name: name.to_owned(), value: value.into(), min, max, c_end, r_end: DEFAULT_RATE }
    }

    /// One line in OpenBench's format: name, type, value, range, `C_end`, `R_end`.
    #[must_use]
    pub fn open_bench_line(&self) -> String {
        let Number { name, value, min, max, c_end, r_end } = self;
        format!("{name}, int, {value:.0}, {min}, {max}, {c_end}, {r_end}")
    }

    /// Rounds `value` to an integer in the range.
    fn rounded(&self, value: f64) -> i32 {
        value.clamp(self.min, self.max).round() as i32
    }
}

/// A tuning run.
#[derive(Debug, Clone, PartialEq)]
pub struct Spsa {
    /// The numbers with their current values.
    pub numbers: Vec<Number>,
    /// Iterations of the whole run.
    pub iterations: u32,
    /// Iterations done.
    pub done: u32,
}

/// The two settings of one iteration, which play each other.
#[derive(Debug, Clone, PartialEq)]
pub struct Trial {
    signs: Vec<f64>,
    /// The values of the first player, in the order of the numbers.
    pub plus: Vec<i32>,
    /// The values of the second player.
    pub minus: Vec<i32>,
}

impl Spsa {
    /// Returns a run over `numbers` that has not begun.
    #[must_use]
    pub fn new(numbers: Vec<Number>, iterations: u32) -> Self {
        Spsa { numbers, iterations, done: 0 }
    }

    /// The perturbation of `number` in the current iteration.
    fn perturbation(&self, number: &Number) -> f64 {
        let left = f64::from(self.iterations) / f64::from(self.done + 1);
        number.c_end * left.powf(GAMMA)
    }

    /// The factor from the difference in points to the step of `number`.
    fn rate(&self, number: &Number) -> f64 {
        let offset = OFFSET * f64::from(self.iterations);
        let left = (offset + f64::from(self.iterations)) / (offset + f64::from(self.done + 1));
        number.r_end * number.c_end.powi(2) * left.powf(ALPHA) / self.perturbation(number)
    }

    /// Chooses the settings of the next iteration.
    pub fn trial(&self, rng: &mut impl Rng) -> Trial {
        let signs: Vec<f64> = self.numbers.iter().map(|_| if rng.random() { 1.0 } else { -1.0 }).collect();
        let side = |direction: f64| {
            let moved = |(number, sign): (&Number, &f64)| {
                number.rounded(number.value + direction * sign * self.perturbation(number))
            };
            self.numbers.iter().zip(&signs).map(moved).collect()
        };
        let (plus, minus) = (side(1.0), side(-1.0));
        Trial { signs, plus, minus }
    }

    /// Makes a step: `lead` is the first player's wins less its losses.
    pub fn learn(&mut self, trial: &Trial, lead: f64) {
        let rates: Vec<f64> = self.numbers.iter().map(|number| self.rate(number)).collect();
        for ((number, sign), rate) in self.numbers.iter_mut().zip(&trial.signs).zip(rates) {
            number.value = (number.value + rate * lead * sign).clamp(number.min, number.max);
        }
        self.done += 1;
    }
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng as _, rngs::StdRng};

    use super::*;

    #[test]
    fn it_climbs_a_noisy_hill_in_many_dimensions() {
        let best = [37.0, 180.0, 5.0, -12.0];
        let numbers = vec![
            Number::over("a", 60, 0, 100),
            Number::over("b", 100, 50, 250),
            Number::over("c", 2, 1, 8),
            Number::over("d", 20, -50, 50),
        ];
        let mut rng = StdRng::seed_from_u64(5);
        let mut spsa = Spsa::new(numbers, 4000);
        let distance = |values: &[i32], spsa: &Spsa| -> f64 {
            let off = |((&value, best), number): ((&i32, &f64), &Number)| {
                ((f64::from(value) - best) / (number.max - number.min)).powi(2)
            };
            values.iter().zip(&best).zip(&spsa.numbers).map(off).sum()
        };
        let now =
            |spsa: &Spsa| spsa.numbers.iter().map(|number| number.rounded(number.value)).collect::<Vec<_>>();
        let before = distance(&now(&spsa), &spsa);
        while spsa.done < spsa.iterations {
            let trial = spsa.trial(&mut rng);
            let edge = distance(&trial.minus, &spsa) - distance(&trial.plus, &spsa);
            // Eight games, each slightly biased towards the better setting.
            let won =
                |rng: &mut StdRng| if rng.random_bool((0.5 + edge).clamp(0.0, 1.0)) { 1.0 } else { -1.0 };
            let lead = (0..8).map(|_| won(&mut rng)).sum();
            spsa.learn(&trial, lead);
        }
        let after = distance(&now(&spsa), &spsa);
        assert!(after < before / 5.0, "{before} -> {after}: {:?}", now(&spsa));
    }

    /// Compared with Spall's formulas in Python; at the end the sizes are those asked for.
    #[test]
    fn perturbations_and_rates_shrink_to_the_sizes_at_the_end() {
        let mut spsa = Spsa::new(vec![Number::over("a", 60, 0, 100)], 100);
        for (done, perturbation, rate) in [
            (0, 7.961_043_635_256, 0.025_118_864_315),
            (24, 5.751_459_466_753, 0.017_321_335_537),
            (99, 5.0, 0.01),
        ] {
            spsa.done = done;
            let number = &spsa.numbers[0];
            let (c, r) = (spsa.perturbation(number), spsa.rate(number));
            assert!((c - perturbation).abs() < 1e-9 && (r - rate).abs() < 1e-9, "{done}: {c}, {r}");
        }
    }

    #[test]
    fn a_trial_is_mirrored_about_the_values_and_a_step_leads_to_its_winner() {
        let before = Spsa::new(vec![Number::over("a", 60, 0, 100); 20], 100);
        let trial = before.trial(&mut StdRng::seed_from_u64(3));
        assert!(trial.plus.contains(&68) && trial.plus.contains(&52), "{trial:?}");
        for (plus, minus) in trial.plus.iter().zip(&trial.minus) {
            assert!((plus, minus) == (&68, &52) || (plus, minus) == (&52, &68), "{trial:?}");
        }
        let mut spsa = before.clone();
        spsa.learn(&trial, -4.0);
        assert_eq!(spsa.done, 1);
        for (number, plus) in spsa.numbers.iter().zip(&trial.plus) {
            let towards_minus = if *plus == 68 { -1.0 } else { 1.0 };
            let expected = 60.0 + towards_minus * 4.0 * 0.025_118_864_315;
            assert!((number.value - expected).abs() < 1e-9, "{number:?}");
        }
    }

    #[test]
    fn values_keep_to_their_range_and_lines_are_open_benchs() {
        let number = Number::over("null_move_depth", 3, 1, 6);
        assert_eq!(number.open_bench_line(), "null_move_depth, int, 3, 1, 6, 0.5, 0.002");
        let ends = [(0, 100), (-50, 50), (50, 150)].map(|(min, max)| Number::over("a", min, min, max).c_end);
        assert_eq!(ends, [5.0; 3], "a twentieth of the range, wherever it begins");
        let mut spsa = Spsa::new(vec![number], 10);
        let mut rng = StdRng::seed_from_u64(1);
        for _ in 0..10 {
            let trial = spsa.trial(&mut rng);
            assert!((1..=6).contains(&trial.plus[0]) && (1..=6).contains(&trial.minus[0]));
            spsa.learn(&trial, 1e6);
            assert!((1.0..=6.0).contains(&spsa.numbers[0].value));
        }
    }
}
