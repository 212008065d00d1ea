//! EPD records: a position with operations, such as the moves that solve it.
//!
//! ```text
//! 8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - bm Rxb2; id "WAC.002";
//! └ the first four fields of a FEN ────────┘ └ operations: opcode, operands, semicolon
//! ```
//!
//! Reference: S. J. Edwards, "Portable Game Notation Specification and Implementation Guide", 1994, section
//! 16.2.

use shakmaty::Move;

use crate::chess::{
    notation::{read_move, why_no_move},
    position::{FenError, Position},
};

/// A valid record.
#[derive(Clone, Debug, Default)]
pub struct EpdRecord {
    /// The position.
    pub position: Position,
    /// The record's name (`id`), empty if it has none.
    pub id: String,
    /// Moves of which one must be played (`bm`).
    pub best: Vec<Move>,
    /// Moves that must not be played (`am`).
    pub avoid: Vec<Move>,
    /// Full moves to the mate that must be announced (`dm`, or `bm #3`); negative if the side to move is
    /// mated.
    pub mate: Option<i32>,
    /// Points for moves (`c9` or `c0`, as in the Strategic Test Suite).
    pub points: Vec<(Move, u32)>,
}

/// The reason why a record is invalid.
#[derive(Debug, thiserror::Error)]
pub enum EpdError {
    /// Fewer than four fields.
    #[error("expected a position of four fields")]
    TooShort,
    /// The first fields are not a valid position.
    #[error("{0}")]
    Position(FenError),
    /// Operation, move, and [why it is none](why_no_move).
    #[error("{0}: expected a legal move, got {2} {1}")]
    Move(String, String, &'static str),
    /// An operation that names no move.
    #[error("{0}: expected a move, got nothing")]
    NoMove(String),
    /// Operation and operand: the operand is not a number.
    #[error("{0}: expected a number, got {1}")]
    Number(String, String),
}

impl EpdRecord {
    /// Parses one line.
    ///
    /// # Errors
    ///
    /// [`EpdError`] if the position is invalid or one of its moves is illegal.
    ///
    /// ```
    /// use zugwerk::chess::epd::EpdRecord;
    /// let line = "8/7p/5k2/5p2/p1p2P2/Pr1pPK2/1P1R3P/8 b - - bm Rxb2; id \"WAC.002\";";
    /// let record = EpdRecord::parse(line).unwrap();
    /// assert_eq!((record.id.as_str(), record.best.len()), ("WAC.002", 1));
    /// assert!(EpdRecord::parse("not a record").is_err());
    /// ```
    pub fn parse(line: &str) -> Result<Self, EpdError> {
        let (fen, operations) = split(line)?;
        let mut record =
            Self { position: Position::from_fen(&fen).map_err(EpdError::Position)?, ..Self::default() };
        for operation in operations {
            let Some((opcode, operands)) = operation.split_first() else { continue };
            record.apply(opcode, operands)?;
        }
        Ok(record)
    }

    fn apply(&mut self, opcode: &str, operands: &[String]) -> Result<(), EpdError> {
        match opcode {
            "id" => self.id = operands.join(" "),
            "bm" => match operands {
                [only] if only.starts_with('#') => self.mate = Some(mate(opcode, only)?),
                _ => self.best = self.legal(opcode, operands)?,
            },
            "am" => self.avoid = self.legal(opcode, operands)?,
            "dm" => {
                self.mate = Some(mate(opcode, operands.first().map_or("", String::as_str))?);
            }
            "c0" | "c9" if self.points.is_empty() => {
                self.points = self.pointed(opcode, &operands.join(" "))?;
            }
            _ => {}
        }
        Ok(())
    }

    fn legal(&self, opcode: &str, operands: &[String]) -> Result<Vec<Move>, EpdError> {
        let chess = self.position.chess();
        let find = |text: &str| {
            let why = || EpdError::Move(opcode.into(), text.to_owned(), why_no_move(chess, text));
            read_move(chess, text).ok_or_else(why)
        };
        // Some programs write commas between the moves.
        let words = operands.iter().flat_map(|operand| operand.split(',')).filter(|word| !word.is_empty());
        let moves = words.map(find).collect::<Result<Vec<Move>, EpdError>>()?;
        if moves.is_empty() { Err(EpdError::NoMove(opcode.into())) } else { Ok(moves) }
    }

    /// The `move=points` pairs of `text`; other comments have none.
    fn pointed(&self, opcode: &str, text: &str) -> Result<Vec<(Move, u32)>, EpdError> {
        let pair = |word: &str| {
            // Split at the last sign: `Qd4+=4`, `b8=Q=10`.
            let (m, points) = word.rsplit_once('=')?;
            let m = read_move(self.position.chess(), m)?;
            let points = points.parse().map_err(|_| EpdError::Number(opcode.into(), word.to_owned()));
            Some(points.map(|points| (m, points)))
        };
        text.split([',', ' ']).filter_map(pair).collect()
    }
}

/// Reads a number of moves to a mate, which some programs write as `#3`.
fn mate(opcode: &str, text: &str) -> Result<i32, EpdError> {
    let moves = text.strip_prefix('#').unwrap_or(text);
    moves.parse().map_err(|_| EpdError::Number(opcode.into(), text.into()))
}

/// Returns the FEN of a line of EPD or FEN, with six fields: the counters are those of the line, or of its
/// operations `hmvc` and `fmvn`, or 0 and 1.
///
/// # Errors
///
/// [`EpdError::TooShort`] for fewer than four fields; their contents are not checked.
///
/// ```
/// use zugwerk::chess::epd::fen;
/// let fen = fen("4k3/8/8/8/8/8/8/4K3 b - - fmvn 12; id \"x\";").unwrap();
/// assert_eq!(fen, "4k3/8/8/8/8/8/8/4K3 b - - 0 12");
/// ```
pub fn fen(line: &str) -> Result<String, EpdError> {
    split(line).map(|(fen, _)| fen)
}

/// Returns the operands of an operation of a line; `None` if the line has no such operation.
///
/// ```
/// use zugwerk::chess::epd::operands;
/// let line = "4k3/8/8/8/8/8/8/4K3 b - - eco A00; id \"Kings alone\";";
/// assert_eq!(operands(line, "id").as_deref(), Some("Kings alone"));
/// assert_eq!(operands(line, "bm"), None);
/// ```
#[must_use]
pub fn operands(line: &str, opcode: &str) -> Option<String> {
    let (_, operations) = split(line).ok()?;
    let named = |operation: &&Vec<String>| operation.first().is_some_and(|word| word == opcode);
    operations.iter().find(named).map(|operation| operation[1..].join(" "))
}

/// The FEN of a line, and its operations as lists of words.
fn split(line: &str) -> Result<(String, Vec<Vec<String>>), EpdError> {
    let mut rest = line.trim();
    let mut fields = Vec::new();
    while fields.len() < 6 && !rest.is_empty() {
        let end = rest.find(char::is_whitespace).unwrap_or(rest.len());
        let field = &rest[..end];
        if fields.len() >= 4 && !field.bytes().all(|byte| byte.is_ascii_digit()) {
            break;
        }
        fields.push(field);
        rest = rest[end..].trim_start();
    }
    if fields.len() < 4 {
        return Err(EpdError::TooShort);
    }
    let operations = split_operations(rest);
    let said = |opcode: &str| {
        let operation =
            operations.iter().find(|operation| operation.first().is_some_and(|word| word == opcode))?;
        operation.get(1)?.parse::<u32>().ok().map(|number| number.to_string())
    };
    let counter = |field: usize, opcode: &str, otherwise: &str| {
        let in_line = fields.get(field).map(|&text| text.to_owned());
        in_line.or_else(|| said(opcode)).unwrap_or_else(|| otherwise.to_owned())
    };
    let (halfmoves, fullmoves) = (counter(4, "hmvc", "0"), counter(5, "fmvn", "1"));
    Ok((format!("{} {halfmoves} {fullmoves}", fields[..4].join(" ")), operations))
}

/// The operations of a record as lists of words; a quoted operand is one word.
fn split_operations(text: &str) -> Vec<Vec<String>> {
    // Some programs write a backslash before the closing quote of a string, as its last character.
    let has_escapes = quotes(text, true).filter(|is_quote| *is_quote).count() % 2 == 0;
    let words = |operation| {
        let words = split_outside_quotes(operation, &[' ', '\t'], has_escapes);
        words.map(|word| unquoted(word, has_escapes)).filter(|word| !word.is_empty()).collect()
    };
    split_outside_quotes(text, &[';'], has_escapes).map(words).collect()
}

/// Splits `text` at `signs`, except where they are quoted.
fn split_outside_quotes<'t>(
    text: &'t str,
    signs: &[char],
    has_escapes: bool,
) -> impl Iterator<Item = &'t str> {
    let (mut quoted, mut quotes) = (false, quotes(text, has_escapes));
    text.split(move |c| {
        quoted ^= quotes.next().unwrap_or_default();
        !quoted && signs.contains(&c)
    })
}

/// Returns for each character of `text` whether it begins or ends a string. If the text `has_escapes`, a
/// quote after a backslash does not.
fn quotes(text: &str, has_escapes: bool) -> impl Iterator<Item = bool> {
    let mut is_escaped = false;
    text.chars().map(move |c| {
        let is_quote = c == '"' && !is_escaped;
        is_escaped = has_escapes && c == '\\' && !is_escaped;
        is_quote
    })
}

/// Returns `word` without the quotes around its strings, and without the backslashes before quotes and
/// backslashes.
fn unquoted(word: &str, has_escapes: bool) -> String {
    let mut chars = word.chars().peekable();
    let mut plain = String::new();
    while let Some(c) = chars.next() {
        let escaped = chars.next_if(|next| has_escapes && c == '\\' && "\"\\".contains(*next));
        plain.extend(escaped.or(Some(c).filter(|c| *c != '"')));
    }
    plain
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_moves_and_mates_are_read() {
        let line = "1n5k/3q3p/pp1p2pB/5r2/1PP1Qp2/P6P/6P1/2R3K1 w - - bm c5; am g4 b5; dm 3; \
                    id \"STS; 1\"; c0 \"c5=10, Qd4+=4, b5=4, nonsense\";";
        let record = EpdRecord::parse(line).unwrap();
        assert_eq!(record.id, "STS; 1");
        assert_eq!((record.best.len(), record.avoid.len(), record.mate), (1, 2, Some(3)));
        assert_eq!(record.points.iter().map(|&(_, points)| points).collect::<Vec<_>>(), [10, 4, 4]);
    }

    #[test]
    fn commas_divide_moves_and_what_is_missing_or_no_number_is_named() {
        let read = |operations: &str| EpdRecord::parse(&format!("4k3/8/8/8/8/8/3PP3/4K3 w - - {operations}"));
        for moves in ["bm e4, d4;", "bm e4,d4;", "bm e4 d4;", "bm e4 , d4;"] {
            assert_eq!(read(moves).unwrap().best.len(), 2, "{moves}");
        }
        for (operations, told) in [
            ("bm ;", "bm: expected a move, got nothing"),
            ("bm E2e4;", "bm: expected a legal move, got unreadable E2e4"),
            ("am;", "am: expected a move, got nothing"),
            ("bm ,;", "bm: expected a move, got nothing"),
            ("bm e4; c0 \"e4=ten, d4=4\";", "c0: expected a number, got e4=ten"),
        ] {
            assert_eq!(read(operations).unwrap_err().to_string(), told, "{operations}");
        }
        for (operations, mate) in [("bm #13;", 13), ("dm #1;", 1), ("dm -2;", -2), ("bm #-2;", -2)] {
            let record = read(operations).unwrap();
            assert_eq!((record.best.len(), record.mate), (0, Some(mate)), "{operations}");
        }
        let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
        let told = EpdRecord::parse(&format!("{start} bm B1c3;")).unwrap_err().to_string();
        assert_eq!(told, "bm: expected a legal move, got illegal B1c3", "the bishop, not the knight on b1");
    }

    #[test]
    fn a_quote_in_a_string_has_a_backslash() {
        let id = |operations: &str| {
            EpdRecord::parse(&format!("4k3/8/8/8/8/8/4P3/4K3 w - - {operations} bm e4;")).unwrap()
        };
        for (string, expected) in [
            (r#""the \"best\"; of all""#, r#"the "best"; of all"#),
            (r#""a \\ b""#, r"a \ b"),
            (r#""C:\games""#, r"C:\games"),
            (r#""C:\""#, r"C:\"),
            (r#""\"""#, "\""),
        ] {
            let record = id(&format!("id {string};"));
            assert_eq!((record.id.as_str(), record.best.len()), (expected, 1), "{string}");
        }
    }

    #[test]
    fn counters_are_kept() {
        let start = "4k3/8/8/8/8/8/4P3/4K3 b - -";
        let cases = [
            (format!("{start} 3 40"), "3 40"),
            (format!("{start} hmvc 7; fmvn 12; id \"x; fmvn 3\";"), "7 12"),
            (format!("{start} id \"none\";"), "0 1"),
            (start.to_owned(), "0 1"),
        ];
        for (line, counters) in cases {
            assert_eq!(fen(&line).unwrap(), format!("{start} {counters}"), "{line}");
        }
    }

    #[test]
    fn nonsense_is_refused() {
        for line in [
            "",
            "8/8/8/8/8/8/8/8 w - -",
            "4k3/8/8/8/8/8/8/4K3 w - - bm Qd4;",
            "4k3/8/8/8/8/8/8/4K3 w - - dm x;",
        ] {
            assert!(EpdRecord::parse(line).is_err(), "{line}");
        }
    }
}
