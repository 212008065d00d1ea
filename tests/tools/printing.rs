//! Tests of what is printed: its width, its words, and errors of writing.

use std::fs;

use crate::calls::{called, command, printed, stdout, training_data};

#[test]
#[cfg(target_os = "linux")]
fn an_output_without_room_is_told() {
    let players = ["--engine", "self,nodes=10,name=A", "--engine", "self,nodes=10,name=B", "--games", "2"];
    for args in [
        &["elo", "1", "2", "3"][..],
        &["eval"],
        &["--help"],
        &[&["match"], &players[..]].concat()[..],
        &["go depth 3", "quit"],
    ] {
        let full = fs::File::options().write(true).open("/dev/full").unwrap();
        let output = command(args).stdout(full).output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {said}");
        assert!(
            said.lines().last().unwrap().starts_with("zugwerk: No space left on device"),
            "{args:?}: {said}"
        );
    }
}

/// Names of a foreign file could command the terminal.
#[test]
fn control_characters_do_not_reach_the_terminal() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (games, suite, page) = (path("games.pgn"), path("suite.epd"), path("page.html"));
    let game = |white: &str, black: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"1-0\"]\n\n1. e4 1-0\n\n")
    };
    let evil = "A\u{1b}[31m\u{9b}31mred";
    fs::write(&games, game(evil, "B") + &game("B", evil)).unwrap();
    fs::write(&suite, format!("6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; id \"{evil}\";\n")).unwrap();
    for args in [
        &["match", "--html", &page, "--from", &games, "--force"][..],
        &["epd", &suite, "--depth", "1", "--verbose"],
        &["analyse", &games, "--depth", "1", "--html", &page, "--force"],
    ] {
        let (out, err) = called(0, args);
        assert!(!(out + &err).contains(|c: char| c.is_control() && c != '\n'), "{args:?}");
    }
}

/// What is printed on a terminal of 80 columns.
#[test]
fn output_fits_the_terminal() {
    let fen = "r1bqrnk1/pp2bppp/2p2n2/3p2B1/3P4/2NBPN2/PPQ2PPP/R4RK1 w - - 7 11";
    let players =
        ["--engine", "self,nodes=10,name=The first one", "--engine", "self,nodes=10,name=The second one"];
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (data, suite) = (training_data(folder.path()), path("suite.epd"));
    let mated =
        "6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; dm 1; id \"a back rank without a hole for the king\";\n";
    fs::write(&suite, mated).unwrap();
    for args in [
        &["study", fen, "--depth", "2"][..],
        &["analyse", fen, "--depth", "2"],
        &["elo", "20", "1", "0"],
        &["elo", "--pentanomial", "30", "180", "420", "210", "40", "--sprt", "elo0=0", "elo1=5"],
        &[&["match", "--games", "2"], &players[..]].concat(),
        &["study", fen, "--depth", "2", "--without", "null_move,futility,razoring,late_move_pruning,probcut"],
        &["epd", &suite, "--depth", "2", "--verbose"],
        &["data", "loss", &data, "--first-ply", "0", "--tactical"],
        &["data", "show", &data],
    ] {
        let run = |columns: Option<&str>| {
            let columns = columns.map(|columns| ("COLUMNS", columns));
            stdout(&command(args).env_remove("COLUMNS").envs(columns).output().unwrap())
        };
        let longest = |text: &str| text.lines().map(|line| line.chars().count()).max().unwrap();
        let narrow = run(Some("80"));
        assert!(longest(&narrow) <= 80, "{args:?}:\n{narrow}");
        let whole = run(None);
        assert!(
            longest(&whole) >= longest(&narrow) && !whole.contains('…'),
            "{args:?}: nothing is cut off a terminal"
        );
    }
}

/// A single one is told in the singular.
#[test]
fn counts_are_told_in_words_that_fit() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    // Black can only take.
    let forced = "k7/1R6/8/8/8/8/8/K7 b - - 0 1";
    assert!(printed(&["analyse", forced, "--depth", "1"]).contains("\n1 legal move, "));
    let drawn = ["tree", "4k3/8/8/8/8/8/8/4K3", "w", "-", "-", "0", "1", "-o", &path("tree.svg")];
    assert!(called(0, &drawn).1.ends_with(": 1 node drawn\n"));
    let games = path("games.pgn");
    fs::write(&games, "1. e4 *\n").unwrap();
    let (scored, packed) = (path("scored.pgn"), path("packed.zwd"));
    fs::write(&scored, "[Result \"1-0\"]\n\n1. e4 {+0.31} 1-0\n").unwrap();
    let said = printed(&["data", "pack", &scored, "--output", &packed]);
    assert!(said.ends_with(": 1 position of 1 game\n"), "{said}");
    assert!(printed(&["data", "show", &packed]).contains("\n1 position, 1 game\n"));
    let report = path("report.html");
    printed(&["analyse", &games, "--nodes", "1", "--html", &report]);
    assert!(fs::read_to_string(&report).unwrap().contains(", 1 node for each position"));
    let hasty = printed(&["play", forced, "--white", "nodes:1", "--black", "random"]);
    assert!(hasty.contains("[White \"Zugwerk 1 node\"]"), "{hasty}");
    fs::write(path("points.epd"), format!("{forced} c0 \"Kxb7=1\";\n").replace(" 0 1 c0", " c0")).unwrap();
    let judged = printed(&["epd", &path("points.epd"), "--depth", "1"]);
    assert!(judged.contains(", 1 of 1 point (100.0 %)"), "{judged}");
}
