//! PGN, read: tags, moves replayed on the board, and the result, game by game.
//!
//! Openings books and the files of interrupted matches come through here. The parser is [`pgn_reader`]; this module
//! plays the moves, so that what it hands out is legal.

use std::collections::HashMap;
use std::io::Read;
use std::ops::ControlFlow;

use pgn_reader::{RawTag, Reader, SanPlus, Visitor};
use shakmaty::{Chess, KnownOutcome, Outcome};

use super::line::Line;

/// A game read from a PGN file.
#[derive(Debug, Clone)]
pub struct PgnGame {
    /// The tags, by name.
    pub tags: HashMap<String, String>,
    /// The moves of the main line.
    pub line: Line,
    /// The result at the end of the moves; `None` for `*` and for a game that breaks off.
    pub outcome: Option<KnownOutcome>,
}

impl PgnGame {
    /// A tag's value, empty without the tag.
    #[must_use]
    pub fn tag(&self, name: &str) -> &str {
        self.tags.get(name).map_or("", String::as_str)
    }
}

/// Why a PGN file could not be read.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// The file itself.
    #[error("cannot read: {0}")]
    Io(#[from] std::io::Error),
    /// One of its games.
    #[error("game {number}: {reason}")]
    Game {
        /// Which game of the file, from 1.
        number: usize,
        /// What was wrong with it.
        reason: String,
    },
}

/// Reads all games; `plies` cuts each after that many plies, `chess960` takes all for Chess960 games.
///
/// # Errors
/// [`PgnError`] at the first game that cannot be replayed.
pub fn read_games(from: impl Read, plies: usize, chess960: bool) -> Result<Vec<PgnGame>, PgnError> {
    let mut reader = Reader::new(from);
    let mut replay = Replay { plies, chess960 };
    let mut games = Vec::new();
    while let Some(game) = reader.read_game(&mut replay)? {
        let number = games.len() + 1;
        games.push(game.map_err(|reason| PgnError::Game { number, reason })?);
    }
    Ok(games)
}

/// The visitor that replays a game.
struct Replay {
    plies: usize,
    chess960: bool,
}

impl Visitor for Replay {
    type Tags = HashMap<String, String>;
    type Movetext = PgnGame;
    type Output = Result<PgnGame, String>;

    fn begin_tags(&mut self) -> ControlFlow<Self::Output, Self::Tags> {
        ControlFlow::Continue(HashMap::new())
    }

    fn tag(&mut self, tags: &mut Self::Tags, name: &[u8], value: RawTag<'_>) -> ControlFlow<Self::Output> {
        let name = String::from_utf8_lossy(name).into_owned();
        tags.insert(name, value.decode_utf8_lossy().into_owned());
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, tags: Self::Tags) -> ControlFlow<Self::Output, PgnGame> {
        let variant = tags.get("Variant").map(|variant| variant.to_ascii_lowercase());
        let fischer = variant.is_some_and(|name| name.contains("960") || name.contains("fischer"));
        let line = match tags.get("FEN") {
            Some(fen) => Line::from_fen(fen, fischer || self.chess960),
            None => Ok(Line::new(Chess::default(), self.chess960)),
        };
        match line {
            Ok(line) => ControlFlow::Continue(PgnGame { tags, line, outcome: None }),
            Err(error) => ControlFlow::Break(Err(error.to_string())),
        }
    }

    fn san(&mut self, game: &mut PgnGame, san: SanPlus) -> ControlFlow<Self::Output> {
        if game.line.moves().len() < self.plies {
            match san.san.to_move(game.line.board().position()) {
                Ok(mv) => game.line.play(mv),
                Err(error) => return ControlFlow::Break(Err(format!("{}: {error}", san.san))),
            }
        }
        ControlFlow::Continue(())
    }

    fn outcome(&mut self, game: &mut PgnGame, outcome: Outcome) -> ControlFlow<Self::Output> {
        game.outcome = outcome.known();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, game: PgnGame) -> Self::Output {
        Ok(game)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_replayed_and_cut() {
        let text =
            "[White \"A \\\"B\\\"\"]\n\n1. f3 {x} e5 (1... d5) 2. g4 Qh4# 0-1\n\n[White \"C\"]\n\n1. e4";
        let games = read_games(text.as_bytes(), usize::MAX, false).unwrap();
        assert_eq!(games.len(), 2);
        assert_eq!(games[0].tag("White"), "A \"B\"");
        assert_eq!(games[0].line.moves().len(), 4);
        assert_eq!(games[0].outcome.and_then(KnownOutcome::winner), Some(shakmaty::Color::Black));
        assert_eq!(games[1].outcome, None, "a game that breaks off has no result");
        let cut = read_games(text.as_bytes(), 2, false).unwrap();
        assert_eq!(cut[0].line.moves().len(), 2);
    }

    #[test]
    fn an_illegal_move_is_named_with_its_game() {
        let error = read_games("1. e4 *\n\n1. e5 *".as_bytes(), usize::MAX, false).unwrap_err();
        assert!(error.to_string().starts_with("game 2: e5: "), "{error}");
    }
}
