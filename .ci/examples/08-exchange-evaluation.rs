fn exchange(board: &Board, square: Square, occupied: Bitboard, side: Color, victim: Role) -> Value {
    let attackers = board.attacks_to(square, side, occupied) & occupied;
    let attackers = attackers.into_iter().filter_map(|from| Some((board.role_at(from)?, from)));
    let Some((role, from)) = attackers.min() else { return 0 };
    let lost = exchange(board, square, occupied.without(from), !side, role);
    (worth(victim) - lost).max(0)
}
