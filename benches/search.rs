//! A whole search to a fixed depth, with table and picker: nodes per second and time to depth.

use divan::{Bencher, counter::ItemsCount};
use zugwerk::{
    chess::position::Position,
    engine::{
        eval::{Classical, Evaluator, Material},
        search::{Limits, Searcher, Settings, Silent, Stop, Techniques},
    },
};

fn main() {
    divan::main();
}

const OPENING: &str = "rnbqkb1r/p1p2ppp/1p2p3/3p4/2PPn3/P4NP1/1PQ1PP1P/RNB1KB1R b KQkq - 0 1";
const MIDDLEGAME: &str = "r1br2k1/1pq1bppp/p1n1pn2/6B1/3P4/P1NB1N2/1P2QPPP/2RR2K1 b - - 0 1";
const ENDING: &str = "8/5p2/4k1p1/4P2p/3K1P1P/6P1/8/8 w - - 0 1";

/// Searches `fen` with an empty table and returns the number of nodes.
fn search<E: Evaluator + Default>(bencher: Bencher, fen: &str, depth: u32, settings: &Settings) {
    let position = Position::from_fen(fen).expect("a position");
    let mut searcher = Searcher::<E>::new(8);
    let mut run = || {
        searcher.clear();
        searcher.search(&position, &Limits::depth(depth), &Stop::default(), settings, &mut Silent).nodes
    };
    let nodes = run();
    bencher.counter(ItemsCount::new(nodes)).bench_local(run);
}

#[divan::bench(args = [("opening", 10), ("middlegame", 10), ("ending", 16)], sample_count = 10)]
fn to_depth(bencher: Bencher, (name, depth): (&str, u32)) {
    let fen = match name {
        "opening" => OPENING,
        "middlegame" => MIDDLEGAME,
        _ => ENDING,
    };
    search::<Classical>(bencher, fen, depth, &Settings::default());
}

/// The same with the simplest evaluator: the cost of the search itself.
#[divan::bench(sample_count = 10)]
fn by_material(bencher: Bencher) {
    search::<Material>(bencher, MIDDLEGAME, 9, &Settings::default());
}

/// Plain alpha-beta: mostly making moves and evaluating.
#[divan::bench(sample_count = 10)]
fn without_techniques(bencher: Bencher) {
    let settings = Settings { techniques: Techniques::NONE, ..Settings::default() };
    search::<Classical>(bencher, MIDDLEGAME, 4, &settings);
}
