//! One node of the search, as a list of named steps.
//!
//! ```text
//!  rules               draws, the maximum ply, mate distance           may end the node
//!  foresee_repetition  a move back to an earlier position              may end the node
//!  probe               the transposition table                         may end the node
//!  ask_tablebases      the endgame tables (tablebase.rs)               may end the node
//!  assess              static evaluation, improving
//!  learn_from_eval     history of the opponent's last move
//!  hindsight           corrects the reduction         (reductions.rs)
//!  prune               razoring, reverse futility,
//!                      null move, probcut             (pruning.rs)     may end the node
//!  internal_reduction                                 (reductions.rs)
//!  search_moves        skip, extend, reduce, search   (moves.rs)
//!  no_moves            mate or stalemate
//!  learn               history
//!  remember            store in the table
//! ```
//!
//! Principal-variation search: the first move of a node on the principal variation is searched with the open window.
//! Every other move is first searched with a zero window, to prove that it is no better. Values are fail-soft: a
//! value outside the window is the tightest bound the node could prove.
//!
//! Reference: chessprogramming.org, "Principal Variation Search" and "Fail-Soft".

use shakmaty::Move;

use super::{
    correction::corrected,
    frame::Frame,
    history,
    moves::Source,
    node::{Below, Node, NodeKind, Root},
    params::{eval_history_bonus, eval_history_limit, fifty_move_damping},
    picker::is_tactical,
    watcher::{Watcher, Why},
    worker::Worker,
};
use crate::{
    advice::likely,
    eval::Evaluator,
    position::Legality,
    tt::Entry,
    value::{DRAW, MAX_PLY, Value, mate_in, mated_in},
};

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// Returns the value of the current position for the side to move, searched `depth` plies with the window
    /// `alpha..beta`.
    #[inline]
    pub(super) fn negamax<N: Below>(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: i32,
        ply: usize,
        cut_node: bool,
    ) -> Value {
        let in_check = self.position.is_check();
        if depth <= 0 {
            return self.leaf::<N>(alpha, beta, ply);
        }
        self.visit(alpha, beta, depth, |worker| {
            worker.interior::<N>(&mut Node::new(alpha, beta, depth, ply, cut_node, in_check))
        })
    }

    /// Searches the root `depth` plies, less `reduction`, with the window `alpha..beta`. Its moves come from `source`; no
    /// step ends it early.
    pub(super) fn root(
        &mut self,
        alpha: Value,
        beta: Value,
        depth: i32,
        reduction: i32,
        source: &mut impl Source,
    ) -> Value {
        self.visit(alpha, beta, depth, |worker| {
            let depth = (depth - reduction).max(1);
            worker.watcher.reduced(depth);
            let mut node = Node::new(alpha, beta, depth, 0, false, worker.position.is_check());
            worker.enter::<Root>(0);
            worker.forget_grandchildren(0);
            worker.probe::<Root>(&mut node);
            node.tt_move = worker.tt_move(node.tt);
            worker.assess(&mut node);
            node.improving = true;
            let context = worker.context(0);
            worker.search_moves::<Root, _>(&mut node, context, source)
        })
    }

    /// Searches a node that is not a leaf, by the steps listed in the module documentation.
    #[inline(never)] // keeps `negamax` small enough to be inlined
    fn interior<N: Below>(&mut self, node: &mut Node) -> Value {
        self.enter::<N>(node.ply);
        self.forget_grandchildren(node.ply);
        if let Some(value) = self.rules(node) {
            return value;
        }
        if let Some(value) = self.foresee_repetition(node) {
            return value;
        }
        if let Some(value) = self.probe::<N>(node) {
            return value;
        }
        if let Some(value) = self.ask_tablebases::<N>(node) {
            return value;
        }
        node.tt_move = self.tt_move(node.tt);
        self.assess(node);
        self.learn_from_eval(node);
        self.hindsight(node);
        if let Some(value) = self.prune::<N>(node) {
            return value;
        }
        // The search may have ended below one of the captures searched.
        if self.aborted {
            return DRAW;
        }
        self.internal_reduction(node);
        self.watcher.reduced(node.depth);
        self.search_picked::<N>(node)
    }

    /// Begins a visit: clears the variation and what belongs to another node at `ply`.
    pub(super) fn enter<N: NodeKind>(&mut self, ply: usize) {
        self.seldepth = self.seldepth.max(ply);
        if N::PV {
            self.variations.clear(ply);
        }
        self.frames[ply].context = None;
    }

    /// Clears what nodes of another branch have left two plies below `ply`. Quiescence needs it neither for itself nor
    /// for the nodes below it.
    fn forget_grandchildren(&mut self, ply: usize) {
        if let Some(grandchild) = self.frames.get_mut(ply + 2) {
            grandchild.cut_offs = 0;
        }
    }

    /// Applies draws by rule, the maximum ply, then mate-distance pruning, which is sound: the best possible mate from
    /// here comes at the next ply. If a shorter mate is already known, this node cannot change the result.
    #[inline(always)]
    pub(super) fn rules(&mut self, node: &mut Node) -> Option<Value> {
        if self.aborted || (self.position.may_be_drawn() && self.is_draw(node.ply)) {
            self.watcher.ended(Why::Draw);
            return Some(DRAW);
        }
        if node.ply >= MAX_PLY {
            return Some(self.value_at_maximum(node));
        }
        if likely(self.techniques.mate_distance_pruning) {
            let alpha = node.alpha.max(mated_in(node.ply));
            let beta = node.beta.min(mate_in(node.ply + 1));
            if alpha >= beta {
                self.watcher.ended(Why::MateDistance);
                return Some(alpha);
            }
            (node.alpha, node.beta) = (alpha, beta);
        }
        None
    }

    /// The value of a node at the maximum ply, which is not searched.
    #[cold]
    fn value_at_maximum(&mut self, node: &Node) -> Value {
        if node.in_check { DRAW } else { self.evaluator.evaluate(&self.position) }
    }

    /// A side that has a move back to an earlier position has at least a draw.
    #[inline(always)]
    fn foresee_repetition(&mut self, node: &mut Node) -> Option<Value> {
        if node.alpha < DRAW && likely(self.techniques.repetition) && self.position.can_repeat(node.ply) {
            node.alpha = DRAW;
            if DRAW >= node.beta {
                self.watcher.ended(Why::Draw);
                return Some(DRAW);
            }
        }
        None
    }

    #[inline(never)]
    fn is_draw(&self, ply: usize) -> bool {
        self.position.is_draw_by_rule()
            || (likely(self.techniques.repetition) && self.position.is_repetition(ply))
    }

    /// Probes the transposition table. Off the principal variation its value ends the node if it is deep enough and the
    /// bound fits the window. On the principal variation no value ends the node, because the line itself is needed.
    #[inline(always)]
    pub(super) fn probe<N: NodeKind>(&mut self, node: &mut Node) -> Option<Value> {
        node.tt_pv = N::PV;
        let mut entry = self.shared.table.probe(self.position.table_key(), node.ply)?;
        // Near the limit of the fifty-move rule the values of the table cannot be trusted, because the key has only a part
        // of the counter.
        if self.position.halfmoves() >= 90 {
            entry.bound = None;
        }
        node.tt = Some(entry);
        node.tt_pv |= entry.pv;
        let usable = !N::PV && likely(self.techniques.table_cutoffs) && entry.depth >= node.depth;
        if usable && entry.bound.is_some_and(|bound| bound.settles(entry.value, node.alpha, node.beta)) {
            if entry.value >= node.beta {
                self.learn_from_table(node, entry);
            }
            self.watcher.ended(Why::Table);
            return Some(entry.value);
        }
        None
    }

    /// The move of `entry`, if it is legal here.
    #[inline]
    pub(super) fn tt_move(&self, entry: Option<Entry>) -> Option<Move> {
        entry.and_then(|entry| entry.m).and_then(|m| Legality::of(&self.position).unpack(m))
    }

    /// Rewards a quiet table move that the table says reaches beta, and punishes the opponent's move that it refutes; not
    /// in quiescence.
    #[inline(never)]
    fn learn_from_table(&mut self, node: &Node, entry: Entry) {
        if node.depth == 0 {
            return;
        }
        self.punish_refuted(node);
        if let Some(m) = self.tt_move(Some(entry)).filter(|&m| !is_tactical(m)) {
            let (us, context) = (self.position.turn(), self.context(node.ply));
            self.histories.update_quiet(us, context, m, history::bonus(node.depth));
        }
    }

    /// Gives the opponent's last move a malus in continuation history if it is quiet and among the first of its node. The
    /// table refutes it without a search, so the order was wrong. The technique is known from Stockfish.
    fn punish_refuted(&mut self, node: &Node) {
        const EARLY: u16 = 2;
        let Frame { quiet: Some(m), context: Some(context), count, .. } = self.frames[node.ply - 1] else {
            return;
        };
        if count <= EARLY {
            self.histories.update_continuation(context.recent, m, -history::malus(node.depth + 1));
        }
    }

    /// Computes the static evaluation, from the table if possible, and whether it improved since our last turn.
    #[inline(always)]
    pub(super) fn assess(&mut self, node: &mut Node) {
        if node.in_check {
            self.frames[node.ply].static_eval = None;
            return;
        }
        let eval = self.evaluate(node);
        node.eval = tighten(eval, node.tt);
        self.frames[node.ply].static_eval = Some(eval);
        let earlier = |plies| node.ply.checked_sub(plies).and_then(|ply| self.frames[ply].static_eval);
        node.improving = earlier(2).or_else(|| earlier(4)).is_some_and(|before| eval > before);
    }

    /// Updates the history of the opponent's last move, if it is quiet, by how much it changed the static evaluation.
    ///
    /// A move that makes the evaluation better for its side is likely to be good in similar positions, whatever the
    /// search below it finds. The technique is known from Stockfish.
    fn learn_from_eval(&mut self, node: &Node) {
        let Frame { static_eval: Some(before), quiet: Some(m), context: Some(context), .. } =
            self.frames[node.ply - 1]
        else {
            return;
        };
        if node.in_check {
            return;
        }
        let gain = -node.static_eval - before;
        let bonus = (gain * eval_history_bonus()).clamp(-eval_history_limit(), eval_history_limit());
        self.histories.update_from_to(!self.position.turn(), context.threats.all(), m, bonus);
    }

    /// The static evaluation of `node`, damped by the fifty-move rule and corrected by the correction history.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, node: &mut Node) -> Value {
        // Looked up first: the evaluator computes while the tables, which are large, arrive from memory.
        let corrects = likely(self.techniques.correction);
        let recent = self.recent(node.ply);
        node.correction = if corrects { self.histories.corrections.of(&self.position, recent) } else { 0 };
        let known = node.tt.and_then(|entry| entry.raw_eval);
        let raw_eval = known.unwrap_or_else(|| self.evaluator.evaluate(&self.position));
        node.raw_eval = Some(raw_eval);
        node.static_eval = corrected(self.damped(raw_eval), node.correction);
        node.static_eval
    }

    /// Reduces `eval` as the fifty-move counter grows: an advantage without progress may not be winnable.
    fn damped(&self, eval: Value) -> Value {
        if !likely(self.techniques.fifty_move_damping) {
            return eval;
        }
        // Only a root can be past the limit; its counter may be as large as a FEN allows.
        let halfmoves = self.position.halfmoves().min(100) as i32;
        eval - eval * halfmoves / fifty_move_damping()
    }
}

/// The value of a node without legal moves: mate or stalemate.
pub(super) fn no_moves(node: &Node) -> Value {
    if node.in_check { mated_in(node.ply) } else { DRAW }
}

/// Returns the evaluation, replaced by the table's value if that bounds it more tightly.
pub(super) fn tighten(eval: Value, entry: Option<Entry>) -> Value {
    let bounded = entry.and_then(|entry| Some((entry.bound?, entry.value)));
    bounded.map_or(eval, |(bound, value)| bound.tighten(eval, value))
}

#[cfg(test)]
mod tests {
    use shakmaty::{Color, Role, Square};

    use super::*;
    use crate::{
        search::{history::Context, node::ZeroWindow, worker::testing::below_root},
        tt::Bound,
    };

    const MIDDLEGAME: &str = "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7";

    /// A quiet move of Black that may have led to [`MIDDLEGAME`].
    const PLAYED: Move =
        Move::Normal { role: Role::Bishop, from: Square::F8, capture: None, to: Square::C5, promotion: None };

    #[test]
    fn a_quiet_move_that_improves_the_evaluation_of_its_side_gains_history() {
        let history_after = |before, now, in_check| {
            below_root(MIDDLEGAME, |worker| {
                let frame = Frame {
                    static_eval: before,
                    quiet: Some(PLAYED),
                    context: Some(Context::default()),
                    ..Frame::default()
                };
                worker.frames[0] = frame;
                worker.learn_from_eval(&Node { static_eval: now, ..Node::new(0, 1, 4, 1, false, in_check) });
                worker.histories.quiets(Color::Black, Context::default()).experience(PLAYED).history
            })
        };
        // Values are for the side to move: the opponent before the move, then our side.
        assert_eq!(history_after(Some(20), -50, false), 30 * eval_history_bonus());
        assert_eq!(history_after(Some(20), 10, false), -30 * eval_history_bonus());
        assert_eq!(history_after(Some(0), -2000, false), eval_history_limit(), "a limit");
        assert_eq!(history_after(None, -50, false), 0, "unknown before");
        assert_eq!(history_after(Some(20), 0, true), 0, "unknown now");
    }

    #[test]
    fn an_early_move_that_the_table_refutes_loses_history() {
        let history_after = |count, value| {
            below_root(MIDDLEGAME, |worker| {
                worker.frames[0] = Frame {
                    quiet: Some(PLAYED),
                    context: Some(Context::default()),
                    count,
                    ..Frame::default()
                };
                let bound = Some(if value > 0 { Bound::Lower } else { Bound::Upper });
                worker.remember(1, Entry { value, depth: 9, bound, ..Entry::default() });
                let mut node = Node::new(0, 1, 4, 1, false, false);
                assert!(worker.probe::<ZeroWindow>(&mut node).is_some());
                worker.histories.quiets(Color::Black, Context::default()).experience(PLAYED).continuation
            })
        };
        assert!([1, 2].iter().all(|&count| history_after(count, 100) < 0));
        assert_eq!(history_after(3, 100), 0, "late moves are expected to be bad");
        assert_eq!(history_after(1, -100), 0, "it is not refuted");
    }

    #[test]
    fn near_the_fifty_move_limit_no_value_comes_from_the_table() {
        for (halfmoves, trusted) in [(89, true), (90, false)] {
            below_root(&format!("8/8/8/8/8/4k3/8/R2K4 w - - {halfmoves} 80"), |worker| {
                let known =
                    Entry { raw_eval: Some(50), depth: 9, bound: Some(Bound::Lower), ..Entry::default() };
                worker.remember(1, Entry { value: 2000, ..known });
                let mut node = Node::new(0, 1, 4, 1, false, false);
                assert_eq!(worker.probe::<ZeroWindow>(&mut node).is_some(), trusted, "{halfmoves}");
                worker.assess(&mut node);
                assert_eq!(node.eval == 2000, trusted, "{halfmoves}: {}", node.eval);
                assert_eq!(node.raw_eval, Some(50), "what does not depend on the counter is used");
            });
        }
    }
}
