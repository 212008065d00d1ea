//! The transposition table (stub).

use std::fmt;

/// Not enough memory for a table of the size asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfMemory {
    /// The size asked for, in MiB.
    pub mebibytes: usize,
}

impl fmt::Display for OutOfMemory {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "not enough memory for a hash table of {} MiB", self.mebibytes)
    }
}

impl std::error::Error for OutOfMemory {}
