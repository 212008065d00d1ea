//! Exercise of page 6, docs/course/06-transposition-table.md: search no position twice.

mod support;

use support::*;

/// Returns the value for the side to move, `depth` plies ahead: exact between `alpha` and `beta`, outside
/// them a bound.
///
/// First ask the memo: `memo.recall(key, ply)` returns what is known of the position, as `Some(known)`, or
/// `None`. Its value ends the node if `known.depth` is `depth` and `known.bound` fits the window:
///
/// * `Bound::Exact`, the value is = `known.value`: always;
/// * `Bound::Lower`, the value is ≥ `known.value`: if that is `beta` or more;
/// * `Bound::Upper`, the value is ≤ `known.value`: if that is `alpha` or less.
///
/// Else search: `best_among(&walk.moves(), walk, -INFINITE, (alpha, beta), after)` is alpha-beta over all
/// moves and returns `(value, best)`. Its `after` is `|walk: &mut Walk<E>, alpha, beta| memoised(walk, memo,
/// depth - 1, alpha, beta)`.
///
/// At last store it: `memo.remember(key, ply, Known { value, bound, depth, best })`. A value of `beta` or
/// more was a cut-off, so it is a lower bound. With `alpha` or less, no move was good enough: an upper bound.
///
/// The lesson also leaves out positions whose value depends on the moves before them. At these depths there
/// are none.
#[allow(unused_variables)] // because of `todo!()`
fn memoised<E: Evaluator>(
    walk: &mut Walk<E>,
    memo: &mut Memo,
    depth: u32,
    alpha: Value,
    beta: Value,
) -> Value {
    if let Some(value) = walk.end(depth) {
        return value;
    }
    let (key, ply) = (walk.position().key(), walk.ply());
    todo!()
}

fn main() {
    exercise(file!(), "memoised", |checks| {
        let locked = "4k3/8/p3p1p1/P3P1P1/8/8/8/4K3 w - - 0 1";
        for (fen, depth) in [(locked, 9), (MIDDLEGAME, 4), (PAWNS, 7)] {
            let search = |algorithm: fn(&mut Walk<Classical>, &mut Memo, u32, Value, Value) -> Value| {
                let mut memo = Memo::with_slots(1 << 18);
                search(fen, Classical::default(), Perspective::Mover, |walk| {
                    algorithm(walk, &mut memo, depth, -INFINITE, INFINITE)
                })
            };
            let yours = search(memoised);
            checks.expect(&format!("{fen} at depth {depth}"), &yours, search(lessons::memoised));
            let without = search(|walk, _, depth, alpha, beta| lessons::negamax(walk, depth, alpha, beta));
            yours.compare("alpha-beta without a memo", &without);
        }
    });
}
