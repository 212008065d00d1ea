//! Measures how much a move loses, and classifies bad moves.
//!
//! Centipawns measure a mistake poorly: the loss of a pawn is important at 0.00, but not at +9.00. Values are
//! therefore first converted to winning chances, and a move is judged by the chances it loses.
//!
//! The curve, the accuracy of a move and the thresholds are those published by Lichess
//! (<https://lichess.org/page/accuracy>); the curve was fitted on games between people. The curve says little
//! about mates: a move that misses or allows one is judged by how decided the game is without it, also by the
//! rule of Lichess.

use std::fmt;

use crate::chess::remarks::earlier::verbs::{ALLOWS, MISSES};
use crate::chess::{
    remarks::Judgement,
    value::{KNOWN_WIN, MATE_BOUND, Score, Value, win_percent},
};

/// The largest value for centipawn losses and accuracies; larger values are won anyway.
pub(super) const CEILING: Value = 1000;

/// The winning chances of a human player with `value`, from −100 (lost) over 0 (equal) to 100 (won). Marks
/// use this scale.
#[must_use]
pub fn win_chances(value: Value) -> f64 {
    2.0 * win_percent(value) - 100.0
}

/// The accuracy of a move that lowers the expected score of its player by `lost` percent: 100 for a move that
/// loses nothing, and 0 for the worst. Any other has one point more than by the published curve, because no
/// analysis is certain.
#[must_use]
pub fn move_accuracy(lost: f64) -> f64 {
    let curve = 103.1668 * (-0.04354 * lost).exp() - 3.1669;
    if lost <= 0.0 { 100.0 } else { (curve + 1.0).clamp(0.0, 100.0) }
}

/// Centipawns lost from `before` to `after`, both for the player of the move and both limited to ±10 pawns.
#[must_use]
pub fn centipawn_loss(before: Value, after: Value) -> Value {
    (before.clamp(-CEILING, CEILING) - after.clamp(-CEILING, CEILING)).max(0)
}

/// The losses of winning chances from which a move is an inaccuracy, a mistake, a blunder, in points of
/// [`win_chances`].
const FAULTS: [f64; 3] = [10.0, 20.0, 30.0];

/// The values above which missing a mate is a mistake, an inaccuracy. Allowing one is the same below their
/// opposites.
const DECIDED: [Value; 2] = [700, 999];

impl Judgement {
    /// The class of a move that changes the value from `before` to `after`, both for its player, if it is
    /// bad.
    #[must_use]
    pub fn of(before: Value, after: Value) -> Option<Self> {
        let lead = match MateSlip::of(before, after) {
            Some(MateSlip::Misses(_)) => after,
            Some(MateSlip::Allows(_)) => -before,
            None => return Self::of_loss(win_chances(before) - win_chances(after)),
        };
        let [mistake, inaccuracy] = DECIDED;
        Some(match lead {
            _ if lead > inaccuracy => Self::Inaccuracy,
            _ if lead > mistake => Self::Mistake,
            _ => Self::Blunder,
        })
    }

    /// The class of a move that loses `lost` points of winning chances, if it is bad.
    fn of_loss(lost: f64) -> Option<Self> {
        let mut faults = Self::ALL.into_iter().zip(FAULTS).rev();
        faults.find(|(_, least)| lost >= *least).map(|(fault, _)| fault)
    }
}

/// A change of a forced mate by a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MateSlip {
    /// The opponent can now force mate in this many moves, and could not before.
    Allows(i32),
    /// The player could force mate in this many moves, and cannot any more.
    Misses(i32),
}

impl MateSlip {
    /// Returns the slip of a move that changes the value from `before` to `after`, both for its player.
    #[must_use]
    pub fn of(before: Value, after: Value) -> Option<Self> {
        let moves = |value| match Score::from(value) {
            Score::Mate(moves) => moves.abs(),
            Score::Cp(_) => 0,
        };
        // A known loss is mate too, and only farther away.
        if after <= -MATE_BOUND && before > -KNOWN_WIN {
            Some(Self::Allows(moves(after)))
        } else if before >= MATE_BOUND && after < MATE_BOUND {
            Some(Self::Misses(moves(before)))
        } else {
            None
        }
    }
}

impl fmt::Display for MateSlip {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Allows(moves) => write!(f, "{ALLOWS} mate in {moves}"),
            Self::Misses(moves) => write!(f, "{MISSES} mate in {moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::value::{mate_in, mated_in};

    #[test]
    fn the_same_loss_weighs_less_where_the_game_is_decided() {
        let fault = Judgement::of;
        assert_eq!(fault(50, -250), Some(Judgement::Blunder));
        assert_eq!(fault(900, 600), Some(Judgement::Inaccuracy));
        assert_eq!(fault(1200, 800), None);
        assert_eq!(fault(20, -60), Some(Judgement::Inaccuracy));
        assert_eq!(fault(20, -100), Some(Judgement::Mistake));
        assert_eq!(fault(30, 30), None);
        assert_eq!(fault(30, mated_in(4)), Some(Judgement::Blunder));
        assert!(move_accuracy(0.0) == 100.0 && move_accuracy(1.0) < 98.0 && move_accuracy(100.0) == 0.0);
        assert_eq!(centipawn_loss(5000, 900), 100);
        assert_eq!(centipawn_loss(10, 40), 0);
    }

    #[test]
    fn the_least_loss_of_a_fault_is_one() {
        assert_eq!(Judgement::of_loss(20.0), Some(Judgement::Mistake));
        assert_eq!(Judgement::of_loss(19.999), Some(Judgement::Inaccuracy));
    }

    #[test]
    fn a_slip_of_mate_is_judged_by_how_decided_the_game_is() {
        for (lead, fault) in [
            (3000, Judgement::Inaccuracy),
            (1000, Judgement::Inaccuracy),
            (999, Judgement::Mistake),
            (701, Judgement::Mistake),
            (700, Judgement::Blunder),
            (0, Judgement::Blunder),
            (-500, Judgement::Blunder),
        ] {
            assert_eq!(Judgement::of(mate_in(3), lead), Some(fault), "a mate is lost at {lead}");
            assert_eq!(Judgement::of(-lead, mated_in(4)), Some(fault), "one is allowed at -{lead}");
        }
        assert_eq!(Judgement::of(mate_in(5), mated_in(2)), Some(Judgement::Blunder));
        assert_eq!(Judgement::of(mate_in(3), mate_in(9)), None);
        assert_eq!(Judgement::of(mated_in(8), mated_in(2)), None);
    }

    #[test]
    fn mates_are_walked_into_and_missed() {
        assert_eq!(MateSlip::of(-1500, mated_in(4)), Some(MateSlip::Allows(2)));
        assert_eq!(MateSlip::of(mate_in(5), 2000), Some(MateSlip::Misses(3)));
        assert_eq!(MateSlip::of(mate_in(5), mated_in(2)), Some(MateSlip::Allows(1)));
        assert_eq!(MateSlip::of(mate_in(3), mate_in(9)), None, "a slower mate is a mate");
        assert_eq!(MateSlip::of(mated_in(8), mated_in(2)), None, "mated all the same");
    }
}
