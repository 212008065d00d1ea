fn sum_after(before: Value, delta: &Delta) -> Value {
    let removed = look_up(delta.from) + delta.also_removed.map_or(0, look_up);
    let added = look_up(delta.to) + delta.also_added.map_or(0, look_up);
    before - removed + added
}
