//! Tests of start and end, and that the reading thread never waits for a search.

use std::time::{Duration, Instant};

use super::{
    driver::{AT_LAST, Engine, field},
    timing::assert_takes_less,
};

#[test]
fn the_handshake_names_the_engine_and_ends_with_uciok() {
    let mut engine = Engine::uci();
    engine.send("uci");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name Zugwerk"));
    assert!(lines[1].starts_with("id author "));
    assert!(lines[2..lines.len() - 1].iter().all(|line| line.starts_with("option name ")));
    assert_eq!(engine.answers(), [""; 0]);
}

#[test]
fn it_says_nothing_before_it_is_asked() {
    Engine::uci().expect_silence();
}

#[test]
fn a_large_table_does_not_delay_the_handshake() {
    assert_takes_less(Duration::from_secs(1), "the handshake", || {
        let start = Instant::now();
        let mut engine = Engine::start(&["--hash=8192"]);
        engine.send("setoption name Hash value 4096\nsetoption name Hash value 1\nuci");
        engine.until("uciok");
        let took = start.elapsed();
        assert_eq!(engine.answers(), [""; 0]);
        took
    });
}

#[test]
fn what_comes_while_the_engine_gets_ready_is_answered_in_order() {
    let mut engine = Engine::uci();
    engine.write(
        "setoption name Hash value 512\nisready\nucinewgame\nisready\ngo movetime 20\nisready\nucinewgame\nstop\nquit\n",
    );
    assert!(engine.exit_status().success());
    let lines = engine.rest();
    let answers: Vec<_> = lines
        .iter()
        .filter_map(|line| line.split_whitespace().next())
        .filter(|word| *word != "info")
        .collect();
    assert_eq!(answers.iter().filter(|word| **word == "readyok").count(), 3, "{answers:?}");
    assert_eq!(answers[..2], ["readyok", "readyok"], "{answers:?}");
    assert_eq!(answers.iter().filter(|word| **word == "bestmove").count(), 1, "{answers:?}");
}

#[test]
fn junk_before_and_after_the_handshake_gets_at_most_an_info_string() {
    let mut engine = Engine::uci();
    for junk in ["xboard", "protover 2", "foo bar", "uc", "isreadyfoo", "ucinewgamex"] {
        let lines = engine.ask(junk);
        assert_eq!(lines.len(), 1, "{junk}: {lines:?}");
        assert!(lines[0].starts_with("info string error: expected a command"), "{junk}: {lines:?}");
    }
    engine.send("uci");
    engine.until("uciok");
    assert_eq!(engine.ask("debug on"), [""; 0]);
    assert_eq!(engine.ask("joho debug on"), [""; 0], "unknown words before a command are skipped");
    assert_eq!(engine.ask("register later"), [""; 0]);
}

#[test]
fn blanks_line_endings_and_foreign_bytes_are_survived() {
    let mut engine = Engine::uci();
    engine.write(b"\r\n\n   \t \n\tisready\t\r\n");
    assert_eq!(engine.until("readyok"), ["readyok"]);
    engine.write(b"\xff\xfe\x00\x80\n  uci  \r\n");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("info string "));
    engine.write(b"position   startpos\tmoves   e2e4  \r\n");
    assert!(engine.fen().starts_with("rnbqkbnr/pppppppp/8/8/4P3/"));
}

/// Some programs write it before their first line.
#[test]
fn a_byte_order_mark_before_a_command_is_dropped() {
    let mut engine = Engine::uci();
    engine.write(b"\xef\xbb\xbfuci\r\nisready\r\n");
    let lines = engine.until("uciok");
    assert!(lines[0].starts_with("id name Zugwerk"), "{lines:?}");
    engine.until("readyok");
}

#[test]
fn isready_is_answered_during_a_search_without_stopping_it() {
    let mut engine = Engine::uci();
    engine.send("go infinite");
    for _ in 0..3 {
        engine.send("isready");
        engine.until("readyok");
    }
    engine.expect_no_answer();
    engine.send("stop");
    engine.until("bestmove");
}

#[test]
fn a_stop_is_answered_at_once() {
    let mut engine = Engine::uci();
    assert_takes_less(Duration::from_millis(250), "the answer", || {
        engine.send("go infinite");
        std::thread::sleep(Duration::from_millis(200));
        let start = Instant::now();
        engine.send("stop");
        engine.until("bestmove");
        start.elapsed()
    });
}

#[test]
fn go_and_stop_in_one_write_are_never_lost() {
    let mut engine = Engine::uci();
    for _ in 0..200 {
        engine.write("go infinite\nstop\n");
        engine.until("bestmove");
    }
    assert_eq!(engine.answers(), [""; 0], "one answer each");
}

#[test]
fn a_second_go_stops_the_first_and_both_are_answered() {
    let mut engine = Engine::uci();
    engine.write("position startpos\ngo infinite\nposition startpos moves e2e4\ngo depth 2\n");
    let first = engine.until("bestmove").pop().unwrap();
    let second = engine.until("bestmove").pop().unwrap();
    assert!(matches!(&field(&first, "bestmove")[1..2], "1" | "2"), "White moves first: {first}");
    assert!(matches!(&field(&second, "bestmove")[1..2], "7" | "8"), "then Black: {second}");
    assert_eq!(engine.answers(), [""; 0]);
}

#[test]
fn many_searches_in_one_write_are_all_answered() {
    let mut engine = Engine::uci();
    engine.write("go infinite\n".repeat(20) + "stop\n");
    for _ in 0..20 {
        engine.until("bestmove");
    }
    assert_eq!(engine.answers(), [""; 0]);
}

#[test]
fn idle_stop_and_ponderhit_do_nothing() {
    let mut engine = Engine::uci();
    assert_eq!(engine.ask("stop\nponderhit\nstop"), [""; 0]);
    engine.go("go depth 1");
    assert_eq!(engine.ask("stop\nponderhit"), [""; 0]);
}

#[test]
fn a_position_sent_during_a_search_is_for_the_next_one() {
    let mut engine = Engine::uci();
    engine.send("go infinite");
    engine.send("position startpos moves e2e4");
    assert!(engine.fen().contains(" b "));
    engine.send("stop");
    let line = engine.until("bestmove").pop().unwrap();
    assert!(matches!(&field(&line, "bestmove")[1..2], "1" | "2"), "{line}");
}

#[test]
fn new_games_and_options_during_a_search_leave_it_alone() {
    let mut engine = Engine::uci();
    engine.send("go infinite");
    engine.send(
        "ucinewgame\nsetoption name Hash value 2\nsetoption name Clear Hash\nsetoption name Threads value 2",
    );
    engine.expect_no_answer();
    engine.send("stop");
    engine.until("bestmove");
    engine.go("go depth 3");
    assert_eq!(engine.answers(), [""; 0]);
}

#[test]
fn quit_ends_the_process_at_once_with_success() {
    for situation in [
        "",
        "uci\n",
        "go infinite\n",
        "go depth 99\n",
        "go ponder wtime 1000 btime 1000\n",
        "go perft 12\n",
        "bench 99\n",
    ] {
        let start = Instant::now();
        let mut engine = Engine::uci();
        engine.write(format!("{situation}quit\n"));
        assert!(engine.exit_status().success(), "{situation:?}");
        assert!(start.elapsed() < AT_LAST, "{situation:?}: {:?}", start.elapsed());
    }
}

#[test]
fn a_search_without_a_limit_answers_at_the_end_of_the_input() {
    for go in ["go", "go infinite", "go infinite depth 99", "go ponder wtime 1000 btime 1000", "go ponder"] {
        let mut engine = Engine::uci();
        engine.send(go);
        assert!(engine.end().success(), "{go}");
        let rest = engine.rest();
        assert!(rest.last().is_some_and(|line| line.starts_with("bestmove ")), "{go}: {rest:?}");
    }
}

/// As in `printf 'go depth 12\n' | zugwerk`.
#[test]
fn what_ends_by_itself_is_finished_at_the_end_of_the_input() {
    for (lines, last, inside) in [
        ("go depth 12\n", "bestmove ", "info depth 12 "),
        ("go nodes 50000", "bestmove ", " nodes 50000 "),
        ("go movetime 300\n", "bestmove ", "info depth "),
        ("go wtime 3000 btime 3000\n", "bestmove ", "info depth "),
        ("position fen 7k/8/5KQ1/8/8/8/8/8 w - - 0 1\ngo mate 1\n", "bestmove g6g7", " score mate 1 "),
        ("go ponder depth 9\nponderhit\n", "bestmove ", "info depth 9 "),
        // What comes while it searches is done too.
        ("go depth 12\nisready\nposition startpos moves e2e4\n", "bestmove ", "info depth 12 "),
        ("go infinite\ngo depth 9\n", "bestmove ", "info depth 9 "),
        ("go perft 3\n", "Nodes searched: 8902", "e2e4: 600"),
        ("bench 1\n", "", " nps"),
        ("setoption name Hash value 64\nisready\n", "readyok", "readyok"),
    ] {
        let mut engine = Engine::uci();
        engine.write(lines);
        assert!(engine.end().success(), "{lines:?}");
        let rest = engine.rest();
        assert!(rest.last().is_some_and(|line| line.starts_with(last)), "{lines:?}: {rest:?}");
        assert!(rest.iter().any(|line| line.contains(inside)), "{lines:?}: {rest:?}");
    }
}

/// Its last line would be taken for the signature of the search.
#[test]
fn a_benchmark_cut_short_has_no_result() {
    let mut engine = Engine::uci();
    engine.write("bench 60\nquit\n");
    engine.end();
    assert_eq!(engine.rest(), ["info string bench was stopped"]);
}

#[test]
fn a_search_cut_short_by_quit_still_answers() {
    let mut engine = Engine::uci();
    engine.write("go infinite\nquit\n");
    engine.end();
    let rest = engine.rest();
    assert!(rest.last().is_some_and(|line| line.starts_with("bestmove ")), "{rest:?}");
}

#[test]
fn lines_of_any_length_are_survived() {
    let mut engine = Engine::uci();
    let shuffle = "g1f3 g8f6 f3g1 f6g8 ".repeat(400);
    assert_eq!(engine.ask(&format!("position startpos moves {shuffle}")), [""; 0]);
    assert!(engine.fen().starts_with("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 1600 801"));
    let lines = engine.ask(&"x".repeat(3 << 20));
    assert_eq!(lines.len(), 1);
    assert!(lines[0].starts_with("info string error: expected a line of at most"), "{lines:?}");
    assert!(engine.ask(&"y".repeat(100_000))[0].len() < 200, "long input is not echoed whole");
}
