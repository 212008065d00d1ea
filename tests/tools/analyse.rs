//! Tests of `zugwerk analyse`.

use std::{
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

use crate::calls::{MIDDLEGAME, called, file, fresh, json, printed, refused, start, stderr};

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

#[test]
fn nobody_has_a_chance_to_win_a_known_draw() {
    // The pawn draws, if the black king keeps in front of it.
    let json = json(&["analyse", "8/8/4k3/8/4P3/4K3/8/8 b - - 0 1", "--depth", "2", "--json"]);
    assert_eq!(json["moves"][0]["wdl"], serde_json::json!([0, 1000, 0]), "{json}");
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
    // The black side of the same game: its upper bounds are lower ones for White. Only the move that a search
    // was about to prefer when it ended has the other bound.
    let fen = "r4rk1/ppq2ppp/2nbpn2/3p4/3P2b1/2P2N2/PP2BPPP/R1BQRNK1 b - - 7 11";
    let texts = ["6000", "10000", "12000"].map(|nodes| printed(&["analyse", fen, "--nodes", nodes]));
    assert!(texts.iter().any(|text| text.contains("≥ ")), "{texts:?}");
    assert!(texts.iter().all(|text| text.matches("≤ ").count() <= 1), "{texts:?}");
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
               [White \"broken\"]\n[Variant \"Atomic\"]\n\n1. e4 e5 2. Ke4 *\n\n\
               [White \"C\"]\n[FEN \"4k3/8/8/8/8/8/8/Q3K3 b - - 0 1\"]\n[SetUp \"1\"]\n\n1... Kd7 2. Qa7+ *\n";
    let games = file("games.pgn", pgn.as_bytes());
    let (annotated, report) = (fresh("annotated.pgn"), fresh("report.html"));
    let analyse = ["analyse", "--depth", "5", games.to_str().unwrap()];
    let to = ["-o", annotated.to_str().unwrap(), "--html", report.to_str().unwrap()];
    let (_, said) = called(0, &[&analyse[..], &to].concat());
    assert!(
        said.contains("game 2: expected chess or Chess960, got the variant \"Atomic\"; it is kept"),
        "{said}"
    );
    let text = fs::read_to_string(annotated).unwrap();
    let movetext = text.replace('\n', " ");
    assert!(
        movetext.contains(
            "2. g4 $4 {[%eval #-1] Zugwerk: blunder, allows mate in 1: 2... Qh4#. hm} ( {Zugwerk} 2. "
        ),
        "{text}"
    );
    assert!(movetext.contains("2... Qh4# 0-1"), "{text}");
    assert_eq!(text.matches("[Result ").count(), 2);
    assert!(
        text.contains("\n\n[White \"broken\"]\n[Variant \"Atomic\"]\n\n1. e4 e5 2. Ke4 *\n\n[Event "),
        "{text}"
    );
    assert!(said.contains("\ngame 3: C: accuracy "), "the file's numbers: {said}");
    let again = zugwerk::chess::pgn::read_games(text.as_bytes()).unwrap();
    let lengths = again.iter().map(|game| game.as_ref().map(|game| game.moves().len()).ok());
    assert_eq!(lengths.collect::<Vec<_>>(), [Some(4), None, Some(2)]);
    let html = fs::read_to_string(report).unwrap();
    assert!(html.contains("class=\"board\"") && html.contains(r#""fault":"blunder","sign":"??""#));
    assert!(html.contains("<p class=\"unread\">Not read: "), "the second game");
}

/// A `%` in the name of the page is the number of the game; a page that is there stays.
#[test]
fn every_game_can_have_a_page_of_its_own() {
    let folder = tempfile::tempdir().unwrap();
    let games = folder.path().join("games.pgn");
    fs::write(&games, "1. e4 e5 *\n\n1. d4 d5 *\n").unwrap();
    let pages = folder.path().join("game-%.html");
    let args = ["analyse", games.to_str().unwrap(), "--nodes", "100", "--html", pages.to_str().unwrap()];
    called(0, &args);
    for (number, m) in [(1, "e2e4e4"), (2, "d2d4d4")] {
        let page = fs::read_to_string(folder.path().join(format!("game-{number}.html"))).unwrap();
        assert!(page.matches("<section").count() == 1 && page.contains(&format!("[\"{m}\"")), "{page}");
    }
    let (_, error) = called(2, &args);
    assert!(error.contains("game-1.html exists: --force replaces it"), "{error}");
    assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 3);
}

/// A name is found in any spelling, and one that is in no game is refused before the work.
#[test]
fn a_player_has_a_page() {
    let games = file(
        "player.pgn",
        b"[White \"Ann\"]\n[Black \"Bob\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"Cid\"]\n[Black \"ann\"]\n\n1. e4 e5 *\n\n\
          [White \"Bob\"]\n[Black \"Cid\"]\n\n1. d4 *\n",
    );
    let page = |more: &[&str]| {
        let html = fresh("player.html");
        let args = ["analyse", games.to_str().unwrap(), "--nodes", "1000", "--html", html.to_str().unwrap()];
        let (_, said) = called(0, &[&args[..], more].concat());
        (fs::read_to_string(html).unwrap(), said)
    };
    let (ann, _) = page(&["--player", "ANN"]);
    assert!(ann.contains("data-player=\"Ann\"") && ann.matches("<tr data-game=").count() == 3);
    assert!(ann.contains("Games that stood won and were not won: "), "{ann}");
    let (nobody, _) = page(&[]);
    assert!(
        nobody.contains("id=\"overview\"") && !nobody.contains("data-player=\""),
        "nobody is in every game"
    );
    let args = ["analyse", games.to_str().unwrap(), "--nodes", "1000", "--player", "Eve", "--html"];
    let html = fresh("player-none.html");
    let (_, error) = called(2, &[&args[..], &[html.to_str().unwrap()]].concat());
    let expected = "expected with --player a player of the games, got \"Eve\"; there are \"Ann\" (2 games), \"Bob\" (2 games), \
                    \"Cid\" (2 games)";
    assert!(error.contains(expected) && !html.exists(), "{error}");
    let series = html.with_file_name("player-%.html");
    let args = ["analyse", games.to_str().unwrap(), "--player", "Ann", "--html", series.to_str().unwrap()];
    assert!(called(2, &args).1.contains("got --html with a %"));
}

/// Analysing several games at once changes nothing but the time. The names of unknown players are their
/// sides.
#[test]
fn games_of_several_files_are_analysed_at_once() {
    let one = file(
        "several-1.pgn",
        b"1. e4 e5 *\n\n1. f3 e5 2. g4 Qh4# 0-1\n\n[White \"?\"]\n[Black \"B\"]\n\n1. d4 Kd5 *\n",
    );
    let two = file("several-2.pgn", include_bytes!("../../docs/opera.pgn"));
    let atomic = file("several-3.pgn", b"[Variant \"Atomic\"]\n\n1. e4 *\n\n1. c4 c5 *\n");
    let run = |concurrency: &str, more: &[&str]| {
        let args = ["analyse", one.to_str().unwrap(), two.to_str().unwrap(), atomic.to_str().unwrap()];
        called(0, &[&args[..], &["--nodes", "500", "--concurrency", concurrency], more].concat())
    };
    let (games, said) = run("1", &[]);
    assert_eq!(games.matches("[%eval").count(), 2 + 3 + 1 + 32 + 2, "{games}");
    assert!(games.contains("[Variant \"Atomic\"]\n\n1. e4 *\n\n[Event "), "{games}");
    assert!(said.contains("several-3.pgn: game 1: expected chess"), "{said}");
    assert!(said.contains("several-1.pgn: game 3: cut at move 1: illegal Kd5"), "{said}");
    assert!(said.contains("game 1: White: accuracy ") && said.contains("game 6: White: accuracy "), "{said}");
    assert!(said.contains("game 3: White: accuracy ") && said.contains("; B: no moves"), "{said}");
    for more in [&[][..], &["--json"], &["--html", "-"]] {
        assert_eq!(run("1", more), run("3", more), "{more:?}");
    }
    let (lines, _) = run("3", &["--json"]);
    let lines: Vec<serde_json::Value> =
        lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let numbers: Vec<_> = lines.iter().map(|line| line["game"].as_u64().unwrap()).collect();
    assert_eq!(numbers, [1, 2, 3, 4, 6]);
    assert_eq!(
        (&lines[0]["sides"][0]["name"], &lines[2]["sides"][1]["name"]),
        (&"White".into(), &"B".into())
    );
    assert!(lines[3]["file"].as_str().unwrap().ends_with("several-2.pgn"));
    assert_eq!(lines[2]["faults"][0], "cut at move 1: illegal Kd5; the rest is kept as a comment");
    let lossless =
        lines.iter().flat_map(|line| line["moves"].as_array().unwrap()).filter(|m| m["chances_lost"] == 0.0);
    // A first move is compared with the usual value of the starting position, and a move that mates has no
    // accuracy.
    let counted = lossless.filter(|m| m["number"] != 1 && !m["accuracy"].is_null());
    assert!(counted.clone().count() > 10 && counted.clone().all(|m| m["accuracy"] == 100.0));
}

/// The letters of the pieces are said once, and a few moves of a longer game have no accuracy.
#[test]
fn games_in_other_languages_and_fragments_are_told() {
    let german = "1. e4 e5 2. Sf3 Sc6 3. Lb5 Ld6 *\n\n";
    let games = file("german.pgn", &[german, german, "1. e4 e5 2. Lb9 *\n"].concat().into_bytes());
    let analyse = ["analyse", "--nodes", "100", games.to_str().unwrap()];
    let (text, said) = called(0, &[&analyse[..], &["--values", "text"]].concat());
    assert_eq!(
        said.matches("the pieces have the letters K D T L S: German or Scandinavian").count(),
        1,
        "{said}"
    );
    assert!(text.contains("3. Bb5 {Zugwerk: ") && !text.contains("[%eval"), "{text}");
    assert!(said.contains("game 3: White: accuracy unknown, average loss "), "{said}");
    assert_eq!(text.matches("[WhiteAccuracy ").count(), 2, "{text}");
}

/// Games come from standard input too, and each is told as soon as it is finished.
#[test]
fn a_game_from_standard_input_is_told_at_once() {
    use std::io::{BufRead as _, BufReader, Write as _};
    let both = refused(&["analyse", "-", "--effort", "quick", "--nodes", "100"]);
    assert!(both.contains("'--effort <NAME>' cannot be used with '--nodes <N>'"), "{both}");
    let mut child = Command::new(env!("CARGO_BIN_EXE_zugwerk"))
        .args(["analyse", "-", "--json", "--effort", "quick"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    for (game, number) in ["1. e4 *\n\n1. d4 *\n\n", "1. c4 *\n\n"].into_iter().zip(1..) {
        input.write_all(game.as_bytes()).unwrap();
        let line = lines.next().unwrap().unwrap();
        assert!(line.contains(&format!("\"game\":{number},")), "{line}");
    }
    drop(input);
    assert_eq!(lines.count(), 1);
    assert_eq!(child.wait().unwrap().code(), Some(0));
}

/// What comes before an illegal move is analysed, and the page says where it ends.
#[test]
fn a_game_is_analysed_up_to_its_first_illegal_move() {
    let games = file(
        "cut.pgn",
        b"[White \"A\"]\n\n1. e4 e5 2. Nf3 Nc6 3. Bxc7 Nf6 1-0\n\n[White \"B\"]\n[Black \"C\"]\n\n",
    );
    let (annotated, page) = (fresh("cut-out.pgn"), fresh("cut.html"));
    let outputs = ["-o", annotated.to_str().unwrap(), "--html", page.to_str().unwrap()];
    let (_, said) =
        called(0, &[&["analyse", games.to_str().unwrap(), "--nodes", "300"][..], &outputs].concat());
    assert!(said.contains("game 1: cut at move 3: illegal Bxc7; the rest is kept as a comment\n"), "{said}");
    let written = fs::read_to_string(&annotated).unwrap();
    assert!(
        written.contains("[%eval") && written.replace('\n', " ").contains("3. Bxc7 Nf6} 1-0"),
        "{written}"
    );
    assert!(
        written.ends_with(concat!(
            "[Black \"C\"]\n[Result \"*\"]\n[Annotator \"Zugwerk ",
            env!("CARGO_PKG_VERSION"),
            "\"]\n\n*\n\n"
        )),
        "{written}"
    );
    let page = fs::read_to_string(page).unwrap();
    assert!(page.contains("Fault in the PGN file: cut at move 3: illegal Bxc7"), "{page}");
    let (_, said) = called(0, &["analyse", annotated.to_str().unwrap(), "--nodes", "100", "--json"]);
    assert!(!said.contains("illegal"), "{said}");
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

/// The file with what was written of `output`, an output that was not completed, and nothing else: `told`
/// names it.
fn part(output: &Path, told: &str) -> PathBuf {
    let words = format!("{} is as it was, and ", output.display());
    let (_, rest) = told.split_once(&words).unwrap_or_else(|| panic!("{told}"));
    PathBuf::from(rest.split_once(" has what was written\n").unwrap().0)
}

/// A page that cannot be written ends the analysis, and what it would replace stays. The games so far are in
/// a folder beside it. The limit of 100 KiB for a file is reached in the long comment of the second game.
#[cfg(target_os = "linux")]
#[test]
fn what_was_written_before_an_error_is_kept() {
    let games = format!("1. e4 *\n\n1. d4 {{{}}} *\n", "long ".repeat(10_000));
    let games = file("full.pgn", games.as_bytes());
    let (old, page) = (file("full-out.pgn", b"old"), file("full-page.html", b"old"));
    let ended = Command::new("bash")
        .args(["-c", "trap '' XFSZ; ulimit -f 100; exec \"$@\"", "bash", env!("CARGO_BIN_EXE_zugwerk")])
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

/// Interrupts an analysis of three games with `output` and `more` flags in the second one; returns what it
/// says. The current game is finished quickly, later ones are kept unchanged, and the page is complete.
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
    assert_eq!(page.matches("<section class=\"game\"").count(), 2);
    assert_eq!(page.matches("<tr data-game=").count(), 2, "the table of the games is there, too");
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
