//! The tallies of each player besides its results: effort and protocol warnings.

use std::{collections::BTreeMap, time::Duration};

use serde::{Serialize, Serializer};

use crate::{arena::players::info::Info, chess::value::Score};

/// The effort of a player. Stored as sums and counts, so that games can be added; averages are computed on
/// demand.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Effort {
    /// Number of moves.
    pub moves: u64,
    /// Their measured time.
    pub time: Duration,
    /// The number of moves by depth in plies, without those whose score is decided.
    depths: BTreeMap<u32, u64>,
    nodes: u64,
    node_milliseconds: u64,
}

impl Effort {
    /// Counts one move, with its last scored report.
    pub fn note(&mut self, used: Duration, info: &Info) {
        self.moves += 1;
        self.time += used;
        if let Some(depth) = info.depth.filter(|_| !info.score.is_some_and(is_decided)) {
            *self.depths.entry(depth).or_default() += 1;
        }
        // Below a millisecond an engine reports 0, which gives no speed.
        if let (Some(nodes), Some(time)) = (info.nodes, info.time.filter(|&time| time > 0)) {
            self.nodes = self.nodes.saturating_add(nodes);
            self.node_milliseconds = self.node_milliseconds.saturating_add(time);
        }
    }

    /// Adds another tally to this one.
    pub fn add(&mut self, other: &Effort) {
        self.moves += other.moves;
        self.time += other.time;
        for (&depth, &moves) in &other.depths {
            *self.depths.entry(depth).or_default() += moves;
        }
        self.nodes = self.nodes.saturating_add(other.nodes);
        self.node_milliseconds = self.node_milliseconds.saturating_add(other.node_milliseconds);
    }

    /// The median of the plies searched, as reported. Moves with a mate, or with a value as large as that of
    /// a win by endgame tables, do not count: with little left to search, engines report any depth then.
    #[must_use]
    pub fn median_depth(&self) -> Option<u32> {
        let middle = self.depths.values().sum::<u64>().div_ceil(2);
        let mut below = 0;
        self.depths.iter().find_map(|(&depth, &moves)| {
            below += moves;
            (below >= middle).then_some(depth)
        })
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

/// Whether the score is a mate, or beyond all that engines say of a position without endgame tables.
fn is_decided(score: Score) -> bool {
    const BY_TABLES: i32 = 10_000;
    match score {
        Score::Mate(_) => true,
        Score::Cp(value) => value.abs() >= BY_TABLES,
    }
}

fn ratio(sum: u64, count: u64) -> Option<f64> {
    (count > 0).then(|| sum as f64 / count as f64)
}

/// A breach of the protocol that does not lose the game but should be fixed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Warning {
    /// The last principal variation contains an illegal move.
    IllegalPv,
    /// The last principal variation continues after the end of the game.
    OverlongPv,
    /// The last scored line has no principal variation, or one shorter than the mate it claims.
    TruncatedPv,
    /// The `bestmove` is legal, but UCI writes it otherwise in this game: `e1h1` for `e1g1`, `e7e8Q`, `O-O`.
    OtherNotation,
    /// The `bestmove` is not the first move of the last principal variation.
    UnlikePv,
    /// There was no score for a move.
    MissingScore,
    /// The `ponder` move is illegal after the best move.
    IllegalPonder,
    /// A `bestmove` line without a `go`, or before `ponderhit` or `stop`.
    UnaskedBestmove,
    /// A line that is not UCI.
    JunkLine,
    /// The player does not announce an option that was set, or refuses its value.
    RefusedSetting,
    /// A process that ended or hung between games was restarted.
    Restart,
}

impl Warning {
    /// All warnings, with their names in JSON and in tables.
    const ALL: [(Warning, &'static str, &'static str); 11] = [
        (Warning::IllegalPv, "illegal_pv", "illegal pv"),
        (Warning::OverlongPv, "overlong_pv", "over-long pv"),
        (Warning::TruncatedPv, "truncated_pv", "truncated pv"),
        (Warning::OtherNotation, "other_notation", "best move in another notation"),
        (Warning::UnlikePv, "unlike_pv", "best move unlike pv"),
        (Warning::MissingScore, "missing_score", "missing score"),
        (Warning::IllegalPonder, "illegal_ponder", "illegal ponder move"),
        (Warning::UnaskedBestmove, "unasked_bestmove", "unasked bestmove"),
        (Warning::JunkLine, "junk_lines", "junk line"),
        (Warning::RefusedSetting, "refused_setting", "refused setting"),
        (Warning::Restart, "restarts", "restart"),
    ];

    /// Its name in a table.
    #[must_use]
    pub fn name(self) -> &'static str {
        Warning::ALL[self as usize].2
    }
}

/// The number of warnings by kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Warnings([u64; Warning::ALL.len()]);

impl Warnings {
    /// Adds `times` warnings.
    pub fn note(&mut self, warning: Warning, times: u64) {
        self.0[warning as usize] += times;
    }

    /// The number of these warnings.
    #[must_use]
    pub fn count(&self, warning: Warning) -> u64 {
        self.0[warning as usize]
    }

    /// The counts with their names in a table.
    pub fn named(&self) -> impl Iterator<Item = (&'static str, u64)> {
        Warning::ALL.iter().map(|&(warning, ..)| (warning.name(), self.count(warning)))
    }

    /// Adds another tally to this one.
    pub fn add(&mut self, other: &Warnings) {
        for (sum, count) in self.0.iter_mut().zip(other.0) {
            *sum += count;
        }
    }
}

impl Serialize for Warnings {
    /// Serialises an object with a count for every warning.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(Warning::ALL.iter().map(|&(warning, key, _)| (key, self.count(warning))))
    }
}

/// The number of remarks in a tally: an engine that writes without pause must not fill the memory.
const MOST_REMARKS: usize = 100;

/// The tally of one player.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PlayerTally {
    /// Its effort.
    pub effort: Effort,
    /// Its protocol warnings.
    pub warnings: Warnings,
    /// The causes of the first warnings, and what the player has said of its settings, one per line.
    pub remarks: Vec<String>,
}

impl PlayerTally {
    /// Counts a warning, with a remark on its cause.
    pub fn warn(&mut self, warning: Warning, remark: impl Into<String>) {
        self.warn_times(warning, 1, remark);
    }

    /// Counts `times` warnings, with one remark on their cause.
    pub fn warn_times(&mut self, warning: Warning, times: u64, remark: impl Into<String>) {
        self.warnings.note(warning, times);
        self.remark_all([remark.into()]);
    }

    /// Notes what is no breach of the protocol.
    pub fn remark_all(&mut self, remarks: impl IntoIterator<Item = String>) {
        let room = MOST_REMARKS.saturating_sub(self.remarks.len());
        self.remarks.extend(remarks.into_iter().take(room));
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
        assert_eq!((&json["illegal_pv"], &json["restarts"]), (&1.into(), &11.into()));
        warnings.add(&warnings.clone());
        assert_eq!(warnings.named().last(), Some(("restart", 22)));
    }

    #[test]
    fn every_warning_is_counted_and_the_first_are_remarked() {
        let mut tally = PlayerTally::default();
        for number in 0..10_000 {
            tally.warn(Warning::UnaskedBestmove, number.to_string());
        }
        assert_eq!(tally.warnings.count(Warning::UnaskedBestmove), 10_000);
        assert_eq!(tally.remarks.len(), 100);
        assert_eq!(tally.remarks[99], "99");
    }

    #[test]
    fn averages_leave_out_what_was_not_reported() {
        let mut effort = Effort::default();
        assert_eq!((effort.median_depth(), effort.nps(), effort.mean_seconds()), (None, None, None));
        effort.note(Duration::from_millis(100), &Info::parse("info depth 8 nodes 5000 time 50"));
        effort.note(Duration::from_millis(300), &Info::parse("info depth 10 nodes 9 time 0"));
        effort.note(Duration::from_millis(200), &Info::default());
        for decided in ["info depth 240 score mate 3", "info depth 120 score cp -20000"] {
            effort.note(Duration::from_millis(200), &Info::parse(decided));
        }
        effort.note(Duration::from_millis(200), &Info::parse("info depth 11 score cp 9999"));
        let mut twice = effort.clone();
        twice.add(&effort);
        for effort in [effort, twice] {
            assert_eq!(effort.median_depth(), Some(10));
            assert_eq!(effort.nps(), Some(100_000.0));
            assert!((effort.mean_seconds().unwrap() - 0.2).abs() < 1e-9);
        }
    }
}
