//! What a strong move does on the board: a fork, a skewer, a discovered attack, a pin; and by what a man
//! falls.

use shakmaty::{
    Bitboard, Board, Color, Move, Position as _, Role, Square,
    attacks::{self, aligned},
};

use super::{Case, after};
use crate::chess::remarks::earlier::verbs::{ALLOWS, MISSES};
use crate::chess::{
    notation::{self, numbered},
    position::Position,
    value::{Value, material_value},
};

/// What the answer to the move does, or else what the better move would have done.
pub(super) fn words(case: &Case<'_>) -> Option<String> {
    let seen = |position: &Position, line: &[Move]| {
        let m = *line.first()?;
        Some(format!("{}: {}", Pattern::of_move(position, m)?.words(), numbered(position, &[m])))
    };
    let allowed =
        seen(&after(case.before, &[case.played]), &case.refutation).map(|words| format!("{ALLOWS} {words}"));
    allowed.or_else(|| Some(format!("{MISSES} {}", seen(case.before, &case.better)?)))
}

/// By what a man falls in `line`, which wins material for the player of its first move: `by a fork`, `(the
/// bishop on b3 is trapped)`. `only` is the man that is won, if it is a single one.
pub(super) fn cause(before: &Position, line: &[Move], only: Option<Role>) -> Option<String> {
    let first = *line.first()?;
    let falls = |square| line.iter().skip(2).step_by(2).any(|m| m.is_capture() && m.to() == square);
    let pattern = Pattern::of_move(before, first);
    let pattern = pattern.filter(|pattern| pattern.targets.iter().any(|(_, square)| falls(*square)));
    let pattern = pattern.map(|pattern| pattern.name);
    let pattern = pattern.or_else(|| is_overloaded(before, line).then_some("an overloaded defender"));
    if let Some(pattern) = pattern {
        return Some(format!(" by {pattern}"));
    }
    let role = only.filter(|role| *role != Role::Pawn)?;
    let after = after(before, &[first]);
    let own = after.chess().board().by_piece(role.of(after.turn())) & !after.pinned(after.turn());
    let square = own.into_iter().find(|square| falls(*square) && is_trapped(&after, *square))?;
    Some(format!(" ({} is trapped)", named(role, square)))
}

/// A pattern on the board.
struct Pattern {
    /// Its name, with its article.
    name: &'static str,
    /// The men against which it is directed.
    targets: Vec<(Role, Square)>,
}

impl Pattern {
    /// The pattern that a move makes.
    fn of_move(before: &Position, m: Move) -> Option<Self> {
        let after = after(before, &[m]);
        let (player, place) = (before.turn(), m.to());
        let board = after.chess().board();
        let replies = after.legal_moves();
        // What can be taken at once attacks nothing.
        let is_safe =
            !replies.iter().any(|reply| reply.is_en_passant() || (reply.is_capture() && reply.to() == place));
        let with = |name, targets: Vec<_>| (!targets.is_empty()).then_some(Self { name, targets });
        let by_the_man = || {
            let fork = targets(board, player, place, Bitboard::FULL);
            let fork = if fork.len() >= 2 { with("a fork", fork) } else { None };
            fork.or_else(|| with("a skewer", skewer(board, player, place)))
        };
        let by_the_man = if is_safe { by_the_man() } else { None };
        by_the_man
            .or_else(|| {
                let found = discovered(before.chess().board(), board, player, m);
                let is_lost = |slider: Square| {
                    let captures = replies.iter().filter(|reply| reply.is_capture() && reply.to() == slider);
                    captures.copied().any(|capture| after.see_at_least(capture, 0))
                };
                let (_, target) = found.filter(|(slider, _)| !is_lost(*slider))?;
                with("a discovered attack", vec![target])
            })
            .or_else(|| {
                if !is_safe {
                    return None;
                }
                let new = after.pinned(!player) & !before.pinned(!player) & !board.pawns();
                let pinned = new.into_iter().filter_map(|square| Some((board.role_at(square)?, square)));
                with("a pin", pinned.take(1).collect())
            })
    }

    /// `a fork of the king and the rook on a8`
    fn words(&self) -> String {
        let names: Vec<String> = self.targets.iter().map(|(role, square)| named(*role, *square)).collect();
        let on = if self.name.ends_with("attack") { "on" } else { "of" };
        match &self.targets[..] {
            [(Role::King, _)] if on == "on" => "a discovered check".into(),
            _ => format!("{} {on} {}", self.name, names.join(" and ")),
        }
    }
}

/// The value of a man as a target. A king is worth more than all.
fn value(role: Role) -> Value {
    if role == Role::King { Value::MAX } else { material_value(role) }
}

/// Whether a man of `side` defends `square`.
fn is_defended(board: &Board, side: Color, square: Square) -> bool {
    board.attacks_to(square, side, board.occupied()).any()
}

/// The men among `squares` that the man on `place` attacks and that are worth more or, but for pawns, have no
/// defence; the most valuable first.
fn targets(board: &Board, player: Color, place: Square, squares: Bitboard) -> Vec<(Role, Square)> {
    let Some(own) = board.role_at(place).filter(|role| *role != Role::King) else { return Vec::new() };
    let attacked = board.attacks_from(place) & board.by_color(!player) & squares;
    let mut targets: Vec<(Role, Square)> = attacked
        .into_iter()
        .filter_map(|square| Some((board.role_at(square)?, square)))
        .filter(|&(role, square)| {
            value(role) > value(own) || (role != Role::Pawn && !is_defended(board, !player, square))
        })
        .collect();
    targets.sort_by_key(|(role, _)| std::cmp::Reverse(value(*role)));
    targets
}

/// Two men in a line from the man on `place`, if the first one is worth more than the second and than the
/// attacker, and the second falls when the first one moves.
fn skewer(board: &Board, player: Color, place: Square) -> Vec<(Role, Square)> {
    let Some(piece) = board.piece_at(place) else { return Vec::new() };
    for (role, square) in targets(board, player, place, Bitboard::FULL) {
        let through = attacks::attacks(place, piece, board.occupied().without(square));
        let behind = through & !board.attacks_from(place) & board.by_color(!player);
        for second in behind {
            let Some(other) = board.role_at(second) else { continue };
            let falls = value(other) > value(piece.role)
                || (other != Role::Pawn && !is_defended(board, !player, second));
            if value(role) > value(other).max(value(piece.role)) && falls {
                return vec![(role, square), (other, second)];
            }
        }
    }
    Vec::new()
}

/// The most valuable man that a move uncovers to another man of its player, and where that man stands.
fn discovered(before: &Board, after: &Board, player: Color, m: Move) -> Option<(Square, (Role, Square))> {
    let from = m.from()?;
    let sliders = after.sliders() & after.by_color(player);
    let found = sliders
        .into_iter()
        .filter(|slider| *slider != m.to() && before.attacks_from(*slider).contains(from))
        .flat_map(|slider| {
            let beyond = !before.attacks_from(slider);
            let line: Bitboard = beyond.into_iter().filter(|square| aligned(slider, from, *square)).collect();
            targets(after, player, slider, line).into_iter().map(move |target| (slider, target))
        });
    found.max_by_key(|(_, (role, _))| value(*role))
}

/// Whether the first move of `line` takes a man, a single man takes back, and the third move takes what that
/// man alone has defended.
fn is_overloaded(before: &Position, line: &[Move]) -> bool {
    let [first, reply, third, ..] = line else { return false };
    let after = after(before, &[*first]);
    let board = after.chess().board();
    let defenders = |square: Square| board.attacks_to(square, after.turn(), board.occupied());
    let is_exchange = first.is_capture() && reply.is_capture() && reply.to() == first.to();
    let alone = |square| reply.from().is_some_and(|from| defenders(square) == Bitboard::from_square(from));
    is_exchange && third.is_capture() && third.to() != first.to() && alone(first.to()) && alone(third.to())
}

/// Whether the man of the side to move on `square` is lost where it stands and on each square to which it can
/// move.
fn is_trapped(position: &Position, square: Square) -> bool {
    let is_lost = |m: Option<Move>| {
        let mut after = position.clone();
        after.play_or_pass(m);
        let place = m.map_or(square, Move::to);
        let mut captures = after.legal_moves().into_iter().filter(|m| m.is_capture() && m.to() == place);
        captures.any(|capture| after.see_at_least(capture, 1))
    };
    let mut own = position.legal_moves().into_iter().filter(|m| m.from() == Some(square));
    !position.is_check() && is_lost(None) && own.all(|m| is_lost(Some(m)))
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
    use crate::report::reasons::tests::line;

    #[test]
    fn patterns_are_seen_on_the_board() {
        for (fen, m, expected) in [
            ("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "Nc7+", Some("a fork of the king and the rook on a8")),
            ("r3k3/8/1b6/3N4/8/8/8/4K3 w - - 0 1", "Nc7+", None),
            (
                "4k3/8/8/8/1n3b2/8/3P4/Q3K3 w - - 0 1",
                "Qd4",
                Some("a fork of the knight on b4 and the bishop on f4"),
            ),
            ("4k3/8/2n5/8/8/8/8/4KB2 w - - 0 1", "Bb5", Some("a pin of the knight on c6")),
            ("3r4/8/8/3k4/8/8/8/R3K3 w - - 0 1", "Rd1", Some("a skewer of the king and the rook on d8")),
            ("3r4/3k4/8/8/4n3/8/8/R3K3 w - - 0 1", "Rd1", None),
            ("3qk3/8/8/8/3N4/8/8/3RK3 w - - 0 1", "Nb5", Some("a discovered attack on the queen on d8")),
            ("4k3/8/8/8/4N3/8/8/4RK2 w - - 0 1", "Nc5", Some("a discovered check")),
            // The double step can be taken, and so can the rook that is uncovered.
            ("7k/8/8/3r1r2/3p4/8/4P3/4K3 w - - 0 1", "e4", None),
            ("7k/8/8/3r1r2/8/8/4P3/4K3 w - - 0 1", "e4", Some("a fork of the rook on d5 and the rook on f5")),
            ("3rk3/8/8/8/3N4/8/8/3R1K2 w - - 0 1", "Nb3", None),
            // The queen can take the one that pins it.
            ("4k3/4q3/8/8/8/8/8/3QK3 w - - 0 1", "Qe2", None),
            ("4k3/3p4/2n5/8/8/8/8/4KB2 w - - 0 1", "Bb5", None),
        ] {
            let position = Position::from_fen(fen).unwrap();
            let found = Pattern::of_move(&position, line(&position, m)[0]).map(|pattern| pattern.words());
            assert_eq!(found.as_deref(), expected, "{fen}");
        }
    }

    #[test]
    fn what_falls_has_a_cause() {
        for (fen, moves, expected) in [
            ("r3k3/8/8/3N4/8/8/8/4K3 w - - 0 1", "Nc7+ Kd7 Nxa8", Some(" by a fork")),
            ("r3k3/7p/8/3N4/8/8/8/4K2R w - - 0 1", "Nc7+ Kd7 Rxh7+", None),
            ("3r4/8/8/3k4/8/8/8/R3K3 w - - 0 1", "Rd1+ Ke4 Rxd8", Some(" by a skewer")),
            ("3qk3/8/8/8/3N4/8/8/3RK3 w - - 0 1", "Nb5 Ke7 Rxd8", Some(" by a discovered attack")),
            (
                "2r3k1/3q4/8/5b2/8/5R2/8/2R3K1 w - - 0 1",
                "Rxc8+ Qxc8 Rxf5",
                Some(" by an overloaded defender"),
            ),
            ("2r3k1/3q4/6p1/5b2/8/5R2/8/2R3K1 w - - 0 1", "Rxc8+ Qxc8 Rxf5", None),
            ("4k3/8/p7/1pp5/8/1B6/PPP5/4K3 b - - 0 1", "c4 Ke2 cxb3", Some(" (the bishop on b3 is trapped)")),
            ("4k3/8/p7/1pp5/8/1B6/PP6/4K3 b - - 0 1", "c4 Ke2 cxb3", None),
            // Pinned by the rook, and not trapped.
            (
                "1r2k3/8/p7/1pp5/8/1B6/PPP5/1K6 b - - 0 1",
                "c4 Kc1 cxb3",
                Some(" (the bishop on b3 is trapped)"),
            ),
            ("4k3/8/p7/1pp5/4r3/8/4B3/4K3 b - - 0 1", "c4 Kd2 Rxe2+", None),
        ] {
            let start = Position::from_fen(fen).unwrap();
            assert_eq!(
                cause(&start, &line(&start, moves), Some(Role::Bishop)).as_deref(),
                expected,
                "{fen}: {moves}"
            );
        }
    }
}
