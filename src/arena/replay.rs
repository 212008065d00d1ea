//! Reads the games of a PGN file as lines.

use std::io::{self, Read};

use crate::arena::line::Line;
use crate::chess::pgn::{BrokenGame, Game, Games};

/// The reason why a PGN file cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum PgnError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A game is invalid.
    #[error(transparent)]
    Game(#[from] BrokenGame),
}

/// Reads all games with their lines. `plies` truncates each after that many plies; `chess960` treats all as
/// Chess960 games.
///
/// # Errors
/// [`PgnError`] at the first game that cannot be replayed.
pub fn read_games(from: impl Read, plies: usize, chess960: bool) -> Result<Vec<(Game, Line)>, PgnError> {
    games(from, plies, chess960).collect()
}

/// The same games, one by one. After an error no game may follow.
pub fn games(
    from: impl Read,
    plies: usize,
    chess960: bool,
) -> impl Iterator<Item = Result<(Game, Line), PgnError>> {
    (1..).zip(Games::new(from)).map(move |(number, game)| {
        let game = game??;
        let broken = |reason: String| BrokenGame { number, reason, text: game.to_pgn() };
        let line = replay(&game, plies, chess960).map_err(broken)?;
        Ok((game, line))
    })
}

/// Returns the first `plies` plies of `game`; `chess960` treats it as a Chess960 game.
///
/// # Errors
/// Why there are not so many plies although the game has them.
pub(in crate::arena) fn replay(game: &Game, plies: usize, chess960: bool) -> Result<Line, String> {
    let chess960 = chess960 || game.is_chess960();
    let mut line = match game.tag("FEN") {
        Some(fen) => Line::from_fen(fen, chess960).map_err(|error| error.to_string())?,
        None => Line::new(game.start.chess().clone(), chess960),
    };
    for m in game.moves().into_iter().take(plies) {
        line.play(m.ok_or("expected moves, got a null move")?);
    }
    match &game.cut {
        Some(reason) if line.moves().len() < plies => Err(reason.clone()),
        _ => Ok(line),
    }
}
