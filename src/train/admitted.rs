//! How many positions are learnt from, and why the others are not.

use std::{fmt, ops::AddAssign};

use serde::{Deserialize, Serialize};

use crate::data::{Filter, Record, Refusal};

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

impl Admitted {
    /// Whether `filter` admits `record` and chess can be played on its board, which is counted.
    pub fn admit(&mut self, filter: Filter, record: &Record) -> bool {
        let refusal = filter.refusal(record);
        let admitted = refusal.is_none() && record.has_both_kings();
        *match refusal {
            Some(Refusal::Early) => &mut self.early,
            Some(Refusal::LargeScore) => &mut self.large,
            Some(Refusal::Tactical) => &mut self.tactical,
            Some(Refusal::Check) => &mut self.checks,
            None if admitted => &mut self.positions,
            None => &mut self.unplayable,
        } += 1;
        admitted
    }
}
