//! Reads the words of a `go` command into [`Limits`].
//!
//! The words may come in any order and number; the last value of a field counts. A negative number is 0, and
//! a fraction is cut off, because programs send such clocks.
//!
//! Every search gets an answer, because a GUI that gets none waits forever. Words that cannot be read are
//! therefore reported and left out, and if nothing else ends the search then, it gets a short time
//! ([`INSTEAD`]). `go perft` without a number counts nothing.

use std::time::Duration;

use super::error::CommandError;
use crate::{
    chess::position::Position,
    engine::search::{ClockTime, Limits},
};

/// A `go` command.
#[derive(Debug, Default)]
pub struct Go {
    /// The limits of the search.
    pub limits: Limits,
    /// Whether it is `go perft`, which searches nothing.
    pub is_perft: bool,
    /// The depth of `go perft`; `None` if it cannot be read, and nothing is counted then.
    pub perft: Option<u32>,
    /// What could not be read, and is left out.
    pub refused: Vec<CommandError>,
}

/// How the number of a field is stored.
type Store = fn(&mut Go, u64);

/// The fields that have a number.
const FIELDS: [(&str, Store); 10] = [
    ("wtime", |go, time| go.limits.clocks.white.left = Some(milliseconds(time))),
    ("btime", |go, time| go.limits.clocks.black.left = Some(milliseconds(time))),
    ("winc", |go, time| set_increment(&mut go.limits.clocks.white, milliseconds(time))),
    ("binc", |go, time| set_increment(&mut go.limits.clocks.black, milliseconds(time))),
    ("movestogo", |go, moves| go.limits.moves_to_go = Some(saturated(moves))),
    ("movetime", |go, time| go.limits.move_time = Some(milliseconds(time))),
    ("depth", |go, plies| go.limits.depth = Some(saturated(plies))),
    ("nodes", |go, nodes| go.limits.nodes = Some(nodes)),
    ("mate", |go, moves| go.limits.mate = Some(saturated(moves))),
    ("perft", |go, plies| go.perft = Some(saturated(plies))),
];

/// The time of a search whose limits could not be read.
const INSTEAD: Duration = Duration::from_millis(100);

/// The longest time in milliseconds, about thirty years: sums of times do not overflow.
const LONGEST: u64 = 1_000_000_000_000;

/// Reads the words after `go`. Moves are those of `position`.
pub(super) fn read(text: &str, position: &Position) -> Go {
    let mut go = Go::default();
    let (mut unknown, mut no_moves) = (Vec::new(), Vec::new());
    let mut words = text.split_whitespace().map(str::to_ascii_lowercase).peekable();
    while let Some(word) = words.next() {
        match &*word {
            "infinite" => go.limits.infinite = true,
            "ponder" => go.limits.ponder = true,
            "searchmoves" => {
                while let Some(word) = words.next_if(|word| !is_keyword(word)) {
                    match position.find_move(&word) {
                        Ok(m) => go.limits.search_moves.push(m),
                        Err(_) => no_moves.push(word),
                    }
                }
            }
            name => match field(name) {
                Some(store) => {
                    go.is_perft |= name == "perft";
                    let value = words.next_if(|word| !is_keyword(word)).unwrap_or_default();
                    match number(&value) {
                        Some(number) => store(&mut go, number),
                        None => go.refuse("a number after each field of `go`", format!("{name} {value}")),
                    }
                }
                None => unknown.push(word),
            },
        }
    }
    if !unknown.is_empty() {
        go.refuse("only words of the protocol after `go`", unknown.join(" "));
    }
    if !no_moves.is_empty() {
        go.refuse("legal moves after `searchmoves`", no_moves.join(" "));
    }
    go.make_sense();
    go
}

impl Go {
    fn refuse(&mut self, expected: &'static str, got: String) {
        self.refused.push(CommandError::Expected { expected, got });
    }

    /// Completes the clocks, refuses limits without meaning, and ends a search that would not end because of
    /// what was refused.
    fn make_sense(&mut self) {
        let clocks = &mut self.limits.clocks;
        // Some programs send one clock only. It counts for either side.
        if clocks.white.left.is_none() {
            clocks.white = clocks.black;
        }
        if clocks.black.left.is_none() {
            clocks.black = clocks.white;
        }
        if let (Some(moves), None) = (self.limits.moves_to_go, self.limits.clocks.white.left) {
            self.refuse("clocks beside `movestogo`", format!("movestogo {moves} alone"));
        }
        self.limits.moves_to_go = self.limits.moves_to_go.filter(|&moves| moves > 0);
        if self.limits.mate == Some(0) {
            self.limits.mate = None;
            self.refuse("a mate in one or more moves", "mate 0".to_owned());
        }
        // A search for a mate may have no end of its own.
        let ends = Limits { mate: None, ..self.limits.clone() }.is_bounded();
        if !self.refused.is_empty() && !self.limits.infinite && !ends {
            self.limits.move_time = Some(INSTEAD);
        }
    }
}

/// Sets the increment of a clock. Without another time it is the clock too, because at least that much time
/// remains.
fn set_increment(clock: &mut ClockTime, increment: Duration) {
    clock.increment = increment;
    clock.left.get_or_insert(increment);
}

fn field(word: &str) -> Option<Store> {
    FIELDS.iter().find(|(name, _)| *name == word).map(|&(_, store)| store)
}

/// Whether `word` begins another part of the command.
fn is_keyword(word: &str) -> bool {
    matches!(word, "infinite" | "ponder" | "searchmoves") || field(word).is_some()
}

/// Reads a whole number of any size, without a fraction. Large numbers saturate; negative ones are 0.
fn number(text: &str) -> Option<u64> {
    let digits = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all_digits = |part: &str| part.bytes().all(|byte| byte.is_ascii_digit());
    if whole.is_empty() || !all_digits(whole) || !all_digits(fraction) {
        return None;
    }
    Some(if text.starts_with('-') { 0 } else { whole.parse().unwrap_or(u64::MAX) })
}

fn milliseconds(number: u64) -> Duration {
    Duration::from_millis(number.min(LONGEST))
}

fn saturated(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn go(text: &str) -> Go {
        read(text, &Position::default())
    }

    #[test]
    fn numbers_saturate_and_words_are_no_numbers() {
        let cases = [
            ("0", Some(0)),
            ("-50", Some(0)),
            ("+50", Some(50)),
            ("300000.75", Some(300_000)),
            ("99999999999999999999999999", Some(u64::MAX)),
            ("-99999999999999999999999999", Some(0)),
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
    fn a_missing_clock_is_the_other_one_or_the_increment() {
        let left = |text: &str| {
            let clocks = go(text).limits.clocks;
            [clocks.white, clocks.black].map(|clock| clock.left.map(|left| left.as_millis()))
        };
        assert_eq!(left("wtime 100 winc 7"), [Some(100), Some(100)]);
        assert_eq!(left("btime 100"), [Some(100), Some(100)]);
        assert_eq!(left("winc 500"), [Some(500), Some(500)]);
        assert_eq!(left("winc 500 binc 300"), [Some(500), Some(300)]);
        assert_eq!(left("winc 5 wtime 100 btime 0"), [Some(100), Some(0)]);
        assert_eq!(left("wtime -5 winc -3"), [Some(0), Some(0)]);
        assert_eq!(left("depth 5"), [None, None]);
        assert!(
            go("wtime 99999999999999999999").limits.clocks.white.left.unwrap() < Duration::from_secs(1 << 30)
        );
    }

    #[test]
    fn a_search_whose_end_cannot_be_read_gets_one() {
        for text in [
            "depth abc",
            "depth",
            "nodes 1e6",
            "movetime x",
            "mate",
            "mate 0",
            "wtime abc btime",
            "dpeth 8",
            "searchmoves O-O",
            "searchmoves e2e5",
            "movestogo 20",
            "movestogo 0",
            "ponder depth abc",
        ] {
            assert_eq!(go(text).limits.move_time, Some(INSTEAD), "{text}");
        }
        for text in [
            "",
            "infinite",
            "infinite depth abc",
            "depth 3 nodes abc",
            "wtime abc btime 100",
            "searchmoves e2e4",
            "winc 1000",
            "winc 1000 binc 1000 movestogo 20",
            "ponder",
        ] {
            assert_eq!(go(text).limits.move_time, None, "{text}");
        }
    }

    #[test]
    fn a_missing_number_does_not_swallow_the_next_field() {
        let Go { limits, refused, .. } = go("depth wtime 100 nodes");
        assert_eq!((limits.depth, limits.nodes), (None, None));
        assert_eq!(limits.clocks.white.left, Some(milliseconds(100)));
        assert_eq!(refused.len(), 2);
    }
}
