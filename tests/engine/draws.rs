//! Tests of draws: by the rules, and in the search.

use crate::support::searching;

use rand::{Rng as _, SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};
use searching::{Found, search_with};
use shakmaty::{Move, Position as _};
use zugwerk::{
    chess::{
        position::Position,
        value::{DRAW, KNOWN_WIN, mate_in, mated_in},
    },
    engine::{
        eval::{Classical, Evaluator, Standard},
        search::{Limits, Searcher, Settings, Techniques},
    },
};

/// Returns the position after `moves` from `fen`.
fn after(fen: &str, moves: &str) -> Position {
    let mut position = Position::from_fen(fen).unwrap();
    play(&mut position, moves);
    position
}

fn play(position: &mut Position, moves: &str) {
    for uci in moves.split_whitespace() {
        let m =
            position.find_move(uci).unwrap_or_else(|error| panic!("{uci} in {}: {error}", position.fen()));
        position.play(m);
    }
}

fn search(position: &Position, limits: &Limits) -> Found {
    search_with(&mut Searcher::<Classical>::new(4), position, limits, &Settings::default())
}

fn value_of(position: &Position, m: Move, depth: u32) -> i32 {
    let limits = Limits { search_moves: vec![m], ..Limits::depth(depth) };
    search(position, &limits).outcome.value()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// In drawn endings a search of few nodes met moves into a known loss, skipped the others, and took it for
/// the value.
#[test]
fn a_known_loss_is_no_reason_to_skip_the_moves_that_hold() {
    for fen in [
        "8/8/4k3/8/2r5/8/5R2/3K4 w - - 0 1",
        "8/5K2/8/5R2/8/8/2k3n1/8 b - - 0 1",
        "6k1/8/8/8/8/2K3q1/8/2Q5 w - - 0 1",
        "8/5q2/7Q/8/8/3k2K1/8/8 w - - 0 1",
        "8/8/8/8/8/Q7/3k2K1/1q6 b - - 0 1",
        "7k/8/8/8/6R1/6K1/4r3/8 w - - 0 1",
        "8/8/8/8/k7/6R1/1Kb5/8 b - - 0 1",
    ] {
        let position = Position::from_fen(fen).unwrap();
        for nodes in [20, 50, 100, 200, 300, 1000] {
            let limits = Limits { nodes: Some(nodes), ..Limits::default() };
            let value = search(&position, &limits).outcome.value();
            assert!(value.abs() < KNOWN_WIN, "{fen} after {nodes} nodes: {value}");
        }
    }
}

#[test]
fn below_the_root_the_second_occurrence_is_a_repetition_before_it_the_third() {
    let mut position = after(START, "g1f3 g8f6 f3g1 f6g8");
    assert!(position.is_repetition(4), "the root itself occurs again below it");
    assert!(position.is_repetition(7));
    assert!(!position.is_repetition(3), "once before the root is not enough");
    assert!(!position.is_repetition(0));
    play(&mut position, "g1f3 g8f6 f3g1");
    assert!(!position.is_repetition(0), "this one stood only once before");
    play(&mut position, "f6g8");
    assert!(position.is_repetition(0), "the third occurrence counts wherever it was");
    position.undo();
    assert!(!position.is_repetition(0));
}

#[test]
fn a_line_has_repeated_from_the_second_occurrence_to_the_next_pawn_move() {
    let mut position = after(START, "e2e4 e7e5 g1f3 g8f6 f3g1");
    assert!(!position.has_repeated());
    play(&mut position, "f6g8");
    assert!(position.has_repeated(), "the position after the pawn moves again");
    play(&mut position, "f1c4");
    assert!(position.has_repeated(), "some earlier position has occurred twice");
    play(&mut position, "d7d6");
    assert!(!position.has_repeated());
}

/// Plays random games in which pieces move back and forth, also before the root.
#[test]
fn a_repetition_is_foreseen_exactly_where_a_move_leads_to_one() {
    let mut random = StdRng::seed_from_u64(13);
    let mut foreseen = [0, 0];
    for fen in [START, "r3k2r/8/8/3n4/4B3/8/8/R3K2R w KQkq - 0 1", "8/2k5/8/1q6/8/4R3/6K1/8 b - - 0 1"] {
        for _ in 0..20 {
            let mut position = Position::from_fen(fen).unwrap();
            for ply in 0..60 {
                let root = random.random_range(0..=ply);
                let repeats = |m: &Move| {
                    let mut after = position.clone();
                    after.play(*m);
                    after.is_repetition(root + 1)
                };
                let moves = position.legal_moves();
                let expected = moves.iter().any(repeats);
                assert_eq!(position.can_repeat(root), expected, "{} at {root}", position.fen());
                foreseen[usize::from(expected)] += 1;
                let quiet: Vec<_> = moves.iter().filter(|m| !m.is_zeroing()).collect();
                // Every second time the piece moves back.
                let back = quiet.iter().find(|m| repeats(m) && random.random_bool(0.5));
                let Some(&&m) = back.or_else(|| quiet.choose(&mut random)) else { break };
                position.play(m);
            }
        }
    }
    assert!(foreseen.iter().all(|&count| count > 200), "{foreseen:?}");
}

#[test]
fn a_position_that_could_be_captured_en_passant_in_is_another_one() {
    let shuffle = "e8d8 e1d1 d8e8 d1e1";
    let mut capturable = after("4k3/8/8/8/3p4/8/2P5/4K3 w - - 0 1", &format!("c2c4 {shuffle}"));
    assert!(!capturable.is_repetition(4), "the first time c4 could be taken en passant");
    play(&mut capturable, shuffle);
    assert!(capturable.is_repetition(4));
    let nobody_captures = after("4k3/8/8/8/8/8/2P5/4K3 w - - 0 1", &format!("c2c4 {shuffle}"));
    assert!(nobody_captures.is_repetition(4));
    let pinned = after("8/8/8/8/k2p3R/8/2P5/4K3 w - - 0 1", "c2c4 a4b4 e1d1 b4a4 d1e1");
    assert!(pinned.is_repetition(4), "taking would have uncovered the king");
}

#[test]
fn a_position_with_another_castling_right_is_another_one() {
    let shuffle = "h1g1 e8d8 g1h1 d8e8";
    let mut position = after("4k3/8/8/8/8/8/8/4K2R w K - 0 1", shuffle);
    assert!(!position.is_repetition(4), "the right to castle is gone");
    play(&mut position, shuffle);
    assert!(position.is_repetition(4));
    assert!(!position.is_repetition(3), "and the first occurrence does not count as one");
    assert!(after("4k3/8/8/8/8/8/8/4K2R w - - 0 1", shuffle).is_repetition(4));
}

#[test]
fn no_repetition_reaches_across_a_null_move_a_capture_or_a_pawn_move() {
    let mut position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K2R w - - 0 1").unwrap();
    let key = position.key();
    play(&mut position, "e1d1");
    assert!(position.play_null());
    play(&mut position, "d1e1");
    assert!(position.play_null());
    assert_eq!(position.key(), key);
    assert!(!position.is_repetition(10), "passing is no way back to a position");
    play(&mut position, "e1d1 e8d8 d1e1 d8e8");
    assert!(position.is_repetition(10), "but behind the null move repetitions count as ever");
    play(&mut position, "e2e3 e8d8 e1d1 d8e8");
    assert!(!position.is_repetition(10));
}

#[test]
fn what_is_drawn_may_be_drawn() {
    let mut rng = StdRng::seed_from_u64(12);
    let (mut looked_at, mut drawn, mut dismissed) = (0, 0, 0);
    for fen in [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "4k3/4p3/8/8/8/8/4P3/4K1N1 w - - 90 80",
        "4k3/8/8/8/8/8/4p3/4K1N1 w - - 0 1",
    ] {
        for _ in 0..100 {
            let mut position = Position::from_fen(fen).unwrap();
            for ply in 0..60 {
                let is_drawn = position.is_draw_by_rule() || position.is_repetition(ply);
                assert!(position.may_be_drawn() || !is_drawn, "{}", position.fen());
                looked_at += 1;
                drawn += usize::from(is_drawn);
                dismissed += usize::from(!position.may_be_drawn());
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[rng.random_range(0..moves.len())]);
            }
        }
    }
    assert!(drawn > 100 && dismissed > 1000, "{looked_at}: {drawn} drawn, {dismissed} dismissed");
}

#[test]
fn fifty_moves_are_a_draw_unless_the_last_one_mates() {
    let drawn = |fen: &str| Position::from_fen(fen).unwrap().is_draw_by_rule();
    assert!(!drawn("4k3/8/8/8/8/8/8/R3K3 w - - 99 80"));
    assert!(drawn("4k3/8/8/8/8/8/8/R3K3 w - - 100 80"));
    assert!(drawn("4k3/8/8/8/8/8/8/R3K3 w - - 150 90"));
    assert!(drawn("R3k3/8/8/8/8/8/8/4K3 b - - 100 80"), "in check, but not mated");
    assert!(!drawn("R6k/8/6K1/8/8/8/8/8 b - - 100 80"), "mate comes first");
}

#[test]
fn the_search_counts_the_fifty_moves_to_the_ply() {
    let with_clock =
        |halfmoves: u32| Position::from_fen(&format!("7k/8/5K2/8/8/8/8/R7 w - - {halfmoves} 80")).unwrap();
    let value = |position: &Position| search(position, &Limits::depth(8)).outcome.value();
    assert_eq!(value(&with_clock(97)), mate_in(3), "mate on the hundredth ply");
    assert_eq!(value(&with_clock(98)), DRAW, "the mate comes one ply too late");
    let mate_in_one = Position::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 99 80").unwrap();
    let found = search(&mate_in_one, &Limits::depth(4)).outcome;
    assert_eq!((found.best, found.value()), (mate_in_one.find_move("a1a8").ok(), mate_in(1)));
    assert_eq!(value_of(&mate_in_one, mate_in_one.find_move("a1a7").unwrap(), 4), DRAW);
    let with_a_pawn = Position::from_fen("4k3/8/8/8/8/8/P7/R3K3 w Q - 99 80").unwrap();
    let found = search(&with_a_pawn, &Limits::depth(4)).outcome;
    assert!(
        found.value() > 300 && found.best.unwrap().role() == shakmaty::Role::Pawn,
        "only the pawn wins time"
    );
    assert_eq!(value_of(&with_a_pawn, with_a_pawn.find_move("e1c1").unwrap(), 4), DRAW, "castling wins none");
}

/// The table must not carry the draw over: GUIs step back in a game, and search the same squares with a lower
/// counter.
#[test]
fn a_draw_by_fifty_moves_is_forgotten_with_a_lower_counter() {
    let mut searcher = Searcher::<Classical>::new(16);
    let mut value = |halfmoves: u32, depth| {
        let position = Position::from_fen(&format!("8/8/8/4k3/8/8/8/4K2R w - - {halfmoves} 60")).unwrap();
        search_with(&mut searcher, &position, &Limits::depth(depth), &Settings::default()).outcome.value()
    };
    assert_eq!(value(95, 18), DRAW);
    assert!(value(0, 14) > 300);
}

/// Without the values of the table this search took 5.0 million nodes.
#[test]
fn near_the_limit_the_table_is_used() {
    for halfmoves in [0, 90] {
        let position = Position::from_fen(&format!("8/8/8/8/8/4k3/8/R2K4 w - - {halfmoves} 80")).unwrap();
        let mut searcher = Searcher::<Standard>::new(16);
        let found = search_with(&mut searcher, &position, &Limits::depth(12), &Settings::default());
        assert!(found.outcome.nodes < 500_000, "{halfmoves}: {}", found.outcome.nodes);
    }
}

#[test]
fn a_root_past_fifty_moves_is_still_answered() {
    for halfmoves in [100, 149, 150, 5000] {
        let position = Position::from_fen(&format!("4k3/8/8/8/8/8/8/R3K3 w - - {halfmoves} 200")).unwrap();
        let found = search(&position, &Limits::depth(4)).outcome;
        assert!(found.best.is_some());
        assert_eq!(found.value(), DRAW);
    }
}

#[test]
fn material_that_cannot_mate_is_a_draw_and_material_that_can_is_not() {
    for (board, drawn) in [
        ("4k3/8/8/8/8/8/8/4K3", true),
        ("4k3/8/8/8/8/8/8/4KN2", true),
        ("4kb2/8/8/8/8/8/8/4K3", true),
        ("2b1k3/8/8/8/8/8/8/4KB2", true), // bishops on the same colour
        ("4kb2/8/8/8/8/8/8/4KB2", false), // on both colours
        ("4kn2/8/8/8/8/8/8/4KB2", false),
        ("4k3/8/8/8/8/8/8/3NKN2", false),
        ("4k3/8/8/8/8/8/P7/4K3", false),
        ("4k3/8/8/8/8/8/8/R3K3", false),
        ("4kr2/8/8/8/8/8/8/4K3", false),
    ] {
        for turn in ["w", "b"] {
            let position = Position::from_fen(&format!("{board} {turn} - - 0 1")).unwrap();
            assert_eq!(position.is_draw_by_rule(), drawn, "{board}");
            if drawn {
                let found = search(&position, &Limits::depth(5)).outcome;
                assert!(found.best.is_some() && found.value() == DRAW, "{board}");
            }
        }
    }
}

#[test]
fn the_search_trades_into_material_that_cannot_lose() {
    let position = Position::from_fen("4k3/8/8/8/8/8/1p6/K1B5 w - - 0 1").unwrap();
    let found = search(&position, &Limits::depth(6)).outcome;
    assert!(found.best.unwrap().is_capture() && found.value() == DRAW);
}

#[test]
fn a_root_without_moves_is_mate_or_stalemate() {
    for (fen, value) in [
        ("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", DRAW),
        ("k7/P7/K7/8/8/8/8/8 b - - 0 1", DRAW),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", mated_in(0)),
        ("7k/6Q1/6K1/8/8/8/8/8 b - - 100 90", mated_in(0)),
        ("rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", mated_in(0)),
    ] {
        let found = search(&Position::from_fen(fen).unwrap(), &Limits::depth(5)).outcome;
        assert_eq!((found.best, found.ponder, found.value()), (None, None, value), "{fen}");
        assert_eq!((found.lines.len(), found.lines[0].depth), (1, 0), "{fen}");
    }
}

#[test]
fn the_lost_side_sacrifices_its_queen_for_stalemate() {
    let position = Position::from_fen("7k/7p/8/2r5/8/1Q6/5q2/7K w - - 0 1").unwrap();
    let found = search(&position, &Limits::depth(9)).outcome;
    assert_eq!((found.best, found.value()), (position.find_move("b3g8").ok(), DRAW));
}

#[test]
fn the_winning_side_does_not_stalemate() {
    let mut rng = StdRng::seed_from_u64(5);
    let mut tempted = 0;
    while tempted < 60 {
        let Some(position) = random_ending(&mut rng) else { continue };
        let stalemates = |m: Move| {
            let mut after = position.clone();
            after.play(m);
            after.legal_moves().is_empty() && !after.is_check()
        };
        let Some(blunder) = position.legal_moves().into_iter().find(|&m| stalemates(m)) else { continue };
        tempted += 1;
        let found = search(&position, &Limits::depth(4)).outcome;
        assert!(found.value() > 400, "{} in {}", found.value(), position.fen());
        assert!(!stalemates(found.best.unwrap()), "{} in {}", found.best.unwrap(), position.fen());
        assert_eq!(value_of(&position, blunder, 3), DRAW, "{blunder} in {}", position.fen());
    }
}

/// King and queen against a king in the corner, with White to move and about to win.
fn random_ending(rng: &mut StdRng) -> Option<Position> {
    let mut board = [b'1'; 64];
    board[0] = b'k';
    for piece in [b'K', b'Q'] {
        let square = rng.random_range(1..64);
        if board[square] != b'1' {
            return None;
        }
        board[square] = piece;
    }
    let ranks: Vec<_> = board.chunks(8).map(|rank| String::from_utf8_lossy(rank).into_owned()).collect();
    let position = Position::from_fen(&format!("{} w - - 0 1", ranks.join("/"))).ok()?;
    // An attacked queen might have to move; only quiet wins are wanted.
    let king = position.chess().board().king_of(shakmaty::Color::Black)?;
    let queen = position.chess().board().queens().first()?;
    (!shakmaty::attacks::king_attacks(king).contains(queen)).then_some(position)
}

#[test]
fn the_winning_side_does_not_repeat_a_third_time() {
    for (fen, shuffle, repeats) in [
        ("7k/8/8/8/8/3K4/8/R7 w - - 0 1", "a1a2 h8g8 a2a1 g8h8", "a1a2"),
        ("8/8/4k3/8/8/8/3QK3/8 w - - 0 1", "d2d1 e6e5 d1d2 e5e6", "d2d1"),
        ("r2qk3/8/8/8/8/8/8/4K3 b q - 0 1", "d8d7 e1f1 d7d8 f1e1", "d8d7"),
        ("6k1/5ppp/8/8/8/8/5PPP/1R2R1K1 w - - 0 1", "e1d1 g8f8 d1e1 f8g8", "e1d1"),
    ] {
        let mut position = after(fen, &format!("{shuffle} {shuffle}"));
        let repeats = position.find_move(repeats).unwrap();
        let found = search(&position, &Limits::depth(6)).outcome;
        assert!(found.value() > 300, "{} in {fen}", found.value());
        assert_ne!(found.best, Some(repeats), "{fen}");
        assert_eq!(value_of(&position, repeats, 6), DRAW, "{repeats} draws in {fen}");
        position.play(found.best.unwrap());
        assert!(!position.is_repetition(0));
    }
}

#[test]
fn the_losing_side_repeats_where_it_can() {
    let (fen, shuffle) = ("7k/8/8/8/8/3K4/2Q5/R7 b - - 0 1", "h8g8 a1a2 g8h8 a2a1");
    let once = after(fen, shuffle);
    assert!(search(&once, &Limits::depth(5)).outcome.value() < -500, "White need not go along again");
    let twice = after(fen, &format!("{shuffle} {shuffle}"));
    let found = search(&twice, &Limits::depth(5)).outcome;
    assert_eq!((found.best, found.value()), (twice.find_move("h8g8").ok(), DRAW), "the third time on g8");
}

#[test]
fn pawns_on_the_rooks_file_and_the_wrong_bishop_do_not_win() {
    fn value<E: Evaluator + Default>(fen: &str) -> i32 {
        let position = Position::from_fen(fen).unwrap();
        let limits = Limits::nodes(50_000);
        search_with(&mut Searcher::<E>::new(4), &position, &limits, &Settings::default()).outcome.value()
    }
    for (fen, draw) in [
        ("7k/8/6K1/7P/8/8/4B3/8 w - - 0 1", true),
        ("8/8/7k/8/8/8/4B2P/4K3 w - - 0 1", true),
        ("8/8/4k3/8/3B4/8/P7/4K3 w - - 0 1", true),
        ("6k1/8/8/6K1/7P/3B4/7P/8 w - - 0 1", true),
        ("7k/8/6K1/7P/8/8/3B4/8 w - - 0 1", false),
        ("8/8/8/6k1/3B4/8/P7/4K3 w - - 0 1", false),
    ] {
        for value in [value::<Classical>(fen), value::<Standard>(fen)] {
            assert!(if draw { value.abs() <= 30 } else { value > 300 }, "{value} in {fen}");
        }
    }
}

#[test]
fn perpetual_check_saves_the_weaker_side() {
    let position = Position::from_fen("2Q5/5ppk/7p/8/8/rr6/6K1/8 w - - 0 1").unwrap();
    let found = search(&position, &Limits::depth(14)).outcome;
    assert_eq!(found.value(), DRAW, "{:?}", found.best);
    // Perpetual checks also approach the fifty-move rule.
    let techniques = Techniques { repetition: false, fifty_move_damping: false, ..Techniques::ALL };
    let blind = Settings { techniques, ..Settings::default() };
    let mut searcher = Searcher::<Classical>::new(4);
    let unaware = search_with(&mut searcher, &position, &Limits::depth(14), &blind).outcome;
    assert!(unaware.value() < -200, "without the rule White is lost: {}", unaware.value());
}

#[test]
fn the_nearer_the_fifty_move_rule_the_less_an_advantage_is_worth() {
    let value = |halfmoves: u32, techniques| {
        let fen = format!("4k3/4p3/4n3/8/8/4N3/4PR2/4K3 w - - {halfmoves} 60");
        let position = Position::from_fen(&fen).unwrap();
        let settings = Settings { techniques, ..Settings::default() };
        search_with(&mut Searcher::<Classical>::new(4), &position, &Limits::depth(1), &settings)
            .outcome
            .value()
    };
    let values = [0, 30, 60, 90].map(|halfmoves| value(halfmoves, Techniques::ALL));
    assert!(values.is_sorted_by(|before, after| before > after) && values[3] > 0, "{values:?}");
    let undamped = Techniques { fifty_move_damping: false, ..Techniques::ALL };
    assert_eq!(value(0, undamped), value(60, undamped));
}
