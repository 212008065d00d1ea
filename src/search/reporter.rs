//! The reports of a search to its observer: those of the leading thread while it searches, and at the end those of the
//! thread whose line is played.

use std::fmt::Display;

use shakmaty::Move;

use super::{
    Observer, Report,
    vote::{self, ThreadResult},
    worker::Shared,
};
use crate::tt::Bound;

/// Forwards reports to an observer and stores the last report of the best line.
pub(super) struct Reporter<'o, O> {
    observer: &'o mut O,
    last: Option<Report>,
}

impl<'o, O: Observer> Reporter<'o, O> {
    pub(super) fn new(observer: &'o mut O) -> Self {
        Self { observer, last: None }
    }

    pub(super) fn observer(&mut self) -> &mut O {
        self.observer
    }

    /// Chooses among the results of the threads. Returns the final lines, which have been reported last, and the number of
    /// nodes visited.
    pub(super) fn decide(
        &mut self,
        mut results: Vec<ThreadResult>,
        shared: &Shared<'_>,
    ) -> (Vec<Report>, u64) {
        if let Some(panic) = results.iter().find_map(|result| result.panic.as_ref()) {
            self.problem(&format_args!("the search failed ({panic}), the best answer so far is played"));
        }
        let chosen = vote::choose(&results);
        let mut lines = chosen.map(|chosen| results.swap_remove(chosen).lines).unwrap_or_default();
        self.report_final(&mut lines, shared);
        // Another thread may still be counting, so the number is the one reported.
        let reported = self.last.as_ref().filter(|_| !lines.is_empty());
        let nodes = reported.map_or_else(|| shared.total_nodes(), |last| last.nodes);
        (lines, nodes)
    }

    /// Reports `lines`, with current totals, unless the last reports agree with them. Other lines are reported with the depth
    /// of the first one. The last report of the first line is always of an exact value, because observers expect that: if it
    /// is a bound, all lines are reported once more, the first one as if it were exact.
    fn report_final(&mut self, lines: &mut [Report], shared: &Shared<'_>) {
        let key = |line: &Report| (line.pv.first().copied(), line.value, line.bound, line.depth);
        let nodes = shared.total_nodes();
        // The reported depth never decreases. The line of another thread may come from a smaller depth than the last report.
        if let (Some(last), Some(first)) = (&self.last, lines.first_mut()) {
            first.depth = first.depth.max(last.depth);
        }
        let Some(first) = lines.first() else { return };
        let (depth, bound) = (first.depth, first.bound);
        let agrees = |last: &Report| key(first) == key(last) && last.nodes == nodes;
        let is_reported = self.last.as_ref().is_some_and(agrees);
        if is_reported && bound == Bound::Exact {
            return;
        }
        shared.put_totals(lines);
        if !is_reported {
            for line in &*lines {
                self.iteration(&Report { depth, ..line.clone() });
            }
        }
        if bound != Bound::Exact {
            for line in lines {
                let bound = if line.multi_pv == 1 { Bound::Exact } else { line.bound };
                self.iteration(&Report { depth, bound, ..line.clone() });
            }
        }
    }
}

impl<O: Observer> Observer for Reporter<'_, O> {
    fn iteration(&mut self, report: &Report) {
        if report.multi_pv == 1 {
            self.last = Some(report.clone());
        }
        self.observer.iteration(report);
    }

    fn current_move(&mut self, depth: u32, m: Move, number: usize) {
        self.observer.current_move(depth, m, number);
    }

    fn problem(&mut self, problem: &dyn Display) {
        self.observer.problem(problem);
    }
}
