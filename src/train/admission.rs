//! Which positions are learnt from.

use std::{fmt, ops::AddAssign};

use serde::{Deserialize, Serialize};

use crate::{
    data::Record,
    value::{Value, is_mate},
};

/// What a position must be to be learnt from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Admission {
    /// Leave out positions in check, and those whose best move is a capture or a promotion: an evaluator cannot judge
    /// them by looking.
    pub quiet: bool,
    /// The largest size of a score, in centipawns; mates are never learnt from.
    pub score_limit: Value,
    /// The first ply of a game that counts.
    pub first_ply: u16,
}

impl Default for Admission {
    fn default() -> Self {
        Self { quiet: true, score_limit: 2500, first_ply: 16 }
    }
}

/// How many positions were learnt from, and how many were not for which reason; the first reason that holds counts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Admitted {
    /// Positions learnt from.
    pub positions: u64,
    /// Too early in the game.
    pub early: u64,
    /// A mate, or too large a score.
    pub large: u64,
    /// A capture or a promotion as best move.
    pub tactical: u64,
    /// In check.
    pub checks: u64,
    /// No board that chess could be played on.
    pub unplayable: u64,
}

impl Admitted {
    /// Positions looked at.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.positions + self.early + self.large + self.tactical + self.checks + self.unplayable
    }
}

impl fmt::Display for Admitted {
    /// `5000 of 9000 positions; left out: …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { positions, early, large, tactical, checks, unplayable } = self;
        write!(f, "{positions} of {} positions; left out: {early} early, ", self.total())?;
        write!(f, "{large} of large score, {tactical} with a tactical move, {checks} in check")?;
        if *unplayable > 0 { write!(f, ", {unplayable} without kings") } else { Ok(()) }
    }
}

impl AddAssign for Admitted {
    fn add_assign(&mut self, other: Self) {
        self.positions += other.positions;
        self.early += other.early;
        self.large += other.large;
        self.tactical += other.tactical;
        self.checks += other.checks;
        self.unplayable += other.unplayable;
    }
}

impl Admission {
    /// Whether `record` is admitted, which is counted in `counts`.
    pub fn admit(&self, record: &Record, counts: &mut Admitted) -> bool {
        let score = record.score();
        let reason = if record.ply() < self.first_ply {
            &mut counts.early
        } else if is_mate(score) || score.abs() > self.score_limit {
            &mut counts.large
        } else if self.quiet && record.is_tactical() {
            &mut counts.tactical
        } else if self.quiet && record.is_check() {
            &mut counts.checks
        } else if !record.has_both_kings() {
            &mut counts.unplayable
        } else {
            counts.positions += 1;
            return true;
        };
        *reason += 1;
        false
    }
}
