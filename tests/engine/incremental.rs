//! Tests that incremental results equal those from scratch: for every evaluator, and for the keys, along
//! moves, null moves and undos. Also tests properties that every evaluation must have, whatever its weights.
//!
//! A new evaluator needs one line in `every_evaluator`.

use crate::support::walks;

use std::sync::Arc;

use rand::{Rng as _, SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};
use shakmaty::{Color, Position as _};
use walks::random_positions;
use zugwerk::{
    chess::{
        position::{Position, key},
        value::{EVAL_LIMIT, ordinary},
    },
    engine::eval::{
        Classical, Evaluator, Explain as _, Explanation, Material, Standard,
        classical::FULL_PHASE,
        endgame::FULL_CHANCES,
        network::{Architecture, Network, Neural},
    },
};

/// Runs the same test for each evaluator.
macro_rules! every_evaluator {
    ($($module:ident: $evaluator:expr;)+) => {$(
        mod $module {
            use super::*;

            #[test]
            fn follows_random_walks_like_a_fresh_one() {
                follows_random_walks(&$evaluator);
            }

            #[test]
            fn says_the_same_of_the_mirrored_position() {
                says_the_same_when_mirrored(&$evaluator);
            }
        }
    )+};
}

/// A network of random weights.
fn neural(neurons: usize, buckets: usize) -> Neural {
    Neural::new(Arc::new(Network::random(Architecture { neurons, buckets }, 3)))
}

every_evaluator! {
    material: Material;
    classical: Classical::default();
    network: neural(64, 8);
    shipped: Standard::default();
}

fn fresh<E: Evaluator>(evaluator: &E, position: &Position) -> i32 {
    let mut fresh = evaluator.clone();
    fresh.reset(position);
    fresh.evaluate(position)
}

/// Random walks of moves, null moves and undos; at every step keys, checkers and evaluation must equal those
/// from scratch.
fn follows_random_walks<E: Evaluator>(evaluator: &E) {
    let mut rng = StdRng::seed_from_u64(11);
    let (mut moves, mut nulls, mut undos) = (0, 0, 0);
    for mut position in random_positions(1, 60) {
        let root = position.plies_played();
        let mut followed = evaluator.clone();
        followed.reset(&position);
        for _ in 0..150 {
            let legal = position.legal_moves();
            match rng.random_range(0..10) {
                0..=6 if !legal.is_empty() => {
                    let m = *legal.choose(&mut rng).unwrap();
                    let delta = position.play(m);
                    assert_eq!(delta.is_zeroing(), m.is_zeroing());
                    followed.push(&position, &delta);
                    moves += 1;
                }
                7 if position.play_null() => {
                    followed.push_null(&position);
                    nulls += 1;
                }
                _ if position.plies_played() > root => {
                    position.undo();
                    followed.pop();
                    undos += 1;
                }
                _ => continue,
            }
            let fen = position.fen();
            assert_eq!(followed.evaluate(&position), fresh(evaluator, &position), "{fen}");
            assert_eq!(position.key(), key::from_scratch(position.chess()), "{fen}");
            assert_eq!(position.pawn_key(), key::pawns_from_scratch(position.chess()), "{fen}");
            let pieces = [Color::Black, Color::White].map(|side| position.piece_key(side));
            assert_eq!(pieces, key::pieces_from_scratch(position.chess()), "{fen}");
            assert_eq!(position.checkers(), position.chess().checkers(), "{fen}");
        }
        while position.plies_played() > root {
            position.undo();
            followed.pop();
        }
        assert_eq!(followed.evaluate(&position), fresh(evaluator, &position), "back at the root");
    }
    assert!(moves > 4000 && nulls > 200 && undos > 1000, "{moves} moves, {nulls} null moves, {undos} undos");
}

#[test]
fn the_key_after_a_move_is_known_before_it_except_for_rights() {
    let (mut moves, mut counted, mut nulls) = (0, 0, 0);
    let counting =
        Position::from_fen("r3k2r/pppq1ppp/2n2n2/3p4/3P4/2N2N2/PPPQ1PPP/R3K2R w KQkq - 15 40").unwrap();
    for position in random_positions(4, 100).into_iter().chain([counting]) {
        for m in position.legal_moves() {
            let mut after = position.clone();
            let delta = after.play(m);
            let rights = key::rights_changed(position.chess(), after.chess());
            assert_eq!(
                position.table_key_after(&delta) ^ rights,
                after.table_key(),
                "{m} in {}",
                position.fen()
            );
            moves += 1;
            counted += usize::from(after.table_key() != after.key());
            let before_null = after.table_key_after_null();
            if after.play_null() {
                assert_eq!(before_null, after.table_key(), "null move after {m} in {}", position.fen());
                nulls += 1;
            }
        }
    }
    assert!(moves > 1000 && counted > 10, "{moves} moves, {counted} with a counter in the key");
    assert!(nulls > 500, "{nulls} null moves");
}

/// The position with the colours exchanged: ranks reversed, upper and lower case exchanged, the other side to
/// move.
fn mirrored(fen: &str) -> String {
    let mut fields = fen.split(' ');
    let mut next = || fields.next().expect("six fields");
    let (board, turn, castling, en_passant) = (next(), next(), next(), next());
    let swap = |c: char| if c.is_ascii_lowercase() { c.to_ascii_uppercase() } else { c.to_ascii_lowercase() };
    let board: String = board.rsplit('/').collect::<Vec<_>>().join("/").chars().map(swap).collect();
    let turn = if turn == "w" { "b" } else { "w" };
    let mut castling: Vec<char> = castling.chars().map(swap).collect();
    castling.sort_by_key(char::is_ascii_lowercase);
    let castling: String = castling.into_iter().collect();
    let en_passant = en_passant.replace('3', "x").replace('6', "3").replace('x', "6");
    format!("{board} {turn} {castling} {en_passant} {} {}", next(), next())
}

fn says_the_same_when_mirrored<E: Evaluator>(evaluator: &E) {
    let mut different_from_zero = 0;
    for position in random_positions(2, 300) {
        let fen = position.fen();
        let mirror = Position::from_fen(&mirrored(&fen)).unwrap();
        let value = fresh(evaluator, &position);
        assert_eq!(value, fresh(evaluator, &mirror), "{fen}");
        assert_eq!(mirrored(&mirror.fen()), fen, "mirroring twice");
        different_from_zero += usize::from(value != 0);
    }
    assert!(different_from_zero > 150, "mirroring zeros proves nothing");
}

/// (A network of random weights may evaluate a bare king as better, which must be limited: tested in
/// `network.rs`.)
#[test]
fn values_stay_within_their_limit() {
    stays_within_the_limit(&Material);
    stays_within_the_limit(&Classical::default());
}

fn stays_within_the_limit<E: Evaluator>(evaluator: &E) {
    for fen in [
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQ1/K6k b - - 0 1",
        "QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/QQQQQQQQ/8/6Q1/5Q1R/K6k b - - 0 1",
        "qqqqqqqq/qqqqqqqq/qqqqqqqq/qqqqqqqq/8/1q6/r1q5/K6k w - - 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
        "k7/8/8/8/8/8/PPPPPPPP/KRRRRRRR w - - 0 1",
    ] {
        let position = Position::from_fen(fen).unwrap();
        let value = fresh(evaluator, &position);
        assert!(value.abs() <= EVAL_LIMIT && value != 0, "{value} in {fen}");
    }
}

fn evaluate(fen: &str) -> i32 {
    fresh(&Classical::default(), &Position::from_fen(fen).unwrap())
}

#[test]
fn the_parts_of_an_evaluation_make_up_its_total() {
    for position in random_positions(3, 300) {
        let parts = Classical::breakdown(&position);
        let value = fresh(&Classical::default(), &position);
        assert_eq!(parts.total, position.turn().fold_wb(value, -value), "{}", position.fen());
        let sum = parts.terms.iter().fold(parts.pieces, |sum, &(_, share)| sum + share).at(parts.phase);
        let sum = ordinary(sum * parts.scaling.chances / FULL_CHANCES + parts.scaling.mop_up);
        let known_win = parts.scaling.known_win;
        assert_eq!(parts.total, if known_win == 0 { sum } else { known_win }, "{}", position.fen());
        assert!((0..=FULL_PHASE).contains(&parts.phase));

        let Explanation { pieces: contributions, total, .. } = Classical::default().explain(&position);
        assert_eq!(total, parts.total);
        assert_eq!(contributions.len(), position.chess().board().occupied().count());
        let pieces: i32 = contributions.iter().filter_map(|contribution| contribution.value).sum();
        let rounding = contributions.len() as i32;
        let difference = pieces - parts.pieces.at(parts.phase);
        assert!(difference.abs() <= rounding, "{pieces} in {}", position.fen());
    }
}

#[test]
fn material_counts_as_on_the_back_of_an_envelope() {
    let position = Position::from_fen("rnb1kbnr/pppppppp/8/8/8/8/PPPP1PPP/RNBQKB1R w KQkq - 0 1").unwrap();
    assert_eq!(Material::balance(&position), 900 - 300 - 100);
    assert_eq!(fresh(&Material, &position), 500);
}

#[test]
fn a_side_that_cannot_win_gains_nothing_from_its_material() {
    for fen in [
        "4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1",   // two knights
        "4k3/8/8/8/8/8/8/1N2K1N1 b - - 0 1",   // the same, the bare king to move
        "4k1n1/8/8/8/8/8/8/4K3 w - - 0 1",     // a knight
        "4k1n1/8/8/8/8/8/8/1N2K1N1 w - - 0 1", // two knights against one
        "4k3/8/8/8/7p/8/8/1N2K3 w - - 0 1",    // a knight against a pawn
    ] {
        assert_eq!(evaluate(fen), 0, "{fen}");
    }
}

#[test]
fn a_lead_without_pawns_that_is_no_rook_counts_little() {
    let rook_against_bishop = evaluate("2b1k3/8/8/8/8/8/8/R3K3 w - - 0 1");
    let with_a_pawn = evaluate("2b1k3/8/8/8/8/8/P7/R3K3 w - - 0 1");
    assert!((1..=60).contains(&rook_against_bishop), "{rook_against_bishop}");
    assert!(with_a_pawn > 200, "{with_a_pawn}");
}

/// Where a bare king would be stalemated, the pawn can move.
#[test]
fn two_knights_may_win_against_a_pawn() {
    let value = evaluate("4k3/8/8/7p/8/8/8/1N2K1N1 w - - 0 1");
    assert!((20..100).contains(&value), "{value}");
}

#[test]
fn bishops_of_opposite_colours_halve_the_advantage() {
    let opposite = evaluate("4kb2/8/8/8/8/8/PP6/4KB2 w - - 0 1");
    let alike = evaluate("2b1k3/8/8/8/8/8/PP6/4KB2 w - - 0 1");
    assert!(0 < opposite && opposite * 3 < alike * 2, "{opposite} against {alike}");
}

#[test]
fn a_bare_king_is_driven_to_the_edge_and_the_hunter_comes_near() {
    let value = |king: &str| evaluate(&format!("{king} w - - 0 1"));
    let centre = value("8/8/8/3k4/8/8/8/R3K3");
    let edge = value("8/8/8/k7/8/8/8/2R1K3");
    assert!(edge > centre && centre > 400, "rook: edge {edge}, centre {centre}");
    let far = value("k7/8/8/8/8/8/8/6RK");
    let near = value("k7/8/8/2K5/8/8/8/6R1");
    assert!(near > far, "rook: near {near}, far {far}");
    let black_hunts = evaluate("7r/8/8/8/8/2k5/8/K7 b - - 0 1");
    assert!(black_hunts > 400, "the lone white king is worse off: {black_hunts}");
}

#[test]
fn with_bishop_and_knight_the_corner_must_be_the_bishops() {
    // With a light-squared bishop on e2, a8 is right and h8 wrong; with a dark-squared one on d2, the
    // reverse.
    let right = evaluate("k7/8/8/8/8/8/3NB3/4K3 w - - 0 1");
    let wrong = evaluate("7k/8/8/8/8/8/3NB3/4K3 w - - 0 1");
    assert!(right > wrong + 50, "light bishop: right corner {right}, wrong corner {wrong}");
    let right = evaluate("7k/8/8/8/8/8/3BN3/4K3 w - - 0 1");
    let wrong = evaluate("k7/8/8/8/8/8/3BN3/4K3 w - - 0 1");
    assert!(right > wrong + 50, "dark bishop: right corner {right}, wrong corner {wrong}");
}
