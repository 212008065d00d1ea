//! An observer that records problems only.

use std::fmt::Display;

use crate::search::{Observer, Report};

/// Records the first problem of a search. After a problem a search continues as well as it can. That is right for a
/// game but wrong for data, because its result is not a valid label.
#[derive(Debug, Default)]
pub(super) struct Attention {
    /// The first problem, if there was one.
    pub(super) problem: Option<String>,
}

impl Observer for Attention {
    fn iteration(&mut self, _: &Report) {}

    fn problem(&mut self, problem: &dyn Display) {
        self.problem.get_or_insert_with(|| problem.to_string());
    }
}
