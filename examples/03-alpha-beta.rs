//! Exercise of page 3, docs/course/03-alpha-beta.md: skip what cannot change the result.

mod support;

use support::*;

/// Returns the value for White, `depth` plies ahead: exact between `alpha` and `beta`, outside them a bound.
fn alpha_beta<E: Evaluator>(walk: &mut Walk<E>, depth: u32, alpha: Value, beta: Value) -> Value {
    match walk.end(depth) {
        Some(value) => value,
        None if walk.position().turn().is_white() => maximise(walk, depth, alpha, beta),
        None => minimise(walk, depth, alpha, beta),
    }
}

/// White to move: returns the largest value and raises `alpha`.
fn maximise<E: Evaluator>(walk: &mut Walk<E>, depth: u32, mut alpha: Value, beta: Value) -> Value {
    let mut best = -INFINITE;
    for m in walk.moves() {
        let value = walk.after(m, |walk| alpha_beta(walk, depth - 1, alpha, beta));
        best = best.max(value);
        alpha = alpha.max(value);
        if value >= beta {
            break;
        }
    }
    best
}

/// Black to move: returns the smallest value and lowers `beta`.
///
/// It is the mirror image of `maximise`. Which bound does a value of Black change, and which one ends the
/// loop?
#[allow(unused_variables)] // because of `todo!()`
fn minimise<E: Evaluator>(walk: &mut Walk<E>, depth: u32, alpha: Value, beta: Value) -> Value {
    todo!()
}

fn main() {
    exercise(file!(), "minimise", |checks| {
        for (fen, depth) in [(PAWNS, 5), (MIDDLEGAME, 3), (ROOKS, 3)] {
            let search = |algorithm: fn(&mut Walk<Classical>, u32) -> Value| {
                search(fen, Classical::default(), Perspective::White, |walk| algorithm(walk, depth))
            };
            let yours = search(|walk, depth| alpha_beta(walk, depth, -INFINITE, INFINITE));
            let lesson = search(|walk, depth| lessons::alpha_beta(walk, depth, -INFINITE, INFINITE));
            checks.expect(&format!("{fen} at depth {depth}"), &yours, lesson);
            yours.compare("minimax", &search(lessons::minimax));
        }
    });
}
