//! The move loop of a node: what to skip, how deep to search the rest, what to learn from the result.
//!
//! ```text
//!  skip_quiets, not_worth_it        pruning.rs       moves that are not searched
//!  extension                        extensions.rs    singular moves deeper; multi-cut may end the node
//!  reduction                        reductions.rs    late moves less deep at first
//!  search_move                                       the windows: reduced, empty, open
//!  learn                                             histories, killers
//! ```

use arrayvec::ArrayVec;
use shakmaty::Move;

use super::{
    extensions::Extension,
    frame::extend_pv,
    history::{self, Context},
    negamax::no_moves,
    node::{Node, NodeKind, Pv, ZeroWindow},
    params::{deeper_margin, shallower_margin},
    picker::{Picker, is_tactical},
    watcher::{Skip, Watcher, Why},
    worker::Worker,
};
use crate::{
    eval::Evaluator,
    position::PackedMove,
    tt::{Bound, Entry},
    value::{DRAW, INFINITE, MATE_BOUND, Value, is_mate},
};

/// Moves that were searched and did not cause the cut-off, to be told so. Later ones are not worth remembering.
type Tried = ArrayVec<Move, 48>;

/// What the move loop of a node has found so far.
struct Found {
    best: Value,
    best_move: Option<Move>,
    /// The most that a futile move is worth; no more than alpha.
    assumed: Value,
    /// Moves looked at, skipped ones included.
    count: usize,
    quiets: Tried,
    tacticals: Tried,
}

impl Found {
    /// Moves are skipped, on the assumption that none of them is worth more than `at_most`.
    fn assume(&mut self, at_most: Option<Value>) {
        self.assumed = self.assumed.max(at_most.unwrap_or(-INFINITE));
    }
}

/// A move of the loop and what is known about it before it is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) m: Move,
    /// Its place in the order, from 1.
    pub(super) count: usize,
    pub(super) tactical: bool,
    /// How it fared so far.
    pub(super) history: i32,
    /// The part of `history` that is about the moves before it; 0 for tactical moves.
    pub(super) continuation: i32,
}

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    pub(super) fn search_moves<N: NodeKind>(&mut self, node: &mut Node) -> Value {
        let entry_alpha = node.alpha;
        let context = self.context(node.ply);
        let mut picker = Picker::new(node.tt_move, self.frames[node.ply].killers, context, self.moves);
        let mut found = Found {
            best: -INFINITE,
            best_move: None,
            assumed: -INFINITE,
            count: 0,
            quiets: Tried::new(),
            tacticals: Tried::new(),
        };
        loop {
            let safe = found.best > -MATE_BOUND;
            if safe {
                found.assume(self.skip_quiets::<N>(node, found.count, &mut picker));
            }
            let Some(m) = picker.next(&self.position, self.histories, self.moves) else { break };
            if Some(m) == node.excluded {
                continue;
            }
            found.count += 1;
            let good = picker.at_good_tactical();
            let candidate = self.candidate(context, m, found.count);
            if safe && !good && self.not_worth_it::<N>(node, candidate) {
                self.watcher.skipped(Skip::One(m), None);
                continue;
            }
            let extension = match self.extension::<N>(node, m) {
                Extension::Plies(plies) => plies,
                Extension::CutOff(value) => {
                    self.watcher.ended(Why::MultiCut);
                    picker.finish(self.moves);
                    return value;
                }
            };
            let reduction = if good { 0 } else { self.reduction::<N>(node, candidate) };
            let value = self.search_move::<N>(node, context, candidate, extension, reduction, found.best);
            if self.aborted {
                break;
            }
            if value > found.best {
                found.best = value;
                if value > node.alpha {
                    found.best_move = Some(m);
                    if N::PV {
                        extend_pv(self.frames, node.ply, m);
                    }
                    if value >= node.beta {
                        self.frames[node.ply].cut_offs += 1;
                        break;
                    }
                    node.alpha = value;
                }
            }
            let tried = if candidate.tactical { &mut found.tacticals } else { &mut found.quiets };
            let _ = tried.try_push(m);
        }
        picker.finish(self.moves);
        if self.aborted {
            return DRAW;
        }
        if found.count == 0 {
            return if node.excluded.is_some() { entry_alpha } else { no_moves(node) };
        }
        self.learn(node, context, &found);
        // How far the others fall short of an excluded move is a question about those that were searched.
        if node.excluded.is_none() {
            found.best = found.best.max(found.assumed);
            let bound = Bound::of(found.best, entry_alpha, node.beta);
            self.learn_error(node, &found, bound);
            self.remember_result(node, &found, bound);
        }
        found.best
    }

    pub(super) fn candidate(&self, context: Context, m: Move, count: usize) -> Candidate {
        let us = self.position.turn();
        if is_tactical(m) {
            let history = self.histories.capture(us, m);
            return Candidate { m, count, tactical: true, history, continuation: 0 };
        }
        let quiets = self.histories.quiets(us, context);
        let continuation = quiets.continuation(m);
        let history = quiets.butterfly(m) + continuation;
        Candidate { m, count, tactical: false, history, continuation }
    }

    /// Plays a move of `node` and searches what it leads to, `extension` plies deeper than usual: first, if `reduction`
    /// says so, less deep and with an empty window, then as deep and wide as its value demands.
    fn search_move<N: NodeKind>(
        &mut self,
        node: &Node,
        context: Context,
        Candidate { m, count, tactical, .. }: Candidate,
        extension: i32,
        reduction: i32,
        best: Value,
    ) -> Value {
        self.make(node.ply, m);
        let (alpha, beta, ply) = (node.alpha, node.beta, node.ply + 1);
        let mut depth = node.depth - 1 + extension;
        let reduction = self.spare_checks(reduction).min(depth - 1);
        let reduced = depth - reduction;
        let mut value = alpha;
        if reduction > 0 {
            value = -self.negamax::<ZeroWindow>(-alpha - 1, -alpha, reduced, ply, true);
            if value > alpha {
                // The surprise decides how far to follow it up.
                depth += i32::from(value > best + deeper_margin());
                depth -= i32::from(value < best + shallower_margin());
            }
        }
        let once_more = if reduction > 0 { value > alpha && depth > reduced } else { !N::PV || count > 1 };
        if once_more {
            value = -self.negamax::<ZeroWindow>(-alpha - 1, -alpha, depth, ply, !node.cut_node);
            if reduction > 0 && !tactical && !self.aborted {
                let bonus = if value > alpha { history::bonus(depth) } else { -history::malus(depth) };
                self.histories.update_continuation(context, m, bonus);
            }
        }
        if N::PV && (count == 1 || value > alpha) {
            value = -self.negamax::<Pv>(-beta, -alpha, depth, ply, false);
        }
        self.unmake();
        value
    }

    /// Tells the histories which move caused the cut-off and which ones, tried before it, did not.
    fn learn(&mut self, node: &Node, context: Context, found: &Found) {
        let Some(best) = found.best_move.filter(|_| found.best >= node.beta) else { return };
        let us = self.position.turn();
        let (bonus, malus) = (history::bonus(node.depth), history::malus(node.depth));
        if is_tactical(best) {
            self.histories.update_capture(us, best, bonus);
        } else {
            self.frames[node.ply].remember_killer(best);
            self.histories.update_quiet(us, context, best, bonus);
            for &m in &found.quiets {
                self.histories.update_quiet(us, context, m, -malus);
            }
        }
        for &m in &found.tacticals {
            self.histories.update_capture(us, m, -malus);
        }
    }

    /// Tells the corrections by how much the evaluation of `node` was wrong, where the result says so and no capture
    /// explains it.
    fn learn_error(&mut self, node: &Node, found: &Found, bound: Bound) {
        let (eval, value) = (node.static_eval, found.best);
        let says_nothing = match bound {
            Bound::Lower => value <= eval,
            Bound::Upper => value >= eval,
            Bound::Exact => false,
        };
        if node.in_check || says_nothing || is_mate(value) || found.best_move.is_some_and(is_tactical) {
            return;
        }
        self.histories.corrections.learn(&self.position, eval, value, node.depth);
    }

    fn remember_result(&self, node: &Node, found: &Found, bound: Bound) {
        let entry = Entry {
            m: found.best_move.and_then(PackedMove::new),
            value: found.best,
            raw_eval: node.raw_eval,
            depth: node.depth,
            bound: Some(bound),
            pv: node.near_pv,
        };
        self.remember(node.ply, entry);
    }
}
