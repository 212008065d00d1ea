//! One node of the search, as a list of named steps.
//!
//! ```text
//!  rules               draws, the maximum ply, mate distance           may end the node
//!  upcoming_repetition a move back to an earlier position              may end the node
//!  look_up_correction  the correction of the static evaluation
//!  probe               the transposition table                         may end the node
//!  probe_tablebases    the endgame tables                              may end the node
//!  assess              static evaluation, improving
//!  learn_from_eval     history of the opponent's last move  (learning.rs)
//!  hindsight           corrects the reduction         (reductions.rs)
//!  prune               razoring, reverse futility,
//!                      null move, probcut             (pruning.rs)     may end the node
//!  internal_reduction                                 (reductions.rs)
//!  search_moves        for each move:
//!    skip_quiets       are the remaining quiet moves worth it?    (pruning.rs)
//!    pick              the next move                              (picker)
//!    decide            skip it, cut off, or how deep?             (decision.rs)  may end the node: multi-cut
//!    search_move       the zero windows: reduced, then full depth; then the open window
//!  conclude            mate or stalemate; histories (learning.rs); the entry of the table
//! ```
//!
//! Principal-variation search: the first move of a node on the principal variation is searched with the open
//! window. Every other move is first searched with a zero window, to prove that it is no better. Values are
//! fail-soft: a value outside the window is the tightest bound the node could prove.
//!
//! The root uses the same loop. Its moves come in the order of the deepening, and their results are stored
//! (root.rs).
//!
//! Reference: chessprogramming.org, "Principal Variation Search" and "Fail-Soft".

use arrayvec::ArrayVec;
use shakmaty::{Move, Position as _};

use super::{
    correction::corrected,
    decision::{Decision, Depths},
    history::{self, MoveHistory},
    node::{Node, NodeKind, NotRoot, ZeroWindow},
    params::fifty_move_damping,
    picker::{Candidate, Picker},
    watcher::{Skip, Visit, Watcher, Why},
    worker::Worker,
};
use crate::{
    chess::{
        position::{Legality, PackedMove, is_tactical},
        value::{DECIDED, DRAW, INFINITE, KNOWN_WIN, MAX_PLY, Value, is_known, mate_in, mated_in},
    },
    engine::{
        eval::{Evaluator, endgame::bare_king_draws},
        tt::{Bound, Entry},
    },
};

/// Moves that were searched without a cut-off, for the history malus. Later moves are not recorded.
type Tried = ArrayVec<Move, 48>;

/// The state of the move loop of a node.
pub(super) struct Found {
    pub(super) best: Value,
    pub(super) best_move: Option<Move>,
    /// The upper bound of the moves skipped as futile; at most alpha.
    assumed: Value,
    /// The number of moves so far, skipped ones included.
    pub(super) count: usize,
    pub(super) quiets_tried: Tried,
    pub(super) tacticals_tried: Tried,
}

impl Found {
    fn new() -> Self {
        Self {
            best: -INFINITE,
            best_move: None,
            assumed: -INFINITE,
            count: 0,
            quiets_tried: Tried::new(),
            tacticals_tried: Tried::new(),
        }
    }

    /// Whether a move of `node` has been found that does not get us mated, nor into a known loss where the
    /// evaluation sees none, so that others may be skipped.
    pub(super) fn is_safe(&self, node: &Node) -> bool {
        let is_lost = !node.in_check && node.eval <= -KNOWN_WIN;
        self.best > if is_lost { -DECIDED } else { -KNOWN_WIN }
    }

    /// Records that moves are skipped, on the assumption that each is worth at most `at_most`.
    pub(super) fn assume_at_most(&mut self, at_most: Value) {
        self.assumed = self.assumed.max(at_most);
    }
}

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// Returns the value of the current position for the side to move, searched `depth` plies with the window
    /// `alpha..beta`.
    #[inline]
    pub(super) fn negamax<N: NotRoot>(
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
        self.watcher.enter(Visit { alpha, beta, depth });
        let value = self.interior::<N>(&mut Node::new(alpha, beta, depth, ply, cut_node, in_check));
        self.watcher.leave(value);
        value
    }

    /// Searches a node that is not a leaf, by the steps listed in the module documentation.
    fn interior<N: NotRoot>(&mut self, node: &mut Node) -> Value {
        self.enter::<N>(node.ply);
        self.clear_grandchildren(node.ply);
        if let Some(value) = self.rules(node) {
            return value;
        }
        if let Some(value) = self.upcoming_repetition(node) {
            return value;
        }
        self.look_up_correction(node);
        if let Some(value) = self.probe::<N>(node) {
            return value;
        }
        if let Some(value) = self.probe_tablebases::<N>(node) {
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

    /// Clears what nodes of another branch have left two plies below `ply`. Quiescence needs it neither for
    /// itself nor for the nodes below it.
    pub(super) fn clear_grandchildren(&mut self, ply: usize) {
        if let Some(grandchild) = self.frames.get_mut(ply + 2) {
            grandchild.cut_offs = 0;
        }
    }

    /// Applies draws by rule, known draws, the maximum ply, then mate-distance pruning, which is sound: the
    /// best possible mate from here comes at the next ply. If a shorter mate is already known, this node
    /// cannot change the result.
    pub(super) fn rules(&mut self, node: &mut Node) -> Option<Value> {
        if self.aborted || (self.position.may_be_drawn() && self.is_draw(node.ply)) {
            self.watcher.ended(Why::Draw);
            return Some(DRAW);
        }
        if self.techniques.known_draws && bare_king_draws(&self.position) {
            self.watcher.ended(Why::Draw);
            return Some(DRAW);
        }
        if node.ply >= MAX_PLY {
            return Some(self.value_at_maximum(node));
        }
        if self.techniques.mate_distance_pruning {
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
    fn value_at_maximum(&mut self, node: &Node) -> Value {
        if node.in_check { DRAW } else { self.evaluator.evaluate(&self.position) }
    }

    /// A side that has a move back to an earlier position has at least a draw.
    fn upcoming_repetition(&mut self, node: &mut Node) -> Option<Value> {
        if node.alpha < DRAW && self.techniques.repetition && self.position.can_repeat(node.ply) {
            node.alpha = DRAW;
            if DRAW >= node.beta {
                self.watcher.ended(Why::Draw);
                return Some(DRAW);
            }
        }
        None
    }

    fn is_draw(&self, ply: usize) -> bool {
        self.position.is_draw_by_rule() || (self.techniques.repetition && self.position.is_repetition(ply))
    }

    /// Looks up the correction of the static evaluation of `node`; before the transposition table is probed,
    /// so that the processor waits for the memory of both at the same time.
    pub(super) fn look_up_correction(&mut self, node: &mut Node) {
        if self.techniques.correction {
            node.correction = self.correction_history.of(&self.position, self.recent(node.ply));
        }
    }

    /// Probes the transposition table. Off the principal variation its value ends the node if it is deep
    /// enough and the bound fits the window. On the principal variation no value ends the node, because the
    /// line itself is needed.
    pub(super) fn probe<N: NodeKind>(&mut self, node: &mut Node) -> Option<Value> {
        node.tt_pv = N::PV;
        let entry = self.shared.table.probe(self.position.table_key(), node.ply)?;
        node.tt = Some(entry);
        node.tt_pv |= entry.pv;
        let usable = !N::PV && self.techniques.table_cutoffs && entry.depth >= node.depth;
        if usable && entry.bound.is_some_and(|bound| bound.suffices(entry.value, node.alpha, node.beta)) {
            if entry.value >= node.beta {
                self.learn_from_table(node, entry);
            }
            self.watcher.ended(Why::Table);
            return Some(entry.value);
        }
        None
    }

    /// Probes the endgame tables. Their result ends a node if it is a draw or its bound is outside the
    /// window. Otherwise, on the principal variation, it bounds the value of the node.
    fn probe_tablebases<N: NodeKind>(&mut self, node: &mut Node) -> Option<Value> {
        let tables = self.shared.tablebases;
        let probe = tables.for_node(&self.position, node.depth)?;
        let wdl = probe.wdl(self.position.chess());
        // On a slow disk a probe takes longer than thousands of nodes.
        self.check_end();
        if self.aborted {
            return Some(DRAW);
        }
        let value = tables.value(wdl?, node.ply);
        self.shared.count_table_hit();
        let bound = match value {
            DRAW => Bound::Exact,
            value if value > DRAW => Bound::Lower,
            _ => Bound::Upper,
        };
        if bound.suffices(value, node.alpha, node.beta) {
            // A draw is exact; a win may be improved to a mate.
            let depth = if bound == Bound::Exact { MAX_PLY as i32 } else { node.depth };
            let pv = node.tt_pv;
            self.remember(node.ply, Entry { value, depth, bound: Some(bound), pv, ..Entry::default() });
            self.watcher.ended(Why::Tablebase);
            return Some(value);
        }
        if N::PV && bound == Bound::Lower {
            node.floor = value;
            node.alpha = node.alpha.max(value);
        } else if N::PV {
            node.ceiling = value;
        }
        None
    }

    /// The move of `entry`, if it is legal here.
    #[inline]
    pub(super) fn tt_move(&self, entry: Option<Entry>) -> Option<Move> {
        entry.and_then(|entry| entry.m).and_then(|m| Legality::of(&self.position).unpack(m))
    }

    /// Computes the static evaluation, from the table if possible, and whether it improved since our last
    /// turn.
    pub(super) fn assess(&mut self, node: &mut Node) {
        if node.in_check {
            self.frames[node.ply].static_eval = None;
            return;
        }
        let eval = self.evaluate(node);
        node.eval = node.tightened_eval();
        self.frames[node.ply].static_eval = Some(eval);
        let earlier = |plies| node.ply.checked_sub(plies).and_then(|ply| self.frames[ply].static_eval);
        node.improving = earlier(2).or_else(|| earlier(4)).is_some_and(|before| eval > before);
    }

    /// The static evaluation of `node`, damped by the fifty-move rule and corrected by its correction, unless
    /// it is a known win.
    pub(super) fn evaluate(&mut self, node: &mut Node) -> Value {
        let known = node.tt.and_then(|entry| entry.raw_eval).or(node.raw_eval);
        let raw_eval = known.unwrap_or_else(|| self.evaluator.evaluate(&self.position));
        node.raw_eval = Some(raw_eval);
        let is_known_win = is_known(raw_eval) && !self.may_be_too_late();
        node.static_eval = match is_known_win {
            true => raw_eval,
            false => corrected(self.damped(ordinary_part(raw_eval)), node.correction),
        };
        node.static_eval
    }

    /// Whether a known win may fail by the fifty-move rule: no pawn can reset the counter, and few moves are
    /// left.
    fn may_be_too_late(&self) -> bool {
        /// Fewer plies are left than many mates of a bare king take.
        const LATE: u32 = 80;
        self.techniques.fifty_move_damping
            && self.position.halfmoves() >= LATE
            && self.position.chess().board().pawns().is_empty()
    }

    /// Reduces `eval` as the fifty-move counter grows: an advantage without progress may not be winnable.
    fn damped(&self, eval: Value) -> Value {
        if !self.techniques.fifty_move_damping {
            return eval;
        }
        // Only a root can be past the limit; its counter may be as large as a FEN allows.
        let halfmoves = self.position.halfmoves().min(100) as i32;
        eval - eval * halfmoves / fifty_move_damping()
    }

    /// Searches the moves of `node` in the order of a new picker.
    pub(super) fn search_picked<N: NodeKind>(&mut self, node: &mut Node) -> Value {
        let mut picker = Picker::new(node.tt_move, self.context(node.ply), self.moves);
        picker.exclude(node.excluded);
        let value = self.search_moves::<N>(node, &mut picker);
        picker.finish(self.moves);
        value
    }

    /// Searches the moves of `node` again, with a zero window and without the steps before them.
    pub(super) fn search_again(&mut self, mut node: Node) -> Value {
        self.watcher.enter(Visit { alpha: node.alpha, beta: node.beta, depth: node.depth });
        let value = self.search_picked::<ZeroWindow>(&mut node);
        self.watcher.leave(value);
        value
    }

    /// Searches the moves of `node` that `picker` returns, until one of them reaches beta.
    #[inline]
    pub(super) fn search_moves<N: NodeKind>(&mut self, node: &mut Node, picker: &mut Picker) -> Value {
        let entry_alpha = node.alpha;
        let mut found = Found::new();
        loop {
            self.skip_quiets::<N>(node, &mut found, picker);
            let Some(candidate) = self.pick::<N>(node, &mut found, picker) else { break };
            let Candidate { m, number, tactical, .. } = candidate;
            self.prefetch(m);
            let depths = match self.decide::<N>(node, candidate, found.is_safe(node)) {
                Decision::Search(depths) => depths,
                Decision::Skip => {
                    self.watcher.skipped(Skip::One(m), None);
                    continue;
                }
                Decision::CutOff(value) => {
                    self.watcher.ended(Why::MultiCut);
                    return value;
                }
            };
            self.frames[node.ply].number = number as u16;
            self.make(node.ply, m);
            let value = self.search_move::<N>(node, candidate, depths, found.best);
            self.unmake();
            if self.aborted {
                return DRAW;
            }
            if N::ROOT {
                self.end_root_move(node, value);
            }
            if self.causes_cut_off::<N>(node, &mut found, m, value) {
                break;
            }
            let tried = if tactical { &mut found.tacticals_tried } else { &mut found.quiets_tried };
            let _ = tried.try_push(m);
        }
        self.conclude::<N>(node, &mut found, entry_alpha)
    }

    /// Returns the next move of `node`, and counts it in `found`.
    #[inline]
    fn pick<N: NodeKind>(
        &mut self,
        node: &Node,
        found: &mut Found,
        picker: &mut Picker,
    ) -> Option<Candidate> {
        let m = picker.next(&self.position, self.histories, self.moves)?;
        found.count += 1;
        let move_history = picker.move_history(self.moves).unwrap_or_else(|| self.move_history(node.ply, m));
        let tactical = is_tactical(m);
        let good =
            if N::ROOT { tactical && self.position.see_at_least(m, 0) } else { picker.at_good_tactical() };
        if N::ROOT {
            self.begin_root_move(found.count);
        }
        Some(Candidate { m, number: found.count, tactical, good, move_history })
    }

    /// Records the `value` of move `m` of `node`, and returns whether it reaches beta.
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

    /// Returns the value of `node` after the search of its moves, learns from it, and stores it. The search
    /// began with the lower bound `entry_alpha`.
    fn conclude<N: NodeKind>(&mut self, node: &Node, found: &mut Found, entry_alpha: Value) -> Value {
        if found.count == 0 {
            return if node.excluded.is_some() { entry_alpha } else { node.value_without_moves() };
        }
        if N::PV {
            found.best = found.best.clamp(node.floor, node.ceiling);
        }
        self.learn(node, found);
        if !N::ROOT && node.excluded.is_none() && found.best <= entry_alpha {
            self.reward_unanswered_move(node);
        }
        // With an excluded move the result must be that of the searched moves alone.
        if node.excluded.is_none() && (!N::ROOT || self.root_moves.are_all()) {
            found.best = found.best.max(found.assumed);
            let bound = Bound::of(found.best, entry_alpha, node.beta);
            self.learn_error(node, found, bound);
            self.remember_result(node, found, bound);
        }
        found.best
    }

    /// The history of a move of the node at `ply`.
    pub(super) fn move_history(&mut self, ply: usize, m: Move) -> MoveHistory {
        let context = self.context(ply);
        self.histories.move_history(self.position.turn(), context, m)
    }

    /// Searches the move of `node` just made, and returns its value: with a zero window to the depth of the
    /// scout; if it exceeds alpha, to the full depth; and with the window of the node if it exceeds alpha
    /// still. The first move of an open window is searched with that window at once. `best` is the best value
    /// so far.
    fn search_move<N: NodeKind>(
        &mut self,
        node: &Node,
        candidate: Candidate,
        depths: Depths,
        best: Value,
    ) -> Value {
        let (alpha, ply) = (node.alpha, node.ply + 1);
        let Candidate { m, number, tactical, .. } = candidate;
        let (scout, mut full) = depths.scout_and_full(self.position.is_check());
        let mut value = alpha;
        let reduced = scout < full;
        if reduced {
            self.frames[node.ply].reduction = full - scout;
            value = -self.negamax::<ZeroWindow>(-alpha - 1, -alpha, scout, ply, true);
            self.frames[node.ply].reduction = 0;
            if value > alpha {
                full = depths.after_scout(value, best);
            }
        }
        let once_more = if reduced { value > alpha } else { !N::PV || number > 1 };
        if once_more {
            value = -self.negamax::<ZeroWindow>(-alpha - 1, -alpha, full, ply, !node.cut_node);
            if reduced && !tactical && !self.aborted {
                let bonus = if value > alpha { history::bonus(full) } else { -history::malus(full) };
                self.histories.update_continuation(self.recent(node.ply), m, bonus);
            }
        }
        if N::PV && !self.aborted && (number == 1 || value > alpha) {
            if N::ROOT && number > 1 {
                self.keep_lower_bound(value);
            }
            value = -self.negamax::<N::Child>(-node.beta, -alpha, full, ply, false);
        }
        value
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

/// The value of a known win without what makes it one: material, and how near the mate is.
fn ordinary_part(eval: Value) -> Value {
    if is_known(eval) { eval - eval.signum() * KNOWN_WIN } else { eval }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::search::worker::testing::below_root;

    #[test]
    fn a_known_win_is_doubted_when_few_moves_are_left() {
        let evaluated =
            |fen| below_root(fen, |worker| worker.evaluate(&mut Node::new(0, 1, 4, 1, false, false)));
        assert!(evaluated("8/8/8/4k3/8/8/8/KR6 w - - 60 60") >= KNOWN_WIN);
        assert!((1..1000).contains(&evaluated("8/8/8/4k3/8/8/8/KR6 w - - 90 60")));
        assert!((-1000..0).contains(&evaluated("8/8/8/4k3/8/8/8/KR6 b - - 90 60")));
        let with_pawn = evaluated("8/8/8/4k3/8/P7/8/KR6 w - - 90 60");
        assert!(with_pawn >= KNOWN_WIN, "its moves reset the counter: {with_pawn}");
    }

    /// A move into a known loss is no reason to skip the others.
    #[test]
    fn nothing_is_skipped_before_a_move_that_holds() {
        let safe = |best, eval| {
            Found { best, ..Found::new() }.is_safe(&Node { eval, ..Node::new(0, 1, 4, 1, false, false) })
        };
        assert!(safe(-500, 0) && !safe(-KNOWN_WIN, 0) && !safe(-DECIDED, -KNOWN_WIN));
        assert!(safe(-KNOWN_WIN, -KNOWN_WIN), "all moves lose");
        let in_check = Node::new(0, 1, 4, 1, false, true);
        assert!(!Found { best: -KNOWN_WIN, ..Found::new() }.is_safe(&in_check), "nothing is known of it");
    }
}
