//! Tests of whole matches between correct players: schedule, rules, statistics, interruption.

#[cfg(target_os = "linux")]
use std::process::Command;
use std::time::Duration;

use zugwerk::arena::MatchPlan;
use zugwerk::arena::record::resume::enter_finished;
use zugwerk::arena::runner::GameNews;
use zugwerk::arena::schedule::openings::{Openings, Reading};
use zugwerk::arena::schedule::{Form, Schedule};
use zugwerk::arena::stats::elo::{Pentanomial, Trinomial};
use zugwerk::halt::Halt;
use zugwerk::rules::Rules;

use crate::{Finished, Run, match_of, send, wait_until};

const FAST: &str = "nodes=1,tc=10+1";

fn numbers(value: &serde_json::Value) -> Vec<u64> {
    value.as_array().unwrap().iter().map(|number| number.as_u64().unwrap()).collect()
}

#[test]
fn pairs_share_an_opening_and_reverse_colours() {
    let run = Run::new("pairs", 8).double("A", "none", FAST).double("B", "none", FAST);
    let finished = run.args("--max-moves 20 --concurrency 2").finish(0);
    for round in 1..=4 {
        let game = |leg: usize| {
            let tag = format!("{round}.{leg}");
            finished.games.iter().find(|game| game.tag("Round") == tag).expect("every game is played")
        };
        assert_eq!((game(1).tag("White"), game(2).tag("White")), ("A", "B"));
        assert_eq!(game(1).line.start_fen(), game(2).line.start_fen());
    }
    let starts: std::collections::HashSet<_> =
        finished.games.iter().map(|game| game.line.start_fen()).collect();
    assert_eq!(starts.len(), 4, "every round has its own opening");
}

#[test]
fn the_report_agrees_with_the_games() {
    let run = Run::new("report", 20).double("A", "none", FAST).double("B", "none", FAST);
    let finished = run.args("--concurrency 2").finish(0);
    let mut games = Trinomial::default();
    let mut rounds = [0; 10];
    for game in &finished.games {
        let half_points = match (game.tag("Result"), game.tag("White")) {
            ("1/2-1/2", _) => 1,
            ("1-0", "A") | ("0-1", "B") => 2,
            _ => 0,
        };
        games.note(half_points);
        let (round, _) = game.tag("Round").split_once('.').unwrap();
        rounds[round.parse::<usize>().unwrap() - 1] += half_points;
    }
    let mut pairs = Pentanomial::default();
    rounds.iter().for_each(|&points| pairs.note(points));
    let pairing = &finished.report["pairings"][0];
    assert_eq!(pairing["games"]["wins"], games.wins);
    assert_eq!(pairing["games"]["draws"], games.draws);
    assert_eq!(numbers(&pairing["pentanomial"]), pairs.0);
}

/// The doubles always say 0.
#[test]
fn a_capture_begins_the_count_of_a_draw_anew() {
    let run = Run::new("quiet-draw", 20).double("A", "none", FAST).double("B", "none", FAST);
    let finished = run.args("--draw movenumber=0 movecount=3 score=0 --concurrency 2").finish(0);
    let drawn = || finished.games.iter().filter(|game| game.tag("Termination") == "adjudication");
    assert!(
        drawn().all(|game| game.line.position().halfmoves() >= 5),
        "only the first of six may be a capture"
    );
    assert!(
        drawn().any(|game| game.line.moves().len() > 6),
        "some games have a capture or a move of a pawn before"
    );
}

#[test]
fn a_round_robin_and_a_gauntlet_have_their_pairings() {
    let run = |name, form| {
        let run = Run::new(name, 2).double("A", "none", FAST).double("B", "none", FAST);
        run.double("C", "none", FAST).args(&format!("--max-moves 5 {form}")).finish(0)
    };
    let meetings = |finished: &Finished| {
        let pairings = finished.report["pairings"].as_array().unwrap();
        let name = |pairing: &serde_json::Value| {
            format!("{}{}", pairing["first"].as_str().unwrap(), pairing["second"].as_str().unwrap())
        };
        pairings.iter().map(name).collect::<Vec<_>>()
    };
    let all = run("round-robin", "");
    assert_eq!((meetings(&all).join(" "), all.games.len()), ("AB AC BC".to_owned(), 6));
    let gauntlet = run("gauntlet", "--gauntlet");
    assert_eq!((meetings(&gauntlet).join(" "), gauntlet.games.len()), ("AB AC".to_owned(), 4));
}

/// The doubles assert that every castling move in Chess960 is written king-takes-rook; a double whose
/// assertion fails crashes, which the game would show.
#[test]
fn chess960_is_played_to_its_end() {
    let run = Run::new("chess960", 20).double("A", "none", FAST).double("B", "none", FAST);
    let finished = run.args("--chess960 --concurrency 2").finish(0);
    assert!(finished.games.iter().all(|game| game.tag("Variant") == "Chess960"));
    let ends = finished.terminations();
    assert!(ends.iter().all(|end| *end == "normal"), "{ends:?}");
    let castled = finished.games.iter().flat_map(|game| game.line.moves()).filter(|mv| mv.is_castle());
    assert!(castled.count() > 0, "in 20 random games somebody castles");
}

/// Some random guesses of the reply are right, so both `ponderhit` and `stop` are tested.
#[test]
fn pondering_is_played_to_its_end() {
    let settings = "tc=10+1,ponder=on";
    let run = Run::new("ponder", 10).double("A", "ponders", settings).double("B", "ponders", settings);
    let (run, log) = run.logged();
    let finished = run.args("--max-moves 100 --concurrency 2").finish(0);
    let log = std::fs::read_to_string(log).unwrap();
    for told in ["go ponder ", "ponderhit", "stop"] {
        assert!(log.lines().any(|line| line.contains(&format!(" > {told}"))), "nobody was told `{told}`");
    }
    for player in 0..2 {
        assert_eq!(finished.player(player)["faults"].as_object().unwrap().len(), 0);
        let warnings = finished.player(player)["warnings"].as_object().unwrap();
        assert!(warnings.values().all(|count| count == 0), "{warnings:?}");
    }
}

#[test]
fn scores_that_agree_end_a_game() {
    let run = Run::new("resign", 2).double("A", "winner", FAST).double("B", "loser", FAST);
    let won = run.args("--resign movecount=4 score=800").finish(0);
    assert_eq!(won.report["pairings"][0]["games"]["wins"], 2);
    assert_eq!(won.terminations(), ["adjudication"]);
    let run = Run::new("draw", 2).double("A", "none", FAST).double("B", "none", FAST);
    let drawn = run.args("--draw movenumber=1 movecount=4 score=0").finish(0);
    assert_eq!(drawn.report["pairings"][0]["games"]["draws"], 2);
    assert_eq!(drawn.terminations(), ["adjudication"]);
}

/// A player that loses every game is not stronger: the test accepts H0 long before the match is over.
#[test]
fn a_sequential_test_ends_the_match() {
    let run = Run::new("sprt", 400).double("A", "loser", FAST).double("B", "winner", FAST);
    let finished = run.args("--resign movecount=1 score=800 --sprt elo0=0 elo1=50 alpha=0.1").finish(1);
    assert_eq!(finished.report["sprt"]["verdict"], "h0");
    assert!(finished.games.len() < 100, "{} games", finished.games.len());
}

/// Games end faster than their results are entered on a busy machine. If the slots played on meanwhile, a
/// decided test would end the match many games late.
#[test]
fn slots_wait_until_their_games_are_entered() {
    let rules = Rules { longest: Some(2), ..Rules::default() };
    let schedule = Schedule::new(2, Form::RoundRobin, 200);
    let games = MatchPlan { rules, schedule, concurrency: 2, ..match_of(["none", "none"]) };
    let (mut standings, halt, mut entered) = (games.standings(), Halt::default(), 0);
    let mut enter_slowly = |_: &GameNews<'_>| {
        entered += 1;
        std::thread::sleep(Duration::from_millis(50));
        if entered == 5 {
            halt.set();
        }
    };
    games.run(&mut standings, None, &halt, &mut enter_slowly).unwrap();
    assert!(entered <= 7, "{entered} games");
}

/// The moves of an opening do not count, whether it is a game or a position.
#[test]
fn the_length_of_a_game_is_that_after_the_opening() {
    let game = ("pgn", "1. e4 e5 2. Nf3 Nc6 1/2-1/2\n", 4);
    let position = ("epd", "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq -\n", 0);
    for (kind, text, plies) in [game, position] {
        let openings = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("one-opening.{kind}"));
        std::fs::write(&openings, text).unwrap();
        let run = Run::new("length", 4).double("A", "none", FAST).double("B", "none", FAST);
        let finished = run.args(&format!("--max-moves 3 --openings {}", openings.display())).finish(0);
        assert_eq!(finished.terminations(), ["adjudication"]);
        let lengths: Vec<usize> = finished.games.iter().map(|game| game.line.moves().len()).collect();
        assert_eq!(lengths, [plies + 6, plies + 6, 6, 6], "{kind}");
        let told = "1 opening for 2 rounds: the others are generated (--seed 1)";
        assert!(finished.stderr.contains(told), "{}", finished.stderr);
    }
}

/// A long match tells its score also without a terminal, with two players and with more, and beside other
/// lines.
#[test]
fn the_score_is_told_from_time_to_time() {
    let run = Run::new("every", 6).double("A", "winner", FAST).double("B", "loser", FAST);
    let run = run.args("--resign movecount=1 score=800 --verbose --every 2 --sprt elo0=0 elo1=5");
    let stderr = run.finish(3).stderr;
    for (games, wins) in [(2, 2), (4, 4)] {
        let told = format!("{games} of 6 games: A - B +{wins} =0 -0 | Elo +inf (");
        let line = stderr.lines().find(|line| line.starts_with(&told)).expect(&stderr);
        assert!(line.contains(" | LLR 0.") && line.contains(" in -2.94 .. 2.94 | "), "{line}");
        assert!(line.contains(" games/min, at most 0:00:0") && line.ends_with(" left"), "{line}");
    }
    assert_eq!(stderr.matches(" left").count(), 2, "the table follows the last game: {stderr}");
    let run = Run::new("every-three", 2).double("A", "winner", FAST).double("B", "loser", FAST);
    let run = run.double("C", "loser", FAST).args("--resign movecount=1 score=800 --max-moves 5 --every 1");
    let stderr = run.finish(0).stderr;
    assert_eq!(stderr.matches(" of 6 games: A ").count(), 5, "{stderr}");
    assert!(stderr.contains("2 of 6 games: A 2/2, B 0/2, C 0/0 | "), "{stderr}");
}

/// The players repeat themselves, because they are restarted for every game, and the book is used again.
#[test]
fn copies_of_games_do_not_count() {
    let book = "4k3/8/8/8/8/8/PPPPPPPP/4K3 w - -\n4k3/pppppppp/8/8/8/8/8/4K3 w - -\n";
    let rules = Rules { longest: Some(10), ..Rules::default() };
    let schedule = Schedule::new(2, Form::RoundRobin, 4);
    let openings = Openings::from_epd(book, Reading::default());
    let mut games = MatchPlan { rules, schedule, openings, ..match_of(["none", "none"]) };
    games.players.iter_mut().for_each(|player| player.restart = true);
    let (mut played, mut resumed, mut pgn) = (games.standings(), games.standings(), Vec::new());
    games.run(&mut played, Some(&mut pgn), &Halt::default(), &mut |_| {}).unwrap();
    enter_finished(&pgn, &games, &mut resumed, &mut |_, _, _| ()).unwrap();
    for standings in [&played, &resumed] {
        assert_eq!((standings.played(), standings.copies()), (8, 4));
        let results = &standings.pairings[0];
        assert_eq!((results.games.draws, results.pairs.0), (4, [0, 0, 2, 0, 0]));
    }
}

/// Beyond the book openings are generated, near it: also those are different, depend only on the seed, and
/// remain the same when the match is resumed and with any number of games at a time.
#[test]
fn openings_never_run_out() {
    let book = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("two-openings.epd");
    let pawns = "4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - -\n";
    std::fs::write(&book, pawns.repeat(2)).unwrap();
    let players = |run: Run| run.double("A", "none", FAST).double("B", "none", FAST).args("--max-moves 2");
    let starts = |finished: &Finished| {
        let mut starts: Vec<_> =
            finished.games.iter().map(|game| (game.tag("Round").to_owned(), game.line.start_fen())).collect();
        starts.sort();
        starts
    };
    let mut others = Vec::new();
    for (name, flags) in
        [("random", "--openings random".to_owned()), ("near", format!("--openings {}", book.display()))]
    {
        let run = Run::new(&format!("{name}-first"), 4);
        let pgn = run.pgn.clone();
        players(run).args(&flags).finish(0);
        let resumed = players(Run::again(pgn, 24)).args(&flags).args("--resume --concurrency 2").finish(0);
        let whole = players(Run::new(&format!("{name}-whole"), 24)).args(&flags).finish(0);
        assert_eq!(starts(&resumed), starts(&whole), "{name}");
        let distinct: std::collections::HashSet<_> =
            starts(&whole).into_iter().map(|(_, start)| start).collect();
        assert_eq!(distinct.len(), 12, "{name}");
        assert!(whole.games.iter().all(|game| game.line.end().is_none()));
        let is_near = |fen: &Option<String>| fen.as_ref().is_some_and(|fen| !fen.contains(['q', 'r']));
        assert_eq!(distinct.iter().all(is_near), name == "near", "{distinct:?}");
        others.push(distinct);
    }
    let seeded = players(Run::new("random-seed", 4)).args("--openings random --seed 2 --chess960").finish(0);
    assert!(seeded.games.iter().all(|game| game.tag("Variant") == "Chess960"));
    let start = seeded.games[0].line.start_fen();
    assert!(others.iter().all(|others| !others.contains(&start)));
}

/// A line of a book is read when its round begins; the games before it count.
#[test]
fn a_bad_opening_ends_the_match_with_its_line() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text, told) in [
        ("bad.epd", "4k3/8/8/8/8/8/4P3/4K3 w - -\n\nnonsense\n", "bad.epd: line 3: not a FEN"),
        (
            "bad.pgn",
            "[Event \"x\"]\n\n1. e4 *\n\n[Event \"x\"]\n\n1. e4 e9 *\n",
            "bad.pgn: line 5: move 1: unreadable e9",
        ),
    ] {
        let book = folder.path().join(name);
        std::fs::write(&book, text).unwrap();
        let mut run = Run::new(name, 4).double("A", "none", FAST).double("B", "none", FAST);
        run.command.arg("--openings").arg(book);
        let finished = run.args("--max-moves 2 --order sequential").finish(2);
        assert_eq!(finished.games.len(), 2);
        assert!(finished.stderr.contains(told), "{}", finished.stderr);
    }
}

/// Games that end before the test is decided are neither success nor failure.
#[test]
fn an_undecided_test_has_an_exit_code_of_its_own() {
    let run = Run::new("undecided", 4).double("A", "none", FAST).double("B", "none", FAST);
    let finished = run.args("--max-moves 10 --sprt elo0=0 elo1=5").finish(3);
    assert_eq!(finished.report["sprt"]["verdict"], "open");
}

/// Three players have ratings, which are also shown during the match.
#[test]
fn more_than_two_players_are_rated_together() {
    let run = Run::new("rated", 4).double("A", "winner", FAST).double("B", "loser", FAST);
    let run = run.double("C", "none", FAST).args("--resign movecount=4 score=800 --max-moves 20");
    let finished = run.finish(0);
    let rating = |player: usize| finished.player(player)["rating"]["elo"].as_f64().unwrap();
    assert!(rating(0) > rating(2) && rating(2) > rating(1), "{:?}", finished.report["players"]);
    assert!(finished.stderr.contains("rank  player"), "{}", finished.stderr);
}

/// An interrupted match keeps its finished games, and continues to exactly the planned games.
#[test]
#[cfg_attr(not(unix), ignore = "needs signals")]
fn an_interrupted_match_is_resumed_to_the_planned_number() {
    const GAMES: usize = 60;
    let players = |run: Run| {
        let run = run.double("A", "none", "nodes=1").double("B", "none", "nodes=1");
        run.args("--concurrency 2 --max-moves 40")
    };
    let mut first = players(Run::new("resume", GAMES));
    let mut last = 0;
    let mut child = first.start();
    for interruption in 0..3 {
        wait_until(|| games_in(&first) > last);
        send("INT", child.id());
        let finished = Finished::new(&child.wait_with_output().unwrap(), &first.pgn, 130);
        let command = finished.stderr.lines().last().unwrap_or_default();
        let begin = concat!("to continue: ", env!("CARGO_BIN_EXE_zugwerk"), " match --json");
        assert!(command.starts_with(begin) && command.ends_with(" --resume"), "{}", finished.stderr);
        assert!(finished.games.len() > last, "interruption {interruption}");
        assert!(finished.games.len() < GAMES, "the match was over before it could be interrupted");
        last = finished.games.len();
        child = players(Run::again(first.pgn.clone(), GAMES)).args("--resume").start();
    }
    let finished = Finished::new(&child.wait_with_output().unwrap(), &first.pgn, 0);
    assert_eq!(finished.games.len(), GAMES);
    let mut rounds: Vec<&str> = finished.games.iter().map(|game| game.tag("Round")).collect();
    rounds.sort_unstable();
    rounds.dedup();
    assert_eq!(rounds.len(), GAMES, "every planned game is there once");
    let pairs = numbers(&finished.report["pairings"][0]["pentanomial"]);
    assert_eq!(pairs.iter().sum::<u64>() as usize, GAMES / 2);
}

/// What a killed match has begun to write is cut, and named; what a match would never write is not touched.
#[test]
fn what_a_resumed_match_cuts_is_named() {
    use std::io::Write as _;
    let players =
        |run: Run| run.double("A", "none", "nodes=1").double("B", "none", "nodes=1").args("--max-moves 4");
    let first = players(Run::new("cut", 2));
    let pgn = first.pgn.clone();
    first.finish(0);
    let append = |text: &str| {
        std::fs::OpenOptions::new().append(true).open(&pgn).unwrap().write_all(text.as_bytes()).unwrap();
        players(Run::again(pgn.clone(), 4)).args("--resume")
    };
    let mut refused = append("[Event \"Club evening\"]\n\n1. e4");
    let before = std::fs::read(&pgn).unwrap();
    let told = refused.command.output().unwrap();
    assert_eq!(told.status.code(), Some(2), "{told:?}");
    assert_eq!(std::fs::read(&pgn).unwrap(), before);
    std::fs::write(&pgn, &before[..before.len() - "[Event \"Club evening\"]\n\n1. e4".len()]).unwrap();
    let finished = append("[Event \"Match by Zugwerk\"]\n[Si").finish(0);
    assert!(
        finished.stderr.contains("30 bytes of a game that is not complete are cut"),
        "{}",
        finished.stderr
    );
    assert_eq!(finished.games.len(), 4);
}

/// When its terminal closes a match ends like one that is interrupted once, although the shell and the system
/// both say so; but not if it was started with `nohup`. If these tests themselves were, only that can be
/// tested.
#[cfg(target_os = "linux")]
#[test]
fn a_match_outlives_its_terminal_if_it_was_told_to() {
    const GAMES: usize = 60;
    for (name, before, code) in [("terminal", ":", 130), ("nohup", "trap '' HUP", 0)] {
        if name == "terminal" && hang_up_is_ignored() {
            continue;
        }
        let run = Run::new(name, GAMES).double("A", "none", "nodes=1").double("B", "none", "nodes=1");
        let mut run = run.args("--max-moves 40").after(before);
        let child = run.start();
        wait_until(|| games_in(&run) > 0);
        let twice = "kill -HUP $0; sleep 0.01; kill -HUP $0";
        let sent = Command::new("sh").args(["-c", twice, &child.id().to_string()]).status();
        assert!(sent.is_ok());
        let finished = Finished::new(&child.wait_with_output().unwrap(), &run.pgn, code);
        assert_eq!(finished.games.len() == GAMES, code == 0, "{name}");
    }
}

/// Whether this process, and so its children, ignore SIGHUP. This is signal 1, the lowest bit.
#[cfg(target_os = "linux")]
fn hang_up_is_ignored() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(ignored.trim(), 16).unwrap() & 1 == 1
}

/// A game that was being written when the program was killed is played again.
#[test]
fn half_a_game_in_the_file_is_cut_off() {
    let players = |run: Run| run.double("A", "none", FAST).double("B", "none", FAST).args("--max-moves 10");
    let run = players(Run::new("half", 4));
    let pgn = run.pgn.clone();
    run.finish(0);
    let text = std::fs::read_to_string(&pgn).unwrap();
    std::fs::write(&pgn, &text[..text.len() - 30]).unwrap();
    let finished = players(Run::again(pgn, 4)).args("--resume").finish(0);
    assert_eq!(finished.games.len(), 4);
    assert!(finished.stderr.contains("holds 3 of 4 games"), "{}", finished.stderr);
}

/// A damaged table decides no game, which is told once.
#[test]
fn a_damaged_table_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let beginning = [&[0x71, 0xe8, 0x23, 0x5d][..], &[0xff; 76]].concat();
    std::fs::write(folder.path().join("KQvK.rtbw"), beginning).unwrap();
    let openings = folder.path().join("queen.epd");
    std::fs::write(&openings, "4k3/8/8/8/8/8/8/KQ6 w - - 0 1\n").unwrap();
    let mut run = Run::new("damaged-table", 2).double("A", "none", "nodes=1").double("B", "none", "nodes=1");
    run.command.arg("--openings").arg(openings).arg("--syzygy").arg(folder.path());
    let finished = run.args("--max-moves 3").finish(0);
    assert_eq!(finished.stderr.matches("the WDL table KQvK is not used: ").count(), 1, "{}", finished.stderr);
}

/// The limit on the size of files stands for a full disk: both let a write end in the middle of a game.
#[cfg(unix)]
#[test]
fn a_game_that_does_not_fit_in_the_file_is_not_begun() {
    let run = Run::new("full", 100).double("A", "none", "nodes=1").double("B", "none", "nodes=1");
    let run = run.args("--max-moves 5").limited_to_blocks(12);
    let finished = run.finish(2);
    assert!(finished.stderr.contains("cannot write the PGN: "), "{}", finished.stderr);
    let games = finished.games.len();
    assert!((2..50).contains(&games), "{games}");
}

/// Games of others behind those of the match are refused, and not cut off.
#[test]
fn other_games_in_the_file_are_kept() {
    let players = |run: Run| run.double("A", "none", FAST).double("B", "none", FAST).args("--max-moves 10");
    let run = players(Run::new("mixed", 2));
    let pgn = run.pgn.clone();
    run.finish(0);
    let whole = std::fs::read_to_string(&pgn).unwrap();
    let own = "[Event \"my own\"]\n[White \"me\"]\n\n1. e4 e5 2. Nf3";
    for (more, message) in [
        (
            format!("{own} *\n\n"),
            "game 3 (me - , round ) is not part of this match: no player has White's name",
        ),
        (format!("{own}\n\n{own}\n\n"), "it is not a PGN file of a match"),
    ] {
        let text = whole.clone() + &more;
        std::fs::write(&pgn, &text).unwrap();
        let output = players(Run::again(pgn.clone(), 2)).args("--resume").command.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{stderr}");
        assert!(stderr.contains(message), "{stderr}");
        assert_eq!(std::fs::read_to_string(&pgn).unwrap(), text);
    }
}

/// Changes that would alter the meaning of the games are refused, and the file stays unchanged.
#[test]
fn another_match_is_not_gone_on_with() {
    let pgn = Run::new("manifest", 2).pgn;
    let same = "nodes=1,tc=10+1,option.Hash=1";
    let again = |a: &str, args: &str, code: i32| {
        let run = Run::again(pgn.clone(), 2).double("A", "none", a).double("B", "none", same);
        let longest = if args.contains("--max-moves") { "" } else { "--max-moves 10" };
        let output = run.args(longest).args(args).command.output().unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(code), "{stderr}");
        stderr
    };
    again(same, "", 0);
    let before = std::fs::read(&pgn).unwrap();
    for (a, args, told) in [
        ("nodes=2,tc=10+1,option.Hash=1", "", "player 1: limits was 10+1, 1 node, and is 10+1, 2 nodes"),
        ("nodes=1,tc=10+1,option.Hash=2", "", "player 1: options was Hash=1, and is Hash=2"),
        ("nodes=1,tc=10+1,option.Hash=1,args=--more", "", "player 1: arguments was"),
        (same, "--max-moves 11", "longest game was 10, and is 11"),
        (
            same,
            "--draw score=5",
            "draw rule was none, and is within 5 centipawns of zero for 16 plies from ply 64 on",
        ),
        (same, "--order sequential", "its opening is another"),
        (
            same,
            "--sprt",
            "sequential test was none, and is elo0=0,elo1=5,alpha=0.05,beta=0.05,model=logistic",
        ),
    ] {
        let stderr = again(a, &format!("--resume {args}"), 2);
        assert!(stderr.contains(told), "{told}: {stderr}");
        assert_eq!(std::fs::read(&pgn).unwrap(), before, "{told}");
    }
    again(same, "--resume", 0);
    std::fs::remove_file(pgn.with_extension("pgn.match.json")).unwrap();
    let stderr = again(same, "--resume", 2);
    assert!(stderr.contains("manifest.pgn.match.json is missing"), "{stderr}");
}

/// The old games are there until the first new one is written.
#[test]
fn force_replaces_the_games() {
    let pgn = Run::new("replaced", 2).pgn;
    let play = |rounds: &str, force: &str, code: i32| {
        let run = Run::again(pgn.clone(), 2).double("A", "none", FAST).double("B", "none", FAST);
        let output = run.args(&format!("--max-moves 5 {rounds} {force}")).command.output().unwrap();
        assert_eq!(output.status.code(), Some(code), "{}", String::from_utf8_lossy(&output.stderr));
        std::fs::read_to_string(&pgn).unwrap()
    };
    let own = "[Event \"my own\"]\n\n1. e4 *\n\n";
    std::fs::write(&pgn, own).unwrap();
    assert_eq!(play("", "", 2), own);
    let broken = "--force --engine cmd=/nowhere/A --engine cmd=/nowhere/B --each nodes=1";
    let output = Run::again(pgn.clone(), 2).args(broken).command.output().unwrap();
    assert_eq!((output.status.code(), std::fs::read_to_string(&pgn).unwrap().as_str()), (Some(2), own));
    let first = play("", "--force", 0);
    assert_eq!((first.matches("[Event ").count(), first.contains("my own")), (2, false));
    // Another match has another manifest.
    let second = play("--draw score=5", "--force", 0);
    assert_eq!(second.matches("[Event ").count(), 2);
    assert_eq!(play("--draw score=5", "--resume", 0), second, "it can be resumed");
}

/// Only one match at a time can write to a file.
#[test]
#[cfg_attr(not(unix), ignore = "needs signals")]
fn a_second_writer_is_kept_out() {
    let players = |run: Run| run.double("A", "none", "nodes=1").double("B", "none", "nodes=1");
    let mut first = players(Run::new("alone", 2000));
    let mut child = first.start();
    wait_until(|| games_in(&first) > 0);
    let output = players(Run::again(first.pgn.clone(), 2000)).args("--resume").command.output().unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{stderr}");
    assert!(stderr.contains("another match is writing to it"), "{stderr}");
    send("INT", child.id());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}

fn games_in(run: &Run) -> usize {
    let text = std::fs::read_to_string(&run.pgn).unwrap_or_default();
    text.matches("[Result ").count()
}
