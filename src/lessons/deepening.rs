//! Iterative deepening: search one ply, then two, then three.
//!
//! This seems wasteful but saves nodes. The last iteration costs more than all earlier ones together, and the
//! earlier ones find the root move to search first, on which alpha-beta depends. A search that is interrupted
//! also has a move to play at any time.
//!
//! Reference: D. J. Slate and L. R. Atkin, "CHESS 4.5 - The Northwestern University Chess Program", 1977.

use super::{negamax::negamax_among, walk::Walk};
use crate::{
    chess::value::{INFINITE, Value},
    engine::eval::Evaluator,
};

/// Returns the value for the side to move at the root, `depth` plies ahead, after an iteration for every
/// smaller depth.
pub fn deepening<E: Evaluator>(walk: &mut Walk<E>, depth: u32) -> Value {
    if let Some(value) = walk.end(depth.min(1)) {
        return value;
    }
    let mut moves = walk.moves();
    let mut value = 0;
    for iteration in 1..=depth {
        if iteration > 1 {
            walk.restart();
        }
        value = negamax_among(&moves, walk, iteration, -INFINITE, INFINITE);
        let mut ranking = walk.root_moves().to_vec();
        ranking.sort_by_key(|&(_, value)| -value);
        moves = ranking.into_iter().map(|(m, _)| m).collect();
    }
    value
}
