//! Short mates, proved by the mate solver beside the ordinary search.
//!
//! In a won position the ordinary search prunes many quiet moves, and may find a mate in three with a quiet move many
//! iterations too late. The mate solver finds such a mate in a few thousand nodes. The last thread therefore runs it
//! between two iterations. Of several threads this is not the leader, and the solver visits all its nodes at once. A single
//! thread leads, so the solver visits only some of its nodes after each iteration. A proved mate ends the search.

use shakmaty::Move;

use super::{
    clock::Clock,
    mate::{Proof, Solver},
    watcher::Watcher,
    worker::Worker,
};
use crate::{
    eval::Evaluator,
    value::{Value, mate_in},
};

/// The longest mates that are looked for, in moves.
const MOVES: u32 = 3;

/// The value from which a leading thread looks for mates, in centipawns: the position is considered won.
const WON: Value = 400;

/// The value from which the last of several threads begins to look for mates, in centipawns. It goes on at lower values.
const PROMISING: Value = 200;

/// The solver of a leading thread visits one node for this many nodes of the thread. It examines all moves of a node, and
/// takes about five times as long as the search for a node.
const SHARE: u64 = 16;

/// The solver begins, and continues, when it may visit this many nodes.
const LEAST_NODES: u64 = 128;

/// When the solver has visited this many nodes in a search, it is not continued.
const MOST_NODES: u64 = 4096;

/// The number of positions that the solver can remember.
const SLOTS: usize = 1 << 16;

/// The search of one thread for short mates.
pub(super) struct ShortMates<'s> {
    /// Whether a mate may still be found.
    open: bool,
    solver: Option<Solver<'s>>,
}

impl<'s> ShortMates<'s> {
    /// Returns the search of `worker`, which reports `multi_pv` lines.
    pub(super) fn new<E: Evaluator, W: Watcher>(worker: &Worker<'s, E, W>, multi_pv: usize) -> Self {
        let last = worker.id + 1 == worker.shared.nodes.threads();
        // With `go mate` the solver has done its work before.
        let wanted = multi_pv == 1 && worker.shared.clock.mate.is_none();
        Self { open: worker.techniques.short_mates && last && wanted, solver: None }
    }

    /// Continues the search after an iteration of `worker` with the value `value`. Returns the line of the shortest
    /// mate, if one is proved that is shorter than what `value` promises.
    pub(super) fn prove<E: Evaluator, W: Watcher>(
        &mut self,
        worker: &mut Worker<'s, E, W>,
        value: Value,
        root_moves: impl FnOnce() -> Vec<Move>,
    ) -> Option<Vec<Move>> {
        let longest = mate_in(2 * MOVES as usize - 1);
        let leads = worker.id == 0;
        let least = if leads { WON } else { PROMISING };
        // A leading thread stops at lower values, because the solver costs it nodes. Another thread goes on.
        let goes_on = !leads && self.solver.is_some();
        if !self.open || (value < least && !goes_on) || value >= longest {
            return None;
        }
        let share = if leads { worker.nodes / SHARE } else { MOST_NODES };
        let allowed = share.min(MOST_NODES);
        if allowed < self.solver.as_ref().map_or(0, Solver::nodes) + LEAST_NODES {
            return None;
        }
        let shared = worker.shared;
        let solver = self.solver.get_or_insert_with(|| {
            Solver::new(&worker.position, root_moves(), &shared.clock, shared.stop, Clock::out_of_time, SLOTS)
        });
        while solver.nodes() < allowed && worker.claimed() > 1 && !worker.aborted {
            let before = solver.nodes();
            let proof = solver.solve(MOVES, worker.claimed() / 2);
            worker.count_nodes(solver.nodes() - before);
            match proof {
                Proof::Mate(line) => return Some(line),
                Proof::None => {
                    self.open = false;
                    return None;
                }
                Proof::Unknown => {}
            }
        }
        None
    }
}
