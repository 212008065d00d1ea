//! Tests of the output during a search: well-formed lines, legal moves, and their order.

use std::collections::HashSet;

use shakmaty::Position as _;
use zugwerk::{chess::position::Position, engine::bench};

use super::driver::{AT_LAST, Engine, field};

const POSITIONS: [&str; 6] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "4k3/P7/8/8/8/8/7p/4K3 b - - 0 1",
    "6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1",
    "7k/8/5KQ1/8/8/8/8/8 w - - 98 120",
];

/// Checks that an `info` line consists of known fields with integers, and returns its pv.
fn check_info(line: &str) -> Vec<&str> {
    let mut words = line.split(' ').skip(1).peekable();
    while let Some(word) = words.next() {
        match word {
            "string" => return Vec::new(),
            "pv" => return words.collect(),
            "depth" | "seldepth" | "multipv" | "nodes" | "nps" | "hashfull" | "tbhits" | "time"
            | "currmovenumber" => {
                let number = words.next().and_then(|word| word.parse::<u64>().ok());
                assert!(number.is_some(), "{word} in {line}");
            }
            "score" => {
                assert!(matches!(words.next(), Some("cp" | "mate")), "{line}");
                assert!(words.next().is_some_and(|word| word.parse::<i32>().is_ok()), "{line}");
                words.next_if(|word| matches!(*word, "lowerbound" | "upperbound"));
            }
            "wdl" => {
                let sum: u32 = (0..3).filter_map(|_| words.next()?.parse::<u32>().ok()).sum();
                assert_eq!(sum, 1000, "{line}");
            }
            "currmove" => assert!(words.next().is_some(), "{line}"),
            other => panic!("unknown field {other} in {line}"),
        }
    }
    Vec::new()
}

/// Plays `pv` from `fen`, panics at an illegal move, and returns the position after it.
fn play(fen: &str, pv: &[&str]) -> Position {
    let mut position = Position::from_fen(fen).unwrap();
    for text in pv {
        let m = position.find_move(text).unwrap_or_else(|error| panic!("{text} of {pv:?} in {fen}: {error}"));
        position.play(m);
    }
    position
}

#[test]
fn info_lines_are_well_formed_and_their_moves_legal() {
    let mut engine = Engine::uci();
    engine.send("setoption name UCI_ShowWDL value true");
    for fen in POSITIONS {
        engine.send(&format!("position fen {fen}"));
        let lines = engine.go("go depth 8");
        for line in &lines[..lines.len() - 1] {
            play(fen, &check_info(line));
        }
        let answer: Vec<&str> = lines.last().unwrap().split(' ').collect();
        match answer[..] {
            ["bestmove", best] => drop(play(fen, &[best])),
            ["bestmove", best, "ponder", reply] => drop(play(fen, &[best, reply])),
            _ => panic!("{answer:?}"),
        }
    }
}

#[test]
fn nobody_has_a_chance_to_win_a_known_draw() {
    let mut engine = Engine::uci();
    engine.send("setoption name UCI_ShowWDL value true");
    for (fen, is_known) in [
        ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", true),
        ("8/8/4k3/8/8/4K3/8/6N1 w - - 0 1", true),
        ("8/8/4k3/8/4P3/4K3/8/8 b - - 0 1", true),
        ("8/k7/8/P1K5/8/8/6B1/8 w - - 0 1", false), // the bishop attacks the corner
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
    ] {
        engine.send(&format!("position fen {fen}"));
        let lines = engine.go("go depth 4");
        let infos = &lines[..lines.len() - 1];
        assert!(infos.iter().all(|line| line.contains(" wdl 0 1000 0 ") == is_known), "{fen}: {infos:?}");
    }
}

/// Referees adjudicate by the last line. A bound in it used to be repeated as if it were exact.
#[test]
fn the_last_line_begins_with_the_best_move_and_a_bound_stays_a_bound() {
    let mut bounds = 0;
    for (threads, lines) in [(1, 1), (2, 1), (2, 3)] {
        let mut engine = Engine::uci();
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.send(&format!("setoption name MultiPV value {lines}"));
        for fen in POSITIONS {
            for go in ["go depth 7", "go nodes 3000", "go nodes 20000", "go movetime 20"] {
                engine.send(&format!("position fen {fen}"));
                let said = engine.go(go);
                let best = field(said.last().unwrap(), "bestmove");
                let first = said.iter().rfind(|line| line.contains(" multipv 1 ")).unwrap();
                assert_eq!(field(first, "pv"), best, "{go}, {fen}: {first}");
                let known =
                    |line: &str| ["depth", "multipv", "score"].map(|name| field(line, name).to_owned());
                let value =
                    |line: &str| line.split(" score ").nth(1).unwrap().split(' ').nth(1).unwrap().to_owned();
                let said: Vec<_> = said.iter().filter(|line| line.contains(" score ")).collect();
                bounds += said.iter().filter(|line| line.contains("bound ")).count();
                for (index, line) in said.iter().enumerate().filter(|(_, line)| line.contains("bound ")) {
                    let again = |later: &&&String| known(later) == known(line) && value(later) == value(line);
                    let repeated =
                        said[index + 1..].iter().find(again).filter(|later| !later.contains("bound "));
                    assert_eq!(repeated, None, "{go}, {fen}: {line}");
                }
            }
        }
    }
    assert!(bounds > 0, "the test is of no use");
}

#[test]
fn the_last_line_tells_of_all_nodes() {
    let mut engine = Engine::uci();
    for (threads, lines, go) in [
        (1, 1, "go nodes 60000"),
        (1, 1, "go nodes 7000"),
        (1, 1, "go mate 4 nodes 60000"),
        (1, 1, "go mate 4 nodes 1"),
        (1, 3, "go nodes 60000"),
        (2, 1, "go nodes 60000"),
        (2, 3, "go nodes 60000"),
    ] {
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.send(&format!("setoption name MultiPV value {lines}"));
        for fen in &POSITIONS[..3] {
            engine.send(&format!("position fen {fen}"));
            let lines = engine.go(go);
            let last = lines.iter().rfind(|line| line.contains(" score ")).unwrap();
            assert_eq!(field(last, "nodes"), field(go, "nodes"), "{go}, {threads} threads, {fen}: {last}");
        }
    }
}

#[test]
fn depth_never_falls_within_a_search() {
    let mut engine = Engine::uci();
    let mut depths = |threads, go: &str| -> Vec<u32> {
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.send("setoption name MultiPV value 3");
        let lines = engine.go(go);
        let told = lines.iter().filter(|line| line.contains(" score "));
        told.map(|line| field(line, "depth").parse().unwrap()).collect()
    };
    let one = depths(1, "go depth 8");
    assert!(one.is_sorted(), "{one:?}");
    assert_eq!(one.last(), Some(&8));
    for nodes in (2_000..20_000).step_by(300) {
        let several = depths(3, &format!("go nodes {nodes}"));
        assert!(several.is_sorted(), "{nodes} nodes: {several:?}");
    }
}

/// Clients show the last line of each number.
#[test]
fn the_last_lines_of_all_numbers_are_of_different_moves() {
    let mut engine = Engine::uci();
    engine.send("setoption name MultiPV value 4");
    for (threads, fen) in [1, 3].into_iter().flat_map(|threads| POSITIONS.map(|fen| (threads, fen))) {
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.send(&format!("position fen {fen}"));
        for nodes in (100..20_000).step_by(1_500) {
            let lines = engine.go(&format!("go nodes {nodes}"));
            let last = (1..=4).filter_map(|number| {
                let of_number = |line: &&String| line.contains(&format!(" multipv {number} "));
                Some(check_info(lines.iter().rfind(of_number)?)[0])
            });
            let moves: Vec<_> = last.collect();
            let distinct: HashSet<_> = moves.iter().collect();
            assert_eq!(distinct.len(), moves.len(), "{threads} threads, {nodes} nodes, {fen}: {lines:#?}");
        }
    }
}

#[test]
fn multipv_prints_exactly_as_many_lines_as_there_are() {
    let mut engine = Engine::uci();
    // First two legal moves only, then twenty.
    for (fen, asked, expected) in [
        ("7k/8/8/8/8/8/r7/1r3K2 w - - 0 1", 4, 0),
        ("k7/8/8/8/8/8/7r/K7 w - - 0 1", 4, 1),
        (POSITIONS[0], 4, 4),
        (POSITIONS[0], 1, 1),
    ] {
        let expected =
            if expected == 0 { Position::from_fen(fen).unwrap().legal_moves().len() } else { expected };
        engine.send(&format!("setoption name MultiPV value {asked}"));
        engine.send(&format!("position fen {fen}"));
        let lines = engine.go("go depth 4");
        for depth in 1..=4 {
            let ranks: Vec<&str> = lines
                .iter()
                .filter(|line| line.contains(" score ") && !line.contains("bound"))
                .filter(|line| field(line, "depth") == depth.to_string())
                .map(|line| field(line, "multipv"))
                .collect();
            let all: Vec<String> = (1..=expected).map(|rank| rank.to_string()).collect();
            assert_eq!(ranks, all, "{fen} at depth {depth}: {lines:#?}");
        }
    }
}

#[test]
fn a_mate_is_counted_in_moves_and_its_line_is_complete() {
    let mut engine = Engine::uci();
    for (fen, score, plies) in [
        ("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "mate 1", 1),
        ("3k4/6R1/8/4R3/8/8/8/7K w - - 0 1", "mate 2", 3),
        ("2k5/8/2K2R2/8/8/8/8/8 b - - 0 1", "mate -3", 6),
    ] {
        engine.send(&format!("position fen {fen}"));
        let lines = engine.go("go depth 12");
        let last = &lines[lines.len() - 2];
        assert!(last.contains(&format!("score {score} ")), "{last}");
        let pv = check_info(last);
        assert_eq!(pv.len(), plies, "{last}");
        assert!(play(fen, &pv).chess().is_checkmate(), "{last}");
    }
}

#[test]
fn chances_are_told_only_when_asked_for() {
    let mut engine = Engine::uci();
    assert!(!engine.go("go depth 3").iter().any(|line| line.contains(" wdl ")));
    engine.send("setoption name UCI_ShowWDL value true");
    let lines = engine.go("go depth 3");
    assert!(
        lines.iter().filter(|line| line.contains(" pv ")).all(|line| line.contains(" wdl ")),
        "{lines:?}"
    );
}

#[test]
fn castling_is_written_as_the_variant_wants_it() {
    let mut engine = Engine::uci();
    let only_castling = "go depth 2 searchmoves e1h1";
    engine.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(engine.best_move(only_castling), "e1g1");
    engine.send("setoption name UCI_Chess960 value true");
    assert_eq!(engine.best_move(only_castling), "e1h1");
}

#[test]
fn the_answer_is_the_same_after_a_new_game() {
    let mut engine = Engine::uci();
    let mut nodes = || {
        engine.send("ucinewgame");
        let lines = engine.go("go depth 8");
        field(&lines[lines.len() - 2], "nodes").to_owned()
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn own_commands_answer_in_words() {
    let mut engine = Engine::uci();
    engine.send("position startpos moves e2e4");
    assert!(engine.ask("d").iter().any(|line| line == "Key: 823c9b50fd114196"));
    assert!(engine.ask("eval").iter().any(|line| line.starts_with("Total for White")));
    assert!(engine.ask("help").iter().any(|line| line.contains("go perft N")));
    engine.send("bench 2");
    engine.until(&format!("info string position {}: ", bench::positions().count()));
    let total = engine.line_within(AT_LAST).unwrap();
    let words: Vec<&str> = total.split(' ').collect();
    assert!(matches!(words[..], [_, "nodes", _, "nps"]), "{total}");
}
