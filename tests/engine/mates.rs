//! Tests of forced mates: found at the exact distance, with the whole variation, with every kind of limit.
//!
//! `support/searching.rs` checks for every search that the variations are legal and end with the mate. The
//! distances of `positions/mates.epd` were proved by brute force with python-chess.

use crate::support::searching;

use std::{fs, path::Path, time::Instant};

use searching::search_with;
use shakmaty::{Color, Move, Role, san::San};
use zugwerk::{
    chess::{
        position::{Legality, PackedMove, Position},
        value::{Score, Value, is_known, is_mate, mate_in, mated_in},
    },
    engine::{
        eval::{Classical, Standard},
        search::{Bound, Limits, Outcome, Searcher, Settings, Stop},
        tt::Entry,
    },
};

/// Positions from the issue: moves to mate, and the moves that mate as fast if there are few.
const KNOWN: [(&str, i32, &[&str]); 4] = [
    ("3k4/6R1/8/4R3/8/8/8/7K w - - 0 1", 2, &[]),
    ("2q3k1/2p1npp1/8/3N4/8/8/2Q4R/1B4K1 w - - 0 1", 2, &["h2h8"]),
    ("R1q3k1/2p1npp1/4P3/3N4/8/8/2Q5/1B4K1 w - - 0 1", 3, &["a8c8", "c2h7"]),
    ("2k5/8/2K2R2/8/8/8/8/8 b - - 0 1", -3, &["c8b8"]),
];

fn mate_limit(moves: i32, nodes: u64) -> Limits {
    Limits { mate: Some(moves.unsigned_abs()), nodes: Some(nodes), ..Limits::default() }
}

fn search(position: &Position, limits: &Limits) -> Outcome {
    search_with(&mut Searcher::<Classical>::new(16), position, limits, &Settings::default()).outcome
}

/// Pruning hides this mate in two from searches of a small depth, because the first move is quiet. But the
/// table may have it from the search for the move before.
#[test]
fn a_mate_that_the_table_has_is_not_forgotten() {
    let board = "5k2/4p2Q/5p2/7p/2n3pP/6P1/2B5/2K5 w - -";
    let found = |counter: u32, line: &[&str]| {
        let root = Position::from_fen(&format!("{board} {counter} 152")).unwrap();
        let mut searcher = Searcher::<Classical>::new(1);
        searcher.prepare(&Stop::default()).unwrap();
        let mut position = root.clone();
        for (ply, text) in line.iter().enumerate() {
            let played = position.find_move(text).unwrap();
            let value = if ply % 2 == 0 { mate_in(3 - ply) } else { mated_in(3 - ply) };
            let (m, bound) = (PackedMove::new(played), Some(Bound::Exact));
            searcher.table().store(position.table_key(), 0, Entry { m, value, bound, ..Entry::default() });
            position.play(played);
        }
        let outcome = search_with(&mut searcher, &root, &Limits::depth(2), &Settings::default()).outcome;
        outcome.value()
    };
    let line = ["c2g6", "c4e5", "h7h8"];
    assert!(!is_mate(found(0, &[])));
    assert_eq!(found(0, &line), mate_in(3));
    assert!(!is_mate(found(0, &line[..2])), "the line is not complete");
    assert!(!is_mate(found(98, &line)), "the fifty-move rule comes first");
}

#[test]
fn known_mates_are_found_by_depth_by_nodes_and_by_mate_distance() {
    for (fen, moves, keys) in KNOWN {
        let position = Position::from_fen(fen).unwrap();
        for limits in [
            Limits::depth(16),
            Limits::nodes(1_000_000),
            mate_limit(moves, 3_000_000),
            Limits { mate: Some(20), nodes: Some(500_000), ..Limits::default() },
        ] {
            if moves < 0 && limits.mate.is_some_and(|wanted| wanted == moves.unsigned_abs()) {
                continue; // see `a_side_that_is_mated_learns_it_from_a_mate_limit_too`
            }
            let found = search(&position, &limits);
            let score = Score::from(found.value());
            if limits.mate == Some(20) {
                assert!(
                    matches!(score, Score::Mate(found) if found.abs() >= moves.abs()),
                    "{score} in {fen}"
                );
                continue;
            }
            assert_eq!(score, Score::Mate(moves), "{fen} with {limits:?}");
            let best = found.best.unwrap();
            let is_key = keys.is_empty() || keys.iter().any(|key| position.find_move(key).ok() == Some(best));
            assert!(is_key, "{best} in {fen}");
        }
    }
}

#[test]
fn a_mate_that_was_asked_for_ends_the_search() {
    for (fen, moves, _) in KNOWN.into_iter().filter(|known| known.1 > 0) {
        let position = Position::from_fen(fen).unwrap();
        let found = search(&position, &mate_limit(moves, 10_000_000));
        assert!(found.nodes < 3_000_000, "{} nodes in {fen}", found.nodes);
    }
}

#[test]
fn a_mate_that_was_asked_for_ends_a_search_for_several_lines_too() {
    let position = Position::from_fen("5k2/4b3/1p2PBK1/8/B7/8/8/8 w - - 3 67").unwrap();
    let settings = Settings { multi_pv: 2, ..Settings::default() };
    let mut searcher = Searcher::<Standard>::new(16);
    let found = search_with(&mut searcher, &position, &mate_limit(3, 1_000_000), &settings).outcome;
    assert!(found.mates_in(3) && found.lines.len() == 2, "{found:?}");
    assert!(found.nodes < 500_000, "{} nodes", found.nodes);
}

#[test]
fn every_move_that_mates_in_two_is_seen_to_and_no_other() {
    let position = Position::from_fen(KNOWN[0].0).unwrap();
    // Proved by brute force.
    let mating = "g7a7 g7f7 g7h7 e5a5 e5c5 e5h5 e5e1 e5e2 e5e3 e5e4 e5e6 e5e7 h1g1 h1g2 h1h2";
    let mating: Vec<_> = mating.split(' ').map(|uci| position.find_move(uci).unwrap()).collect();
    for m in position.legal_moves() {
        let limits = Limits { search_moves: vec![m], ..Limits::depth(4) };
        let value: Value = search(&position, &limits).value();
        assert_eq!(value == mate_in(3), mating.contains(&m), "{m} is worth {}", Score::from(value));
    }
}

/// A row of a suite: the position, moves to mate, and the moves that mate as fast, if given.
struct Row {
    position: Position,
    moves: i32,
    keys: Vec<Move>,
}

fn rows(text: &str) -> Vec<Row> {
    let lines = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    let row = |line: &str| {
        let fields: Vec<_> = line.splitn(5, ' ').collect();
        let position = Position::from_fen(&fields[..4].join(" ")).unwrap();
        let operation = |name: &str| fields[4].split(';').find_map(|text| text.trim().strip_prefix(name));
        let moves = operation("dm ").expect("a distance").parse().unwrap();
        let san = |word: &str| word.parse::<San>().unwrap().to_move(position.chess()).unwrap();
        let keys = operation("bm ").unwrap_or("").split_whitespace().map(san).collect();
        Row { position, moves, keys }
    };
    lines.map(row).collect()
}

impl Row {
    fn is_solved_by(&self, found: &Outcome) -> bool {
        Score::from(found.value()) == Score::Mate(self.moves)
            && (self.keys.is_empty() || found.best.is_some_and(|best| self.keys.contains(&best)))
    }
}

#[test]
fn proven_mates_are_found_exactly() {
    let rows = rows(include_str!("../../positions/mates.epd"));
    assert!(rows.len() >= 30 && rows.iter().any(|row| row.moves < 0));
    for row in &rows {
        let mut searches = Vec::new();
        if row.moves > 0 {
            searches.push(mate_limit(row.moves, 3_000_000));
        }
        if row.moves.abs() <= 2 {
            searches.push(Limits::nodes(100_000));
        }
        for limits in searches {
            let found = search(&row.position, &limits);
            let (fen, score) = (row.position.fen(), Score::from(found.value()));
            assert!(row.is_solved_by(&found), "{score} by {:?}, not {}, in {fen}", found.best, row.moves);
        }
    }
}

#[test]
fn a_side_that_is_mated_learns_it_from_a_mate_limit_too() {
    let (fen, moves, _) = KNOWN[3];
    let own = rows(include_str!("../../positions/mates.epd")).into_iter().filter(|row| row.moves < 0);
    let known = Row { position: Position::from_fen(fen).unwrap(), moves, keys: Vec::new() };
    for row in own.chain([known]) {
        let found = search(&row.position, &mate_limit(row.moves, 3_000_000));
        assert!(row.is_solved_by(&found), "{} in {}", Score::from(found.value()), row.position.fen());
    }
}

#[test]
fn no_mate_is_found_within_fewer_moves_than_there_are() {
    for row in rows(include_str!("../../positions/mates.epd")).iter().filter(|row| row.moves > 1) {
        let limits = Limits { mate: Some(row.moves.unsigned_abs() - 1), ..Limits::nodes(50_000) };
        let found = search(&row.position, &limits);
        let score = Score::from(found.value());
        let too_soon = matches!(score, Score::Mate(moves) if moves.abs() < row.moves);
        assert!(!too_soon, "{score} in {}, but the mate is in {}", row.position.fen(), row.moves);
    }
}

/// The best move of `position`, and whether the search and a limit of `mate` moves take it for the beginning
/// of a mate.
fn best_and_mates(position: &Position, mate: i32) -> (Option<Move>, [bool; 2]) {
    let settings = Settings::default();
    let mut searcher = Searcher::<Standard>::new(16);
    let plain = search_with(&mut searcher, position, &Limits::nodes(60_000), &settings).outcome;
    let limited = search(position, &mate_limit(mate, 60_000));
    (plain.best, [plain, limited].map(|found| found.mates_in(mate.unsigned_abs())))
}

/// With 20,000 nodes a move, against a defender who looks less far. By the best defence of the tables, too,
/// all of 200 endings of bishop and knight were won.
#[test]
fn a_bare_king_is_mated_by_material_that_can() {
    for fen in [
        "8/8/8/3k4/8/8/8/KQ6 w - - 0 1",
        "8/8/8/3k4/8/8/8/KR6 w - - 0 1",
        "8/8/8/3k4/8/8/8/K1BB4 w - - 0 1",
        "8/8/8/3k4/8/8/8/K1BN4 w - - 0 1",
    ] {
        let mut position = Position::from_fen(fen).unwrap();
        let mut searchers =
            [20_000, 2_000].map(|nodes| (Searcher::<Standard>::new(16), Limits::nodes(nodes)));
        let alive = |position: &Position| Legality::of(position).any_move();
        while !position.is_draw_by_rule() && !position.is_repetition(0) && alive(&position) {
            let (searcher, limits) = &mut searchers[position.turn().fold_wb(0, 1)];
            let found = search_with(searcher, &position, limits, &Settings::default()).outcome;
            let is_won = is_known(found.value()) || position.turn() == Color::Black;
            assert!(is_won, "{} in {}", found.value(), position.fen());
            position.play(found.best.unwrap());
        }
        assert!(position.is_check() && !alive(&position), "{}", position.fen());
    }
}

/// The mate in two, and the one in three, would come after the hundredth ply without capture or pawn move.
#[test]
fn no_mate_is_seen_behind_the_fifty_move_draw() {
    for (fen, mate) in
        [("7k/8/5K2/8/8/8/P7/6R1 w - - 98 100", 2), ("8/7n/3KR3/8/8/4P3/4Q3/7k w - - 98 80", 3)]
    {
        let [drawn, won] = [98, 90]
            .map(|counter| Position::from_fen(&fen.replace(" 98 ", &format!(" {counter} "))).unwrap());
        let (best, seen) = best_and_mates(&drawn, mate);
        assert_eq!((best.map(Move::role), seen), (Some(Role::Pawn), [false; 2]), "{fen}");
        assert_eq!(best_and_mates(&won, mate).1, [true; 2], "{fen}");
    }
}

/// A FEN may have a counter far beyond the rule. Only a mate in one comes before the draw then.
#[test]
fn a_counter_of_any_size_is_no_obstacle() {
    for (fen, mate) in
        [("7k/8/5K2/8/8/8/P7/6R1 w - - 4294967295 100", 2), ("7k/5K2/8/8/8/8/P7/6R1 w - - 4294967295 100", 1)]
    {
        let position = Position::from_fen(fen).unwrap();
        assert_eq!(search(&position, &mate_limit(mate, 60_000)).mates_in(1), mate == 1, "{fen}");
    }
}

/// The first move of the only mate in two repeats the position for the third time.
#[test]
fn no_mate_begins_with_the_third_repetition() {
    let mut position = Position::from_fen("7k/5K2/8/8/8/8/P7/6R1 b - - 0 1").unwrap();
    for m in "h8h7 f7f6 h7h8 f6f7 h8h7 f7f6 h7h8".split(' ') {
        position.play(position.find_move(m).unwrap());
    }
    let (best, mates) = best_and_mates(&position, 2);
    assert_eq!(mates, [false; 2]);
    assert_ne!(best, position.find_move("f6f7").ok());
    assert_eq!(best_and_mates(&Position::from_fen(&position.fen()).unwrap(), 2).1, [true; 2]);
}

#[test]
#[ignore = "needs ZUGWERK_POSITIONS, and minutes"]
fn external_suites() {
    let folder =
        std::env::var("ZUGWERK_POSITIONS").expect("ZUGWERK_POSITIONS names a folder with mates/*.epd");
    for name in ["mate1", "mate2", "mate3", "mate4", "mate5", "mate6", "mate7", "mate8", "mated"] {
        let file = Path::new(&folder).join("mates").join(name).with_extension("epd");
        let rows = rows(&fs::read_to_string(file).unwrap());
        let begun = Instant::now();
        let solved = |limits: &dyn Fn(&Row) -> Limits| {
            rows.iter().filter(|row| row.is_solved_by(&search(&row.position, &limits(row)))).count()
        };
        let by_mate = solved(&|row| mate_limit(row.moves, 3_000_000));
        let by_nodes = solved(&|_| Limits::nodes(1_000_000));
        println!(
            "{name}: {} rows, go mate {by_mate}, go nodes 1000000 {by_nodes}, {:.1?}",
            rows.len(),
            begun.elapsed()
        );
        if ["mate1", "mate2", "mate3"].contains(&name) {
            assert_eq!(by_mate, rows.len(), "{name}");
        }
    }
}
