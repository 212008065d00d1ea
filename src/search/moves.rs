//! The move loop of a node: skips moves, chooses the depth of the others, and learns from the result.
//!
//! ```text
//!  skip_quiets, not_worth_it        pruning.rs       moves that are not searched
//!  extension                        extensions.rs    singular moves deeper; multi-cut may end the node
//!  reduction                        reductions.rs    late moves less deep at first
//!  scout                                             the zero windows: reduced, then full depth
//!  conclude                                          histories, corrections, the entry of the table
//! ```
//!
//! The root uses the same loop. Only the source of its moves and the recipient of their results differ ([`Source`]).

use std::iter;

use arrayvec::ArrayVec;
use shakmaty::Move;

use super::{
    extensions::Extension,
    frame::Frame,
    history::{self, Context, Experience},
    negamax::no_moves,
    node::{Node, NodeKind, ZeroWindow},
    params::deeper_margin,
    picker::{Picker, is_tactical},
    watcher::{Skip, Watcher, Why},
    worker::Worker,
};
use crate::{
    eval::Evaluator,
    position::PackedMove,
    tt::{Bound, Entry},
    value::{DECIDED, DRAW, INFINITE, Value, is_decided},
};

/// Moves that were searched without a cut-off, for the history malus. Later moves are not recorded.
type Tried = ArrayVec<Move, 48>;

/// The state of the move loop of a node.
struct Found {
    best: Value,
    best_move: Option<Move>,
    /// The upper bound of the moves skipped as futile; at most alpha.
    assumed: Value,
    /// The number of moves so far, skipped ones included.
    count: usize,
    quiets: Tried,
    tacticals: Tried,
}

impl Found {
    fn new() -> Self {
        Self {
            best: -INFINITE,
            best_move: None,
            assumed: -INFINITE,
            count: 0,
            quiets: Tried::new(),
            tacticals: Tried::new(),
        }
    }

    /// Records that moves are skipped, on the assumption that each is worth at most `at_most`.
    fn assume(&mut self, at_most: Option<Value>) {
        self.assumed = self.assumed.max(at_most.unwrap_or(-INFINITE));
    }
}

/// A move of the loop, before it is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) m: Move,
    /// Its place in the order, from 1.
    pub(super) count: usize,
    pub(super) tactical: bool,
    pub(super) experience: Experience,
}

/// The source of the moves of a node: inside the tree its picker, at the root the list of the deepening, which also
/// records the result of each move.
pub(super) trait Source {
    /// Returns the next move.
    fn next<E: Evaluator, W: Watcher>(&mut self, worker: &mut Worker<'_, E, W>) -> Option<Move>;

    /// Whether the last move returned is a capture or promotion known not to lose material.
    fn at_good_tactical(&self) -> bool;

    /// The history of the last move returned, as read when it was generated, if stored. The searches of earlier moves
    /// may have updated it since.
    fn experience<E: Evaluator, W: Watcher>(&self, worker: &Worker<'_, E, W>) -> Option<Experience>;

    /// Whether the source has all legal moves, so that the best of them gives the value of the position.
    fn is_complete(&self) -> bool;

    /// The picker, if the source is one; only a picker can skip moves.
    fn picker(&mut self) -> Option<&mut Picker>;

    /// Called when the last move returned has proved with a zero window that it is worth at least `value`, which is
    /// more than alpha. The search for its exact value follows.
    fn surprised<E: Evaluator, W: Watcher>(&mut self, worker: &Worker<'_, E, W>, value: Value);

    /// Called after the last move returned was searched with the window of `node`.
    fn searched<E: Evaluator, W: Watcher>(&mut self, worker: &Worker<'_, E, W>, node: &Node, value: Value);
}

impl Source for Picker {
    #[inline]
    fn next<E: Evaluator, W: Watcher>(&mut self, worker: &mut Worker<'_, E, W>) -> Option<Move> {
        self.next(&worker.position, worker.histories, worker.moves)
    }

    #[inline]
    fn at_good_tactical(&self) -> bool {
        self.at_good_tactical()
    }

    #[inline]
    fn experience<E: Evaluator, W: Watcher>(&self, worker: &Worker<'_, E, W>) -> Option<Experience> {
        self.experience(worker.moves)
    }

    #[inline]
    fn is_complete(&self) -> bool {
        true
    }

    #[inline]
    fn picker(&mut self) -> Option<&mut Picker> {
        Some(self)
    }

    #[inline]
    fn surprised<E: Evaluator, W: Watcher>(&mut self, _: &Worker<'_, E, W>, _: Value) {}

    #[inline]
    fn searched<E: Evaluator, W: Watcher>(&mut self, _: &Worker<'_, E, W>, _: &Node, _: Value) {}
}

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// Calls `with` with the legal moves of the root in the order of a picker whose table move is `first`.
    pub(super) fn in_order(
        &mut self,
        first: Option<Move>,
        with: impl FnOnce(&mut dyn Iterator<Item = Move>),
    ) {
        let mut picker = Picker::new(first, self.context(0), self.moves);
        with(&mut iter::from_fn(|| picker.next(&self.position, self.histories, self.moves)));
        picker.finish(self.moves);
    }

    /// Searches the moves of `node` in the order of a new picker.
    pub(super) fn search_picked<N: NodeKind>(&mut self, node: &mut Node) -> Value {
        let context = self.context(node.ply);
        let mut picker = Picker::new(node.tt_move, context, self.moves);
        let value = self.search_moves::<N, _>(node, context, &mut picker);
        picker.finish(self.moves);
        value
    }

    /// Searches the moves of `node` from `source` until one of them reaches beta. `context` is what the histories
    /// of its quiet moves depend on.
    #[inline]
    pub(super) fn search_moves<N: NodeKind, S: Source>(
        &mut self,
        node: &mut Node,
        context: Context,
        source: &mut S,
    ) -> Value {
        let entry_alpha = node.alpha;
        let mut found = Found::new();
        loop {
            let safe = found.best > -DECIDED;
            if safe && let Some(picker) = source.picker() {
                found.assume(self.skip_quiets::<N>(node, found.count, picker));
            }
            let Some(m) = source.next(self) else { break };
            if Some(m) == node.excluded {
                continue;
            }
            found.count += 1;
            let good = source.at_good_tactical();
            let experience = source.experience(self).unwrap_or_else(|| self.experience(context, m));
            let candidate = Candidate { m, count: found.count, tactical: is_tactical(m), experience };
            if safe && !good && self.not_worth_it::<N>(node, candidate) {
                self.watcher.skipped(Skip::One(m), None);
                continue;
            }
            let extension = match self.extension::<N>(node, m) {
                Extension::Plies(plies) => plies,
                Extension::CutOff(value) => {
                    self.watcher.ended(Why::MultiCut);
                    return value;
                }
            };
            let reduction = if good { 0 } else { self.reduction::<N>(node, candidate) };
            self.frames[node.ply].count = found.count as u16;
            self.make(node.ply, m);
            let (mut value, depth) =
                self.scout::<N>(node, context, candidate, extension, reduction, found.best);
            if N::PV && !self.aborted && (candidate.count == 1 || value > node.alpha) {
                if candidate.count > 1 {
                    source.surprised(self, value);
                }
                value = -self.negamax::<N::Child>(-node.beta, -node.alpha, depth, node.ply + 1, false);
            }
            self.unmake();
            if self.aborted {
                return DRAW;
            }
            source.searched(self, node, value);
            if self.causes_cut_off::<N>(node, &mut found, m, value) {
                break;
            }
            let tried = if candidate.tactical { &mut found.tacticals } else { &mut found.quiets };
            let _ = tried.try_push(m);
        }
        self.conclude::<N>(node, context, &mut found, entry_alpha, source.is_complete())
    }

    /// Records the `value` of move `m` of `node`, and returns whether it reaches beta.
    #[inline(always)]
    fn causes_cut_off<N: NodeKind>(
        &mut self,
        node: &mut Node,
        found: &mut Found,
        m: Move,
        value: Value,
    ) -> bool {
        if value <= found.best {
            return false;
        }
        found.best = value;
        if value <= node.alpha {
            return false;
        }
        found.best_move = Some(m);
        if N::PV {
            self.variations.extend(node.ply, m);
        }
        if value >= node.beta {
            // A visit with an excluded move is not a visit of its own.
            self.frames[node.ply].cut_offs += u32::from(node.excluded.is_none());
            return true;
        }
        node.alpha = value;
        false
    }

    /// Returns the value of `node` after the search of its moves, learns from it, and stores it. The search began with
    /// the lower bound `entry_alpha`; `complete` says whether it covered all legal moves ([`Source::is_complete`]).
    #[inline(always)]
    fn conclude<N: NodeKind>(
        &mut self,
        node: &Node,
        context: Context,
        found: &mut Found,
        entry_alpha: Value,
        complete: bool,
    ) -> Value {
        if found.count == 0 {
            return if node.excluded.is_some() { entry_alpha } else { no_moves(node) };
        }
        if N::PV {
            found.best = found.best.clamp(node.floor, node.ceiling);
        }
        self.learn(node, context, found);
        if !N::ROOT && node.excluded.is_none() && found.best <= entry_alpha {
            self.reward_unanswered_move(node);
        }
        // With an excluded move the result must be that of the searched moves alone.
        if node.excluded.is_none() && complete {
            found.best = found.best.max(found.assumed);
            let bound = Bound::of(found.best, entry_alpha, node.beta);
            self.learn_error(node, found, bound);
            self.remember_result(node, found, bound);
        }
        found.best
    }

    /// The history of a move that was returned before generation.
    fn experience(&self, context: Context, m: Move) -> Experience {
        let us = self.position.turn();
        if is_tactical(m) {
            self.histories.capture(us, m)
        } else {
            self.histories.quiets(us, context).experience(m)
        }
    }

    /// Searches the move of `node` just made with a zero window: first reduced by `reduction` if positive, then, if
    /// it exceeds alpha, with more depth. A negative `reduction` adds a ply if there is no extension. The first move of an
    /// open window is not searched here; its value is alpha.
    ///
    /// Returns the value, and the depth for the search with the open window. `extension` is added to the depth.
    fn scout<N: NodeKind>(
        &mut self,
        node: &Node,
        context: Context,
        Candidate { m, count, tactical, .. }: Candidate,
        extension: i32,
        reduction: i32,
        best: Value,
    ) -> (Value, i32) {
        let (alpha, ply) = (node.alpha, node.ply + 1);
        let mut depth = node.depth - 1 + extension;
        if reduction < 0 && extension == 0 {
            depth += 1;
        }
        let reduction = self.spare_checks(reduction).min(depth - 1);
        let reduced = depth - reduction;
        let mut value = alpha;
        if reduction > 0 {
            self.frames[node.ply].reduction = reduction;
            value = -self.negamax::<ZeroWindow>(-alpha - 1, -alpha, reduced, ply, true);
            self.frames[node.ply].reduction = 0;
            if value > alpha {
                // Far above the best value, the next search is worth another ply.
                depth += i32::from(value > best + deeper_margin());
            }
        }
        let once_more = if reduction > 0 { value > alpha && depth > reduced } else { !N::PV || count > 1 };
        if once_more {
            value = -self.negamax::<ZeroWindow>(-alpha - 1, -alpha, depth, ply, !node.cut_node);
            if reduction > 0 && !tactical && !self.aborted {
                let bonus = if value > alpha { history::bonus(depth) } else { -history::malus(depth) };
                self.histories.update_continuation(context.recent, m, bonus);
            }
        }
        (value, depth)
    }

    /// Updates the histories: a bonus for the move that caused the cut-off, a malus for the moves searched before it.
    fn learn(&mut self, node: &Node, context: Context, found: &Found) {
        let Some(best) = found.best_move.filter(|_| found.best >= node.beta) else { return };
        let us = self.position.turn();
        let (bonus, malus) = (history::bonus(node.depth), history::malus(node.depth));
        if is_tactical(best) {
            self.histories.update_capture(us, best, bonus);
        } else {
            self.histories.update_quiet(us, context, best, bonus);
            for &m in &found.quiets {
                self.histories.update_quiet(us, context, m, -malus);
            }
        }
        for &m in &found.tacticals {
            self.histories.update_capture(us, m, -malus);
        }
    }

    /// Gives the opponent's last move a bonus, if it is quiet, because no move of `node` reaches alpha. The parent gives
    /// its own bonus only to a move that causes a cut-off. The technique is known from Stockfish.
    fn reward_unanswered_move(&mut self, node: &Node) {
        let Frame { quiet: Some(m), context: Some(context), .. } = self.frames[node.ply - 1] else { return };
        self.histories.update_quiet(!self.position.turn(), context, m, history::bonus(node.depth));
    }

    /// Updates the corrections by the error of the evaluation of `node`, if the result shows one and no capture
    /// explains it.
    fn learn_error(&mut self, node: &Node, found: &Found, bound: Bound) {
        let (eval, value) = (node.static_eval, found.best);
        let says_nothing = match bound {
            Bound::Lower => value <= eval,
            Bound::Upper => value >= eval,
            Bound::Exact => false,
        };
        if node.in_check || says_nothing || is_decided(value) || found.best_move.is_some_and(is_tactical) {
            return;
        }
        let recent = self.recent(node.ply);
        self.histories.corrections.learn(&self.position, recent, eval, value, node.depth);
    }

    fn remember_result(&self, node: &Node, found: &Found, bound: Bound) {
        let entry = Entry {
            m: found.best_move.and_then(PackedMove::new),
            value: found.best,
            raw_eval: node.raw_eval,
            depth: node.depth,
            bound: Some(bound),
            pv: node.tt_pv,
        };
        self.remember(node.ply, entry);
    }
}
