//! Examines the training files before the first step, so that a damaged or unshuffled file is found at once and not
//! after hours.

use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use super::{
    admitted::Admitted,
    stream::{FileError, Stream},
};
use crate::data::{Filter, Record};

/// If more than this share of neighbouring records are one or two plies apart, they were written game by game. Game by
/// game, half of them are.
const SEQUENCE_SHARE: f64 = 0.1;

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
    pub counts: Admitted,
}

/// The contents of one or several files.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Survey {
    /// The positions used and left out.
    pub counts: Admitted,
    /// Neighbours that look like successive positions of one game.
    successive: u64,
}

impl Survey {
    /// Reads `files` with `threads` threads.
    ///
    /// # Errors
    ///
    /// The first error while reading.
    pub fn of(
        files: &[PathBuf],
        filter: Filter,
        threads: usize,
        mut progress: impl FnMut(u64),
    ) -> Result<Self, FileError> {
        let mut all = Self::default();
        for part in Stream::new(files, None, threads, move |records| Self::count(records, filter)) {
            let part = part?;
            progress(part.counts.total());
            all.counts += part.counts;
            all.successive += part.successive;
        }
        Ok(all)
    }

    fn count(records: &[Record], filter: Filter) -> Self {
        let mut counts = Admitted::default();
        for record in records {
            counts.admit(filter, record);
        }
        let successive = records.windows(2).filter(|pair| follows(&pair[0], &pair[1])).count() as u64;
        Self { counts, successive }
    }

    /// Whether the records are in the order of their games. A network that is trained game by game learns little
    /// (`docs/training.md`).
    #[must_use]
    pub fn is_in_order_of_games(&self) -> bool {
        self.successive as f64 > SEQUENCE_SHARE * self.counts.total() as f64
    }
}

/// Whether `second` looks like a position of the same game, one or two plies after `first`.
fn follows(first: &Record, second: &Record) -> bool {
    let changed = first.pieces().filter(|placed| !second.pieces().any(|other| other == *placed)).count();
    (1..=2).contains(&second.ply().saturating_sub(first.ply()))
        && first.result() == second.result()
        && changed <= 4
}
