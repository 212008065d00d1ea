//! Counting positions: generating, making and unmaking moves at full speed.

use divan::{Bencher, counter::ItemsCount};
use zugwerk::chess::{perft, position::Position};

fn main() {
    divan::main();
}

/// Name, FEN, depth and count.
const CASES: [(&str, &str, u32, u64); 3] = [
    ("start", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 4, 197_281),
    ("castling and pins", "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", 3, 97_862),
    ("rook ending", "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", 5, 674_624),
];

#[divan::bench(args = CASES.map(|(name, ..)| name), sample_count = 20)]
fn count(bencher: Bencher, name: &str) {
    let (_, fen, depth, nodes) = CASES.into_iter().find(|case| case.0 == name).expect("a case");
    let mut position = Position::from_fen(fen).expect("a position");
    bencher.counter(ItemsCount::new(nodes)).bench_local(|| {
        assert_eq!(perft::count(&mut position, depth, &|| false), Some(nodes));
    });
}
