//! Tests of the teaching tools from outside: study, tree, analyse, play and epd, with good and bad input.

use std::{
    fs,
    io::{BufRead as _, BufReader, Read as _, Write as _},
    path::{Path, PathBuf},
    process::{Child, Command, Output, Stdio},
};

use crate::calls::{called, json, printed, refused};

const MIDDLEGAME: &str = "r1bqrnk1/pp2bppp/2p2n2/3p2B1/3P4/2NBPN2/PPQ2PPP/R4RK1 w - - 7 11";
const PAWNS: &str = "7k/7P/7P/8/8/p7/8/7K b - - 0 1";

/// Starts the program with pipes for its input and output.
fn start(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_zugwerk"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn zugwerk(args: &[&str], input: &str) -> Output {
    let mut child = start(args);
    // The program may end without reading all of it.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    child.wait_with_output().unwrap()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// Returns the path of a file that does not exist.
fn fresh(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = fs::remove_file(&path);
    path
}

/// Returns a separate file for each test.
fn file(name: &str, content: &[u8]) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&path, content).unwrap();
    path
}

/// The subcommands that the help of `tool` lists.
fn listed(tool: &[&str]) -> Vec<String> {
    let help = printed(&[&["help"], tool].concat());
    let list = help.split_once("\nCommands:\n").map_or("", |(_, rest)| rest);
    let list = list.lines().take_while(|line| !line.is_empty());
    let names = list.filter_map(|line| line.strip_prefix("  ")?.split_once(' ')).map(|(name, _)| name);
    names.filter(|&name| !name.is_empty() && name != "help").map(str::to_owned).collect()
}

#[test]
fn every_tool_explains_itself_with_an_example() {
    let tools = listed(&[]);
    assert!(tools.len() >= 20, "{tools:?}");
    for tool in &tools {
        explains_itself(&[tool]);
        listed(&[tool]).iter().for_each(|part| explains_itself(&[tool, part]));
    }
}

fn explains_itself(tool: &[&str]) {
    let help = printed(&[&["help"], tool].concat());
    let (_, examples) =
        help.split_once("\nExample").unwrap_or_else(|| panic!("{tool:?} has no example:\n{help}"));
    assert!(examples.contains(&format!("zugwerk {}", tool.join(" "))), "{tool:?}:\n{help}");
    assert!(help.contains("\nExit codes: 0 "), "{tool:?}:\n{help}");
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
fn all_suites_are_read_before_the_first_is_searched() {
    let suite = file("suite-before.epd", format!("{MIDDLEGAME} bm a3;\n").repeat(3).as_bytes());
    let empty = file("empty-suite.epd", b"");
    for wrong in [empty.to_str().unwrap(), "/nowhere/suite.epd"] {
        let error = refused(&["epd", suite.to_str().unwrap(), wrong, "--nodes", "20000"]);
        assert!(error.contains(wrong), "{error}");
    }
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

#[test]
fn techniques_can_be_switched_off_in_bench_and_tree() {
    for tool in [&["bench", "4"][..], &["tree", "--algorithm", "search", "--depth", "4"]] {
        let less = [tool, &["--without=quiescence"]].concat();
        // The last line of a benchmark has the speed.
        let lines = |text: String| text.lines().map(str::to_owned).collect::<Vec<_>>();
        let told = |args| {
            lines(printed(args)).into_iter().filter(|line| !line.ends_with(" nps")).collect::<Vec<_>>()
        };
        assert_ne!(told(tool), told(&less), "{tool:?}");
        let error = refused(&[tool, &["--without", "nul_move"]].concat());
        assert!(error.contains("similar value exists: 'null_move'"), "{error}");
    }
}

#[test]
fn counters_may_be_as_large_as_a_fen_can_have_them() {
    let fen = "7k/8/8/8/8/8/P7/R6K w - - 4294967295 4294967295";
    for tool in [&["study", "--depth", "2"][..], &["eval"], &["analyse", "--depth", "2"]] {
        printed(&[tool, &["--fen", fen]].concat());
    }
}

#[test]
fn trees_are_drawn_in_three_formats() {
    let minimax = printed(&["tree", "--fen", PAWNS, "--algorithm", "minimax"]);
    assert!(minimax.starts_with("<svg") && minimax.trim_end().ends_with("</svg>"));
    assert_eq!(minimax.matches(">?<").count(), 0, "minimax prunes nothing");
    let pruning = printed(&["tree", "--fen", PAWNS, "--algorithm", "alpha-beta"]);
    assert!(pruning.matches(">?<").count() > 1, "more than the legend's");
    for (algorithm, ending, sign) in
        [("memo", "dot", "digraph"), ("prototype", "html", "<!DOCTYPE html>"), ("search", "svg", "<svg")]
    {
        let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("tree-{algorithm}.{ending}"));
        printed(&["tree", "--fen", PAWNS, "--algorithm", algorithm, "--force", "-o", path.to_str().unwrap()]);
        let text = fs::read_to_string(path).unwrap();
        assert!(text.starts_with(sign), "{algorithm}");
        assert!(
            !text.contains("http://")
                || text.matches("http").count() == text.matches("http://www.w3.org").count()
        );
    }
    let search =
        printed(&["tree", "--fen", MIDDLEGAME, "--depth", "6", "--algorithm", "search", "--limit", "3000"]);
    for sign in ["↓1", "↻", ">table<", ">cut-off<", "The root's windows: ("] {
        assert!(search.contains(sign), "{sign}");
    }
    let deeper = ["tree", "--fen", MIDDLEGAME, "--depth", "2", "--algorithm", "search", "--quiescence"];
    assert!(printed(&deeper).len() > printed(&deeper[..7]).len());
    let (svg, told) = called(0, &["tree", "--fen", MIDDLEGAME, "--limit", "50"]);
    assert!(told.starts_with("Only the "), "{told}");
    let tree = svg.split("<g transform=\"translate(292 ").nth(1);
    assert!(tree.expect("the tree stands beside the board").matches("<rect").count() < 120);
    let (_, told) = called(0, &["tree", "--fen", PAWNS, "--depth", "1", "--limit", "1"]);
    assert!(told.starts_with("Only the 1 node that fits is drawn; "), "{told}");
}

/// Readable at the width of a page, and as wide as what is drawn.
#[test]
fn trees_fit_a_page() {
    let deep = "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1";
    for (fen, depth, algorithm) in [
        (PAWNS, "3", "minimax"),
        (PAWNS, "3", "search"),
        (deep, "9", "search"),
        (MIDDLEGAME, "4", "memo"),
        (PAWNS, "1", "alpha-beta"),
    ] {
        let svg =
            printed(&["tree", "--fen", fen, "--depth", depth, "--algorithm", algorithm, "--limit", "60"]);
        let number = |text: &str| text.split('"').next().unwrap().parse::<f64>().unwrap();
        let width = number(svg.split(" width=\"").nth(1).unwrap());
        assert!(width <= 960.0, "{algorithm}: {width}");
        let tree =
            svg.split("<g transform=\"translate(292 ").nth(1).expect("the tree stands beside the board");
        let boxes = tree.split("<rect x=\"").skip(1).map(|rest| {
            let wide = rest.split(" width=\"").nth(1).map_or(0.0, number);
            292.0 + number(rest) + wide
        });
        let right = boxes.fold(0.0, f64::max);
        assert!(
            right < width && right + 160.0 > width.min(960.0) || depth == "1",
            "{algorithm}: {right} of {width}"
        );
        assert!(svg.contains("class=\"edge\""), "the position at the root is drawn");
    }
}

#[test]
fn analyse_scores_every_move() {
    let mate = "3k4/6R1/8/4R3/8/8/8/7K w - - 0 1";
    let json = json(&["analyse", "--fen", mate, "--depth", "5", "--json"]);
    let moves = json["moves"].as_array().unwrap();
    assert_eq!(moves.len(), 31);
    assert_eq!(moves.iter().filter(|m| m["mate"] == 2).count(), 15);
    let white = printed(&["analyse", "--fen", "4k3/8/8/8/8/8/8/Q3K3 b - - 0 1", "--depth", "2"]);
    assert!(white.lines().nth(4).unwrap().contains('+'), "{white}");
    assert!(printed(&["analyse", "--fen", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"]).contains("Checkmate."));
}

/// A search that ends in the middle of an iteration.
#[test]
fn values_that_no_search_has_found_are_marked() {
    let analysed = |args: &[&str]| -> (Vec<String>, serde_json::Value) {
        let json = json(&[&["analyse", MIDDLEGAME, "--json"], args].concat());
        let moves = json["moves"].as_array().unwrap();
        for one in moves {
            assert_eq!(one["bound"] == "none", one["cp"].is_null() && one["wdl"].is_null(), "{one}");
            assert_eq!(one["bound"] == "none", one["depth"] == 0, "{one}");
        }
        (moves.iter().map(|one| one["bound"].as_str().unwrap().to_owned()).collect(), json)
    };
    let (bounds, json) = analysed(&["--depth", "1"]);
    assert!(json["complete"] == true && bounds.iter().all(|bound| bound == "exact"), "{json}");
    let (bounds, json) = analysed(&["--nodes", "1"]);
    assert!(json["complete"] == false && bounds.iter().all(|bound| bound == "none"), "{json}");
    let (bounds, json) = analysed(&["--nodes", "60"]);
    assert!(bounds[0] == "exact" && bounds[47] == "none" && json["complete"] == false, "{json}");
    let text = printed(&["analyse", MIDDLEGAME, "--nodes", "60"]);
    let last: Vec<_> = text.lines().last().unwrap().split_whitespace().collect();
    assert_eq!(last, [last[0], "?", "0", "11.", last[0]], "{text}");
    // The black side of the same game, whose lower bounds are upper ones for White.
    let fen = "r4rk1/ppq2ppp/2nbpn2/3p4/3P2b1/2P2N2/PP2BPPP/R1BQRNK1 b - - 7 11";
    let signs = |sign| {
        let told = |nodes| printed(&["analyse", fen, "--nodes", nodes]).matches(sign).count();
        ["3000", "7000", "9000"].map(told).iter().sum::<usize>()
    };
    assert!(signs("≥ ") > 0 && signs("≤ ") == 0, "{} {}", signs("≥ "), signs("≤ "));
}

#[test]
fn castling_in_json_is_unambiguous() {
    let castles = |fen: &str| {
        let json = json(&["analyse", "--fen", fen, "--depth", "1", "--json"]);
        let moves = json["moves"].as_array().unwrap();
        let castles = moves.iter().find(|m| m["san"].as_str().unwrap().starts_with("O-O")).unwrap();
        (json["chess960"].as_bool().unwrap(), castles["uci"].as_str().unwrap().to_owned())
    };
    assert_eq!(castles("4k3/8/8/8/8/8/8/4K2R w K - 0 1"), (false, "e1g1".into()));
    // The king can also move to g1.
    assert_eq!(castles("4k3/8/8/8/8/8/8/5K1R w K - 0 1"), (true, "f1h1".into()));
}

#[test]
fn games_are_annotated_and_broken_ones_kept() {
    let pgn = "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 {hm} Qh4# 0-1\n\n\
               [White \"broken\"]\n\n1. e4 e5 2. Ke4 *\n\n\
               [White \"C\"]\n[FEN \"4k3/8/8/8/8/8/8/Q3K3 b - - 0 1\"]\n[SetUp \"1\"]\n\n1... Kd7 2. Qa7+ *\n";
    let games = file("games.pgn", pgn.as_bytes());
    let (annotated, report) = (fresh("annotated.pgn"), fresh("report.html"));
    let analyse = ["analyse", "--depth", "5", games.to_str().unwrap()];
    let to = ["-o", annotated.to_str().unwrap(), "--html", report.to_str().unwrap()];
    let (_, said) = called(0, &[&analyse[..], &to].concat());
    assert!(said.contains("game 2: move 2, Ke4"), "{said}");
    let text = fs::read_to_string(annotated).unwrap();
    let movetext = text.replace('\n', " ");
    assert!(
        movetext
            .contains("2. g4 $4 {[%eval #-1] #-1/1 Zugwerk: blunder, allows mate in 1. hm} ( {Zugwerk} 2. "),
        "{text}"
    );
    assert!(movetext.contains("2... Qh4# 0-1"), "{text}");
    assert_eq!(text.matches("[Result ").count(), 2);
    assert!(text.contains("\n\n[White \"broken\"]\n\n1. e4 e5 2. Ke4 *\n\n[Event "), "{text}");
    assert!(said.contains("\ngame 3: C: accuracy "), "the file's numbers: {said}");
    let again = zugwerk::game::read_games(text.as_bytes()).unwrap();
    let lengths = again.iter().map(|game| game.as_ref().map(|game| game.moves().len()).ok());
    assert_eq!(lengths.collect::<Vec<_>>(), [Some(4), None, Some(2)]);
    let html = fs::read_to_string(report).unwrap();
    assert!(
        html.contains("class=\"board\"")
            && html.contains("class=\"chart\"")
            && html.contains("g4<span class=\"ours\">??")
    );
}

/// A name in a game must not command the terminal.
#[test]
fn messages_about_games_have_no_control_characters() {
    let games = "[White \"A\u{1b}[31mB\"]\n\n1. e4 e5 *\n\n1. e4 \u{1b}[31mKe7 *\n";
    let games = file("escapes.pgn", games.as_bytes());
    let (_, said) = called(0, &["analyse", games.to_str().unwrap(), "--nodes", "100", "--json"]);
    assert!(said.contains("A [31mB: accuracy") && said.contains("[31mKe7"), "{said:?}");
    assert!(!said.contains(|c: char| c.is_control() && c != '\n'), "{said:?}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_analysis_ends_in_good_order() {
    let annotated = fresh("interrupted-out.pgn");
    let told = interrupt_analysis(&annotated, &[]);
    assert!(!told.contains("interrupted-out"), "{told}");
    check_part(&annotated);
}

/// The end of the reader of the page does not end the analysis, of which the games are written too.
#[test]
fn an_output_that_nobody_reads_ends_no_other() {
    let games = file("two-outputs.pgn", b"[White \"A\"]\n\n1. e4 *\n\n[White \"B\"]\n\n1. d4 *\n");
    let old = file("two-outputs-out.pgn", b"old");
    let (games, output) = (games.to_str().unwrap(), old.to_str().unwrap());
    let mut child = start(&["analyse", games, "--nodes", "100", "-o", output, "--force", "--html", "-"]);
    drop(child.stdout.take());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(0), "{ended:?}");
    let written = fs::read_to_string(&old).unwrap();
    assert_eq!(written.matches("[%eval").count(), 2, "{written}");
}

/// The file with what was written of `output`, an output that was not completed, and nothing else: `told` names it.
fn part(output: &Path, told: &str) -> PathBuf {
    let words = format!("{} is as it was, and ", output.display());
    let (_, rest) = told.split_once(&words).unwrap_or_else(|| panic!("{told}"));
    PathBuf::from(rest.split_once(" has what was written\n").unwrap().0)
}

/// A page that cannot be written ends the analysis, and what it would replace stays. The games so far are in a folder beside
/// it. The limit of 40 KiB for a file is reached in the second game of the page.
#[cfg(target_os = "linux")]
#[test]
fn what_was_written_before_an_error_is_kept() {
    let games = ["1. e4 *\n\n", include_str!("../../docs/opera.pgn")].concat();
    let games = file("full.pgn", games.as_bytes());
    let (old, page) = (file("full-out.pgn", b"old"), file("full-page.html", b"old"));
    let ended = Command::new("bash")
        .args(["-c", "trap '' XFSZ; ulimit -f 40; exec \"$@\"", "bash", env!("CARGO_BIN_EXE_zugwerk")])
        .args(["analyse", "--nodes", "100", "--force", games.to_str().unwrap()])
        .args(["-o", old.to_str().unwrap(), "--html", page.to_str().unwrap()])
        .output()
        .unwrap();
    assert_eq!(ended.status.code(), Some(2), "{ended:?}");
    let error = stderr(&ended);
    assert!(error.lines().last().unwrap().starts_with("zugwerk: cannot write "), "{error}");
    assert!(fs::read(&old).unwrap() == b"old" && fs::read(&page).unwrap() == b"old", "{error}");
    let written = fs::read_to_string(part(&old, &error)).unwrap();
    assert_eq!(written.matches("[WhiteACPL ").count(), 2, "{written}");
    assert!(fs::read_to_string(part(&page, &error)).unwrap().contains("</section>"), "{error}");
    // Nothing is written of the games if the page cannot begin.
    let args = ["analyse", games.to_str().unwrap(), "--force", "-o", old.to_str().unwrap()];
    let (_, error) = called(2, &[&args[..], &["--html", "/dev/full"]].concat());
    assert!(fs::read(&old).unwrap() == b"old" && !error.contains("has what was written"), "{error}");
}

/// What an interrupted analysis would replace stays; the part is beside it.
#[cfg(unix)]
#[test]
fn an_interrupted_analysis_replaces_nothing() {
    let old = file("whole-out.pgn", b"old");
    let told = interrupt_analysis(&old, &["--force"]);
    check_part(&part(&old, &told));
    assert_eq!(fs::read(&old).unwrap(), b"old");
}

/// Interrupts an analysis of three games with `output` and `more` flags in the second one; returns what it says. The
/// current game is finished quickly, later ones are kept unchanged, and the page is complete.
#[cfg(unix)]
fn interrupt_analysis(output: &Path, more: &[&str]) -> String {
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 Nf6 5. O-O Be7 6. Re1 b5 7. Bb3 d6 1-0";
    let game = |name: &str| format!("[White \"{name}\"]\n\n{moves}\n\n");
    let name = output.file_stem().unwrap().display();
    let games = file(&format!("{name}-in.pgn"), [game("A"), game("B"), game("C")].concat().as_bytes());
    let page = fresh(&format!("{name}.html"));
    let mut child = Command::new(env!("CARGO_BIN_EXE_zugwerk"))
        .args(["analyse", "--movetime", "150", "--hash", "1", games.to_str().unwrap()])
        .args(["-o", output.to_str().unwrap(), "--html", page.to_str().unwrap()])
        .args(more)
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    while !fs::read_to_string(&page).unwrap_or_default().contains("</section>") {
        assert!(child.try_wait().unwrap().is_none(), "it goes on until it is interrupted");
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    // By then the second game, of 15 positions, has begun but not ended.
    std::thread::sleep(std::time::Duration::from_millis(300));
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    let ended = child.wait_with_output().unwrap();
    assert_eq!(ended.status.code(), Some(130));
    let page = fs::read_to_string(&page).unwrap();
    assert_eq!(page.matches("<section ").count(), 2);
    assert!(page.starts_with("<!DOCTYPE html>") && page.contains("The analysis was interrupted: "));
    stderr(&ended)
}

/// Checks that of the three games in the file at `path` the last is not analysed.
#[cfg(unix)]
fn check_part(path: &Path) {
    let text = fs::read_to_string(path).unwrap();
    let evaluated: Vec<bool> = text.split("[White ").skip(1).map(|game| game.contains("[%eval")).collect();
    assert_eq!(evaluated, [true, true, false], "{text}");
}

#[test]
fn a_person_can_play_and_leave() {
    let path = fresh("played.pgn");
    let args = ["play", "--plain", "--level", "1", "--pgn", path.to_str().unwrap()];
    let output = zugwerk(&args, "e2e4\nnonsense\nKe3\nundo\nundo\nd4\nfen\npgn\n");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("`nonsense` is neither a legal move nor a command"), "{text}");
    assert!(text.contains("You have no move to take back."), "{text}");
    let game = fs::read_to_string(&path).unwrap();
    assert!(game.contains("\n1. d4 ") && game.trim_end().ends_with('*'), "{game}");

    let output = zugwerk(&["play", "--plain", "--level", "1500"], "e4\nquit\n");
    assert!(stdout(&output).starts_with("Human - Zugwerk 1500."), "{}", stdout(&output));

    let output = zugwerk(&args, "e4\nresign\n");
    assert!(stdout(&output).contains("0-1 (resignation)"));
    let games = zugwerk::game::read_games(fs::File::open(&path).unwrap()).unwrap();
    assert_eq!(games.len(), 2, "the second game was appended");
}

#[test]
fn a_game_of_chess960_says_so() {
    let fen = "1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w KQkq - 0 1";
    for (players, input) in
        [(&["--level", "1"][..], "O-O\n"), (&["--white", "random", "--black", "random"], "")]
    {
        let text = stdout(&zugwerk(&[&["play", "--plain", "--seed", "1", fen], players].concat(), input));
        assert_eq!(text.matches("[Variant \"Chess960\"]").count(), 1, "{text}");
    }
    let text = stdout(&zugwerk(&["play", "--plain", "--level", "1"], "e4\n"));
    assert!(text.contains("[Event ") && !text.contains("[Variant "), "{text}");
}

#[test]
fn a_game_is_appended_after_an_empty_line() {
    for (earlier, between) in [
        ("", ""),
        ("1. d4 d5 1-0", "\n\n"),
        ("1. d4 d5 1-0\n", "\n"),
        ("1. d4 d5 1-0\r\n", "\n"),
        ("1. d4 d5 1-0\n\n", ""),
        ("1. d4 d5 1-0\r\n\r\n", ""),
    ] {
        let path = file("appended.pgn", earlier.as_bytes());
        let args = ["play", "--plain", "--level", "1", "--pgn", path.to_str().unwrap()];
        assert_eq!(zugwerk(&args, "e4\nresign\n").status.code(), Some(0));
        let text = fs::read_to_string(&path).unwrap();
        assert!(text.starts_with(&format!("{earlier}{between}[Event ")), "{earlier:?}: {text}");
    }
}

/// Plays until the program has answered 1. e4, and closes its output.
fn begun_without_reader(pgn: &Path) -> Child {
    let mut child = Command::new(env!("CARGO_BIN_EXE_zugwerk"))
        .args(["play", "--plain", "--level", "1", "--pgn", pgn.to_str().unwrap()])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    child.stdin.as_mut().unwrap().write_all(b"e4\n").unwrap();
    let lines = BufReader::new(child.stdout.take().unwrap()).lines();
    assert!(lines.map(Result::unwrap).any(|line| line.starts_with("1... ")), "it answers");
    child
}

#[test]
fn a_game_is_saved_when_nobody_reads() {
    let path = fresh("unread.pgn");
    let mut child = begun_without_reader(&path);
    child.stdin.as_mut().unwrap().write_all(b"d4\nNf3\n").unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let game = fs::read_to_string(&path).unwrap();
    assert!(game.contains("\n1. e4 ") && game.trim_end().ends_with('*'), "{game}");
    assert_eq!(game.matches("[Event ").count(), 1, "{game}");
}

#[cfg(unix)]
#[test]
fn ctrl_c_saves_a_game_when_nobody_reads() {
    let path = fresh("unread-interrupted.pgn");
    let mut child = begun_without_reader(&path);
    // The prompt after the board is written by then, or its error ends the game.
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    assert_eq!(child.wait().unwrap().code(), Some(0));
    let game = fs::read_to_string(&path).unwrap();
    assert!(game.contains("\n1. e4 ") && game.trim_end().ends_with('*'), "{game}");
    assert_eq!(game.matches("[Event ").count(), 1, "{game}");
}

/// Every write to `/dev/full` fails, but it can be opened.
#[cfg(target_os = "linux")]
#[test]
fn a_game_that_cannot_be_saved_is_printed() {
    let ends_with_the_game = |output: &Output| {
        assert_eq!(output.status.code(), Some(2), "{output:?}");
        let (text, error) = (stdout(output), stderr(output));
        assert!(text.contains("\n[Event ") && text.contains("\n1. e4 ") && text.ends_with(" *\n"), "{text}");
        assert!(!text.contains("The game is in"), "{text}");
        assert!(
            error.starts_with("zugwerk: cannot write /dev/full: ") && error.lines().count() == 1,
            "{error}"
        );
    };
    let args = ["play", "--plain", "--level", "1", "--pgn", "/dev/full"];
    ends_with_the_game(&zugwerk(&args, "e4\nquit\n"));
    let mut child = start(&args);
    child.stdin.as_mut().unwrap().write_all(b"e4\n").unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    let mut text = String::new();
    while !text.contains("\n1... ") {
        assert_ne!(output.read_line(&mut text).unwrap(), 0, "it answers");
    }
    let sent = Command::new("kill").args(["-INT", &child.id().to_string()]).status();
    assert!(sent.unwrap().success());
    // The input stays open until the program has ended.
    let input = child.stdin.take();
    output.read_to_string(&mut text).unwrap();
    let ended = child.wait_with_output().unwrap();
    drop(input);
    ends_with_the_game(&Output { stdout: text.into_bytes(), ..ended });
}

/// The match ends with the game, and its result is told.
#[cfg(target_os = "linux")]
#[test]
fn a_game_between_programs_that_cannot_be_saved_is_printed() {
    let args = ["play", "startpos", "--white", "greedy", "--black", "random", "--games", "3", "--seed", "1"];
    let run = |more: &[&str]| called(2, &[&args[..], &["--pgn", "/dev/full"], more].concat());
    let complaint = "zugwerk: cannot write /dev/full: ";
    let (text, error) = run(&[]);
    assert!(text.matches("[Event ").count() == 1 && text.contains("\n1. "), "{text}");
    assert!(text.trim_end().lines().last().unwrap().starts_with("greedy against random: "), "{text}");
    assert!(text.contains(" of 1 ("), "{text}");
    assert!(error.starts_with(complaint) && error.lines().count() == 1, "{error}");
    let (text, error) = run(&["--json"]);
    let json: serde_json::Value = serde_json::from_str(&text).unwrap();
    assert!(json["games"] == 1 && json["complete"] == false, "{json}");
    assert!(error.starts_with("[Event ") && error.contains("\n1. "), "{error}");
    assert!(error.lines().last().unwrap().starts_with(complaint), "{error}");
}

#[test]
fn resigning_against_a_bare_king_is_a_draw() {
    let args = ["play", "4k3/8/8/8/8/8/8/R3K2Q w - - 0 1", "--plain", "--level", "1"];
    let text = stdout(&zugwerk(&args, "resign\n"));
    assert!(text.contains("1/2-1/2 (resignation, but the opponent cannot mate)"), "{text}");
    let tags = ["[Result \"1/2-1/2\"]", "[Termination \"resignation\"]"];
    assert!(tags.iter().all(|tag| text.contains(tag)), "{text}");
}

/// The limit on the size of files stands for a full disk: both let a write end in the middle of a game.
#[cfg(unix)]
#[test]
fn a_game_that_does_not_fit_in_the_file_is_not_begun() {
    let path = fresh("full.pgn");
    let script = "trap '' XFSZ; ulimit -f 12; exec \"$0\" \"$@\"";
    let mut command = Command::new("sh");
    command.args([
        "-c",
        script,
        env!("CARGO_BIN_EXE_zugwerk"),
        "play",
        "--white",
        "random",
        "--black",
        "random",
    ]);
    let output = command.args(["--games", "50", "--seed", "1", "--pgn"]).arg(&path).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "{output:?}");
    let games = fs::read_to_string(&path).unwrap();
    assert!(games.contains("[Event ") && games.ends_with("\n\n"), "{games}");
    let mut last = games.trim_end().rsplit(' ').next().unwrap().rsplit('\n');
    assert!(["1-0", "0-1", "1/2-1/2"].contains(&last.next().unwrap()), "{games}");
}

#[test]
fn a_person_is_understood_and_can_begin_again() {
    let path = fresh("again.pgn");
    let args = ["play", "--plain", "--level", "1", "--seed", "1", "--pgn", path.to_str().unwrap()];
    let output = zugwerk(&args, "nf3\nTakeBack\n1. c4\nflip\nnew\n E2-E4 \nN f3\nquit\n");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    assert!(text.contains("    h  g  f  e  d  c  b  a \n"), "{text}");
    let games = fs::read_to_string(&path).unwrap();
    assert!(
        games.contains("\n1. c4 ") && games.contains("\n1. e4 ") && games.contains(" 2. Nf3 "),
        "{games}"
    );
    assert!(!games.contains("????"), "the date is known: {games}");
}

/// The program's answer shows the board, so the person's move does not.
#[test]
fn a_board_is_shown_once_a_move() {
    let boards = |input: &str| {
        let args = ["play", "--plain", "--level", "1", "--seed", "1"];
        stdout(&zugwerk(&args, input)).matches("    a  b  c  d  e  f  g  h \n").count()
    };
    assert_eq!(["", "e4\n", "e4\nd4\n", "e4\nnonsense\n", "e4\nfen\nboard\n"].map(boards), [1, 2, 3, 2, 3]);
}

/// The board, the game and its FEN can still be seen, and another game can begin.
#[test]
fn the_prompt_stays_after_the_end_of_a_game() {
    let path = fresh("ended.pgn");
    let args = ["play", "--plain", "--white", "human", "--black", "human", "--pgn", path.to_str().unwrap()];
    let output = zugwerk(&args, "f3\ne5\ng4\nQh4\nundo\nfen\nnew\nd4\nresign\nresign\n");
    assert_eq!(output.status.code(), Some(0), "{}", stderr(&output));
    let text = stdout(&output);
    let (_, after) = text.split_once("0-1 (checkmate)\nThe game is in ").expect(&text);
    assert!(
        after.contains("new or quit> The game is over: `new` begins another, `quit` leaves.\n"),
        "{text}"
    );
    assert!(after.contains("new or quit> rnb1kbnr/"), "{text}");
    assert_eq!(text.matches("The game is in ").count(), 2, "{text}");
    let games = zugwerk::game::read_games(fs::File::open(&path).unwrap()).unwrap();
    let results: Vec<_> = games.into_iter().map(|game| game.unwrap().result).collect();
    assert_eq!(results, ["0-1", "1-0"]);
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

#[test]
fn programs_meet() {
    let text = printed(&[
        "play",
        "startpos",
        "--white",
        "prototype:2",
        "--black",
        "random",
        "--games",
        "4",
        "--seed",
        "3",
    ]);
    assert!(text.starts_with("prototype:2 against random: 4 of 4"), "{text}");
    let game = printed(&["play", "--white", "random", "--black", "minimax:1", "--seed", "3"]);
    assert!(game.contains("[White \"random\"]") && game.contains("[Termination "), "{game}");
    assert_eq!(game, printed(&["play", "--white", "random", "--black", "minimax:1", "--seed", "3"]));
    let limited = ["play", "--white", "elo:950", "--black", "greedy", "--seed", "5"];
    let game = printed(&limited);
    assert!(game.contains("[White \"Zugwerk 950\"]"), "{game}");
    assert_eq!(game, printed(&limited), "the same seed is the same game");
}

/// No game of a seed is a game of another one.
#[test]
fn seeds_have_no_game_in_common() {
    let games = |seed: u32| {
        let (pgn, seed) = (fresh("seeds.pgn"), seed.to_string());
        let players = ["play", "startpos", "--white", "random", "--black", "random", "--games", "3"];
        printed(&[&players[..], &["--seed", &seed, "--pgn", pgn.to_str().unwrap()]].concat());
        let games = zugwerk::game::read_games(fs::read(&pgn).unwrap().as_slice()).unwrap();
        games.into_iter().map(|game| format!("{:?}", game.unwrap().moves())).collect::<Vec<_>>()
    };
    let different: std::collections::HashSet<String> = (1..=5).flat_map(games).collect();
    assert_eq!(different.len(), 15);
}

/// Each game has an opening of its own, so no game is played twice, not even between equal players.
#[test]
fn games_between_programs_differ() {
    let pgn = file("different.pgn", b"");
    let players = ["--white", "minimax:1", "--black", "minimax:1", "--seed", "7"];
    let args = [&["play", "--games", "20", "--pgn", pgn.to_str().unwrap()], &players[..]].concat();
    assert!(printed(&args).starts_with("minimax:1 against minimax:1: "));
    let text = fs::read_to_string(&pgn).unwrap();
    let games = zugwerk::game::read_games(text.as_bytes()).unwrap();
    let games: Vec<_> = games.into_iter().map(|game| game.unwrap()).collect();
    let different: std::collections::HashSet<String> =
        games.iter().map(|game| format!("{} {:?}", game.start.fen(), game.moves())).collect();
    assert_eq!((games.len(), different.len()), (20, 20));
    assert!(text.contains("[Round \"20\"]"), "{text}");
    // A person plays one game.
    refused(&["play", "--games", "2"]);
}

/// Every opening is played with both colours in a row, and with equal players once. When games repeat that is told.
#[test]
fn openings_are_played_with_both_colours_before_games_repeat() {
    let played = |black: &str, games: &str, more: &[&str]| {
        let pgn = fresh("few.pgn");
        let players = ["play", "--white", "search:1", "--black", black, "--seed", "1"];
        let flags = ["--games", games, "--pgn", pgn.to_str().unwrap()];
        let (_, said) = called(0, &[&players[..], &flags, more].concat());
        let games = zugwerk::game::read_games(fs::read(&pgn).unwrap().as_slice()).unwrap();
        let starts: Vec<String> = games.into_iter().map(|game| game.unwrap().start.fen()).collect();
        (starts, said)
    };
    for (black, legs) in [("search:2", 2), ("search:1", 1)] {
        let (starts, told) = played(black, "4", &[]);
        let different: std::collections::HashSet<_> = starts.iter().collect();
        assert_eq!((different.len(), told.as_str()), (4 / legs, ""));
        assert!(starts.chunks(legs).all(|chunk| chunk[0] == chunk[legs - 1]), "{starts:?}");
        let (_, told) = played(black, "3", &["startpos"]);
        let after = format!("zugwerk: the games repeat after game {legs}: there is 1 opening");
        assert!(told.starts_with(&after), "{told}");
    }
}

#[test]
fn suites_are_run_and_judged() {
    let suite = file(
        "suite.epd",
        b"6k1/5ppp/8/8/8/8/8/R6K w - - bm Ra8#; dm 1; id \"back rank\";\n\
          4k3/8/8/8/8/8/8/4K3 w - - bm Qd4; id \"illegal\";\n\
          6k1/5ppp/8/8/8/8/8/R6K w - - am Ra8; id \"unsolvable\";\n\
          6k1/5ppp/8/8/8/8/8/R6K w - - id \"points\"; c0 \"Ra8=10, Kg1=3\";\n  # no record\n",
    );
    let path = suite.to_str().unwrap();
    let (told, said) = called(0, &["epd", path, "--depth", "4", "-v"]);
    assert!(told.contains("1 of 2 solved (50.0 %), 10 of 10 points (100.0 %), 1 skipped"), "{told}");
    assert!(said.contains("suite.epd:2: bm: Qd4 is not a legal move; skipped"), "{said}");
    called(1, &["epd", path, "--depth", "4", "--require", "2"]);
    let json = json(&["epd", path, "--nodes", "1000", "--json"]);
    assert_eq!(json[0]["solved"], 1);
    let line = "6k1/5ppp/8/8/8/8/8/R6K w - - c0 \"Ra8=4000000000\";\n".repeat(2);
    let much = file("points.epd", line.as_bytes());
    let told = printed(&["epd", much.to_str().unwrap(), "--depth", "2"]);
    assert!(told.contains(", 8000000000 of 8000000000 points (100.0 %)"), "{told}");
}

/// The output of an analysis never overwrites its input.
#[test]
fn the_input_is_never_written_over() {
    let text = b"[White \"A\"]\n\n1. e4 e5 *\n\n";
    let games = file("input.pgn", text);
    let games = games.to_str().unwrap();
    let indirect = games.replace("input.pgn", "./input.pgn");
    for (flag, output) in [("--output", games), ("--html", games), ("--output", &indirect)] {
        refused(&["analyse", games, flag, output, "--depth", "1", "--force"]);
        assert_eq!(fs::read(games).unwrap(), text, "{flag} {output}");
    }
    let kept = file("kept.pgn", b"kept");
    let kept_too = kept.to_str().unwrap();
    refused(&["analyse", games, "--force", "-o", kept_too, "--html", "/nowhere/x.html"]);
    assert_eq!(fs::read(&kept).unwrap(), b"kept", "not replaced where the report cannot be written");
    let new = fresh("not-made.pgn");
    refused(&["analyse", games, "-o", new.to_str().unwrap(), "--html", "/nowhere/x.html"]);
    assert!(!new.exists(), "no empty file is left");
    let both = games.replace("input.pgn", "both");
    refused(&["analyse", games, "-o", &both, "--html", &both, "--depth", "1"]);
}
