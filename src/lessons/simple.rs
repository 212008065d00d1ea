//! Players built on the algorithms: from one that knows only the rules to one that searches.
//!
//! All of them choose uniformly among moves of equal value, from a seeded generator: the same seed plays the
//! same game.

use rand::{SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};
use shakmaty::Move;

use super::{Algorithm, Perspective, Walk};
use crate::{
    chess::{
        position::Position,
        value::{DRAW, Value},
    },
    engine::eval::Evaluator,
    halt::Halt,
};

/// A player that chooses moves.
pub trait Player {
    /// Returns a move for the side to move, or `None` if there is no legal one, or if the choice was
    /// interrupted.
    fn choose(&mut self, position: &Position) -> Option<Move>;
}

/// Plays any legal move, each with the same probability.
#[derive(Debug)]
pub struct Random {
    generator: StdRng,
}

impl Random {
    /// Returns a random player; the same `seed` gives the same moves.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { generator: StdRng::seed_from_u64(seed) }
    }
}

impl Player for Random {
    fn choose(&mut self, position: &Position) -> Option<Move> {
        position.legal_moves().choose(&mut self.generator).copied()
    }
}

/// Plays the move with the best evaluation after it, without considering the opponent's reply.
///
/// With [`Material`](crate::engine::eval::Material) it captures what it can; with
/// [`Classical`](crate::engine::eval::Classical) it also develops its pieces.
#[derive(Debug)]
pub struct Greedy<E> {
    evaluator: E,
    generator: StdRng,
}

impl<E: Evaluator + Default> Greedy<E> {
    /// Returns a greedy player; the same `seed` gives the same moves.
    #[must_use]
    pub fn new(seed: u64) -> Self {
        Self { evaluator: E::default(), generator: StdRng::seed_from_u64(seed) }
    }
}

impl<E: Evaluator + Default> Player for Greedy<E> {
    fn choose(&mut self, position: &Position) -> Option<Move> {
        let mut walk = Walk::new(position, self.evaluator.clone(), Perspective::Mover);
        let scored: Vec<(Value, Move)> = walk
            .moves()
            .into_iter()
            .map(|m| (-walk.after(m, |walk| walk.end(0).unwrap_or(DRAW)), m))
            .collect();
        let best = scored.iter().map(|&(value, _)| value).max()?;
        let equal: Vec<Move> =
            scored.into_iter().filter(|&(value, _)| value == best).map(|(_, m)| m).collect();
        equal.choose(&mut self.generator).copied()
    }
}

/// Plays the move that one of the search algorithms finds at a fixed depth.
#[derive(Debug)]
pub struct Searching<E> {
    algorithm: Algorithm,
    depth: u32,
    evaluator: E,
    generator: StdRng,
    stop: Halt,
}

impl<E: Evaluator + Default> Searching<E> {
    /// Returns a player that searches `depth` plies (at least one); the same `seed` gives the same moves.
    #[must_use]
    pub fn new(algorithm: Algorithm, depth: u32, seed: u64) -> Self {
        let generator = StdRng::seed_from_u64(seed);
        Self { algorithm, depth: depth.max(1), evaluator: E::default(), generator, stop: Halt::default() }
    }

    /// Ends the search soon after `stop` is set. No move is chosen then.
    #[must_use]
    pub fn until(mut self, stop: &Halt) -> Self {
        self.stop = stop.clone();
        self
    }
}

impl<E: Evaluator + Default> Player for Searching<E> {
    fn choose(&mut self, position: &Position) -> Option<Move> {
        let walk = self.algorithm.begin(position, self.evaluator.clone()).until(&self.stop);
        let verdict = self.algorithm.search(walk, self.depth);
        if !verdict.complete {
            return None;
        }
        let best = verdict.best.choose(&mut self.generator).copied();
        // If the rules say that the game is drawn, nothing is searched; any move is played.
        best.or_else(|| position.legal_moves().choose(&mut self.generator).copied())
    }
}
