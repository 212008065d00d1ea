//! Counts the positions that a training uses, and those that it leaves out.

use std::{fmt, ops::AddAssign, path::PathBuf, thread};

use serde::{Deserialize, Serialize};

use super::read::{ReadError, read};
use crate::{
    chess::position::Position,
    words::counted,
    workshop::data::{Filter, Record, Refusal},
};

/// A data file, as in the provenance.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct DataFile {
    /// Its name, without folders.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// The CRC-32 of all its bytes, in hexadecimal digits.
    pub crc32: String,
    /// Its contents.
    pub counts: Accepted,
}

/// The number of positions used for training, and of those left out, each counted by its first reason.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accepted {
    /// Positions used for training.
    pub positions: u64,
    /// Too early in the game.
    pub early: u64,
    /// A mate, or too large a score.
    pub large: u64,
    /// The best move is a capture or promotion.
    pub tactical: u64,
    /// In check.
    pub checks: u64,
    /// A board that the rules do not allow.
    pub unplayable: u64,
}

impl Accepted {
    /// Counts the positions of `files` with `threads` threads.
    ///
    /// # Errors
    ///
    /// The first error while reading.
    pub fn of(
        files: &[PathBuf],
        filter: Filter,
        threads: usize,
        mut progress: impl FnMut(u64),
    ) -> Result<Self, ReadError> {
        let count = move |records: &[Record]| {
            let mut counts = Self::default();
            for record in records {
                counts.accept(filter, record);
            }
            counts
        };
        thread::scope(|scope| {
            let mut all = Self::default();
            for part in read(scope, files, threads, count)? {
                let part = part?;
                progress(part.total());
                all += part;
            }
            Ok(all)
        })
    }

    /// All positions read.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.positions + self.early + self.large + self.tactical + self.checks + self.unplayable
    }
}

impl fmt::Display for Accepted {
    /// Writes `5000 of 9000 positions; left out: …`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { positions, early, large, tactical, checks, unplayable } = self;
        write!(
            f,
            "{positions} of {}; left out: {early} early, ",
            counted(self.total(), "position", "positions")
        )?;
        write!(f, "{large} of large score, {tactical} with a tactical move, {checks} in check")?;
        if *unplayable > 0 { write!(f, ", {unplayable} unplayable") } else { Ok(()) }
    }
}

impl AddAssign for Accepted {
    fn add_assign(&mut self, other: Self) {
        self.positions += other.positions;
        self.early += other.early;
        self.large += other.large;
        self.tactical += other.tactical;
        self.checks += other.checks;
        self.unplayable += other.unplayable;
    }
}

impl Accepted {
    /// Whether `filter` accepts `record` and its board has both kings; counts the result.
    pub fn accept(&mut self, filter: Filter, record: &Record) -> bool {
        let refusal = filter.refusal(record);
        let accepted = refusal.is_none() && record.has_both_kings();
        *match refusal {
            Some(Refusal::Early) => &mut self.early,
            Some(Refusal::LargeScore) => &mut self.large,
            Some(Refusal::Tactical) => &mut self.tactical,
            Some(Refusal::Check) => &mut self.checks,
            None if accepted => &mut self.positions,
            None => &mut self.unplayable,
        } += 1;
        accepted
    }

    /// Like [`accept`](Self::accept), but returns the position of `record`. It is unplayable also if the
    /// rules do not allow it: all evaluators then judge the same positions, although only some need the whole
    /// position.
    pub fn accept_position(&mut self, filter: Filter, record: &Record) -> Option<Position> {
        if !self.accept(filter, record) {
            return None;
        }
        let position = record.position().ok();
        if position.is_none() {
            self.positions -= 1;
            self.unplayable += 1;
        }
        position
    }
}
