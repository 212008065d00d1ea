//! Tests of `genfens`: openings in OpenBench's format.

use std::{collections::BTreeSet, fs};

use zugwerk::chess::position::Position;

use super::calls::{Folder, printed, refused};

/// Returns the openings that `line` gives.
fn openings(line: &str) -> Vec<String> {
    let text = printed(&[line, "quit"]);
    let opening = |line: &str| line.strip_prefix("info string genfens ").expect("only openings").to_owned();
    text.lines().map(opening).collect()
}

#[test]
fn the_seed_alone_decides_what_the_openings_are() {
    let first = openings("genfens 8 seed 1 book None");
    assert_eq!(first.len(), 8);
    assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), 8, "{first:?}");
    for fen in &first {
        let position = Position::from_fen(fen).unwrap();
        assert!((8..=10).contains(&position.ply()) && !position.legal_moves().is_empty(), "{fen}");
    }
    assert_eq!(openings("GENFENS 8 SEED 1 BOOK none --whatever=1"), first);
    assert_ne!(openings("genfens 8 seed 2 book None"), first);
    assert_eq!(openings("genfens 0 seed 1 book None"), [""; 0]);
}

#[test]
fn a_book_is_begun_from() {
    let folder = Folder::new("genfens");
    let book = folder.path("pawns.epd");
    fs::write(&book, "# a comment\n\n4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - id \"kings and pawns\";\n")
        .unwrap();
    let openings = openings(&format!("genfens 5 seed 3 book {book}"));
    assert_eq!(openings.len(), 5);
    for fen in &openings {
        let pieces = fen.split(' ').next().unwrap();
        assert!(pieces.chars().all(|c| !"qrbnQRBN".contains(c)), "{fen}");
    }
}

/// From one position few are possible. A game that begins with an opening again may be a copy.
#[test]
fn no_opening_is_there_twice() {
    let folder = Folder::new("genfens-twice");
    let book = folder.path("one.epd");
    fs::write(&book, "4k3/8/8/8/8/8/4P3/4K3 w - -\n").unwrap();
    let openings = openings(&format!("genfens 40 seed 1 book {book}"));
    let boards: BTreeSet<_> = openings.iter().map(|fen| fen.split(' ').take(4).collect::<Vec<_>>()).collect();
    assert_eq!(boards.len(), 40);
}

#[test]
fn the_lines_after_it_and_the_options_before_it_count() {
    let text = printed(&["--evaluator=material", "genfens 1 seed 1 book None", "go depth 1", "uci", "quit"]);
    assert!(text.starts_with("info string genfens ") && text.ends_with("\nuciok\n"), "{text}");
    assert!(text.contains("\nbestmove "), "{text}");
    assert!(refused(&["--evalfile=/no/such/file", "genfens 1 seed 1 book None"]).contains("/no/such/file"));
}

#[test]
fn what_cannot_be_done_is_said_in_one_line() {
    let folder = Folder::new("genfens-refused");
    let book = |name: &str, text: &str| {
        let path = folder.path(name);
        fs::write(&path, text).unwrap();
        path
    };
    let empty = book("empty.epd", "# nothing\n");
    let garbage = book("garbage.epd", "# a comment\nnot a position\n");
    let won = book("won.epd", "4k3/8/8/8/8/8/8/QQQQK3 w - -\n");
    let over = book("over.epd", "7k/5Q2/6K1/8/8/8/8/8 b - -\n");
    let cases = [
        ("genfens 8 seed 1", "expected `genfens"),
        ("genfens -1 seed 1 book None", "expected `genfens"),
        ("genfens 8 seed x book None", "expected `genfens"),
        ("genfens 8 seed 1 book no/such.epd", "no/such.epd"),
        ("genfens 8 seed 1 book src", "not a file"),
        (&format!("genfens 8 seed 1 book {empty}"), "no openings in it"),
        (&format!("genfens 8 seed 1 book {garbage}"), "line 2"),
        (&format!("genfens 8 seed 1 book {won}"), "expected 8 openings, found 0"),
        (&format!("genfens 8 seed 1 book {over}"), "line 1: the game is already over"),
    ];
    for (line, said) in cases {
        assert!(refused(&[line, "quit"]).contains(said), "{line}");
    }
}
