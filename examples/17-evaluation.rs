//! Exercise of page 17, docs/course/17-evaluation.md: the values of the pieces on their squares, kept move by
//! move.

mod support;

use support::*;

/// Returns the sum of all pieces after a move. `before` is the sum before it.
///
/// `look_up(…)` is the value for White of a piece on its square: that of a black piece is negative. Look up
/// only what the move changes:
///
/// * `delta.from`: the piece that moves, on its old square;
/// * `delta.to`: the same piece, or what the pawn becomes, on its new square;
/// * `delta.also_removed`: the captured piece, or the castling rook on its old square, as `Some(…)`;
/// * `delta.also_added`: the castling rook on its new square, as `Some(…)`.
#[allow(unused_variables)] // because of `todo!()`
fn sum_after(before: Value, delta: &Delta) -> Value {
    todo!()
}

/// Keeps the sums of the root and of each position after it. The last one is that of the current position.
#[derive(Clone, Default)]
struct Incremental(Vec<Value>);

impl Evaluator for Incremental {
    fn reset(&mut self, root: &Position) {
        self.0 = vec![sum(root)];
    }
    fn push(&mut self, _after: &Position, delta: &Delta) {
        self.0.push(sum_after(self.0[self.0.len() - 1], delta));
    }
    fn pop(&mut self) {
        self.0.pop();
    }
    fn evaluate(&mut self, position: &Position) -> Value {
        let sum = self.0[self.0.len() - 1];
        position.turn().fold_wb(sum, -sum)
    }
}

fn main() {
    exercise(file!(), "sum_after", |checks| {
        let castling = "4k3/8/8/8/8/p6p/P6P/R3K3 w Q - 0 1";
        let promotion = "4k3/P7/8/3pP3/8/8/8/4K3 w - d6 0 1";
        for (fen, depth) in [(castling, 1), (promotion, 3), (MIDDLEGAME, 2)] {
            let yours =
                search(fen, Incremental::default(), Perspective::White, |walk| lessons::minimax(walk, depth));
            let few = look_ups();
            let expected = search(fen, FromScratch, Perspective::White, |walk| lessons::minimax(walk, depth));
            checks.expect(&format!("{fen} at depth {depth}"), yours, expected);
            println!("       That takes {few} look-ups instead of {}.", look_ups());
        }
    });
}
