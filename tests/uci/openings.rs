//! Tests of `genfens`: openings in OpenBench's format.

use std::{collections::BTreeSet, fs, path::PathBuf};

use zugwerk::position::Position;

use super::driver::Engine;

/// Returns the output for one line of `genfens`: openings, and the rest.
fn asked(line: &str) -> (Vec<String>, Vec<String>) {
    let mut engine = Engine::start(&[line, "quit"]);
    let lines = engine.rest();
    let opening = |line: &String| line.strip_prefix("info string genfens ").map(str::to_owned);
    (
        lines.iter().filter_map(opening).collect(),
        lines.into_iter().filter(|line| opening(line).is_none()).collect(),
    )
}

/// Makes a file for this test that contains `text`.
fn book(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, text).unwrap();
    path.to_str().expect("plain text").to_owned()
}

#[test]
fn the_seed_alone_decides_what_the_openings_are() {
    let (openings, others) = asked("genfens 8 seed 1 book None");
    assert_eq!((openings.len(), others.len()), (8, 0), "{others:?}");
    assert_eq!(openings.iter().collect::<BTreeSet<_>>().len(), 8, "{openings:?}");
    for fen in &openings {
        let position = Position::from_fen(fen).unwrap();
        assert!((8..=10).contains(&position.ply()) && !position.legal_moves().is_empty(), "{fen}");
    }
    assert_eq!(asked("genfens 8 seed 1 book None --whatever=1").0, openings);
    assert_ne!(asked("genfens 8 seed 2 book None").0, openings);
}

#[test]
fn a_book_is_begun_from() {
    let book = book(
        "genfens.epd",
        "# a comment\n\n4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - id \"kings and pawns\";\n",
    );
    let (openings, others) = asked(&format!("genfens 5 seed 3 book {book}"));
    assert_eq!((openings.len(), others.len()), (5, 0), "{others:?}");
    for fen in &openings {
        let pieces = fen.split(' ').next().unwrap();
        assert!(pieces.chars().all(|letter| !"qrbnQRBN".contains(letter)), "{fen}");
    }
}

#[test]
fn what_cannot_be_done_is_said_in_one_line() {
    let empty = book("genfens-empty.epd", "# nothing\n");
    let garbage = book("genfens-garbage.epd", "4k3/8/8/8/8/8/8/4K3 w - -\nnot a position\n");
    let over = book("genfens-over.epd", "7k/5Q2/6K1/8/8/8/8/8 b - -\n");
    let cases = [
        ("genfens 8 seed 1", "expected `genfens"),
        ("genfens -1 seed 1 book None", "expected `genfens"),
        ("genfens 8 seed x book None", "expected `genfens"),
        ("genfens 8 seed 1 book no/such.epd", "no/such.epd"),
        ("genfens 8 seed 1 book /dev/zero", "not a file"),
        (&format!("genfens 8 seed 1 book {empty}"), "expected positions, found none"),
        (&format!("genfens 8 seed 1 book {garbage}"), "line 2"),
        (&format!("genfens 8 seed 1 book {over}"), "expected 8 openings, found 0"),
    ];
    for (line, said) in cases {
        let (openings, others) = asked(line);
        assert!(openings.is_empty() && others.len() == 1 && others[0].contains(said), "{line}: {others:?}");
        assert!(others[0].starts_with("info string "), "{others:?}");
    }
    assert_eq!(asked("genfens 0 seed 1 book None"), (vec![], vec![]));
}

#[test]
fn a_stop_is_told_as_such() {
    let mut engine = Engine::uci();
    engine.send("genfens 1000000 seed 1 book None");
    engine.until("info string genfens ");
    engine.send("stop");
    assert_eq!(
        engine.until("info string genfens was stopped").last().unwrap(),
        "info string genfens was stopped"
    );
}
