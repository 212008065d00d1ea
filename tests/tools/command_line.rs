//! Tests of the command line on the real binary: output and exit code of every kind of call.

use std::{
    fs,
    path::Path,
    process::{Child, Command, Output, Stdio},
};

use zugwerk::eval::network::{Activation, Architecture, Network};

use crate::calls::{called, command, json, printed, refusal, refused, zugwerk};

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("plain text")
}

#[test]
fn bench_ends_with_nodes_and_speed_and_always_counts_the_same() {
    let nodes = || {
        let text = printed(&["bench", "3"]);
        assert_eq!(text.lines().count(), zugwerk::bench::positions().count() + 1, "and the total");
        let words: Vec<String> = text.lines().last().unwrap().split(' ').map(str::to_owned).collect();
        assert_eq!([&*words[1], &*words[3]], ["nodes", "nps"], "{words:?}");
        assert!(words[2].parse::<u64>().is_ok(), "{words:?}");
        words[0].parse::<u64>().unwrap()
    };
    assert_eq!(nodes(), nodes());
}

#[test]
fn perft_counts_and_divides() {
    assert!(printed(&["perft", "3"]).starts_with("8902 nodes "));
    let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    let text = printed(&["perft", "--fen", fen, "--divide", "2"]);
    assert!(text.contains("\n2039 nodes ") && text.contains("e1g1: 43\n"), "{text}");
    assert_eq!(text.lines().count(), 49);
    let words: Vec<&str> = ["perft", "2"].into_iter().chain(fen.split(' ')).collect();
    assert!(printed(&words).starts_with("2039 nodes "));
    assert!(printed(&["perft", "2", "startpos"]).starts_with("400 nodes "));
}

#[test]
fn spsa_prints_the_numbers_for_open_bench() {
    let text = printed(&["spsa"]);
    assert_eq!(text.lines().count(), zugwerk::search::params::ALL.len());
    for (line, param) in text.lines().zip(zugwerk::search::params::ALL) {
        let fields: Vec<&str> = line.split(", ").collect();
        assert_eq!(fields[..2], [param.name, "int"], "{line}");
        let numbers: Vec<f64> = fields[2..].iter().map(|field| field.parse().unwrap()).collect();
        let [value, min, max, step, rate] = numbers[..] else { panic!("{line}") };
        assert!(min <= value && value <= max && step > 0.0 && rate > 0.0, "{line}");
    }
    assert_eq!(printed(&["spsa", "--only", "lmr_pv"]).lines().count(), 1);
}

/// Without the feature `tune` the parameters are constants, which no match could change.
#[cfg(not(feature = "tune"))]
#[test]
fn spsa_plays_only_in_a_build_for_tuning() {
    for args in [&["spsa", "--iterations", "1"][..], &["spsa", "--only", "nothing"]] {
        refused(args);
    }
}

#[test]
fn a_suite_is_right_wrong_or_unreadable() {
    let folder = tempfile::tempdir().unwrap();
    let suite = |name: &str, text: &str| {
        let file = folder.path().join(name).display().to_string();
        fs::write(&file, text).unwrap();
        file
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    let chess960 = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9";

    let right = suite("right.epd", &format!("# known\n{start} ;D1 20 ;D3 8902\n\n{chess960} ;D2 528\n"));
    assert!(printed(&["perft", &right]).contains("2 positions, 3 counts, 0 wrong"));

    let wrong = suite("wrong.epd", &format!("{start} ;D1 20 ;D2 401\n"));
    assert!(called(1, &["perft", &wrong]).0.contains("depth 2: expected 401, got 400"));

    for text in ["no fen ;D1 20\n", "8/8 ;D1 many\n", ""] {
        refused(&["perft", &suite("bad.epd", text)]);
    }
}

#[test]
#[cfg(unix)]
fn a_pipe_is_read_like_a_file() {
    use std::io::Write as _;

    let piped = |args: &[&str], text: &str| {
        let (reader, mut writer) = std::io::pipe().unwrap();
        writer.write_all(text.as_bytes()).unwrap();
        drop(writer);
        command(args).stdin(reader).output().unwrap()
    };
    let counted = piped(&["perft", "/dev/stdin"], "4k3/8/8/8/8/8/8/4K3 w - - 0 1 ;D1 5 ;D2 25\n");
    assert!(stdout(&counted).starts_with("1 position, 2 counts, 0 wrong"), "{counted:?}");
    let analysed = piped(&["analyse", "/dev/stdin", "--depth", "1"], "1. e4 e5 *\n");
    assert!(stdout(&analysed).contains("1. e4 "), "{analysed:?}");
}

#[test]
fn bad_usage_is_refused() {
    for args in [
        &["nonsense"][..],
        &["--nonsense"],
        &["bench", "deep"],
        &["bench", "0"],
        &["bench", "241"],
        &["perft"],
        &["perft", "three"],
        &["perft", "/no/such/file"],
        &["perft", "--depth", "1", "counts.epd"],
        &["perft", "--fen", "not a fen", "1"],
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
        (&["epd"][..], "\nUsage: zugwerk epd"),
        (&["elo"], "<WINS> <DRAWS> <LOSSES>"),
        (&["book", "show"], "\nUsage: zugwerk book show"),
        (&["data"], "requires a subcommand"),
        (&["net"], "requires a subcommand"),
    ] {
        let said = refused(args);
        assert!(said.contains(part), "{args:?}: {said}");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn an_output_without_room_is_told() {
    let players = ["--engine", "self,nodes=10,name=A", "--engine", "self,nodes=10,name=B", "--games", "2"];
    for args in [
        &["elo", "1", "2", "3"][..],
        &["eval"],
        &["perft", "2"],
        &["--help"],
        &[&["match"], &players[..]].concat()[..],
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

#[test]
fn results_are_told_in_json_too() {
    let counted = json(&["perft", "3", "--divide", "--json"]);
    assert_eq!((&counted["nodes"], &counted["moves"]["e2e4"]), (&8902.into(), &600.into()));
    assert!(json(&["perft", "2", "--json"])["moves"].is_null());
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
    fs::write(
        path("counts.epd"),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 ;D1 20 ;D2 400\n",
    )
    .unwrap();
    assert_eq!(json(&["perft", &path("counts.epd"), "--json"])["counts"], 2);
    fs::write(path("games.pgn"), "1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
    let made = json(&["book", "make", &path("book.bin"), &path("games.pgn"), "--json"]);
    assert_eq!((&made["games"], &made["book_moves"]), (&1.into(), &4.into()));
    let shown = json(&["book", "show", &path("book.bin"), "startpos", "--json"]);
    assert_eq!(shown["moves"][0]["move"], "f3");
    let games = json(&["analyse", &path("games.pgn"), "--depth", "3", "--json"]);
    assert_eq!(
        (&games[0]["moves"][2]["san"], &games[0]["moves"][2]["mark"]),
        (&"g4".into(), &"blunder".into())
    );
    let data = ["datagen", &path("games.zwd"), "--positions", "50", "--nodes", "20", "--hash", "1"];
    printed(&data);
    let data = json(&["data", "show", &path("games.zwd"), "--json"]);
    assert!(data["census"]["positions"].as_u64().unwrap() >= 50, "{data}");
    assert_eq!(data["files"][0]["header"]["kind"], "games");
    assert_eq!(json(&["data", "verify", &path("games.zwd"), "--json"])[0]["damaged"], false);
    assert!(json(&["data", "loss", &path("games.zwd"), "--json"])[0]["positions"].is_u64());
    for without in [&["completions", "bash"][..], &["data", "text", &path("games.zwd")]] {
        let said = refused(&[without, &["--json"]].concat());
        assert!(said.contains("unexpected argument '--json'"), "{said}");
    }
}

/// A file of training data with a few games.
fn training_data(folder: &Path) -> String {
    generated(folder, "data.zwd", "1")
}

/// A file of other games.
fn validation_data(folder: &Path) -> String {
    generated(folder, "validation.zwd", "2")
}

fn generated(folder: &Path, name: &str, seed: &str) -> String {
    let path = folder.join(name).display().to_string();
    let flags = "--positions 300 --nodes 20 --hash 1 --evaluator material --seed";
    printed(&[&["datagen", &path], &flags.split(' ').collect::<Vec<_>>()[..], &[seed]].concat());
    path
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
    let tuned = read(&[
        "tune",
        &data,
        "--validation",
        &held_out,
        "--epochs",
        "1",
        "--batch",
        "64",
        "--first-ply",
        "0",
    ]);
    assert_eq!((tuned["epochs"].as_array().unwrap().len(), &tuned["complete"]), (1, &true.into()));
    let plan = ["--hidden", "32", "--epochs", "2", "--batch", "16", "--tactical", "--first-ply", "0"];
    let to = ["--validation", &held_out, "--output", &path("trained")];
    let trained = read(&[&["train", &training], &to[..], &plan].concat());
    assert_eq!((trained["epochs"].as_array().unwrap().len(), &trained["complete"]), (2, &true.into()));
    let network = trained["network"].as_str().unwrap();
    let drawn = read(&["net", "draw", network, "--count", "2", "-o", &path("net.svg")]);
    assert_eq!(drawn["neurons"].as_array().unwrap().len(), 2);
}

/// One policy for all output files: an existing one is refused at once, `--force` replaces it, `-` is standard output.
#[test]
fn output_files_are_replaced_only_with_force() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (data, held_out) = (training_data(folder.path()), validation_data(folder.path()));
    let (lines, games, mine) = (path("lines.txt"), path("games.pgn"), path("mine.svg"));
    fs::write(&lines, printed(&["data", "text", &data])).unwrap();
    fs::write(&games, "1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
    for (args, flag) in [
        (&["tree", "--depth", "1"][..], "-o"),
        (&["analyse", &games, "--depth", "1"], "-o"),
        (&["analyse", &games, "--depth", "1"], "--html"),
        (&["tune", &data, "--validation", &held_out, "--epochs", "0", "--first-ply", "0"], "-o"),
        (&["data", "shuffle", &data], "--output"),
        (&["data", "pack", &lines], "--output"),
        (&["data", "shuffle", &data, "--output", "-"], "--validation"),
    ] {
        fs::write(&mine, "mine").unwrap();
        let said = refused(&[args, &[flag, &mine]].concat());
        assert!(said.contains("mine.svg exists: --force replaces it"), "{args:?}: {said}");
        assert_eq!(fs::read(&mine).unwrap(), b"mine", "{args:?}");
        let done = zugwerk(&[args, &[flag, &mine, "--force"]].concat());
        assert_eq!(done.status.code(), Some(0), "{args:?}: {done:?}");
        let written = fs::read(&mine).unwrap();
        assert_ne!(written, b"mine", "{args:?}");
        if flag == "--output" || flag == "-o" {
            let names: &[&str] = if cfg!(unix) { &["-", "/dev/stdout"] } else { &["-"] };
            for name in names {
                let done = zugwerk(&[args, &[flag, name]].concat());
                let told = (done.status.code(), &done.stdout);
                assert_eq!(told, (Some(0), &written), "{args:?} {name}");
            }
        }
    }
    refused(&["book", "make", &mine, &games]);
    printed(&["book", "make", &mine, &games, "--force"]);
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 5, "no temporary file: {left:?}");
    let folder = folder.path().display().to_string();
    refused(&["data", "shuffle", &data, "--output", &folder, "--force"]);
}

/// `--force` without a file to write has no effect, so it is refused.
#[test]
fn force_needs_an_output_file() {
    for (tool, flag) in
        [(&["tree"][..], "--output"), (&["net", "draw"], "--output"), (&["tune", "games.zwd"], "--output")]
    {
        let said = refused(&[tool, &["--force"]].concat());
        assert!(said.contains(flag), "{tool:?}: {said}");
    }
}

/// Not even `--force` lets a tool write over what it reads.
#[test]
fn no_input_is_written_over() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let data = training_data(folder.path());
    let (lines, games, held_out, other) =
        (path("lines.txt"), path("games.pgn"), path("held-out.zwd"), path("other.zwd"));
    fs::write(&lines, printed(&["data", "text", &data])).unwrap();
    fs::write(&games, "1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
    fs::copy(&data, &held_out).unwrap();
    // The name of a picture, so that `tree` could write it.
    let network = path("network.svg");
    let architecture = Architecture { neurons: 32, activation: Activation::SquaredClipped, buckets: 8 };
    fs::write(&network, Network::random(architecture, 11).to_bytes()).unwrap();
    for (args, input) in [
        (&["data", "shuffle", &data, "--output", &data][..], &data),
        (&["data", "shuffle", &data, "--output", &other, "--validation", &data], &data),
        (&["data", "pack", &lines, "--output", &lines], &lines),
        (&["net", "draw", &network, "--output", &network], &network),
        (&["tune", &data, "--validation", &held_out, "--epochs", "0", "--output", &data], &data),
        (&["tune", &data, "--validation", &held_out, "--epochs", "0", "--output", &held_out], &held_out),
        (&["tree", "--depth", "1", "--eval-file", &network, "--output", &network], &network),
        (&["analyse", &games, "--depth", "1", "--eval-file", &network, "--html", &network], &network),
    ] {
        let before = fs::read(input).unwrap();
        let said = refused(&[args, &["--force"]].concat());
        assert!(said.contains("expected another file than the inputs"), "{args:?}: {said}");
        assert!(fs::read(input).unwrap() == before, "{args:?}");
    }
    assert!(!Path::new(&other).exists());
    // Standard input and output are no files.
    assert_eq!(zugwerk(&["data", "pack", "-", "--output", "-"]).status.code(), Some(0));
}

/// `--force` replaces what a file contains, and nothing else about it.
#[cfg(unix)]
#[test]
fn a_replaced_file_keeps_its_permissions_and_the_links_to_it() {
    use std::os::unix::fs::{PermissionsExt as _, symlink};
    let folder = tempfile::tempdir().unwrap();
    let elsewhere = tempfile::tempdir().unwrap();
    let (file, link) = (elsewhere.path().join("secret.svg"), folder.path().join("link.svg"));
    let games = folder.path().join("games.pgn").display().to_string();
    fs::write(&games, "1. f3 e5 2. g4 Qh4# 0-1\n").unwrap();
    symlink(&file, &link).unwrap();
    let output = link.display().to_string();
    for args in [&["tree", "--depth", "1"][..], &["analyse", &games, "--depth", "1"]] {
        fs::write(&file, "mine").unwrap();
        fs::set_permissions(&file, fs::Permissions::from_mode(0o600)).unwrap();
        printed(&[args, &["--output", &output, "--force"]].concat());
        assert!(link.is_symlink(), "{args:?}");
        assert_ne!(fs::read(&file).unwrap(), b"mine", "{args:?}");
        assert_eq!(file.metadata().unwrap().permissions().mode() & 0o777, 0o600, "{args:?}");
        assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 1, "no temporary file");
    }
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

/// What is printed on a terminal of 80 columns.
#[test]
fn output_fits_the_terminal() {
    let fen = "r1bqrnk1/pp2bppp/2p2n2/3p2B1/3P4/2NBPN2/PPQ2PPP/R4RK1 w - - 7 11";
    let players =
        ["--engine", "self,nodes=10,name=The first one", "--engine", "self,nodes=10,name=The second one"];
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (data, shuffled, suite) = (training_data(folder.path()), path("shuffled.zwd"), path("suite.epd"));
    printed(&["data", "shuffle", &data, "--output", &shuffled, "--quiet"]);
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
        &["data", "show", &shuffled],
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

/// Ctrl-C: what there is so far is printed.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_tool_tells_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("long.epd").display().to_string();
    fs::write(&suite, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n".repeat(1000)).unwrap();
    for args in [
        &["perft", "11", "--divide", "--json"][..],
        &["analyse", "--depth", "100", "--json"],
        &["bench", "60", "--json"],
        &["epd", &suite, "--nodes", "20000", "--json"],
        &["play", "--white", "nodes:1000000", "--black", "random", "--games", "1000", "--json"],
        &["play", "--white", "minimax:20", "--black", "random", "--json"],
        &["study", "--depth", "20", "--json"],
        &["tree", "--depth", "20", "--algorithm", "minimax", "--json"],
        &["tree", "--depth", "20", "--algorithm", "deepening", "--json"],
        &["tree", "--depth", "20", "--algorithm", "search", "--quiescence", "--json"],
    ] {
        let child = command(args).stdout(Stdio::piped()).stderr(Stdio::null()).spawn();
        let output = interrupted(child.unwrap());
        assert_eq!(output.status.code(), Some(130), "{args:?}: {output:?}");
        let told: serde_json::Value = serde_json::from_str(&stdout(&output)).expect("JSON");
        assert!(told["complete"] == false || told[0]["total"].as_u64().unwrap() < 1000, "{args:?}: {told}");
    }
}

/// The sum of no times is not -0.
#[cfg(target_os = "linux")]
#[test]
fn a_suite_without_a_result_took_no_time() {
    let folder = tempfile::tempdir().unwrap();
    let suite = folder.path().join("endless.epd").display().to_string();
    fs::write(&suite, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - bm e4;\n").unwrap();
    let child = command(&["epd", &suite, "--depth", "200"]).stdout(Stdio::piped()).spawn();
    let told = stdout(&interrupted(child.unwrap()));
    assert!(told.contains("0 of 0 solved (0.0 %); 0 nodes, 0.0 s"), "{told}");
}

/// Interrupts a program some time after it handles the signal.
#[cfg(target_os = "linux")]
fn interrupted(child: Child) -> Output {
    let status = format!("/proc/{}/status", child.id());
    let handles_interrupts = || {
        let status = fs::read_to_string(&status).unwrap();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).unwrap();
        u64::from_str_radix(mask.trim(), 16).unwrap() & 2 != 0
    };
    while !handles_interrupts() {
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    child.wait_with_output().unwrap()
}

/// Ctrl-C while a tool reads: the first two wait for a pipe that nobody writes to.
#[cfg(target_os = "linux")]
#[test]
fn an_interrupted_tool_leaves_no_unfinished_file() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (data, pipe) = (training_data(folder.path()), path("pipe"));
    assert!(Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let output = path("output");
    let names = || fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name());
    for args in [
        &["data", "pack", &pipe, "--output", &output][..],
        &["book", "make", &output, &pipe],
        &[&["tune", "--output", &output][..], &vec![&*data; 20_000]].concat(),
    ] {
        let mut child = command(args).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        while !names().any(|name| name.to_string_lossy().ends_with(".part")) {
            assert!(child.try_wait().unwrap().is_none(), "{args:?}");
            std::thread::sleep(std::time::Duration::from_millis(10));
        }
        let output = interrupted(child);
        assert_eq!(output.status.code(), Some(130), "{:?}: {output:?}", &args[..4]);
        assert_eq!(
            names().count(),
            2,
            "{:?}: the data and the pipe, not {:?}",
            &args[..4],
            names().collect::<Vec<_>>()
        );
    }
}

#[test]
fn typing_errors_are_understood() {
    for (args, tip) in [
        (&["analise"][..], "some similar subcommands exist: 'analyze', 'analyse'"),
        (&["mtach -engine x"], "a similar subcommand exists: 'match'"),
        (&["perft", "--dept", "3"], "a similar argument exists: '--depth'"),
        (&["bench", "--evaluater", "network"], "a similar argument exists: '--evaluator'"),
        (&["bench", "--evaluator", "clasical"], "a similar value exists: 'classical'"),
        (&["bench", "--without", "nul_move"], "a similar value exists: 'null_move'"),
        (&["--hahs=64"], "a similar argument exists: '--hash'"),
        (&["data", "shufle"], "a similar subcommand exists: 'shuffle'"),
        (&["tune", "none.zwd", "--without", "KING_ATACK"], "a similar value exists: 'KING_ATTACK'"),
    ] {
        let said = refused(args);
        assert!(said.contains(&format!("\n  tip: {tip}\n")), "{args:?}: {said}");
    }
    assert!(!refused(&["bench", "--without", "nul_move"]).contains("table_cutoffs"), "not all techniques");
    for (args, listed) in [
        (&["match", "--engine", "self,nodse=3", "--engine", "self"][..], "nodes"),
        (&["play", "--white", "prototipe:2", "--black", "random"], "prototype:DEPTH"),
        (&["bench", "--without", "?"], "table_cutoffs"),
    ] {
        let said = refused(args);
        assert!(said.contains(listed), "{args:?}: {said}");
    }
}

#[test]
fn eval_draws_the_position() {
    assert!(printed(&["eval"]).contains("Total for White"));
    let text = printed(&["eval", "--fen", "4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1"]);
    assert_eq!(text.matches(" Q ").count(), 2, "{text}");
}

#[test]
fn help_and_version() {
    assert_eq!(printed(&["--version"]), format!("zugwerk {}\n", env!("CARGO_PKG_VERSION")));
    let help = printed(&["--help"]);
    for part in ["bench", "perft", "eval", "--move-overhead=", "Exit codes: 0"] {
        assert!(help.contains(part), "{part} is missing in\n{help}");
    }
}

#[test]
fn option_flags_set_defaults_and_leave_uci_running() {
    let text = printed(&["--MultiPV=3", "--Move Overhead=100", "--uci-showwdl", "go depth 2", "quit"]);
    assert!(text.contains(" multipv 3 ") && text.contains(" wdl "), "{text}");
    assert!(printed(&["--Hash=64", "--SyzygyPath=/no/such/folder", "uci"]).contains("\nuciok\n"));
    assert_eq!(printed(&["--hash=64"]), "", "standard input is at its end");
}

#[test]
fn arguments_are_lines_each_search_finishing_before_the_next() {
    let text =
        printed(&["position startpos moves e2e4", "go depth 6", "position startpos", "go depth 3", "quit"]);
    let ends: Vec<&str> = text.lines().filter(|l| l.starts_with("bestmove")).collect();
    assert_eq!(ends.len(), 2, "{text}");
    assert!(text.contains("info depth 6 "), "the first search was not cut short:\n{text}");
    assert!(printed(&["go perft 2", "quit"]).contains("Nodes searched: 400"));
    assert_eq!(printed(&["go infinite", "stop", "quit"]).matches("bestmove").count(), 1);
    assert_eq!(printed(&["go infinite"]).matches("bestmove").count(), 1, "the end of the lines stops it");
    assert!(printed(&["bench 1"]).trim_end().ends_with("nps"));
}

#[test]
fn shells_learn_of_every_subcommand() {
    for shell in ["bash", "zsh", "fish", "powershell", "elvish"] {
        let script = printed(&["completions", shell]);
        assert!(script.contains("datagen") && script.contains("move-overhead"), "{shell}");
    }
    refused(&["completions", "klingon"]);
}

#[test]
fn what_is_wrong_is_said_once() {
    let match_of = ["match", "--engine", "cmd=a", "--engine", "cmd=b"];
    let cases: [&[&str]; 5] = [
        &["book", "show", "/no such/book.bin"],
        &[&match_of[..], &["--openings", "file=/no such/games.pgn"]].concat(),
        &[&match_of[..], &["--each", "nodes=5", "--pgn", "/no such/games.pgn"]].concat(),
        &["tree", "--output", "/no such/tree.html"],
        &["book", "make", "/no such/book.bin", "games.pgn"],
    ];
    for args in cases {
        let said = refused(args);
        assert!(!said.contains(".part"), "{said}");
        assert_eq!(said.matches("No such file").count(), 1, "{said}");
    }
}

#[test]
fn a_tool_uses_no_smaller_table_instead() {
    let said = refused(&["analyse", "--hash", "1048576", "--depth", "1", "startpos"]);
    assert!(said.trim_end().ends_with("not enough memory for a hash table of 1048576 MiB"), "{said}");
}

#[test]
fn books_are_made_of_games_and_shown() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    let (book, pgn, junk) = (path("book.bin"), path("games.pgn"), path("junk.bin"));
    fs::write(&pgn, "1. e4 e5 1-0\n\n1. d4 1/2-1/2\n").unwrap();
    fs::write(&junk, "no book").unwrap();
    let make = ["book", "make", &book, &pgn];
    assert_eq!(printed(&make), "3 moves of 2 positions from 2 games\n");
    assert!(refused(&make).contains("exists: --force replaces it"), "nothing is overwritten");
    let one = path("one.pgn");
    fs::write(&one, "1. e4 e5 *\n").unwrap();
    assert_eq!(printed(&["book", "make", &path("one.bin"), &one]), "2 moves of 2 positions from 1 game\n");
    for nothing in ["", "\n"] {
        fs::write(path("empty.pgn"), nothing).unwrap();
        let none = refused(&["book", "make", &path("none.bin"), &path("empty.pgn")]);
        assert!(none.contains("expected games in PGN, found none"), "{none}");
    }
    fs::write(path("broken.pgn"), "1. e4 e9 1-0\n").unwrap();
    let (_, said) = called(2, &["book", "make", &path("none.bin"), &path("broken.pgn")]);
    assert_eq!(said.lines().count(), 2, "{said}");
    assert!(said.contains("skipped: ") && said.contains("PGN that can be read, found none"), "{said}");
    let late = ["book", "make", &book, &path("no games.pgn")];
    assert!(refused(&late).contains("exists"), "which is said before games are read");
    let shown = printed(&["book", "show", &book]);
    let words: Vec<Vec<&str>> = shown.lines().map(|line| line.split_whitespace().collect()).collect();
    assert_eq!(words[3..], [vec!["e4", "2", "66.7", "%"], vec!["d4", "1", "33.3", "%"]], "{shown}");
    called(1, &["book", "show", &book, "--fen", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"]);
    assert!(refused(&["book", "show", &junk]).contains("junk.bin: expected a whole number of entries"));
    let rare = ["book", "make", &path("rare.bin"), &pgn, "--min-games", "2"];
    assert!(refused(&rare).contains("expected a move played in 2 games or more"));
    fs::write(path("unmoved.pgn"), "[White \"A\"]\n\n*\n").unwrap();
    let unmoved = refused(&["book", "make", &path("none.bin"), &path("unmoved.pgn")]);
    assert!(unmoved.contains("expected a move played in 1 game or more, got none"), "{unmoved}");
    let games = fs::read(&pgn).unwrap();
    for input in [&[&*pgn][..], &[&*book, &*pgn]] {
        let over = [&["book", "make", "--force", &pgn], input].concat();
        assert!(refused(&over).contains("games.pgn: expected another file than the inputs"), "{input:?}");
        assert_eq!(fs::read(&pgn).unwrap(), games, "an input is never replaced");
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
    assert!(printed(&["perft", "0"]).starts_with("1 node "));
    let suite = path("suite.epd");
    fs::write(&suite, format!("{forced} ;D1 1\n")).unwrap();
    assert!(printed(&["perft", &suite]).starts_with("1 position, 1 count, 0 wrong, 1 node, "));
    let drawn = ["tree", "4k3/8/8/8/8/8/8/4K3", "w", "-", "-", "0", "1", "-o", &path("tree.svg")];
    assert!(called(0, &drawn).1.ends_with(": 1 node drawn\n"));
    let (games, book) = (path("games.pgn"), path("book.bin"));
    fs::write(&games, "1. e4 *\n").unwrap();
    assert_eq!(printed(&["book", "make", &book, &games]), "1 move of 1 position from 1 game\n");
    assert!(printed(&["book", "show", &book]).starts_with("1 move of 1 position\n"));
    let line = path("line.txt");
    fs::write(&line, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 0 | 0.5 | e2e4\n").unwrap();
    let packed = path("packed.zwd");
    let said = printed(&["data", "pack", &line, "--output", &packed]);
    assert!(said.ends_with(": 1 position\n"), "{said}");
    assert!(printed(&["data", "show", &packed]).contains("\n1 position, 0 games\n"));
    let report = path("report.html");
    printed(&["analyse", &games, "--nodes", "1", "--html", &report]);
    assert!(fs::read_to_string(&report).unwrap().contains(", 1 node for each position"));
    let hasty = printed(&["play", forced, "--white", "nodes:1", "--black", "random"]);
    assert!(hasty.contains("[White \"Zugwerk 1 node\"]"), "{hasty}");
    fs::write(path("points.epd"), format!("{forced} c0 \"Kxb7=1\";\n").replace(" 0 1 c0", " c0")).unwrap();
    let judged = printed(&["epd", &path("points.epd"), "--depth", "1"]);
    assert!(judged.contains(", 1 of 1 point (100.0 %)"), "{judged}");
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

#[test]
fn missing_tables_are_reported() {
    let fen = "8/8/8/8/3pP3/8/8/k1K5 b - e3 0 1";
    let nowhere = ["syzygy", "--syzygy", "/nonexistent", fen];
    assert!(refused(&nowhere).contains("/nonexistent: No such file"));
    let empty = tempfile::tempdir().unwrap();
    let empty = empty.path().display().to_string();
    assert!(refused(&["syzygy", "--syzygy", &empty, "--fen", fen]).contains("no Syzygy tables in "));
}

#[test]
#[ignore = "needs ZUGWERK_SYZYGY, all Syzygy tables of three and four pieces"]
fn with_tables_every_move_has_a_result() {
    let fen = "8/8/8/8/3pP3/8/8/k1K5 b - e3 0 1";
    let tables = std::env::var("ZUGWERK_SYZYGY").expect("ZUGWERK_SYZYGY names a folder");
    let text = printed(&["syzygy", "--syzygy", &tables, "--fen", fen]);
    let first: Vec<&str> = text.lines().nth(3).unwrap().split_whitespace().collect();
    assert_eq!(first, ["dxe3", "draw", "0"], "{text}");
    called(1, &["syzygy", "--syzygy", &tables, "--fen", "8/4k3/8/pp6/8/PP6/4K3/8 w - - 0 1"]);
}

/// Text files of Windows begin with a byte-order mark; old ones are in Latin-1.
#[test]
fn text_files_of_any_origin_are_read() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name).display().to_string();
        fs::write(&path, bytes).unwrap();
        path
    };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -";
    let other = "4k3/8/8/8/8/8/8/QQ2K3 w - - bm Qa8;";
    let marked = file("marked.epd", format!("\u{feff}{other}\r\n{start} bm e4;\r\n").as_bytes());
    let mut latin = format!("{other} id \"Gr").into_bytes();
    latin.extend([0xfc, b'n', b'f', b'"', b';', b'\n']);
    latin.extend(start.as_bytes());
    let latin = file("latin.epd", &latin);
    let (solved, said) = called(0, &["epd", &marked, "--nodes", "100"]);
    assert!(solved.contains(" of 2 solved") && said.is_empty(), "{solved}{said}");
    let told = printed(&["epd", &latin, "--nodes", "100", "--json"]);
    assert!(told.contains("Gr\u{fc}nf"), "{told}");
    for openings in [&marked, &latin] {
        let generated = printed(&[&format!("genfens 1 seed 1 book {openings}"), "quit"]);
        assert!(generated.contains("info string genfens "), "{generated}");
    }
    let suite = file("suite.epd", format!("\u{feff}{start} 0 1 ;D1 20\n").as_bytes());
    assert!(printed(&["perft", &suite]).contains("1 position, "));
    let line = "\u{feff}4k3/8/8/8/8/8/8/4K3 w - - 0 1 | 0 | 0.5 | e1e2\n";
    let lines = file("lines.txt", line.repeat(2).as_bytes());
    printed(&["data", "pack", &lines, "--output", &folder.path().join("packed.zwd").display().to_string()]);
}

/// Numbers that are infinite or not numbers.
#[test]
fn rates_are_finite() {
    let folder = tempfile::tempdir().unwrap();
    let data = training_data(folder.path());
    for number in ["inf", "nan"] {
        for args in [&["spsa", "--rate"][..], &["tune", &data, "--rate"], &["tune", &data, "--scale"]] {
            assert!(refused(&[args, &[number]].concat()).contains("expected"), "{args:?}");
        }
    }
}

#[test]
fn a_fit_that_diverges_writes_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let data = training_data(folder.path());
    let weights = folder.path().join("weights.rs").display().to_string();
    let held_out = validation_data(folder.path());
    let flags = ["--validation", &held_out, "--first-ply", "0", "--rate", "3e38", "-o", &weights];
    let (_, said) = called(2, &[&["tune", &data], &flags[..]].concat());
    assert!(said.lines().count() == 1 && said.contains("not a number any more"), "{said}");
    assert!(!Path::new(&weights).exists());
}

/// Standard output has the file alone; the rest is on standard error.
#[test]
fn a_file_on_standard_output_is_alone_there() {
    let folder = tempfile::tempdir().unwrap();
    let data = training_data(folder.path());
    let held_out = validation_data(folder.path());
    let flags = ["--validation", &held_out, "--first-ply", "0", "--epochs", "0", "-o", "-"];
    let plain = printed(&[&["tune", &data], &flags[..]].concat());
    let (json, told) = called(0, &[&["tune", &data], &flags[..], &["--json"]].concat());
    assert_eq!(json, plain);
    assert!(told.contains("\"best_validation_loss\":"), "{told}");
}

/// `-` is never the name of a file: what cannot be a stream refuses it.
#[test]
fn what_cannot_be_a_stream_refuses_standard_output() {
    let folder = tempfile::tempdir().unwrap();
    let data = training_data(folder.path());
    let players = ["--engine", "self", "--engine", "self", "--each", "nodes=1", "--games", "2"];
    let programs = ["play", "--white", "greedy", "--black", "random"];
    for args in [
        &[&["match"], &players[..], &["--pgn", "-"]].concat()[..],
        &[&["match"], &players[..], &["--log", "-"]].concat()[..],
        &["match", "--soak", "short", "--pgn", "-"],
        &["match", "--soak", "short", "--log", "-"],
        &["datagen", "-", "--positions", "1", "--nodes", "1"],
        &["train", &data, "--validation", &data, "--output", "-"],
        &["spsa", "--state", "-"],
        &[&programs[..], &["--pgn", "-"]].concat()[..],
    ] {
        let said = refusal(command(args).current_dir(folder.path()));
        assert!(said.contains("not standard output"), "{args:?}: {said}");
        let left = fs::read_dir(folder.path()).unwrap().count();
        assert_eq!(left, 1, "{args:?}: only the data");
    }
}

/// If this were found at the end of the work, the result would be lost.
#[test]
fn a_folder_is_no_output() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name).display().to_string();
    fs::write(path("games.pgn"), "1. e4 1-0\n").unwrap();
    for output in [path("."), path("new/")] {
        for more in [&[][..], &["--force"]] {
            let said = refused(&[&["book", "make", &output, &path("games.pgn")], more].concat());
            assert!(said.contains("expected a file, got a folder"), "{said}");
        }
    }
    let said = refused(&["book", "make", &path("games.pgn/book.bin"), &path("games.pgn")]);
    assert!(said.contains("book.bin: not a directory") && !said.contains(".part"), "{said}");
}

#[cfg(unix)]
#[test]
fn a_link_that_leads_nowhere_is_named_as_such() {
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link.svg");
    std::os::unix::fs::symlink("nowhere", &link).unwrap();
    let args = ["tree", "--depth", "1", "-o", link.to_str().unwrap(), "--force"];
    assert!(refused(&args).contains("got a link that leads nowhere"));
}

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
