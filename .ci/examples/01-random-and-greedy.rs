fn greedy(walk: &mut Walk<Material>) -> Vec<Move> {
    let scored: Vec<(Value, Move)> =
        walk.moves().into_iter().map(|m| (-walk.after(m, |walk| walk.end(0).unwrap_or(DRAW)), m)).collect();
    let Some(best) = scored.iter().map(|&(value, _)| value).max() else { return Vec::new() };
    scored.into_iter().filter(|&(value, _)| value == best).map(|(_, m)| m).collect()
}
