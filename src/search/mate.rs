//! The mate solver behind `go mate N`: a proof, by proof-number search, that the side to move mates in N.
//!
//! The ordinary search prunes and reduces, and may be late to see a quiet mating move. This one does nothing but
//! prove. Every position has two numbers: how many leaves must at least still be shown to be mates to prove it (the
//! proof number), and how many must be shown not to be to disprove it. Searching always where these are smallest goes
//! for forcing lines, above all for replies that leave the defender few moves.
//!
//! The solver looks a fixed number of moves ahead, so a position at another distance from that horizon is another
//! entry of its table; within it the graph has no cycles. It ignores earlier repetitions of the game.
//!
//! A node, for the counter and the limits, is a position the solver enters; its moves are all looked at on the way in.
//! Each is seen from the side to move there: `phi` is the number that side wants small, `delta` the other one.
//!
//! Reference: A. Nagai, "Df-pn Algorithm for Searching AND/OR Trees and Its Applications", 2002.

use shakmaty::Move;

use super::{Stop, clock::Clock};
use crate::position::Position;

/// A number that says "never": proved for the other side.
const NEVER: u32 = u32::MAX / 4;

/// Slots of the solver's table, 16 bytes each.
const SLOTS: usize = 1 << 21;

/// Mates in up to so many moves are cheap to exclude.
const SHORT: u32 = 2;

/// Nodes between looks at the clock.
const POLL_INTERVAL: u64 = 512;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Numbers {
    phi: u32,
    delta: u32,
}

impl Numbers {
    /// The side to move has what it wants: the attacker mates, or the defender escapes.
    const WON: Self = Self { phi: 0, delta: NEVER };
    const LOST: Self = Self { phi: NEVER, delta: 0 };
}

/// A move and what is known about the position behind it.
#[derive(Clone, Copy, Debug)]
struct Child {
    m: Move,
    key: u64,
    numbers: Numbers,
}

/// Whether a mate was found.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Proof {
    /// The side to move mates by this line, both sides playing their best as far as the solver has looked.
    Mate(Vec<Move>),
    /// There is no mate in so few moves.
    None,
    /// The solver had to stop before it knew.
    Unknown,
}

/// See the head of this module.
pub(super) struct Solver<'s> {
    position: Position,
    /// The root moves that may be played.
    root_moves: &'s [Move],
    root_ply: usize,
    table: Vec<(u64, Numbers)>,
    clock: &'s Clock,
    stop: &'s Stop,
    nodes: u64,
    budget: u64,
    aborted: bool,
}

impl<'s> Solver<'s> {
    /// A solver that may visit `budget` nodes to find a mate, and as many again to find out how it goes.
    pub(super) fn new(
        position: &Position,
        root_moves: &'s [Move],
        clock: &'s Clock,
        stop: &'s Stop,
        budget: u64,
    ) -> Self {
        Self {
            position: position.clone(),
            root_moves,
            root_ply: position.plies_played(),
            table: vec![(0, Numbers::WON); SLOTS],
            clock,
            stop,
            nodes: 0,
            budget,
            aborted: false,
        }
    }

    /// Looks for the shortest mate in at most `moves` moves. Returns the nodes visited as well.
    pub(super) fn solve(mut self, moves: u32) -> (Proof, u64) {
        let verdict = match self.shortest(moves) {
            None if !self.aborted => Proof::None,
            None => Proof::Unknown,
            Some(distance) => {
                self.budget = self.budget.saturating_mul(2);
                self.aborted = false;
                let line = self.line(distance);
                if self.aborted { Proof::Unknown } else { Proof::Mate(line) }
            }
        };
        (verdict, self.nodes)
    }

    /// The least number of moves, up to `moves`, in which the side to move can be shown to mate.
    ///
    /// Short mates are looked for one by one. For the others all moves are used at once: to show that there is no
    /// shorter mate can cost far more than to find the one there is. Once it is found, the rest of the nodes is spent
    /// on shortening it.
    fn shortest(&mut self, moves: u32) -> Option<u32> {
        if let Some(distance) = (1..=moves.min(SHORT)).find(|&distance| self.mates_in(distance)) {
            return Some(distance);
        }
        if moves <= SHORT || self.aborted || !self.mates_in(moves) {
            return None;
        }
        (SHORT + 1..moves).find(|&distance| self.mates_in(distance)).or(Some(moves))
    }

    /// Whether the side to move mates in at most `moves` moves; false as well when the nodes ran out.
    fn mates_in(&mut self, moves: u32) -> bool {
        moves > 0 && self.prove(moves, true, NEVER, NEVER) == Numbers::WON
    }

    /// A line to mate in at most `distance` moves, which has been proved: the defender holds out as long as it can.
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
        // A child won at first sight is a stalemate, or an escape: there is nothing to prove about it.
        let children = self.children(left, true).into_iter().filter(|child| child.numbers != Numbers::WON);
        children.into_iter().find_map(|child| {
            self.position.play(child.m);
            let mated =
                child.numbers == Numbers::LOST || self.prove(left - 1, false, NEVER, NEVER) == Numbers::LOST;
            self.position.undo();
            mated.then_some(child.m)
        })
    }

    /// The defender's reply that puts the mate off longest, and in how many moves it comes; `None` if it stands mated.
    fn longest_defence(&mut self, left: u32) -> Option<(Move, u32)> {
        let replies = self.position.legal_moves();
        let mut longest: Option<(Move, u32)> = None;
        for reply in replies {
            let known = longest.map_or(0, |(_, moves)| moves);
            self.position.play(reply);
            let moves = (known.max(1)..=left).find(|&moves| self.mates_in(moves)).unwrap_or(left);
            self.position.undo();
            if moves > known {
                longest = Some((reply, moves));
            }
        }
        longest
    }

    /// Searches the current position, in which `attacking` says whose turn it is and the attacker has `left` moves left,
    /// until one of its numbers reaches its threshold.
    fn prove(&mut self, left: u32, attacking: bool, phi_limit: u32, delta_limit: u32) -> Numbers {
        self.count_node();
        let key = entry_key(self.position.key(), left);
        let mut children = self.children(left, attacking);
        let below = if attacking { left - 1 } else { left };
        loop {
            let numbers = self.gather(&mut children);
            self.table[key as usize % SLOTS] = (key, numbers);
            if numbers.phi >= phi_limit || numbers.delta >= delta_limit || self.aborted {
                return numbers;
            }
            let Some((best, second)) = two_best(&children) else { return numbers };
            let child = children[best];
            let child_phi = delta_limit.saturating_add(child.numbers.phi) - numbers.delta;
            // Staying a little longer than the other moves demand saves much going back and forth (the 1+ε trick).
            let child_delta = phi_limit.min(second.saturating_add(second / 4 + 1));
            self.position.play(child.m);
            children[best].numbers = self.prove(below, !attacking, child_phi.min(NEVER), child_delta);
            self.position.undo();
        }
    }

    /// The numbers of a node from those of its children, which the table may know better by now.
    fn gather(&self, children: &mut [Child]) -> Numbers {
        let mut numbers = Numbers { phi: NEVER, delta: 0 };
        for child in children {
            let (key, known) = self.table[child.key as usize % SLOTS];
            if key == child.key {
                child.numbers = known;
            }
            numbers.phi = numbers.phi.min(child.numbers.delta);
            numbers.delta = numbers.delta.saturating_add(child.numbers.phi).min(NEVER);
        }
        numbers
    }

    /// The moves of the current position with what is known at first sight about where they lead.
    fn children(&mut self, left: u32, attacking: bool) -> Vec<Child> {
        let at_root = self.position.plies_played() == self.root_ply;
        let moves = if at_root { self.root_moves.to_vec() } else { self.position.legal_moves() };
        let below = if attacking { left - 1 } else { left };
        let mut children = Vec::with_capacity(moves.len());
        for m in moves {
            // On its last move the attacker can only mate by giving check.
            if attacking && left == 1 && !self.position.gives_check(m) {
                continue;
            }
            self.position.play(m);
            let numbers =
                if attacking { self.defender_at_first_sight(below) } else { Numbers { phi: 1, delta: 1 } };
            let key = entry_key(self.position.key(), below);
            self.position.undo();
            children.push(Child { m, key, numbers });
        }
        children
    }

    /// The defender to move: mated, safe, or the harder to mate the more replies it has.
    fn defender_at_first_sight(&self, left: u32) -> Numbers {
        let replies = self.position.legal_moves().len() as u32;
        match replies {
            0 if self.position.is_check() => Numbers::LOST,
            0 => Numbers::WON,
            _ if left == 0 || self.position.is_draw_by_rule() => Numbers::WON,
            _ => Numbers { phi: 1, delta: replies },
        }
    }

    fn count_node(&mut self) {
        self.nodes += 1;
        if self.nodes >= self.budget || (self.nodes.is_multiple_of(POLL_INTERVAL) && self.must_end()) {
            self.aborted = true;
        }
    }

    fn must_end(&self) -> bool {
        self.stop.is_stopped() || self.clock.out_of_time(self.stop) || self.nodes >= self.budget
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

/// The key of a position with `left` attacking moves to go.
fn entry_key(key: u64, left: u32) -> u64 {
    // An odd constant spreads the small number over all bits (Knuth's multiplicative hashing).
    (key ^ u64::from(left).wrapping_mul(0x9e37_79b9_7f4a_7c15)).max(1)
}
