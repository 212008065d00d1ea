//! What the system lacks for a search with the requested table and threads.

use std::fmt;

use super::hash::Refused;

/// The system does not provide all memory or all threads. The search works with what it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub struct Shortage {
    /// Why the table has another size, if it has.
    pub table: Option<Refused>,
    /// The number of threads, if they are fewer than requested.
    pub threads: Option<Fewer>,
}

/// Fewer threads than requested.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fewer {
    /// The number of threads that could be started.
    pub started: usize,
    /// The number of threads requested.
    pub wanted: usize,
}

impl Shortage {
    /// `Err` if something is lacking.
    pub(super) fn check(table: Result<(), Refused>, threads: Option<Fewer>) -> Result<(), Self> {
        match (table.err(), threads) {
            (None, None) => Ok(()),
            (table, threads) => Err(Self { table, threads }),
        }
    }
}

impl fmt::Display for Shortage {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(refused) = self.table {
            write!(f, "{refused}")?;
        }
        if let Some(Fewer { started, wanted }) = self.threads {
            let separator = if self.table.is_some() { "; " } else { "" };
            write!(f, "{separator}only {started} of {wanted} threads could be started")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tt::OutOfMemory;

    #[test]
    fn all_that_is_lacking_is_told_in_one_line() {
        let refused = Refused { refusal: OutOfMemory { mebibytes: 99 }, left: 16 };
        let fewer = Fewer { started: 3, wanted: 8 };
        let told = |table, threads| Shortage::check(table, threads).map_err(|shortage| shortage.to_string());
        let table = "not enough memory for a hash table of 99 MiB; it stays at 16 MiB and is now empty";
        let threads = "only 3 of 8 threads could be started";
        assert_eq!(told(Ok(()), None), Ok(()));
        assert_eq!(told(Err(refused), None), Err(table.to_owned()));
        assert_eq!(told(Ok(()), Some(fewer)), Err(threads.to_owned()));
        assert_eq!(told(Err(refused), Some(fewer)), Err(format!("{table}; {threads}")));
    }
}
