//! Tests of `zugwerk study`.

use std::fs;

use crate::calls::{MIDDLEGAME, PAWNS, called, printed};

/// The rows of the first table of `text`: the algorithm, whether it is exact, and its nodes.
fn rows(text: &str) -> Vec<(&str, bool, u64)> {
    let mut lines = text.lines().skip(1);
    let header = lines.next().unwrap();
    let end = header.find("nodes").unwrap() + "nodes".len();
    let rows = lines.take_while(|line| !line.is_empty()).map(|line| {
        let (name, rest) = line.split_once("  ").unwrap();
        let nodes = line[..end].rsplit(' ').next().unwrap().replace(',', "");
        (name, rest.trim_start().starts_with("yes"), nodes.parse().unwrap())
    });
    rows.collect()
}

#[test]
fn study_compares_and_agrees() {
    let text = printed(&["study", "--fen", MIDDLEGAME, "--depth", "3"]);
    assert!(text.contains("70,119"), "{text}");
    assert!(text.contains("All 6 exact algorithms agree: +") && text.contains(" for White.\n"), "{text}");
    let text = printed(&["study", "--fen", MIDDLEGAME, "--depth", "2", "--evaluator", "material"]);
    assert!(rows(&text).len() == 8 && text.contains("exact algorithms agree: "), "{text}");
    assert!(text.contains("\nmemo of "), "{text}");
}

/// The textbook ends a game at the fifth occurrence of a position, which takes sixteen plies. The bare search
/// does not.
#[test]
fn the_bare_search_is_not_exact_where_a_game_can_end_by_repetition() {
    let shuffling = "k2b4/p1pPp3/P1P1P3/8/8/p1p1p3/P1PpP3/K2B4 w - - 0 1";
    for (depth, exact) in [("15", true), ("16", false)] {
        let text = printed(&["study", shuffling, "--depth", depth, "--evaluator", "classical"]);
        let (name, is_exact, _) = rows(&text)[6];
        assert_eq!((name, is_exact), ("bare search", exact));
        assert!(text.contains("exact algorithms agree: "), "{text}");
    }
}

/// Drawn by insufficient material. The search always plays a move at the root.
#[test]
fn a_finished_game_is_one_node_for_the_textbook() {
    let drawn = "8/8/4k3/8/8/4K3/8/8 w - - 0 1";
    let text = printed(&["study", "--fen", drawn, "--depth", "3"]);
    assert!(rows(&text)[..6].iter().all(|&(_, _, nodes)| nodes == 1), "{text}");
    assert!(printed(&["study", "--fen", drawn, "--depth", "1"]).starts_with(&format!("{drawn}, 1 ply\n")));
}

#[test]
fn study_shows_the_search_without_some_of_its_techniques() {
    let study = ["study", MIDDLEGAME, "--depth", "7", "--algorithm", "bare,search"];
    let more = ["--without", "null_move", "--without", "Futility,late-move-pruning"];
    let text = printed(&[&study[..], &more].concat());
    let rows = rows(&text);
    let names: Vec<_> = rows.iter().map(|&(name, ..)| name).collect();
    assert_eq!(names, ["bare search", "search", "without null_move", "without late_move_pruning, futility"]);
    let nodes = |row: usize| rows[row].2;
    assert!(nodes(0) > nodes(1) && nodes(2) != nodes(1) && nodes(3) > nodes(1), "{text}");
    let text = printed(&["study", MIDDLEGAME, "--algorithm", "minimax"]);
    assert!(!text.contains("memo") && !text.contains("agree"), "one row alone:\n{text}");
    let nothing = printed(&["study", PAWNS, "--depth", "1", "--algorithm", "search", "--without", ""]);
    assert!(!nothing.contains("without"), "no row without a difference:\n{nothing}");
}

#[test]
fn the_last_line_names_the_pages_of_the_course() {
    let text = printed(&["study", PAWNS, "--depth", "1"]);
    let line = text.lines().last().unwrap();
    let pages = line.strip_prefix("docs/course explains ").and_then(|pages| pages.strip_suffix('.'));
    let pages = pages.expect(line).replace(" page ", " ");
    let pages: Vec<_> = pages.split(", ").map(|page| page.split_once(" on ").unwrap()).collect();
    let names: Vec<_> = rows(&text).into_iter().map(|(name, ..)| name).take(6).collect();
    assert_eq!(pages.iter().map(|&(name, _)| name).collect::<Vec<_>>(), names);
    for (name, number) in pages {
        let begin = format!("docs/course/{number:0>2}-");
        let mut files = fs::read_dir("docs/course").unwrap().map(|entry| entry.unwrap().path());
        let file = files.find(|file| file.to_str().unwrap().replace('\\', "/").starts_with(&begin)).unwrap();
        assert!(fs::read_to_string(file).unwrap().contains(name), "{name} on page {number}");
    }
    assert!(!printed(&["study", PAWNS, "--depth", "1", "--algorithm", "search"]).contains("docs/course"));
}

#[test]
fn without_arguments_an_example_is_shown() {
    for name in ["study", "tree"] {
        let (_, told) = called(0, &[name]);
        assert!(told.starts_with(&format!("An example to type: zugwerk {name} --fen '")), "{told}");
        assert!(!called(0, &[name, "--depth", "1"]).1.contains("example"));
    }
}
