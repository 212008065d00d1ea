//! Iterative deepening: the root searched ply by ply deeper, each iteration ordering the next.
//!
//! From the fourth iteration on a line is first searched with a narrow *aspiration window* around its last value; a
//! value outside it is only a bound, and the window is widened on that side until the value falls inside.
//! With multi-PV the second line is the best of the moves that are not first in the first line, and so on.
//!
//! Reference: chessprogramming.org, "Iterative Deepening" and "Aspiration Windows".

use std::cmp::Reverse;

use shakmaty::Move;

use super::{
    CURRENT_MOVE_DELAY, Observer, Report,
    clock::Progress,
    frame::Line,
    history::Context,
    node::{Node, Pv, ZeroWindow},
    params::{aspiration_depth, aspiration_window},
    picker::is_tactical,
    watcher::{Visit, Watcher},
    worker::Worker,
};
use crate::{
    eval::Evaluator,
    position::PackedMove,
    tt::{Bound, Entry},
    value::{INFINITE, Value, is_mate},
};

/// A move of the root and what the last iteration found out about it.
#[derive(Clone, Debug)]
struct RootMove {
    m: Move,
    /// Its value, or −INFINITE where it was only shown to be no better than another one.
    value: Value,
    seldepth: usize,
    pv: Line,
    /// Nodes spent on it in this search.
    nodes: u64,
}

/// The deepening of one thread.
pub(super) struct Deepening<'d, 's, E, W, O> {
    worker: &'d mut Worker<'s, E, W>,
    observer: &'d mut O,
    roots: Vec<RootMove>,
    multi_pv: usize,
    /// The iteration that is under way.
    depth: u32,
    /// The lines whose values are exact, of the last iteration or, with a single line, of this one.
    lines: Vec<Report>,
    /// The best line was found after the last report.
    unreported: bool,
    /// The best move of each iteration so far, with its value.
    record: Vec<(Move, Value)>,
}

impl<'d, 's, E: Evaluator, W: Watcher, O: Observer> Deepening<'d, 's, E, W, O> {
    /// Prepares to search `moves`, of which there must be at least one, for the best `multi_pv` of them.
    pub(super) fn new(
        worker: &'d mut Worker<'s, E, W>,
        moves: &[Move],
        multi_pv: usize,
        observer: &'d mut O,
    ) -> Self {
        let root = |&m| RootMove { m, value: -INFINITE, seldepth: 0, pv: Line::from_iter([m]), nodes: 0 };
        let roots: Vec<_> = moves.iter().map(root).collect();
        let multi_pv = multi_pv.clamp(1, roots.len().max(1));
        Self {
            worker,
            observer,
            roots,
            multi_pv,
            depth: 0,
            lines: Vec::new(),
            unreported: false,
            record: Vec::new(),
        }
    }

    /// Deepens until a limit is reached.
    pub(super) fn run(&mut self) {
        for depth in 1..=self.worker.shared.clock.depth {
            self.depth = depth;
            self.iterate();
            if self.worker.aborted {
                break;
            }
            self.worker.completed = depth;
            self.report_iteration();
            if self.worker.id == 0 && self.is_enough() {
                break;
            }
        }
        if self.lines.is_empty() {
            self.guess();
        } else if self.unreported {
            self.report_last_word();
        }
    }

    /// The lines of the last complete iteration, best first; with a single line also what an unfinished iteration has found
    /// since. Empty only before or within [`run`](Self::run).
    pub(super) fn into_lines(self) -> Vec<Report> {
        self.lines
    }

    fn iterate(&mut self) {
        self.worker.seldepth = 0;
        for index in 0..self.multi_pv {
            self.aspirate(index);
            if self.worker.aborted {
                return;
            }
        }
        // Lines found later may have turned out better than earlier ones.
        self.roots[..self.multi_pv].sort_by_key(|root| Reverse(root.value));
    }

    /// Finds the exact value of the best move from `index` on.
    fn aspirate(&mut self, index: usize) {
        let mut width = aspiration_window();
        let last = self.roots[index].value;
        let narrow = self.worker.shared.techniques.aspiration
            && self.depth as i32 >= aspiration_depth()
            && last > -INFINITE
            && !is_mate(last);
        let (mut alpha, mut beta) = if narrow { (last - width, last + width) } else { (-INFINITE, INFINITE) };
        loop {
            self.worker.watcher.enter(Visit { alpha, beta, depth: self.depth as i32 });
            let value = self.search_root(index, alpha, beta);
            self.worker.watcher.leave(value);
            if self.worker.aborted {
                return;
            }
            width *= 2;
            if value <= alpha {
                self.report_bound(index, Bound::Upper);
                beta = i32::midpoint(alpha, beta);
                alpha = if is_mate(value) { -INFINITE } else { (value - width).max(-INFINITE) };
            } else if value >= beta {
                self.report_bound(index, Bound::Lower);
                beta = if is_mate(value) { INFINITE } else { (value + width).min(INFINITE) };
            } else {
                return;
            }
        }
    }

    /// Searches the root moves from `index` on through `alpha..beta` and sorts them, best first.
    fn search_root(&mut self, index: usize, mut alpha: Value, beta: Value) -> Value {
        let node = self.root_node(alpha, beta);
        let mut best = -INFINITE;
        for root in &mut self.roots[index..] {
            root.value = -INFINITE;
        }
        for place in index..self.roots.len() {
            let (m, count) = (self.roots[place].m, place - index + 1);
            self.announce(m, place + 1);
            let nodes = self.worker.nodes;
            let value = self.search_move(Node { alpha, ..node }, m, count);
            self.roots[place].nodes += self.worker.nodes - nodes;
            if self.worker.aborted {
                return best;
            }
            best = best.max(value);
            if count == 1 || value > alpha {
                self.keep(place, value);
            }
            if value >= beta {
                break;
            }
            if value > alpha {
                alpha = value;
                if self.multi_pv == 1 {
                    self.lines = vec![self.line(place, 1, Bound::Exact)];
                    self.unreported = true;
                }
            }
        }
        self.roots[index..].sort_by_key(|root| Reverse(root.value));
        self.remember(index, &node, best);
        best
    }

    fn root_node(&mut self, alpha: Value, beta: Value) -> Node {
        let worker = &mut *self.worker;
        let in_check = worker.position.is_check();
        let mut node = Node::new(alpha, beta, self.depth as i32, 0, false, in_check);
        node.tt = worker.shared.table.probe(worker.position.key(), 0);
        worker.assess(&mut node);
        Node { improving: true, near_pv: true, ..node }
    }

    /// As inside the tree: the first move with the open window, the others with an empty one first.
    fn search_move(&mut self, node: Node, m: Move, count: usize) -> Value {
        let worker = &mut *self.worker;
        worker.enter(0);
        let good = is_tactical(m) && worker.position.see_at_least(m, 0);
        let candidate = worker.candidate(Context::default(), m, count);
        let reduction = if good { 0 } else { worker.reduction::<Pv>(&node, candidate) };
        let (alpha, beta, depth) = (node.alpha, node.beta, node.depth - 1);
        worker.make(0, m);
        let reduction = worker.spare_checks(reduction).min(depth - 1).max(0);
        let mut value = -INFINITE;
        if count > 1 {
            value = -worker.negamax::<ZeroWindow>(-alpha - 1, -alpha, depth - reduction, 1, true);
            if value > alpha && reduction > 0 {
                value = -worker.negamax::<ZeroWindow>(-alpha - 1, -alpha, depth, 1, true);
            }
        }
        if count == 1 || value > alpha {
            value = -worker.negamax::<Pv>(-beta, -alpha, depth, 1, false);
        }
        worker.unmake();
        value
    }

    fn keep(&mut self, place: usize, value: Value) {
        let root = &mut self.roots[place];
        root.value = value;
        root.seldepth = self.worker.seldepth;
        root.pv.truncate(1);
        let room = root.pv.remaining_capacity();
        root.pv.extend(self.worker.frames[1].pv.iter().copied().take(room));
    }

    fn remember(&self, index: usize, node: &Node, best: Value) {
        if index > 0 {
            return;
        }
        let entry = Entry {
            m: PackedMove::new(self.roots[0].m),
            value: best,
            raw_eval: node.raw_eval,
            depth: self.depth as i32,
            bound: Some(Bound::of(best, node.alpha, node.beta)),
            pv: true,
        };
        self.worker.remember(0, entry);
    }

    /// Whether the search has what it needs after a complete iteration.
    fn is_enough(&mut self) -> bool {
        let best = &self.roots[0];
        self.record.push((best.m, best.value));
        let clock = &self.worker.shared.clock;
        let stable_for = self.record.iter().rev().take_while(|(m, _)| *m == best.m).count() as u32 - 1;
        let before = self.record[self.record.len().saturating_sub(3)].1;
        let progress = Progress {
            stable_for,
            score_drop: before - best.value,
            node_share: best.nodes as f64 / self.worker.nodes.max(1) as f64,
            forced: self.roots.len() == 1,
        };
        clock.mate_found(best.value)
            || self.worker.nodes >= clock.soft_nodes
            || clock.enough(self.worker.shared.stop, progress)
    }

    fn report_iteration(&mut self) {
        self.lines = (0..self.multi_pv).map(|place| self.line(place, place + 1, Bound::Exact)).collect();
        self.unreported = false;
        for line in &self.lines {
            self.observer.iteration(line);
        }
    }

    /// Reports the best line once more, as of now: since it was found, the search has gone on and may have told of a bound.
    fn report_last_word(&mut self) {
        let Report { nodes, time, hashfull, .. } = self.line(0, 1, Bound::Exact);
        let last = &mut self.lines[0];
        *last = Report { depth: self.depth, nodes, time, hashfull, ..last.clone() };
        self.observer.iteration(last);
    }

    /// Tells of a value outside the window, once the search has run long enough for somebody to be waiting.
    fn report_bound(&mut self, index: usize, bound: Bound) {
        if self.multi_pv == 1 && self.worker.shared.clock.elapsed() >= CURRENT_MOVE_DELAY {
            let line = self.line(index, index + 1, bound);
            self.observer.iteration(&line);
            // The last word must be an exact value, should the search end before the next one.
            self.unreported = !self.lines.is_empty();
        }
    }

    fn announce(&mut self, m: Move, number: usize) {
        if self.worker.id == 0 && self.worker.shared.clock.elapsed() >= CURRENT_MOVE_DELAY {
            self.observer.current_move(self.depth, m, number);
        }
    }

    fn line(&self, place: usize, multi_pv: usize, bound: Bound) -> Report {
        let root = &self.roots[place];
        self.worker.publish_nodes();
        Report {
            depth: self.depth,
            seldepth: root.seldepth.max(1) as u32,
            multi_pv,
            value: root.value,
            bound,
            nodes: self.worker.shared.total_nodes(),
            time: self.worker.shared.clock.elapsed(),
            hashfull: self.worker.shared.table.hashfull(),
            tb_hits: 0,
            pv: root.pv.to_vec(),
        }
    }

    /// The answer when not even the first iteration could be completed: some moves, and the static evaluation.
    fn guess(&mut self) {
        self.depth = 1;
        let worker = &mut *self.worker;
        let value = worker.evaluator.evaluate(&worker.position);
        for root in &mut self.roots[..self.multi_pv] {
            root.value = value;
            root.pv.truncate(1);
        }
        self.report_iteration();
    }
}
