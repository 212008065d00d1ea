//! Exercise of page 5, docs/course/05-iterative-deepening.md: search depth 1, then 2, then 3.

mod support;

use support::*;

/// Returns the value for the side to move, `depth` plies ahead, after an iteration for every smaller depth.
///
/// For each iteration from 1 to `depth`:
///
/// * From the second one on, `walk.restart()` returns to the root.
/// * `negamax_among(&moves, walk, iteration, -INFINITE, INFINITE)` returns the value of that iteration. It
///   searches `moves` in their order: in the first iteration `walk.moves()`.
/// * `walk.root_moves()` then has each move with its value. Sort a copy, best value first: `to_vec()`,
///   `sort_by_key(…)`. The sorted moves are those of the next iteration.
fn deepening<E: Evaluator>(walk: &mut Walk<E>, depth: u32) -> Value {
    if let Some(value) = walk.end(depth.min(1)) {
        return value;
    }
    todo!()
}

fn main() {
    exercise(file!(), "deepening", |checks| {
        for (fen, depth) in [(MIDDLEGAME, 4), (PAWNS, 6), (ROOKS, 3)] {
            let search = |algorithm: fn(&mut Walk<Classical>, u32) -> Value| {
                search(fen, Classical::default(), Perspective::Mover, |walk| algorithm(walk, depth))
            };
            let yours = search(deepening);
            checks.expect(&format!("{fen} at depth {depth}"), &yours, search(lessons::deepening));
            let negamax = search(|walk, depth| lessons::negamax(walk, depth, -INFINITE, INFINITE));
            yours.compare("one search of that depth", &negamax);
        }
    });
}
