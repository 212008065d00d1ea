//! Ends that the referee decrees: by agreeing scores, by length, and by Syzygy endgame tables.

use std::fmt;
use std::path::Path;

use shakmaty::{ByColor, Chess, Color, KnownOutcome, Position};
use shakmaty_syzygy::{Tablebase, Wdl};

use super::ending::Adjudication;
use crate::settings::{SettingError, split};
use crate::value::Score;

/// When a game is called a draw: from move `from_move` on, after `moves` moves of *each* side in a row scored within
/// `score` of even.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DrawRule {
    /// The first move number, as in the FEN, at which the rule may strike.
    pub from_move: u32,
    /// Moves of each side in a row.
    pub moves: u32,
    /// Centipawns.
    pub score: i32,
}

/// When a game is called won: after `moves` moves of each side in a row in which the winner saw at least `score` for
/// itself and the loser at least `score` against itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ResignRule {
    /// Moves of each side in a row.
    pub moves: u32,
    /// Centipawns.
    pub score: i32,
}

impl DrawRule {
    /// Reads `movenumber=40,movecount=8,score=10`; what is left out has these values.
    ///
    /// # Errors
    /// [`SettingError`] for an unknown key or a value out of range.
    pub fn parse(list: &str) -> Result<Self, SettingError> {
        let mut rule = DrawRule { from_move: 40, moves: 8, score: 10 };
        for setting in split(list)? {
            match setting.key.as_str() {
                "movenumber" => rule.from_move = setting.read("a move number", |_| true)?,
                "movecount" => rule.moves = setting.read("a count from 1", |&n| n > 0)?,
                "score" => rule.score = setting.read("centipawns from 0", |&cp| cp >= 0)?,
                _ => return Err(setting.unknown("movenumber, movecount, score")),
            }
        }
        Ok(rule)
    }
}

impl ResignRule {
    /// Reads `movecount=3,score=600`; what is left out has these values.
    ///
    /// # Errors
    /// [`SettingError`] for an unknown key or a value out of range.
    pub fn parse(list: &str) -> Result<Self, SettingError> {
        let mut rule = ResignRule { moves: 3, score: 600 };
        for setting in split(list)? {
            match setting.key.as_str() {
                "movecount" => rule.moves = setting.read("a count from 1", |&n| n > 0)?,
                "score" => rule.score = setting.read("centipawns from 1", |&cp| cp > 0)?,
                _ => return Err(setting.unknown("movecount, score")),
            }
        }
        Ok(rule)
    }
}

/// All the ends a referee may decree.
#[derive(Debug, Default)]
pub struct Rules {
    /// Draws by agreeing scores.
    pub draw: Option<DrawRule>,
    /// Wins by agreeing scores.
    pub resign: Option<ResignRule>,
    /// Moves of each side after which a game is drawn, counted from the start of the game.
    pub max_moves: Option<u32>,
    /// Endgame tables.
    pub tables: Option<Tables>,
}

/// What the scores of one game have said so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Watch {
    even_plies: u32,
    winning: ByColor<u32>,
    losing: ByColor<u32>,
}

impl Rules {
    /// Whether the game ends with the move just made by `mover`, who saw `score` before it.
    pub(super) fn decree(
        &self,
        watch: &mut Watch,
        after: &Chess,
        plies: usize,
        score: Option<Score>,
    ) -> Option<Adjudication> {
        let mover = !after.turn();
        // A player that shows no score agrees to nothing.
        let centipawns = score.map(|score| match score {
            Score::Cp(cp) => cp,
            Score::Mate(moves) if moves > 0 => i32::MAX,
            Score::Mate(_) => -i32::MAX,
        });
        let seen = |sees: &dyn Fn(i32) -> bool| centipawns.is_some_and(sees);
        if let Some(rule) = self.resign {
            count(watch.winning.get_mut(mover), seen(&|cp| cp >= rule.score));
            count(watch.losing.get_mut(mover), seen(&|cp| cp <= -rule.score));
            let won = |winner: Color| {
                *watch.winning.get(winner) >= rule.moves && *watch.losing.get(!winner) >= rule.moves
            };
            if let Some(winner) = Color::ALL.into_iter().find(|&color| won(color)) {
                return Some(Adjudication::Resigned { winner });
            }
        }
        if let Some(rule) = self.draw {
            count(&mut watch.even_plies, seen(&|cp| cp.abs() <= rule.score));
            let late = after.fullmoves().get() >= rule.from_move;
            if late && watch.even_plies >= 2 * rule.moves {
                return Some(Adjudication::Drawn);
            }
        }
        if let Some(outcome) = self.tables.as_ref().and_then(|tables| tables.probe(after)) {
            return Some(Adjudication::Tables(outcome));
        }
        let too_long = self.max_moves.is_some_and(|moves| plies >= 2 * moves as usize);
        too_long.then_some(Adjudication::TooLong)
    }
}

fn count(run: &mut u32, goes_on: bool) {
    *run = if goes_on { *run + 1 } else { 0 };
}

/// Syzygy endgame tables, which know the result of positions with few pieces, the fifty-move rule included.
pub struct Tables {
    tables: Tablebase<Chess>,
    pieces: usize,
}

impl fmt::Debug for Tables {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Tables").field("pieces", &self.pieces).finish_non_exhaustive()
    }
}

/// Why there are no endgame tables.
#[derive(Debug, thiserror::Error)]
pub enum TablesError {
    /// A directory cannot be read, or holds a damaged table.
    #[error("{directory}: {error}")]
    Io {
        /// Which.
        directory: String,
        /// Why.
        error: std::io::Error,
    },
    /// None of the directories holds a table.
    #[error("no Syzygy tables in {0}")]
    None(String),
}

impl Tables {
    /// Opens the tables in `path`: directories separated by `:` (`;` on Windows). Positions with more than `pieces`
    /// pieces are not looked up.
    ///
    /// # Errors
    /// [`TablesError`] when a directory cannot be read or there are no tables in any.
    pub fn open(path: &str, pieces: usize) -> Result<Self, TablesError> {
        let mut tables = Tablebase::new();
        for directory in std::env::split_paths(path).filter(|path| path != Path::new("")) {
            let added = tables.add_directory(&directory);
            added.map_err(|error| TablesError::Io { directory: directory.display().to_string(), error })?;
        }
        match tables.max_pieces() {
            0 => Err(TablesError::None(path.to_owned())),
            largest => Ok(Tables { tables, pieces: pieces.min(largest) }),
        }
    }

    /// The result with best play, where the tables know it. Wins that the fifty-move rule spoils are draws.
    fn probe(&self, position: &Chess) -> Option<KnownOutcome> {
        if position.board().occupied().count() > self.pieces || position.castles().any() {
            return None;
        }
        // Just after a capture or pawn move the WDL table alone is exact; else the distance must be asked too.
        let wdl = match position.halfmoves() {
            0 => self.tables.probe_wdl_after_zeroing(position).ok()?,
            _ => self.tables.probe_wdl(position).ok()?.unambiguous()?,
        };
        Some(KnownOutcome::from_winner(match wdl {
            Wdl::Win => Some(position.turn()),
            Wdl::Loss => Some(!position.turn()),
            Wdl::BlessedLoss | Wdl::Draw | Wdl::CursedWin => None,
        }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::line::Line;

    /// Plays knight moves from the start, whose scores alternate between `white` and `black`, until a decree.
    fn plies_until(
        rules: &Rules,
        white: Option<Score>,
        black: Option<Score>,
    ) -> Option<(usize, Adjudication)> {
        let mut line = Line::new(Chess::default(), false);
        let mut watch = Watch::default();
        for ply in 0..40 {
            let text = ["g1f3", "g8f6", "f3g1", "f6g8"][ply % 4];
            line.play(line.read_move(text).unwrap());
            let score = if ply % 2 == 0 { white } else { black };
            if let Some(end) = rules.decree(&mut watch, line.board().position(), ply + 1, score) {
                return Some((ply + 1, end));
            }
        }
        None
    }

    #[test]
    fn a_resignation_needs_both_sides() {
        let rules =
            Rules { resign: Some(ResignRule::parse("movecount=3,score=500").unwrap()), ..Rules::default() };
        let cp = |cp| Some(Score::Cp(cp));
        let win = Adjudication::Resigned { winner: Color::Black };
        assert_eq!(plies_until(&rules, cp(-500), cp(500)), Some((6, win)));
        assert_eq!(plies_until(&rules, Some(Score::Mate(-3)), Some(Score::Mate(4))), Some((6, win)));
        assert_eq!(plies_until(&rules, cp(-500), cp(499)), None);
        assert_eq!(plies_until(&rules, cp(500), cp(500)), None, "both see themselves winning");
        assert_eq!(plies_until(&rules, None, cp(900)), None);
    }

    #[test]
    fn a_draw_needs_both_sides_and_the_move_number() {
        let rule = |list| Rules { draw: Some(DrawRule::parse(list).unwrap()), ..Rules::default() };
        let cp = |cp| Some(Score::Cp(cp));
        let early = rule("movenumber=1,movecount=4,score=5");
        assert_eq!(plies_until(&early, cp(5), cp(-5)), Some((8, Adjudication::Drawn)));
        assert_eq!(plies_until(&early, cp(5), cp(6)), None);
        assert_eq!(plies_until(&early, cp(5), None), None);
        let late = rule("movenumber=10,movecount=4,score=5");
        assert_eq!(plies_until(&late, cp(0), cp(0)), Some((18, Adjudication::Drawn)));
    }

    #[test]
    fn a_long_game_is_drawn() {
        let rules = Rules { max_moves: Some(7), ..Rules::default() };
        assert_eq!(plies_until(&rules, None, None), Some((14, Adjudication::TooLong)));
    }

    #[test]
    fn the_rules_are_read_with_their_defaults() {
        assert_eq!(DrawRule::parse("").unwrap(), DrawRule { from_move: 40, moves: 8, score: 10 });
        assert_eq!(ResignRule::parse("score=900").unwrap(), ResignRule { moves: 3, score: 900 });
        assert!(ResignRule::parse("score=-900").is_err());
        assert!(DrawRule::parse("moves=3").is_err());
    }

    #[test]
    fn missing_tables_are_reported() {
        assert!(matches!(Tables::open("/nonexistent/tables", 7), Err(TablesError::Io { .. })));
        assert!(matches!(Tables::open(env!("CARGO_MANIFEST_DIR"), 7), Err(TablesError::None(_))));
    }
}
