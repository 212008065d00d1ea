//! Tests of results as JSON.

use std::fs;

use crate::calls::{json, printed, refused, training_data};

#[test]
fn results_are_told_in_json_too() {
    let value = json(&["eval", "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1", "--evaluator", "material", "--json"]);
    assert!(value["cp"].as_i64().unwrap() > 1000, "{value}");
    assert_eq!(value["pieces"].as_array().unwrap().len(), 4);
    let bench = json(&["bench", "1", "--json"]);
    assert_eq!(
        (&bench["complete"], bench["positions"].as_array().unwrap().len()),
        (&true.into(), zugwerk::bench::positions().count())
    );
    let tree = json(&["tree", "--depth", "1", "--json"]);
    assert_eq!((tree["nodes"].as_array().unwrap().len(), &tree["nodes"][1]["side"]), (21, &"White".into()));
    let numbers = json(&["spsa", "--json"]);
    assert_eq!(numbers.as_array().unwrap().len(), zugwerk::search::params::ALL.len());
    let played =
        json(&["play", "--white", "greedy", "--black", "random", "--games", "2", "--seed", "1", "--json"]);
    assert_eq!((&played["games"], &played["complete"]), (&2.into(), &true.into()));
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("games.pgn"), "1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
    let made = json(&["book", "make", &path("book.bin"), &path("games.pgn"), "--json"]);
    assert_eq!((&made["games"], &made["book_moves"]), (&1.into(), &4.into()));
    let shown = json(&["book", "show", &path("book.bin"), "startpos", "--json"]);
    assert_eq!(shown["moves"][0]["move"], "f3");
    let games = json(&["analyse", &path("games.pgn"), "--depth", "3", "--json"]);
    assert_eq!((&games["moves"][2]["san"], &games["moves"][2]["mark"]), (&"g4".into(), &"blunder".into()));
    let data = ["datagen", &path("games.zwd"), "--positions", "50", "--nodes", "20", "--hash", "1"];
    printed(&data);
    let data = json(&["data", "show", &path("games.zwd"), "--json"]);
    assert!(data["census"]["positions"].as_u64().unwrap() >= 50, "{data}");
    assert_eq!(data["files"][0]["header"]["kind"], "games");
    assert_eq!(json(&["data", "verify", &path("games.zwd"), "--json"])[0]["damaged"], false);
    let losses = json(&["data", "loss", &path("games.zwd"), "--json"]);
    let search = losses.as_array().unwrap().last().unwrap();
    assert!(
        search["positions"].is_u64() && search["midpoint"].is_f64() && search["spread"].is_f64(),
        "{losses}"
    );
}

/// Subcommands that write a file also tell their result in JSON.
#[test]
fn what_was_written_is_told_in_json() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let read = |args: &[&str]| json(&[args, &["--json"]].concat());
    let made = ["datagen", &path("more.zwd"), "--positions", "50", "--nodes", "20", "--hash", "1"];
    assert_eq!(read(&made)["complete"], true);
    let data = training_data(folder.path());
    fs::write(path("scored.pgn"), "[Result \"1-0\"]\n\n1. e4 {+0.31} 1-0\n").unwrap();
    let packed = read(&["data", "pack", &path("scored.pgn"), "--output", &path("packed.zwd")]);
    assert_eq!((&packed["positions"], &packed["games"]), (&1.into(), &1.into()));
    fs::create_dir(path("games")).unwrap();
    fs::rename(path("more.zwd"), path("games/more.zwd")).unwrap();
    let flags = "--hidden 32 --positions 32 --uses 2 --window 16 --batch 16 --tactical --first-ply 0";
    let to = ["train", "--stream", &path("games"), "--validation", &data, "--output", &path("trained")];
    let trained = read(&[&to[..], &flags.split(' ').collect::<Vec<_>>()].concat());
    assert_eq!(trained["complete"], true);
    let network = trained["network"].as_str().unwrap();
    let drawn = read(&["net", "draw", network, "--count", "2", "-o", &path("net.svg")]);
    assert_eq!(drawn["neurons"].as_array().unwrap().len(), 2);
}

#[test]
fn the_network_is_told_in_json() {
    let show = ["net", "show", "--json"];
    if zugwerk::eval::EvaluatorKind::DEFAULT == zugwerk::eval::EvaluatorKind::Network {
        let network = json(&show);
        assert_eq!((network["greatest"].as_array().unwrap().len(), network["hash"].is_string()), (3, true));
    } else {
        refused(&show);
    }
}
