//! Tests of `zugwerk eval`.

use std::fs;

use crate::calls::{called, file, printed, refused};

#[test]
fn eval_draws_the_position() {
    assert!(printed(&["eval"]).contains("Total for White"));
    let text = printed(&["eval", "--fen", "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1"]);
    assert_eq!(text.matches(" Q ").count(), 2, "{text}");
}

#[test]
fn eval_says_that_the_game_is_over() {
    for (fen, end) in
        [("7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "stalemate"), ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "checkmate")]
    {
        let text = printed(&["eval", "--fen", fen]);
        assert!(
            text.lines().any(|line| line.starts_with("The game is over") && line.ends_with(end)),
            "{text}"
        );
    }
}

#[test]
fn what_a_fen_cannot_mean_is_named() {
    let (_, err) = called(0, &["eval", "--fen", "4k3/8/8/44/8/8/8/4K2R w KQ e6 0 1"]);
    for part in ["two numbers side by side in 44", "which is dropped: a1\n", "which is dropped: e6\n"] {
        assert!(err.contains("zugwerk: the FEN has ") && err.contains(part), "{part}: {err}");
    }
}

#[test]
fn worths_and_boards_are_drawn_as_svg() {
    let fen = "4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1";
    let svg = file("worths.svg", b"").display().to_string();
    printed(&["eval", fen, "--svg", &svg, "--force"]);
    let worths = fs::read_to_string(&svg).unwrap();
    assert!(worths.starts_with("<svg") && worths.contains("Classical: "), "{worths}");
    let args = ["board", fen, "--arrow", "d2d6,c7d6", "--mark", "d6", "-o", "-"];
    let board = printed(&args);
    assert!(board.starts_with("<svg") && board.ends_with("</svg>\n"));
    assert_eq!((board.matches("class=\"arrow\"").count(), board.matches("class=\"marked\"").count()), (2, 1));
    assert_ne!(board, printed(&[&args[..], &["--flip"]].concat()));
    assert!(printed(&["board", fen]).contains(&format!("FEN: {fen}")));
    assert!(printed(&["board", fen, "--flip"]).contains("   h   g   f"));
    for wrong in [&["--arrow", "d2"][..], &["--arrow", "d2d9"], &["--mark", "j1"]] {
        refused(&[&["board", fen, "-o", "-"], wrong].concat());
    }
    refused(&["board", fen, "--mark", "d6"]);
}
