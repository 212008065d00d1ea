//! When a game is over: by the rules of chess, or because its scores have settled it.

use shakmaty::{Color, KnownOutcome};

use super::Recipe;
use crate::{
    data::Ending,
    position::{Legality, Position},
    value::Value,
};

/// How the game in `position` has ended by the rules, if it has.
pub(super) fn end_by_rule(position: &Position) -> Option<(KnownOutcome, Ending)> {
    if !Legality::of(position).any_move() {
        return Some(match position.is_check() {
            true => (KnownOutcome::Decisive { winner: !position.turn() }, Ending::Checkmate),
            false => (KnownOutcome::Draw, Ending::Stalemate),
        });
    }
    let ending = if position.is_draw_by_rule() {
        let by_moves = position.halfmoves() >= 100;
        if by_moves { Ending::FiftyMoves } else { Ending::InsufficientMaterial }
    } else if position.is_repetition(0) {
        Ending::Repetition
    } else {
        return None;
    };
    Some((KnownOutcome::Draw, ending))
}

/// The scores of one game as the [`Recipe`]'s rules count them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Watch {
    /// Whom the latest scores favour, and for how many plies running.
    winning: Option<(Color, u32)>,
    /// For how many plies running the scores have been close to zero.
    even: u32,
}

impl Watch {
    /// Takes in the score of the position at `ply` of the game, for `turn`, and says whether it settles the game.
    pub(super) fn decides(
        &mut self,
        recipe: &Recipe,
        ply: u32,
        turn: Color,
        score: Value,
    ) -> Option<(KnownOutcome, Ending)> {
        if let Some(rule) = recipe.win {
            let favoured = (score.abs() >= rule.score).then(|| if score > 0 { turn } else { !turn });
            self.winning = favoured.map(|side| match self.winning {
                Some((before, plies)) if before == side => (side, plies + 1),
                _ => (side, 1),
            });
            if let Some((winner, plies)) = self.winning
                && plies >= rule.plies
            {
                return Some((KnownOutcome::Decisive { winner }, Ending::CalledWon));
            }
        }
        if let Some(rule) = recipe.draw {
            let counts = ply >= rule.from_ply && score.abs() <= rule.score;
            self.even = if counts { self.even + 1 } else { 0 };
            if self.even >= rule.plies {
                return Some((KnownOutcome::Draw, Ending::CalledDrawn));
            }
        }
        (ply + 1 >= recipe.max_plies).then_some((KnownOutcome::Draw, Ending::TooLong))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::mate_in;

    /// The ply at which scores from White's view, the first of them at ply `from`, decide the game, and how.
    fn decided(from: u32, white: &[Value]) -> Option<(u32, KnownOutcome)> {
        let mut watch = Watch::default();
        (from..).zip(white).find_map(|(ply, &score)| {
            let turn = Color::from_white(ply % 2 == 0);
            let (result, _) = watch.decides(&Recipe::default(), ply, turn, turn.fold_wb(score, -score))?;
            Some((ply, result))
        })
    }

    #[test]
    fn a_win_needs_four_plies_for_the_same_side() {
        let white = KnownOutcome::Decisive { winner: Color::White };
        assert_eq!(decided(20, &[1000, 1200, mate_in(9), 1000]), Some((23, white)));
        assert_eq!(decided(21, &[-1000; 9]), Some((24, KnownOutcome::Decisive { winner: Color::Black })));
        assert_eq!(decided(20, &[1000, 1200, 999, 1200, 1200, 1200]), None);
        assert_eq!(decided(20, &[1000, -1000, 1000, -1000, 1000]), None, "each sees itself winning");
    }

    #[test]
    fn a_draw_needs_ten_late_plies_close_to_zero() {
        assert_eq!(decided(80, &[8; 12]), Some((89, KnownOutcome::Draw)));
        assert_eq!(decided(75, &[-8; 30]), Some((89, KnownOutcome::Draw)));
        assert_eq!(decided(80, &[8, 8, 8, 8, 8, 8, 8, 8, 9, 8, 8, 8]), None);
    }

    #[test]
    fn a_long_game_is_drawn() {
        assert_eq!(decided(395, &[300; 10]), Some((399, KnownOutcome::Draw)));
    }

    #[test]
    fn the_rules_go_before() {
        let end = |fen| end_by_rule(&Position::from_fen(fen).unwrap()).map(|(result, _)| result);
        let white = KnownOutcome::Decisive { winner: Color::White };
        assert_eq!(end("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1"), Some(white));
        assert_eq!(end("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1"), Some(KnownOutcome::Draw));
        assert_eq!(end("7k/8/8/8/8/8/8/KB6 w - - 0 1"), Some(KnownOutcome::Draw));
        assert_eq!(end("7k/8/8/8/8/8/R7/K7 w - - 100 90"), Some(KnownOutcome::Draw));
        assert_eq!(end("7k/8/8/8/8/8/R7/K7 w - - 99 90"), None);
    }
}
