//! The course of a game in a few facts: how it ended, its key moments, and who was in time trouble.

use std::time::Duration;

use shakmaty::Color;

use super::{GameReport, standing::Standing};
use crate::{
    chess::{
        notation,
        remarks::{Judgement, clocks},
    },
    rules::BoardEnd,
};

/// The number of key moments.
const KEY_MOMENTS: usize = 3;

/// The longest time that is time trouble.
const LITTLE_TIME: Duration = Duration::from_secs(300);

/// A player's time trouble: less than a tenth of the longest time on the clock, and less than five minutes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TimeTrouble {
    /// The time below which it begins.
    pub(super) below: Duration,
    /// The number of the position after its first move.
    pub(super) from: usize,
    /// The number of mistakes and blunders in it.
    pub(super) mistakes: usize,
}

impl GameReport {
    /// How the game ended: `White lost on time in a won position`. An end that the file does not tell is not
    /// guessed. The standing is by the value of the last position.
    pub(super) fn ending(&self) -> String {
        let end = self.positions.last().and_then(BoardEnd::of);
        let tag = self.game.known_tag("Termination").unwrap_or_default().to_lowercase();
        let is = |words: &[&str]| words.iter().any(|word| tag.contains(word));
        let standing = |side: Color| {
            let value = self.white_value(self.positions.len() - 1);
            Standing::of(side.fold_wb(value, -value)).word()
        };
        let at_the_end = |side: Color| format!("in a {} position", standing(side));
        let (winner, loser) = match self.game.result.as_str() {
            "1-0" => ("White", Color::Black),
            "0-1" => ("Black", Color::White),
            "1/2-1/2" => return self.draw(end, is(&["time"]), is(&["agreement"]), &at_the_end(Color::White)),
            _ => return "Not finished".into(),
        };
        let name = notation::side(loser);
        match end {
            _ if self.game.cut.is_some() => format!("{winner} won"),
            Some(mate @ BoardEnd::Checkmate { .. }) => mate.to_string(),
            _ if is(&["time"]) => format!("{name} lost on time {}", at_the_end(loser)),
            _ if is(&["abandon"]) => format!("{name} left the game {}", at_the_end(loser)),
            _ if is(&["adjudicat"]) => format!("{winner} won by adjudication"),
            // Lichess writes `Normal` for mates and resignations.
            _ if is(&["resign", "normal"]) => format!("{name} resigned {}", at_the_end(loser)),
            _ => format!("{winner} won; the last position was {} for {name}", standing(loser)),
        }
    }

    fn draw(&self, end: Option<BoardEnd>, on_time: bool, agreed: bool, standing: &str) -> String {
        match end {
            _ if self.game.cut.is_some() => "Draw".into(),
            Some(end) if end.outcome().winner().is_none() => end.to_string(),
            _ if on_time => "Draw: time ran out, but the opponent could not mate".into(),
            _ if agreed => format!("Draw agreed {standing} for White"),
            _ => format!("Draw {standing} for White"),
        }
    }

    /// The plies of the bad moves that cost most, in the order of the game.
    pub(super) fn key_moments(&self) -> Vec<usize> {
        let mut plies: Vec<usize> =
            (0..self.moves.len()).filter(|&ply| self.moves[ply].judgement.is_some()).collect();
        plies.sort_by(|&a, &b| self.moves[b].chances_lost.total_cmp(&self.moves[a].chances_lost));
        plies.truncate(KEY_MOMENTS);
        plies.sort_unstable();
        plies
    }

    /// The time trouble of a side, by the clock readings after its moves.
    pub(super) fn time_trouble(&self, side: Color) -> Option<TimeTrouble> {
        let left = clocks::left(&self.game);
        let own = || left.iter().enumerate().filter(|(ply, _)| self.moves[*ply].player == side);
        let below = (own().filter_map(|(_, left)| *left).max()? / 10).min(LITTLE_TIME);
        let mut late = own().filter(|(_, left)| left.is_some_and(|left| left < below)).map(|(ply, _)| ply);
        let first = late.next()?;
        let is_mistake = |ply: &usize| self.moves[*ply].judgement >= Some(Judgement::Mistake);
        let mistakes = usize::from(is_mistake(&first)) + late.filter(is_mistake).count();
        Some(TimeTrouble { below, from: first + 1, mistakes })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::tests::report;

    #[test]
    fn the_end_is_said_with_its_standing() {
        for (pgn, expected) in [
            ("1. f3 e5 2. g4 Qh4# 0-1", "Black mates"),
            (
                "[Termination \"Time forfeit\"]\n\n1. e4 e5 2. Qh5 Ke7 0-1",
                "White lost on time in a won position",
            ),
            ("[Termination \"Normal\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0", "White mates"),
            ("[Termination \"Normal\"]\n\n1. f3 e5 2. g4 0-1", "White resigned in a lost position"),
            (
                "[Termination \"A won by resignation\"]\n\n1. f3 e5 2. g4 0-1",
                "White resigned in a lost position",
            ),
            (
                "[Termination \"B won - game abandoned\"]\n\n1. e4 e5 0-1",
                "White left the game in a level position",
            ),
            ("1. f3 e5 2. g4 0-1", "Black won; the last position was lost for White"),
            ("1. f3 e5 2. g4 1/2-1/2", "Draw in a lost position for White"),
            (
                "[Termination \"Game drawn by agreement\"]\n\n1. e4 e5 1/2-1/2",
                "Draw agreed in a level position for White",
            ),
            ("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 1/2-1/2", "Draw by threefold repetition"),
            ("1. e4 e5 2. Ke3 0-1", "Black won"),
            ("1. e4 e5 *", "Not finished"),
        ] {
            assert_eq!(report(pgn, 2000).ending(), expected, "{pgn}");
        }
    }

    #[test]
    fn key_moments_are_the_worst_moves_in_their_order() {
        let report =
            report("1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qf3 Nd4 5. Qg3 Nxc2+ 6. Kd1 Nxa1 7. Bxf7+ Ke7 *", 2000);
        let plies = report.key_moments();
        assert!(plies.len() == KEY_MOMENTS && plies.is_sorted(), "{plies:?}");
        let cost = |ply: usize| report.moves[ply].chances_lost;
        let least = plies.iter().map(|&ply| cost(ply)).fold(f64::INFINITY, f64::min);
        let others = (0..report.moves.len()).filter(|ply| !plies.contains(ply));
        assert!(others.clone().all(|ply| cost(ply) <= least) && others.count() > 8, "{plies:?}");
        assert_eq!(crate::report::tests::report("1. e4 *", 100).key_moments(), [0; 0]);
    }

    #[test]
    fn time_trouble_begins_below_a_tenth() {
        let report = report(
            "[TimeControl \"60\"]\n\n1. e4 {[%clk 0:01:00]} e5 {[%clk 0:00:59]} 2. Qh5 {[%clk 0:00:06]} Ke7 {[%clk 0:00:05]} \
             3. a3 {[%clk 0:00:06]} Kf6 {[%clk 0:00:04]} *",
            2000,
        );
        assert_eq!(report.time_trouble(Color::White), None, "six seconds of sixty are a tenth");
        let below = Duration::from_millis(5900);
        let mistakes = report.moves.iter().skip(3).step_by(2);
        let mistakes = mistakes.filter(|m| m.judgement >= Some(Judgement::Mistake)).count();
        assert!(mistakes > 0);
        assert_eq!(report.time_trouble(Color::Black), Some(TimeTrouble { below, from: 4, mistakes }));
        assert_eq!(crate::report::tests::report("1. e4 *", 100).time_trouble(Color::White), None);
    }
}
