//! Tests that every text is parsed without panicking, and that no information is lost.

use std::time::Duration;

use rand::{Rng as _, SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};
use shakmaty::CastlingMode;
use zugwerk::{
    chess::position::Position,
    engine::{
        search::Limits,
        uci::{
            Go,
            command::{Command, parse},
        },
    },
};

const WORDS: &[&str] = &[
    "uci",
    "isready",
    "ucinewgame",
    "stop",
    "ponderhit",
    "quit",
    "debug",
    "on",
    "off",
    "register",
    "later",
    "setoption",
    "name",
    "value",
    "Hash",
    "Move",
    "Overhead",
    "<empty>",
    "valuexyz",
    "position",
    "startpos",
    "fen",
    "moves",
    "go",
    "wtime",
    "btime",
    "winc",
    "binc",
    "movestogo",
    "depth",
    "nodes",
    "mate",
    "movetime",
    "infinite",
    "ponder",
    "searchmoves",
    "perft",
    "e2e4",
    "e7e5",
    "E2E4",
    "a7a8q",
    "a7a8K",
    "0000",
    "O-O",
    "e2-e4",
    "0",
    "1",
    "-1",
    "+7",
    "255",
    "256",
    "999",
    "1000",
    "1.5",
    "1e6",
    "99999999999999999999",
    "-99999999999999999999",
    "8/8/8/8/8/8/8/8",
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR",
    "w",
    "b",
    "KQkq",
    "HAha",
    "-",
    "e3",
    "d",
    "eval",
    "bench",
    "help",
    "info",
    "bestmove",
    "option",
    "id",
    "é",
    "\u{0}",
    "\u{a0}",
    "\u{2028}",
    "true",
    "false",
];
const BLANKS: &[&str] = &[" ", " ", " ", " ", "  ", "\t", "\r", "\n", "\r\n", "", "\u{b}"];

fn go(line: &str) -> Go {
    match parse(line, &Position::default(), CastlingMode::Standard) {
        Ok(Some(Command::Go(go))) => *go,
        other => panic!("{line}: {other:?}"),
    }
}

#[test]
fn random_lines_of_protocol_words_never_panic() {
    let mut random = StdRng::seed_from_u64(1);
    let (mut understood, start) = (0, Position::default());
    for _ in 0..60_000 {
        let mut line = String::new();
        for _ in 0..random.random_range(0..14) {
            line += WORDS.choose(&mut random).unwrap();
            line += BLANKS.choose(&mut random).unwrap();
        }
        match parse(&line, &start, CastlingMode::Standard) {
            Ok(Some(_)) => understood += 1,
            Ok(None) => {}
            Err(error) => assert!(error.to_string().contains("got "), "{error}"),
        }
    }
    assert!(understood > 10_000, "the loop must reach the commands, {understood} were understood");
}

#[test]
fn mutated_lines_never_panic() {
    let seeds = [
        "position startpos moves e2e4 e7e5 g1f3 b8c6 f1b5 a7a6",
        "position fen r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1 moves e1g1 e8c8",
        "go wtime 300000 btime 300000 winc 2000 binc 2000 movestogo 40 depth 30 nodes 100000 mate 5",
        "go ponder movetime 1000 searchmoves e2e4 d2d4 infinite",
        "setoption name Move Overhead value 100",
    ];
    let (mut random, start) = (StdRng::seed_from_u64(2), Position::default());
    for _ in 0..60_000 {
        let mut bytes = seeds.choose(&mut random).unwrap().as_bytes().to_vec();
        for _ in 0..random.random_range(1..5) {
            if bytes.is_empty() {
                break;
            }
            let at = random.random_range(0..bytes.len());
            match random.random_range(0..4) {
                0 => bytes[at] = random.random(),
                1 => drop(bytes.remove(at)),
                2 => bytes.insert(at, random.random_range(b' '..=b'z')),
                _ => bytes.truncate(at + 1),
            }
        }
        let _ = parse(&String::from_utf8_lossy(&bytes), &start, CastlingMode::Standard);
    }
}

#[test]
fn random_bytes_never_panic() {
    let (mut random, start) = (StdRng::seed_from_u64(3), Position::default());
    for _ in 0..20_000 {
        let bytes: Vec<u8> = (0..random.random_range(0..60)).map(|_| random.random()).collect();
        let _ = parse(&String::from_utf8_lossy(&bytes), &start, CastlingMode::Standard);
    }
}

#[test]
fn every_field_of_go_arrives_in_any_order() {
    let mut words =
        "wtime 1 | btime 2 | winc 3 | binc 4 | movestogo 5 | depth 600 | nodes 7 | mate 800 | movetime 9 | ponder | \
         infinite | searchmoves e2e4 d2d4"
            .split(" | ")
            .collect::<Vec<_>>();
    let ms = Duration::from_millis;
    let start = Position::default();
    let mut expected = Limits {
        search_moves: ["e2e4", "d2d4"].map(|text| start.find_move(text).unwrap()).to_vec(),
        moves_to_go: Some(5),
        depth: Some(600),
        nodes: Some(7),
        mate: Some(800),
        move_time: Some(ms(9)),
        infinite: true,
        ponder: true,
        ..Limits::default()
    };
    (expected.clocks.white.left, expected.clocks.white.increment) = (Some(ms(1)), ms(3));
    (expected.clocks.black.left, expected.clocks.black.increment) = (Some(ms(2)), ms(4));
    for _ in 0..words.len() {
        words.rotate_left(1);
        let go = go(&format!("go {} ", words.join(" ")));
        assert_eq!(go.limits, expected);
        assert!(go.refused.is_empty(), "{:?}", go.refused);
    }
}

#[test]
fn a_value_keeps_its_inner_blanks() {
    let Ok(Some(Command::SetOption { name, value })) = parse(
        "setoption name  Syzygy  Path value  /a  b:/c  \r\n",
        &Position::default(),
        CastlingMode::Standard,
    ) else {
        panic!("not understood");
    };
    assert_eq!((name.as_str(), value.as_str()), ("Syzygy Path", "/a  b:/c"));
}
