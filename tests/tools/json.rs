//! Tests of results as JSON.

use std::fs;

use crate::calls::{json, refused};

#[test]
fn results_are_told_in_json_too() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.pgn").display().to_string();
    fs::write(&games, "1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
    let games = json(&["analyse", &games, "--depth", "3", "--json"]);
    assert_eq!((&games["moves"][2]["san"], &games["moves"][2]["mark"]), (&"g4".into(), &"blunder".into()));
    let elo = json(&["elo", "20", "1", "5", "--json"]);
    assert!(elo["estimate"]["elo"]["value"].is_number(), "{elo}");
    for signed in [&["+20", "=1", "-5"], &["-5", "+20", "=1"], &["=1", "-5", "+20"]] {
        assert_eq!(json(&[&["elo", "--json"], &signed[..]].concat()), elo, "{signed:?}");
    }
    let test =
        |games: [&str; 3]| json(&[&["elo", "--json", "--sprt", "elo0=0", "elo1=5"], &games[..]].concat());
    assert_eq!(test(["-20", "+900", "=1"]), test(["900", "1", "20"]));
}

/// `analyse`, `match`, `elo` and `epd` have it.
#[test]
fn other_subcommands_have_no_json() {
    for args in [
        &["eval"][..],
        &["bench", "1"],
        &["study"],
        &["tree"],
        &["spsa"],
        &["play"],
        &["datagen", "games.zwd"],
        &["data", "show", "games.zwd"],
        &["data", "verify", "games.zwd"],
        &["data", "loss", "games.zwd"],
        &["net", "show"],
    ] {
        let said = refused(&[args, &["--json"]].concat());
        assert!(said.contains("unexpected argument '--json'"), "{args:?}: {said}");
    }
}
