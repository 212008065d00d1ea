//! Alpha-beta as a pair of functions: White's and Black's.
//!
//! Two numbers travel down the tree: `alpha`, what White has already secured on another branch, and `beta`, what Black
//! has. As soon as a node proves to be worth `beta` or more, Black will not let the game come here: the moves not yet
//! tried are skipped, and nothing is lost. The same holds the other way round for `alpha`. With the best move always
//! tried first only about twice the square root of the leaves of minimax remain.
//!
//! The functions are *fail-soft*: a value outside the window is returned as found, a tighter bound than the window's edge.
//!
//! Reference: D. E. Knuth and R. W. Moore, "An Analysis of Alpha-Beta Pruning", 1975.

use super::{tree::Window, walk::Walk};
use crate::{
    eval::Evaluator,
    value::{INFINITE, Value},
};

/// The value for White of the position `walk` stands at, whoever moves, `depth` plies ahead: exact between `alpha` and
/// `beta`, at or beyond them only known to be at most or at least that.
pub fn alpha_beta<E: Evaluator>(walk: &mut Walk<E>, depth: u32, alpha: Value, beta: Value) -> Value {
    if let Some(value) = walk.end(depth) {
        return value;
    }
    if walk.position().turn().is_white() {
        maximise(walk, depth, alpha, beta)
    } else {
        minimise(walk, depth, alpha, beta)
    }
}

/// White to move: the largest value, and `alpha` rises.
fn maximise<E: Evaluator>(walk: &mut Walk<E>, depth: u32, mut alpha: Value, beta: Value) -> Value {
    let mut best = -INFINITE;
    let mut moves = walk.moves().into_iter();
    while let Some(m) = moves.next() {
        let window = Window::new(alpha, beta);
        let value = walk.after_within(m, window, |walk| alpha_beta(walk, depth - 1, alpha, beta));
        best = best.max(value);
        alpha = alpha.max(value);
        if value >= beta {
            walk.cut_off(moves.as_slice());
            break;
        }
    }
    best
}

/// Black to move: the smallest value, and `beta` falls.
fn minimise<E: Evaluator>(walk: &mut Walk<E>, depth: u32, alpha: Value, mut beta: Value) -> Value {
    let mut best = INFINITE;
    let mut moves = walk.moves().into_iter();
    while let Some(m) = moves.next() {
        let window = Window::new(alpha, beta);
        let value = walk.after_within(m, window, |walk| alpha_beta(walk, depth - 1, alpha, beta));
        best = best.min(value);
        beta = beta.min(value);
        if value <= alpha {
            walk.cut_off(moves.as_slice());
            break;
        }
    }
    best
}
