//! Every fault loses the game, is named in PGN, report and terminal, and the match goes on.

use crate::{Finished, Run};

/// Four games of a faulty engine against a sound one, in two slots.
fn against_sound(fault: &str) -> Finished {
    Run::new(fault, 4)
        .double("Faulty", fault, "st=0.1,margin=100")
        .double("Sound", "none", "st=0.1,margin=1000")
        .args("--concurrency 2 --max-moves 30 --verbose")
        .finish(0)
}

/// All four games must be lost by `termination`, with `comment` beside it.
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

#[test]
fn an_illegal_move() {
    loses_by("illegal", "illegal move", "makes an illegal move: e1e5");
    loses_by("null", "illegal move", "makes an illegal move: 0000");
    loses_by("empty", "illegal move", "makes an illegal move: nothing");
    loses_by("garbage-move", "illegal move", "makes an illegal move: {\"x\"}");
}

#[test]
fn silence() {
    loses_by("silent", "stall", "stalls: no bestmove within 0.6 s");
    loses_by("deaf", "stall", "stalls: no bestmove within 0.6 s");
}

#[test]
fn a_crash_in_the_middle_of_a_game() {
    let finished = loses_by("crash", "crash", "crashes: exit status: 3");
    // Up to the crash the game was played: three moves of the faulty player, behind the opening.
    assert!(finished.games.iter().all(|game| game.line.moves().len() >= 6));
}

#[test]
fn slowness() {
    loses_by("slow", "time forfeit", "loses on time: used 0.3");
}

#[test]
fn no_uciok() {
    loses_by("no-uciok", "stall", "stalls: no uciok within 0.4 s");
}

#[test]
fn no_readyok() {
    loses_by("no-readyok", "stall", "stalls: no readyok within 0.4 s");
}

/// What breaks the protocol but leaves the game sound costs no game; it is counted.
#[test]
fn early_moves_garbage_and_bad_reports_are_warnings() {
    for (fault, warning) in [
        ("early-bestmove", "unasked_bestmove"),
        ("garbage", "junk_lines"),
        ("no-score", "missing_score"),
        ("bad-pv", "illegal_pv"),
        ("unlike-pv", "unlike_pv"),
        ("truncated-pv", "truncated_pv"),
        ("bad-ponder", "illegal_ponder"),
    ] {
        let finished = against_sound(fault);
        assert_eq!(finished.player(0)["faults"].as_object().unwrap().len(), 0, "{fault}");
        assert!(finished.terminations().iter().all(|end| ["normal", "adjudication"].contains(end)));
        let count = |player| finished.player(player)["warnings"][warning].as_u64().unwrap();
        assert!(count(0) > 0, "{fault}");
        assert_eq!(count(1), 0, "the sound player has no warnings");
    }
}

/// A process that ends between games is started again, and nobody loses by it.
#[test]
fn death_between_games_costs_no_game() {
    let finished = against_sound("dies-between-games");
    assert_eq!(finished.player(0)["faults"].as_object().unwrap().len(), 0);
    // In each of the two slots it dies before the second game, if the slot gets that far; never in the first.
    let restarts = finished.player(0)["warnings"]["restarts"].as_u64().unwrap();
    assert!((1..=3).contains(&restarts), "{restarts}");
}

#[test]
fn an_engine_that_will_not_quit_is_ended() {
    let began = std::time::Instant::now();
    against_sound("no-quit");
    assert!(began.elapsed().as_secs() < 10, "it was waited for {:?}", began.elapsed());
}
