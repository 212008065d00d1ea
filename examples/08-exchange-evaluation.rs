//! Exercise of page 8, docs/course/08-exchange-evaluation.md: judge a capture without a search.

mod support;

use support::*;

/// Returns what `side` wins on `square`, where it can capture `victim`. It need not capture, so this is 0 or
/// more.
///
/// * `board.attacks_to(square, side, occupied) & occupied` are the squares of the pieces of `side` that can
///   capture; `into_iter()` goes through them. If there is none, nothing is won.
/// * The least valuable piece captures: the one with the smallest `board.role_at(from)`. That is
///   `Some(role)`.
/// * It wins `worth(victim)`, and loses what this function returns for the opponent, `!side`, with `role` as
///   the victim. The piece has left its square by then: `occupied.without(from)`. Rooks, bishops and queens
///   behind it join in by themselves.
#[allow(unused_variables)] // because of `todo!()`
fn exchange(board: &Board, square: Square, occupied: Bitboard, side: Color, victim: Role) -> Value {
    todo!()
}

/// The value of a piece in an exchange. The king is worth more than all others together, so it captures only
/// what is not protected.
#[allow(dead_code)] // because of `todo!()`
fn worth(role: Role) -> Value {
    if role == Role::King { 20_000 } else { material_value(role) }
}

/// Returns what the capture `m` wins: its victim, less what the opponent then wins on the same square.
fn see(position: &Position, m: Move) -> Value {
    let occupied = position.chess().board().occupied().without(m.from().expect("a piece moves"));
    material_gain(m) - exchange(position.chess().board(), m.to(), occupied, !position.turn(), m.role())
}

fn main() {
    exercise(file!(), "exchange", |checks| {
        for (fen, capture) in [
            ("4k3/8/4p3/3n4/8/8/3R4/4K3 w - - 0 1", "d2d5"),
            ("4k3/8/4p3/3n4/8/8/3R4/3RK3 w - - 0 1", "d2d5"),
            ("3q3k/3r4/3r4/3p4/8/3R4/3R4/3Q2K1 w - - 0 1", "d3d5"),
            ("8/8/4k3/3p4/4P3/2N5/8/K7 w - - 0 1", "e4d5"),
            ("3qk3/8/4p3/3n4/8/8/3R4/3RK3 w - - 0 1", "d2d5"),
        ] {
            let position = position(fen);
            let m = position.find_move(capture).expect("the move is legal");
            // The engine's own function answers only whether a capture wins at least so much.
            let expected = (-1000..=1000).rev().find(|&value| position.see_at_least(m, value));
            let what = format!("{} in {fen}", san(&position, m));
            checks.expect(&what, pawns(see(&position, m)), expected.map_or(String::new(), pawns));
        }
    });
}
