//! Exercise of page 2, docs/course/02-minimax.md: search every line.

mod support;

use support::*;

/// Returns the value for White, `depth` plies ahead.
///
/// The value of a leaf is given: `walk.end(depth)` knows it. Elsewhere White takes the largest value of its
/// moves and Black the smallest.
///
/// * `walk.position().turn().is_white()` says who is to move.
/// * Every value is smaller than `INFINITE` and larger than `-INFINITE`: a good `best` to begin with.
/// * `walk.moves()` returns the legal moves.
/// * `walk.after(m, |walk| …)` plays `m`, calculates the value `…` of the position after it, and takes `m`
///   back.
fn minimax<E: Evaluator>(walk: &mut Walk<E>, depth: u32) -> Value {
    if let Some(value) = walk.end(depth) {
        return value;
    }
    todo!()
}

fn main() {
    exercise(file!(), "minimax", |checks| {
        for (fen, depth) in [(ROOKS, 3), (PAWNS, 5), (MIDDLEGAME, 3)] {
            let search = |algorithm: fn(&mut Walk<Classical>, u32) -> Value| {
                search(fen, Classical::default(), Perspective::White, |walk| algorithm(walk, depth))
            };
            let what = format!("{fen} at depth {depth}");
            checks.expect(&what, search(minimax), search(lessons::minimax));
        }
    });
}
