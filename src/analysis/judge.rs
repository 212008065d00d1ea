//! How much a move gave away, and what to call it.
//!
//! Centipawns are a poor measure of a mistake: a pawn matters at 0.00 and hardly at +9.00. So values are first turned
//! into the share of points a person would score, and moves are judged by the share they lose.
//!
//! The two formulas are those Lichess published and fitted on games between people
//! (<https://lichess.org/page/accuracy>); the thresholds are our own round numbers.

use crate::value::{Value, is_mate};

/// The largest value that counts in centipawn losses: what is beyond is won anyway.
const CEILING: Value = 1000;

/// The expected score of a person with `value`, in percent.
///
/// ```
/// use zugwerk::analysis::win_percent;
/// assert_eq!(win_percent(0), 50.0);
/// assert!(win_percent(100) > 58.0 && win_percent(100) < 60.0);
/// ```
#[must_use]
pub fn win_percent(value: Value) -> f64 {
    if is_mate(value) {
        return if value > 0 { 100.0 } else { 0.0 };
    }
    100.0 / (1.0 + (-0.003_682_08 * f64::from(value)).exp())
}

/// How well a move was played that let the expected score of its player fall by `lost` percent: 100 is perfect, 0 as
/// bad as can be.
#[must_use]
pub fn accuracy(lost: f64) -> f64 {
    (103.1668 * (-0.04354 * lost.max(0.0)).exp() - 3.1669).clamp(0.0, 100.0)
}

/// Centipawns lost from `before` to `after`, both for the player of the move, each counted to ±10 pawns at most.
#[must_use]
pub fn centipawn_loss(before: Value, after: Value) -> Value {
    (before.clamp(-CEILING, CEILING) - after.clamp(-CEILING, CEILING)).max(0)
}

/// What to call a bad move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Judgement {
    /// `?!`: at least 7 % of the expected score.
    Inaccuracy,
    /// `?`: at least 14 %.
    Mistake,
    /// `??`: at least 25 %.
    Blunder,
}

impl Judgement {
    /// All of them, the least first.
    pub const ALL: [Self; 3] = [Self::Inaccuracy, Self::Mistake, Self::Blunder];

    /// The fault of losing `lost` percent of the expected score, if it is one.
    #[must_use]
    pub fn of(lost: f64) -> Option<Self> {
        Self::ALL.into_iter().rev().find(|fault| lost >= fault.least())
    }

    const fn least(self) -> f64 {
        match self {
            Self::Inaccuracy => 7.0,
            Self::Mistake => 14.0,
            Self::Blunder => 25.0,
        }
    }

    /// The sign annotators use.
    #[must_use]
    pub const fn sign(self) -> &'static str {
        match self {
            Self::Inaccuracy => "?!",
            Self::Mistake => "?",
            Self::Blunder => "??",
        }
    }

    /// The numeric annotation glyph of PGN.
    #[must_use]
    pub const fn nag(self) -> u8 {
        match self {
            Self::Inaccuracy => 6,
            Self::Mistake => 2,
            Self::Blunder => 4,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_loss_weighs_less_where_the_game_is_decided() {
        let lost = |before: Value, after: Value| win_percent(before) - win_percent(after);
        assert_eq!(Judgement::of(lost(50, -250)), Some(Judgement::Blunder));
        assert_eq!(Judgement::of(lost(900, 600)), None);
        assert_eq!(Judgement::of(lost(20, -60)), Some(Judgement::Inaccuracy));
        assert_eq!(Judgement::of(lost(30, 30)), None);
        assert!(accuracy(0.0) > 99.9 && accuracy(100.0) < 1.0);
        assert_eq!(centipawn_loss(5000, 900), 100);
        assert_eq!(centipawn_loss(10, 40), 0);
    }
}
