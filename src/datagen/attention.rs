//! An observer that hears of nothing but problems.

use std::fmt::Display;

use crate::search::{Observer, Report};

/// Remembers the first problem of a search. A search goes on as well as it can after one, which is right for a game and
/// wrong for data: what it finds then is no label.
#[derive(Debug, Default)]
pub(super) struct Attention {
    /// What went wrong, if anything did.
    pub(super) problem: Option<String>,
}

impl Observer for Attention {
    fn iteration(&mut self, _: &Report) {}

    fn problem(&mut self, problem: &dyn Display) {
        self.problem.get_or_insert_with(|| problem.to_string());
    }
}
