//! The results of moves by the tables, and their ranking.

use std::cmp::Ordering;

use shakmaty::Move;

use super::{AmbiguousWdl, Dtz, MaybeRounded, Probe, Wdl};
use crate::chess::position::{Legality, Position};

/// Wins and losses within this distance rank equally, in plies including those that the fifty-move rule has
/// counted already. The search may then look for a quick mate instead of the nearest capture. Progress is
/// still guaranteed: more distant results rank by distance, which falls with every move. After a repetition
/// everything ranks by distance, because the search, which does not see the win, might repeat the position
/// again.
const FREE: i32 = 40;

/// The circumstances on which the rank of a move depends, besides the tables.
#[derive(Clone, Copy, Debug, Default)]
pub struct Circumstances {
    /// Plies since the last capture or pawn move.
    pub halfmoves: u32,
    /// Whether a position has been repeated since then.
    pub repeated: bool,
    /// Whether the fifty-move rule applies.
    pub fifty_moves: bool,
}

impl Circumstances {
    /// Returns the circumstances of `position`.
    #[must_use]
    pub fn of(position: &Position, fifty_moves: bool) -> Self {
        Self { halfmoves: position.halfmoves(), repeated: position.has_repeated(), fifty_moves }
    }
}

/// The result of a move, for the side that plays it.
#[derive(Clone, Copy, Debug)]
pub struct Prospect {
    /// The result with best play. For a move that is neither a capture nor a pawn move it assumes that the
    /// fifty-move counter is zero after it.
    pub wdl: Wdl,
    /// The distance, from before the move, to the next capture, pawn move or mate; `None` without DTZ tables.
    pub dtz: Option<MaybeRounded<Dtz>>,
}

/// The rank of a move by the tables: higher is better; the search chooses among equals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Rank {
    /// The result with best play, with or without the fifty-move rule as configured.
    pub result: AmbiguousWdl,
    /// Orders moves with the same result: soonest win or latest loss first.
    order: i32,
}

impl Ord for Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        self.result.cmp(&other.result).then(self.order.cmp(&other.order))
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Prospect {
    /// Returns the result of `m`, with or without the fifty-move rule; `None` if the tables do not know it.
    #[must_use]
    pub fn of(probe: &dyn Probe, position: &Position, m: Move, fifty_moves: bool) -> Option<Self> {
        let mut after = position.clone();
        after.play(m);
        if !Legality::of(&after).any_move() {
            let wdl = if after.is_check() { Wdl::Win } else { Wdl::Draw };
            return Some(Self { wdl, dtz: Some(MaybeRounded::Precise(Dtz::before_zeroing(wdl))) });
        }
        // A third repetition and the hundredth ply end the game, but the tables do not consider them.
        if after.is_repetition(0) || (fifty_moves && after.halfmoves() >= 100) {
            return Some(Self { wdl: Wdl::Draw, dtz: Some(MaybeRounded::Precise(Dtz(0))) });
        }
        let wdl = -probe.wdl(after.chess())?;
        let dtz = match after.halfmoves() {
            0 => Some(MaybeRounded::Precise(Dtz::before_zeroing(wdl))),
            _ => probe.dtz(after.chess()).map(|dtz| (-dtz).add_plies_saturating(1)),
        };
        Some(Self { wdl, dtz })
    }

    /// Returns the rank of the move.
    #[must_use]
    pub fn rank(self, circumstances: Circumstances) -> Rank {
        let Circumstances { halfmoves, repeated, fifty_moves } = circumstances;
        // A game that goes on past the hundredth ply is drawn by the next move, unless that begins a new
        // count or mates.
        let counted = if fifty_moves { halfmoves.min(99) } else { 0 };
        let Some(dtz) = self.dtz else {
            return Rank { result: result_under(self.wdl, fifty_moves).into(), order: 0 };
        };
        let end = dtz.add_plies_saturating(counted);
        let result = match end {
            // A distance that may be one ply too small.
            MaybeRounded::Rounded(Dtz(100)) if fifty_moves => AmbiguousWdl::MaybeWin,
            MaybeRounded::Rounded(Dtz(-100)) if fifty_moves => AmbiguousWdl::MaybeLoss,
            MaybeRounded::Rounded(end) | MaybeRounded::Precise(end) => {
                result_under(Wdl::from_dtz(end), fifty_moves).into()
            }
        };
        let decided = matches!(result, AmbiguousWdl::Win | AmbiguousWdl::Loss);
        let distance = dtz.ignore_rounding();
        let near =
            decided && !repeated && distance.add_plies_saturating(halfmoves).0.saturating_abs() <= FREE;
        Rank { result, order: if near { 0 } else { distance.0.saturating_neg() } }
    }
}

impl Rank {
    /// The result; a distance that may be one ply too small is taken as exact.
    #[must_use]
    pub fn wdl(self) -> Wdl {
        self.result.after_zeroing()
    }
}

/// Converts `wdl` to the result with or without the fifty-move rule; without it cursed wins and blessed
/// losses are wins and losses.
#[must_use]
pub fn result_under(wdl: Wdl, fifty_moves: bool) -> Wdl {
    match wdl {
        Wdl::CursedWin if !fifty_moves => Wdl::Win,
        Wdl::BlessedLoss if !fifty_moves => Wdl::Loss,
        wdl => wdl,
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;

    /// Tables that give every position the same answers.
    #[derive(Debug)]
    struct Always(Option<Wdl>, Option<MaybeRounded<Dtz>>);

    impl Probe for Always {
        fn pieces(&self) -> usize {
            7
        }

        fn wdl(&self, _: &Chess) -> Option<Wdl> {
            self.0
        }

        fn dtz(&self, _: &Chess) -> Option<MaybeRounded<Dtz>> {
            self.1
        }
    }

    fn precise(plies: i32) -> MaybeRounded<Dtz> {
        MaybeRounded::Precise(Dtz(plies))
    }

    /// WDL and DTZ of a move after which the tables give the answers of `tables`.
    fn prospect(tables: &Always, fen: &str, m: &str) -> Option<(Wdl, Option<i32>)> {
        let position = Position::from_fen(fen).unwrap();
        let prospect = Prospect::of(tables, &position, position.find_move(m).unwrap(), true)?;
        Some((prospect.wdl, prospect.dtz.map(|dtz| dtz.ignore_rounding().0)))
    }

    #[test]
    fn a_move_has_what_the_tables_say_of_the_position_after_it_from_the_other_side() {
        let pawn = "8/8/8/8/4k3/8/4P3/4K3 w - - 7 1";
        let won = Always(Some(Wdl::Loss), Some(precise(-30)));
        assert_eq!(prospect(&won, pawn, "e1d1"), Some((Wdl::Win, Some(31))), "one ply more");
        assert_eq!(prospect(&won, pawn, "e2e3"), Some((Wdl::Win, Some(1))), "the counter is at zero");
        let lost = Always(Some(Wdl::CursedWin), Some(precise(120)));
        assert_eq!(prospect(&lost, pawn, "e1d1"), Some((Wdl::BlessedLoss, Some(-121))));
        assert_eq!(prospect(&lost, pawn, "e2e3"), Some((Wdl::BlessedLoss, Some(-101))));
        let no_distance = Always(Some(Wdl::Draw), None);
        assert_eq!(prospect(&no_distance, pawn, "e1d1"), Some((Wdl::Draw, None)));
        assert_eq!(prospect(&Always(None, Some(precise(1))), pawn, "e1d1"), None);
    }

    #[test]
    fn what_ends_the_game_needs_no_tables() {
        let silent = Always(None, None);
        assert_eq!(prospect(&silent, "7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8"), Some((Wdl::Win, Some(1))));
        assert_eq!(prospect(&silent, "7k/8/6K1/8/8/8/8/R7 w - - 99 80", "a1a8"), Some((Wdl::Win, Some(1))));
        assert_eq!(prospect(&silent, "7k/5K2/8/8/8/8/6Q1/8 w - - 0 1", "g2g6"), Some((Wdl::Draw, Some(0))));
        // The hundredth ply, and the third occurrence.
        let won = Always(Some(Wdl::Loss), Some(precise(-2)));
        assert_eq!(prospect(&won, "7k/8/8/8/8/8/R7/K7 w - - 99 80", "a2b2"), Some((Wdl::Draw, Some(0))));
        let late = Position::from_fen("7k/8/8/8/8/8/R7/K7 w - - 99 80").unwrap();
        let unruled = Prospect::of(&won, &late, late.find_move("a2b2").unwrap(), false).unwrap();
        assert_eq!(unruled.wdl, Wdl::Win, "without the rule it is a ply like any other");
        let mut position = Position::from_fen("7k/8/8/8/8/8/R7/K7 w - - 0 1").unwrap();
        for m in "a2b2 h8g8 b2a2 g8h8 a2b2 h8g8 b2a2".split(' ') {
            position.play(position.find_move(m).unwrap());
        }
        let again = position.find_move("g8h8").unwrap();
        let third = Prospect::of(&won, &position, again, true).unwrap();
        assert_eq!((third.wdl, third.dtz.map(|dtz| dtz.ignore_rounding().0)), (Wdl::Draw, Some(0)));
    }

    /// The rank of a move with this distance; positive distances are wins.
    fn rank(dtz: MaybeRounded<Dtz>, halfmoves: u32) -> Rank {
        let wdl = Wdl::from_dtz(dtz.ignore_rounding());
        Prospect { wdl, dtz: Some(dtz) }.rank(Circumstances { halfmoves, repeated: false, fifty_moves: true })
    }

    #[test]
    fn results_come_first_and_the_counter_decides_what_they_are() {
        let best_first = [precise(80), precise(101), precise(0), precise(-101), precise(-80)];
        let ranks = best_first.map(|dtz| rank(dtz, 0));
        assert!(ranks.is_sorted_by(|a, b| a > b), "{ranks:?}");
        assert_eq!(rank(precise(80), 20).result, AmbiguousWdl::Win, "on the hundredth ply");
        assert_eq!(rank(precise(80), 21).result, AmbiguousWdl::CursedWin, "one too late");
        assert_eq!(rank(precise(-80), 20).result, AmbiguousWdl::Loss);
        assert_eq!(rank(precise(-80), 21).result, AmbiguousWdl::BlessedLoss);
        let rounded = |plies| MaybeRounded::Rounded(Dtz(plies));
        assert_eq!(rank(rounded(79), 20).result, AmbiguousWdl::Win);
        assert_eq!(rank(rounded(80), 20).result, AmbiguousWdl::MaybeWin, "it may be 81");
        assert_eq!(rank(rounded(-80), 20).result, AmbiguousWdl::MaybeLoss);
        assert!(rank(precise(80), 20) > rank(rounded(80), 20));
        assert!(rank(rounded(-80), 20) > rank(precise(-80), 20));
    }

    #[test]
    fn a_game_that_nobody_claims_to_be_drawn_can_still_be_won() {
        for halfmoves in [99, 100, 120, u32::MAX] {
            assert_eq!(rank(precise(1), halfmoves).result, AmbiguousWdl::Win, "mate, or a new count");
            assert_eq!(rank(precise(-1), halfmoves).result, AmbiguousWdl::Loss);
            assert_eq!(rank(precise(2), halfmoves).result, AmbiguousWdl::CursedWin, "too late");
            assert_eq!(rank(precise(0), halfmoves).result, AmbiguousWdl::Draw);
        }
    }

    #[test]
    fn near_wins_are_all_the_same_and_far_ones_go_by_their_distance() {
        assert_eq!(rank(precise(3), 0), rank(precise(40), 0), "the search may choose");
        assert!(rank(precise(40), 0) > rank(precise(41), 0));
        assert!(rank(precise(41), 0) > rank(precise(42), 0));
        assert!(rank(precise(10), 30) > rank(precise(11), 30), "the more has been counted, the nearer");
        assert!(rank(precise(-60), 0) > rank(precise(-50), 0), "who loses holds out");
        assert_eq!(rank(precise(-20), 0), rank(precise(-10), 0));
        let repeated = |plies| {
            let circumstances = Circumstances { repeated: true, ..Circumstances::default() };
            Prospect { wdl: Wdl::Win, dtz: Some(precise(plies)) }.rank(circumstances)
        };
        assert!(repeated(3) > repeated(5), "once a position has come back there is no choice");
        assert!(rank(precise(103), 0) > rank(precise(110), 0));
        assert!(rank(precise(-110), 0) > rank(precise(-103), 0));
    }

    #[test]
    fn without_the_fifty_move_rule_late_is_not_too_late() {
        let late = Circumstances { halfmoves: 90, ..Circumstances::default() };
        let unruled = |plies| Prospect { wdl: Wdl::Win, dtz: Some(precise(plies)) }.rank(late);
        assert_eq!(unruled(150).result, AmbiguousWdl::Win);
        assert_eq!(unruled(-150).result, AmbiguousWdl::Loss);
        assert!(unruled(20) > unruled(30), "progress is made all the same");
        let no_distance = Prospect { wdl: Wdl::CursedWin, dtz: None };
        assert_eq!(no_distance.rank(Circumstances::default()).result, AmbiguousWdl::Win);
        let ruled = Circumstances { fifty_moves: true, ..Circumstances::default() };
        assert_eq!(no_distance.rank(ruled).result, AmbiguousWdl::CursedWin);
    }
}
