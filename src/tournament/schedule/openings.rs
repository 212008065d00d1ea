//! Openings: starting positions from EPD, from PGN, or built in; in the order of the file or shuffled by a seed.

use std::fs;
use std::path::Path;

use crate::epd;
use crate::position::chess960;
use crate::text::{self, entries};
use crate::tournament::checksum::checksum;
use crate::tournament::line::{Line, StartError};
use crate::tournament::replay::{PgnError, read_games};

/// The built-in set, Zugwerk's own: random walks of four to six plies from the starting position. Each ply was chosen
/// among the moves that Stockfish 15.1 at depth 7 held within 0.70 (first two plies) or 0.35 pawns (later) of its best.
/// A walk was kept if depth 15 evaluated its end within 0.40 pawns of even, no kept walk had that end, and fewer than
/// ten began with the same two plies. (The file has no comments, so that other match tools can read it too.)
const BUILT_IN: &str = include_str!("../../../positions/openings.epd");

/// Openings, in the order in which pairs of games use them.
#[derive(Debug, Clone)]
pub struct Openings {
    lines: Vec<Line>,
}

/// The reason why openings cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum OpeningsError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The extension of its name is unknown.
    #[error("expected a file named .epd, .fen, .txt or .pgn")]
    Format,
    /// A line of an EPD file is not a valid start.
    #[error("line {line}: {reason}")]
    Epd {
        /// Its number, from 1.
        line: usize,
        /// The error.
        reason: StartError,
    },
    /// A game of a PGN file is invalid.
    #[error(transparent)]
    Pgn(#[from] PgnError),
    /// The file has no openings.
    #[error("no openings in it")]
    Empty,
}

/// Options for reading an openings file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Reading {
    /// Treats every opening as Chess960, not only those whose castling rights need it.
    pub chess960: bool,
    /// The number of plies to play of each PGN game.
    pub plies: usize,
}

impl Default for Reading {
    fn default() -> Self {
        Reading { chess960: false, plies: usize::MAX }
    }
}

impl Openings {
    /// The built-in openings.
    ///
    /// ```
    /// let openings = zugwerk::tournament::schedule::openings::Openings::built_in();
    /// assert!(openings.len() >= 200);
    /// ```
    #[must_use]
    pub fn built_in() -> Self {
        Openings::from_epd(BUILT_IN, Reading::default()).expect("a test reads the built-in set")
    }

    /// The 960 starting positions of Chess960.
    ///
    /// ```
    /// let openings = zugwerk::tournament::schedule::openings::Openings::chess960();
    /// assert_eq!(openings.len(), 960);
    /// let usual = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w HAha - 0 1";
    /// assert_eq!(openings.of_round(518).start_fen().as_deref(), Some(usual));
    /// ```
    #[must_use]
    pub fn chess960() -> Self {
        let starts = (0..960).map(|number| chess960(number, number).chess().clone());
        let lines = starts.map(|start| Line::new(start, true));
        Openings { lines: lines.collect() }
    }

    /// Reads a file; the extension of its name determines the format.
    ///
    /// # Errors
    /// [`OpeningsError`]; one invalid opening refuses the whole file.
    pub fn read(path: &Path, how: Reading) -> Result<Self, OpeningsError> {
        let extension = path.extension().unwrap_or_default().to_string_lossy();
        match extension.to_ascii_lowercase().as_str() {
            "epd" | "fen" | "txt" => Openings::from_epd(&text::read(path)?, how),
            "pgn" => {
                let games = read_games(fs::File::open(path)?, how.plies, how.chess960)?;
                // A game that is over after its moves is not an opening.
                let lines = games.into_iter().map(|(_, line)| line);
                Openings::of(lines.filter(|line| line.end().is_none()).collect())
            }
            _ => Err(OpeningsError::Format),
        }
    }

    /// Reads EPD or FEN lines; blank lines and lines that begin with `#` are skipped.
    ///
    /// # Errors
    /// [`OpeningsError::Epd`] at the first invalid line, [`OpeningsError::Empty`] without any.
    pub fn from_epd(text: &str, how: Reading) -> Result<Self, OpeningsError> {
        let lines = entries(text).map(|(line, record)| {
            let fen = epd::fen(record).unwrap_or_else(|_| record.to_owned());
            Line::from_fen(&fen, how.chess960).map_err(|reason| OpeningsError::Epd { line, reason })
        });
        Openings::of(lines.collect::<Result<_, _>>()?)
    }

    fn of(lines: Vec<Line>) -> Result<Self, OpeningsError> {
        if lines.is_empty() { Err(OpeningsError::Empty) } else { Ok(Openings { lines }) }
    }

    /// Shuffles them by a seed: the same seed always gives the same order.
    ///
    /// Fisher and Yates's shuffle with SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators",
    /// 2014). Implemented here because a resumed match needs the same order with every later version of a library.
    #[must_use]
    pub fn shuffled(mut self, seed: u64) -> Self {
        let mut state = seed;
        let mut next = || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut z = state;
            z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            z ^ (z >> 31)
        };
        for last in (1..self.lines.len()).rev() {
            // The bias of the modulo is below last / 2^64.
            let pick = (next() % (last as u64 + 1)) as usize;
            self.lines.swap(last, pick);
        }
        self
    }

    /// Puts the first `count`, modulo their number, behind the others.
    #[must_use]
    pub fn skipping(mut self, count: usize) -> Self {
        let count = count % self.lines.len();
        self.lines.rotate_left(count);
        self
    }

    /// The number of openings; never 0.
    #[expect(clippy::len_without_is_empty, reason = "never empty")]
    #[must_use]
    pub fn len(&self) -> usize {
        self.lines.len()
    }

    /// A checksum of these openings in this order.
    #[must_use]
    pub fn checksum(&self) -> String {
        let commands: Vec<String> = self.lines.iter().map(Line::command).collect();
        checksum(commands.join("\n").as_bytes())
    }

    /// The opening of round `round`, from 0; they are reused cyclically.
    #[must_use]
    pub fn of_round(&self, round: usize) -> &Line {
        &self.lines[round % self.lines.len()]
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn the_built_in_sets_are_sound() {
        for (openings, chess960) in [(Openings::built_in(), false), (Openings::chess960(), true)] {
            let starts: HashSet<_> = openings.lines.iter().filter_map(Line::start_fen).collect();
            assert_eq!(starts.len(), openings.len(), "each has a FEN, and none stands there twice");
            assert!(openings.lines.iter().all(|line| line.is_chess960() == chess960));
        }
    }

    #[test]
    fn a_bad_line_is_named() {
        let text = "# head\n\n4k3/8/8/8/8/8/4P3/4K3 w - -\nnonsense\n";
        let error = Openings::from_epd(text, Reading::default()).unwrap_err();
        assert!(error.to_string().starts_with("line 4: not a FEN"), "{error}");
        let error = Openings::from_epd("# nothing", Reading::default()).unwrap_err();
        assert_eq!(error.to_string(), "no openings in it");
    }

    #[test]
    fn a_seed_gives_one_order_with_everything_in_it() {
        let shuffled = |seed| -> Vec<_> {
            Openings::chess960().shuffled(seed).lines.iter().map(Line::start_fen).collect()
        };
        assert_eq!(shuffled(7), shuffled(7));
        assert_ne!(shuffled(7), shuffled(8));
        assert_eq!(shuffled(7).into_iter().collect::<HashSet<_>>().len(), 960);
    }

    #[test]
    fn openings_come_round_again() {
        let openings = Openings::built_in().skipping(1);
        let fen = |round| openings.of_round(round).start_fen();
        assert_eq!(fen(0), fen(openings.len()));
        assert_eq!(fen(0), Openings::built_in().of_round(1).start_fen());
    }
}
