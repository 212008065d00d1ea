//! Going on with an interrupted match: which games of the schedule a PGN file already holds.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::Path;

use super::openings::Openings;
use super::pgn_reader::{PgnError, PgnGame, read_games};
use super::schedule::Schedule;
use super::spec::PlayerSpec;
use super::standings::Standings;

/// Why a match cannot go on from a file.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The file cannot be read.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// It holds a game that is not part of this match.
    #[error("game {number} ({white} - {black}, round {round}) is not part of this match: {reason}")]
    Foreign {
        /// Which game of the file, from 1.
        number: usize,
        /// Its tag `White`.
        white: String,
        /// Its tag `Black`.
        black: String,
        /// Its tag `Round`.
        round: String,
        /// What does not fit.
        reason: &'static str,
    },
}

/// Opens `path` for appending games, creating it where it is missing, and cuts off a last game that breaks off (the
/// writer was killed in the middle of it). Returns the file and what it held.
///
/// # Errors
/// Those of the file.
pub fn reopen(path: &Path) -> io::Result<(File, String)> {
    let mut file = OpenOptions::new().read(true).append(true).create(true).open(path)?;
    let mut bytes = Vec::new();
    file.read_to_end(&mut bytes)?;
    let whole = whole_games(&bytes);
    if whole < bytes.len() {
        file.set_len(whole as u64)?;
        bytes.truncate(whole);
    }
    if !bytes.is_empty() && !bytes.ends_with(b"\n\n") {
        file.write_all(b"\n\n")?; // games are kept apart by an empty line
    }
    Ok((file, String::from_utf8_lossy(&bytes).into_owned()))
}

/// The length of `bytes` without a last game that breaks off. A whole game ends with its result.
fn whole_games(bytes: &[u8]) -> usize {
    let text = bytes.trim_ascii_end();
    let last = text.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    let results = [&b"1-0"[..], b"0-1", b"1/2-1/2"];
    if text.is_empty() || results.contains(&last) {
        return bytes.len();
    }
    let head = b"\n[Event \"";
    bytes.windows(head.len()).rposition(|window| window == head).map_or(0, |start| start + 1)
}

/// Enters the finished games of a PGN text into `standings`, and returns how many they were.
///
/// # Errors
/// [`ResumeError::Foreign`] for a game of other players, outside the schedule, from another opening, or entered twice:
/// the match was set up differently then.
pub fn enter_finished(
    text: &str,
    schedule: &Schedule,
    players: &[PlayerSpec],
    openings: &Openings,
    standings: &mut Standings,
) -> Result<usize, ResumeError> {
    let games = read_games(text.as_bytes(), usize::MAX, false)?;
    let mut entered = 0;
    for (index, game) in games.iter().enumerate() {
        enter(game, schedule, players, openings, standings).map_err(|reason| {
            let tag = |name| game.tag(name).to_owned();
            let (white, black, round) = (tag("White"), tag("Black"), tag("Round"));
            ResumeError::Foreign { number: index + 1, white, black, round, reason }
        })?;
        entered += 1;
    }
    Ok(entered)
}

fn enter(
    game: &PgnGame,
    schedule: &Schedule,
    players: &[PlayerSpec],
    openings: &Openings,
    standings: &mut Standings,
) -> Result<(), &'static str> {
    let player = |tag| players.iter().position(|player| player.name == game.tag(tag));
    let white = player("White").ok_or("no player has White's name")?;
    let black = player("Black").ok_or("no player has Black's name")?;
    let fixture = schedule.find(game.tag("Round"), white, black).ok_or("no such round")?;
    let outcome = game.outcome.ok_or("it has no result")?;
    let opening = openings.of_round(fixture.round);
    let same_start = game.line.start_fen() == opening.start_fen();
    if !same_start || !game.line.moves().starts_with(opening.moves()) {
        return Err("its opening is another (was the file, order or seed of the openings changed?)");
    }
    match standings.enter(&fixture, outcome, game.tag("Termination")) {
        true => Ok(()),
        false => Err("it is there twice"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_breaks_off_is_cut() {
        let whole = "[Event \"E\"]\n\n1. e4 {x} 1-0\n\n";
        let windows = "[Event \"E\"]\r\n\r\n1. e4 {x\r\ny}\r\n1/2-1/2\r\n";
        for text in ["", "\n", whole, windows, "[Event \"E\"]\n\n1. e4 0-1"] {
            assert_eq!(whole_games(text.as_bytes()), text.len(), "{text}");
        }
        for broken in ["[Event \"E\"]\n[Si", "[Event \"E\"]\n\n1. e4 {+0.3", "[Event \"E\"]\n\n1. e4 1/2-1/"]
        {
            assert_eq!(whole_games(broken.as_bytes()), 0, "{broken}");
            let text = format!("{whole}{whole}{broken}");
            assert_eq!(whole_games(text.as_bytes()), 2 * whole.len(), "{broken}");
        }
    }
}
