//! What is counted about each player beside its results: how it spent its moves, and where it was careless.

use std::time::Duration;

use serde::{Serialize, Serializer};

use crate::tournament::players::info::Info;

/// How a player spent its moves. Sums, so that games add up; the averages are computed on demand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effort {
    /// Moves it made.
    pub moves: u64,
    /// What the referee measured for them.
    pub time: Duration,
    depth: u64,
    moves_with_depth: u64,
    nodes: u64,
    node_milliseconds: u64,
}

impl Effort {
    /// Counts one move.
    pub fn note(&mut self, used: Duration, info: Option<&Info>) {
        self.moves += 1;
        self.time += used;
        let Some(info) = info else { return };
        if let Some(depth) = info.depth {
            self.depth += u64::from(depth);
            self.moves_with_depth += 1;
        }
        // Below a millisecond an engine reports 0: no rate can be had from that.
        if let (Some(nodes), Some(time)) = (info.nodes, info.time.filter(|&time| time > 0)) {
            self.nodes = self.nodes.saturating_add(nodes);
            self.node_milliseconds = self.node_milliseconds.saturating_add(time);
        }
    }

    /// Adds another count to this one.
    pub fn add(&mut self, other: &Effort) {
        self.moves += other.moves;
        self.time += other.time;
        self.depth += other.depth;
        self.moves_with_depth += other.moves_with_depth;
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.node_milliseconds = self.node_milliseconds.saturating_add(other.node_milliseconds);
    }

    /// Plies searched per move, as reported.
    #[must_use]
    pub fn mean_depth(&self) -> Option<f64> {
        ratio(self.depth, self.moves_with_depth)
    }

    /// Nodes per second, as reported.
    #[must_use]
    pub fn nps(&self) -> Option<f64> {
        ratio(self.nodes, self.node_milliseconds).map(|per_millisecond| per_millisecond * 1000.0)
    }

    /// Seconds per move, as measured.
    #[must_use]
    pub fn mean_seconds(&self) -> Option<f64> {
        (self.moves > 0).then(|| self.time.as_secs_f64() / self.moves as f64)
    }
}

fn ratio(sum: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}

/// A breach of the protocol that costs no game but should be mended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Warning {
    /// A last principal variation with a move that is not legal.
    IllegalPv,
    /// A last principal variation that goes on after the game is over.
    OverlongPv,
    /// A last line with a score and without a principal variation, or with one that is shorter than the mate it claims.
    TruncatedPv,
    /// A `bestmove` that is not the first move of the last principal variation.
    UnlikePv,
    /// A move without a score.
    MissingScore,
    /// A `ponder` move that is not legal after the best move.
    IllegalPonder,
    /// A `bestmove` line that no `go` asked for.
    UnaskedBestmove,
    /// A line that is no UCI.
    JunkLine,
    /// An option set that the player did not announce.
    UnknownOption,
    /// A restart between games of a process that had ended or hung by itself.
    Restart,
}

impl Warning {
    /// All of them, with their names in JSON and in tables.
    const ALL: [(Warning, &'static str, &'static str); 10] = [
        (Warning::IllegalPv, "illegal_pv", "illegal pv"),
        (Warning::OverlongPv, "overlong_pv", "over-long pv"),
        (Warning::TruncatedPv, "truncated_pv", "truncated pv"),
        (Warning::UnlikePv, "unlike_pv", "best move unlike pv"),
        (Warning::MissingScore, "missing_score", "missing score"),
        (Warning::IllegalPonder, "illegal_ponder", "illegal ponder move"),
        (Warning::UnaskedBestmove, "unasked_bestmove", "unasked bestmove"),
        (Warning::JunkLine, "junk_lines", "junk line"),
        (Warning::UnknownOption, "unknown_option", "unknown option"),
        (Warning::Restart, "restarts", "restart"),
    ];

    /// A word or two for a table.
    #[must_use]
    pub fn name(self) -> &'static str {
        Warning::ALL[self as usize].2
    }
}

/// How often a player gave cause for each [`Warning`].
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Warnings([u64; Warning::ALL.len()]);

impl Warnings {
    /// Counts one more, or several.
    pub fn note(&mut self, warning: Warning, times: u64) {
        self.0[warning as usize] += times;
    }

    /// How often there was cause for this one.
    #[must_use]
    pub fn count(&self, warning: Warning) -> u64 {
        self.0[warning as usize]
    }

    /// The counts with their names for a table.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, u64)> {
        Warning::ALL.iter().map(|&(warning, ..)| (warning.name(), self.count(warning)))
    }

    /// Adds another count to this one.
    pub fn add(&mut self, other: &Warnings) {
        for (sum, count) in self.0.iter_mut().zip(other.0) {
            *sum += count;
        }
    }
}

impl Serialize for Warnings {
    /// An object with a count for every warning.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Warning::ALL.iter().map(|&(warning, key, _)| (key, self.count(warning))))
    }
}

/// What was counted about one player.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlayerTally {
    /// How it spent its moves.
    pub effort: Effort,
    /// Where it was careless.
    pub warnings: Warnings,
    /// What gave cause for the warnings, a line each.
    pub remarks: Vec<String>,
}

impl PlayerTally {
    /// Counts a warning and keeps the remark on what gave cause for it.
    pub fn warn(&mut self, warning: Warning, remark: impl Into<String>) {
        self.warnings.note(warning, 1);
        self.remarks.push(remark.into());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_warning_is_counted_under_its_own_name() {
        let mut warnings = Warnings::default();
        for (times, (place, &(warning, ..))) in (1..).zip(Warning::ALL.iter().enumerate()) {
            assert_eq!(warning as usize, place, "the list is in the order of the declaration");
            warnings.note(warning, times);
        }
        let json = serde_json::to_value(&warnings).unwrap();
        assert_eq!((&json["illegal_pv"], &json["restarts"]), (&1.into(), &10.into()));
        warnings.add(&warnings.clone());
        assert_eq!(warnings.named().last(), Some(("restart", 20)));
    }

    #[test]
    fn averages_leave_out_what_was_not_reported() {
        let mut effort = Effort::default();
        assert_eq!((effort.mean_depth(), effort.nps(), effort.mean_seconds()), (None, None, None));
        effort.note(Duration::from_millis(100), Some(&Info::parse("info depth 8 nodes 5000 time 50")));
        effort.note(Duration::from_millis(300), Some(&Info::parse("info depth 10 nodes 9 time 0")));
        effort.note(Duration::from_millis(200), None);
        let mut twice = effort.clone();
        twice.add(&effort);
        for effort in [effort, twice] {
            assert_eq!(effort.mean_depth(), Some(9.0));
            assert_eq!(effort.nps(), Some(100_000.0));
            assert!((effort.mean_seconds().unwrap() - 0.2).abs() < 1e-9);
        }
    }
}
