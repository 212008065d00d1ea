//! Parses one line of input: text in, a typed [`Command`] out, or an error with what was expected and what was found.
//!
//! vampirc-uci implements the grammar of the protocol, and only this file uses it. It gets canonical lines only,
//! because on lines that GUIs and users really send it panics (`go infinite ` with a trailing blank, `depth 256`) or
//! silently drops words (`ponder` with clocks, moves after a typo). Every line is therefore first split into words and
//! checked here. FENs and the legality of moves are left to [`Position`]. Numbers are clamped to what vampirc can
//! represent; the rest is stored in our own fields. The result is written out again and compared with the canonical
//! line, so nothing is lost silently.
//!
//! Invariant: [`parse`] returns for every text, without panicking.

use std::{fmt::Write as _, path::PathBuf, time::Duration};

use shakmaty::CastlingMode;
use vampirc_uci::{UciMessage, UciTimeControl, parse_one};

use super::go_words::{self, GoWords};
use crate::{
    options::{quoted, quoted_or_nothing},
    position::{FenError, MoveError, Position},
    search::{ClockTime, Limits},
};

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
    /// `position`: set up this position, which includes its game.
    Position(Box<Position>),
    /// `go`: search.
    Go(Box<Go>),
    /// `go perft N`: count positions to this depth.
    Perft(u32),
    /// `d`: draw the board.
    Display,
    /// `eval`: print the evaluation and its parts.
    Eval,
    /// `bench`: run the benchmark, optionally to another depth.
    Bench(Option<u32>),
    /// `genfens`: print openings.
    Genfens(Box<Genfens>),
    /// `help`: list the commands.
    Help,
}

/// A `genfens` command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Genfens {
    /// The number of openings.
    pub count: usize,
    /// The seed of the random generator.
    pub seed: u64,
    /// The EPD file with the positions to begin from; `None` for the starting position.
    pub book: Option<PathBuf>,
}

/// A `go` command.
#[derive(Debug, Default)]
pub struct Go {
    /// All limits except the root moves.
    pub limits: Limits,
    /// The requested root moves, unchecked; their legality depends on the position.
    pub search_moves: Vec<String>,
    /// The words that could not be parsed. The search uses the others, because without an answer to `go` the GUI would
    /// wait for its `bestmove` forever. If nothing else ends the search, it ends after a tenth of a second.
    pub refused: Vec<CommandError>,
}

/// The reason why a line, or a part of it, was refused.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// No word of the line is a command.
    #[error("expected a command (`help` lists them), got {}", quoted(line))]
    Unknown {
        /// The line.
        line: String,
    },
    /// Something else was expected.
    #[error("expected {expected}, got {}", quoted_or_nothing(got.trim_end()))]
    Expected {
        /// What was expected.
        expected: &'static str,
        /// What was found.
        got: String,
    },
    /// The FEN does not describe a valid position.
    #[error("position refused: expected a FEN to play from, got {} ({error})", quoted(text))]
    Fen {
        /// The FEN.
        text: String,
        /// The reason.
        error: FenError,
    },
    /// A move of the game is not a move, or is illegal.
    #[error(
        "position refused: expected a legal move as number {number}, got {}{}",
        quoted(text),
        error.as_ref().map_or_else(String::new, |error| format!(" ({error})"))
    )]
    Move {
        /// Its number, from 1.
        number: usize,
        /// The move.
        text: String,
        /// The reason.
        error: Option<MoveError>,
    },
    /// The grammar understood something else than the line said.
    #[error("expected a command in plain words, got {}", quoted(line))]
    Garbled {
        /// The canonical line.
        line: String,
    },
}

/// Parses `line`; returns `None` for a line without effect (blank, `debug`, `register`).
///
/// Commands and keywords may be in upper or lower case. Unknown words before a command of the protocol are skipped, as
/// the protocol requires.
///
/// `game` decides about the castling of a FEN: many programs write `KQkq` for positions of standard chess that cannot have
/// these rights. Read as in Chess960, they would give moves that are illegal for everyone else.
///
/// ```
/// use shakmaty::CastlingMode::Standard;
/// use zugwerk::uci::command::{Command, parse};
/// assert!(matches!(parse(" isready\r\n", Standard), Ok(Some(Command::IsReady))));
/// assert!(parse("position startpos moves e2e5", Standard).is_err());
/// ```
///
/// # Errors
///
/// [`CommandError`] if the line contains no command, or if the whole command must be refused.
pub fn parse(line: &str, game: CastlingMode) -> Result<Option<Command>, CommandError> {
    let Some((first, rest)) = split_word(line) else { return Ok(None) };
    if let Some(command) = own_command(first, rest) {
        return command.map(Some);
    }
    let mut here = Some((first, rest));
    while let Some((word, rest)) = here {
        if let Some(command) = protocol_command(&word.to_ascii_lowercase(), rest, game) {
            return command;
        }
        here = split_word(rest);
    }
    Err(CommandError::Unknown { line: line.trim().to_owned() })
}

/// Parses our own commands, which must be the first word of a line.
fn own_command(word: &str, rest: &str) -> Option<Result<Command, CommandError>> {
    let command = match word.to_ascii_lowercase().as_str() {
        "d" => Command::Display,
        "eval" => Command::Eval,
        "help" => Command::Help,
        "bench" => return Some(bench(rest)),
        "genfens" => return Some(gen_fens(rest)),
        _ => return None,
    };
    Some(Ok(command))
}

fn protocol_command(
    word: &str,
    rest: &str,
    game: CastlingMode,
) -> Option<Result<Option<Command>, CommandError>> {
    let command = match word {
        "uci" | "isready" | "ucinewgame" | "stop" | "ponderhit" | "quit" => bare(word),
        "position" => position(rest, game),
        "go" => go(rest),
        "setoption" => set_option(rest),
        "debug" | "register" => return Some(Ok(None)),
        _ => return None,
    };
    Some(command.map(Some))
}

/// Passes a canonical line to vampirc-uci and checks that it understood all of it.
fn understand(canonical: &str) -> Result<UciMessage, CommandError> {
    let message = parse_one(canonical);
    if message.to_string().split_whitespace().eq(canonical.split_whitespace()) {
        Ok(message)
    } else {
        Err(CommandError::Garbled { line: canonical.to_owned() })
    }
}

fn bare(word: &str) -> Result<Command, CommandError> {
    match understand(word)? {
        UciMessage::Uci => Ok(Command::Uci),
        UciMessage::IsReady => Ok(Command::IsReady),
        UciMessage::UciNewGame => Ok(Command::NewGame),
        UciMessage::Stop => Ok(Command::Stop),
        UciMessage::PonderHit => Ok(Command::PonderHit),
        UciMessage::Quit => Ok(Command::Quit),
        _ => Err(CommandError::Garbled { line: word.to_owned() }),
    }
}

fn bench(rest: &str) -> Result<Command, CommandError> {
    match split_word(rest) {
        None => Ok(Command::Bench(None)),
        Some((word, _)) => match word.parse() {
            Ok(depth @ 1..=240) => Ok(Command::Bench(Some(depth))),
            _ => Err(CommandError::Expected {
                expected: "a depth from 1 to 240 after `bench`",
                got: word.to_owned(),
            }),
        },
    }
}

/// Engines may use the words after the name of the book; we ignore them.
fn gen_fens(rest: &str) -> Result<Command, CommandError> {
    let refused = || CommandError::Expected {
        expected: "`genfens <count> seed <number> book <file>|None`",
        got: format!("genfens {}", rest.trim()),
    };
    let words: Vec<&str> = rest.split_whitespace().collect();
    let [count, seed_word, seed, book_word, book, ..] = words[..] else { return Err(refused()) };
    if !seed_word.eq_ignore_ascii_case("seed") || !book_word.eq_ignore_ascii_case("book") {
        return Err(refused());
    }
    let count = count.parse().map_err(|_| refused())?;
    let seed = seed.parse().map_err(|_| refused())?;
    let book = (!book.eq_ignore_ascii_case("none")).then(|| PathBuf::from(book));
    Ok(Command::Genfens(Box::new(Genfens { count, seed, book })))
}

fn set_option(rest: &str) -> Result<Command, CommandError> {
    let expected = "`setoption name <name> [value <value>]`";
    let refused = || CommandError::Expected { expected, got: format!("setoption {}", rest.trim()) };
    let (word, mut rest) = split_word(rest).ok_or_else(refused)?;
    if !word.eq_ignore_ascii_case("name") {
        return Err(refused());
    }
    let mut name: Vec<&str> = Vec::new();
    let mut value = "";
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
    // vampirc treats any word that begins with `value` as the end of the name.
    let understood = !name.iter().any(|word| word.to_ascii_lowercase().starts_with("value"));
    let name = name.join(" ");
    let value = if value.is_empty() { EMPTY } else { value };
    let (name, value) = if understood {
        match understand(&format!("setoption name {name} value {value}"))? {
            UciMessage::SetOption { name, value } => (name, value.unwrap_or_default()),
            other => return Err(CommandError::Garbled { line: other.to_string() }),
        }
    } else {
        (name, value.to_owned())
    };
    Ok(Command::SetOption { name, value: if value == EMPTY { String::new() } else { value } })
}

/// The protocol's notation for an empty string.
pub const EMPTY: &str = "<empty>";

fn position(rest: &str, game: CastlingMode) -> Result<Command, CommandError> {
    let words: Vec<&str> = rest.split_whitespace().collect();
    let cut = words.iter().position(|word| word.eq_ignore_ascii_case("moves"));
    let (setup, moves) = cut.map_or((&words[..], &[][..]), |cut| (&words[..cut], &words[cut + 1..]));
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
    for (number, text) in (1..).zip(game_moves(moves)?) {
        match position.find_move(&text) {
            Ok(m) => position.play(m),
            Err(error) => return Err(CommandError::Move { number, text, error: Some(error) }),
        };
    }
    Ok(Command::Position(Box::new(position)))
}

/// Returns the moves as the grammar understands them, without a check of their legality.
fn game_moves(words: &[&str]) -> Result<Vec<String>, CommandError> {
    let mut canonical = "position startpos".to_owned();
    for (number, &word) in (1..).zip(words) {
        if number == 1 {
            canonical += " moves";
        }
        if !go_words::is_move_shaped(word) {
            return Err(CommandError::Move { number, text: word.to_owned(), error: None });
        }
        let _ = write!(canonical, " {}", word.to_ascii_lowercase());
    }
    match understand(&canonical)? {
        UciMessage::Position { moves, .. } => Ok(moves.iter().map(ToString::to_string).collect()),
        other => Err(CommandError::Garbled { line: other.to_string() }),
    }
}

fn go(rest: &str) -> Result<Command, CommandError> {
    let mut words = GoWords::read(rest);
    if let Some(depth) = words.perft {
        return Ok(Command::Perft(saturating_u32(depth)));
    }
    let canonical = words.canonical();
    let UciMessage::Go { time_control, search_control } = understand(&canonical)? else {
        return Err(CommandError::Garbled { line: canonical });
    };
    let mut limits = Limits {
        depth: words.depth.map(saturating_u32),
        mate: words.mate.map(saturating_u32),
        moves_to_go: words.moves_to_go.map(saturating_u32).filter(|&moves| moves > 0),
        move_time: words.move_time.map(milliseconds),
        infinite: words.infinite,
        ponder: words.ponder,
        ..Limits::default()
    };
    // vampirc sees clocks in `movestogo` alone too.
    if let Some(UciTimeControl::TimeLeft { white_time, black_time, white_increment, black_increment, .. }) =
        time_control
        && words.has_clocks()
    {
        let clock =
            |left: Option<vampirc_uci::Duration>, increment: Option<vampirc_uci::Duration>| ClockTime {
                left: left.map(|left| milliseconds(left.num_milliseconds())),
                increment: increment.map_or(Duration::ZERO, |time| milliseconds(time.num_milliseconds())),
            };
        let (white, black) = (clock(white_time, white_increment), clock(black_time, black_increment));
        // If only one clock was sent, it is used for either side. If none was sent, the increments are the clocks;
        // without increments the search would not end.
        let of = |own: ClockTime, other: ClockTime, increment: bool| match (own.left, other.left) {
            (Some(_), _) => own,
            (None, Some(_)) => other,
            (None, None) if increment => ClockTime { left: Some(own.increment), ..own },
            (None, None) => ClockTime { left: Some(other.increment), ..other },
        };
        limits.clocks.white = of(white, black, white_increment.is_some());
        limits.clocks.black = of(black, white, black_increment.is_some());
    }
    if words.needs_an_end() {
        limits.move_time = Some(milliseconds(go_words::INSTEAD));
    }
    let mut search_moves = Vec::new();
    if let Some(control) = search_control {
        limits.nodes = control.nodes;
        search_moves = control.search_moves.iter().map(ToString::to_string).collect();
    }
    let refused = std::mem::take(&mut words.refused);
    Ok(Command::Go(Box::new(Go { limits, search_moves, refused })))
}

/// Time on a clock; a negative time counts as zero.
fn milliseconds(number: i64) -> Duration {
    Duration::from_millis(u64::try_from(number).unwrap_or(0))
}

fn saturating_u32(number: i64) -> u32 {
    u32::try_from(number.max(0)).unwrap_or(u32::MAX)
}

/// Returns the first word of `text` and the rest; `None` if there is no word.
fn split_word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    if text.is_empty() {
        return None;
    }
    Some(text.split_once(char::is_whitespace).unwrap_or((text, "")))
}
