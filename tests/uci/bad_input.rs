//! Tests with input that no correct GUI sends. After every line the engine must still answer and play.

use rand::{Rng as _, SeedableRng as _, rngs::StdRng};

use super::driver::Engine;

const LINES: &[&str] = &[
    "position fen 4k3/8/8/8/8/8/8/4K3",
    "position fen k7/8/8/8/8/8/8/K7 w - - - -",
    "position fen \"4k3/8/8/8/8/8/8/4K3 w - - 0 1\"",
    "position fen qqqqqqqq/qqqqqqqq/8/8/8/8/k7/7K w - - 0 1",
    "position fen //////// w - - 0 1",
    "position fen 4k3/8/8/8/8/8/8/4K3 w KQkqKQkq - 0 1",
    "position fen 4k3/8/8/8/8/8/8/4K3 w - z9 0 1",
    "position fen 4k3/8/8/8/8/8/8/4K3 w - - -5 -7",
    "position startpos moves moves moves",
    "position startpos startpos",
    "position \u{0}startpos",
    "go depth 256",
    "go depth -1",
    "go depth depth depth 3 mate nodes",
    "go movetime 99999999999999999999999999999999",
    "go ponder infinite perft",
    "go searchmoves searchmoves searchmoves",
    "setoption name name value value value",
    "setoption name \u{fffd} value \u{fffd}",
    "bench deep",
    "bench 0",
    "bench 241",
    "uci uci uci",
    "stop stop quit_not",
    "....",
    "%s%n%d",
    "\u{1f4a9}",
];

#[test]
fn nothing_bad_stops_the_engine() {
    let mut engine = Engine::uci();
    for line in LINES {
        engine.ask(line);
        engine.send("stop");
        engine.ask("ucinewgame");
        engine.ask("position startpos");
    }
    while !engine.answers().is_empty() {}
    engine.go("go depth 2");
}

#[test]
fn random_bytes_do_not_stop_the_engine() {
    let mut random = StdRng::seed_from_u64(64);
    let mut engine = Engine::uci();
    for _ in 0..200 {
        let length = random.random_range(0..200);
        let mut bytes: Vec<u8> = (0..length).map(|_| random.random()).collect();
        bytes.push(b'\n');
        engine.write(&bytes);
    }
    engine.answers();
    engine.go("go depth 2");
}
