//! Iterative deepening: searches the root with increasing depth; each iteration improves the move order of
//! the next.
//!
//! From the fourth iteration on a line is first searched with a narrow *aspiration window* around its last
//! value, unless that value is decided (a mate, or a result of the endgame tables). A value outside the
//! window is only a bound, and the window is widened on that side until the value is inside. With multi-PV,
//! line n is the best of the moves that do not begin one of the lines before it.
//!
//! The other moves, which an iteration only proves to be no better, have no values by which they could be
//! sorted. They come in the order that they would have inside the tree, because late moves are searched less
//! deep at the root too.
//!
//! If the search ends in the middle of an iteration, its results so far still count. A move that has failed
//! high is the best known move from that moment, although its exact value is unknown, and is played. But a
//! loss that the iteration before did not show is not proved, because another move may avoid it; the line of
//! that iteration is played instead. A value that is only a bound is reported as a bound to the end: nobody
//! can adjudicate a game by it.
//!
//! A mate that an earlier search has proved from the root, and that is still in the table, is kept until a
//! better one is found. Otherwise pruning could hide a mate by a quiet move that was announced a move ago.
//!
//! Reference: chessprogramming.org, "Iterative Deepening" and "Aspiration Windows".

use std::{cmp::Reverse, mem, slice};

use shakmaty::Move;

use super::{
    CURRENT_MOVE_DELAY, Report,
    clock::Progress,
    params::{aspiration_depth, aspiration_window},
    root_moves::{self, MoveResult, ProvedMate, RootMove},
    vote::ThreadResult,
    watcher::Watcher,
    worker::Worker,
};
use crate::{
    chess::value::{INFINITE, KNOWN_WIN, Value, is_decided, is_known},
    engine::{eval::Evaluator, tt::Bound},
};

/// The iterative deepening of one thread.
pub(super) struct Deepening<'d, 's, E, W> {
    worker: &'d mut Worker<'s, E, W>,
    multi_pv: usize,
    /// The number of lines that it has completed.
    complete: usize,
    /// Nodes spent on the first line.
    first_line_nodes: u64,
    /// The lines of the last complete iteration, with the values of the search.
    lines: Vec<Report>,
    /// The last report of a first line.
    reported: Option<Report>,
    /// The best move of each iteration so far, and its value.
    record: Vec<(Move, Value)>,
    /// A line that mates by an earlier search; `None` with multi-PV, whose lines are found side by side.
    proved: Option<ProvedMate>,
}

impl<'d, 's, E: Evaluator, W: Watcher> Deepening<'d, 's, E, W> {
    /// Prepares to search the root moves of `worker`, at least one, for the best `multi_pv` of them.
    pub(super) fn new(worker: &'d mut Worker<'s, E, W>, multi_pv: usize) -> Self {
        let multi_pv = multi_pv.clamp(1, worker.root_moves.list.len().max(1));
        Self {
            proved: ProvedMate::of(worker.shared.table, &worker.position).filter(|_| multi_pv == 1),
            worker,
            multi_pv,
            complete: 0,
            first_line_nodes: 0,
            lines: Vec::new(),
            reported: None,
            record: Vec::new(),
        }
    }

    /// Runs iterations until a limit is reached.
    pub(super) fn iterate(&mut self) {
        for depth in 1..=self.worker.shared.clock.depth {
            self.worker.root_moves.depth = depth;
            self.search_lines();
            if let Some(mate) = &self.proved {
                self.worker.root_moves.put_first(mate);
            }
            if self.worker.aborted {
                self.add_unfinished();
                break;
            }
            self.worker.completed = depth;
            self.report_iteration();
            if self.worker.id == 0 && self.may_end() {
                break;
            }
        }
    }

    /// The result so far: the lines of the last complete iteration, best first, corrected by the results of
    /// an unfinished one.
    pub(super) fn into_result(self) -> ThreadResult {
        let lines = self.reported_lines();
        ThreadResult { lines, reported: self.reported }
    }

    fn roots(&self) -> &[RootMove] {
        &self.worker.root_moves.list
    }

    /// Searches the lines of one iteration.
    fn search_lines(&mut self) {
        self.worker.seldepth = 0;
        self.order_moves();
        for index in 0..self.multi_pv {
            self.complete = index;
            let before = self.worker.nodes;
            self.aspirate(index);
            if self.worker.aborted {
                return;
            }
            if index == 0 {
                self.first_line_nodes += self.worker.nodes - before;
            }
        }
        // A later line may be better than an earlier one.
        root_moves::sort(&mut self.worker.root_moves.list[..self.multi_pv]);
    }

    /// Orders the root moves for this iteration: first the lines of the last one, or the move of the table,
    /// then the others as inside the tree.
    fn order_moves(&mut self) {
        let worker = &mut *self.worker;
        let (first, fixed) = if worker.root_moves.depth > 1 {
            (Some(worker.root_moves.list[0].m), self.multi_pv)
        } else {
            (worker.tt_move(worker.shared.table.probe(worker.position.table_key(), 0)), 0)
        };
        let order = worker.moves_in_order(first);
        root_moves::sort_others(&mut worker.root_moves.list[fixed..], &order);
    }

    /// Searches the exact value of the best move from `index` on.
    fn aspirate(&mut self, index: usize) {
        let (guess, mut width) = (self.guess(index), aspiration_window());
        let (mut alpha, mut beta) =
            guess.map_or((-INFINITE, INFINITE), |guess| (guess - width, guess + width));
        // No window of centipawns leads to a mate, nor from an ordinary value to a known win.
        let is_beyond_windows = |value| is_decided(value) || is_known(value) && !guess.is_some_and(is_known);
        let mut reduction = 0;
        loop {
            let value = self.search_root(index, alpha, beta, reduction);
            if self.worker.aborted {
                return;
            }
            width *= 2;
            if value <= alpha {
                reduction = 0;
                beta = i32::midpoint(alpha, beta);
                alpha = if is_beyond_windows(value) { -INFINITE } else { (value - width).max(-INFINITE) };
            } else if value >= beta {
                // The move is known to be good. Its value can be found less deep; known from Stockfish. But
                // what lies beyond may not be in sight less deep.
                reduction = if is_beyond_windows(value) { 0 } else { reduction + 1 };
                beta = if is_beyond_windows(value) { INFINITE } else { (value + width).min(INFINITE) };
            } else {
                return;
            }
            self.report_bound(index);
        }
    }

    /// The value that is expected of the line at `index`: that of the last iteration. `None` if it is of no
    /// use.
    fn guess(&self, index: usize) -> Option<Value> {
        if !self.worker.techniques.aspiration || (self.worker.root_moves.depth as i32) < aspiration_depth() {
            return None;
        }
        // The line of this rank may begin with another move now, but its value will be similar.
        self.lines.get(index).map(|line| line.value).filter(|&last| !is_decided(last))
    }

    /// Searches the root moves from `index` on with the window `alpha..beta`, `reduction` plies less deep
    /// than the iteration, and sorts them, best first.
    fn search_root(&mut self, index: usize, alpha: Value, beta: Value, reduction: i32) -> Value {
        let value = self.worker.root(index, alpha, beta, reduction);
        root_moves::sort(&mut self.worker.root_moves.list[index..]);
        value
    }

    /// Whether the search can end after a complete iteration.
    fn may_end(&mut self) -> bool {
        let roots = &self.worker.root_moves;
        let best = &roots.list[0];
        self.record.push((best.m, best.value));
        let clock = &self.worker.shared.clock;
        if clock.has_sought_mate(roots.depth) {
            self.worker.shared.stop.need();
        }
        let stable_for = self.record.iter().rev().take_while(|(m, _)| *m == best.m).count() as u32 - 1;
        let before = self.record[self.record.len().saturating_sub(3)].1;
        let progress = Progress {
            stable_for,
            score_drop: before - best.value,
            // A move that has begun a later line before has more nodes than those of the first line.
            node_share: (best.nodes as f64 / self.first_line_nodes.max(1) as f64).min(1.0),
            forced: self.multi_pv == 1 && root_moves::equals(&roots.list) == 1,
        };
        clock.mate_found(best.value)
            || self.worker.nodes >= clock.soft_nodes
            || clock.soft_bound_passed(self.worker.shared.stop, progress)
    }

    fn report_iteration(&mut self) {
        self.lines = numbered(self.roots()[..self.multi_pv].iter().filter_map(|root| self.line(root)));
        self.worker.publish_nodes();
        self.worker.shared.put_totals(&mut self.lines);
        for line in self.reported_lines() {
            self.report(line);
        }
    }

    fn report(&mut self, line: Report) {
        self.worker.observer.iteration(&line);
        if line.multi_pv == 1 {
            self.reported = Some(line);
        }
    }

    /// The lines with the values of the endgame tables, if they have them.
    fn reported_lines(&self) -> Vec<Report> {
        self.lines.iter().map(|line| self.worker.root_moves.as_reported(line)).collect()
    }

    /// Reports a value outside the window, if the search has run for at least [`CURRENT_MOVE_DELAY`].
    fn report_bound(&mut self, index: usize) {
        if self.worker.shared.clock.elapsed() >= CURRENT_MOVE_DELAY
            && let Some(line) = self.line(&self.roots()[index])
        {
            let line = Report { multi_pv: index + 1, ..line };
            let mut line = self.worker.root_moves.as_reported(&line);
            self.worker.publish_nodes();
            self.worker.shared.put_totals(slice::from_mut(&mut line));
            self.report(line);
        }
    }

    /// Corrects the lines by the results of an iteration that was not completed: the best move known is
    /// played, but if its value is a loss that the last complete iteration did not show, the first line of
    /// that iteration is played instead.
    ///
    /// The same holds for each of several lines, with the line of the same rank.
    fn add_unfinished(&mut self) {
        let earlier = if self.lines.is_empty() { self.guesses() } else { mem::take(&mut self.lines) };
        let shown = earlier.get(self.complete).or(earlier.last()).map_or(-INFINITE, |line| line.value);
        let is_complete =
            |line: &Report| self.roots()[..self.complete].iter().any(|root| root.m == line.pv[0]);
        let is_new_loss =
            |line: &Report| line.value <= -KNOWN_WIN && line.value < shown && !is_complete(line);
        let found = self.roots().iter().filter_map(|root| self.line(root));
        let mut lines: Vec<_> = found.filter(|line| !is_new_loss(line)).collect();
        lines.sort_by_key(|line| Reverse(line.value));
        for line in earlier {
            if lines.iter().all(|found| found.pv[0] != line.pv[0]) {
                lines.push(line);
            }
        }
        lines.sort_by_key(|line| Reverse(self.worker.root_moves.of_line(line).and_then(RootMove::rank)));
        lines.truncate(self.multi_pv);
        // What is known of an earlier line is only that it is no better than those before it.
        let mut most = INFINITE;
        for line in &mut lines {
            if line.value > most {
                (line.value, line.bound) = (most, Bound::Upper);
            }
            most = line.value;
        }
        self.lines = numbered(lines);
    }

    /// The line that begins with `root`, if this iteration has a result for it.
    fn line(&self, root: &RootMove) -> Option<Report> {
        root.found_at(self.worker.root_moves.depth).map(line_of)
    }

    /// Lines for a search that could not complete the first iteration: some moves, and the static evaluation.
    fn guesses(&mut self) -> Vec<Report> {
        let value = self.worker.evaluator.evaluate(&self.worker.position);
        let guess = |root: &RootMove| Report { seldepth: 0, ..Report::new(1, value, vec![root.m]) };
        self.roots().iter().take(self.multi_pv).map(guess).collect()
    }
}

/// Returns `result` as the first line, without the totals of the search.
fn line_of(result: &MoveResult) -> Report {
    Report {
        seldepth: result.seldepth.max(1) as u32,
        bound: result.bound,
        ..Report::new(result.depth, result.value, result.pv.to_vec())
    }
}

/// Numbers `lines`, best first.
fn numbered(lines: impl IntoIterator<Item = Report>) -> Vec<Report> {
    (1..).zip(lines).map(|(multi_pv, line)| Report { multi_pv, ..line }).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::position::PackedMove,
        engine::{
            search::{
                root_moves::{RootMoves, RootPosition},
                tablebase::RankedMove,
                worker::testing::below_root,
            },
            tt::Entry,
        },
    };

    #[test]
    fn root_moves_come_in_the_order_of_other_nodes_but_for_the_lines_of_the_last_iteration() {
        // The queen wins the rook, and loses against the pawn.
        below_root("4k3/p7/1p6/8/1Q1r4/8/8/4K3 w - - 0 1", |worker| {
            let find = |m| worker.position.find_move(m).unwrap();
            let [rook, pawn, king] = ["b4d4", "b4b6", "e1e2"].map(find);
            let moves: Vec<_> = worker.position.legal_moves().iter().copied().map(RankedMove::new).collect();
            let order = |worker: &mut Worker<'_, _, _>, depth, lines: &[Move]| -> Vec<Move> {
                worker.root_moves =
                    RootMoves::new(RootPosition { position: &worker.position, moves: &moves, multi_pv: 2 });
                worker.root_moves.depth = depth;
                let place = |root: &RootMove| lines.iter().position(|&m| m == root.m).unwrap_or(lines.len());
                worker.root_moves.list.sort_by_key(place);
                Deepening::new(worker, 2).order_moves();
                worker.root_moves.list.iter().map(|root| root.m).collect()
            };
            let first = order(worker, 1, &[]);
            assert_eq!((first.len(), first[0], first.last()), (moves.len(), rook, Some(&pawn)));
            assert_eq!(order(worker, 2, &[pawn, king])[..3], [pawn, king, rook]);
            let entry =
                Entry { m: PackedMove::new(king), depth: 5, bound: Some(Bound::Lower), ..Entry::default() };
            worker.remember(0, entry);
            assert_eq!(order(worker, 1, &[])[..2], [king, rook], "the move of the table first");
        });
    }
}
