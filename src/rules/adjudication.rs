//! Adjudication by a referee: by agreeing scores, by endgame tables, and by length.

use std::{fmt, sync::Arc};

use shakmaty::{Chess, Color};

use super::Adjudication;
use crate::{
    chess::{syzygy::Tables, value::Value},
    settings::{SettingError, split},
};

/// A win is adjudicated after `plies` successive plies whose scores, hence those of both players, favour the
/// same side by at least `score`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WinRule {
    /// In centipawns.
    pub score: Value,
    /// Number of successive plies.
    pub plies: u32,
}

/// A draw is adjudicated after `plies` successive plies with scores within `score` of 0.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawRule {
    /// In centipawns.
    pub score: Value,
    /// Number of successive plies.
    pub plies: u32,
    /// The first ply of the game whose score counts, by the counter of the FEN.
    pub from_ply: u32,
}

impl WinRule {
    /// Parses `movecount=3,score=600`, in moves of each side; these are also the defaults of missing keys.
    ///
    /// # Errors
    /// [`SettingError`] for an unknown key or a value out of range.
    pub fn parse(list: &str) -> Result<Self, SettingError> {
        let (mut moves, mut score) = (3_u32, 600);
        for setting in split(list)? {
            match setting.key.as_str() {
                "movecount" => moves = setting.read("a count from 1", |&n| n > 0)?,
                "score" => score = setting.read("centipawns from 1", |&cp| cp > 0)?,
                _ => return Err(setting.unknown("movecount, score")),
            }
        }
        Ok(WinRule { score, plies: moves.saturating_mul(2) })
    }
}

impl DrawRule {
    /// Parses `movenumber=40,movecount=8,score=10`: after 8 such moves of each side, when 40 moves have been
    /// played. These are also the defaults of missing keys. As in other match programs, earlier moves count
    /// too; only the adjudication waits for the number.
    ///
    /// # Errors
    /// [`SettingError`] for an unknown key or a value out of range.
    pub fn parse(list: &str) -> Result<Self, SettingError> {
        let (mut number, mut moves, mut score) = (40_u32, 8_u32, 10);
        for setting in split(list)? {
            match setting.key.as_str() {
                "movenumber" => number = setting.read("a move number", |_| true)?,
                "movecount" => moves = setting.read("a count from 1", |&n| n > 0)?,
                "score" => score = setting.read("centipawns from 0", |&cp| cp >= 0)?,
                _ => return Err(setting.unknown("movenumber, movecount, score")),
            }
        }
        let plies = moves.saturating_mul(2);
        let from_ply = number.saturating_mul(2).saturating_sub(plies);
        Ok(DrawRule { score, plies, from_ply })
    }
}

impl fmt::Display for WinRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} centipawns for {} plies", self.score, self.plies)
    }
}

impl fmt::Display for DrawRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { score, plies, from_ply } = self;
        write!(f, "within {score} centipawns of zero for {plies} plies from ply {from_ply} on")
    }
}

/// All rules of adjudication.
#[derive(Debug, Default)]
pub struct Rules {
    /// Wins by agreeing scores.
    pub win: Option<WinRule>,
    /// Draws by agreeing scores.
    pub draw: Option<DrawRule>,
    /// The number of plies after which a game is drawn.
    pub longest: Option<u32>,
    /// Endgame tables.
    pub tables: Option<Arc<Tables>>,
}

/// The state of the scores of one game.
#[derive(Debug, Clone, Copy, Default)]
pub struct Scores {
    /// The side that the latest scores favour, and for how many successive plies.
    winning: Option<(Color, u32)>,
    /// The number of successive plies with even scores.
    even: u32,
}

impl Scores {
    /// Begins the count of even scores anew, after a capture or a move of a pawn.
    pub fn forget_even(&mut self) {
        self.even = 0;
    }
}

impl Rules {
    /// Adds the score of `mover`, from its own perspective, before its move at `ply` of the game, and returns
    /// the adjudication if the game is decided. A player that reports no score agrees to nothing.
    pub fn by_scores(
        &self,
        scores: &mut Scores,
        ply: u64,
        mover: Color,
        score: Option<Value>,
    ) -> Option<Adjudication> {
        if let Some(rule) = self.win {
            let clear = score.filter(|score| score.saturating_abs() >= rule.score);
            scores.winning = clear.map(|score| {
                let favoured = if score > 0 { mover } else { !mover };
                match scores.winning {
                    Some((before, plies)) if before == favoured => (favoured, plies + 1),
                    _ => (favoured, 1),
                }
            });
            if let Some((winner, plies)) = scores.winning
                && plies >= rule.plies
            {
                return Some(Adjudication::Won { winner });
            }
        }
        if let Some(rule) = self.draw {
            let even = score.is_some_and(|score| score.saturating_abs() <= rule.score);
            scores.even = if even && ply >= rule.from_ply.into() { scores.even + 1 } else { 0 };
            if scores.even >= rule.plies {
                return Some(Adjudication::Drawn);
            }
        }
        None
    }

    /// The result by the endgame tables, if they know the position.
    #[must_use]
    pub fn by_tables(&self, position: &Chess) -> Option<Adjudication> {
        self.tables.as_ref()?.outcome(position).map(Adjudication::Tables)
    }

    /// The adjudication of a game that has reached the maximum length.
    #[must_use]
    pub fn by_length(&self, plies: u64) -> Option<Adjudication> {
        self.longest.is_some_and(|longest| plies >= longest.into()).then_some(Adjudication::TooLong)
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::KnownOutcome;

    use super::*;
    use crate::chess::{
        position::Position,
        value::{mate_in, mated_in},
    };

    /// Adds the scores `white` and `black`, each from the player's own perspective, from ply `from` on;
    /// returns the number of plies until an adjudication.
    fn plies_until(
        rules: &Rules,
        from: u64,
        white: Option<Value>,
        black: Option<Value>,
    ) -> Option<(u64, Adjudication)> {
        let mut scores = Scores::default();
        (0..40).find_map(|ply| {
            let mover = Color::from_white(ply % 2 == 0);
            let end = rules.by_scores(&mut scores, from + ply, mover, mover.fold_wb(white, black));
            Some((ply + 1, end?))
        })
    }

    /// Returns the ply at which scores from White's perspective, beginning at ply `from`, decide the game,
    /// and the adjudication.
    fn decided(rules: &Rules, from: u64, white: &[Value]) -> Option<(u64, Adjudication)> {
        let mut scores = Scores::default();
        (from..).zip(white).find_map(|(ply, &score)| {
            let mover = Color::from_white(ply % 2 == 0);
            let end = rules.by_scores(&mut scores, ply, mover, Some(mover.fold_wb(score, -score)));
            Some((ply, end?))
        })
    }

    #[test]
    fn a_win_needs_both_sides() {
        let rules = Rules { win: Some(WinRule::parse("movecount=3,score=500").unwrap()), ..Rules::default() };
        let win = Adjudication::Won { winner: Color::Black };
        assert_eq!(plies_until(&rules, 0, Some(-500), Some(500)), Some((6, win)));
        assert_eq!(plies_until(&rules, 0, Some(mated_in(6)), Some(mate_in(7))), Some((6, win)));
        assert_eq!(plies_until(&rules, 0, Some(-500), Some(499)), None);
        assert_eq!(plies_until(&rules, 0, Some(500), Some(500)), None, "both see themselves winning");
        assert_eq!(plies_until(&rules, 0, None, Some(900)), None);
        assert_eq!(plies_until(&rules, 0, Some(Value::MIN), Some(Value::MAX)), Some((6, win)));
    }

    #[test]
    fn a_win_needs_its_plies_for_the_same_side() {
        let rules = Rules { win: Some(WinRule { score: 1000, plies: 4 }), ..Rules::default() };
        let won = |winner| Adjudication::Won { winner };
        let white = decided(&rules, 20, &[1000, 1200, mate_in(9), 1000]);
        assert_eq!(white, Some((23, won(Color::White))));
        assert_eq!(decided(&rules, 21, &[-1000; 9]), Some((24, won(Color::Black))));
        assert_eq!(decided(&rules, 20, &[1000, 1200, 999, 1200, 1200, 1200]), None);
        assert_eq!(decided(&rules, 20, &[1000, -1000, 1000, -1000, 1000]), None);
    }

    #[test]
    fn a_draw_needs_both_sides_and_the_move_number() {
        let rule = |list| Rules { draw: Some(DrawRule::parse(list).unwrap()), ..Rules::default() };
        let early = rule("movenumber=1,movecount=4,score=5");
        assert_eq!(plies_until(&early, 0, Some(5), Some(-5)), Some((8, Adjudication::Drawn)));
        assert_eq!(plies_until(&early, 0, Some(5), Some(6)), None);
        assert_eq!(plies_until(&early, 0, Some(5), None), None);
        let late = rule("movenumber=10,movecount=4,score=5");
        assert_eq!(plies_until(&late, 0, Some(0), Some(0)), Some((20, Adjudication::Drawn)));
        assert_eq!(plies_until(&late, 60, Some(0), Some(0)), Some((8, Adjudication::Drawn)));
    }

    #[test]
    fn a_draw_needs_its_plies_late_enough() {
        let rule = DrawRule { score: 8, plies: 10, from_ply: 80 };
        let rules = Rules { draw: Some(rule), ..Rules::default() };
        assert_eq!(decided(&rules, 80, &[8; 12]), Some((89, Adjudication::Drawn)));
        assert_eq!(decided(&rules, 75, &[-8; 30]), Some((89, Adjudication::Drawn)));
        assert_eq!(decided(&rules, 80, &[8, 8, 8, 8, 8, 8, 8, 8, 9, 8, 8, 8]), None);
        let mut scores = Scores::default();
        let mut is_drawn = |ply| rules.by_scores(&mut scores, ply, Color::White, Some(0)).is_some();
        assert!(!(80..89).any(&mut is_drawn));
        scores.forget_even();
        let mut is_drawn = |ply| rules.by_scores(&mut scores, ply, Color::White, Some(0)).is_some();
        assert!(!(89..98).any(&mut is_drawn) && is_drawn(98));
    }

    /// Two bare kings are a draw without a file of their own.
    #[test]
    fn tables_end_the_games_that_they_know() {
        let folder = tempfile::tempdir().unwrap();
        let beginning = [&[0x71, 0xe8, 0x23, 0x5d][..], &[0; 76]].concat();
        std::fs::write(folder.path().join("KPvK.rtbw"), beginning).unwrap();
        let tables = Tables::open(folder.path().to_str().unwrap()).unwrap();
        let rules = Rules { tables: Some(Arc::new(tables)), ..Rules::default() };
        let kings = Position::from_fen("8/8/8/8/8/1k6/8/1K6 w - - 0 1").unwrap();
        let drawn = Adjudication::Tables(KnownOutcome::Draw);
        assert_eq!(rules.by_tables(kings.chess()), Some(drawn));
        assert_eq!(rules.by_tables(Position::default().chess()), None);
        assert_eq!(Rules::default().by_tables(kings.chess()), None);
    }

    #[test]
    fn a_long_game_is_drawn() {
        let rules = Rules { longest: Some(400), ..Rules::default() };
        assert_eq!((rules.by_length(399), rules.by_length(400)), (None, Some(Adjudication::TooLong)));
        assert_eq!(Rules::default().by_length(u64::MAX), None);
    }

    #[test]
    fn the_rules_are_read_with_their_defaults() {
        assert_eq!(DrawRule::parse("").unwrap(), DrawRule { score: 10, plies: 16, from_ply: 64 });
        assert_eq!(WinRule::parse("score=900").unwrap(), WinRule { score: 900, plies: 6 });
        for wrong in ["score=-900", "score=0", "movecount=0", "movenumber=1"] {
            assert!(WinRule::parse(wrong).is_err(), "{wrong}");
        }
        for wrong in ["moves=3", "movecount=0", "score=-1"] {
            assert!(DrawRule::parse(wrong).is_err(), "{wrong}");
        }
        let even = DrawRule::parse("score=0,movecount=1,movenumber=1").unwrap();
        assert_eq!(even, DrawRule { score: 0, plies: 2, from_ply: 0 });
    }
}
