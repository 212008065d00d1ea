//! The page of a match: `--html` and `--from`.

use std::fs;
use std::path::Path;
use std::process::Command;

use crate::Run;

fn page(name: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path.display().to_string()
}

/// The main part of a page, without what its games are not sure to say.
fn result_of(page: &str) -> String {
    let text = fs::read_to_string(page).unwrap();
    let (_, results) = text.split_once("<div class=\"results\">").unwrap();
    results.split_once("</div><").map_or(results, |(results, _)| results).to_owned()
}

#[test]
fn a_match_has_a_page_and_its_games_have_the_same() {
    let (live, again) = (page("page-live.html"), page("page-again.html"));
    let run = Run::new("page", 8).double("A", "none", "nodes=100").double("B", "none", "nodes=100");
    let pgn = run.pgn.clone();
    let report = run.args(&format!("--html {live}")).finish(0).report;
    assert_eq!(report["played"], 8);
    let text = fs::read_to_string(&live).unwrap();
    assert!(text.contains("8 of 8 games") && text.ends_with("</html>"), "{text}");
    let from = || {
        let mut command = Command::new(env!("CARGO_BIN_EXE_zugwerk"));
        command.args(["match", "--json", "--html", &again, "--from"]).arg(&pgn);
        command
    };
    let done = from().output().unwrap();
    assert_eq!(done.status.code(), Some(0), "{done:?}");
    let anew: serde_json::Value = serde_json::from_slice(&done.stdout).unwrap();
    assert_eq!((&anew["pairings"], &anew["white"]), (&report["pairings"], &report["white"]));
    assert_eq!(result_of(&again), result_of(&live));
    let refused = from().output().unwrap();
    assert_eq!(refused.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("exists: --force replaces it"));
    assert_eq!(from().arg("--force").output().unwrap().status.code(), Some(0));
}

#[test]
fn the_page_of_a_match_that_is_continued_has_all_games() {
    let html = page("page-resumed.html");
    let players = |run: Run| run.double("A", "none", "nodes=100").double("B", "none", "nodes=100");
    let run = players(Run::new("page-resumed", 4)).args(&format!("--html {html}"));
    let pgn = run.pgn.clone();
    run.finish(0);
    let games = || fs::read_to_string(&html).unwrap().matches("<section").count();
    assert_eq!(games(), 4);
    players(Run::again(pgn, 8)).args(&format!("--resume --html {html}")).finish(0);
    assert_eq!(games(), 8);
}

/// The games of a foreign file are no part of a schedule, and players without common games have no common
/// scale.
#[test]
fn a_foreign_file_has_its_games_and_no_others() {
    let (html, pgn) = (page("page-foreign.html"), page("page-foreign.pgn"));
    let game = |white: &str, black: &str, result: &str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 e5 {result}\n\n")
    };
    fs::write(&pgn, game("A", "B", "1-0") + &game("C", "D", "0-1")).unwrap();
    let call = |more: &[&str]| {
        let args = [&["match", "--force", "--html", &html, "--from", &pgn], more].concat();
        let done = Command::new(env!("CARGO_BIN_EXE_zugwerk")).args(args).output().unwrap();
        assert_eq!(done.status.code(), Some(0), "{done:?}");
        String::from_utf8(done.stdout).unwrap()
    };
    let text = call(&[]);
    assert!(text.starts_with("2 games\n\nA - B: +1 =0 -0 (1 game"), "{text}");
    assert_eq!(
        text.lines().filter(|line| line.contains(" game, ")).count(),
        2,
        "only what was played: {text}"
    );
    assert!(
        text.contains("No games connect 2 groups of players.") && text.contains("\ngroup  rank  player"),
        "{text}"
    );
    let json: serde_json::Value = serde_json::from_str(&call(&["--json"])).unwrap();
    assert_eq!((&json["played"], &json["planned"], &json["groups"]), (&2.into(), &().into(), &2.into()));
    let drawn = fs::read_to_string(&html).unwrap();
    assert!(drawn.contains("2 games") && drawn.contains("No games connect 2 groups of players."), "{drawn}");
}
