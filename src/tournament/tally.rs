//! What is counted about each player beside its results: how it spent its moves, and where it was careless.

use std::time::Duration;

use serde::Serialize;

use super::info::Info;

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

/// Breaches of the protocol that cost no game but should be mended. All are counts.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Warnings {
    /// Last principal variations with a move that is not legal.
    pub illegal_pv: u64,
    /// Last principal variations that go on after the game is over.
    pub overlong_pv: u64,
    /// Moves without a score.
    pub missing_score: u64,
    /// `bestmove` lines that no `go` asked for.
    pub unasked_bestmove: u64,
    /// Lines that are no UCI.
    pub junk_lines: u64,
    /// Options set that the player did not announce.
    pub unknown_option: u64,
    /// Restarts between games of a process that had ended or hung by itself.
    pub restarts: u64,
}

impl Warnings {
    /// The counts with their names for a table.
    #[must_use]
    pub fn named(&self) -> [(&'static str, u64); 7] {
        [
            ("illegal pv", self.illegal_pv),
            ("over-long pv", self.overlong_pv),
            ("missing score", self.missing_score),
            ("unasked bestmove", self.unasked_bestmove),
            ("junk line", self.junk_lines),
            ("unknown option", self.unknown_option),
            ("restart", self.restarts),
        ]
    }

    /// Adds another count to this one.
    pub fn add(&mut self, other: &Warnings) {
        self.illegal_pv += other.illegal_pv;
        self.overlong_pv += other.overlong_pv;
        self.missing_score += other.missing_score;
        self.unasked_bestmove += other.unasked_bestmove;
        self.junk_lines += other.junk_lines;
        self.unknown_option += other.unknown_option;
        self.restarts += other.restarts;
    }
}

/// Both counts of one player.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// How it spent its moves.
    pub effort: Effort,
    /// Where it was careless.
    pub warnings: Warnings,
}

#[cfg(test)]
mod tests {
    use super::*;

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
