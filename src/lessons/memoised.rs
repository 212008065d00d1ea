//! Memoised alpha-beta: never search the same position twice.
//!
//! Different orders of the same moves lead to the same position. A [`Memo`] of all searched positions turns
//! the tree into a graph. Here an entry is used only for exactly the depth it was searched to, so the value
//! equals that of minimax. A playing program also uses deeper entries, as the [prototype](super::prototype)
//! does.

use super::{
    memo::{Known, Memo},
    negamax::best_among,
    tree::Window,
    walk::Walk,
};
use crate::{
    chess::value::{INFINITE, Value},
    engine::eval::Evaluator,
};

/// Returns the value for the side to move, `depth` plies ahead: exact between `alpha` and `beta`, outside
/// them a bound.
pub fn memoised<E: Evaluator>(
    walk: &mut Walk<E>,
    memo: &mut Memo,
    depth: u32,
    alpha: Value,
    beta: Value,
) -> Value {
    if let Some(value) = walk.end(depth) {
        return value;
    }
    let (key, ply) = (walk.position().key(), walk.ply());
    let own_value = !walk.history_matters(depth);
    if own_value
        && let Some(known) = memo.recall(key, ply)
        && known.depth == depth
        && known.suffices(alpha, beta)
    {
        memo.count_cut_off();
        walk.from_memo();
        return known.value;
    }

    let after = |walk: &mut Walk<E>, alpha, beta| memoised(walk, memo, depth - 1, alpha, beta);
    let (value, best) = best_among(&walk.moves(), walk, -INFINITE, (alpha, beta), after);
    if own_value {
        let bound = Window::new(alpha, beta).bound(value);
        memo.remember(key, ply, Known { value, bound, depth, best });
    }
    value
}
