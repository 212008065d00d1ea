//! Negamax: alpha-beta as one function instead of a pair.
//!
//! What is good for one side is equally bad for the other: `min(a, b) = -max(-a, -b)`. If every value is from
//! the perspective of the side to move, both functions of the pair become the same, and the window is negated
//! and swapped at every ply.
//!
//! Reference: D. E. Knuth and R. W. Moore, "An Analysis of Alpha-Beta Pruning", 1975 (function F2).

use shakmaty::Move;

use super::{tree::Window, walk::Walk};
use crate::{
    chess::value::{INFINITE, Value},
    engine::eval::Evaluator,
};

/// Returns the value for the side to move, `depth` plies ahead: exact between `alpha` and `beta`, outside
/// them a bound.
pub fn negamax<E: Evaluator>(walk: &mut Walk<E>, depth: u32, alpha: Value, beta: Value) -> Value {
    match walk.end(depth) {
        Some(value) => value,
        None => negamax_among(&walk.moves(), walk, depth, alpha, beta),
    }
}

/// Like [`negamax`], searching `moves` in the given order; they must be legal moves here, and at least one.
pub fn negamax_among<E: Evaluator>(
    moves: &[Move],
    walk: &mut Walk<E>,
    depth: u32,
    alpha: Value,
    beta: Value,
) -> Value {
    let after = |walk: &mut Walk<E>, alpha, beta| negamax(walk, depth - 1, alpha, beta);
    best_among(moves, walk, -INFINITE, (alpha, beta), after).0
}

/// Searches `moves` in order, until one reaches beta. Returns the best value, at least `best`, and its move,
/// if one exceeds `best`. `after` returns the value after a move, for the opponent, whose window it gets.
pub fn best_among<E: Evaluator>(
    moves: &[Move],
    walk: &mut Walk<E>,
    mut best: Value,
    (mut alpha, beta): (Value, Value),
    mut after: impl FnMut(&mut Walk<E>, Value, Value) -> Value,
) -> (Value, Option<Move>) {
    let mut best_move = None;
    for (tried, &m) in moves.iter().enumerate() {
        let window = Window::new(-beta, -alpha);
        let value = -walk.after_within(m, window, |walk| after(walk, -beta, -alpha));
        if value > best {
            (best, best_move) = (value, Some(m));
        }
        alpha = alpha.max(value);
        if value >= beta {
            walk.cut_off(&moves[tried + 1..]);
            break;
        }
    }
    (best, best_move)
}
