//! Tests of `go`: every combination of limits gets one legal answer, in time.

use std::time::{Duration, Instant};

use zugwerk::chess::position::Position;

use super::{
    driver::{AT_LAST, Engine, field},
    timing::assert_takes_less,
};

/// Asserts that `text` is a legal move of the starting position.
fn assert_opening(text: &str) {
    assert!(Position::default().find_move(text).is_ok(), "{text}");
}

#[test]
fn any_mixture_of_limits_is_answered_fast_with_a_legal_move() {
    let lines = [
        "go depth 1",
        "go depth 0",
        "go nodes 1",
        "go nodes 0",
        "go movetime 0",
        "go movetime 1",
        "go movetime -100",
        "go wtime 1",
        "go wtime 1 btime 1",
        "go wtime 0 btime 0",
        "go wtime -50 btime -50",
        "go wtime -5000 btime -50 winc -3 binc -3",
        "go btime 100",
        "go wtime 100",
        "go wtime 100 btime 100 movestogo 0",
        "go wtime 100 btime 100 winc 0 binc 0 movestogo 1",
        "go movestogo 1000 binc 1 winc 1 btime 100 wtime 100",
        "go depth 2 wtime 99999999999999999999 btime 99999999999999999999",
        "go nodes 500 depth 100000",
        "go nodes 99999999999999999999 depth 2",
        "go movetime 30 depth 240",
        "go searchmoves e2e4 d2d4 depth 2",
        "go depth 2 searchmoves e2e4 d2d4",
        "go searchmoves depth 2",
        "GO DEPTH 2",
        "go\tdepth  2 ",
        "go wtime 100.5 btime 100.5",
    ];
    let mut engine = Engine::uci();
    for line in lines {
        let start = Instant::now();
        let answer = engine.go(line);
        assert!(start.elapsed() < AT_LAST, "{line}: {:?}", start.elapsed());
        assert_opening(field(answer.last().unwrap(), "bestmove"));
        assert!(!answer.iter().any(|l| l.starts_with("info string")), "{line}: {answer:?}");
    }
    assert_eq!(engine.answers(), [""; 0], "one answer each");
}

#[test]
fn a_mate_that_was_asked_for_ends_the_search() {
    let mut engine = Engine::uci();
    engine.send("position fen 3k4/6R1/8/4R3/8/8/8/7K w - - 0 1");
    for lines in [1, 2] {
        engine.send(&format!("setoption name MultiPV value {lines}"));
        for go in ["go mate 2", "go mate 3"] {
            let answer = engine.go(go);
            let mates = |line: &String| line.contains(&format!(" multipv {lines} score mate 2 "));
            assert!(answer.iter().any(mates), "{go}: {answer:?}");
        }
    }
    for none in ["go mate 0", "go mate -1"] {
        for limit in ["", " depth 2"] {
            let mut answer = engine.go(&format!("{none}{limit}"));
            answer.retain(|line| line.starts_with("info string"));
            assert_eq!(answer.len(), 1, "{none}: {answer:?}");
            assert!(answer[0].contains("expected a mate in one or more moves, got"), "{none}: {answer:?}");
        }
    }
}

/// As with other engines, the search goes on. It plays a move when no stop can come any more.
#[test]
fn a_mate_that_is_not_found_is_searched_for_until_a_stop_or_the_end_of_the_input() {
    for is_stopped in [true, false] {
        let mut engine = Engine::uci();
        engine.send("position fen 4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1");
        engine.send("go mate 1");
        if is_stopped {
            engine.expect_no_answer();
            engine.send("stop");
            engine.until("bestmove ");
        }
        engine.end();
        let rest = engine.rest();
        assert_eq!(
            rest.iter().filter(|line| line.starts_with("bestmove ")).count(),
            usize::from(!is_stopped)
        );
    }
}

#[test]
fn either_clock_alone_bounds_either_side() {
    let mut engine = Engine::uci();
    for (position, go) in [
        ("position startpos", "go wtime 100"),
        ("position startpos", "go btime 100"),
        ("position startpos moves e2e4", "go wtime 100"),
        ("position startpos moves e2e4", "go btime 100"),
    ] {
        let start = Instant::now();
        engine.send(position);
        engine.go(go);
        assert!(start.elapsed() < AT_LAST, "{position}, {go}: {:?}", start.elapsed());
    }
}

#[test]
fn words_that_make_no_sense_are_reported_and_left_out() {
    let cases = [
        ("go depth 2 nodes 1e6", "1e6"),
        ("go depth 2 wtime abc", "abc"),
        ("go depth 2 foo 7", "foo 7"),
        ("go nodes depth 2", "nodes"),
        ("go depth 2 searchmoves e2e4 O-O", "o-o"),
        ("go depth 2 searchmoves e2e4 e2e5", "e2e5"),
        ("go depth 2 searchmoves e2e5 a1a8", "e2e5 a1a8"),
    ];
    let mut engine = Engine::uci();
    for (line, culprit) in cases {
        let answer = engine.go(line);
        let answers_to_bad: Vec<_> = answer.iter().filter(|l| l.starts_with("info string")).collect();
        assert_eq!(answers_to_bad.len(), 1, "{line}: {answer:?}");
        assert!(
            answers_to_bad[0].contains("expected ") && answers_to_bad[0].contains(culprit),
            "{line}: {answers_to_bad:?}"
        );
        assert_opening(field(answer.last().unwrap(), "bestmove"));
    }
}

#[test]
fn perft_too_names_what_it_leaves_out() {
    let mut engine = Engine::uci();
    engine.send("go perft 1 foo");
    let lines = engine.until("Nodes searched: 20");
    assert!(lines[0].contains("expected ") && lines[0].contains("foo"), "{lines:?}");
    engine.send("go perft x foo");
    let told = "info string error: expected a number after each field of `go`, got \"perft x\"; expected only words of the protocol";
    assert!(engine.until("info string")[0].starts_with(told));
    engine.expect_no_answer();
}

#[test]
fn a_search_whose_end_cannot_be_read_is_given_one() {
    let mut engine = Engine::uci();
    for line in [
        "go depth abc",
        "go depth",
        "go nodes 1e6",
        "go movetime x",
        "go mate one",
        "go wtime abc btime abc",
        "go winc abc",
        "go dpeth 8",
        "go movestogo 20",
        "go searchmoves O-O",
    ] {
        let start = Instant::now();
        let answer = engine.go(line);
        assert!(start.elapsed() < AT_LAST, "{line}: {:?}", start.elapsed());
        assert!(answer.iter().any(|l| l.starts_with("info string error: expected ")), "{line}: {answer:?}");
        assert_opening(field(answer.last().unwrap(), "bestmove"));
    }
    engine.send("go ponder depth abc");
    engine.expect_no_answer();
    engine.send("ponderhit");
    engine.until("bestmove");
}

#[test]
fn moves_to_go_without_clocks_limit_nothing() {
    let mut engine = Engine::uci();
    for (line, bound) in
        [("go movestogo 40 depth 5", "depth 5 "), ("go movestogo 1 nodes 500", " nodes 500 ")]
    {
        let answer = engine.go(line);
        assert!(
            answer[0].starts_with("info string error: expected clocks beside `movestogo`"),
            "{line}: {answer:?}"
        );
        assert!(answer[answer.len() - 2].contains(bound), "{line}: {answer:?}");
    }
}

#[test]
fn increments_without_clocks_are_the_clocks() {
    let mut engine = Engine::uci();
    for line in [
        "go winc 1000 binc 1000 movestogo 20",
        "go winc 500",
        "go binc 500",
        "go winc 0 binc 0",
        "go ponder winc 9",
    ] {
        let start = Instant::now();
        engine.send(line);
        if line.contains("ponder") {
            engine.expect_no_answer();
            engine.send("ponderhit");
        }
        let answer = engine.until("bestmove");
        assert!(start.elapsed() < AT_LAST, "{line}: {:?}", start.elapsed());
        assert!(!answer.iter().any(|l| l.starts_with("info string")), "{line}: {answer:?}");
    }
}

#[test]
fn time_pondered_counts_when_the_hit_comes() {
    let mut engine = Engine::uci();
    assert_takes_less(Duration::from_millis(150), "from the hit", || {
        engine.send("ucinewgame\nposition startpos moves e2e4 e7e5 g1f3 b8c6\nisready");
        engine.until("readyok");
        engine.send("go ponder wtime 20000 btime 20000");
        std::thread::sleep(Duration::from_millis(2500));
        let hit = Instant::now();
        engine.send("ponderhit");
        engine.until("bestmove");
        hit.elapsed()
    });
}

#[test]
fn a_large_table_takes_no_time_from_the_clock_after_readyok() {
    let mut engine = Engine::uci();
    let mut size = 1024;
    assert_takes_less(Duration::from_millis(200), "100 ms", || {
        let options = format!("setoption name Hash value {size}\nsetoption name Threads value 2\nucinewgame");
        assert_eq!(engine.ask(&options), [""; 0]);
        size += 64;
        let start = Instant::now();
        engine.send("go movetime 100");
        engine.until("bestmove");
        start.elapsed()
    });
}

#[test]
fn a_search_that_does_not_wait_for_readyok_is_answered_when_the_table_is_there() {
    let mut engine = Engine::uci();
    let mut size = 512;
    for go in ["go movetime 60", "go infinite\nstop", "isready\ngo movetime 60", "ucinewgame\ngo movetime 60"]
    {
        assert_takes_less(AT_LAST, go, || {
            size = if size == 512 { 576 } else { 512 };
            let start = Instant::now();
            engine.write(format!("setoption name Hash value {size}\n{go}\n"));
            engine.until("bestmove");
            start.elapsed()
        });
    }
    assert_eq!(engine.answers(), [""; 0]);
}

#[test]
fn a_size_set_during_a_search_does_not_delay_the_answer_to_stop() {
    let mut engine = Engine::uci();
    let mut size = 1024;
    assert_takes_less(Duration::from_millis(50), "after a stop", || {
        size += 64;
        engine.send("go infinite");
        engine.until("info depth 5 ");
        engine.write(format!("setoption name Hash value {size}\nisready\nstop\n"));
        let start = Instant::now();
        engine.until("bestmove");
        start.elapsed()
    });
}

#[test]
fn searchmoves_restricts_the_root() {
    let mut engine = Engine::uci();
    assert_eq!(engine.best_move("go searchmoves a2a3 depth 3"), "a2a3");
    assert_eq!(engine.best_move("go depth 3 searchmoves H2H4"), "h2h4");
    engine.send("position fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_eq!(engine.best_move("go depth 3 searchmoves e1g1"), "e1g1");
    assert_eq!(engine.best_move("go depth 3 searchmoves e1h1"), "e1g1");
}

#[test]
fn an_unlimited_search_waits_for_stop_however_little_there_is_to_search() {
    let mate_in_one = "position fen 7k/8/5KQ1/8/8/8/8/8 w - - 0 1";
    let mut engine = Engine::uci();
    for go in [
        "go infinite",
        "go",
        "go infinite depth",
        "go searchmoves",
        "go infinite depth 1",
        "go depth 1 infinite",
    ] {
        engine.send(mate_in_one);
        engine.send(go);
        engine.expect_no_answer();
        engine.send("stop");
        let answer = engine.until("bestmove");
        assert_eq!(answer.len(), answer.iter().filter(|l| !l.starts_with("bestmove")).count() + 1, "{go}");
    }
}

#[test]
fn pondering_waits_for_the_hit_and_then_minds_the_clock() {
    let mut engine = Engine::uci();
    for go in [
        "go ponder wtime 200 btime 200",
        "go wtime 200 btime 200 ponder",
        "go ponder movetime 50",
        "go ponder depth 1",
        "go ponder",
    ] {
        engine.send("position startpos moves e2e4 e7e5");
        engine.send(go);
        engine.expect_no_answer();
        let start = Instant::now();
        engine.send("ponderhit");
        engine.until("bestmove");
        assert!(start.elapsed() < AT_LAST, "{go}: {:?}", start.elapsed());
    }
    engine.send("go ponder wtime 60000 btime 60000");
    engine.expect_no_answer();
    engine.send("stop");
    engine.until("bestmove");
    assert_eq!(engine.answers(), [""; 0]);
}

#[test]
fn a_root_without_moves_is_scored_and_answered_with_none() {
    let mated = "position fen R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1";
    let stalemate = "position fen 7k/5Q2/6K1/8/8/8/8/8 b - - 0 1";
    let mut engine = Engine::uci();
    for (position, score) in [(mated, "mate 0"), (stalemate, "cp 0")] {
        let expected = [format!("info depth 0 score {score}"), "bestmove (none)".to_owned()];
        engine.send(position);
        assert_eq!(engine.go("go depth 5"), expected);
        assert_eq!(engine.go("go wtime 1000 btime 1000"), expected);
        for (go, end) in [("go infinite", "stop"), ("go ponder wtime 100 btime 100", "ponderhit")] {
            engine.send(go);
            assert_eq!(engine.until("info"), expected[..1], "{go}: the score at once");
            engine.expect_silence();
            engine.send(end);
            assert_eq!(engine.until("bestmove"), expected[1..], "{go}");
        }
    }
}

#[test]
fn perft_counts_move_by_move() {
    let mut engine = Engine::uci();
    engine.send("go perft 3");
    let lines = engine.until("Nodes searched: 8902");
    let counts: Vec<u64> = lines.iter().filter_map(|line| line.split_once(": ")?.1.parse().ok()).collect();
    assert_eq!(counts.len(), 21);
    assert_eq!(counts[..20].iter().sum::<u64>(), 8902);
    assert!(lines.contains(&"e2e4: 600".to_owned()), "{lines:?}");
    assert_eq!(engine.answers(), [""; 0], "no best move follows");
}

#[test]
fn perft_answers_stop_and_isready() {
    let mut engine = Engine::uci();
    engine.send("go perft 100000");
    assert_eq!(engine.answers().iter().filter(|line| line.starts_with("Nodes")).count(), 0);
    engine.send("stop");
    engine.until("info string perft was stopped");
    engine.go("go depth 1");
}

#[test]
fn move_time_is_kept() {
    let mut engine = Engine::uci();
    engine.go("go depth 1");
    let start = Instant::now();
    engine.go("go movetime 300");
    let took = start.elapsed();
    assert!((150..900).contains(&took.as_millis()), "{took:?}");
}
