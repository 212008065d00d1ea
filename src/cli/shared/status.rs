//! Exit codes.

use zugwerk::arena::stats::sprt::Verdict;

/// The result of a tool, as its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ExitStatus {
    Positive = 0,
    Negative = 1,
    Undecided = 3,
    /// Interrupted, after a clean end: 128 plus the number of the signal, as in shells.
    Interrupted = 130,
}

impl From<Verdict> for ExitStatus {
    fn from(of_a_test: Verdict) -> Self {
        match of_a_test {
            Verdict::H1 => ExitStatus::Positive,
            Verdict::H0 => ExitStatus::Negative,
            Verdict::Open => ExitStatus::Undecided,
        }
    }
}
