//! Converts a value in centipawns to the chances of winning, drawing and losing.
//!
//! The chance of winning is a logistic curve of the value. The chance of losing is the same curve mirrored.
//! The rest is the chance of a draw:
//!
//! ```text
//! win(v) = 1 / (1 + exp((MIDPOINT - v) / SPREAD))      loss(v) = win(-v)      draw(v) = 1 - win(v) - loss(v)
//! ```
//!
//! The two constants maximise the likelihood of the results of our own games, given the scores of the search
//! ([`fitted`]). The games are the 400 at 10 seconds and 0.1 seconds a move of bench 11610994 against
//! 7d28019. They fit long searches: in games of 1,000 nodes a move a score says less, and the constants are
//! 95 and 77. To fit them again, make a file of training data from the PGN of a match (`zugwerk data pack`),
//! and run `zugwerk data loss` on it.
//!
//! One curve serves the whole game. In the first 32 moves of those games a score near 100 won more often than
//! it says: 73 % of 998.

use crate::chess::value::{Value, is_mate};

/// The value, in centipawns, at which half of the games are won.
const MIDPOINT: f64 = 98.0;

/// The width of the logistic curve, in centipawns.
const SPREAD: f64 = 38.0;

/// The chances of one game, in per mille; they sum to 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Chances {
    /// Chance that the side to move wins.
    pub win: u32,
    /// Chance of a draw.
    pub draw: u32,
    /// Chance that the side to move loses.
    pub loss: u32,
}

impl Chances {
    /// Those of a game that neither side can win.
    pub const DRAWN: Self = Self { win: 0, draw: 1000, loss: 0 };
}

impl From<Value> for Chances {
    /// ```
    /// use zugwerk::{chess::value::mate_in, engine::wdl::Chances};
    /// let even = Chances::from(0);
    /// assert_eq!(even.win, even.loss);
    /// assert_eq!(Chances::from(mate_in(5)), Chances { win: 1000, draw: 0, loss: 0 });
    /// ```
    fn from(value: Value) -> Self {
        if is_mate(value) {
            let win = if value > 0 { 1000 } else { 0 };
            return Self { win, draw: 0, loss: 1000 - win };
        }
        let (win, loss) = (permill_won(value), permill_won(-value));
        Self { win, draw: 1000 - win - loss, loss }
    }
}

/// The expected number of wins in a thousand games with `value`.
///
/// It is rounded down, so that wins and losses never sum to more than 1000.
fn permill_won(value: Value) -> u32 {
    (1000.0 / (1.0 + ((MIDPOINT - f64::from(value)) / SPREAD).exp())) as u32
}

/// The midpoint and the spread, in centipawns, that maximise the likelihood of results.
///
/// A result is the value of a position, and the points that its game brought the side to move: 0, ½ or 1.
/// Values beyond 1500 for either side are left out.
#[must_use]
pub fn fitted(results: impl IntoIterator<Item = (Value, f32)>) -> (f64, f64) {
    const LARGEST: Value = 1500;
    // By value, the numbers of games lost, drawn and won. Each game counts for both sides, which makes the
    // numbers symmetric.
    let mut by_value = vec![[0.0; 3]; 2 * LARGEST as usize + 1];
    for (value, points) in results.into_iter().filter(|(value, _)| value.abs() <= LARGEST) {
        let result = (2.0 * points) as usize;
        by_value[(LARGEST + value) as usize][result] += 1.0;
        by_value[(LARGEST - value) as usize][2 - result] += 1.0;
    }
    let logistic = |x: f64| 1.0 / (1.0 + (-x).exp());
    let unlikelihood = |midpoint: f64, spread: f64| -> f64 {
        let share = |(value, counts): (Value, &[f64; 3])| {
            let win = logistic((f64::from(value) - midpoint) / spread);
            let loss = logistic((-f64::from(value) - midpoint) / spread);
            let chances = [loss, 1.0 - win - loss, win];
            chances.iter().zip(counts).map(|(chance, count)| -chance.max(1e-12).ln() * count).sum::<f64>()
        };
        (-LARGEST..).zip(&by_value).map(share).sum()
    };
    let best_midpoint = |spread: f64| least(|midpoint| unlikelihood(midpoint, spread), 1.0, 1000.0);
    let spread = least(|spread| unlikelihood(best_midpoint(spread), spread), 10.0, 500.0);
    (best_midpoint(spread), spread)
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

#[cfg(test)]
mod tests {
    use rand::{Rng as _, SeedableRng as _, rngs::StdRng};

    use super::*;
    use crate::chess::value::{EVAL_LIMIT, mated_in};

    #[test]
    fn known_chances_are_found_again() {
        let mut rng = StdRng::seed_from_u64(4);
        let results = std::iter::repeat_with(|| {
            let value: Value = rng.random_range(-600..=600);
            let won = |value: f64| 1.0 / (1.0 + ((120.0 - value) / 70.0).exp());
            let (win, loss) = (won(value.into()), won((-value).into()));
            let drawn: f64 = rng.random_range(0.0..1.0);
            (
                value,
                if drawn < win {
                    1.0
                } else if drawn > win + loss {
                    0.5
                } else {
                    0.0
                },
            )
        });
        let (midpoint, spread) = fitted(results.take(60_000));
        assert!((midpoint - 120.0).abs() < 3.0 && (spread - 70.0).abs() < 3.0, "{midpoint}, {spread}");
    }

    #[test]
    fn chances_add_up_and_grow_with_the_value() {
        let mut earlier = Chances::from(-EVAL_LIMIT);
        for value in (-EVAL_LIMIT..=EVAL_LIMIT).step_by(7) {
            let chances = Chances::from(value);
            assert_eq!(chances.win + chances.draw + chances.loss, 1000, "at {value}");
            assert!(chances.win >= earlier.win && chances.loss <= earlier.loss, "at {value}");
            earlier = chances;
        }
    }

    #[test]
    fn the_opponent_sees_the_mirror_image() {
        let (ours, theirs) = (Chances::from(123), Chances::from(-123));
        assert_eq!((ours.win, ours.draw, ours.loss), (theirs.loss, theirs.draw, theirs.win));
        assert_eq!(Chances::from(mated_in(4)), Chances { win: 0, draw: 0, loss: 1000 });
        assert!(Chances::from(MIDPOINT as Value).win.abs_diff(500) <= 1);
    }
}
