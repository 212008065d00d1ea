//! What the nodes of the search teach the histories and the corrections.
//!
//! ```text
//!  learn                   a cut-off: bonus for its move, malus for those searched before it
//!  learn_from_table        a cut-off by the transposition table
//!  learn_from_eval         the opponent's last move, by the change of the static evaluation
//!  reward_unanswered_move  the opponent's last move, if no move reaches alpha
//!  learn_error             the correction of the static evaluation, by the result
//! ```

use super::{
    history,
    negamax::Found,
    node::{Frame, Node},
    params::{eval_history_bonus, eval_history_limit},
    watcher::Watcher,
    worker::Worker,
};
use crate::{
    chess::{position::is_tactical, value::is_known},
    engine::{
        eval::Evaluator,
        tt::{Bound, Entry},
    },
};

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// Updates the histories: a bonus for the move that caused the cut-off, a malus for the moves searched
    /// before it.
    pub(super) fn learn(&mut self, node: &Node, found: &Found) {
        let Some(best) = found.best_move.filter(|_| found.best >= node.beta) else { return };
        let us = self.position.turn();
        let (bonus, malus) = (history::bonus(node.depth), history::malus(node.depth));
        if is_tactical(best) {
            self.histories.update_capture(us, best, bonus);
        } else {
            let context = self.context(node.ply);
            self.histories.update_quiet(us, context, best, bonus);
            for &m in &found.quiets_tried {
                self.histories.update_quiet(us, context, m, -malus);
            }
        }
        for &m in &found.tacticals_tried {
            self.histories.update_capture(us, m, -malus);
        }
    }

    /// Gives the opponent's last move a bonus, if it is quiet, because no move of `node` reaches alpha. The
    /// parent gives its own bonus only to a move that causes a cut-off. The technique is known from
    /// Stockfish.
    pub(super) fn reward_unanswered_move(&mut self, node: &Node) {
        let Frame { quiet: Some(m), context: Some(context), .. } = self.frames[node.ply - 1] else { return };
        self.histories.update_quiet(!self.position.turn(), context, m, history::bonus(node.depth));
    }

    /// Updates the corrections by the error of the evaluation of `node`, if the result shows one and no
    /// capture explains it.
    pub(super) fn learn_error(&mut self, node: &Node, found: &Found, bound: Bound) {
        let (eval, value) = (node.static_eval, found.best);
        let says_nothing = match bound {
            Bound::Lower => value <= eval,
            Bound::Upper => value >= eval,
            Bound::Exact => false,
        };
        if node.in_check || says_nothing || is_known(value) || found.best_move.is_some_and(is_tactical) {
            return;
        }
        let recent = self.recent(node.ply);
        self.correction_history.learn(&self.position, recent, eval, value, node.depth);
    }

    /// Rewards a quiet table move that the table says reaches beta, and punishes the opponent's move that it
    /// refutes; not in quiescence.
    pub(super) fn learn_from_table(&mut self, node: &Node, entry: Entry) {
        if node.depth == 0 {
            return;
        }
        self.punish_refuted(node);
        if let Some(m) = self.tt_move(Some(entry)).filter(|&m| !is_tactical(m)) {
            let (us, context) = (self.position.turn(), self.context(node.ply));
            self.histories.update_quiet(us, context, m, history::bonus(node.depth));
        }
    }

    /// Gives the opponent's last move a malus in continuation history if it is quiet and among the first of
    /// its node. The table refutes it without a search, so the order was wrong. The technique is known from
    /// Stockfish.
    fn punish_refuted(&mut self, node: &Node) {
        const EARLY: u16 = 2;
        let Frame { quiet: Some(m), context: Some(context), number, .. } = self.frames[node.ply - 1] else {
            return;
        };
        if number <= EARLY {
            self.histories.update_continuation(context.recent, m, -history::malus(node.depth + 1));
        }
    }

    /// Updates the history of the opponent's last move, if it is quiet, by how much it changed the static
    /// evaluation.
    ///
    /// A move that makes the evaluation better for its side is likely to be good in similar positions,
    /// whatever the search below it finds. The technique is known from Stockfish.
    pub(super) fn learn_from_eval(&mut self, node: &Node) {
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
}

#[cfg(test)]
mod tests {
    use shakmaty::{Color, Move, Role, Square};

    use super::*;
    use crate::engine::search::{history::Context, node::ZeroWindow, worker::testing::below_root};

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
                worker.histories.quiets(Color::Black, Context::default()).move_history(PLAYED).total
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
        let history_after = |number, value| {
            below_root(MIDDLEGAME, |worker| {
                worker.frames[0] = Frame {
                    quiet: Some(PLAYED),
                    context: Some(Context::default()),
                    number,
                    ..Frame::default()
                };
                let bound = Some(if value > 0 { Bound::Lower } else { Bound::Upper });
                worker.remember(1, Entry { value, depth: 9, bound, ..Entry::default() });
                let mut node = Node::new(0, 1, 4, 1, false, false);
                assert!(worker.probe::<ZeroWindow>(&mut node).is_some());
                worker.histories.quiets(Color::Black, Context::default()).move_history(PLAYED).continuation
            })
        };
        assert!([1, 2].iter().all(|&number| history_after(number, 100) < 0));
        assert_eq!(history_after(3, 100), 0, "late moves are expected to be bad");
        assert_eq!(history_after(1, -100), 0, "it is not refuted");
    }
}
