//! Tests of `zugwerk study`.

use crate::calls::{MIDDLEGAME, PAWNS, json, printed};

#[test]
fn study_compares_and_agrees() {
    let text = printed(&["study", "--fen", MIDDLEGAME, "--depth", "3"]);
    assert!(text.contains("70,119"), "{text}");
    assert!(
        text.contains("All 6 exact algorithms agree: +") && text.trim_end().ends_with(" for White."),
        "{text}"
    );
    let json = json(&["study", "--fen", MIDDLEGAME, "--depth", "2", "--evaluator", "material", "--json"]);
    assert_eq!(json["agree"], true);
    assert_eq!(json["algorithms"].as_array().unwrap().len(), 8);
    assert!(json["algorithms"][4]["memo"]["tries"].as_u64().unwrap() > 0);
}

/// The textbook ends a game at the fifth occurrence of a position, which takes sixteen plies. The bare search does not.
#[test]
fn the_bare_search_is_not_exact_where_a_game_can_end_by_repetition() {
    let shuffling = "k2b4/p1pPp3/P1P1P3/8/8/p1p1p3/P1PpP3/K2B4 w - - 0 1";
    for (depth, exact) in [("15", true), ("16", false)] {
        let json = json(&["study", shuffling, "--depth", depth, "--evaluator", "classical", "--json"]);
        let bare = &json["algorithms"][6];
        assert_eq!((&bare["algorithm"], &bare["exact"]), (&"bare search".into(), &exact.into()));
        assert_eq!(json["agree"], true, "{json}");
    }
}

/// Drawn by insufficient material. The search always plays a move at the root.
#[test]
fn a_finished_game_is_one_node_for_the_textbook() {
    let drawn = "8/8/4k3/8/8/4K3/8/8 w - - 0 1";
    let json = json(&["study", "--fen", drawn, "--depth", "3", "--json"]);
    for row in &json["algorithms"].as_array().unwrap()[..6] {
        assert_eq!(row["nodes"], 1, "{row}");
    }
    assert!(printed(&["study", "--fen", drawn, "--depth", "1"]).starts_with(&format!("{drawn}, 1 ply\n")));
}

#[test]
fn study_shows_the_search_without_some_of_its_techniques() {
    let study = ["study", MIDDLEGAME, "--depth", "7", "--algorithm", "bare,search", "--json"];
    let more = ["--without", "null_move", "--without", "Futility,late-move-pruning"];
    let json = json(&[&study[..], &more].concat());
    let rows = json["algorithms"].as_array().unwrap();
    let names: Vec<_> = rows.iter().map(|row| row["algorithm"].as_str().unwrap()).collect();
    assert_eq!(names, ["bare search", "search", "without null_move", "without late_move_pruning, futility"]);
    let nodes = |row: usize| rows[row]["nodes"].as_u64().unwrap();
    assert!(nodes(0) > nodes(1) && nodes(2) != nodes(1) && nodes(3) > nodes(1), "{json}");
    let text = printed(&["study", MIDDLEGAME, "--algorithm", "minimax"]);
    assert!(!text.contains("memo") && !text.contains("agree"), "one row alone:\n{text}");
    let nothing = printed(&["study", PAWNS, "--depth", "1", "--algorithm", "search", "--without", ""]);
    assert!(!nothing.contains("without"), "no row without a difference:\n{nothing}");
}
