//! Tests of the page as text. `.ci/report.py` tests it in a browser.

use super::*;
use crate::{
    analysis::{self, analyse},
    eval::Classical,
    game::read_games,
    position::Position,
    search::{Limits, Searcher, Stop},
    value::{Value, mate_in},
};

/// The page of the games in `pgn`, with 300 nodes for each position.
fn page(pgn: &str) -> String {
    page_with(300, pgn)
}

fn page_with(nodes: u64, pgn: &str) -> String {
    let mut page = begin("by <tests>");
    for (number, read) in (1..).zip(read_games(pgn.as_bytes()).unwrap()) {
        let mut searcher = Searcher::<Classical>::new(1);
        let limits = Limits::nodes(nodes);
        let stop = Stop::default();
        let mut report = analyse(number, read.unwrap(), &mut searcher, &limits, &stop, |_, _| ());
        report.set_exercises(&mut searcher, &limits, &stop);
        page += &game(&report);
    }
    page
}

/// The data of each game for the script.
fn data(page: &str) -> Vec<serde_json::Value> {
    let scripts = page.split("type=\"application/json\">").skip(1);
    scripts.map(|rest| serde_json::from_str(rest.split_once("</script>").unwrap().0).unwrap()).collect()
}

#[test]
fn nothing_from_outside_is_markup() {
    let evil = "<!--<script>alert(1)</script><img src=x onerror=alert(2)>";
    let page = page(&format!(
        "[White \"{evil}\"]\n[Black \"\\\" onclick=alert(3) x=\\\"\"]\n[Event \"{evil}\"]\n[ECO \"{evil}\"]\n[Opening \"{evil}\"]\n\n\
         {{{evil}}} 1. f3 {{{evil}}} e5 2. g4 ({{{evil}}} 2. e4 {{{evil}}}) Qh4# {{{evil}}} 0-1"
    ));
    assert!(!page.contains("<img") && !page.contains("<!--"), "{page}");
    assert!(!page.contains("\" onclick=alert(3)"), "{page}");
    // The scripts of the page in one element, and the data of the game in another.
    assert_eq!(page.matches("<script").count(), 2, "{page}");
    assert!(page.contains("by &lt;tests&gt;") && page.contains("&lt;img src=x onerror=alert(2)&gt;"));
}

#[test]
fn the_page_asks_nobody_for_anything() {
    let page = page("1. e4 e5 *");
    for from_elsewhere in ["src=", "@import", "url(", "fetch(", "XMLHttpRequest", "<link"] {
        assert!(!page.contains(from_elsewhere), "{from_elsewhere}");
    }
}

#[test]
fn every_line_can_be_stepped_through() {
    let page = page(
        "1. e4 e5 2. Qh5 (2. Nf3 Nc6 (2... d6 $1 3. d4) 3. Bb5) 2... g6 (2... Nc6 3. Bc4) 3. Qxe5+ {Oh} *",
    );
    let data = &data(&page)[0];
    assert_eq!(data["moves"], 5);
    let nodes = data["nodes"].as_array().unwrap();
    assert_eq!((nodes[5]["s"].as_str(), nodes[5]["m"].as_str()), (Some("3. Qxe5+"), Some("h5e5")));
    for (number, node) in nodes.iter().enumerate().skip(1) {
        let parent = node["p"].as_u64().unwrap() as usize;
        assert!(parent < number);
        let before = Position::from_fen(nodes[parent]["f"].as_str().unwrap()).unwrap();
        let (_, text) = node["s"].as_str().unwrap().split_once(' ').unwrap();
        let mut after = before.clone();
        after.play(notation::read_move(before.chess(), text).unwrap());
        assert_eq!(node["f"], after.fen());
    }
    let shown: Vec<usize> = page
        .split("data-n=\"")
        .skip(1)
        .map(|rest| rest.split('"').next().unwrap().parse().unwrap())
        .collect();
    let labels: Vec<&str> = shown.iter().map(|&number| nodes[number]["s"].as_str().unwrap()).collect();
    for label in ["2. Nf3", "2... d6", "3. d4", "3. Bb5", "3. Bc4"] {
        assert!(labels.contains(&label), "{label} in {labels:?}");
    }
    assert!(page.contains("d6!</button>") && page.contains(">Oh</span>"), "{page}");
    for (ply, line) in data["best"].as_array().unwrap().iter().enumerate() {
        let first = line.as_array().unwrap().first().and_then(serde_json::Value::as_u64);
        assert!(first.is_none_or(|first| nodes[first as usize]["p"] == ply), "{ply}: {line}");
    }
}

#[test]
fn exercises_have_an_answer_that_is_legal() {
    let page = page("1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0");
    let data = &data(&page)[0];
    let exercises = data["exercises"].as_array().unwrap();
    assert!(
        exercises.iter().any(|exercise| exercise["ply"] == 3 && exercise["played"] == "Ke7"),
        "{exercises:?}"
    );
    for exercise in exercises {
        let legal = exercise["legal"].as_array().unwrap();
        assert!(
            legal.iter().any(|m| m[2] == exercise["best"])
                && legal.iter().any(|m| m[2] == exercise["played"])
        );
        assert_ne!(exercise["best"], exercise["played"]);
        for other in exercise["others"].as_array().unwrap() {
            assert!(legal.iter().any(|m| m[2] == other[0]), "{other}");
            assert!(other[0] != exercise["best"] && other[0] != exercise["played"], "{other}");
        }
    }
    assert!(page.contains("allows mate in 1"));
}

/// A value on the page.
fn value(shown: &serde_json::Value) -> Value {
    let shown = shown.as_str().unwrap();
    match shown.strip_prefix('#').map(|moves| moves.parse::<i32>().unwrap()) {
        Some(moves) if moves > 0 => mate_in(moves as usize),
        Some(moves) => -mate_in(moves.unsigned_abs() as usize),
        None => (shown.parse::<f64>().unwrap() * 100.0).round() as Value,
    }
}

/// In the opera game some moves are much better than all others. In the second game White leaves a queen attacked that
/// nearly every move of hers would save.
#[test]
fn exercises_agree_with_the_values_they_show() {
    let many_good = "\n\n[SetUp \"1\"]\n[FEN \"6k1/5pp1/7p/4p3/3Q4/8/5PPP/6K1 w - - 0 1\"]\n\n1. h3 exd4 *\n";
    let page = page_with(20_000, &[include_str!("../../../docs/opera.pgn"), many_good].concat());
    let (mut good, mut bad) = (0, 0);
    let games = data(&page);
    for exercise in games.iter().flat_map(|game| game["exercises"].as_array().unwrap()) {
        let mover = if exercise["ply"].as_u64().unwrap() % 2 == 0 { 1 } else { -1 };
        let fault = |other| Judgement::of(mover * value(&exercise["best_value"]), mover * value(other));
        assert!(fault(&exercise["played_value"]).is_some(), "{exercise}");
        for other in exercise["others"].as_array().unwrap() {
            assert_eq!(other[2], fault(&other[1]).is_none(), "{other}: {exercise}");
            *if other[2] == true { &mut good } else { &mut bad } += 1;
        }
    }
    assert!(good > 0 && bad > 0, "{good} {bad}");
}

#[test]
fn games_without_moves_and_with_null_moves_are_shown() {
    let page = page("[White \"A\"]\n\n*\n\n[White \"B\"]\n\n1. -- -- 2. e4 (2. -- e5) *");
    let all = data(&page);
    assert_eq!((all[0]["moves"].as_u64(), all[1]["moves"].as_u64()), (Some(0), Some(3)));
    assert_eq!(all[1]["nodes"][1]["s"], "1. --");
}

#[test]
fn an_interruption_is_told() {
    let mut report = analysis::tests::report("1. e4 *", 100);
    assert!(!game(&report).contains("interrupted"));
    for (hurried, told) in [(1, "1 position was searched only briefly."), (2, "2 positions were searched")] {
        report.hurried = hurried;
        assert!(game(&report).contains(told), "{told}");
    }
}

/// What engines said of their moves is a curve, bars and no text.
#[test]
fn what_the_players_said_is_drawn() {
    let page = page(
        "1. d4 {book} d5 {book} 2. c4 {+0.31/12 0.5s} e6 {-0.20/11 1.5s} 3. Nc3 {+0.25/9 2s [%clk 0:00:58]} \
         dxc4 {Why} 4. e4 {+M3/9 12s, White wins by adjudication} 1-0",
    );
    let shown: Vec<&str> =
        page.split("<span class=\"comment\">").skip(1).map(|rest| rest.split_once('<').unwrap().0).collect();
    assert_eq!(shown, ["Why", "White wins by adjudication"]);
    assert!(page.contains(" 0.5s</small>") && page.contains(" 12s</small>"), "{page}");
    let told = page.split_once("class=\"told\" d=\"").unwrap().1.split_once('"').unwrap().0;
    assert_eq!(told, "M3 47.1L4 48.2L5 47.7M7 0.0", "the second is Black's own -0.20");
    assert!(page.contains("The dashed line is what the players said."));
    assert!(!self::page("1. e4 {Good} *").contains("class=\"told\""));
}

#[test]
fn tags_and_clocks_are_told() {
    let page =
        page("[TimeControl \"60\"]\n[Event \"Club\"]\n\n1. e4 {[%clk 0:00:55]} c5 {[%clk 0:00:48]} 2. Nf3 *");
    assert!(page.contains("Club · B27 Sicilian Defence, 2. Nf3"), "{page}");
    let facts = |tags: &str| {
        let page = self::page(&format!("{tags}\n\n1. a4 a5 2. h4 *"));
        page.split_once("<p class=\"facts\">").unwrap().1.split_once("</p>").unwrap().0.to_owned()
    };
    assert_eq!(
        facts("[Event \"Who is best?\"]\n[Date \"2024.05.??\"]\n[Round \"1\"]"),
        "Who is best? · 2024.05 · 1"
    );
    let unknown = self::page("[ECO \"?\"]\n[Opening \"?\"]\n\n1. e4 c5 2. Nf3 *");
    assert!(unknown.contains("B27 Sicilian Defence, 2. Nf3"), "{unknown}");
    assert_eq!(facts("[Event \"?\"]\n[Site \"\"]\n[Date \"????.??.??\"]\n[Round \"-\"]"), "");
    assert!(page.contains(" 5.0s</small>") && page.contains(" 12s</small>"), "{page}");
    assert_eq!(page.matches("class=\"times\"").count(), 1);
}
