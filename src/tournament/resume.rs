//! Going on with an interrupted match: which games of the schedule a PGN file already holds.

use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;

use shakmaty::KnownOutcome;

use super::line::Line;
use super::openings::Openings;
use super::pgn::{PgnError, read_games};
use super::schedule::Schedule;
use super::spec::PlayerSpec;
use super::standings::Standings;
use crate::game::Game;

/// Why a match cannot go on from a file.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The file cannot be read, or a game in it not be replayed.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// It is something else, and must not be touched.
    #[error("it is no PGN file of a match")]
    NotPgn,
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

/// How every game that the writer has begun begins.
const HEAD: &[u8] = b"[Event \"";

/// Reads the whole games in `path`, without a last one that breaks off (the writer was killed in the middle of it). A
/// missing file holds none. Nothing is changed yet.
///
/// # Errors
/// Those of the file; [`ResumeError::NotPgn`] when it does not even begin like a game.
pub fn whole_games(path: &Path) -> Result<Vec<u8>, ResumeError> {
    let mut bytes = match std::fs::read(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
        read => read.map_err(PgnError::Io)?,
    };
    let whole = whole_length(&bytes).ok_or(ResumeError::NotPgn)?;
    bytes.truncate(whole);
    Ok(bytes)
}

/// Opens `path` for games to be added behind its `whole` ones; what breaks off there is cut.
///
/// # Errors
/// Those of the file.
pub fn append_behind(path: &Path, whole: &[u8]) -> io::Result<File> {
    let mut file = OpenOptions::new().append(true).create(true).open(path)?;
    file.set_len(whole.len() as u64)?;
    if !whole.is_empty() && !whole.ends_with(b"\n\n") {
        file.write_all(b"\n\n")?; // games are kept apart by an empty line
    }
    Ok(file)
}

/// The length of `bytes` without a last game that breaks off; a whole game ends with its result.
fn whole_length(bytes: &[u8]) -> Option<usize> {
    let text = bytes.trim_ascii_end();
    let last = text.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    let results = [&b"1-0"[..], b"0-1", b"1/2-1/2"];
    if text.is_empty() || results.contains(&last) {
        return Some(bytes.len());
    }
    let heads = bytes.windows(HEAD.len() + 1).rposition(|window| window[0] == b'\n' && window[1..] == *HEAD);
    let first = &HEAD[..HEAD.len().min(bytes.len())];
    heads.map(|before| before + 1).or_else(|| bytes.starts_with(first).then_some(0))
}

/// Enters `whole` games of a PGN into `standings`, and returns how many they were.
///
/// # Errors
/// [`ResumeError::Foreign`] for a game of other players, outside the schedule, from another opening, or entered twice:
/// the match was set up differently then.
pub fn enter_finished(
    whole: &[u8],
    schedule: &Schedule,
    players: &[PlayerSpec],
    openings: &Openings,
    standings: &mut Standings,
) -> Result<usize, ResumeError> {
    let games = read_games(whole, usize::MAX, false)?;
    let mut entered = 0;
    for (index, (game, line)) in games.iter().enumerate() {
        enter(game, line, schedule, players, openings, standings).map_err(|reason| {
            let tag = |name| game.tag(name).unwrap_or_default().to_owned();
            let (white, black, round) = (tag("White"), tag("Black"), tag("Round"));
            ResumeError::Foreign { number: index + 1, white, black, round, reason }
        })?;
        entered += 1;
    }
    Ok(entered)
}

fn enter(
    game: &Game,
    line: &Line,
    schedule: &Schedule,
    players: &[PlayerSpec],
    openings: &Openings,
    standings: &mut Standings,
) -> Result<(), &'static str> {
    let tag = |name| game.tag(name).unwrap_or_default();
    let player = |name| players.iter().position(|player| player.name == tag(name));
    let white = player("White").ok_or("no player has White's name")?;
    let black = player("Black").ok_or("no player has Black's name")?;
    let fixture = schedule.find(tag("Round"), white, black).ok_or("no such round")?;
    let outcome = KnownOutcome::from_ascii(game.result.as_bytes()).map_err(|_| "it has no result")?;
    let opening = openings.of_round(fixture.round);
    let same_start = line.start_fen() == opening.start_fen();
    if !same_start || !line.moves().starts_with(opening.moves()) {
        return Err("its opening is another (was the file, order or seed of the openings changed?)");
    }
    match standings.enter(&fixture, outcome, tag("Termination")) {
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
            assert_eq!(whole_length(text.as_bytes()), Some(text.len()), "{text}");
        }
        for broken in ["[Event \"E\"]\n[Si", "[Event \"E\"]\n\n1. e4 {+0.3", "[Event \"E\"]\n\n1. e4 1/2-1/"]
        {
            assert_eq!(whole_length(broken.as_bytes()), Some(0), "{broken}");
            let text = format!("{whole}{whole}{broken}");
            assert_eq!(whole_length(text.as_bytes()), Some(2 * whole.len()), "{broken}");
        }
    }

    #[test]
    fn what_is_no_match_is_not_touched() {
        for text in ["My diary.\n", "1. e4 e5", "[Site \"x\"]\n\n1. e4 *\n"] {
            assert_eq!(whole_length(text.as_bytes()), None, "{text}");
        }
    }
}
