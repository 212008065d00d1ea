//! Converts a value in centipawns to the chances of winning, drawing and losing.
//!
//! The chance of winning is a logistic curve of the value. The chance of losing is the same curve mirrored.
//! The rest is the chance of a draw:
//!
//! ```text
//! win(v) = 1 / (1 + exp((midpoint - v) / spread))      loss(v) = win(-v)      draw(v) = 1 - win(v) - loss(v)
//! ```
//!
//! Midpoint and spread depend on the material: with the board full half of the games are won from a much
//! smaller value than in an endgame, where a small advantage is mostly drawn. That they do is known from
//! Stockfish. Each number is within 3 of the curves that maximise the likelihood of the results of our own
//! games, given the scores of the search ([`fitted`]): 952 games at 2 seconds and 0.02 seconds a move and 400
//! at 10 seconds and 0.1 seconds a move, of bench 10594099 against bench 11610994. In ten bands of value and
//! three of material the expected points differ from those of the games by less than 5 in 100. In games of
//! 1,000 nodes a move the midpoints are nearly the same (157 to 65), and the spreads about twice as large,
//! because the score of a short search says less.
//!
//! To fit them again, make a file of training data from the PGN of a match (`zugwerk data pack`), and run
//! `zugwerk data loss` on it.

use shakmaty::{Board, Role};

use crate::chess::value::{Value, is_mate, material_value};

/// The curve of the chances with some material.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Curve {
    /// The value, in centipawns, at which half of the games are won.
    pub midpoint: f64,
    /// The width of the logistic curve, in centipawns.
    pub spread: f64,
}

/// The number of bands of material for which a curve is fitted.
pub const BANDS: usize = 4;

/// The width of a band, in pawns.
pub const BAND: u32 = 20;

/// The curves in the middle of each band, from little material to much.
const CURVES: [Curve; BANDS] = [
    Curve { midpoint: 163.0, spread: 28.0 },
    Curve { midpoint: 128.0, spread: 32.0 },
    Curve { midpoint: 97.0, spread: 37.0 },
    Curve { midpoint: 71.0, spread: 36.0 },
];

/// The material on `board`, in pawns: 1, 3, 3, 5 and 9 for the pieces of both sides, 78 at the start.
#[must_use]
pub fn material(board: &Board) -> u32 {
    let of = |role| material_value(role) * board.by_role(role).count() as Value;
    Role::ALL.into_iter().map(of).sum::<Value>() as u32 / 100
}

/// The band of `material`, below [`BANDS`].
#[must_use]
pub fn band(material: u32) -> usize {
    (material / BAND).min(BANDS as u32 - 1) as usize
}

impl Curve {
    /// The curve with `material`: between the middles of two bands, a part of each of their curves.
    #[must_use]
    pub fn with(material: u32) -> Self {
        let place = (f64::from(material) / f64::from(BAND) - 0.5).clamp(0.0, (BANDS - 1) as f64);
        let below = (place as usize).min(BANDS - 2);
        let part = place - below as f64;
        let [less, more] = [CURVES[below], CURVES[below + 1]];
        let between = |less: f64, more: f64| less + (more - less) * part;
        Self { midpoint: between(less.midpoint, more.midpoint), spread: between(less.spread, more.spread) }
    }

    /// The expected number of wins in a thousand games with `value`.
    ///
    /// It is rounded down, so that wins and losses never sum to more than 1000.
    fn permill_won(self, value: Value) -> u32 {
        (1000.0 / (1.0 + ((self.midpoint - f64::from(value)) / self.spread).exp())) as u32
    }
}

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

    /// Those of `value` with `material` on the board, in pawns ([`material`]).
    ///
    /// ```
    /// use zugwerk::{chess::value::mate_in, engine::wdl::Chances};
    /// let even = Chances::of(0, 78);
    /// assert_eq!(even.win, even.loss);
    /// assert!(Chances::of(100, 78).win > Chances::of(100, 10).win);
    /// assert_eq!(Chances::of(mate_in(5), 10), Chances { win: 1000, draw: 0, loss: 0 });
    /// ```
    #[must_use]
    pub fn of(value: Value, material: u32) -> Self {
        if is_mate(value) {
            let win = if value > 0 { 1000 } else { 0 };
            return Self { win, draw: 0, loss: 1000 - win };
        }
        let curve = Curve::with(material);
        let (win, loss) = (curve.permill_won(value), curve.permill_won(-value));
        Self { win, draw: 1000 - win - loss, loss }
    }
}

/// The curve that maximises the likelihood of results.
///
/// A result is the value of a position, and the points that its game brought the side to move: 0, ½ or 1.
/// Values beyond 1500 for either side are left out.
#[must_use]
pub fn fitted(results: impl IntoIterator<Item = (Value, f32)>) -> Curve {
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
    Curve { midpoint: best_midpoint(spread), spread }
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
        let Curve { midpoint, spread } = fitted(results.take(60_000));
        assert!((midpoint - 120.0).abs() < 3.0 && (spread - 70.0).abs() < 3.0, "{midpoint}, {spread}");
    }

    #[test]
    fn chances_add_up_and_grow_with_the_value() {
        for material in [0, 9, 10, 33, 50, 69, 78, 700] {
            let mut earlier = Chances::of(-EVAL_LIMIT, material);
            for value in (-EVAL_LIMIT..=EVAL_LIMIT).step_by(7) {
                let chances = Chances::of(value, material);
                assert_eq!(chances.win + chances.draw + chances.loss, 1000, "{value} with {material}");
                assert!(
                    chances.win >= earlier.win && chances.loss <= earlier.loss,
                    "{value} with {material}"
                );
                earlier = chances;
            }
        }
    }

    #[test]
    fn less_material_needs_a_larger_value_to_win() {
        let midpoints: Vec<_> = (0..=78).map(|material| Curve::with(material).midpoint).collect();
        assert!(midpoints.is_sorted_by(|less, more| less >= more), "{midpoints:?}");
        assert_eq!(Curve::with(material(&Board::default())), CURVES[BANDS - 1]);
        for (number, curve) in (0..).zip(CURVES) {
            assert_eq!((Curve::with(10 + 20 * number), band(10 + 20 * number)), (curve, number as usize));
        }
    }

    #[test]
    fn the_opponent_sees_the_mirror_image() {
        let (ours, theirs) = (Chances::of(123, 40), Chances::of(-123, 40));
        assert_eq!((ours.win, ours.draw, ours.loss), (theirs.loss, theirs.draw, theirs.win));
        assert_eq!(Chances::of(mated_in(4), 40), Chances { win: 0, draw: 0, loss: 1000 });
        assert!(Chances::of(Curve::with(40).midpoint as Value, 40).win.abs_diff(500) <= 10);
    }
}
