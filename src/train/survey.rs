//! What is in the files that a network is to learn from, before the first step: a damaged file, or one in the order of
//! its games, is better found now than after hours.

use std::{fs::File, io, path::PathBuf};

use serde::{Deserialize, Serialize};

use super::{
    admitted::Admitted,
    stream::{FileError, Stream},
};
use crate::data::{Filter, Record};

/// Records in which half of the neighbours were one or two plies apart were written game by game.
const SEQUENCE_SHARE: f64 = 0.1;

/// What a file or several hold.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Survey {
    /// What is learnt from, and what is not.
    pub counts: Admitted,
    /// Neighbours that look like successive positions of one game.
    successive: u64,
}

impl Survey {
    /// Reads `files` in so many threads.
    ///
    /// # Errors
    ///
    /// The first one in reading.
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

    /// Whether the records are in the order of their games. A network that learns from games one by one learns little
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

/// The CRC-32 of a file, for provenance.
///
/// # Errors
///
/// Those of reading.
pub fn checksum(path: &PathBuf) -> io::Result<u32> {
    struct Sum(crc32fast::Hasher);
    impl io::Write for Sum {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.update(bytes);
            Ok(bytes.len())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }
    let mut sum = Sum(crc32fast::Hasher::new());
    io::copy(&mut io::BufReader::with_capacity(1 << 20, File::open(path)?), &mut sum)?;
    Ok(sum.0.finalize())
}
