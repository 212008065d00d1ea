//! Minimax: look at every line, and let each side choose what is best for it.
//!
//! A leaf is worth what the evaluator says. Everywhere else White takes the largest value among the moves and Black the
//! smallest. Nothing is left out, which makes minimax slow (a position with 35 moves has 35 × 35 × 35 lines of three
//! plies), and the measure of all the others: an algorithm is *exact* when it returns the value minimax returns.
//!
//! Reference: C. E. Shannon, "Programming a Computer for Playing Chess", 1950, who calls it a type A strategy; the
//! theorem is J. von Neumann's, 1928.

use super::walk::Walk;
use crate::{
    eval::Evaluator,
    value::{INFINITE, Value},
};

/// The value for White of the position `walk` stands at, looking exactly `depth` plies ahead.
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
