//! Every fault is reported in PGN, report and terminal. It loses the game, a breakdown only when it is
//! repeated.

use std::path::Path;
use std::time::{Duration, Instant};

use zugwerk::arena::MatchPlan;
use zugwerk::arena::Patience;
use zugwerk::arena::schedule::{Form, Schedule};
use zugwerk::halt::Halt;

use crate::{Finished, Run, double::OWN_TIME, double_with, match_of, send, wait_until};

/// Plays four games of a faulty engine against a correct one, in two slots.
fn against_sound(fault: &str) -> Finished {
    // The others have no limit of time, because a busy machine delays their moves.
    let limits = if ["silent", "deaf", "slow"].contains(&fault) { "st=0.1,margin=100" } else { "nodes=1" };
    Run::new(fault, 4)
        .double("Faulty", fault, limits)
        .double("Sound", "none", "nodes=1")
        .args("--concurrency 2 --max-moves 30 --verbose --recover --patience 5")
        .finish(0)
}

/// All four games must be lost by `termination`, with `comment` in the PGN.
fn loses_by(fault: &str, termination: &str, comment: &str) -> Finished {
    let finished = against_sound(fault);
    assert_eq!(finished.report["played"], 4, "the match goes on");
    assert_eq!(finished.terminations(), [termination]);
    for game in &finished.games {
        let loser = if game.tag("White") == "Faulty" { "0-1" } else { "1-0" };
        assert_eq!(game.tag("Result"), loser);
    }
    assert_eq!(finished.player(0)["faults"][termination], 4);
    assert_eq!(finished.player(1)["faults"].as_object().unwrap().len(), 0, "the sound player has none");
    let told = finished.stderr.lines().filter(|line| line.contains(comment)).count();
    assert_eq!(told, 4, "{comment}\n{}", finished.stderr);
    finished
}

/// All four games must be abandoned by a breakdown, played once more, and lost by the same breakdown.
fn loses_by_two(fault: &str, breakdown: &str, comment: &str) -> Finished {
    let finished = against_sound(fault);
    assert_eq!(finished.report["played"], 4, "the match goes on");
    for round in ["1.1", "1.2", "2.1", "2.2"] {
        let games: Vec<_> = finished.games.iter().filter(|game| game.tag("Round") == round).collect();
        let loser = if games[0].tag("White") == "Faulty" { "0-1" } else { "1-0" };
        let ends = games.iter().map(|game| (game.tag("Result"), game.tag("Termination")));
        assert!(ends.eq([("*", "abandoned"), (loser, breakdown)]), "round {round}");
    }
    assert_eq!(finished.player(0)["faults"][breakdown], 8);
    assert_eq!(finished.player(1)["faults"].as_object().unwrap().len(), 0, "the sound player has none");
    let told = finished.stderr.lines().filter(|line| line.contains(comment)).count();
    assert_eq!(told, 8, "{comment}\n{}", finished.stderr);
    finished
}

#[test]
fn an_illegal_move() {
    loses_by("illegal", "illegal move", "makes an illegal move: e1e5");
    loses_by("null", "illegal move", "makes an illegal move: 0000");
    loses_by("empty", "illegal move", "makes an illegal move: nothing");
    loses_by("garbage-move", "illegal move", "makes an illegal move: {\"x\"}");
}

/// UCI has no `O-O`. Other referees call it illegal; a lenient one plays it and warns.
#[test]
fn castling_in_another_notation() {
    let openings = Path::new(env!("CARGO_TARGET_TMPDIR")).join("castling.epd");
    std::fs::write(&openings, "4k3/8/8/8/8/8/PPPPPPPP/4K2R w K - 0 1\n").unwrap();
    for (name, args, castled) in [("castling", "", 0), ("castling-lenient", "--lenient", 1)] {
        let mut run = Run::new(name, 2).double("Faulty", "castles-in-san", "nodes=1");
        run.command.arg("--openings").arg(&openings);
        let finished = run.double("Sound", "none", "nodes=1").args("--max-moves 5").args(args).finish(0);
        let game = finished.games.iter().find(|game| game.tag("Round") == "1.1").unwrap();
        assert_eq!(game.tag("Termination") == "illegal move", castled == 0, "{}", finished.stderr);
        assert_eq!(game.line.moves().iter().filter(|mv| mv.is_castle()).count(), castled);
        let warnings = |player| finished.player(player)["warnings"]["other_notation"].as_u64().unwrap();
        assert_eq!((warnings(0), warnings(1)), (castled as u64, 0));
    }
}

#[test]
fn silence() {
    loses_by_two("silent", "stall", "stalls: no bestmove within 5.2 s");
    loses_by_two("deaf", "stall", "stalls: no bestmove within 5.2 s");
}

/// A player without a limit on its time has none to lose by.
#[test]
fn a_search_without_an_end() {
    let patience = Patience { search: Duration::from_secs(5), ..Patience::default() };
    let game = MatchPlan { patience, recover: true, ..match_of(["endless", "none"]) };
    let mut endings = Vec::new();
    let mut note = |ending: String| endings.push(ending);
    let (mut standings, halt) = (game.standings(), Halt::default());
    game.run(&mut standings, None, &halt, &mut |news| note(news.played.ending.to_string())).unwrap();
    let stalls =
        ["White", "White", "Black", "Black"].map(|side| format!("{side} stalls: no bestmove within 5.0 s"));
    assert_eq!(endings, stalls);
}

#[test]
fn a_crash_in_the_middle_of_a_game() {
    let finished = loses_by_two("crash", "crash", "crashes: exit code 3");
    // The game was played until the crash: three moves of the faulty player after the opening.
    assert!(finished.games.iter().all(|game| game.line.moves().len() >= 6));
    loses_by_two("half-a-line", "crash", "crashes: exit code 3");
}

/// If the players break down in turn, neither is alone at fault, and the game has no result.
#[test]
fn a_game_in_which_both_players_break_down_stays_open() {
    let settings = marked("both");
    let run =
        Run::new("both", 2).double("A", "crash-once", &settings).double("B", "crash-with-marker", &settings);
    let finished = run.args("--recover --max-moves 30").finish(0);
    let ends = finished.games.iter().map(|game| (game.tag("Round"), game.tag("Termination")));
    assert!(ends.eq([("1.1", "abandoned"), ("1.1", "abandoned"), ("1.2", "abandoned"), ("1.2", "crash")]));
    assert_eq!(finished.report["played"], 1);
    assert_eq!(finished.report["abandoned"], serde_json::json!(["1.1 A - B"]));
    assert_eq!(finished.report["pairings"][0]["pentanomial"], serde_json::json!([0, 0, 0, 0, 0]));
    let crashes = [0, 1].map(|player| finished.player(player)["faults"]["crash"].as_u64());
    assert_eq!(crashes, [Some(1), Some(3)]);
}

/// Settings with a marker that does not exist.
fn marked(name: &str) -> String {
    let marker = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}.marker"));
    let _ = std::fs::remove_file(&marker);
    format!("nodes=1,arg=marker:{}", marker.display())
}

/// The ratings have not changed then, and before the first game there are none.
#[test]
fn an_abandoned_game_prints_no_ratings() {
    let run =
        Run::new("ratings", 2).double("A", "none", "nodes=1").double("B", "crash-once", &marked("ratings"));
    let finished = run.double("C", "none", "nodes=1").args("--recover --max-moves 6").finish(0);
    assert_eq!(finished.games.len(), 7, "one is abandoned, and played again");
    assert_eq!(finished.stderr.matches("rank  player").count(), 5, "{}", finished.stderr);
}

/// A forfeit by a breakdown is no win: `--resume` plays the game again, however often it breaks down.
#[test]
fn an_abandoned_game_is_played_again_by_resume() {
    let settings = marked("abandoned");
    let play = |run: Run, code| {
        run.double("A", "none", "nodes=1")
            .double("B", "crash-without-marker", &settings)
            .args("--max-moves 10")
            .finish(code)
    };
    let first = Run::new("abandoned", 2);
    let pgn = first.pgn.clone();
    for games in 1..=2 {
        let run =
            if games == 1 { Run::again(pgn.clone(), 2) } else { Run::again(pgn.clone(), 2).args("--resume") };
        let finished = play(run, 2);
        assert_eq!(finished.terminations(), ["abandoned"]);
        assert_eq!((&finished.report["played"], finished.games.len()), (&0.into(), games));
        assert_eq!(finished.report["abandoned"], serde_json::json!(["1.1 A - B"]));
        assert_eq!(
            finished.report["pairings"][0]["games"],
            serde_json::json!({"wins": 0, "draws": 0, "losses": 0})
        );
    }
    std::fs::write(settings.split_once("marker:").unwrap().1, "").unwrap();
    let finished = play(Run::again(pgn, 2).args("--resume"), 0);
    let told = "holds 0 of 2 games, and 1 abandoned one that is played again";
    assert!(finished.stderr.contains(told), "{}", finished.stderr);
    assert_eq!((&finished.report["played"], finished.games.len()), (&2.into(), 4));
    assert_eq!(finished.report["abandoned"], serde_json::json!([]));
}

#[test]
fn slowness() {
    loses_by("slow", "time forfeit", "loses on time: used ");
}

/// Running out of time or an illegal move against a bare king costs half a point (FIDE Laws of Chess, 6.9 and
/// 7.5.5), and is counted all the same, also when the match is resumed.
#[test]
fn faults_against_a_bare_king() {
    let openings = Path::new(env!("CARGO_TARGET_TMPDIR")).join("bare-king.epd");
    std::fs::write(&openings, "4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1\n").unwrap();
    for (fault, limit, termination, comment) in [
        (
            "slow",
            "st=0.1,margin=100",
            "time forfeit",
            "runs out of time, but the opponent cannot mate: used ",
        ),
        ("illegal", "nodes=1", "illegal move", "makes an illegal move, but the opponent cannot mate: e1e5"),
    ] {
        let finish = |run: Run| {
            let mut run = run.double("Faulty", fault, limit);
            run.command.arg("--openings").arg(&openings);
            run.double("Sound", "none", "nodes=1").finish(0)
        };
        let run = Run::new(&format!("{fault}-bare-king"), 2);
        let pgn = run.pgn.clone();
        let finished = finish(run);
        assert_eq!(finished.terminations(), [termination]);
        let results = finished.games.iter().map(|game| (game.tag("White"), game.tag("Result")));
        assert_eq!(results.collect::<Vec<_>>(), [("Faulty", "1/2-1/2"), ("Sound", "1-0")]);
        let drawn = format!("1/2-1/2 (White {comment}");
        assert!(finished.stderr.contains(&drawn), "{}", finished.stderr);
        assert_eq!(finished.player(0)["faults"][termination], 2);
        let resumed = finish(Run::again(pgn, 2).args("--resume"));
        for player in 0..2 {
            assert_eq!(resumed.player(player)["faults"], finished.player(player)["faults"]);
        }
    }
}

/// Nor does a program that is no engine win or lose a game, with and without `--recover`.
#[test]
fn an_engine_that_does_not_get_ready_ends_the_match_before_its_first_game() {
    for (recover, settings, why) in [
        ("", double_with("Faulty", "no-uciok", "nodes=1"), "it stalls: no uciok within 0.5 s"),
        ("--recover", double_with("Faulty", "no-uciok", "nodes=1"), "it stalls: no uciok within 0.5 s"),
        ("--recover", "cmd=false,name=Faulty".to_owned(), "it crashes: exit code 1"),
    ] {
        let mut run = Run::new("unready", 2).double("Sound", "none", "nodes=1");
        run.command.args(["--engine", &settings]);
        let output = run.args(&format!("--patience 0.5 {recover}")).command.output().unwrap();
        let told = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), told.lines().count()), (Some(2), 1), "{told}");
        assert!(told.contains("cannot start Faulty (") && told.contains(why), "{told}");
    }
}

#[test]
fn no_readyok() {
    loses_by_two("no-readyok", "stall", "stalls: no readyok within 5.0 s");
}

/// A breach of the protocol that leaves the game valid does not lose it, but is counted and, with
/// `--verbose`, told.
#[test]
fn early_moves_garbage_and_bad_reports_are_warnings() {
    for (fault, warning, told) in [
        ("early-bestmove", "unasked_bestmove", "unasked: bestmove a1a1"),
        ("garbage", "junk_lines", "lines that are not UCI"),
        ("no-score", "missing_score", "missing score in "),
        ("bad-pv", "illegal_pv", "illegal pv in "),
        ("unlike-pv", "unlike_pv", "best move unlike pv in "),
        ("truncated-pv", "truncated_pv", "truncated pv in "),
        ("bad-ponder", "illegal_ponder", "illegal ponder move in "),
    ] {
        let finished = against_sound(fault);
        assert_eq!(finished.player(0)["faults"].as_object().unwrap().len(), 0, "{fault}");
        assert!(finished.terminations().iter().all(|end| ["normal", "adjudication"].contains(end)));
        let count = |player| finished.player(player)["warnings"][warning].as_u64().unwrap();
        assert!(count(0) > 0, "{fault}");
        assert_eq!(count(1), 0, "the sound player has no warnings");
        let names = |line: &str| line.starts_with("1.1 Faulty - Sound: Faulty: ") && line.contains(told);
        assert!(finished.stderr.lines().any(names), "{fault}: {}", finished.stderr);
    }
}

/// A move before `ponderhit` is not an answer. The player is asked again, and pays for the time of that
/// search.
#[test]
fn a_move_before_ponderhit_costs_time() {
    // A lone king has few moves, so that many are the expected ones.
    let openings = Path::new(env!("CARGO_TARGET_TMPDIR")).join("answers-early.epd");
    std::fs::write(&openings, "4k3/8/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1\n").unwrap();
    let mut run = Run::new("answers-early", 4).double("Faulty", "answers-early", "nodes=1,ponder=on");
    run.command.arg("--openings").arg(&openings);
    let (run, log) = run.double("Sound", "answers-early", "nodes=1").args("--max-moves 10").logged();
    let finished = run.finish(0);
    let log = std::fs::read_to_string(log).unwrap();
    // On a loaded machine its move may come after `ponderhit`, and then is an answer.
    let talk: Vec<&str> = log.lines().filter(|line| line.contains(" Faulty#2 ")).collect();
    let hits = talk.windows(2).filter(|lines| lines[1].ends_with("> ponderhit"));
    let (early, late): (Vec<_>, Vec<_>) = hits.partition(|lines| lines[0].contains("< bestmove"));
    assert!(!early.is_empty(), "{log}");
    let count = |player| finished.player(player)["warnings"]["unasked_bestmove"].as_u64().unwrap();
    assert!(count(0) >= early.len() as u64 && count(1) == 0, "{} and {}", count(0), count(1));
    let moves = finished.games.iter().flat_map(|game| &game.game.movetext.moves);
    let time =
        |comment: &str| comment.split([' ', ',']).find_map(|word| word.strip_suffix('s')?.parse().ok());
    let times: Vec<f64> = moves.flat_map(|annotated| annotated.comments().filter_map(time)).collect();
    assert!(times.len() > early.len());
    let fast = times.iter().filter(|&&time| time < OWN_TIME.as_secs_f64()).count();
    assert!(fast <= late.len(), "{fast} fast moves, {} late ones\n{log}", late.len());
}

/// A player of another version or network would go on under the same name.
#[test]
fn a_changed_file_of_an_option_ends_the_match() {
    let network = Path::new(env!("CARGO_TARGET_TMPDIR")).join("changed.zwn");
    std::fs::write(&network, "one").unwrap();
    let mut game = match_of(["none", "none"]);
    game.lenient = true;
    game.schedule = Schedule::new(2, Form::RoundRobin, 10);
    game.players[1].options.push(("EvalFile".to_owned(), network.display().to_string()));
    game.players[1].restart = true;
    let (mut standings, halt) = (game.standings(), Halt::default());
    // The next game may have begun before the news of this one.
    let ended = game.run(&mut standings, None, &halt, &mut |_| drop(std::fs::remove_file(&network)));
    let told = ended.unwrap_err().to_string();
    assert!(told.ends_with("changed.zwn was replaced during the match"), "{told}");
    assert!(standings.played() < 20);
}

#[test]
fn chess960_without_its_option_is_a_warning() {
    let run = Run::new("no-chess960", 2).double("Faulty", "no-chess960", "nodes=1");
    let run = run.double("Sound", "none", "nodes=1").args("--chess960 --max-moves 5 --lenient");
    let finished = run.finish(0);
    let told = "Faulty does not announce the option 'UCI_Chess960'\n";
    assert!(finished.stderr.contains(told), "{}", finished.stderr);
    let unknown = |player| finished.player(player)["warnings"]["refused_setting"].as_u64().unwrap();
    assert_eq!((unknown(0), unknown(1)), (1, 0));
}

/// A typing error in an option would void the match, and so would a value that the engine does not take.
#[test]
fn an_option_that_is_not_taken_ends_the_match_before_its_first_game() {
    for (settings, told) in [
        ("option.Hahs=64", "B does not announce the option 'Hahs'; the nearest is 'Hash' (--lenient"),
        ("option.Thread=4", "B does not announce the option 'Thread' (--lenient"),
        ("option.Hash=4096", "B refuses option.Hash=4096: expected a whole number from 1 to 1024 (--lenient"),
        ("option.Ponder=on", "B refuses option.Ponder=on: expected true or false (--lenient"),
        ("option.X=1,option.Hash=no", "option 'X'; B refuses option.Hash=no: expected a whole"),
    ] {
        let run = |name| {
            Run::new(name, 2).double("A", "none", "nodes=1").double(
                "B",
                "none",
                &format!("nodes=1,{settings}"),
            )
        };
        let mut refused = run("strict");
        let (pgn, manifest) = (refused.pgn.clone(), refused.pgn.with_extension("pgn.match.json"));
        let output = refused.command.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!((output.status.code(), stderr.lines().count()), (Some(2), 1), "{stderr}");
        assert!(stderr.contains(told), "{stderr}");
        assert!(!pgn.exists() && !manifest.exists());
        let finished = run("lenient").args("--max-moves 2 --lenient").finish(0);
        let line = told.split(" (--").next().unwrap();
        assert!(line.contains("; B ") || finished.stderr.contains(line), "{}", finished.stderr);
    }
}

/// A button has no value, and an empty text is written `<empty>`: without a value an engine would keep its
/// default.
#[test]
fn options_are_set_as_their_types_require() {
    let settings = "nodes=1,option.clear hash=on,option.Book File=,option.Move Overhead=5";
    let run = Run::new("options", 2).double("A", "none", settings).double("B", "none", "nodes=1");
    let (run, log) = run.args("--max-moves 1").logged();
    let finished = run.finish(0);
    let log = std::fs::read_to_string(log).unwrap();
    let set: Vec<&str> = log.lines().filter_map(|line| Some(line.split_once(" > setoption ")?.1)).collect();
    let expected = ["name clear hash", "name Book File value <empty>", "name Move Overhead value 5"];
    assert_eq!(set, [expected, expected].concat(), "before the match, and for the games");
    assert_eq!(finished.player(0)["warnings"]["refused_setting"], 0);
}

/// A process that ends between games is restarted, and no game is lost by it.
#[test]
fn death_between_games_costs_no_game() {
    let finished = against_sound("dies-between-games");
    assert_eq!(finished.player(0)["faults"].as_object().unwrap().len(), 0);
    // In each of the two slots it ends before the second game, if the slot gets that far; never before the
    // first.
    let restarts = finished.player(0)["warnings"]["restarts"].as_u64().unwrap();
    assert!((1..=3).contains(&restarts), "{restarts}");
}

/// The end of a game stops the pondering of the player that moved last.
#[test]
fn death_at_the_end_of_a_game_is_a_warning() {
    let run = Run::new("dies-on-stop", 2).double("Faulty", "dies-on-stop", "nodes=1,ponder=on");
    let finished = run.double("Sound", "none", "nodes=1").args("--max-moves 1").finish(0);
    assert_eq!(finished.terminations(), ["adjudication"]);
    let restarts = |player| finished.player(player)["warnings"]["restarts"].as_u64().unwrap();
    assert_eq!((restarts(0), restarts(1)), (1, 0), "it ponders only when it has White");
}

/// Without `--recover` an engine that breaks down or keeps running out of time ends the match, and one line
/// gives the reason.
#[test]
fn an_engine_that_is_not_fit_to_play_ends_the_match() {
    for (fault, games, why) in [
        ("crash", 1, "Faulty crashes: exit code 3 (double: out of luck) (game 1.1): --log"),
        ("silent", 1, "Faulty stalls: no bestmove within 5.2 s (game 1.1): --log"),
        ("stuck", 1, "Faulty stalls: no bestmove within 5.2 s (double: stuck) (game 1.1): --log"),
        ("no-readyok", 1, "Faulty stalls: no readyok within 5.0 s (game 1.1): --log"),
        ("slow", 3, "Faulty ran out of time in 3 of its last 10 games: --recover continues"),
        ("illegal", 3, "Faulty made an illegal move in 3 of its last 10 games: --recover continues"),
    ] {
        let run = Run::new(&format!("unfit-{fault}"), 20);
        let run = run.double("Faulty", fault, "st=0.1,margin=100").double("Sound", "none", "nodes=1");
        let finished = run.args("--patience 5").finish(2);
        let last = finished.stderr.lines().last().unwrap_or_default();
        assert!(last.contains(why), "{fault}: {}", finished.stderr);
        // A player may finish one more game before the match learns of the one that ends it.
        let (kept, more) = (finished.games.len(), usize::from(games > 1));
        assert!((games..=games + more).contains(&kept), "{fault}: {kept} games are kept");
    }
}

/// The next process of a player would be another program.
#[cfg(unix)]
#[test]
fn a_replaced_program_ends_the_match() {
    use std::os::unix::fs::PermissionsExt as _;
    let script = Path::new(env!("CARGO_TARGET_TMPDIR")).join("replaced.sh");
    let write = |remark: &str| {
        let text =
            format!("#!/bin/sh\n# {remark}\nexec '{}' \"$@\"\n", std::env::current_exe().unwrap().display());
        std::fs::write(&script, text).unwrap();
        std::fs::set_permissions(&script, std::fs::Permissions::from_mode(0o755)).unwrap();
    };
    write("one");
    let mut game = match_of(["none", "none"]);
    game.schedule = Schedule::new(2, Form::RoundRobin, 10);
    game.players[1].command.clone_from(&script);
    game.players[1].restart = true;
    let (mut standings, halt) = (game.standings(), Halt::default());
    // The next game may have begun before the news of this one.
    let ended = game.run(&mut standings, None, &halt, &mut |_| write("another"));
    let told = ended.unwrap_err().to_string();
    assert!(
        told.starts_with("cannot start B (") && told.ends_with("replaced.sh was replaced during the match"),
        "{told}"
    );
    assert!(standings.played() < 20);
}

#[test]
fn an_overloaded_machine_is_told_from_a_slow_engine() {
    let run = Run::new("overloaded", 20);
    let run = run.double("A", "slow", "st=0.1,margin=100").double("B", "slow", "st=0.1,margin=100");
    let finished = run.finish(2);
    let last = finished.stderr.lines().last().unwrap_or_default();
    assert!(
        last.contains("the machine is overloaded; play fewer games at a time (--concurrency is 1"),
        "{last}"
    );
    assert!(finished.stderr.contains("more than one player runs out of time"), "{}", finished.stderr);
}

#[test]
fn the_log_contains_both_directions_and_standard_error() {
    let log = Path::new(env!("CARGO_TARGET_TMPDIR")).join("talk.log");
    std::fs::write(&log, "the last line of a run that was killed").unwrap();
    let run = Run::new("log", 2).double("Faulty", "crash", "nodes=1").double("Sound", "none", "nodes=1");
    run.args(&format!("--log {}", log.display())).finish(2);
    let text = std::fs::read_to_string(&log).unwrap();
    assert!(text.starts_with("the last line of a run that was killed\n"), "{text}");
    for part in [
        "Sound#1 > uci",
        "Sound#1 < uciok",
        "Faulty#2 > go nodes 1",
        "Faulty#2 < bestmove ",
        "Faulty#2 ! double: out of luck",
    ] {
        assert!(text.lines().any(|line| line.contains(part)), "{part}\n{text}");
    }
}

/// Two games at a time have two processes of each player; a restarted player is another process. The first
/// one is only asked for its options.
#[test]
fn the_log_tells_the_processes_apart() {
    let run =
        Run::new("log-processes", 4).double("A", "none", "nodes=1,restart=on").double("B", "none", "nodes=1");
    let (run, log) = run.args("--max-moves 1 --concurrency 2").logged();
    run.finish(0);
    let log = std::fs::read_to_string(log).unwrap();
    for process in ["A#1", "A#2", "A#3", "A#4", "A#5", "B#1", "B#2"] {
        let greetings = log.lines().filter(|line| line.ends_with(&format!(" {process} > uci")));
        assert_eq!(greetings.count(), 1, "{process}\n{log}");
    }
    assert!(!log.contains(" A#6 ") && !log.contains(" B#4 "), "{log}");
}

#[test]
#[cfg_attr(not(unix), ignore = "needs a shell")]
fn an_engine_that_will_not_quit_is_ended() {
    let engine = double_with("Faulty", "no-quit", "nodes=1");
    // The second one is started by a script that ends.
    let script = r#"cmd=sh,arg=-c,arg=exec 3<&0; "$0" "$@" <&3 &,arg="#;
    for (name, engine) in [("no-quit", engine.clone()), ("launched", engine.replacen("cmd=", script, 1))] {
        let began = Instant::now();
        let mut run = Run::new(name, 4);
        run.command.args(["--engine", &engine]);
        let (run, log) = run
            .double("Sound", "none", "nodes=1")
            .args("--concurrency 2 --max-moves 30 --verbose --recover")
            .logged();
        let finished = run.finish(0);
        assert!(!finished.stderr.contains("quits"), "{name}: {}", finished.stderr);
        assert!(began.elapsed().as_secs() < 60, "it was waited for {:?}", began.elapsed());
        assert!(processes(&log).len() >= 2, "one in each of two slots says who it is");
        assert_eq!(left(&log), [""; 0], "{name}: they are still there");
    }
}

/// It is told once for each player, and changes neither the result nor the exit code.
#[test]
fn an_engine_that_crashes_when_it_quits_is_told() {
    let mut faults = vec![("fails-at-quit", "exit code 7 (double: no goodbye)")];
    if cfg!(unix) {
        faults.push(("aborts-at-quit", "signal: 6 (SIGABRT)"));
    }
    for (fault, status) in faults {
        let run = Run::new(fault, 4).double("Faulty", fault, "nodes=1,restart=on");
        let finished = run.double("Sound", "none", "nodes=1").args("--max-moves 5 --concurrency 2").finish(0);
        assert_eq!(finished.report["played"], 4);
        let told: Vec<&str> = finished.stderr.lines().filter(|line| line.contains("quits")).collect();
        assert_eq!(told.len(), 1, "{}", finished.stderr);
        assert!(told[0].starts_with(&format!("Faulty: when it quits, it crashes: {status}")), "{told:?}");
        let reported = finished.player(0)["quit_fault"].as_str().expect("the crash");
        assert!(reported.starts_with(&format!("crashes: {status}")), "{reported}");
        assert!(finished.player(1)["quit_fault"].is_null());
    }
}

/// The second signal ends the match at once, and its engines with it.
#[test]
#[cfg_attr(not(unix), ignore = "needs signals")]
fn a_second_interrupt_leaves_no_engine_behind() {
    for signal in ["INT", "TERM"] {
        let run = Run::new(&format!("twice-{signal}"), 2000).double("Faulty", "no-quit", "nodes=1");
        let (mut run, log) = run.double("Sound", "none", "nodes=1").args("--concurrency 2").logged();
        let mut child = run.start();
        wait_until(|| processes(&log).len() >= 3);
        let began = Instant::now();
        send(signal, child.id());
        std::thread::sleep(Duration::from_millis(300)); // two signals at the same time are one
        send(signal, child.id());
        assert_eq!(child.wait().unwrap().code(), Some(130), "{signal}");
        let took = began.elapsed();
        assert_eq!(left(&log), [""; 0], "{signal}: they are still there, {took:?} after the first signal");
    }
}

/// Nor does it leave the files of a match without a game.
#[test]
#[cfg_attr(not(unix), ignore = "needs signals")]
fn a_second_interrupt_leaves_no_empty_file() {
    let run = Run::new("twice-early", 2).double("Faulty", "no-quit", "tc=100");
    let (mut run, log) = run.double("Silent", "silent", "tc=100").logged();
    let manifest = run.pgn.with_extension("pgn.match.json");
    let mut child = run.start();
    wait_until(|| !processes(&log).is_empty());
    assert!(run.pgn.exists() && manifest.exists());
    send("INT", child.id());
    std::thread::sleep(Duration::from_millis(300)); // two signals at the same time are one
    send("INT", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(!run.pgn.exists() && !manifest.exists());
    assert_eq!(left(&log), [""; 0]);
}

/// The numbers of the processes that say who they are in a log.
fn processes(log: &Path) -> Vec<String> {
    let log = std::fs::read_to_string(log).unwrap_or_default();
    let ids = log.lines().filter_map(|line| Some(line.split_once("double: process ")?.1));
    ids.map(str::to_owned).collect()
}

/// Those of them that are not ended soon; they are killed.
fn left(log: &Path) -> Vec<String> {
    let deadline = Instant::now() + Duration::from_secs(60);
    while !alive(log).is_empty() && Instant::now() < deadline {
        std::thread::sleep(Duration::from_millis(10)); // the system is still ending them
    }
    let left = alive(log);
    left.iter().for_each(|id| send("KILL", id.parse().unwrap()));
    left
}

/// Those of them that still run; none where that cannot be seen.
fn alive(log: &Path) -> Vec<String> {
    // A process that has ended, and that nobody has waited for, has no command line.
    let runs = |id: &String| std::fs::read(format!("/proc/{id}/cmdline")).is_ok_and(|line| !line.is_empty());
    processes(log).into_iter().filter(runs).collect()
}
