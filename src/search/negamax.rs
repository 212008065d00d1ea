//! One node of the search, as a list of named steps.
//!
//! ```text
//!  rules            draws, the end of the board, mate distance      may end the node
//!  probe            what the table knows                            may end the node
//!  assess           static evaluation, improving
//!  prune            reverse futility, null move   (pruning.rs)      may end the node
//!  internal_reduction                             (reductions.rs)
//!  search_moves     skip, reduce, search, raise alpha
//!  no_moves         mate or stalemate
//!  learn            history, killers
//!  remember         store in the table
//! ```
//!
//! Principal-variation search: the first move of a node on the principal variation is searched with the open window,
//! every other one with an empty window first, to show that it is no better. Values are fail-soft: a value outside
//! the window is a bound as tight as the node could prove.
//!
//! Reference: chessprogramming.org, "Principal Variation Search" and "Fail-Soft".

use arrayvec::ArrayVec;
use shakmaty::Move;

use super::{
    frame::extend_pv,
    history,
    node::{Node, NodeKind, Pv, ZeroWindow},
    picker::{Picker, is_tactical},
    worker::Worker,
};
use crate::{
    eval::Evaluator,
    position::{Legality, PackedMove},
    tt::{Bound, Entry},
    value::{DRAW, INFINITE, MATE_BOUND, MAX_PLY, Value, mate_in, mated_in},
};

/// Moves that were searched and did not cause the cut-off, to be told so. Later ones are not worth remembering.
type Tried = ArrayVec<Move, 48>;

/// What the move loop of a node has found so far.
struct Found {
    best: Value,
    best_move: Option<Move>,
    /// Moves looked at, skipped ones included.
    count: usize,
    quiets: Tried,
    tacticals: Tried,
}

impl<E: Evaluator> Worker<'_, E> {
    /// The value of the current position for the side to move, `depth` plies deep, seen through `alpha..beta`.
    #[inline]
    pub(super) fn negamax<N: NodeKind>(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        let in_check = self.position.is_check();
        let depth = depth + self.check_extension(in_check, ply);
        if depth <= 0 {
            return self.leaf::<N>(alpha, beta, ply);
        }
        self.interior::<N>(&mut Node::new(alpha, beta, depth, ply, cut_node, in_check))
    }

    /// A node that is not a leaf: the steps listed at the head of this module.
    fn interior<N: NodeKind>(&mut self, node: &mut Node) -> Value {
        self.enter(node.ply);
        if let Some(value) = self.rules(node) {
            return value;
        }
        if let Some(value) = self.probe::<N>(node) {
            return value;
        }
        self.assess(node);
        if let Some(value) = self.prune::<N>(node) {
            return value;
        }
        // The search may have ended below a null move.
        if self.aborted {
            return DRAW;
        }
        self.internal_reduction(node);
        self.search_moves::<N>(node)
    }

    /// Begins a visit: an empty variation, and no killers left over from another branch two plies on.
    pub(super) fn enter(&mut self, ply: usize) {
        self.seldepth = self.seldepth.max(ply);
        self.frames[ply].pv.clear();
        if let Some(grandchild) = self.frames.get_mut(ply + 2) {
            grandchild.killers = [None; 2];
        }
    }

    /// The rules of the game first: draws, then mates. A mate that could be reached from here, in the best case on the
    /// next ply, may be farther than one already found; then this node cannot matter (mate-distance pruning: sound).
    pub(super) fn rules(&mut self, node: &mut Node) -> Option<Value> {
        if self.aborted || self.is_draw(node.ply) {
            return Some(DRAW);
        }
        if node.ply >= MAX_PLY {
            return Some(if node.in_check { DRAW } else { self.evaluator.evaluate(&self.position) });
        }
        if self.shared.techniques.mate_distance_pruning {
            let alpha = node.alpha.max(mated_in(node.ply));
            let beta = node.beta.min(mate_in(node.ply + 1));
            if alpha >= beta {
                return Some(alpha);
            }
            (node.alpha, node.beta) = (alpha, beta);
        }
        None
    }

    fn is_draw(&self, ply: usize) -> bool {
        self.position.is_draw_by_rule()
            || (self.shared.techniques.repetition && self.position.is_repetition(ply))
    }

    /// Asks the table. Its value ends a node off the principal variation if it is deep enough and on the right side of
    /// the window; on the principal variation the line itself is wanted, so only its move is used.
    pub(super) fn probe<N: NodeKind>(&mut self, node: &mut Node) -> Option<Value> {
        node.tt = self.shared.table.probe(self.position.key(), node.ply);
        let entry = node.tt?;
        let holds = match entry.bound {
            Some(Bound::Exact) => true,
            Some(Bound::Lower) => entry.value >= node.beta,
            Some(Bound::Upper) => entry.value <= node.alpha,
            None => false,
        };
        let usable = !N::PV && self.shared.techniques.table_cutoffs && entry.depth >= node.depth;
        // Near the fifty-move mark the table, which does not know the counter, is not to be trusted.
        if usable && holds && self.position.halfmoves() < 90 {
            return Some(entry.value);
        }
        node.tt_move = entry.m.and_then(|m| Legality::of(&self.position).unpack(m));
        None
    }

    /// The static evaluation, from the table where it knows it, and whether it improves on our last turn.
    pub(super) fn assess(&mut self, node: &mut Node) {
        if node.in_check {
            self.frames[node.ply].static_eval = None;
            return;
        }
        let known = node.tt.and_then(|entry| entry.raw_eval);
        let raw_eval = known.unwrap_or_else(|| self.evaluator.evaluate(&self.position));
        node.raw_eval = Some(raw_eval);
        node.eval = tighten(raw_eval, node.tt);
        self.frames[node.ply].static_eval = Some(raw_eval);
        let before = node.ply.checked_sub(2).and_then(|ply| self.frames[ply].static_eval);
        node.improving = before.is_some_and(|before| raw_eval > before);
    }

    fn search_moves<N: NodeKind>(&mut self, node: &mut Node) -> Value {
        let entry_alpha = node.alpha;
        let mut picker = Picker::new(node.tt_move, self.frames[node.ply].killers, &self.moves);
        let mut found = Found {
            best: -INFINITE,
            best_move: None,
            count: 0,
            quiets: Tried::new(),
            tacticals: Tried::new(),
        };
        loop {
            let safe = found.best > -MATE_BOUND;
            if safe {
                self.skip_quiets::<N>(node, found.count, &mut picker);
            }
            let Some(m) = picker.next(&self.position, self.histories, &mut self.moves) else { break };
            found.count += 1;
            let good = picker.at_good_tactical();
            if safe && !good && self.loses_too_much::<N>(node, m) {
                continue;
            }
            let reduction = if good { 0 } else { self.reduction::<N>(node, m, found.count) };
            let value = self.search_move::<N>(node, m, found.count, reduction);
            if self.aborted {
                break;
            }
            if value > found.best {
                found.best = value;
                if value > node.alpha {
                    found.best_move = Some(m);
                    if N::PV {
                        extend_pv(&mut self.frames, node.ply, m);
                    }
                    if value >= node.beta {
                        break;
                    }
                    node.alpha = value;
                }
            }
            let tried = if is_tactical(m) { &mut found.tacticals } else { &mut found.quiets };
            let _ = tried.try_push(m);
        }
        picker.finish(&mut self.moves);
        if self.aborted {
            return DRAW;
        }
        if found.count == 0 {
            return no_moves(node);
        }
        self.learn(node, &found);
        self.remember_result::<N>(node, &found, entry_alpha);
        found.best
    }

    /// Plays `m`, the `count`-th move of `node`, and searches what it leads to: first `reduction` plies less deep and with
    /// an empty window, then as deep and wide as its value demands.
    fn search_move<N: NodeKind>(&mut self, node: &Node, m: Move, count: usize, reduction: i32) -> Value {
        self.make(m);
        let reduction = self.spare_checks(reduction);
        let (alpha, beta, ply) = (node.alpha, node.beta, node.ply + 1);
        let depth = node.depth - 1;
        let mut value = alpha;
        if reduction > 0 {
            value = -self.negamax::<ZeroWindow>(-alpha - 1, -alpha, depth - reduction, ply, true);
        }
        if (reduction > 0 && value > alpha) || (reduction == 0 && !(N::PV && count == 1)) {
            value = -self.negamax::<ZeroWindow>(-alpha - 1, -alpha, depth, ply, !node.cut_node);
        }
        if N::PV && (count == 1 || value > alpha) {
            value = -self.negamax::<Pv>(-beta, -alpha, depth, ply, false);
        }
        self.unmake();
        value
    }

    /// Tells the histories which move caused the cut-off and which ones, tried before it, did not.
    fn learn(&mut self, node: &Node, found: &Found) {
        let Some(best) = found.best_move.filter(|_| found.best >= node.beta) else { return };
        let us = self.position.turn();
        let bonus = history::bonus(node.depth);
        if is_tactical(best) {
            self.histories.update_capture(us, best, bonus);
        } else {
            self.frames[node.ply].remember_killer(best);
            self.histories.update_quiet(us, best, bonus);
            for &m in &found.quiets {
                self.histories.update_quiet(us, m, -bonus);
            }
        }
        for &m in &found.tacticals {
            self.histories.update_capture(us, m, -bonus);
        }
    }

    fn remember_result<N: NodeKind>(&self, node: &Node, found: &Found, entry_alpha: Value) {
        let entry = Entry {
            m: found.best_move.and_then(PackedMove::new),
            value: found.best,
            raw_eval: node.raw_eval,
            depth: node.depth,
            bound: Some(Bound::of(found.best, entry_alpha, node.beta)),
            pv: N::PV || node.tt.is_some_and(|entry| entry.pv),
        };
        self.remember(node.ply, entry);
    }
}

/// Mate or stalemate: the side to move has no legal move.
pub(super) fn no_moves(node: &Node) -> Value {
    if node.in_check { mated_in(node.ply) } else { DRAW }
}

/// The evaluation, moved to the table's value where that is a bound on its far side.
pub(super) fn tighten(eval: Value, entry: Option<Entry>) -> Value {
    let Some((entry, bound)) = entry.and_then(|entry| Some((entry, entry.bound?))) else { return eval };
    match bound {
        Bound::Exact => entry.value,
        Bound::Lower => eval.max(entry.value),
        Bound::Upper => eval.min(entry.value),
    }
}
