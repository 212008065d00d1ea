//! Exercise of page 7, docs/course/07-quiescence.md: search captures to the end.

mod support;

use support::*;

/// Returns the value when all captures are played out: exact between `alpha` and `beta`, else a bound.
///
/// Not in check (`walk.position().is_check()`):
///
/// * Stand pat: `walk.evaluate()` is the least value; if it is `beta` or more, return it. Raise `alpha`.
/// * Keep (`moves.retain(|&m| …)`) of `walk.moves()` only captures and promotions that pass two tests:
///   stand pat + `material_gain(m)` + `DELTA_MARGIN` > `alpha`, and `walk.position().see_at_least(m, 0)`.
///
/// In check every move is tried, and standing pat is worth `-INFINITE`. Sort the moves by `promise`, as on
/// page 4. Then `best_among(&moves, walk, stand_pat, (alpha, beta), quiescence).0` is the value.
#[allow(unused_variables)] // because of `todo!()`
fn quiescence<E: Evaluator>(walk: &mut Walk<E>, alpha: Value, beta: Value) -> Value {
    if let Some(value) = walk.game_over() {
        return value;
    }
    todo!()
}

/// Alpha-beta whose leaves have the value that `leaf` returns.
fn search_with<E: Evaluator>(
    walk: &mut Walk<E>,
    depth: u32,
    (alpha, beta): (Value, Value),
    leaf: fn(&mut Walk<E>, Value, Value) -> Value,
) -> Value {
    let after = |walk: &mut Walk<E>, alpha, beta| search_with(walk, depth - 1, (alpha, beta), leaf);
    match walk.game_over() {
        Some(value) => value,
        None if depth == 0 => leaf(walk, alpha, beta),
        None => best_among(&walk.moves(), walk, -INFINITE, (alpha, beta), after).0,
    }
}

fn main() {
    exercise(file!(), "quiescence", |checks| {
        let pawn = "4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1";
        let tactical = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let promotions = "8/PPP4k/8/8/8/8/4Kppp/8 w - - 0 1";
        for (fen, depth) in [(pawn, 1), (tactical, 1), (promotions, 1)] {
            let search = |leaf: fn(&mut Walk<Material>, Value, Value) -> Value| {
                search(fen, Material, Perspective::Mover, |walk| {
                    search_with(walk, depth, (-INFINITE, INFINITE), leaf)
                })
            };
            checks.expect(
                &format!("{fen} at depth {depth}"),
                search(quiescence),
                search(lessons::prototype::quiescence),
            );
            println!("       Without quiescence it is {}.", search(|walk, _, _| walk.evaluate()));
        }
    });
}
