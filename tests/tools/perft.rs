//! Tests of `zugwerk perft`.

use std::fs;

use crate::calls::{called, printed, refused};

#[test]
fn perft_counts_and_divides() {
    assert!(printed(&["perft", "3"]).starts_with("8902 nodes "));
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let text = printed(&["perft", "--fen", fen, "--divide", "2"]);
    assert!(text.contains("\n2039 nodes ") && text.contains("e1g1: 43\n"), "{text}");
    assert_eq!(text.lines().count(), 49);
    let words: Vec<&str> = ["perft", "2"].into_iter().chain(fen.split(' ')).collect();
    assert!(printed(&words).starts_with("2039 nodes "));
    assert!(printed(&["perft", "2", "startpos"]).starts_with("400 nodes "));
}

#[test]
fn a_suite_is_right_wrong_or_unreadable() {
    let folder = tempfile::tempdir().unwrap();
    let suite = |name: &str, text: &str| {
        let file = folder.path().join(name).display().to_string();
        fs::write(&file, text).unwrap();
        file
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let chess960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";

    let right = suite("right.epd", &format!("# known\n{start} ;D1 20 ;D3 8902\n\n{chess960} ;D2 528\n"));
    assert!(printed(&["perft", &right]).contains("2 positions, 3 counts, 0 wrong"));

    let wrong = suite("wrong.epd", &format!("{start} ;D1 20 ;D2 401\n"));
    assert!(called(1, &["perft", &wrong]).0.contains("depth 2: expected 401, got 400"));

    for text in ["no fen ;D1 20\n", "8/8 ;D1 many\n", ""] {
        refused(&["perft", &suite("bad.epd", text)]);
    }
}
