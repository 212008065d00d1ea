//! The first complete chess player: it combines the other files of this chapter, and Zugwerk's search grew
//! from it.
//!
//! * [negamax](super::negamax) with alpha-beta and iterative deepening;
//! * a memo (`memo`) that also uses deeper entries and whose best move is searched first;
//! * [`quiescence`] instead of the evaluation at the leaves, which plays captures out first;
//! * an evaluator that is updated move by move (as every [`Evaluator`] is);
//! * mates counted by their distance, so that the shortest one is played.
//!
//! It is not exact in the sense of minimax, because quiescence looks beyond the horizon. But a mate that it
//! announces is a mate, and it finds a mate within its depth in the fewest moves.
//!
//! Reference for quiescence: C. E. Shannon, "Programming a Computer for Playing Chess", 1950 (type B
//! strategy), and chessprogramming.org, "Quiescence Search" and "Delta Pruning".

use shakmaty::Move;

use super::{
    memo::{Known, Memo},
    negamax::best_among,
    tree::Window,
    walk::Walk,
};
use crate::{
    chess::{
        position::see::material_gain,
        value::{INFINITE, Value, material_value},
    },
    engine::eval::Evaluator,
};

/// By how much, in centipawns, a capture may leave the value below alpha before quiescence skips it.
pub const DELTA_MARGIN: Value = 200;

/// Returns the value for the side to move at the root after an iteration for every depth up to `depth`.
pub fn prototype<E: Evaluator>(walk: &mut Walk<E>, memo: &mut Memo, depth: u32) -> Value {
    if let Some(value) = walk.game_over() {
        return value;
    }
    let mut value = search(walk, memo, depth.min(1), -INFINITE, INFINITE);
    for iteration in 2..=depth {
        walk.restart();
        value = search(walk, memo, iteration, -INFINITE, INFINITE);
    }
    value
}

/// Returns every legal move with its exact value for the side to move, `depth` plies deep, best first.
pub fn analyse<E: Evaluator>(walk: &mut Walk<E>, memo: &mut Memo, depth: u32) -> Vec<(Move, Value)> {
    for iteration in 1..=depth {
        walk.restart();
        for m in walk.moves() {
            walk.after(m, |walk| search(walk, memo, iteration - 1, -INFINITE, INFINITE));
        }
    }
    let mut scores = walk.root_moves().to_vec();
    scores.sort_by_key(|&(_, value)| -value);
    scores
}

fn search<E: Evaluator>(walk: &mut Walk<E>, memo: &mut Memo, depth: u32, alpha: Value, beta: Value) -> Value {
    if let Some(value) = walk.game_over() {
        return value;
    }
    if depth == 0 {
        return quiescence(walk, alpha, beta);
    }
    let (key, ply) = (walk.position().key(), walk.ply());
    let own_value = !walk.history_matters(depth);
    let known = if own_value { memo.recall(key, ply) } else { None };
    if let Some(known) = known
        && ply > 0
        && known.depth >= depth
        && known.suffices(alpha, beta)
    {
        memo.count_cut_off();
        walk.from_memo();
        return known.value;
    }

    let mut moves = walk.moves();
    let first = known.and_then(|known| known.best);
    moves.sort_by_key(|&m| (Some(m) != first, -promise(m)));
    let after = |walk: &mut Walk<E>, alpha, beta| search(walk, memo, depth - 1, alpha, beta);
    let (value, best) = best_among(&moves, walk, -INFINITE, (alpha, beta), after);
    if own_value {
        let bound = Window::new(alpha, beta).bound(value);
        memo.remember(key, ply, Known { value, bound, depth, best });
    }
    value
}

/// Returns the value by quiescence search. The side to move may *stand pat* on the evaluation or search
/// captures and promotions, except those that could not reach alpha even with [`DELTA_MARGIN`] added, and
/// those that lose material by static exchange evaluation. In check every move is searched and there is no
/// standing pat.
pub fn quiescence<E: Evaluator>(walk: &mut Walk<E>, mut alpha: Value, beta: Value) -> Value {
    if let Some(value) = walk.game_over() {
        return value;
    }
    let in_check = walk.position().is_check();
    let stand_pat = if in_check { -INFINITE } else { walk.evaluate() };
    if stand_pat >= beta {
        return stand_pat;
    }
    alpha = alpha.max(stand_pat);
    let mut moves = walk.moves();
    if !in_check {
        moves.retain(|&m| {
            (m.is_capture() || m.is_promotion())
                && stand_pat + material_gain(m) + DELTA_MARGIN > alpha
                && walk.position().see_at_least(m, 0)
        });
    }
    moves.sort_by_key(|&m| -promise(m));
    best_among(&moves, walk, stand_pat, (alpha, beta), quiescence).0
}

/// The sort key of a move: the most valuable victim first, then the least valuable attacker.
#[must_use]
pub fn promise(m: Move) -> Value {
    if m.is_capture() || m.is_promotion() {
        10 * material_gain(m) - material_value(m.role())
    } else {
        -INFINITE
    }
}
