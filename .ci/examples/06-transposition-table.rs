fn memoised<E: Evaluator>(
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
    if let Some(known) = memo.recall(key, ply)
        && known.depth == depth
        && match known.bound {
            Bound::Exact => true,
            Bound::Lower => known.value >= beta,
            Bound::Upper => known.value <= alpha,
        }
    {
        return known.value;
    }
    let after = |walk: &mut Walk<E>, alpha, beta| memoised(walk, memo, depth - 1, alpha, beta);
    let (value, best) = best_among(&walk.moves(), walk, -INFINITE, (alpha, beta), after);
    let bound = if value >= beta {
        Bound::Lower
    } else if value <= alpha {
        Bound::Upper
    } else {
        Bound::Exact
    };
    memo.remember(key, ply, Known { value, bound, depth, best });
    value
}
