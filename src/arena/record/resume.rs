//! Resumes an interrupted match: finds the games of the schedule that a PGN file already contains.

use std::io::{self, Read as _, Seek as _};
use std::path::Path;

use shakmaty::{Color, Outcome};

use crate::arena::MatchPlan;
use crate::arena::ending::Ending;
use crate::arena::line::Line;
use crate::arena::record::pgn::EVENT;
use crate::arena::record::standings::Standings;
use crate::arena::replay::{PgnError, games};
use crate::arena::schedule::Fixture;
use crate::chess::pgn::Game;
use crate::chess::remarks::engine_notes::EVENT_WITH_MOVES;
use crate::files::LockedFile;
use crate::files::append_whole;
use crate::rules::Penalty;

/// The reason why a match cannot be resumed from a file.
#[derive(Debug, thiserror::Error)]
pub enum ResumeError {
    /// The file cannot be read, or a game in it cannot be replayed.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// Another match is writing to the file.
    #[error("another match is writing to it")]
    Busy,
    /// The file is not a match PGN and must not be changed.
    #[error("it is not a PGN file of a match")]
    NotPgn,
    /// The file contains a game that is not part of this match.
    #[error("{game} is not part of this match: {reason}")]
    Foreign {
        /// Its number in the file, its players and its round.
        game: String,
        /// The mismatch.
        reason: &'static str,
    },
}

/// Opens the PGN file of a match and locks it against other matches until it is closed. Creates a missing
/// file, and changes nothing else.
///
/// # Errors
/// Those of the file; [`ResumeError::Busy`] if another match is writing to it.
pub fn open_alone(path: &Path) -> Result<LockedFile, ResumeError> {
    LockedFile::open_or_create(path).map_err(PgnError::Io)?.ok_or(ResumeError::Busy)
}

/// Reads the complete games in `file`, without an incomplete last one (the writer was killed while writing
/// it), and returns how many bytes that has.
///
/// # Errors
/// Those of the file; [`ResumeError::NotPgn`] if the text after the last complete game does not begin like a
/// game of the match.
pub fn whole_games(file: &mut LockedFile) -> Result<(Vec<u8>, usize), ResumeError> {
    let mut bytes = Vec::new();
    file.rewind().and_then(|()| file.read_to_end(&mut bytes)).map_err(PgnError::Io)?;
    let whole = whole_length(&bytes).ok_or(ResumeError::NotPgn)?;
    let behind = bytes[whole..].trim_ascii().len();
    bytes.truncate(whole);
    Ok((bytes, behind))
}

/// Truncates `file` after its `whole` games.
///
/// # Errors
/// Those of the file.
pub fn cut_behind(file: &mut LockedFile, whole: &[u8]) -> io::Result<()> {
    file.set_len(whole.len() as u64)?;
    let separates = whole.is_empty() || whole.ends_with(b"\n\n");
    append_whole(file, if separates { b"" } else { b"\n\n" }) // an empty line separates games
}

/// The length of `bytes` without an incomplete last game; `None` if the incomplete part is not one game. A
/// game is complete with its result, the last word of a line that is followed by an empty line or the end of
/// the file. A result within a comment is none, and `*` is one. Zero bytes at the end are no part of the
/// file.
fn whole_length(bytes: &[u8]) -> Option<usize> {
    let end = bytes.iter().rposition(|&byte| byte != 0).map_or(0, |last| last + 1);
    let bytes = &bytes[..end];
    let (mut whole, mut at, mut after_result, mut in_comment) = (0, 0, false, false);
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        let text = line.trim_ascii();
        at += line.len();
        if text.is_empty() && (after_result || whole == at - line.len()) {
            whole = at;
        }
        in_comment = is_comment_open(text, in_comment);
        after_result = ends_with_result(text) && !in_comment;
    }
    if after_result {
        return Some(bytes.len());
    }
    let partial = &bytes[whole..];
    // A game begins with the tag of ours, or with that of an older version.
    let is_ours = [EVENT, EVENT_WITH_MOVES].iter().any(|event| {
        let tag = format!("[Event \"{event}\"]\n");
        let length = tag.len().min(partial.len());
        partial[..length] == tag.as_bytes()[..length]
    });
    let games = partial.split(|&byte| byte == b'\n').filter(|line| line.starts_with(b"[Event \"")).count();
    (is_ours && games <= 1).then_some(whole)
}

/// Whether the last word of a line is a result.
fn ends_with_result(line: &[u8]) -> bool {
    let last = line.rsplit(u8::is_ascii_whitespace).next().unwrap_or_default();
    [&b"1-0"[..], b"0-1", b"1/2-1/2", b"*"].contains(&last)
}

/// Whether a comment is open after `line`, if `before` says so of the lines before. No comment of a match
/// goes beyond an empty line, and tags contain none.
fn is_comment_open(line: &[u8], before: bool) -> bool {
    if line.is_empty() || (line.starts_with(b"[") && !before) {
        return false;
    }
    line.iter().rev().find(|byte| b"{}".contains(byte)).map_or(before, |&last| last == b'{')
}

/// Enters the `whole` games of a PGN of `plan` into `standings`, and calls `on_game` with each of them and
/// the standings after it.
///
/// # Errors
/// [`ResumeError::Foreign`] for a game of other players, outside the schedule, from another opening, or
/// entered twice: the match had other settings.
pub fn enter_finished(
    whole: &[u8],
    plan: &MatchPlan,
    standings: &mut Standings,
    on_game: &mut dyn FnMut(&Fixture, &Game, &Standings),
) -> Result<(), ResumeError> {
    for (number, game) in (1..).zip(games(whole, usize::MAX, false)) {
        let (game, line) = game?;
        let entered = enter(&game, &line, plan, standings);
        let fixture = entered.map_err(|reason| {
            let [white, black, round] =
                ["White", "Black", "Round"].map(|name| game.tag(name).unwrap_or_default());
            let game = format!("game {number} ({white} - {black}, round {round})");
            ResumeError::Foreign { game, reason }
        })?;
        on_game(&fixture, &game, standings);
    }
    Ok(())
}

fn enter(
    game: &Game,
    line: &Line,
    plan: &MatchPlan,
    standings: &mut Standings,
) -> Result<Fixture, &'static str> {
    let tag = |name| game.tag(name).unwrap_or_default();
    let player = |name| plan.players.iter().position(|player| player.name == tag(name));
    let white = player("White").ok_or("no player has White's name")?;
    let black = player("Black").ok_or("no player has Black's name")?;
    let fixture = plan.schedule.find(tag("Round"), white, black).ok_or("no such round")?;
    let outcome = Outcome::from_ascii(game.result.as_bytes()).map_err(|_| "it has no result")?;
    let termination = tag("Termination");
    if outcome.is_unknown() && termination != Ending::ABANDONED {
        return Err("it has no result");
    }
    let is_same = plan.openings.accepts(fixture.round, line);
    if !is_same.map_err(|_| "its opening cannot be read")? {
        return Err("its opening is another (was the file, order or seed of the openings changed?)");
    }
    let fault = at_fault(outcome, termination, line.turn()).map(|color| (color, termination));
    let is_new = standings.enter(&fixture, outcome, fault, line);
    if is_new { Ok(fixture) } else { Err("it occurs twice") }
}

/// The player whose fault ended the game, if a fault did: the loser, or in a drawn game the side to move,
/// which ran out of time or made an illegal move. The tags of an abandoned game do not tell.
pub(in crate::arena) fn at_fault(outcome: Outcome, termination: &str, turn: Color) -> Option<Color> {
    match (outcome.winner(), termination) {
        (_, "normal" | "adjudication" | Ending::ABANDONED) => None,
        (Some(winner), _) => Some(!winner),
        (None, Penalty::TIME_FORFEIT | "illegal move") => Some(turn),
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_that_breaks_off_is_cut() {
        let whole = "[Event \"Match by Zugwerk\"]\n\n1. e4 {x} 1-0\n\n";
        let windows = "[Event \"Match by Zugwerk\"]\r\n\r\n1. e4 {x\r\ny}\r\n1/2-1/2\r\n";
        let open = "[Event \"Match by Zugwerk\"]\n\n1. e4";
        // A power failure may leave zero bytes in place of the text that was being written.
        let zeros = ["\0", "\0\0\0", "[Event \"Match by Zugwerk\"]\n[Si\0\0"];
        let broken =
            ["[Event \"Match by Zugwerk\"]\n[Si", &format!("{open} {{+0.3"), &format!("{open} 1/2-1/")];
        for kept in ["", whole, &whole.repeat(2)] {
            for partial in broken.into_iter().chain(zeros).chain([""]) {
                let text = format!("{kept}{partial}");
                assert_eq!(whole_length(text.as_bytes()), Some(kept.len()), "{text:?}");
            }
        }
        for kept in ["\n", windows, &format!("{open} 0-1"), whole.trim_end()] {
            for partial in ["", "\0\0"] {
                let text = format!("{kept}{partial}");
                assert_eq!(whole_length(text.as_bytes()), Some(kept.len()), "{text:?}");
            }
        }
    }

    /// Wherever the writer is killed, all earlier games are kept: tested by truncation at every byte.
    #[test]
    fn only_the_last_game_is_ever_cut() {
        let game = "[Event \"Match by Zugwerk\"]\n[Result \"1-0\"]\n\n1. e4 {+0.3 1-0} e5\n2. Nf3 {x, White makes an illegal move:\n1-0\n[%clk 1-0\n0-1}\n1-0\n\n";
        let text = format!("{game}{game}{game}");
        for end in 2 * game.len()..text.len() {
            let whole = whole_length(&text.as_bytes()[..end]);
            let result_is_there = end >= text.len() - 2;
            assert_eq!(whole, Some(if result_is_there { end } else { 2 * game.len() }), "{}", &text[..end]);
        }
        // A comment that never ends hides only its own game.
        let odd = "[Event \"Match by Zugwerk\"]\n[White \"{\"]\n\n1. e4 {x\n\n";
        assert_eq!(whole_length(format!("{odd}{game}[Ev").as_bytes()), Some(odd.len() + game.len()));
    }

    #[test]
    fn a_fault_in_a_drawn_game_is_that_of_the_side_to_move() {
        let at_fault = |result: &str, end| at_fault(result.parse().unwrap(), end, Color::Black);
        assert_eq!(at_fault("1/2-1/2", "time forfeit"), Some(Color::Black));
        assert_eq!(at_fault("0-1", "crash"), Some(Color::White));
        for (result, end) in [("1/2-1/2", "normal"), ("0-1", "adjudication"), ("*", "abandoned")] {
            assert_eq!(at_fault(result, end), None, "{end}");
        }
    }

    #[test]
    fn what_is_no_match_is_not_touched() {
        let games = "[Event \"Match by Zugwerk\"]\n\n1. e4\n\n[Event \"Match by Zugwerk\"]\n\n1. d4\n\n";
        let foreign = "[Event \"Club\"]\n\n1. e4\n";
        for text in
            ["My diary.\0\0", "\0x", "My diary.\n", "1. e4 e5", "[Site \"x\"]\n\n1. e4\n", games, foreign]
        {
            assert_eq!(whole_length(text.as_bytes()), None, "{text}");
        }
        let undecided = "[Event \"Match by Zugwerk\"]\n\n1. e4 *\n\n";
        assert_eq!(whole_length(undecided.as_bytes()), Some(undecided.len()), "its game is refused by name");
    }
}
