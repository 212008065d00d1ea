//! The last scored `info` line before a player's `bestmove`, parsed.

use std::str::SplitWhitespace;

use crate::chess::value::Score;

/// The names of the fields of an `info` line, which may follow each other in any order.
const FIELDS: &str = "depth seldepth time nodes pv multipv score currmove currmovenumber hashfull nps tbhits cpuload \
                      string refutation currline";

/// The fields of an `info` line that the referee uses; missing ones are `None` or empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Info {
    /// The score from the player's perspective.
    pub score: Option<Score>,
    /// Whether the score is only a bound (`lowerbound`, `upperbound`).
    pub is_bound: bool,
    /// Depth in plies.
    pub depth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Search time in milliseconds, as the player reports it.
    pub time: Option<u64>,
    /// The principal variation, in UCI notation.
    pub pv: Vec<String>,
}

impl Info {
    /// Parses a line that begins with `info`. Unknown and malformed fields are skipped, as UCI requires.
    ///
    /// ```
    /// use zugwerk::{arena::players::info::Info, chess::value::Score};
    /// let info = Info::parse("info depth 7 score cp -31 upperbound nodes 99 pv e2e4 e7e5");
    /// assert_eq!((info.score, info.depth, info.pv.len()), (Some(Score::Cp(-31)), Some(7), 2));
    /// ```
    #[must_use]
    pub fn parse(line: &str) -> Self {
        let mut info = Info::default();
        let mut words = line.split_whitespace();
        while let Some(word) = words.next() {
            match word {
                "depth" => info.depth = number(&mut words),
                "nodes" => info.nodes = number(&mut words),
                "time" => info.time = number(&mut words),
                "score" => info.score = score(&mut words),
                "lowerbound" | "upperbound" => info.is_bound = true,
                "pv" => info.pv = moves(&mut words),
                // Free text up to the end of the line.
                "string" => break,
                _ => {}
            }
        }
        info
    }
}

fn number<T: std::str::FromStr>(words: &mut SplitWhitespace<'_>) -> Option<T> {
    words.next()?.parse().ok()
}

/// Returns the words up to the next field.
fn moves(words: &mut SplitWhitespace<'_>) -> Vec<String> {
    let mut moves = Vec::new();
    let is_move = |word: &&str| FIELDS.split(' ').all(|field| field != *word);
    while let Some(word) = words.clone().next().filter(is_move) {
        moves.push(word.to_owned());
        words.next();
    }
    moves
}

fn score(words: &mut SplitWhitespace<'_>) -> Option<Score> {
    match words.next()? {
        "cp" => number(words).map(Score::Cp),
        "mate" => number(words).map(Score::Mate),
        _ => None,
    }
}

/// Whether an `info` line has a score of the best line, so that [`Info::parse`] should get it. It is called
/// for every line of an engine, and allocates nothing.
#[must_use]
pub fn is_scored(line: &str) -> bool {
    // Free text up to the end of the line.
    let mut words = line.split_whitespace().take_while(|&word| word != "string");
    let (mut has_score, mut is_best) = (false, true);
    while let Some(word) = words.next() {
        match word {
            "score" => has_score = true,
            "multipv" => is_best = words.next() == Some("1"),
            _ => {}
        }
    }
    has_score && is_best
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_field_is_read_wherever_it_stands() {
        let line = "info depth 12 seldepth 20 multipv 1 score mate -2 nodes 123456 nps 1 hashfull 17 time 123 pv e2e4 e7e5";
        let info = Info::parse(line);
        assert_eq!(info.score, Some(Score::Mate(-2)));
        assert_eq!((info.depth, info.nodes, info.time), (Some(12), Some(123_456), Some(123)));
        assert_eq!(info.pv, ["e2e4", "e7e5"]);
        assert!(!info.is_bound);
        assert!(Info::parse("info score cp 3 lowerbound").is_bound);
        let line = "info pv e2e4 e7e5 multipv 1 score cp -12 depth 7 pv d2d4 d7d5 time 5 string pv none";
        let info = Info::parse(line);
        assert_eq!((info.score, info.depth, info.time), (Some(Score::Cp(-12)), Some(7), Some(5)));
        assert_eq!(info.pv, ["d2d4", "d7d5"]);
    }

    #[test]
    fn rubbish_is_passed_over() {
        let info = Info::parse("info depth x score cp nodes -5 time");
        assert_eq!(info, Info::default());
        let info = Info::parse("info string score cp 5 depth 9");
        assert_eq!(info, Info::default());
        assert_eq!(Info::parse("info score cp 99999999999999 depth 3").depth, Some(3));
    }

    #[test]
    fn only_the_best_line_counts() {
        assert!(is_scored("info depth 1 score cp 3 pv e2e4"));
        assert!(is_scored("info depth 1 multipv 1 score cp 3"));
        assert!(is_scored("info\tdepth 1  multipv  1\tscore  cp 3"));
        assert!(!is_scored("info depth 1 multipv  2 score cp 3"));
        assert!(!is_scored("info depth 1 multipv 10 score cp 3"));
        assert!(is_scored("info depth 1 score cp 3 multipv 1"));
        assert!(!is_scored("info depth 1 score cp 3 multipv 11"));
        assert!(is_scored("info depth 1 score cp 3 multipv 1 string the last field"));
        assert!(!is_scored("info currmove e2e4 currmovenumber 1"));
        assert!(!is_scored("info string final score is 33"));
        assert!(is_scored("info depth 1 score cp 3 string multipv 2 has another"));
        assert!(is_scored("info depth 1 multipv 1 score cp 3 string not a multipv 2"));
    }
}
