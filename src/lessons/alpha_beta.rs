//! Alpha-beta as a pair of functions, one for White and one for Black.
//!
//! Two bounds are passed down the tree: `alpha`, the value that White already has on another branch, and
//! `beta`, the value that Black has. Once a node is proved to be worth `beta` or more, Black will avoid it.
//! The remaining moves are then skipped without changing the result. The same holds with the sides exchanged
//! for `alpha`. If the best move is always searched first, the number of leaves is only about twice the
//! square root of that of minimax.
//!
//! The functions are *fail-soft*: a value outside the window is returned as found; it is a tighter bound than
//! the window.
//!
//! Reference: D. E. Knuth and R. W. Moore, "An Analysis of Alpha-Beta Pruning", 1975.

use super::{tree::Window, walk::Walk};
use crate::{
    chess::value::{INFINITE, Value},
    engine::eval::Evaluator,
};

/// Returns the value for White of the current position of `walk`, `depth` plies ahead, whoever is to move. It
/// is exact between `alpha` and `beta`, and outside them a bound.
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

/// White to move: returns the largest value and raises `alpha`.
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

/// Black to move: returns the smallest value and lowers `beta`.
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
