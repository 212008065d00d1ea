//! Reads one line of input: text in, a typed [`Command`] out, or an error with what was expected and what
//! came.
//!
//! vampirc-uci reads the commands without arguments, here alone, and writes the fixed lines of the protocol
//! ([`format`](super::format)). It cannot carry the others: it panics on `go infinite ` with a trailing blank
//! and on `depth 256`, drops `ponder` beside clocks and all moves after a typo, knows neither a FEN of four
//! fields nor the castling rights `HAha`, and ends the name of an option at any word that begins with
//! `value`. So `position`, `go` and `setoption` are read here, word by word; FENs and moves are shakmaty's.
//!
//! Invariant: [`parse`] returns for every text, without panicking.

use shakmaty::CastlingMode;
use vampirc_uci::{UciMessage, parse_strict};

use super::{
    error::CommandError,
    go::{self, Go},
};
use crate::chess::position::Position;

/// A command.
#[derive(Debug)]
pub enum Command {
    /// `uci`: identify the engine and list its options.
    Uci,
    /// `isready`: answer when all earlier commands are done.
    IsReady,
    /// `ucinewgame`: forget the last game.
    NewGame,
    /// `stop`: answer now.
    Stop,
    /// `ponderhit`: the opponent has played the expected move.
    PonderHit,
    /// `quit`: end the program.
    Quit,
    /// `setoption`: the name as written, and the value, which is empty if missing or `<empty>`.
    SetOption {
        /// The name, its words joined by one blank.
        name: String,
        /// The value, without blanks around it.
        value: String,
    },
    /// `position`: set up this position.
    Position {
        /// The position, with its game.
        position: Box<Position>,
        /// Why the game ends before the first move that is not legal.
        refused: Option<CommandError>,
    },
    /// `go`: search, or count positions if [`Go::perft`] is set.
    Go(Box<Go>),
    /// `d`: draw the board.
    Display,
    /// `eval`: print the evaluation and its parts.
    Eval,
    /// `bench`: run the benchmark, optionally to another depth.
    Bench(Option<u32>),
    /// `help`: list the commands.
    Help,
}

/// The protocol's notation for an empty string.
pub const EMPTY: &str = "<empty>";

/// Reads `line`; returns `None` for a line without effect (blank, `debug`, `register`).
///
/// Commands and keywords may be in upper or lower case. Unknown words before a command of the protocol are
/// skipped, as the protocol requires. The moves of `searchmoves` are those of `position`, the current one.
///
/// `game` decides about the castling of a FEN: many programs write `KQkq` for positions of standard chess
/// that cannot have these rights. Read as in Chess960, they would give moves that are illegal for everyone
/// else.
///
/// ```
/// use shakmaty::CastlingMode::Standard;
/// use zugwerk::{chess::position::Position, engine::uci::command::{Command, parse}};
/// let start = Position::default();
/// assert!(matches!(parse(" isready\r\n", &start, Standard), Ok(Some(Command::IsReady))));
/// assert!(parse("position startpos e2e4", &start, Standard).is_err());
/// ```
///
/// # Errors
///
/// [`CommandError`] if the line contains no command, or if the whole command must be refused.
pub fn parse(line: &str, position: &Position, game: CastlingMode) -> Result<Option<Command>, CommandError> {
    let Some((first, mut rest)) = split_word(line) else { return Ok(None) };
    match &*first.to_ascii_lowercase() {
        "d" => return Ok(Some(Command::Display)),
        "eval" => return Ok(Some(Command::Eval)),
        "help" => return Ok(Some(Command::Help)),
        "bench" => return bench(rest).map(Some),
        _ => {}
    }
    let mut word = first;
    loop {
        match &*word.to_ascii_lowercase() {
            "position" => return set_up(rest, game).map(Some),
            "go" => return Ok(Some(Command::Go(Box::new(go::read(rest, position))))),
            "setoption" => return set_option(rest).map(Some),
            "debug" | "register" => return Ok(None),
            word => {
                if let Some(command) = bare(word) {
                    return Ok(Some(command));
                }
            }
        }
        (word, rest) =
            split_word(rest).ok_or_else(|| CommandError::Unknown { line: line.trim().to_owned() })?;
    }
}

/// Reads a command without arguments.
fn bare(word: &str) -> Option<Command> {
    match parse_strict(word).ok()?.pop()? {
        UciMessage::Uci => Some(Command::Uci),
        UciMessage::IsReady => Some(Command::IsReady),
        UciMessage::UciNewGame => Some(Command::NewGame),
        UciMessage::Stop => Some(Command::Stop),
        UciMessage::PonderHit => Some(Command::PonderHit),
        UciMessage::Quit => Some(Command::Quit),
        _ => None,
    }
}

fn bench(rest: &str) -> Result<Command, CommandError> {
    let Some((word, _)) = split_word(rest) else { return Ok(Command::Bench(None)) };
    match word.parse() {
        Ok(depth @ 1..=240) => Ok(Command::Bench(Some(depth))),
        _ => {
            let expected = "a depth from 1 to 240 after `bench`";
            Err(CommandError::Expected { expected, got: word.to_owned() })
        }
    }
}

fn set_option(rest: &str) -> Result<Command, CommandError> {
    let expected = "`setoption name <name> [value <value>]`";
    let refused = || CommandError::Expected { expected, got: format!("setoption {}", rest.trim()) };
    let (_, mut rest) =
        split_word(rest).filter(|(word, _)| word.eq_ignore_ascii_case("name")).ok_or_else(refused)?;
    let (mut name, mut value) = (Vec::new(), "");
    while let Some((word, behind)) = split_word(rest) {
        if word.eq_ignore_ascii_case("value") && !name.is_empty() {
            value = behind.trim();
            break;
        }
        name.push(word);
        rest = behind;
    }
    if name.is_empty() {
        return Err(refused());
    }
    let value = if value == EMPTY { "" } else { value };
    Ok(Command::SetOption { name: name.join(" "), value: value.to_owned() })
}

/// Reads a position and its game, up to the first move that is not legal: the game cannot have gone on from
/// there.
fn set_up(rest: &str, game: CastlingMode) -> Result<Command, CommandError> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let mut parts = words.splitn(2, |word| word.eq_ignore_ascii_case("moves"));
    let (setup, moves) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
    let mut position = match setup {
        [word] if word.eq_ignore_ascii_case("startpos") => Position::default(),
        [word, fen @ ..] if word.eq_ignore_ascii_case("fen") && !fen.is_empty() => {
            let text = fen.join(" ");
            let read = if game.is_standard() { Position::from_standard_fen } else { Position::from_fen };
            read(&text).map_err(|error| CommandError::Fen { text, error })?
        }
        _ => {
            let expected = "`position startpos|fen <FEN> [moves <move> ...]`";
            return Err(CommandError::Expected { expected, got: format!("position {}", words.join(" ")) });
        }
    };
    let refused = (1..).zip(moves).find_map(|(number, word)| {
        let text = word.to_ascii_lowercase();
        match position.find_move(&text) {
            Ok(m) => {
                position.play(m);
                None
            }
            Err(error) => Some(CommandError::Move { number, text, error }),
        }
    });
    Ok(Command::Position { position: Box::new(position), refused })
}

/// Returns the first word of `text` and the rest; `None` if there is no word.
fn split_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    if text.is_empty() {
        return None;
    }
    Some(text.split_once(char::is_whitespace).unwrap_or((text, "")))
}
