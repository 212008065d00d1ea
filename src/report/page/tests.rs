//! Tests of the page as text. `.ci/report.py` tests it in a browser.

use std::collections::HashSet;

use super::*;
use crate::{
    chess::{
        notation,
        pgn::read_games,
        position::Position,
        value::{Value, mate_in},
    },
    engine::{
        eval::Classical,
        search::{Limits, Searcher, Stop},
    },
    report::GameRecord,
    report::analyse,
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
    let (markup, _) = page.split_once("<script class").unwrap();
    assert!(!markup.contains("\" onclick=alert(3)"), "{page}");
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

/// The SAN of a written move.
fn named(written: &str) -> &str {
    written[4..].trim_end_matches('^')
}

/// Plays a line of the page; a move must be legal, and have its own squares. Returns the SAN of all moves,
/// also of variations.
fn played(line: &serde_json::Value, position: &Position) -> Vec<String> {
    let (mut position, mut all) = (position.clone(), Vec::new());
    for one in line["moves"].as_array().unwrap() {
        for remark in one["said"].as_array().into_iter().flatten().filter(|remark| remark["moves"].is_array())
        {
            all.extend(played(remark, &position));
        }
        let text = one.as_str().or_else(|| one["m"].as_str()).unwrap();
        let m = notation::read_move(position.chess(), named(text)).unwrap();
        assert_eq!(text[..4], format!("{}{}", m.from().unwrap(), m.to()));
        position.play(m);
        all.push(named(text).to_owned());
    }
    all
}

#[test]
fn every_line_can_be_stepped_through() {
    let page = page(
        "1. e4 e5 2. Qh5 (2. Nf3 Nc6 (2... d6 $1 3. d4) 3. Bb5) 2... g6 (2... Nc6 3. Bc4) 3. Qxe5+ {Oh [%cal Ge5e8]} *",
    );
    let data = &data(&page)[0];
    let moves = played(&data["line"], &Position::default());
    assert_eq!(
        moves.join(" "),
        "e4 e5 Nf3 d6 d4 Nc6 Bb5 Qh5 Nc6 Bc4 g6 Qxe5+",
        "variations come before the move that they replace"
    );
    let last = &data["line"]["moves"][4];
    assert_eq!((last["said"][0].as_str(), &last["said"][1]["shapes"][0]), (Some("Oh"), &"Ge5e8".into()));
    assert!(page.contains(r#"{"m":"d7d6d6","signs":"!","said":[]}"#), "{page}");
    let positions =
        read_games("1. e4 e5 2. Qh5 g6 3. Qxe5+ *".as_bytes()).unwrap().remove(0).unwrap().positions();
    for (line, start) in data["best"].as_array().unwrap().iter().zip(positions) {
        let mut position = start;
        for written in line.as_str().unwrap().split_whitespace() {
            position.play(notation::read_move(position.chess(), named(written)).unwrap());
        }
    }
}

#[test]
fn exercises_have_an_answer_that_is_legal() {
    let page = page_with(20_000, "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 Nf6 5. Ba4 *");
    let data = &data(&page)[0];
    let exercise =
        data["exercises"].as_array().unwrap().iter().find(|exercise| exercise["ply"] == 7).unwrap();
    let moves: Vec<&str> =
        exercise["moves"].as_array().unwrap().iter().map(|m| m["line"].as_str().unwrap()).collect();
    assert!(moves[1].starts_with("g8f6Nf6 "), "what was played, with its refutation: {moves:?}");
    let distinct: HashSet<&str> = moves.iter().map(|line| &line[..4]).collect();
    assert!(distinct.len() == moves.len() && distinct.contains("d7c6"), "each once: {moves:?}");
    let second = &exercise["moves"][2];
    assert!(second["is_good"] == true && second["line"].as_str().unwrap().contains("xc6"), "{exercise}");
    assert!(page.contains("data-exercises=\"b7\""), "{page}");
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

/// In the opera game some moves are much better than all others. In the second game two pawns can take
/// the bishop.
#[test]
fn exercises_agree_with_the_values_they_show() {
    let several_good = "\n\n1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 Nf6 5. Ba4 *\n";
    let page = page_with(20_000, &[include_str!("../../../docs/opera.pgn"), several_good].concat());
    let (mut good, mut bad) = (0, 0);
    let games = data(&page);
    for exercise in games.iter().flat_map(|game| game["exercises"].as_array().unwrap()) {
        let mover = if exercise["ply"].as_u64().unwrap() % 2 == 0 { 1 } else { -1 };
        let moves = exercise["moves"].as_array().unwrap();
        let fault = |other: &serde_json::Value| {
            Judgement::of(mover * value(&moves[0]["value"]), mover * value(&other["value"]))
        };
        assert!(fault(&moves[1]).is_some() && moves[1]["is_good"] == false, "{exercise}");
        for other in &moves[2..] {
            assert_eq!(other["is_good"], fault(other).is_none(), "{other}: {exercise}");
            *if other["is_good"] == true { &mut good } else { &mut bad } += 1;
        }
    }
    assert!(good > 0 && bad > 0, "{good} {bad}");
}

#[test]
fn games_without_moves_and_with_null_moves_are_shown() {
    let page = page("[White \"A\"]\n\n*\n\n[White \"B\"]\n\n1. -- -- 2. e4 (2. -- e5) *");
    let all = data(&page);
    let moves = |game: usize| all[game]["line"]["moves"].as_array().unwrap();
    assert_eq!((moves(0).len(), moves(1).len()), (0, 3));
    assert_eq!(moves(1)[0], "0000--");
}

#[test]
fn an_interruption_is_reported() {
    let mut report = crate::report::tests::report("1. e4 *", 100);
    assert!(!game(&report).contains("interrupted"));
    for (hurried, reported) in
        [(1, "1 position was searched only briefly."), (2, "2 positions were searched")]
    {
        report.hurried = hurried;
        assert!(game(&report).contains(reported), "{reported}");
    }
}

/// What engines said of their moves is a curve, bars and no text.
#[test]
fn what_the_players_said_is_drawn() {
    let page = page(
        "1. d4 {book} d5 {book} 2. c4 {+0.31/12 0.5s} e6 {-0.20/11 1.5s} 3. Nc3 {+0.25/9 2s [%clk 0:00:58]} \
         dxc4 {Why} 4. e4 {+M3/9 12s, White wins by adjudication} 1-0",
    );
    let data = &data(&page)[0];
    let moves = data["line"]["moves"].as_array().unwrap();
    let said: Vec<_> = moves.iter().filter_map(|m| m["said"][0].as_str()).collect();
    assert_eq!(said, ["Why", "White wins by adjudication"]);
    assert_eq!((data["times"][2].as_f64(), data["times"][6].as_f64()), (Some(0.5), Some(12.0)));
    let reported: Vec<_> = data["reported"]
        .as_array()
        .unwrap()
        .iter()
        .map(|reported| reported[1].as_str().unwrap_or("-"))
        .collect();
    assert_eq!(
        reported,
        ["-", "-", "+0.31/12", "+0.20/11", "+0.25/9", "-", "#2/9"],
        "the second is Black's own -0.20"
    );
    assert_eq!(data["reported"][6][0], 100.0);
    assert!(self::data(&self::page("1. e4 {Good} *"))[0]["reported"].is_null());
}

/// Regression: the mate used to have the value `#-0` behind it.
#[test]
fn a_mate_has_no_value() {
    let page = page("1. f3 e5 2. g4 Qh4# 0-1");
    let data = &data(&page)[0];
    assert_eq!((data["values"][3].as_str(), data["values"][4].as_str()), (Some("#-1"), Some("")));
    assert!(!page.contains("#-0"));
}

#[test]
fn what_cannot_be_read_is_listed() {
    let broken = BrokenGame { number: 3, reason: "<no> FEN".into(), text: String::new() };
    assert_eq!(unread("a.pgn", &broken), "<p class=\"unread\">Not read: a.pgn, game 3: &lt;no&gt; FEN</p>\n");
    let page = page("1. e4 e5 2. Ke3 d5 *");
    assert!(page.contains("<p class=\"facts\">Fault in the PGN file: "), "{page}");
}

#[test]
fn tags_and_clocks_are_reported() {
    let page =
        page("[TimeControl \"60\"]\n[Event \"Club\"]\n\n1. e4 {[%clk 0:00:55]} c5 {[%clk 0:00:48]} 2. Nf3 *");
    assert!(page.contains("<p class=\"facts\">Club</p>"), "{page}");
    assert!(page.contains("<p class=\"summary\">Not finished. B27 Sicilian Defense. "), "{page}");
    let facts = |tags: &str| {
        let page = self::page(&format!("{tags}\n[FEN \"4k3/8/8/8/8/8/8/Q3K3 w - - 0 1\"]\n\n1. Kd1 *"));
        page.split_once("<p class=\"facts\">").unwrap().1.split_once("</p>").unwrap().0.to_owned()
    };
    assert_eq!(
        facts("[Event \"Who is best?\"]\n[Date \"2024.05.??\"]\n[Round \"1\"]"),
        "Who is best? · 2024.05 · Round 1"
    );
    let link = |address: &str| {
        format!("<a href=\"{address}\" target=\"_blank\" rel=\"noopener noreferrer\">{address}</a>")
    };
    assert_eq!(
        facts("[Event \"A\"]\n[Site \"https://lichess.org/a?b&c\"]"),
        format!("A · {}", link("https://lichess.org/a?b&amp;c"))
    );
    assert_eq!(facts("[Site \"javascript:alert(1)//http://\"]"), "javascript:alert(1)//http://");
    let unknown = self::page("[ECO \"?\"]\n[Opening \"?\"]\n\n1. e4 c5 2. Nf3 *");
    assert!(unknown.contains("B27 Sicilian Defense"), "{unknown}");
    assert_eq!(facts("[Event \"?\"]\n[Site \"\"]\n[Date \"????.??.??\"]\n[Round \"-\"]"), "");
    let data = &data(&page)[0];
    assert_eq!((data["times"][0].as_f64(), data["times"][1].as_f64()), (Some(5.0), Some(12.0)));
    assert_eq!(data["clocks"][1].as_f64(), Some(48.0));
}

/// The page ends with the table of its games; a name that is in each of them has a page of its own.
#[test]
fn several_games_end_with_their_table() {
    let records = |pgn: &str| -> Vec<GameRecord> {
        let mut searcher = Searcher::<Classical>::new(1);
        let limits = Limits::nodes(2000);
        let mut analyse = |number, game| {
            let mut report = analyse(number, game, &mut searcher, &limits, &Stop::default(), |_, _| ());
            report.set_exercises(&mut searcher, &limits, &Stop::default());
            GameRecord::of(&report)
        };
        let games = read_games(pgn.as_bytes()).unwrap().into_iter();
        (1..).zip(games).map(|(number, game)| analyse(number, game.unwrap())).collect()
    };
    let games = records(
        "[White \"<b>Ann\"]\n[Black \"Bob\"]\n[Result \"0-1\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 0-1\n\n\
         [White \"Cid\"]\n[Black \"<B>ANN\"]\n[BlackElo \"1500\"]\n\n1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0\n",
    );
    assert_eq!(end(&games[..1], None), "");
    let found = end(&games, None);
    assert!(found.contains("data-player=\"&lt;b&gt;Ann\""), "{found}");
    assert!(found.contains("<tr data-game=\"2\" data-side=\"b\">") && !found.contains("<b>"), "{found}");
    assert!(
        found.contains("Black</td><td>C20 King&#39;s Pawn Game") || found.contains("<td>Black</td>"),
        "{found}"
    );
    assert!(found.contains("data-at=\"2.4\""), "the mistake of Black: {found}");
    let other = end(&games, Some("bob"));
    assert!(
        other.contains("data-player=\"Bob\"") && other.contains("<tr data-game=\"2\" data-side=\"\">"),
        "{other}"
    );
    assert!(!end(&games, Some("Eve")).contains("data-player"), "the table is there without a player");
}
