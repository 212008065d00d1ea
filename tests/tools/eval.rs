//! Tests of `zugwerk eval`.

use std::fs;

use crate::calls::{file, printed, refused};

#[test]
fn eval_draws_the_position() {
    assert!(printed(&["eval"]).contains("Total for White"));
    let text = printed(&["eval", "--fen", "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1"]);
    assert_eq!(text.matches(" Q ").count(), 2, "{text}");
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
