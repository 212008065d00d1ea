//! Tests of `setoption`: names and values in every spelling, and refusals that change nothing.

use std::{fs, path::PathBuf};

use shakmaty::Chess;
use shakmaty_syzygy::Syzygy;
use zugwerk::engine::{
    eval::network::{Architecture, Network},
    options::{OptionKind, TABLE},
};

use super::driver::{Engine, field};

fn options() -> Vec<String> {
    let mut engine = Engine::uci();
    engine.send("uci");
    engine.until("uciok").into_iter().filter(|line| line.starts_with("option ")).collect()
}

#[test]
fn every_option_is_described_with_a_default_inside_its_range() {
    for line in options() {
        match field(&line, "type") {
            "spin" => {
                let number = |name| field(&line, name).parse::<i32>().unwrap_or_else(|_| panic!("{line}"));
                assert!((number("min")..=number("max")).contains(&number("default")), "{line}");
            }
            "check" => assert!(matches!(field(&line, "default"), "true" | "false"), "{line}"),
            "string" => assert!(!field(&line, "default").is_empty(), "{line}"),
            "combo" => assert!(line.contains(&format!(" var {}", field(&line, "default"))), "{line}"),
            "button" => assert!(line.ends_with("type button"), "{line}"),
            other => panic!("{other} in {line}"),
        }
    }
}

#[test]
fn the_options_that_guis_and_bots_set_are_there() {
    let options = options();
    for name in [
        "Hash",
        "Clear Hash",
        "Threads",
        "Ponder",
        "MultiPV",
        "Move Overhead",
        "UCI_Chess960",
        "UCI_ShowWDL",
        "UCI_AnalyseMode",
        "UCI_LimitStrength",
        "UCI_Elo",
        "SyzygyPath",
        "SyzygyProbeDepth",
        "SyzygyProbeLimit",
        "Syzygy50MoveRule",
        "Debug Log File",
        "UCI_Opponent",
        "Evaluator",
        "EvalFile",
    ] {
        let prefix = format!("option name {name} type ");
        assert_eq!(options.iter().filter(|line| line.starts_with(&prefix)).count(), 1, "{name}");
    }
    let threads = options.iter().find(|line| line.contains(" Threads ")).unwrap();
    assert!(field(threads, "max").parse::<u32>().unwrap() >= 4, "lichess-bot asks for four threads");
}

#[test]
fn the_documents_list_the_options_as_they_are() {
    let rows = include_str!("../../docs/clients.md")
        .lines()
        .skip_while(|line| !line.starts_with("| option | kind |"));
    let rows: Vec<Vec<&str>> = rows
        .skip(2)
        .take_while(|line| line.starts_with('|'))
        .map(|line| line.split('|').skip(1).map(|cell| cell.trim().trim_matches('`')).collect())
        .collect();
    let names: Vec<&str> = rows.iter().map(|cells| cells[0]).collect();
    assert_eq!(names, TABLE.iter().map(|row| row.name).collect::<Vec<_>>());
    for (cells, row) in rows.iter().zip(TABLE) {
        let (kind, range) = match row.kind {
            OptionKind::Check => ("check", String::new()),
            OptionKind::Spin { min, max } => ("spin", format!("{min} to {max}")),
            OptionKind::Combo(words) => ("combo", words.join(", ")),
            OptionKind::Techniques => ("string", "names of techniques".to_owned()),
            OptionKind::Text | OptionKind::Notice => ("string", String::new()),
            OptionKind::Button => ("button", String::new()),
        };
        let default = match row.kind {
            OptionKind::Text | OptionKind::Techniques if row.default.is_empty() => "empty",
            OptionKind::Notice => "",
            _ => row.default,
        };
        assert_eq!((cells[1], cells[3]), (kind, &*range), "{}", row.name);
        // A program built without a network has another default evaluator, as docs/clients.md says.
        let combo = matches!(row.kind, OptionKind::Combo(_));
        assert!(cells[2] == default || combo && cells[2].contains(default), "{}: {default}", row.name);
        assert!(!cells[4].is_empty(), "{}", row.name);
    }
}

#[test]
fn tables_are_counted_once_and_broken_ones_named() {
    let folder = tempfile::tempdir().unwrap();
    let folder = folder.path();
    let mut engine = Engine::uci();
    let path = format!("setoption name SyzygyPath value {}", folder.display());
    assert_eq!(engine.ask(&path), ["info string no Syzygy tables found"]);
    assert_eq!(engine.ask(&path), [""; 0], "and only once");
    assert_eq!(engine.ask("setoption name SyzygyPath value"), [""; 0]);
    fs::write(folder.join("KQvK.rtbw"), b"no table").unwrap();
    let lines = engine.ask(&path);
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(
        lines[0].starts_with("info string error: not used: ") && lines[0].contains("KQvK.rtbw"),
        "{lines:?}"
    );
    engine.go("go depth 3");
}

/// To open a named pipe would wait until another program writes to it.
#[cfg(unix)]
#[test]
fn only_files_can_be_tables() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("KQvK.rtbw");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    fs::create_dir(folder.path().join("KRvK.rtbz")).unwrap();
    let mut engine = Engine::uci();
    let lines = engine.ask(&format!("setoption name SyzygyPath value {}", folder.path().display()));
    let refused =
        |name: &str| format!("info string error: not used: {}/{name}: not a file", folder.path().display());
    assert_eq!(
        lines,
        [refused("KQvK.rtbw"), refused("KRvK.rtbz"), "info string no Syzygy tables found".to_owned()]
    );
}

#[test]
#[ignore = "needs ZUGWERK_SYZYGY, all Syzygy tables of three and four pieces"]
fn with_tables_the_search_knows_the_result() {
    let tables = std::env::var("ZUGWERK_SYZYGY").expect("ZUGWERK_SYZYGY names a folder");
    let mut engine = Engine::uci();
    let lines = engine.ask(&format!("setoption name SyzygyPath value {tables}"));
    assert_eq!(lines, ["info string 35 WDL and 35 DTZ tables of up to 4 pieces found"]);
    engine.send("position fen 8/8/8/3k4/8/8/8/KBN5 w - - 0 1");
    let lines = engine.go("go depth 5");
    let last = &lines[lines.len() - 2];
    assert!(field(last, "cp").parse::<i32>().unwrap() > 30_000 && field(last, "tbhits") != "0", "{last}");
}

#[test]
fn techniques_are_switched_off_and_on_by_name() {
    let mut engine = Engine::uci();
    let mut nodes = |names: &str| {
        assert_eq!(engine.ask(&format!("setoption name Without value {names}")), [""; 0]);
        let lines = engine.go("go depth 8");
        field(&lines[lines.len() - 2], "nodes").to_owned()
    };
    let all = nodes("<empty>");
    assert_ne!(nodes("null_move"), all);
    assert_ne!(nodes("Late-Move-Reductions null_move, futility"), nodes("null_move"));
    assert_eq!(nodes(""), all, "the other searches leave nothing behind");
    let refused = engine.ask("setoption name Without value razoring,everything");
    assert_eq!(refused.len(), 1);
    assert!(
        refused[0].contains(", late_move_reductions, ") && refused[0].contains("\"razoring,everything\"")
    );
}

/// The options that our lichess-bot configuration sets; lichess-bot's default configuration sets the same.
fn options_for_lichess() -> Vec<String> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/lichess-bot/config.yml");
    let file = fs::read_to_string(path).unwrap();
    let (_, options) = file.split_once("\n  uci_options:\n").expect("it sets options");
    let lines = options.lines().take_while(|line| line.starts_with("    ")).map(str::trim);
    let pairs =
        lines.filter(|line| !line.starts_with('#')).map(|line| line.split_once(": ").expect("key: value"));
    pairs.map(|(name, value)| format!("setoption name {name} value {}", value.trim_matches('"'))).collect()
}

#[test]
fn the_configuration_of_lichess_bot_is_accepted() {
    let options = options_for_lichess();
    for name in ["Move Overhead", "Threads", "Hash", "SyzygyPath", "UCI_ShowWDL"] {
        assert!(options.iter().any(|line| line.contains(name)), "{name}: {options:?}");
    }
    let mut engine = Engine::uci();
    let lines = engine.ask(&options.join("\n"));
    assert_eq!(lines.len(), 1, "the missing folder is reported: {lines:?}");
    assert!(lines[0].starts_with("info string ") && lines[0].contains("\"./syzygy/\""), "{lines:?}");
    assert_eq!(engine.ask("setoption name SyzygyPath value ./syzygy/"), [""; 0], "and only once");
    engine.go("go wtime 500 btime 500");
}

#[test]
fn names_and_values_are_understood_in_any_spelling() {
    let mut engine = Engine::uci();
    for line in [
        "setoption name hash value 8",
        "SETOPTION NAME HASH VALUE 8",
        "setoption   name  Move   Overhead   value  50 ",
        "setoption name move overhead value 50",
        "setoption name Clear Hash",
        "setoption name CLEAR HASH value",
        "setoption name UCI_Chess960 value TRUE",
        "setoption name SyzygyPath value <empty>",
        "setoption name SyzygyPath value",
        "setoption name SyzygyPath",
        "setoption name UCI_EngineAbout value anything",
    ] {
        assert_eq!(engine.ask(line), [""; 0], "{line}");
    }
}

#[test]
fn a_value_may_hold_blanks() {
    let mut engine = Engine::uci();
    let lines = engine.ask("setoption name SyzygyPath value /no such/folder  at all ");
    assert_eq!(lines.len(), 1);
    assert!(lines[0].contains("\"/no such/folder  at all\""), "{lines:?}");
}

#[test]
fn what_is_refused_gets_one_info_string() {
    let mut engine = Engine::uci();
    for line in [
        "setoption",
        "setoption name",
        "setoption name value",
        "setoption Hash value 64",
        "setoption name NoSuchOption value 1",
        "setoption name valueless thing value 1",
        "setoption name Hash",
        "setoption name Hash value",
        "setoption name Hash value -1",
        "setoption name Hash value 0",
        "setoption name Hash value abc",
        "setoption name Hash value 64.5",
        "setoption name Hash value 99999999999999999999",
        "setoption name Threads value 0",
        "setoption name Threads value 100000",
        "setoption name MultiPV value 0",
        "setoption name UCI_Chess960 value maybe",
        "setoption name Evaluator value best",
        "setoption name Without value null_move,nul_move",
    ] {
        let lines = engine.ask(line);
        assert_eq!(lines.len(), 1, "{line}: {lines:?}");
        assert!(lines[0].starts_with("info string error: expected "), "{line}: {lines:?}");
        assert!(lines[0].contains(", got ") && !lines[0].ends_with(" \""), "{line}: {lines:?}");
    }
    engine.go("go depth 1");
}

#[test]
fn a_table_that_does_not_fit_is_refused_and_the_old_one_kept() {
    let mut engine = Engine::uci();
    let nodes = |engine: &mut Engine| {
        let lines = engine.go("go depth 8");
        field(&lines[lines.len() - 2], "nodes").to_owned()
    };
    for kept in ["16", "3"] {
        assert_eq!(engine.ask(&format!("setoption name Hash value {kept}")), [""; 0]);
        let told = format!(
            "info string error: not enough memory for a hash table of 33554432 MiB; it stays at {kept} MiB"
        );
        assert_eq!(engine.ask("setoption name Hash value 33554432"), [told]);
        let new = nodes(&mut engine);
        assert_eq!(engine.ask("setoption name Hash value 33554432").len(), 1);
        assert_ne!(nodes(&mut engine), new, "it has the entries of the search before");
        assert_eq!(engine.answers(), [""; 0]);
    }
}

#[test]
fn a_table_that_does_not_fit_leaves_the_default_one_if_there_was_none_yet() {
    let mut engine = Engine::uci();
    let told = "info string error: not enough memory for a hash table of 33554432 MiB; it stays at 16 MiB";
    assert_eq!(engine.ask("setoption name Hash value 33554432"), [told]);
    engine.go("go depth 3");
}

#[test]
#[cfg(target_os = "linux")]
fn threads_that_cannot_be_started_are_told_once() {
    // Each thread needs 32 MiB of address space for its stack, and allocates in a part of it of its own
    // (glibc: 64 MiB).
    let mut engine = Engine::limited("ulimit -v 600000");
    let lines = engine.ask("setoption name Threads value 64");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(
        lines[0].starts_with("info string error: only ") && lines[0].contains(" of 64 threads "),
        "{lines:?}"
    );
    assert!(!lines[0].contains(" only 1 of "), "there is memory for more: {lines:?}");
    assert_eq!(engine.answers(), [""; 0], "and only once");
    engine.go("go depth 5");
}

#[test]
fn hash_and_threads_may_change_between_any_two_searches() {
    let mut engine = Engine::uci();
    for (hash, threads) in [(1, 1), (32, 2), (2, 4), (16, 1)] {
        let settings = format!("setoption name Threads value {threads}\nsetoption name Hash value {hash}");
        assert_eq!(engine.ask(&settings), [""; 0]);
        engine.go("go depth 5");
    }
}

#[test]
fn a_refused_value_leaves_the_old_one_in_force() {
    let mut engine = Engine::uci();
    engine.ask("setoption name MultiPV value 2");
    engine.ask("setoption name MultiPV value 0");
    assert!(engine.go("go depth 2").iter().any(|line| line.contains(" multipv 2 ")));
}

#[test]
fn limited_strength_is_few_nodes_and_not_always_the_best_move() {
    let mut engine = Engine::uci();
    engine.send("setoption name UCI_Elo value 950");
    let nodes = |lines: &[String]| -> u64 {
        let last = lines.iter().rfind(|line| line.contains(" nodes ")).unwrap();
        field(last, "nodes").parse().unwrap()
    };
    assert!(nodes(&engine.go("go nodes 20000")) >= 10_000, "the number alone limits nothing");
    engine.send("setoption name UCI_LimitStrength value true");
    let mut played = Vec::new();
    for _ in 0..20 {
        engine.send("ucinewgame");
        let lines = engine.go("go wtime 60000 btime 60000");
        assert!(nodes(&lines) < 3000, "{lines:?}");
        assert!(lines.iter().all(|line| !line.contains(" multipv 2 ")), "{lines:?}");
        let last = lines.iter().rfind(|line| line.contains(" pv ")).unwrap();
        let best = field(lines.last().unwrap(), "bestmove").to_owned();
        assert_eq!(field(last, "pv"), best, "what is reported last is played");
        played.push(best);
    }
    played.sort();
    played.dedup();
    assert!(played.len() > 1, "always {played:?}");
    engine.send("go infinite");
    engine.expect_no_answer();
    engine.send("stop");
    engine.until("bestmove");
}

#[test]
fn with_limited_strength_too_the_last_lines_differ() {
    let mut engine = Engine::uci();
    engine.send("setoption name UCI_LimitStrength value true");
    engine.send("setoption name UCI_Elo value 915");
    let mut drawn_later = 0;
    for count in [2, 3, 7].into_iter().flat_map(|count| [count; 15]) {
        engine.send(&format!("setoption name MultiPV value {count}"));
        engine.send("ucinewgame");
        let told = engine.go("go wtime 60000 btime 60000");
        let lines: Vec<_> = told.iter().filter(|line| line.contains(" pv ")).collect();
        let last = &lines[lines.len() - count..];
        let numbers: Vec<usize> = last.iter().map(|line| field(line, "multipv").parse().unwrap()).collect();
        assert_eq!(numbers, (1..=count).collect::<Vec<_>>(), "{told:#?}");
        let mut moves: Vec<_> = last.iter().map(|line| field(line, "pv")).collect();
        assert_eq!(moves[0], field(told.last().unwrap(), "bestmove"));
        moves.sort_unstable();
        moves.dedup();
        assert_eq!(moves.len(), count, "{told:#?}");
        let values: Vec<i32> = last.iter().map(|line| field(line, "cp").parse().unwrap()).collect();
        assert!(values[1..].is_sorted_by(|a, b| a >= b), "{told:#?}");
        let depths: Vec<u32> = lines.iter().map(|line| field(line, "depth").parse().unwrap()).collect();
        assert!(depths.is_sorted(), "{told:#?}");
        drawn_later += usize::from(values[0] < values[1]);
    }
    assert!(drawn_later > 0);
}

#[test]
fn the_limited_strength_depends_neither_on_threads_nor_on_multipv() {
    let mut engine = Engine::uci();
    engine.send("setoption name UCI_LimitStrength value true");
    engine.send("setoption name UCI_Elo value 2080");
    let mut search = |threads, multi_pv, fen: &str| {
        engine.send(&format!("setoption name Threads value {threads}"));
        engine.send(&format!("setoption name MultiPV value {multi_pv}"));
        engine.send("ucinewgame");
        engine.send(&format!("position fen {fen}"));
        let lines = engine.go("go nodes 10000000");
        let told = lines.iter().filter(|line| line.contains(" pv "));
        told.map(|line| ["depth", "nodes", "pv"].map(|name| field(line, name).to_owned())).collect::<Vec<_>>()
    };
    let middlegame = "r1bq1rk1/ppp2ppp/2np1n2/2b1p3/2B1P3/2NP1N2/PPP2PPP/R1BQ1RK1 w - - 0 7";
    assert_eq!(search(1, 1, middlegame), search(4, 1, middlegame));
    let one_move = "k7/8/8/8/8/8/7r/K7 w - - 0 1";
    let last_nodes = search(1, 256, one_move).last().unwrap()[1].parse::<u64>().unwrap();
    assert!(last_nodes <= 4000, "{last_nodes} nodes for one line");
}

#[test]
fn the_conversation_is_written_to_a_file_when_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("uci.log");
    fs::write(&file, "what was there").unwrap();
    let mut engine = Engine::uci();
    assert_eq!(engine.ask(&format!("setoption name Debug Log File value {}", file.display())), [""; 0]);
    engine.send("position startpos moves e2e4");
    let answer = engine.go("go depth 2");
    assert_eq!(engine.ask("setoption name Debug Log File value"), [""; 0]);
    engine.ask("this is not in it");
    let log = fs::read_to_string(&file).unwrap();
    assert!(log.starts_with("what was there\n"), "nothing is overwritten: {log}");
    assert!(log.contains(" > position startpos moves e2e4\n") && log.contains(" > go depth 2\n"), "{log}");
    for line in &answer {
        assert!(log.contains(&format!(" < {line}\n")), "{line} in {log}");
    }
    assert!(!log.contains("not in it"), "{log}");
    let lines = engine.ask("setoption name Debug Log File value /no such/folder/log");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].starts_with("info string "), "{lines:?}");
    engine.go("go depth 1");
}

#[test]
#[cfg(target_os = "linux")]
fn a_log_that_cannot_be_written_is_closed_and_that_is_told_once() {
    let mut engine = Engine::uci();
    let lines = engine.ask("setoption name Debug Log File value /dev/full");
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].starts_with("info string error: the log in \"/dev/full\" is closed: "), "{lines:?}");
    assert_eq!(engine.answers(), [""; 0], "and only once");
    engine.go("go depth 1");
}

#[test]
#[cfg(target_os = "linux")]
fn a_named_pipe_is_no_log_and_does_not_stop_the_session() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let mut engine = Engine::uci();
    let lines = engine.ask(&format!("setoption name Debug Log File value {}", pipe.display()));
    assert_eq!(lines.len(), 1, "{lines:?}");
    assert!(lines[0].ends_with(": expected a file, got a named pipe"), "{lines:?}");
}

#[test]
fn letters_beyond_ascii_are_shown_as_they_are() {
    let mut engine = Engine::uci();
    let lines = engine.ask("setoption name SyzygyPath value /шахматы/Bücher/棋");
    assert!(
        lines[0]
            .starts_with("info string error: expected a folder in SyzygyPath, got \"/шахматы/Bücher/棋\""),
        "{lines:?}"
    );
    let lines = engine.ask("setoption name SyzygyPath value a\u{7}b\u{202e}c");
    assert!(
        lines[0].starts_with("info string error: expected a folder in SyzygyPath, got \"a?b?c\""),
        "{lines:?}"
    );
}

/// A table of king and pawn against king with the right beginning and nothing behind it.
fn empty_table() -> Vec<u8> {
    [<Chess as Syzygy>::TBW.magic.to_vec(), vec![0; 76]].concat()
}

#[test]
fn what_was_mended_is_opened_when_its_option_is_set_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut engine = Engine::uci();

    let load = format!("setoption name SyzygyPath value {}", path("tables").display());
    assert!(engine.ask(&load)[0].starts_with("info string error: expected a folder in SyzygyPath, got "));
    assert_eq!(engine.ask(&load), [""; 0], "the same problem is reported once");
    fs::create_dir(path("tables")).unwrap();
    assert_eq!(engine.ask(&load), ["info string no Syzygy tables found"]);
    fs::write(path("tables/KPvK.rtbw"), empty_table()).unwrap();
    let found = ["info string 1 WDL and 0 DTZ tables of up to 3 pieces found"];
    assert_eq!(engine.ask(&load), found);
    assert_eq!(engine.ask(&load), [""; 0], "nothing was wrong");
    // What is wrong inside the table is found by probing.
    engine.send("position fen 8/8/8/8/8/1k6/1P6/1K6 w - - 0 1");
    let problems = engine.go("go depth 4").iter().filter(|line| line.contains("is not used: ")).count();
    assert_eq!(problems, 1);
    fs::remove_file(path("tables/KPvK.rtbw")).unwrap();
    assert_eq!(engine.ask(&load), ["info string no Syzygy tables found"]);

    let load = format!("setoption name Debug Log File value {}", path("logs/uci.log").display());
    let problem = engine.ask(&load);
    assert!(problem.len() == 1 && problem[0].starts_with("info string error: no log in "), "{problem:?}");
    fs::create_dir(path("logs")).unwrap();
    assert_eq!(engine.ask(&load), [""; 0]);
    engine.go("go depth 1");
    assert!(fs::read_to_string(path("logs/uci.log")).unwrap().contains(" > go depth 1\n"));
}

#[test]
fn a_network_that_was_mended_is_used_when_it_is_asked_for_again() {
    let file = network("mended.zwn", 5);
    let bytes = fs::read(&file).unwrap();
    let mut engine = Engine::uci();
    engine.ask("setoption name Evaluator value classical");
    let load = format!("setoption name EvalFile value {}", file.display());
    assert_eq!(engine.ask(&load), [""; 0]);
    let classical = engine.ask("eval");
    for again in [load.as_str(), "setoption name Evaluator value network"] {
        fs::write(&file, &bytes[..100]).unwrap();
        for _ in 0..2 {
            let lines = engine.ask("setoption name Evaluator value network");
            assert_eq!(lines.len(), 1, "{lines:?}");
            assert!(lines[0].starts_with("info string error: the evaluator is unchanged: "), "{lines:?}");
        }
        assert_eq!(engine.ask("eval"), classical);
        fs::write(&file, &bytes).unwrap();
        assert_eq!(engine.ask(again), [""; 0]);
        assert!(engine.ask("eval").join("\n").contains(" 8 of 8\n"));
        engine.ask("setoption name Evaluator value classical");
    }
}

#[test]
fn a_file_that_was_replaced_is_read_when_its_option_is_set_again() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    let mut engine = Engine::uci();

    let load = format!("setoption name SyzygyPath value {}", folder.path().display());
    assert_eq!(engine.ask(&load), ["info string no Syzygy tables found"]);
    fs::write(path("KPvK.rtbw"), empty_table()).unwrap();
    assert_eq!(engine.ask(&load), ["info string 1 WDL and 0 DTZ tables of up to 3 pieces found"]);
    fs::write(path("KRvK.rtbw"), empty_table()).unwrap();
    assert_eq!(engine.ask(&load), ["info string 2 WDL and 0 DTZ tables of up to 3 pieces found"]);
    engine.ask("setoption name SyzygyPath value <empty>");

    let networks = [6, 7].map(|seed| fs::read(network("replaced.zwn", seed)).unwrap());
    let load = format!("setoption name EvalFile value {}", path("replaced.zwn").display());
    let [first, second] = [0, 1].map(|index| {
        fs::write(path("replaced.zwn"), &networks[index]).unwrap();
        assert_eq!(engine.ask(&load), [""; 0]);
        engine.ask("eval")
    });
    assert_ne!(first, second);
    // The same network keeps what the search has learnt.
    let mut nodes = |line: &str| {
        engine.ask(line);
        let lines = engine.go("go depth 6");
        field(lines.iter().rfind(|line| line.contains(" nodes ")).unwrap(), "nodes").parse::<u64>().unwrap()
    };
    nodes("isready");
    let new = nodes("ucinewgame");
    assert_ne!(nodes(&load), new, "the table is kept");
    fs::write(path("replaced.zwn"), &networks[0]).unwrap();
    let changed = nodes(&load);
    assert_eq!(changed, nodes("ucinewgame"), "the table is cleared");
    fs::write(path("replaced.zwn"), &networks[1][..100]).unwrap();
    let refused = engine.ask(&load);
    assert!(refused[0].starts_with("info string error: EvalFile is unchanged: "), "{refused:?}");
    assert_eq!(engine.ask("eval"), first);
}

/// A file with a network of random weights.
fn network(name: &str, seed: u64) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    let architecture = Architecture { neurons: 32, buckets: 8 };
    fs::write(&path, Network::random(architecture, seed).to_bytes()).unwrap();
    path
}

#[test]
fn a_network_from_a_file_plays_and_a_wrong_file_changes_nothing() {
    let (good, other, damaged) = (network("good.zwn", 1), network("other.zwn", 2), network("damaged.zwn", 3));
    let mut bytes = fs::read(&damaged).unwrap();
    bytes.truncate(bytes.len() / 2);
    fs::write(&damaged, bytes).unwrap();
    let mut engine = Engine::uci();
    let eval = |engine: &mut Engine| engine.ask("eval").join("\n");
    engine.ask("setoption name Evaluator value classical");
    let classical = eval(&mut engine);
    let load = |path: &PathBuf| format!("setoption name EvalFile value {}", path.display());

    // In either order.
    engine.ask("setoption name Evaluator value network");
    assert_eq!(engine.ask(&load(&good)), [""; 0]);
    let first = eval(&mut engine);
    assert!(first.contains(" 8 of 8\n") && first.contains("Classical"), "{first}");
    assert_eq!(engine.ask(&load(&other)), [""; 0]);
    let second = eval(&mut engine);
    assert_ne!(first, second);

    let others = ["/no such/file", "/dev/zero", "/", file!()].map(PathBuf::from);
    for wrong in others.iter().chain([&damaged]) {
        let lines = engine.ask(&load(wrong));
        assert_eq!(lines.len(), 1, "{lines:?}");
        assert!(lines[0].starts_with("info string error: EvalFile is unchanged: "), "{lines:?}");
        assert_eq!(lines[0].ends_with("a folder, not a network file"), wrong.is_dir(), "{lines:?}");
        assert_eq!(eval(&mut engine), second);
    }
    engine.go("go depth 4");
    engine.ask("setoption name Evaluator value classical");
    assert_eq!(eval(&mut engine), classical);
    engine.ask("setoption name Evaluator value network");
    assert_eq!(eval(&mut engine), second);
}

#[test]
fn the_evaluator_may_change_while_a_search_runs() {
    let mut engine = Engine::uci();
    engine.send("go infinite");
    let file = network("while_searching.zwn", 4);
    engine.send(&format!("setoption name EvalFile value {}", file.display()));
    engine.send("setoption name Evaluator value network");
    engine.send("stop");
    engine.until("bestmove");
    engine.go("go depth 5");
    let nodes = |engine: &mut Engine| {
        engine.send("ucinewgame");
        let lines = engine.go("go depth 6");
        let last = lines.iter().rfind(|line| line.contains(" nodes ")).unwrap().clone();
        field(&last, "nodes").to_owned()
    };
    let network = nodes(&mut engine);
    engine.send("setoption name Evaluator value material");
    assert_ne!(nodes(&mut engine), network);
    engine.send("setoption name Evaluator value network");
    assert_eq!(nodes(&mut engine), network, "it is forgotten what the other evaluator made of it");
}
