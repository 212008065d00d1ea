//! Tests of `zugwerk epd`.

use std::fs;

use crate::calls::{MIDDLEGAME, called, file, json, printed, refused};

#[test]
fn a_suite_without_solutions_has_no_mean_time() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("suite.epd").display().to_string();
    fs::write(&suite, "4k3/8/8/8/8/8/8/QQ2K3 w - - bm Kd1;\n").unwrap();
    let told = printed(&["epd", &suite, "--nodes", "100"]);
    assert!(told.contains("0 of 1 solved") && !told.contains("on average"), "{told}");
    let told = printed(&["epd", &suite, "--nodes", "100", "--json"]);
    assert!(told.contains("\"mean_seconds_to_solution\": null"), "{told}");
}

#[test]
fn a_suite_of_bad_lines_says_why() {
    let suite = file("bad-lines.epd", b"4k3/8/8/8/8/8/8/4K3 w - - bm Qd4;\n4k3/8/8/8/8/8/8/4K3 w - - bm ;\n");
    let told = refused(&["epd", suite.to_str().unwrap()]);
    let reason = "; the first line: ";
    assert!(told.contains("found none in ") && told.contains(reason), "{told}");
    assert!(told.contains("bad-lines.epd:1: bm: expected a legal move, got illegal Qd4"), "{told}");
}

#[test]
fn all_suites_are_read_before_the_first_is_searched() {
    let suite = file("suite-before.epd", format!("{MIDDLEGAME} bm a3;\n").repeat(3).as_bytes());
    let empty = file("empty-suite.epd", b"");
    for wrong in [empty.to_str().unwrap(), "/nowhere/suite.epd"] {
        let error = refused(&["epd", suite.to_str().unwrap(), wrong, "--nodes", "20000"]);
        assert!(error.contains(wrong), "{error}");
    }
}

#[test]
fn suites_are_run_and_judged() {
    let suite = file(
        "suite.epd",
        b"6k1/5ppp/8/8/8/8/8/R6K w KQ - bm Ra8#; dm 1; id \"back rank\";\n\
          4k3/8/8/8/8/8/8/4K3 w - - bm Qd4; id \"illegal\";\n\
          6k1/5ppp/8/8/8/8/8/R6K w - - am Ra8; id \"unsolvable\";\n\
          6k1/5ppp/8/8/8/8/8/R6K w - - id \"points\"; c0 \"Ra8=10, Kg1=3\";\n  # no record\n",
    );
    let path = suite.to_str().unwrap();
    let (told, said) = called(0, &["epd", path, "--depth", "4", "-v"]);
    assert!(told.contains("1 of 2 solved (50.0 %), 10 of 10 points (100.0 %), 1 skipped"), "{told}");
    assert!(said.contains("suite.epd:2: bm: expected a legal move, got illegal Qd4; skipped"), "{said}");
    let flaw = "suite.epd:1: the position has a castling right without king and rook";
    assert!(said.contains(flaw), "{said}");
    called(1, &["epd", path, "--depth", "4", "--require", "2"]);
    let json = json(&["epd", path, "--nodes", "1000", "--json"]);
    assert_eq!(json[0]["solved"], 1);
    let line = "6k1/5ppp/8/8/8/8/8/R6K w - - c0 \"Ra8=4000000000\";\n".repeat(2);
    let much = file("points.epd", line.as_bytes());
    let told = printed(&["epd", much.to_str().unwrap(), "--depth", "2"]);
    assert!(told.contains(", 8000000000 of 8000000000 points (100.0 %)"), "{told}");
}
