//! Tests of bad usage and bad input.

use crate::calls::{command, file, fresh, generate, printed, refused};

#[test]
fn bad_usage_is_refused() {
    for args in [
        &["nonsense"][..],
        &["--nonsense"],
        &["bench", "deep"],
        &["bench", "0"],
        &["bench", "241"],
        &["eval", "--fen", "not a fen"],
        &["eval", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"],
        &["--hash=0"],
        &["--hash"],
        &["--threads=many"],
        &["--uci-chess960=maybe"],
        &["--hash=64", "bench"],
    ] {
        refused(args);
    }
}

#[test]
fn missing_arguments_are_told_with_the_usage() {
    for (args, part) in [
        (&["epd"][..], " epd <FILE>"),
        (&["elo"], "WINS DRAWS LOSSES | PGN"),
        (&["data"], "verify"),
        (&["net"], "show"),
    ] {
        let said = refused(args);
        assert!(said.contains(part), "{args:?}: {said}");
    }
}

#[test]
fn typing_errors_are_understood() {
    for (args, meant) in [
        (&["analise"][..], "'analyse'"),
        (&["mtach -engine x"], "'match'"),
        (&["study", "--dept", "3"], "'--depth'"),
        (&["bench", "--evaluater", "network"], "'--evaluator'"),
        (&["bench", "--evaluator", "clasical"], "'classical'"),
        (&["bench", "--without", "nul_move"], "'null_move'"),
        (&["--hahs=64"], "'--hash'"),
        (&["data", "verfy"], "'verify'"),
    ] {
        let said = refused(args);
        assert!(said.contains(meant), "{args:?}: {said}");
    }
    assert!(!refused(&["bench", "--without", "nul_move"]).contains("table_cutoffs"), "not all techniques");
    for (args, listed) in [
        (&["match", "--engine", "self,nodse=3", "--engine", "self"][..], "nodes"),
        (&["play", "--white", "prototipe:2", "--black", "random"], "prototype:DEPTH"),
        (&["bench", "--without", "?"], "table_cutoffs"),
        (
            &["elo 1 2 3"],
            "expected the subcommand `elo` and its arguments as separate words, got \"elo 1 2 3\"",
        ),
        (&["analyse x", "quit"], "expected the subcommand `analyse`"),
        (&["perft", "4"], "expected a line of UCI in quotes, as in `zugwerk \"go perft 4\"`"),
        (&["go", "depth", "5"], "expected each line of UCI in quotes, as in `zugwerk \"go depth 5\"`"),
        (&["completions"], "expected a subcommand or a line of UCI, got \"completions\""),
    ] {
        let said = refused(args);
        assert!(said.contains(listed), "{args:?}: {said}");
    }
}

#[test]
fn what_is_wrong_is_said_once() {
    let match_of = ["match", "--engine", "cmd=a", "--engine", "cmd=b"];
    let cases: [&[&str]; 3] = [
        &[&match_of[..], &["--openings", "/no such/games.pgn"]].concat(),
        &[&match_of[..], &["--each", "nodes=5", "--pgn", "/no such/games.pgn"]].concat(),
        &["tree", "--output", "/no such/tree.html"],
    ];
    for args in cases {
        let said = refused(args);
        assert!(!said.contains(".part"), "{said}");
        assert_eq!(said.matches("(os error ").count(), 1, "{said}");
    }
}

#[test]
fn names_that_cannot_be_meant_are_refused() {
    let games = file("twice.pgn", b"1. e4 *\n");
    let data = fresh("twice.zwd").display().to_string();
    generate(&data, "10", &[]);
    let games = games.to_str().unwrap();
    for (args, told) in [
        (&["analyse", "."][..], "expected a FEN or files of games, got the folder ."),
        (
            &["analyse", "https://lichess.org/abcd1234"],
            "an address: download its PGN (in the menu Share & export), then",
        ),
        (
            &["analyse", "www.chess.com/game/live/1"],
            "an address: download its PGN (the button Share, then PGN), then",
        ),
        (
            &["analyse", "http://example.org/a.pgn"],
            "an address: download it in a browser, then give that file",
        ),
        (&["analyse", games, games], "expected each file once, got "),
        (&["analyse", "-", "-"], "expected each file once, got "),
        (&["epd", games, games], "expected each file once, got "),
        (&["data", "verify", &data, &data], "expected each file once, got "),
        (&["data", "show", &data, &data], "expected each file once, got "),
        (&["board", "-o", "board.png"], "board.png: expected a name that ends with .svg"),
        (&["eval", "--svg", "board.png"], "board.png: expected a name that ends with .svg"),
        (
            &["analyse", games, "--html", "board.png"],
            "board.png: expected a name that ends with .html or .htm",
        ),
        (
            &["match", "--engine", "self", "--engine", "self", "--html", "board.png"],
            "board.png: expected a name that ends with .html or .htm",
        ),
        (&["datagen", "nothing.zwd", "--positions", "0"], "invalid value '0' for '--positions <N>'"),
    ] {
        let said = refused(args);
        assert!(said.contains(told), "{args:?}: {said}");
    }
    assert!(!std::path::Path::new("board.png").exists() && !std::path::Path::new("nothing.zwd").exists());
}

/// On Unix a name is any sequence of bytes.
#[cfg(target_os = "linux")]
#[test]
fn a_name_that_is_not_utf_8_is_opened() {
    use std::{ffi::OsStr, os::unix::ffi::OsStrExt as _};
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(OsStr::from_bytes(b"caf\xe9.pgn"));
    std::fs::write(&path, "1. e4 e5 *\n").unwrap();
    let output = command(&["analyse", "--nodes", "10"]).arg(&path).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(String::from_utf8_lossy(&output.stdout).contains("1. e4"));
}

#[test]
fn a_tool_uses_no_smaller_table_instead() {
    let said = refused(&["analyse", "--hash", "1048576", "--depth", "1", "startpos"]);
    assert!(said.trim_end().ends_with("not enough memory for a hash table of 1048576 MiB"), "{said}");
}

#[test]
fn a_value_that_cannot_be_read_is_told_what_is_expected() {
    let share = "expected a share of 0 to 1, or of 0% to 100%\n";
    for (args, expected) in [
        (&["play", "--games", "x"][..], "invalid digit found in string\n"),
        (&["datagen", "x", "--double-chess960", "x"], share),
        (&["datagen", "x", "--double-chess960", "x%"], share),
    ] {
        let said = refused(args);
        assert!(said.starts_with("error: invalid value '") && said.contains(expected), "{args:?}: {said}");
    }
}

/// Numbers that are infinite or not numbers.
#[test]
fn rates_are_finite() {
    for number in ["inf", "nan"] {
        assert!(refused(&["spsa", "--rate", number]).contains("expected"), "{number}");
    }
}

#[test]
fn garbage_gives_one_line_and_exit_code_2() {
    let binary: Vec<u8> = (0..4096_u32).map(|n| (n * 37 % 256) as u8).collect();
    let binary = file("garbage.bin", &binary);
    let empty = file("empty", b"");
    let (binary, empty) = (binary.to_str().unwrap(), empty.to_str().unwrap());
    let cases: &[&[&str]] = &[
        &["study", "--fen", "nonsense"],
        &["study", "--depth", "0"],
        &["study", "--fen", "8/8/8/8/8/8/8/8 w - - 0 1"],
        &["tree", "--fen", "nonsense"],
        &["tree", "--algorithm", "magic"],
        &["tree", "-o", "tree.txt"],
        &["tree", "--depth", "1", "--quiescence"],
        &["tree", "--depth", "1", "--algorithm", "prototype", "--without", "null_move"],
        &["tree", "--depth", "1", "-o", "/nowhere/tree.svg"],
        &["analyse", "--fen", "nonsense"],
        &["analyse", "/nowhere/games.pgn"],
        &["analyse", binary],
        &["analyse", empty],
        &["analyse", "/"],
        &["play", "--fen", "nonsense"],
        &["play", "--fen", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"],
        &["play", "--white", "random", "--black", "random", "8/8/4k3/8/8/4K3/8/8 w - - 0 1"],
        &["play", "--level", "1", "7k/8/8/8/8/8/R7/K7 w - - 100 80"],
        &["play", "--level", "99"],
        &["play", "--level", "0"],
        &["play", "--level", "9000"],
        &["play", "--white", "elo:1"],
        &["play", "--white", "minimax:0"],
        &["play", "--white", "random:7", "--black", "greedy"],
        &["play", "--white", "nobody", "--black", "random"],
        &["play", "--white", "random", "--black", "random", "--level", "3"],
        &["play", "--white", "random", "--colour", "black"],
        &["play", "--pgn", "/nowhere/game.pgn"],
        &["epd"],
        &["epd", "/nowhere/suite.epd"],
        &["epd", binary],
        &["epd", empty],
    ];
    for args in cases {
        refused(args);
    }
}

#[test]
fn counters_may_be_as_large_as_a_fen_can_have_them() {
    let fen = "7k/8/8/8/8/8/P7/R6K w - - 4294967295 4294967295";
    for tool in [&["study", "--depth", "2"][..], &["eval"], &["analyse", "--depth", "2"]] {
        printed(&[tool, &["--fen", fen]].concat());
    }
}

/// A position or a file of games may be given without a flag.
#[test]
fn what_is_unambiguous_needs_no_flag() {
    let fen = "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1";
    let flag = printed(&["analyse", "--fen", fen, "--depth", "2"]);
    assert_eq!(printed(&["analyse", fen, "--depth", "2"]), flag);
    let words: Vec<&str> = ["analyze"].into_iter().chain(fen.split(' ')).chain(["--depth", "2"]).collect();
    assert_eq!(printed(&words), flag);
    assert_eq!(printed(&["eval", "startpos"]), printed(&["eval"]));
    assert_eq!(printed(&["eval", "--fen", "startpos"]), printed(&["eval"]));
    let games = file("unflagged.pgn", b"1. e4 e5 *\n");
    assert!(printed(&["analyse", games.to_str().unwrap(), "--depth", "1"]).contains("1. e4 {[%eval "));
    for args in [
        &["analyse", fen, "--html", "x.html"][..],
        &["analyse", fen, "--force"],
        &["analyse", games.to_str().unwrap(), "--multipv", "3"],
        &["analyse", games.to_str().unwrap(), "--json", "-o", "-"],
        &["analyse", games.to_str().unwrap(), "--html", "-", "-o", "-"],
        &["analyse", "nowhere.pgn"],
        &["eval", "no", "fen"],
    ] {
        refused(args);
    }
}
