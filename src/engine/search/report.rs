//! The reports of a search to its observer.

use std::{fmt::Display, time::Duration};

use shakmaty::Move;

use crate::{
    chess::{
        notation::pawns,
        value::{Score, Value},
    },
    engine::{tt::Bound, wdl::Chances},
};

/// The state of one line at the end of an iteration, or during one if its value is outside the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The iteration, in plies; 0 only for a root without legal moves.
    pub depth: u32,
    /// The longest line searched, in plies from the root; 0 if no search has reached this line, and its value
    /// is only the evaluation of the root.
    pub seldepth: u32,
    /// The rank of this line among those reported, from 1.
    pub multi_pv: usize,
    /// The value of the line from the perspective of the side to move at the root.
    pub value: Value,
    /// Whether `value` is exact or a bound.
    pub bound: Bound,
    /// Whether the line is known to draw against the best play of both sides: by the material and the squares
    /// of the root, or by the endgame tables.
    pub is_known_draw: bool,
    /// Nodes visited so far by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the transposition table is, in per mille.
    pub hashfull: u32,
    /// Positions found in the endgame tables.
    pub tb_hits: u64,
    /// The principal variation, legal move by move; empty only for a root without legal moves.
    pub pv: Vec<Move>,
}

impl Report {
    /// Returns the exact line `pv` with the value `value`, searched `depth` plies: the first one, without the
    /// totals of a search.
    pub(crate) fn new(depth: u32, value: Value, pv: Vec<Move>) -> Self {
        Self {
            depth,
            seldepth: depth,
            multi_pv: 1,
            value,
            bound: Bound::Exact,
            is_known_draw: false,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            tb_hits: 0,
            pv,
        }
    }

    /// The value in pawns, with a sign before it if it is a bound: "≥ +0.30".
    #[must_use]
    pub fn pawns(&self) -> String {
        format!("{}{}", self.bound.sign(), pawns(self.value))
    }

    /// The value as users and protocols see it.
    #[must_use]
    pub fn score(&self) -> Score {
        Score::from(self.value)
    }

    /// The chances of the side to move at the root, with `material` on its board, in pawns
    /// ([`wdl::material`](crate::engine::wdl::material)).
    #[must_use]
    pub fn chances(&self, material: u32) -> Chances {
        if self.is_known_draw { Chances::DRAWN } else { Chances::of(self.value, material) }
    }

    /// Nodes per second so far.
    #[must_use]
    pub fn nps(&self) -> u64 {
        let nanos = self.time.as_nanos().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000_000 / nanos).unwrap_or(u64::MAX)
    }
}

/// The result of a search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play; `None` only if the root has no legal move (or none that the limits allow).
    pub best: Option<Move>,
    /// The expected reply, for pondering.
    pub ponder: Option<Move>,
    /// The final lines, best first: one, or as many as requested with multi-PV. If the search ended in the
    /// middle of an iteration, the value of the first line may be a bound, and later lines may come from the
    /// iteration before.
    pub lines: Vec<Report>,
    /// Nodes visited by all threads.
    pub nodes: u64,
}

impl Outcome {
    /// The value of the best line from the perspective of the side to move; 0 if there is none.
    #[must_use]
    pub fn value(&self) -> Value {
        self.lines.first().map_or(0, |line| line.value)
    }

    /// Whether the best line mates in at most `moves` moves.
    #[must_use]
    pub fn mates_in(&self, moves: u32) -> bool {
        matches!(Score::from(self.value()), Score::Mate(found) if found > 0 && found as u32 <= moves)
    }
}

/// Receives the reports of a search. All calls come from the thread that has called it and leads it, also
/// those with the final lines if another thread has found the first of them.
pub trait Observer {
    /// A line is complete for this iteration, or its value is outside the window ([`Report::bound`]). The
    /// final lines are reported once more, unless the last report of the first one already says the same.
    fn iteration(&mut self, report: &Report);

    /// The search begins root move `m`, number `number` (from 1) of the iteration. Called only after
    /// [`CURRENT_MOVE_DELAY`].
    fn current_move(&mut self, m: Move, number: usize) {
        let _ = (m, number);
    }

    /// Something failed; the search continues as well as possible.
    fn problem(&mut self, problem: &dyn Display) {
        let _ = problem;
    }
}

/// The time after which a search begins to report its current root move.
pub const CURRENT_MOVE_DELAY: Duration = Duration::from_secs(3);

/// An observer that ignores all reports.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn iteration(&mut self, _: &Report) {}
}
