//! The mate solver, for `go mate N`: proves by proof-number search that the side to move mates in N.
//!
//! The ordinary search prunes and reduces, and may find a quiet mating move late. The solver only proves mates. Every
//! position has two numbers. The proof number is the minimum number of leaves that must still be shown to be mates to
//! prove the position; the disproof number is the minimum number that must be shown not to be mates. The search always
//! continues where these are smallest. It therefore prefers forcing lines, especially moves that leave the defender few
//! replies.
//!
//! The solver searches a fixed number of moves ahead. A position at another distance from that horizon has another
//! entry in the table, so the graph has no cycles. A move that draws by the fifty-move rule, or by the third occurrence of
//! a position, refutes a mate. An entry holds on every path to its position:
//!
//! * Where the fifty-move rule can end the game before the horizon, the entry also depends on the counter.
//! * Only occurrences up to the root count. Every move of a shortest mate brings it nearer, so no position comes back, and
//!   one that occurred once up to the root occurs twice at most.
//!
//! So [`Proof::None`] is a proof under the rules of the game.
//!
//! A node, for the counter and the limits, is a position that the solver enters; all its moves are examined at that
//! time. The numbers of a node are from the perspective of the side to move: `phi` is the number that this side wants
//! small, `delta` the other one.
//!
//! Reference: A. Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its Applications", 2002.

use shakmaty::Move;

use super::{Observer, Report, Stop, clock::Clock};
use crate::{
    position::{Position, key::spread},
    value::mate_in,
};

/// The maximum number of nodes of the mate solver.
const MOST_NODES: u64 = 500_000;

/// The number of positions that the mate solver can remember.
const SLOTS: usize = 1 << 21;

/// Infinity: proved for the other side.
const NEVER: u32 = u32::MAX / 4;

/// Mates in up to this many moves are cheap to exclude.
const SHORT: u32 = 2;

/// Nodes between two checks of the clock; a node takes some microseconds.
const POLL_INTERVAL: u64 = 64;

/// Runs the mate solver first if a mate is asked for, with a third of the nodes, as many again for
/// the line of the mate, and a third of the time. Returns the line of the mate
/// that it proves; otherwise `observer` is told. Its nodes are subtracted from the limits of the ordinary search, which follows
/// unless that line is the only one wanted.
///
/// The ordinary search goes no deeper than a proved mate. If the solver has proved that there is none, it need only be deep
/// enough to find a move, or to find that the side to move is mated. If the solver has ended without a proof, the search goes
/// on to its other limits, or until a stop if there are none.
pub(super) fn prove(
    position: &Position,
    moves: &[Move],
    clock: &mut Clock,
    stop: &Stop,
    observer: &mut dyn Observer,
) -> Option<Report> {
    let asked = clock.mate?;
    let endless = clock.is_endless();
    // A limit of depth also bounds the length of the mate for the solver.
    let wanted = asked.min(clock.depth.div_ceil(2));
    let mut solver = Solver::new(position, moves.to_vec(), clock, stop);
    let budget = (clock.nodes / 3).min(MOST_NODES);
    let proof = if budget == 0 { Proof::Unknown } else { solver.solve(wanted, budget) };
    let nodes = solver.nodes;
    clock.nodes -= nodes.min(clock.nodes - 1);
    clock.solver_nodes = nodes;
    match proof {
        Proof::Mate(pv) => {
            let depth = pv.len() as u32;
            clock.depth = clock.depth.min(depth);
            return Some(Report {
                nodes,
                time: clock.elapsed(),
                ..Report::new(depth, mate_in(pv.len()), pv)
            });
        }
        Proof::None => {
            clock.depth = clock.depth.min(4 * asked + 4);
            observer.problem(&format_args!("no mate in {asked} found"));
        }
        Proof::Unknown => {
            if endless {
                stop.need();
            }
            let goes_on = if stop.is_stopped() { "" } else { " so far, the search goes on" };
            observer.problem(&format_args!("no mate in {asked} found{goes_on}"));
        }
    }
    None
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

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    phi: u32,
    delta: u32,
}

impl Numbers {
    /// The side to move has reached its goal: the attacker mates, or the defender escapes.
    const WON: Self = Self { phi: 0, delta: NEVER };
    const LOST: Self = Self { phi: NEVER, delta: 0 };
    /// Nothing is known.
    const OPEN: Self = Self { phi: 1, delta: 1 };

    fn are_final(self) -> bool {
        self == Self::WON || self == Self::LOST
    }
}

/// A move and the numbers of the position after it.
#[derive(Clone, Copy, Debug)]
struct Child {
    m: Move,
    key: u64,
    numbers: Numbers,
}

/// The result of the solver.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Proof {
    /// The side to move mates with this line, with best play of both sides as far as the solver has searched.
    Mate(Vec<Move>),
    /// There is no mate in that many moves.
    None,
    /// The solver ended without a result.
    Unknown,
}

/// The mate solver; see the module documentation.
struct Solver<'s> {
    position: Position,
    /// The root moves that may be played.
    root_moves: Vec<Move>,
    root_ply: usize,
    /// What is known of positions: the key (0 in an empty slot), `phi` and `delta`. All zero at first, so that the system
    /// provides a page only when it is used: clearing a large table would take longer than a short search.
    table: Vec<(u64, u32, u32)>,
    clock: &'s Clock,
    stop: &'s Stop,
    nodes: u64,
    budget: u64,
    aborted: bool,
}

impl<'s> Solver<'s> {
    /// Returns a solver that knows nothing yet. It ends early when `stop` ends the search, or when it has used its share of
    /// the time of `clock`.
    fn new(position: &Position, root_moves: Vec<Move>, clock: &'s Clock, stop: &'s Stop) -> Self {
        Self {
            position: position.clone(),
            root_moves,
            root_ply: position.plies_played(),
            table: vec![(0, 0, 0); SLOTS],
            clock,
            stop,
            nodes: 0,
            budget: 0,
            aborted: false,
        }
    }

    /// Searches for the shortest mate in at most `moves` moves. Visits at most `allowance` nodes to prove one, and as many
    /// again to find its line.
    fn solve(&mut self, moves: u32, allowance: u64) -> Proof {
        self.allow(allowance);
        match self.shortest(moves) {
            None if !self.aborted => Proof::None,
            None => Proof::Unknown,
            Some(distance) => {
                self.allow(allowance);
                let line = self.line(distance);
                if self.aborted { Proof::Unknown } else { Proof::Mate(line) }
            }
        }
    }

    fn allow(&mut self, nodes: u64) {
        self.budget = self.nodes.saturating_add(nodes);
        self.aborted = false;
    }

    /// The minimum number of moves, up to `moves`, in which the side to move is proved to mate.
    ///
    /// Short mates are searched for one length at a time. Longer mates are searched for with all moves at once, because
    /// disproving shorter mates can cost far more than finding the mate. The remaining nodes are used to shorten it.
    fn shortest(&mut self, moves: u32) -> Option<u32> {
        if let Some(distance) = (1..=moves.min(SHORT)).find(|&distance| self.mates_in(distance)) {
            return Some(distance);
        }
        if moves <= SHORT || self.aborted || !self.mates_in(moves) {
            return None;
        }
        (SHORT + 1..moves).find(|&distance| self.mates_in(distance)).or(Some(moves))
    }

    /// Whether the side to move mates in at most `moves` moves; also false if the nodes ran out.
    fn mates_in(&mut self, moves: u32) -> bool {
        moves > 0 && self.prove(moves, true, NEVER, NEVER) == Numbers::WON
    }

    /// A line of a proved mate in at most `distance` moves, with the longest defence.
    fn line(&mut self, distance: u32) -> Vec<Move> {
        let mut line = Vec::new();
        let mut left = distance;
        while left > 0 {
            let Some(mating) = self.mating_move(left) else { break };
            line.push(mating);
            self.position.play(mating);
            let Some((reply, longest)) = self.longest_defence(left - 1) else { break };
            line.push(reply);
            self.position.play(reply);
            left = longest;
        }
        line.iter().for_each(|_| self.position.undo());
        line
    }

    fn mating_move(&mut self, left: u32) -> Option<Move> {
        let mut children = self.children(left, true);
        self.gather(&mut children);
        // Moves that cannot mate are left out. Proved moves come first, because they need no nodes; then those nearest to a
        // proof.
        children.retain(|child| child.numbers != Numbers::WON);
        children.sort_by_key(|child| child.numbers.delta);
        children.into_iter().find_map(|child| {
            self.position.play(child.m);
            let mated =
                child.numbers == Numbers::LOST || self.prove(left - 1, false, NEVER, NEVER) == Numbers::LOST;
            self.position.undo();
            mated.then_some(child.m)
        })
    }

    /// The defender's reply that delays the mate longest, and the number of moves to that mate; `None` if checkmated.
    fn longest_defence(&mut self, left: u32) -> Option<(Move, u32)> {
        let replies = self.position.legal_moves();
        let mut longest: Option<(Move, u32)> = None;
        for reply in replies {
            let known = longest.map_or(0, |(_, moves)| moves);
            self.position.play(reply);
            let moves = (known.max(1)..left).find(|&moves| self.mates_in(moves)).unwrap_or(left);
            self.position.undo();
            if moves > known {
                longest = Some((reply, moves));
            }
        }
        longest
    }

    /// Searches the current position until one of its numbers reaches its threshold. `attacking` says whether the
    /// attacker is to move; the attacker has `left` moves left.
    fn prove(&mut self, left: u32, attacking: bool, phi_limit: u32, delta_limit: u32) -> Numbers {
        if self.aborted {
            return Numbers::OPEN;
        }
        self.count_node();
        let key = entry_key(&self.position, left);
        let mut children = self.children(left, attacking);
        let below = if attacking { left - 1 } else { left };
        loop {
            let numbers = self.gather(&mut children);
            let slot = self.slot(key);
            self.table[slot] = (key, numbers.phi, numbers.delta);
            if numbers.phi >= phi_limit || numbers.delta >= delta_limit || self.aborted {
                return numbers;
            }
            let Some((best, second)) = two_best(&children) else { return numbers };
            let child = children[best];
            let child_phi = delta_limit.saturating_add(child.numbers.phi) - numbers.delta;
            // A slightly higher threshold than the other moves require avoids much switching between moves (the 1+ε
            // trick).
            let child_delta = phi_limit.min(second.saturating_add(second / 4 + 1));
            self.position.play(child.m);
            children[best].numbers = self.prove(below, !attacking, child_phi.min(NEVER), child_delta);
            self.position.undo();
        }
    }

    /// Computes the numbers of a node from its children, whose numbers are updated from the table.
    fn gather(&self, children: &mut [Child]) -> Numbers {
        let mut numbers = Numbers { phi: NEVER, delta: 0 };
        for child in children {
            let (key, phi, delta) = self.table[self.slot(child.key)];
            // What is final stays, even if another position has taken the slot.
            if key == child.key && !child.numbers.are_final() {
                child.numbers = Numbers { phi, delta };
            }
            numbers.phi = numbers.phi.min(child.numbers.delta);
            numbers.delta = numbers.delta.saturating_add(child.numbers.phi).min(NEVER);
        }
        numbers
    }

    fn slot(&self, key: u64) -> usize {
        key as usize % self.table.len()
    }

    /// The moves of the current position, each with its initial numbers.
    fn children(&mut self, left: u32, attacking: bool) -> Vec<Child> {
        let at_root = self.position.plies_played() == self.root_ply;
        let moves = if at_root { self.root_moves.clone() } else { self.position.legal_moves() };
        let below = if attacking { left - 1 } else { left };
        let mut children = Vec::with_capacity(moves.len());
        for m in moves {
            // With its last move the attacker can mate only by giving check.
            if attacking && left == 1 && !self.position.gives_check(m) {
                continue;
            }
            self.position.play(m);
            let numbers = match attacking {
                true => self.defender_at_first_sight(below),
                false => self.attacker_at_first_sight(),
            };
            let key = entry_key(&self.position, below);
            self.position.undo();
            children.push(Child { m, key, numbers });
        }
        children
    }

    /// The initial numbers with the defender to move: mated, safe, or harder to mate the more replies it has.
    fn defender_at_first_sight(&self, left: u32) -> Numbers {
        let replies = self.position.legal_moves().len() as u32;
        match replies {
            0 if self.position.is_check() => Numbers::LOST,
            0 => Numbers::WON,
            _ if left == 0 || self.is_draw() => Numbers::WON,
            _ => Numbers { phi: 1, delta: replies },
        }
    }

    /// The initial numbers with the attacker to move, who has lost the mate if the game is drawn.
    fn attacker_at_first_sight(&self) -> Numbers {
        if self.is_draw() { Numbers::LOST } else { Numbers::OPEN }
    }

    /// Whether the game is drawn here, on every path to this position.
    fn is_draw(&self) -> bool {
        let ply = self.position.plies_played() - self.root_ply;
        self.position.is_draw_by_rule() || self.position.has_stood_twice(ply)
    }

    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.budget || (self.nodes.is_multiple_of(POLL_INTERVAL) && self.must_end()) {
            self.aborted = true;
        }
    }

    fn must_end(&self) -> bool {
        self.stop.is_stopped() || self.clock.has_solved_enough(self.stop) || self.nodes >= self.budget
    }
}

/// The index of the child with the least delta, and the least delta of the others.
fn two_best(children: &[Child]) -> Option<(usize, u32)> {
    let (best, least) =
        children.iter().map(|child| child.numbers.delta).enumerate().min_by_key(|&(_, d)| d)?;
    let others = children.iter().enumerate().filter(|&(index, _)| index != best);
    let second = others.map(|(_, child)| child.numbers.delta).min().unwrap_or(NEVER);
    (least < NEVER).then_some((best, second))
}

/// The key of `position` with `left` attacking moves to go.
fn entry_key(position: &Position, left: u32) -> u64 {
    let halfmoves = position.halfmoves();
    let counter = if halfmoves.saturating_add(2 * left) >= 100 { halfmoves } else { 0 };
    (position.key() ^ spread(u64::from(counter) << 32 | u64::from(left))).max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::Limits;

    /// Runs `test` on a solver of `position`.
    fn with_solver<R>(position: &Position, test: impl FnOnce(&mut Solver<'_>) -> R) -> R {
        let clock = Clock::new(&Limits::default(), 0, std::time::Duration::ZERO);
        let (stop, moves) = (Stop::default(), position.legal_moves());
        test(&mut Solver::new(position, moves, &clock, &stop))
    }

    /// Plays moves that lead back to the position.
    fn shuffle(position: &mut Position) {
        for m in ["f7f6", "h8h7", "f6f7", "h7h8"] {
            position.play(position.find_move(m).unwrap());
        }
    }

    #[test]
    fn a_position_is_drawn_on_every_path_or_on_none() {
        let mut position = Position::from_fen("7k/5K2/8/8/8/8/P7/6R1 w - - 0 1").unwrap();
        for is_draw in [false, true] {
            let drawn = |times| {
                with_solver(&position, |solver| {
                    (0..times).for_each(|_| shuffle(&mut solver.position));
                    solver.is_draw()
                })
            };
            assert_eq!([1, 2, 3].map(drawn), [is_draw; 3], "{}", position.plies_played());
            shuffle(&mut position);
        }
    }
}
