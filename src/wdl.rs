//! Converts a value in centipawns to the chances of winning, drawing and losing.
//!
//! The chance of winning is a logistic curve of the value. The chance of losing is the same curve mirrored. The
//! rest is the chance of a draw:
//!
//! ```text
//! win(v) = 1 / (1 + exp((MIDPOINT - v) / SPREAD))      loss(v) = win(-v)      draw(v) = 1 - win(v) - loss(v)
//! ```
//!
//! The two constants maximise the likelihood of the results of our own games, given the scores of the search.
//! `zugwerk tune` prints them (`docs/tuning.md`).

use crate::value::{Value, is_mate};

/// The value, in centipawns, at which half of the games are won.
const MIDPOINT: f64 = 135.0;

/// The width of the logistic curve, in centipawns.
const SPREAD: f64 = 131.0;

/// The scale, in centipawns, of the logistic curve that is closest to the expected points:
///
/// ```text
/// win(v) + draw(v) / 2  ≈  1 / (1 + exp(-v / SCALE))      nowhere more than 0.01 apart
/// ```
///
/// Use it where one logistic curve with a single parameter suffices. The training of networks uses it, so that the
/// values of networks have the same meaning as the values of the search.
pub const SCALE: f32 = 157.0;

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

impl From<Value> for Chances {
    /// ```
    /// use zugwerk::{value::mate_in, wdl::Chances};
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::{EVAL_LIMIT, mated_in};

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
    fn the_logistic_curve_of_the_scale_is_the_closest() {
        let logistic = |x: f64| 1.0 / (1.0 + (-x).exp());
        let won = |value: f64| logistic((value - MIDPOINT) / SPREAD);
        let distances = |scale: f64| {
            (-2000..=2000).map(f64::from).map(move |value| {
                let points = f64::midpoint(1.0, won(value) - won(-value));
                (points - logistic(value / scale)).abs()
            })
        };
        let squares = |scale: f64| distances(scale).map(|distance| distance * distance).sum::<f64>();
        let scale = f64::from(SCALE);
        assert!(squares(scale) < squares(scale - 1.0) && squares(scale) < squares(scale + 1.0));
        assert!(distances(scale).all(|distance| distance < 0.01));
    }

    #[test]
    fn the_opponent_sees_the_mirror_image() {
        let (ours, theirs) = (Chances::from(123), Chances::from(-123));
        assert_eq!((ours.win, ours.draw, ours.loss), (theirs.loss, theirs.draw, theirs.win));
        assert_eq!(Chances::from(mated_in(4)), Chances { win: 0, draw: 0, loss: 1000 });
        assert!(Chances::from(MIDPOINT as Value).win.abs_diff(500) <= 1);
    }
}
