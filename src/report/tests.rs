//! Compares the marks with the values that are shown.

use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::{chess::pgn::read_games, engine::eval::Classical};

/// Morphy's opera game. A search of few nodes also chooses 12... Rd8 and overrates it; the search one move
/// later sees the loss.
const OPERA: &str = "1. e4 e5 2. Nf3 d6 3. d4 Bg4 4. dxe5 Bxf3 5. Qxf3 dxe5 6. Bc4 Nf6 7. Qb3 Qe7 8. Nc3 c6 9. Bg5 b5 \
                     10. Nxb5 cxb5 11. Bxb5+ Nbd7 12. O-O-O Rd8 13. Rxd7 Rxd7 14. Rd1 Qe6 15. Bxd7+ Nxd7 16. Qb8+ Nxb8 \
                     17. Rd8# 1-0";
/// Both sides miss captures and mates.
const PATZERS: &str = "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qf3 Nd4 5. Qg3 Nxc2+ 6. Kd1 Nxa1 7. Bxf7+ Ke7 8. Bd5 Nxd5 9. exd5 d6 \
                       10. d4 Bf5 11. Bg5+ Kd7 12. Bxd8 Rxd8 13. dxe5 Bb1 14. e6+ Ke8 15. Qf4 Be7 16. Qf7# 1-0";
/// Nobody claims the draw by threefold repetition after 6... Nc6, and then White gives a piece away.
const UNCLAIMED: &str = "1. e4 e5 2. Bc4 Nc6 3. Bb3 Nb8 4. Bc4 Nc6 5. Bb3 Nb8 6. Bc4 Nc6 7. Bxf7+ Kxf7 *";

pub(super) fn report(pgn: &str, nodes: u64) -> GameReport {
    let game = read_games(pgn.as_bytes()).unwrap().remove(0).unwrap();
    let limits = Limits::nodes(nodes);
    analyse(1, game, &mut Searcher::<Classical>::new(1), &limits, &Stop::default(), |_, _| ())
}

/// The values shown before and after each move, for its player.
fn shown_values(report: &GameReport) -> Vec<(Value, Value)> {
    let values: Vec<Value> = (0..report.positions.len()).map(|ply| report.white_value(ply)).collect();
    let pairs = values.windows(2).zip(&report.moves);
    pairs.map(|(pair, judged)| judged.player.fold_wb((pair[0], pair[1]), (-pair[0], -pair[1]))).collect()
}

#[test]
fn every_shown_drop_is_marked_and_no_mark_is_without_one() {
    let mut marked = 0;
    for (pgn, nodes) in
        [(OPERA, 300), (OPERA, 3000), (PATZERS, 300), (PATZERS, 3000), (UNCLAIMED, 300), (UNCLAIMED, 3000)]
    {
        let report = report(pgn, nodes);
        for (judged, (before, after)) in report.moves.iter().zip(shown_values(&report)) {
            let expected = Judgement::of(before, after);
            let at = format!("{}. {} at {nodes} nodes: {before} to {after}", judged.number, judged.san);
            assert_eq!(judged.judgement, expected, "{at}");
            if expected.is_some() {
                assert_ne!(judged.better.first(), judged.m.as_ref(), "{at}");
                assert!(!judged.better.is_empty(), "{at}");
                marked += 1;
            }
        }
    }
    assert!(marked > 20, "{marked}");
}

/// A regression: a move that was the search's own choice used to lose nothing.
#[test]
fn the_choice_of_the_search_is_judged_too() {
    let report = report(OPERA, 10_000);
    let rd8 = &report.moves[23];
    assert_eq!(rd8.san, "Rd8");
    assert!(rd8.white_value > 150, "{}", rd8.white_value);
    // From 10... cxb5 on, which allows the attack.
    let nearest = report.moves[19..24].iter().filter(|judged| judged.judgement.is_some());
    assert!(nearest.count() > 0, "the move that lost the game has a mark");
}

/// Two pawns can take the bishop.
#[test]
fn exercises_accept_all_moves_that_are_about_as_good() {
    let mut searcher = Searcher::<Classical>::new(1);
    let (limits, stop) = (Limits::nodes(20_000), Stop::default());
    let mut report = report("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Bxc6 Nf6 5. Ba4 *", 20_000);
    report.set_exercises(&mut searcher, &limits, &stop);
    let exercise = report.exercises.iter().find(|exercise| exercise.ply == 7).unwrap();
    let position = &report.positions[7];
    let named = |good: bool| -> Vec<String> {
        let moves = std::iter::once((exercise.best, true));
        let moves = moves.chain(exercise.others.iter().map(|other| (other.line[0], other.is_good)));
        moves.filter(|&(_, is_good)| is_good == good).map(|(m, _)| san(position, m)).collect()
    };
    let (good, bad) = (named(true), named(false));
    assert!(good.contains(&"dxc6".to_owned()) && good.contains(&"bxc6".to_owned()), "{good:?} {bad:?}");
    assert!(bad.contains(&"h6".to_owned()), "the knight is lost: {good:?} {bad:?}");
    assert!(
        !good.contains(&"Nf6".to_owned()) && !bad.contains(&"Nf6".to_owned()),
        "what was played is known"
    );
    stop.stop();
    report.set_exercises(&mut searcher, &limits, &stop);
    assert!(report.exercises.iter().all(|exercise| exercise.others.is_empty()), "no time to compare");
}

#[test]
fn mates_missed_and_allowed_are_named() {
    let report = report(PATZERS, 3000);
    let slips: Vec<_> =
        report.moves.iter().filter_map(|judged| Some((judged.number, judged.mate_slip?))).collect();
    assert!(slips.contains(&(15, MateSlip::Allows(1))), "15... Be7: {slips:?}");
    let last = &report.moves[29];
    assert!(last.words().unwrap().ends_with("allows mate in 1: 16. Qf7#"), "{:?}", last.words());
    for judged in &report.moves {
        let slipped = judged.mate_slip.is_some();
        assert!(!slipped || judged.judgement.is_some() && !judged.better.is_empty(), "{judged:?}");
    }
}

/// A mate in one that is missed with less than seven pawns left, and one that is allowed in a position of
/// about -8.3 by the classical evaluator.
#[test]
fn mates_are_signed_as_on_lichess() {
    for (start, m, fault, words) in [
        (
            "6k1/5ppp/8/3r4/8/8/1q3PPP/3QR1K1 w - - 0 1",
            "Qxd5",
            Judgement::Blunder,
            "blunder, misses mate in 1 on the back rank: 1. Re8#",
        ),
        (
            "3rr1k1/5ppp/5n2/8/8/8/5PPP/R5K1 w - - 0 1",
            "Ra7",
            Judgement::Mistake,
            "mistake, allows mate in 1 on the back rank: 1... Rd1#",
        ),
    ] {
        let report = report(&format!("[FEN \"{start}\"]\n[SetUp \"1\"]\n\n1. {m} *"), 20_000);
        let judged = &report.moves[0];
        assert_eq!((judged.judgement, judged.words().as_deref()), (Some(fault), Some(words)), "{judged:?}");
    }
}

#[test]
fn an_interrupted_analysis_is_finished_in_a_hurry() {
    let game = read_games(OPERA.as_bytes()).unwrap().remove(0).unwrap();
    let mut searcher = Searcher::<Classical>::new(1);
    let (stop, heard) = (Stop::default(), AtomicUsize::new(0));
    let listen = |_: usize, _: &Opinion| {
        if heard.fetch_add(1, Ordering::Relaxed) == 9 {
            stop.stop();
        }
    };
    let limits = Limits::nodes(2000);
    let report = analyse(1, game, &mut searcher, &limits, &stop, listen);
    assert_eq!((heard.load(Ordering::Relaxed), report.hurried), (34, 24));
    assert!(report.opinions[..33].iter().all(|opinion| opinion.depth > 0));
}

#[test]
fn a_side_without_moves_has_no_accuracy() {
    let report = report("[BlackAccuracy \"0.0\"]\n\n1. e4 -- 2. d4 -- *", 1000);
    let text = report.annotated(Values::Commands).to_pgn();
    assert!(text.contains("[WhiteAccuracy \"") && text.contains("[WhiteACPL \""), "{text}");
    assert!(!text.contains("[BlackA"), "also not that of an earlier analysis: {text}");
    assert!(page::game(&report).contains(" % : –\""));
}

#[test]
fn summaries_count_by_side_and_phase() {
    let report = report(PATZERS, 1000);
    let [white, black] = [Color::White, Color::Black].map(|side| report.summary(side));
    assert_eq!((white.moves, black.moves), (16, 15));
    assert!(white.accuracy.is_some_and(|percent| percent > 0.0 && percent < 100.0), "{white:?}");
    let [opening, middlegame, endgame] = black.phases;
    assert!(opening.is_some() && middlegame.is_some() && endgame.is_none(), "{black:?}");
    let nothing = self::report("*\n\n1. -- *", 10);
    assert_eq!(nothing.summary(Color::White), Summary::default());
}
