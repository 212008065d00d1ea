//! The mate that `go mate N` asks for: it is proved before the ordinary search, and is the first of its lines.

use shakmaty::Move;

use super::{
    Report, Stop,
    clock::Clock,
    mate::{Proof, Solver},
};
use crate::{position::Position, tt::Bound, value::mate_in};

/// The maximum number of nodes of the mate solver.
const MOST_NODES: u64 = 500_000;

/// The number of positions that the mate solver can remember.
const SLOTS: usize = 1 << 21;

/// Runs the mate solver first if a mate is asked for, with a third of the nodes and of the time. Returns the line of the mate
/// that it proves. Its nodes are subtracted from the limits of the ordinary search, which follows unless that line is the only
/// one wanted. The ordinary search then goes no deeper than the mate. If the solver has proved that there is no mate, it need
/// only be deep enough to find a move, or to find that the side to move is mated.
pub(super) fn prove(position: &Position, moves: &[Move], clock: &mut Clock, stop: &Stop) -> Option<Report> {
    let asked = clock.mate?;
    // A limit of depth also bounds the length of the mate for the solver.
    let wanted = asked.min(clock.depth.div_ceil(2));
    let budget = (clock.nodes / 3).min(MOST_NODES);
    if budget == 0 {
        return None;
    }
    let mut solver = Solver::new(position, moves.to_vec(), clock, stop, Clock::has_solved_enough, SLOTS);
    let verdict = solver.solve(wanted, budget);
    let nodes = solver.nodes();
    clock.nodes -= nodes.min(clock.nodes - 1);
    clock.solver_nodes = nodes;
    match verdict {
        Proof::Mate(pv) => {
            clock.depth = clock.depth.min(pv.len() as u32);
            Some(Report {
                depth: pv.len() as u32,
                seldepth: pv.len() as u32,
                multi_pv: 1,
                value: mate_in(pv.len()),
                bound: Bound::Exact,
                nodes,
                time: clock.elapsed(),
                hashfull: 0,
                tb_hits: 0,
                pv,
            })
        }
        Proof::None => {
            clock.depth = clock.depth.min(4 * asked + 4);
            None
        }
        Proof::Unknown => None,
    }
}

/// Returns the final `lines` of a search, as many as before, with the proved `mate` as the first one.
pub(super) fn put_first(mate: Report, mut lines: Vec<Report>) -> Vec<Report> {
    let Some(first) = lines.first().cloned() else { return vec![mate] };
    let wanted = lines.len();
    lines.retain(|line| line.pv.first() != mate.pv.first());
    // The reported depth never decreases.
    let (depth, seldepth) = (first.depth.max(mate.depth), first.seldepth.max(mate.seldepth));
    lines.insert(0, Report { depth, seldepth, value: mate.value, bound: mate.bound, pv: mate.pv, ..first });
    lines.truncate(wanted);
    (1..).zip(lines).map(|(multi_pv, line)| Report { multi_pv, depth, ..line }).collect()
}
