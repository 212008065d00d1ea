//! Minimax: search every line, with each side choosing its best move.
//!
//! The value of a leaf is its static evaluation. Elsewhere White takes the largest value of its moves and
//! Black the smallest. Nothing is left out, so minimax is slow: a position with 35 moves has 35 × 35 × 35
//! lines of three plies. It is the reference for all other algorithms: an algorithm is *exact* if it returns
//! the value of minimax.
//!
//! Reference: C. E. Shannon, "Programming a Computer for Playing Chess", 1950, who calls it a type A
//! strategy; the theorem is J. von Neumann's, 1928.

use super::walk::Walk;
use crate::{
    chess::value::{INFINITE, Value},
    engine::eval::Evaluator,
};

/// Returns the value for White of the current position of `walk`, exactly `depth` plies ahead.
pub fn minimax<E: Evaluator>(walk: &mut Walk<E>, depth: u32) -> Value {
    if let Some(value) = walk.end(depth) {
        return value;
    }
    let white = walk.position().turn().is_white();
    let mut best = if white { -INFINITE } else { INFINITE };
    for m in walk.moves() {
        let value = walk.after(m, |walk| minimax(walk, depth - 1));
        best = if white { best.max(value) } else { best.min(value) };
    }
    best
}
