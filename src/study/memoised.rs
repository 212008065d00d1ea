//! Memoised alpha-beta: never search the same position twice.
//!
//! Different orders of the same moves lead to the same position. A [`Memo`] of all searched positions turns the tree
//! into a graph. Here an entry is used only for exactly the depth it was searched to, so the value equals that of
//! minimax. A playing program also uses deeper entries, as the [prototype](super::prototype) does.

use super::{
    memo::{Known, Memo},
    tree::Window,
    walk::Walk,
};
use crate::{
    eval::Evaluator,
    value::{INFINITE, Value},
};

/// Returns the value for the side to move, `depth` plies ahead: exact between `alpha` and `beta`, outside them a bound.
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
        && known.settles(alpha, beta)
    {
        memo.count_cut_off();
        walk.remembered();
        return known.value;
    }

    let (mut best, mut best_move, mut raised) = (-INFINITE, None, alpha);
    let mut moves = walk.moves().into_iter();
    while let Some(m) = moves.next() {
        let window = Window::new(-beta, -raised);
        let value = -walk.after_within(m, window, |walk| memoised(walk, memo, depth - 1, -beta, -raised));
        if value > best {
            (best, best_move) = (value, Some(m));
        }
        raised = raised.max(value);
        if value >= beta {
            walk.cut_off(moves.as_slice());
            break;
        }
    }
    if own_value {
        let bound = Window::new(alpha, beta).bound(best);
        memo.remember(key, ply, Known { value: best, bound, depth, best: best_move });
    }
    best
}
