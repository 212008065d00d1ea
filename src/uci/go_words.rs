//! Sorts the words of a `go` command, in any order and number, into fields.
//!
//! Every `go` gets an answer, even one that cannot be parsed. Each unreadable part is reported once and ignored. If no
//! remaining field ends the search, and it is not `infinite`, it gets a short time instead ([`INSTEAD`]): the sender of
//! `go depth abc` waits for a move. Increments without clocks are used as clocks, because at least that much time
//! remains. `movestogo` without either has no meaning and is refused, and so is a mate in no move.

use std::fmt::Write as _;

use super::command::CommandError;

/// The fields of one `go` command. Every field holds the last value given, saturated to ±[`LARGEST`].
#[derive(Debug, Default)]
pub(super) struct GoWords {
    pub(super) white_time: Option<i64>,
    pub(super) black_time: Option<i64>,
    pub(super) white_increment: Option<i64>,
    pub(super) black_increment: Option<i64>,
    pub(super) moves_to_go: Option<i64>,
    pub(super) depth: Option<i64>,
    pub(super) nodes: Option<i64>,
    pub(super) mate: Option<i64>,
    pub(super) move_time: Option<i64>,
    pub(super) perft: Option<i64>,
    pub(super) infinite: bool,
    pub(super) ponder: bool,
    /// Words after `searchmoves` that have the form of a move, in lower case.
    pub(super) search_moves: Vec<String>,
    pub(super) refused: Vec<CommandError>,
}

/// The largest number that vampirc-uci reads: twelve digits, about thirty years in milliseconds.
pub(super) const LARGEST: i64 = 999_999_999_999;

/// The time of a search whose limits could not be read, in milliseconds.
pub(super) const INSTEAD: i64 = 100;

/// The largest number for fields that vampirc-uci stores in eight bits.
const LARGEST_BYTE: i64 = 255;

impl GoWords {
    /// Whether a clock or an increment was sent.
    pub(super) fn has_clocks(&self) -> bool {
        let clocks = [self.white_time, self.black_time, self.white_increment, self.black_increment];
        clocks.iter().any(Option::is_some)
    }

    /// Whether the search needs a limit because its own could not be read.
    pub(super) fn needs_an_end(&self) -> bool {
        let ends = [self.depth, self.nodes, self.mate, self.move_time];
        let has_an_end = self.has_clocks() || ends.iter().any(Option::is_some);
        !self.refused.is_empty() && !self.infinite && !has_an_end
    }

    /// Sorts the words of `text`. Words without meaning are reported in `refused` and otherwise ignored.
    pub(super) fn read(text: &str) -> Self {
        let mut said = GoWords::default();
        let mut unknown = Vec::new();
        let mut words = text.split_whitespace().map(str::to_ascii_lowercase).peekable();
        while let Some(word) = words.next() {
            match word.as_str() {
                "infinite" => said.infinite = true,
                "ponder" => said.ponder = true,
                "searchmoves" => {
                    while let Some(word) = words.next_if(|word| !is_keyword(word)) {
                        said.add_search_move(word);
                    }
                }
                field if said.field(field).is_some() => {
                    let value = words.next_if(|word| !is_keyword(word));
                    said.set(field, value);
                }
                _ => unknown.push(word),
            }
        }
        if !unknown.is_empty() {
            let expected = "only words of the protocol after `go`";
            said.refused.push(CommandError::Expected { expected, got: unknown.join(" ") });
        }
        if let Some(moves @ ..1) = said.mate {
            said.mate = None;
            let expected = "a mate in one or more moves";
            said.refused.push(CommandError::Expected { expected, got: format!("mate {moves}") });
        }
        if let Some(moves) = said.moves_to_go
            && !said.has_clocks()
        {
            let expected = "clocks beside `movestogo`";
            said.refused.push(CommandError::Expected { expected, got: format!("movestogo {moves} alone") });
        }
        said
    }

    /// Returns the line for vampirc-uci, in its own order of fields, without those that it would overwrite or truncate.
    pub(super) fn canonical(&self) -> String {
        let byte = |number: Option<i64>| number.map(|n| n.clamp(0, LARGEST_BYTE));
        let fields = [
            ("wtime", self.white_time),
            ("btime", self.black_time),
            ("winc", self.white_increment),
            ("binc", self.black_increment),
            ("movestogo", byte(self.moves_to_go)),
            ("depth", byte(self.depth)),
            ("nodes", self.nodes.map(|n| n.max(0))),
            ("mate", byte(self.mate)),
        ];
        let mut line = "go".to_owned();
        for (name, value) in fields {
            if let Some(value) = value {
                let _ = write!(line, " {name} {value}");
            }
        }
        if !self.search_moves.is_empty() {
            let _ = write!(line, " searchmoves {}", self.search_moves.join(" "));
        }
        line
    }

    fn field(&mut self, word: &str) -> Option<&mut Option<i64>> {
        Some(match word {
            "wtime" => &mut self.white_time,
            "btime" => &mut self.black_time,
            "winc" => &mut self.white_increment,
            "binc" => &mut self.black_increment,
            "movestogo" => &mut self.moves_to_go,
            "depth" => &mut self.depth,
            "nodes" => &mut self.nodes,
            "mate" => &mut self.mate,
            "movetime" => &mut self.move_time,
            "perft" => &mut self.perft,
            _ => return None,
        })
    }

    fn set(&mut self, field: &str, value: Option<String>) {
        let number = value.as_deref().and_then(number);
        match self.field(field) {
            Some(slot) if number.is_some() => *slot = number,
            _ => {
                let got = format!("{field} {}", value.unwrap_or_default());
                let expected = "a number after each field of `go`";
                self.refused.push(CommandError::Expected { expected, got: got.trim_end().to_owned() });
            }
        }
    }

    fn add_search_move(&mut self, word: String) {
        if is_move_shaped(&word) {
            self.search_moves.push(word);
        } else {
            self.refused.push(CommandError::Expected { expected: "moves after `searchmoves`", got: word });
        }
    }
}

fn is_keyword(word: &str) -> bool {
    matches!(word, "infinite" | "ponder" | "searchmoves") || GoWords::default().field(word).is_some()
}

/// Whether `word` has the form of a move: two squares and optionally a promotion, in either case.
pub(super) fn is_move_shaped(word: &str) -> bool {
    let square =
        |file: u8, rank: u8| matches!(file.to_ascii_lowercase(), b'a'..=b'h') && matches!(rank, b'1'..=b'8');
    match *word.as_bytes() {
        [a, b, c, d] => square(a, b) && square(c, d),
        [a, b, c, d, promotion] => {
            square(a, b) && square(c, d) && b"qrbn".contains(&promotion.to_ascii_lowercase())
        }
        _ => false,
    }
}

/// Parses an integer, saturated to ±[`LARGEST`]. A decimal fraction is truncated, because some GUIs send such clocks.
fn number(text: &str) -> Option<i64> {
    let (negative, digits) = match text.strip_prefix('-') {
        Some(digits) => (true, digits),
        None => (false, text.strip_prefix('+').unwrap_or(text)),
    };
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    let size = whole.parse::<i64>().unwrap_or(LARGEST).min(LARGEST);
    Some(if negative { -size } else { size })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_saturate_and_words_are_no_numbers() {
        let cases = [
            ("0", Some(0)),
            ("-50", Some(-50)),
            ("+50", Some(50)),
            ("300000.75", Some(300_000)),
            ("99999999999999999999999999", Some(LARGEST)),
            ("-99999999999999999999999999", Some(-LARGEST)),
            ("1e6", None),
            ("abc", None),
            ("", None),
            ("-", None),
            (".5", None),
            ("1.x", None),
            ("--1", None),
        ];
        for (text, expected) in cases {
            assert_eq!(number(text), expected, "{text:?}");
        }
    }

    #[test]
    fn a_move_is_known_by_its_shape() {
        for good in ["e2e4", "E2E4", "a7a8q", "a7a8N", "e1h1"] {
            assert!(is_move_shaped(good), "{good}");
        }
        for bad in ["", "0000", "e2-e4", "e7e8=q", "a7a8k", "i2i4", "e0e1", "O-O", "e2e4qq", "é2e4"] {
            assert!(!is_move_shaped(bad), "{bad}");
        }
    }

    #[test]
    fn the_canonical_line_has_vampircs_order_and_no_field_it_cannot_carry() {
        let words = GoWords::read(
            "searchmoves E2E4 d2d4 depth 1000 binc 5 ponder movetime 9 wtime -3 mate 300 foo 7",
        );
        assert_eq!(words.canonical(), "go wtime -3 binc 5 depth 255 mate 255 searchmoves e2e4 d2d4");
        assert_eq!((words.depth, words.move_time, words.ponder), (Some(1000), Some(9), true));
        assert_eq!(words.refused.len(), 1, "foo and 7, in one complaint");
    }

    #[test]
    fn a_search_whose_end_cannot_be_read_needs_one() {
        for text in
            ["depth abc", "depth", "nodes 1e6", "movetime x", "mate", "mate 0", "wtime abc btime", "perft x"]
        {
            assert!(GoWords::read(text).needs_an_end(), "{text}");
        }
        for text in ["dpeth 8", "searchmoves O-O", "movestogo 20", "ponder depth abc"] {
            assert!(GoWords::read(text).needs_an_end(), "{text}");
        }
        for text in [
            "",
            "infinite",
            "infinite depth abc",
            "depth 3 nodes abc",
            "wtime abc btime 100",
            "searchmoves e2e4",
        ] {
            assert!(!GoWords::read(text).needs_an_end(), "{text}");
        }
        for text in ["winc 1000", "winc 1000 binc 1000 movestogo 20", "ponder"] {
            assert!(!GoWords::read(text).needs_an_end(), "{text}");
        }
    }

    #[test]
    fn a_missing_number_does_not_swallow_the_next_field() {
        let words = GoWords::read("depth wtime 100 nodes");
        assert_eq!((words.depth, words.white_time, words.nodes), (None, Some(100), None));
        assert_eq!(words.refused.len(), 2);
    }
}
