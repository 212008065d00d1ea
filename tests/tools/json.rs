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
    let said = refused(&["data", "text", &path("games.zwd"), "--json"]);
    assert!(said.contains("unexpected argument '--json'"), "{said}");
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
    let (training, held_out) = (path("training.zwd"), path("held-out.zwd"));
    let split = ["--validation", &held_out, "--validation-share", "0.4"];
    let shuffled = read(&[&["data", "shuffle", &data, "--output", &training], &split[..]].concat());
    assert!(
        shuffled["positions"].as_u64() > Some(0) && shuffled["validation_games"].as_u64() > Some(0),
        "{shuffled}"
    );
    fs::write(path("lines.txt"), printed(&["data", "text", &training])).unwrap();
    let packed = read(&["data", "pack", &path("lines.txt"), "--output", &path("packed.zwd")]);
    assert_eq!(packed["positions"], shuffled["positions"]);
    let again = ["data", "shuffle", &path("packed.zwd"), "--force", "--output", &path("again.zwd")];
    let shuffled = read(&again);
    assert_eq!((&shuffled["games"], &shuffled["positions"]), (&0.into(), &packed["positions"]));
    let told = format!("{}: {} positions\n", path("again.zwd"), packed["positions"]);
    assert!(printed(&again).starts_with(&told), "loose positions belong to no game");
    let plan = ["--hidden", "32", "--epochs", "2", "--batch", "16", "--tactical", "--first-ply", "0"];
    let to = ["--validation", &held_out, "--output", &path("trained")];
    let trained = read(&[&["train", &training], &to[..], &plan].concat());
    assert_eq!((trained["epochs"].as_array().unwrap().len(), &trained["complete"]), (2, &true.into()));
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
