//! The transposition table of a searcher, including changes of its size.
//!
//! A new size is only recorded; the table is made when the next search needs it or when there is time for it. The old
//! one is freed first, so that a table may use more than half of the memory. Returning many pages to the system can
//! take long enough to miss a deadline. Therefore a separate thread does it, and the searcher waits for it no longer
//! than it may.

use std::{
    fmt, mem,
    thread::{self, JoinHandle},
    time::Duration,
};

use crate::tt::{OutOfMemory, Table};

/// Tables smaller than this, in MiB, are freed quickly.
const SLOW_TO_FREE: usize = 32;

/// There is not enough memory for the requested table.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Refused {
    /// The requested size.
    pub refusal: OutOfMemory,
    /// The size of the table that is used instead, in MiB; 0 for the smallest.
    pub left: usize,
}

impl fmt::Display for Refused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}; ", self.refusal)?;
        match self.left {
            0 => f.write_str("the smallest one is used"),
            left => write!(f, "it stays at {left} MiB and is now empty"),
        }
    }
}

/// A table, and its requested size.
#[derive(Debug)]
pub(super) struct Hash {
    pub(super) table: Table,
    /// The requested size, in MiB, until that table is made.
    wanted: Option<usize>,
    /// The size of the previous table, in MiB. Before the first one it is the size requested first.
    earlier: usize,
    freeing: Option<JoinHandle<()>>,
}

impl Hash {
    /// Returns a table of `mebibytes` MiB, which [`make`](Self::make) allocates.
    pub(super) fn new(mebibytes: usize) -> Self {
        Self { table: Table::default(), wanted: Some(mebibytes), earlier: mebibytes, freeing: None }
    }

    /// Requests another size, in MiB. The entries are lost when the new table is made.
    pub(super) fn resize(&mut self, mebibytes: usize) {
        self.wanted = Some(mebibytes);
    }

    /// Makes the table of the requested size. If `enough` returns true before it is done, the smallest table is used
    /// until the next call.
    ///
    /// # Errors
    ///
    /// [`Refused`] if there is not enough memory. The table then has its previous size, if there is memory for that,
    /// and otherwise the smallest size; it is empty in either case.
    pub(super) fn make(&mut self, enough: &dyn Fn() -> bool) -> Result<(), Refused> {
        let Some(mebibytes) = self.wanted else { return Ok(()) };
        self.free();
        while let Some(freeing) = &self.freeing {
            if freeing.is_finished() {
                self.freeing = None;
            } else if enough() {
                return Ok(());
            } else {
                thread::sleep(Duration::from_millis(1));
            }
        }
        self.wanted = None;
        match Table::new(mebibytes) {
            Ok(table) => self.table = table,
            Err(refusal) => {
                self.table = Table::new(self.earlier).unwrap_or_default();
                return Err(Refused { refusal, left: self.table.mebibytes() });
            }
        }
        Ok(())
    }

    /// Replaces a larger table by the smallest one, and frees it.
    fn free(&mut self) {
        let old = mem::take(&mut self.table);
        match old.mebibytes() {
            0 => {}
            size if size < SLOW_TO_FREE => self.earlier = size,
            size => {
                self.earlier = size;
                // Without a thread, the table is freed here.
                self.freeing = thread::Builder::new().spawn(move || drop(old)).ok();
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_table_that_is_too_large_leaves_one_of_the_size_before() {
        let mut hash = Hash::new(1 << 30);
        assert!(hash.make(&|| false).is_err());
        assert_eq!(hash.table.mebibytes(), 0, "there is no smaller size to return to");
        let mut hash = Hash::new(3);
        hash.resize(1 << 30);
        assert_eq!(
            hash.make(&|| false),
            Err(Refused { refusal: OutOfMemory { mebibytes: 1 << 30 }, left: 3 }),
            "one of the size before, even if it was never made"
        );
        for size in [3, 64] {
            hash.resize(size);
            assert_eq!(hash.make(&|| false), Ok(()));
            assert_eq!(hash.table.mebibytes(), size);
            hash.resize(1 << 30);
            assert_eq!(
                hash.make(&|| false),
                Err(Refused { refusal: OutOfMemory { mebibytes: 1 << 30 }, left: size })
            );
            assert_eq!(hash.table.mebibytes(), size);
        }
    }

    #[test]
    fn whoever_has_no_time_gets_the_smallest_table_now_and_the_other_one_later() {
        let mut hash = Hash::new(64);
        hash.make(&|| false).unwrap();
        hash.table.prepare(1, &|| false);
        hash.resize(48);
        hash.make(&|| true).unwrap();
        assert!(matches!(hash.table.mebibytes(), 0 | 48), "{}", hash.table.mebibytes());
        hash.make(&|| false).unwrap();
        assert_eq!(hash.table.mebibytes(), 48);
    }
}
