//! Limits of time in tests.

use std::{iter, time::Duration};

/// Asserts that a quarter of several runs take less than `limit`. On a busy machine most of them may be
/// delayed.
pub(crate) fn assert_takes_less(limit: Duration, what: &str, run: impl FnMut() -> Duration) {
    const RUNS: usize = 20;
    let fast = iter::repeat_with(run).take(RUNS).filter(|&took| took < limit).take(RUNS / 4).count();
    assert_eq!(fast, RUNS / 4, "{what}: less than {limit:?} in {fast} of {RUNS} runs");
}
