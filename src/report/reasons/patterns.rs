//! What a strong move does on the board: a fork or a pin.

use shakmaty::{Board, Color, Move, Position as _, Role, Square};

use super::Case;
use crate::chess::{
    notation::{self, numbered},
    position::Position,
    value::{Value, material_value},
};

/// What the answer to the move does, or else what the better move would have done.
pub(super) fn words(case: &Case<'_>) -> Option<String> {
    let mut after = case.before.clone();
    after.play(case.played);
    let allowed = case.refutation.first().and_then(|&m| Some(format!("allows {}", of_move(&after, m)?)));
    let missed = || case.better.first().and_then(|&m| Some(format!("misses {}", of_move(case.before, m)?)));
    allowed.or_else(missed)
}

/// The pattern of a move, with the move.
fn of_move(before: &Position, m: Move) -> Option<String> {
    let mut after = before.clone();
    after.play(m);
    let (player, place) = (before.turn(), m.to());
    let board = after.chess().board();
    // What can be taken at once attacks nothing.
    let is_safe = !after.legal_moves().iter().any(|reply| reply.is_capture() && reply.to() == place);
    let shown = numbered(before, &[m]);
    if is_safe && let Some(targets) = fork(board, player, place) {
        return Some(format!("a fork of {targets}: {shown}"));
    }
    let new = after.pinned(!player) & !before.pinned(!player) & !board.pawns();
    let square = new.into_iter().next()?;
    let role = board.role_at(square)?;
    Some(format!("a pin of {}: {shown}", named(role, square)))
}

/// The men that the man on `place` attacks, if there are two or more of which each is worth more or has no defence.
fn fork(board: &Board, player: Color, place: Square) -> Option<String> {
    // A king is worth more than all.
    let value = |role: Role| if role == Role::King { Value::MAX } else { material_value(role) };
    let own = board.role_at(place).filter(|role| *role != Role::King)?;
    let attacked = board.attacks_from(place) & board.by_color(!player);
    let targets = attacked.into_iter().filter_map(|square| {
        let role = board.role_at(square)?;
        let is_defended = board.attacks_to(square, !player, board.occupied()).any();
        (value(role) > value(own) || (!is_defended && role != Role::Pawn)).then_some((role, square))
    });
    let mut targets: Vec<(Role, Square)> = targets.collect();
    targets.sort_by_key(|(role, _)| std::cmp::Reverse(value(*role)));
    let names: Vec<String> = targets.into_iter().map(|(role, square)| named(role, square)).collect();
    (names.len() >= 2).then(|| names.join(" and "))
}

/// `the rook on a8`, or `the king`.
fn named(role: Role, square: Square) -> String {
    match role {
        Role::King => "the king".into(),
        _ => format!("the {} on {square}", notation::role(role)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn forks_and_pins_are_seen_on_the_board() {
        for (fen, m, expected) in [
            (
                "r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1",
                "Nc7+",
                Some("a fork of the king and the rook on a8: 1. Nc7+"),
            ),
            ("r3k3/8/1b6/3N4/8/8/8/4K3 w - - 0 1", "Nc7+", None),
            (
                "4k3/8/8/8/1n3b2/8/3P4/Q3K3 w - - 0 1",
                "Qd4",
                Some("a fork of the knight on b4 and the bishop on f4: 1. Qd4"),
            ),
            ("4k3/8/2n5/8/8/8/8/4KB2 w - - 0 1", "Bb5", Some("a pin of the knight on c6: 1. Bb5")),
            ("4k3/3p4/2n5/8/8/8/8/4KB2 w - - 0 1", "Bb5", None),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let m = crate::chess::notation::read_move(position.chess(), m).unwrap();
            let found = of_move(&position, m);
            assert_eq!(found.as_deref(), expected, "{fen}");
        }
    }
}
