//! Bad usage ends with one line and exit code 2, before an engine is started; `elo` computes the statistics
//! of `match`.

use std::process::{Command, Output};

fn zugwerk(args: &str) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zugwerk"));
    command.args(args.split_whitespace()).output().unwrap()
}

fn refusal(args: &str) -> String {
    let output = zugwerk(args);
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{args}: {stderr}");
    assert!(output.stdout.is_empty(), "{args}");
    stderr
}

#[test]
fn every_mistake_is_named_in_one_line() {
    let two = "match --engine self --engine self";
    for (args, message) in [
        ("match --engine self".to_owned(), "two players or more"),
        ("match --engine self,name=A --engine self,name=A".to_owned(), "two players are named 'A'"),
        ("match --engine self,tc=x --engine self".to_owned(), "tc=x: expected [moves/]seconds"),
        (
            "match --engine self,dir=/nonexistent --engine self".to_owned(),
            "dir=/nonexistent: expected a folder",
        ),
        ("match --engine self,dir=Cargo.toml --engine self".to_owned(), "dir=Cargo.toml: expected a folder"),
        (format!("{two} --games 3"), "--games 3: expected an even number"),
        (
            format!("{two} --games 18446744073709551614"),
            "--games 18446744073709551614: expected at most 10000000",
        ),
        (
            format!("{two} --games 9000000000000000000"),
            "--games 9000000000000000000: expected at most 10000000",
        ),
        (
            format!("{two} --engine self --games 4000000"),
            "--games 4000000: expected at most 10000000 games in all",
        ),
        (
            "spsa --iterations 1 --pairs 9223372036854775808 --engine cmd=x".to_owned(),
            "expected at most 5000000",
        ),
        (format!("{two} --concurrency 0"), "--concurrency: expected at least 1"),
        (format!("{two} --concurrency 9000"), "--concurrency 9000: expected at most "),
        (
            format!("{two} --each st=1,option.Threads=9000,nodes=1 --concurrency 2"),
            "--concurrency 2: expected fewer threads: a game takes 9000 threads, and the machine has ",
        ),
        (
            "match --engine self --engine self,option.Threads=9000 --concurrency auto".to_owned(),
            "--concurrency 1: expected fewer threads: a game takes 9000 threads",
        ),
        (format!("{two} --openings /nonexistent.epd"), "--openings /nonexistent.epd: "),
        (format!("{two} --openings Cargo.toml"), "expected a file named .epd"),
        (format!("{two} --openings random --start 2"), "--start: expected a book"),
        (format!("{two} --sprt elo0=5 elo1=0"), "--sprt: elo1=0: expected more than elo0=5"),
        (format!("{two} --engine self --sprt"), "--sprt tests one player against one other"),
        (format!("{two} --resign score=x"), "--resign: score=x: expected centipawns"),
        (format!("{two} --syzygy /nonexistent"), "--syzygy: /nonexistent: "),
        (format!("{two} --max-moves 0"), "--max-moves 0: expected at least 1, or no --max-moves"),
        (format!("{two} --syzygy . --syzygy-pieces 2"), "--syzygy-pieces 2: expected at least 3"),
        (format!("{two} --patience 0"), "--patience 0: expected seconds"),
        (format!("{two} --pgn Cargo.toml"), "Cargo.toml exists: --resume continues"),
        ("match --engine /nonexistent --engine self".to_owned(), "cannot start nonexistent"),
        ("elo 0 0 0".to_owned(), "no games"),
        ("elo --sprt elo0=0 elo1=5".to_owned(), "expected the numbers of games won, drawn and lost"),
        ("elo --sprt elo0=0 10 10".to_owned(), "expected the numbers of games won, drawn and lost"),
        ("elo --sprt elo2=0 10 10 10".to_owned(), "--sprt: unknown key 'elo2'"),
    ] {
        let told = refusal(&args);
        assert!(told.contains(message), "{args}: {told}");
        assert_eq!(told.lines().count(), 1, "{args}: {told}");
    }
    // Clap's refusals take several lines.
    let twice = "elo --pentanomial 1 2 3 4 5 --pentanomial 5 4 3 2 1";
    for args in ["match", "elo", "elo 1 2", "elo 1 2 x", "elo --pentanomial 1 2 3", twice, "match --resume"] {
        refusal(args);
    }
    assert!(
        refusal(&format!("{two} --games 2 --each nodes=1 --syzygy-pieces 3")).contains("--syzygy <PATH>")
    );
}

#[test]
fn a_file_of_another_match_is_not_resumed() {
    let pgn = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("foreign.pgn");
    std::fs::write(&pgn, "[White \"X\"]\n[Black \"Y\"]\n[Round \"1\"]\n\n1. e4 1-0\n\n").unwrap();
    let told = refusal(&format!("match --engine self --engine self --resume --pgn {}", pgn.display()));
    assert!(told.contains("game 1 (X - Y, round 1) is not part of this match: no player"), "{told}");
}

/// Without a manifest only an empty file can become that of a match.
#[test]
fn a_file_without_a_whole_game_is_not_changed() {
    let pgn = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("unfinished.pgn");
    let manifest = pgn.with_extension("pgn.match.json");
    let undecided = "[Event \"Club\"]\n[White \"X\"]\n[Black \"Y\"]\n\n1. e4 e5 *\n\n";
    let partial = "[Event \"zugwerk match\"]\n[Site \"?\"]\n[Da";
    for (text, message) in [
        (undecided, "game 1 (X - Y, round ) is not part of this match: no player has White's name"),
        (partial, "unfinished.pgn.match.json is missing"),
    ] {
        std::fs::write(&pgn, text).unwrap();
        let _ = std::fs::remove_file(&manifest);
        let flags = "--games 2 --each nodes=1 --max-moves 1 --resume --pgn";
        let told = refusal(&format!("match --engine self --engine self {flags} {}", pgn.display()));
        assert!(told.contains(message), "{told}");
        assert_eq!(std::fs::read_to_string(&pgn).unwrap(), text);
        assert!(!manifest.exists());
    }
}

/// A manifest without its PGN belongs to games that are elsewhere: nothing is created beside it, and nothing
/// changed.
#[test]
fn a_manifest_without_games_is_refused_before_anything_is_written() {
    let pgn = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("stray.pgn");
    let manifest = pgn.with_extension("pgn.match.json");
    let _ = std::fs::remove_file(&pgn);
    std::fs::write(&manifest, "{\"openings\": \"others\"}").unwrap();
    let usual = format!("match --engine self --engine self --games 2 --pgn {}", pgn.display());
    for (args, message) in [
        (usual.clone(), "stray.pgn.match.json exists without its games"),
        (format!("{usual} --resume"), "openings was others, and is "),
    ] {
        let told = refusal(&args);
        assert!(told.contains(message), "{args}: {told}");
        assert_eq!(told.lines().count(), 1, "{args}: {told}");
        assert!(!pgn.exists(), "{args}");
        assert_eq!(std::fs::read(&manifest).unwrap(), b"{\"openings\": \"others\"}", "{args}");
    }
}

/// Nodes and plies do not depend on the load, and `--overload` allows everything: such matches fail only at
/// the program.
#[test]
fn the_number_of_games_at_a_time_is_limited_only_by_the_clock() {
    let none = "match --engine /nonexistent --engine self --concurrency";
    for args in ["9000 --each nodes=1", "9000 --each depth=1", "9000 --overload", "auto", "1"] {
        let told = refusal(&format!("{none} {args}"));
        assert!(told.contains("cannot start nonexistent"), "{args}: {told}");
    }
    assert!(refusal(&format!("{none} many")).contains("expected a number of games or `auto`"));
}

/// What this run has created is removed again, and nothing else.
#[test]
fn a_match_without_a_game_leaves_no_file() {
    let pgn = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("no-engine.pgn");
    let manifest = pgn.with_extension("pgn.match.json");
    for path in [&pgn, &manifest] {
        let _ = std::fs::remove_file(path);
    }
    let tell = |args: &str| {
        let told = refusal(&format!("match --engine /nonexistent {args} --pgn {}", pgn.display()));
        assert!(told.contains("cannot start nonexistent"), "{told}");
        (pgn.exists(), manifest.exists())
    };
    assert_eq!(tell("--engine self"), (false, false));
    assert_eq!(tell("--engine self --resume"), (false, false));
    std::fs::write(&pgn, "").unwrap();
    assert_eq!(tell("--engine self --resume"), (true, false));
}

/// What can be refused is refused before a log is created.
#[test]
fn a_refused_match_leaves_no_log() {
    let log = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("refused.log");
    let _ = std::fs::remove_file(&log);
    for args in [
        "--engine self,name=A --engine self,name=B --pgn Cargo.toml",
        "--engine self,name=A --engine self,name=B --patience 0",
        "--engine self,name=A --engine self,name=B,threads=2",
    ] {
        refusal(&format!("match {args} --log {}", log.display()));
        assert!(!log.exists(), "{args}");
    }
}

/// The manifest of the match is beside the games.
#[test]
fn outputs_are_different_files() {
    let pgn = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("outputs.pgn");
    let manifest = pgn.with_extension("pgn.match.json");
    let (pgn, manifest) = (pgn.display(), manifest.display());
    for log in [format!("{pgn}"), format!("{manifest}")] {
        let told = refusal(&format!("match --engine self --engine self --pgn {pgn} --log {log}"));
        assert!(told.contains(&format!("expected two different outputs, got {log} twice")), "{told}");
        assert!(!std::path::Path::new(&log).exists());
    }
}

#[test]
fn no_input_becomes_an_output() {
    let path = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("own.epd");
    let opening = "4k3/8/8/8/8/8/4P3/4K3 w - -\n";
    std::fs::write(&path, opening).unwrap();
    let name = path.display();
    let players = "--engine self,name=A --engine self,name=B --each nodes=1 --games 2";
    for flag in ["--log", "--pgn"] {
        let told = refusal(&format!("match {players} --openings {name} {flag} {name}"));
        assert!(told.contains("expected another file than the inputs"), "{told}");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), opening);
    }
}

/// As on a full disk: files can be created, but not written.
#[cfg(unix)]
#[test]
fn a_match_whose_settings_cannot_be_written_leaves_no_file() {
    let pgn = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("full.pgn");
    let manifest = pgn.with_extension("pgn.match.json");
    for path in [&pgn, &manifest] {
        let _ = std::fs::remove_file(path);
    }
    let mut command = Command::new("sh");
    command.args(["-c", r#"trap '' XFSZ; ulimit -f 0; exec "$0" "$@""#, env!("CARGO_BIN_EXE_zugwerk")]);
    command.args("match --engine self,name=A --engine self,name=B --each nodes=1 --games 2 --pgn".split(' '));
    let output = command.arg(&pgn).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("full.pgn.match.json: File too large"), "{told}");
    assert!(!pgn.exists() && !manifest.exists());
}

/// A network that is not found would play as the built-in one, and the match would be one of an engine
/// against itself.
#[test]
fn a_value_that_an_engine_does_not_take_ends_the_match_before_its_first_game() {
    let here = env!("CARGO_TARGET_TMPDIR");
    let (no_network, folder) = (format!("{here}/no-network"), format!("{here}/no/folder"));
    std::fs::write(&no_network, "nothing").unwrap();
    for (setting, told) in [
        ("EvalFile=typo".to_owned(), "B finds no file typo for option.EvalFile".to_owned()),
        (format!("EvalFile={no_network}"), "B says: EvalFile is unchanged: ".to_owned()),
        ("Without=foo".to_owned(), "B says: expected words ".to_owned()),
        (format!("SyzygyPath={folder}"), format!("B finds no folder {folder} for option.SyzygyPath")),
        (format!("Debug Log File={folder}/log"), "B says: no log in ".to_owned()),
    ] {
        let run = |more: &[&str]| {
            let mut command = Command::new(env!("CARGO_BIN_EXE_zugwerk"));
            let engine = format!("self,name=B,option.{setting}");
            command.args(["match", "--engine", "self,name=A", "--engine", &engine, "--each", "nodes=1"]);
            command.args(["--games", "2", "--max-moves", "1"]).args(more).output().unwrap()
        };
        let strict = run(&[]);
        let stderr = String::from_utf8_lossy(&strict.stderr);
        assert_eq!((strict.status.code(), strict.stdout.len()), (Some(2), 0), "{setting}: {stderr}");
        assert!(stderr.starts_with(&format!("zugwerk: {told}")), "{setting}: {stderr}");
        let lenient = run(&["--lenient"]);
        let stderr = String::from_utf8_lossy(&lenient.stderr);
        assert!(lenient.status.success() && stderr.contains(&told), "{setting}: {stderr}");
    }
}

/// Engines have a common form for it, whatever they are called.
#[test]
fn an_error_that_an_engine_reports_on_its_settings_ends_the_match() {
    let double = crate::double_with("B", "refuses-settings", "option.Hash=2");
    let mut command = Command::new(env!("CARGO_BIN_EXE_zugwerk"));
    command.args(["match", "--engine", "self,name=A", "--engine", &double]);
    let output = command.args(["--each", "nodes=1", "--games", "2"]).output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.contains("B says: not this one"), "{told}");
}

/// As in a container that limits the number of threads.
#[cfg(target_os = "linux")]
#[test]
fn games_whose_threads_cannot_be_started_end_the_match_with_a_line() {
    let mut command = Command::new("sh");
    command.args(["-c", r#"ulimit -v 700000; exec "$0" "$@""#, env!("CARGO_BIN_EXE_zugwerk")]);
    // There is room for a few of these stacks; the rest is not reserved for the allocations of each thread
    // (glibc).
    command.env("RUST_MIN_STACK", "100000000").env("MALLOC_ARENA_MAX", "1");
    let engine = |name| {
        format!("--engine=cmd=sh,name={name},arg=-c,arg=read uci; echo uciok; read is; echo readyok; cat")
    };
    command.args(["match", &engine("A"), &engine("B"), "--each", "nodes=1", "--concurrency", "32"]);
    let output = command.output().unwrap();
    let told = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2), "{told}");
    assert!(told.starts_with("zugwerk: cannot start the threads of ") && told.lines().count() == 1, "{told}");
}

/// Games of any program, in several files: three players, of whom the first is anchored.
#[test]
fn elo_rates_the_players_of_files() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR"));
    let write = |name: &str, games: &[(&str, &str, &str)]| {
        let path = folder.join(name);
        let game = |&(white, black, result): &(&str, &str, &str)| {
            format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n1. e4 {result}\n\n")
        };
        std::fs::write(&path, games.iter().map(game).collect::<String>()).unwrap();
        path.display().to_string()
    };
    let one = write(
        "elo-one.pgn",
        &[("A", "B", "1-0"), ("B", "A", "1/2-1/2"), ("A", "B", "0-1"), ("B", "A", "0-1")],
    );
    let two = write("elo-two.pgn", &[("B", "C", "1-0"), ("C", "B", "1/2-1/2")]);
    let output = |args: &[&str]| {
        let output = Command::new(env!("CARGO_BIN_EXE_zugwerk")).arg("elo").args(args).output().unwrap();
        let [out, err] = [output.stdout, output.stderr].map(|text| String::from_utf8(text).unwrap());
        (output.status.code(), out, err)
    };
    let (code, text, _) = output(&[&one, &two, "--anchor", "A=3000"]);
    assert_eq!(code, Some(0));
    assert!(text.starts_with("6 games\n"), "{text}");
    let rows: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
    let rating = |name: &str| rows.iter().find(|row| row.contains(&name)).unwrap()[2].to_owned();
    assert_eq!(rating("A"), "+3000.0", "{text}");
    // A has 2.5 of 4 and a drawn game, and B 1.5 of 2 and half a drawn game from each side.
    let elo = |name| rating(name).parse::<f64>().unwrap();
    assert!(elo("A") > elo("B") && elo("B") > elo("C"), "{text}");
    let (code, text, _) = output(&[&one, &two, "--pair", "A", "B", "--sprt", "elo0=0", "elo1=5"]);
    assert_eq!(code, Some(3), "{text}");
    assert!(text.contains("A - B: +2 =1 -1") && text.contains("LLR "), "{text}");
    assert_eq!(
        output(&["--sprt", "elo0=0", "elo1=5", &one]).0,
        Some(3),
        "the file may stand behind the settings"
    );
    let (_, json, _) = output(&[&one, "--json"]);
    let json: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(json["players"][0]["points"], 2.5);
    for (args, reason) in [
        (
            &[&*one, &two, "--sprt", "elo0=0", "elo1=5"][..],
            "--sprt tests one player against one other, got 3",
        ),
        (&[&one, "--anchor", "Z=3000"], "--anchor: expected a player with games, got Z"),
        (&["1", "2", "3", "--anchor", "A=1"], "expected --anchor and --pair only with PGN files"),
        (&["4294967296", "1", "1"], "expected at most 4294967295 games of a kind, got 4294967296"),
        (&["no-such.pgn"], "no-such.pgn"),
    ] {
        let (code, _, err) = output(args);
        assert!(code == Some(2) && err.contains(reason), "{args:?}: {err}");
    }
}

#[test]
fn elo_prints_the_statistics_of_numbers_from_elsewhere() {
    let output = zugwerk("elo 10 10 5");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("score 60.00 %") && text.contains("Elo +70.4 ± 110.2"), "{text}");
    let output = zugwerk("elo --pentanomial 30 180 420 210 40 --sprt elo0=0 elo1=5");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("LLR 1.41 in -2.94 .. 2.94, undecided"), "{text}");
    assert_eq!(output.status.code(), Some(3), "no verdict is no success");
    let output = zugwerk("elo --pentanomial 0 0 200 0 0 --sprt elo0=0 elo1=5 model=normalised");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains("LLR -0.08 in -2.94 .. 2.94, undecided"), "{text}");
    // The numbers of games may stand behind the settings of the test too.
    for args in ["elo 120 260 100 --sprt elo0=0 elo1=5", "elo --sprt elo0=0 elo1=5 120 260 100"] {
        let output = zugwerk(args);
        let text = String::from_utf8(output.stdout).unwrap();
        assert!(text.contains("score 52.08 %") && text.contains("LLR 0.52 in -2.94"), "{args}: {text}");
        assert_eq!(output.status.code(), Some(3), "{args}");
    }
    let output = zugwerk("elo 1 0 0");
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("Elo +inf (-75.7 .. +inf) nElo +inf (-inf .. +inf)") && text.contains("LOS 84.1 %"),
        "{text}"
    );
    let output = zugwerk("elo --pentanomial 40 30 180 420 210 --sprt elo0=0 elo1=5");
    assert_eq!(output.status.code(), Some(0), "H1 is accepted");
    let output = zugwerk("elo --pentanomial 210 420 180 40 30 --sprt elo0=0 elo1=5 --json");
    assert_eq!(output.status.code(), Some(1), "H0 is accepted");
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["sprt"]["verdict"], "h0");
}
