//! Tests of `zugwerk book`.

use std::fs;

use crate::calls::{called, printed, refused};

#[test]
fn books_are_made_of_games_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (book, pgn, junk) = (path("book.bin"), path("games.pgn"), path("junk.bin"));
    fs::write(&pgn, "1. e4 e5 1-0\n\n1. d4 1/2-1/2\n").unwrap();
    fs::write(&junk, "no book").unwrap();
    let make = ["book", "make", &book, &pgn];
    assert_eq!(printed(&make), "3 moves of 2 positions from 2 games\n");
    assert!(refused(&make).contains("exists: --force replaces it"), "nothing is overwritten");
    let one = path("one.pgn");
    fs::write(&one, "1. e4 e5 *\n").unwrap();
    assert_eq!(printed(&["book", "make", &path("one.bin"), &one]), "2 moves of 2 positions from 1 game\n");
    for nothing in ["", "\n"] {
        fs::write(path("empty.pgn"), nothing).unwrap();
        let none = refused(&["book", "make", &path("none.bin"), &path("empty.pgn")]);
        assert!(none.contains("expected games in PGN, found none"), "{none}");
    }
    fs::write(path("cut.pgn"), "1. e4 e3 1-0\n").unwrap();
    let (told, said) = called(0, &["book", "make", &path("cut.bin"), &path("cut.pgn")]);
    assert_eq!(told, "1 move of 1 position from 1 game\n");
    assert!(
        said.ends_with("cut.pgn, game 1: cut at move 1: illegal e3; the rest is kept as a comment\n"),
        "{said}"
    );
    fs::write(path("broken.pgn"), "[Variant \"Atomic\"]\n\n1. e4 e5 1-0\n").unwrap();
    let (_, said) = called(2, &["book", "make", &path("none.bin"), &path("broken.pgn")]);
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(said.contains("skipped: ") && said.contains("PGN that can be read, found none"), "{said}");
    let late = ["book", "make", &book, &path("no games.pgn")];
    assert!(refused(&late).contains("exists"), "which is said before games are read");
    let shown = printed(&["book", "show", &book]);
    let words: Vec<Vec<&str>> = shown.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(words[3..], [vec!["e4", "2", "66.7", "%"], vec!["d4", "1", "33.3", "%"]], "{shown}");
    called(1, &["book", "show", &book, "--fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]);
    assert!(refused(&["book", "show", &junk]).contains("junk.bin: expected a whole number of entries"));
    let rare = ["book", "make", &path("rare.bin"), &pgn, "--min-games", "2"];
    assert!(refused(&rare).contains("expected a move played in 2 games or more"));
    fs::write(path("unmoved.pgn"), "[White \"A\"]\n\n*\n").unwrap();
    let unmoved = refused(&["book", "make", &path("none.bin"), &path("unmoved.pgn")]);
    assert!(unmoved.contains("expected a move played in 1 game or more, got none"), "{unmoved}");
    let games = fs::read(&pgn).unwrap();
    for input in [&[&*pgn][..], &[&*book, &*pgn]] {
        let over = [&["book", "make", "--force", &pgn], input].concat();
        assert!(refused(&over).contains("games.pgn: expected another file than the inputs"), "{input:?}");
        assert_eq!(fs::read(&pgn).unwrap(), games, "an input is never replaced");
    }
}
