//! Quiescence search: resolves captures at the leaves.
//!
//! A static evaluation means little while pieces are being exchanged. The side to move may *stand pat* on it,
//! or search the captures, and the promotions to a queen, that do not lose material. In check it may not
//! stand pat. It then searches all captures and promotions, and quiet moves until it finds a move after which
//! it is neither mated nor known to be lost.
//!
//! Delta pruning skips captures whose maximum gain leaves the value below alpha. The value of the node is
//! then at least the value assumed with that gain. Captures that lose material, and late ones, are assumed to
//! be no better than standing pat.
//!
//! With dozens of queens on the board the captures have no end that a search could reach. After
//! [`MOST_NODES`] the positions that are not in check therefore stand pat.
//!
//! Reference: chessprogramming.org, "Quiescence Search" and "Delta Pruning".

use shakmaty::{Move, Position as _, Role};

use super::{
    history_value::RecentMoves,
    node::{Node, NodeKind},
    params::delta_margin,
    picker::Picker,
    watcher::{Skip, Visit, Watcher, Why},
    worker::Worker,
};
use crate::{
    chess::{
        position::{Legality, PackedMove, see::material_gain},
        value::{DRAW, EVAL_LIMIT, INFINITE, KNOWN_WIN, Value, material_value},
    },
    engine::{
        eval::Evaluator,
        tt::{Bound, Entry},
    },
};

/// The nodes after which a quiescence search takes no more pieces. Of 25 million searches in games, studies
/// and tactical positions the largest visited 1,139 nodes.
const MOST_NODES: u64 = 2_000;

/// After this many captures of a node, only those that give check or take the piece that moved last are
/// searched.
const MOST_CAPTURES: usize = 3;

/// Delta pruning: the assumed maximum of `node` after a capture that wins `gain`.
fn after_gain(node: &Node, gain: Value) -> Value {
    (node.eval + delta_margin() + gain).min(EVAL_LIMIT)
}

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// The value at the end of the main search: by quiescence, or by the static evaluation if quiescence is
    /// off.
    pub(super) fn leaf<N: NodeKind>(&mut self, alpha: Value, beta: Value, ply: usize) -> Value {
        if self.techniques.quiescence {
            self.quiescence_end = self.nodes + MOST_NODES;
            return self.quiescence::<N>(alpha, beta, ply);
        }
        self.watcher.enter(Visit { alpha, beta, depth: 0 });
        let value = self.evaluate_leaf::<N>(alpha, beta, ply);
        self.watcher.leave(value);
        value
    }

    fn evaluate_leaf<N: NodeKind>(&mut self, alpha: Value, beta: Value, ply: usize) -> Value {
        let mut node = self.leaf_node(alpha, beta, ply);
        self.enter::<N>(ply);
        if let Some(value) = self.rules(&mut node) {
            return value;
        }
        let alive = Legality::of(&self.position).any_move();
        self.look_up_correction(&mut node);
        if alive { self.evaluate(&mut node) } else { node.value_without_moves() }
    }

    fn leaf_node(&self, alpha: Value, beta: Value, ply: usize) -> Node {
        Node::new(alpha, beta, 0, ply, false, self.position.is_check())
    }

    /// Returns the value of the current position by quiescence search with the window `alpha..beta`.
    fn quiescence<N: NodeKind>(&mut self, alpha: Value, beta: Value, ply: usize) -> Value {
        self.watcher.enter(Visit { alpha, beta, depth: 0 });
        let value = self.quiescence_node::<N>(alpha, beta, ply);
        self.watcher.leave(value);
        value
    }

    fn quiescence_node<N: NodeKind>(&mut self, alpha: Value, beta: Value, ply: usize) -> Value {
        let mut node = self.leaf_node(alpha, beta, ply);
        self.enter::<N>(ply);
        if let Some(value) = self.rules(&mut node) {
            return value;
        }
        self.look_up_correction(&mut node);
        // Most nodes need it, though some find it in the table, whose memory arrives meanwhile.
        node.raw_eval = (!node.in_check).then(|| self.evaluator.evaluate(&self.position));
        if let Some(value) = self.probe::<N>(&mut node) {
            return value;
        }
        let entry_alpha = node.alpha;
        let mut best = -INFINITE;
        if !node.in_check {
            best = self.stand_pat::<N>(&mut node);
            let enough = self.nodes >= self.quiescence_end;
            if best >= node.beta || enough {
                self.watcher.ended(Why::StandPat);
                if node.tt.is_none() && !enough {
                    self.remember_leaf(&node, best, None, Bound::Lower);
                }
                return best;
            }
            node.alpha = node.alpha.max(best);
        }
        let (best, best_move) = self.quiescence_moves::<N>(&mut node, best);
        if self.aborted {
            return DRAW;
        }
        if best == -INFINITE {
            return node.value_without_moves();
        }
        self.remember_leaf(&node, best, best_move, Bound::of(best, entry_alpha, node.beta));
        best
    }

    /// The value of standing pat.
    ///
    /// The table may have a better value than the evaluator, but on the principal variation a value needs its
    /// line.
    fn stand_pat<N: NodeKind>(&mut self, node: &mut Node) -> Value {
        let eval = self.evaluate(node);
        node.eval = if N::PV { eval } else { node.tightened_eval() };
        node.eval
    }

    /// Searches the tactical moves of `node` (in check: all moves) and returns the best value and its move.
    fn quiescence_moves<N: NodeKind>(
        &mut self,
        node: &mut Node,
        mut best: Value,
    ) -> (Value, Option<PackedMove>) {
        let entry_alpha = node.alpha;
        let (mut best_move, mut assumed) = (None, -INFINITE);
        let mut picker = if node.in_check {
            node.tt_move = self.tt_move(node.tt);
            let context = self.context(node.ply);
            Picker::new(node.tt_move, context, self.moves)
        } else {
            let tactical = |entry: &Entry| entry.m.is_some_and(|m| self.position.may_be_tactical(m));
            node.tt_move = self.tt_move(node.tt.filter(tactical));
            let losing = !self.techniques.see_pruning;
            Picker::tacticals(node.tt_move, self.least_gain(node), losing, self.moves)
        };
        let mut searched = 0;
        while let Some(m) = picker.next(&self.position, self.histories, self.moves) {
            if !node.in_check && material_gain(m) < self.least_gain(node) {
                assumed = assumed.max(after_gain(node, material_gain(m)));
                continue;
            }
            if searched >= MOST_CAPTURES && self.is_one_of_many(node, m) {
                continue;
            }
            searched += 1;
            self.prefetch(m);
            self.make(node.ply, m);
            let value = -self.quiescence::<N>(-node.beta, -node.alpha, node.ply + 1);
            self.unmake();
            if self.aborted {
                break;
            }
            if value > best {
                best = value;
                if value > node.alpha {
                    best_move = PackedMove::new(m);
                    if N::PV {
                        self.variations.extend(node.ply, m);
                    }
                    if value >= node.beta {
                        break;
                    }
                    node.alpha = value;
                }
            }
            // Once an evasion avoids mate and known losses, the remaining quiet ones are skipped.
            if node.in_check && best > -KNOWN_WIN && picker.may_have_quiets() {
                self.watcher.skipped(Skip::Evasions, None);
                picker.skip_quiets();
            }
        }
        picker.finish(self.moves);
        if best <= entry_alpha && !node.in_check {
            assumed = assumed.max(self.assumed_of_small_victims(node));
            if assumed > -INFINITE {
                self.watcher.skipped(Skip::Small, Some(assumed));
            }
            best = best.max(assumed);
        }
        (best, best_move)
    }

    /// Whether `m`, which comes after [`MOST_CAPTURES`] others, is skipped.
    fn is_one_of_many(&self, node: &Node, m: Move) -> bool {
        let RecentMoves([last, ..]) = self.recent(node.ply);
        self.techniques.few_captures
            && !node.in_check
            && last.to() != Some(m.to())
            && !self.position.gives_check(m)
    }

    /// The assumed maximum of `node` after capturing a piece that is too small for delta pruning, if no move
    /// has raised alpha.
    fn assumed_of_small_victims(&self, node: &Node) -> Value {
        let board = self.position.chess().board();
        let theirs = board.by_color(!self.position.turn());
        let least_gain = self.least_gain(node);
        let small = |role: &Role| material_value(*role) < least_gain && (theirs & board.by_role(*role)).any();
        let most = [Role::Queen, Role::Rook, Role::Bishop, Role::Knight, Role::Pawn].into_iter().find(small);
        most.map_or(-INFINITE, |role| after_gain(node, material_value(role)))
    }

    /// Delta pruning: the minimum gain, in centipawns, with which a capture might reach alpha. Not of a bare
    /// king, whose only capture may be all that is needed for a draw, nor where a capture may leave one,
    /// which is worth far more than it takes.
    fn least_gain(&self, node: &Node) -> Value {
        let theirs = self.position.chess().board().by_color(!self.position.turn());
        let applies = self.techniques.delta_pruning && node.eval > -KNOWN_WIN && theirs.count() > 2;
        if applies { node.alpha - node.eval - delta_margin() } else { 0 }
    }

    fn remember_leaf(&self, node: &Node, value: Value, m: Option<PackedMove>, bound: Bound) {
        let (raw_eval, pv) = (node.raw_eval, node.tt_pv);
        let entry = Entry { m, value, raw_eval, depth: 0, bound: Some(bound), pv };
        self.remember(node.ply, entry);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::search::{history_value::MoveRow, worker::testing::below_root};

    #[test]
    fn late_captures_are_skipped_unless_they_check_or_take_the_piece_that_moved_last() {
        below_root("4k3/2n5/8/1N1q2b1/8/6P1/3R1B1P/4K3 w - - 0 1", |worker| {
            let find = |m| worker.position.find_move(m).unwrap();
            let [check, rook, bishop] = ["b5c7", "d2d5", "f2g1"].map(find);
            let node = Node::new(0, 1, 0, 1, false, false);
            assert!(worker.is_one_of_many(&node, rook));
            assert!(!worker.is_one_of_many(&node, check));
            worker.played.set(0, MoveRow::new(!worker.position.turn(), rook));
            assert!(!worker.is_one_of_many(&node, rook), "it takes the piece that went to d5");
            assert!(worker.is_one_of_many(&node, bishop));
            worker.techniques.few_captures = false;
            assert!(!worker.is_one_of_many(&node, bishop));
        });
    }
}
