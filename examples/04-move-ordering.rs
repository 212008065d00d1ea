//! Exercise of page 4, docs/course/04-move-ordering.md: try good moves first.

mod support;

use support::*;

/// Returns how promising a move is. The move with the largest number is searched first.
///
/// Of captures and promotions, the larger gain comes first. Of equal gains, the less valuable attacker comes
/// first. All other moves come last: `-INFINITE`.
///
/// * `m.is_capture()` and `m.is_promotion()` say what `m` is.
/// * `material_gain(m)` is what it wins: the captured piece, and what a pawn gains by a promotion. Ten times
///   that outweighs every attacker.
/// * `material_value(m.role())` is the value of the piece that moves.
#[allow(unused_variables)] // because of `todo!()`
fn promise(m: Move) -> Value {
    todo!()
}

/// Alpha-beta with the moves sorted by `promise`; the value is for the side to move.
fn ordered<E: Evaluator>(
    walk: &mut Walk<E>,
    depth: u32,
    (alpha, beta): (Value, Value),
    promise: fn(Move) -> Value,
) -> Value {
    if let Some(value) = walk.end(depth) {
        return value;
    }
    let mut moves = walk.moves();
    moves.sort_by_key(|&m| -promise(m));
    let after = |walk: &mut Walk<E>, alpha, beta| ordered(walk, depth - 1, (alpha, beta), promise);
    best_among(&moves, walk, -INFINITE, (alpha, beta), after).0
}

fn main() {
    exercise(file!(), "promise", |checks| {
        let tactical = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        for (fen, depth) in [(tactical, 3), (MIDDLEGAME, 4), (PAWNS, 6)] {
            let search = |promise: fn(Move) -> Value| {
                search(fen, Classical::default(), Perspective::Mover, |walk| {
                    ordered(walk, depth, (-INFINITE, INFINITE), promise)
                })
            };
            let yours = search(promise);
            checks.expect(&format!("{fen} at depth {depth}"), &yours, search(lessons::prototype::promise));
            yours.compare("alpha-beta without an order", &search(|_| 0));
        }
    });
}
