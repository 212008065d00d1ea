//! What a search tells whoever listens.

use std::{fmt::Display, time::Duration};

use shakmaty::Move;

use crate::{
    tt::Bound,
    value::{Score, Value},
};

/// The state of one line at the end of an iteration, or within one when its value left the window.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Report {
    /// The iteration, in plies; 0 only for a root without legal moves.
    pub depth: u32,
    /// The longest line looked at, in plies from the root.
    pub seldepth: u32,
    /// The rank of this line among those reported, from 1.
    pub multi_pv: usize,
    /// The value of the line from the view of the side to move at the root.
    pub value: Value,
    /// How `value` is to be read.
    pub bound: Bound,
    /// Nodes visited so far by all threads.
    pub nodes: u64,
    /// Time since the search began.
    pub time: Duration,
    /// How full the transposition table is, in permill.
    pub hashfull: u32,
    /// Tablebase positions looked up.
    pub tb_hits: u64,
    /// The principal variation, legal move by move; empty only for a root without legal moves.
    pub pv: Vec<Move>,
}

impl Report {
    /// The value as the outside world writes it.
    #[must_use]
    pub fn score(&self) -> Score {
        Score::from(self.value)
    }

    /// Nodes per second so far.
    #[must_use]
    pub fn nps(&self) -> u64 {
        let nanos = self.time.as_nanos().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000_000 / nanos).unwrap_or(u64::MAX)
    }
}

/// What a search found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// The move to play; `None` only when the root has no legal move (or none that the limits allow).
    pub best: Option<Move>,
    /// The reply to think about on the opponent's time.
    pub ponder: Option<Move>,
    /// The lines to play by, best first: one, or as many as were asked for with multi-PV. Where the search was ended in the
    /// middle of an iteration, the first is what was reported last, and later ones may come from the iteration before.
    pub lines: Vec<Report>,
    /// Nodes visited by all threads.
    pub nodes: u64,
}

impl Outcome {
    /// The value of the best line from the view of the side to move; 0 when there is none.
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

/// Listens to a search. All calls come from the thread that leads the search while it runs. Before and after, the caller's thread
/// tells of problems, and at the end of the line that is played if another thread has found it.
pub trait Observer {
    /// A line is complete for this iteration, or its value was found to lie outside the window ([`Report::bound`]). A search
    /// that is ended in the middle of an iteration tells its best line once more, as if its value were exact.
    fn iteration(&mut self, report: &Report);

    /// The search turns to root move `m`, the `number`-th of iteration `depth`, from 1. Called only after
    /// [`CURRENT_MOVE_DELAY`].
    fn current_move(&mut self, depth: u32, m: Move, number: usize) {
        let _ = (depth, m, number);
    }

    /// Something did not go as asked; the search goes on as well as it can.
    fn problem(&mut self, problem: &dyn Display) {
        let _ = problem;
    }
}

/// How long a search runs before it names the root move it is looking at.
pub const CURRENT_MOVE_DELAY: Duration = Duration::from_secs(3);

/// An observer that listens to nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn iteration(&mut self, _: &Report) {}
}
