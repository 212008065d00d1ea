//! The cost of an evaluation: incrementally after a move, and from scratch.

use divan::{Bencher, black_box};
use zugwerk::{
    chess::position::Position,
    engine::{
        bench::positions,
        eval::{Classical, Evaluator, Material},
    },
};

fn main() {
    divan::main();
}

fn roots() -> Vec<Position> {
    positions().map(|fen| Position::from_fen(fen).expect("a position")).collect()
}

/// `reset` and `evaluate` for each position of the benchmark.
#[divan::bench(types = [Material, Classical])]
fn from_scratch<E: Evaluator + Default>(bencher: Bencher) {
    let roots = roots();
    let mut evaluator = E::default();
    bencher.counter(divan::counter::ItemsCount::new(roots.len())).bench_local(|| {
        for root in &roots {
            evaluator.reset(root);
            black_box(evaluator.evaluate(root));
        }
    });
}

/// `push`, `evaluate` and `pop` for each legal move of each position; the time includes playing the move.
#[divan::bench(types = [Material, Classical])]
fn after_each_move<E: Evaluator + Default>(bencher: Bencher) {
    let mut roots = roots();
    let moves: Vec<_> = roots.iter().map(Position::legal_moves).collect();
    let mut evaluator = E::default();
    let count: usize = moves.iter().map(Vec::len).sum();
    bencher.counter(divan::counter::ItemsCount::new(count)).bench_local(|| {
        for (root, moves) in roots.iter_mut().zip(&moves) {
            evaluator.reset(root);
            for &m in moves {
                let delta = root.play(m);
                evaluator.push(root, &delta);
                black_box(evaluator.evaluate(root));
                evaluator.pop();
                root.undo();
            }
        }
    });
}
