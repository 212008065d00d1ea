//! Our two groups of legal moves compared with shakmaty's generators, for the positions of the benchmark.

use divan::{Bencher, black_box, counter::ItemsCount};
use shakmaty::Position as _;
use zugwerk::{
    chess::position::{Legality, PackedMove, Position},
    engine::bench::positions,
};

fn main() {
    divan::main();
}

fn roots() -> Vec<Position> {
    positions().map(|fen| Position::from_fen(fen).expect("a position")).collect()
}

/// Times `visit` for all positions.
fn each_position(bencher: Bencher, mut visit: impl FnMut(&Position)) {
    let roots = roots();
    bencher.counter(ItemsCount::new(roots.len())).bench_local(|| roots.iter().for_each(&mut visit));
}

#[divan::bench]
fn tactical_moves(bencher: Bencher) {
    each_position(bencher, |position| {
        Legality::of(position).tactical_moves(|m| {
            black_box(m);
        });
    });
}

#[divan::bench]
fn quiet_moves(bencher: Bencher) {
    each_position(bencher, |position| {
        Legality::of(position).quiet_moves(|m| {
            black_box(m);
        });
    });
}

#[divan::bench]
fn shakmaty_capture_moves(bencher: Bencher) {
    each_position(bencher, |position| {
        black_box(position.chess().capture_moves());
    });
}

#[divan::bench]
fn shakmaty_legal_moves(bencher: Bencher) {
    each_position(bencher, |position| {
        black_box(position.chess().legal_moves());
    });
}

/// Computing legality and unpacking one stored move, as at every node with a table move.
#[divan::bench]
fn unpack_a_table_move(bencher: Bencher) {
    let roots = roots();
    let packed: Vec<_> = roots.iter().filter_map(|root| PackedMove::new(root.legal_moves()[0])).collect();
    bencher.counter(ItemsCount::new(roots.len())).bench_local(|| {
        for (root, &packed) in roots.iter().zip(&packed) {
            black_box(Legality::of(root).unpack(packed));
        }
    });
}

/// Predicting the check of each legal move.
#[divan::bench]
fn gives_check(bencher: Bencher) {
    let roots = roots();
    let moves: Vec<_> = roots.iter().map(Position::legal_moves).collect();
    let count: usize = moves.iter().map(Vec::len).sum();
    bencher.counter(ItemsCount::new(count)).bench_local(|| {
        for (root, moves) in roots.iter().zip(&moves) {
            for &m in moves {
                black_box(root.gives_check(m));
            }
        }
    });
}
