//! Tests of the rules: counts all positions below known ones through `Position::play` and `undo`, and
//! compares all properties of every position with shakmaty, which computes them from scratch.
//!
//! The counts are published ones and, in `positions/perft.epd`, python-chess's. `cargo test --release --test
//! perft -- --ignored --nocapture` runs the suites of the folder in `ZUGWERK_POSITIONS`.

use crate::support::perft_suite;

use std::{collections::HashSet, time::Instant};

use perft_suite::{Row, external, for_each_in_parallel, published, random};
use shakmaty::{Bitboard, Move, Piece, Position as _, Role};
use zugwerk::chess::{
    perft,
    position::{Legality, PackedMove, Position, destination, key},
};

/// Counts like perft, and compares every inner node with shakmaty.
fn checked_count(position: &mut Position, depth: u32) -> u64 {
    check_claims(position);
    let moves = check_moves(position);
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut total = 0;
    for m in moves {
        position.play(m);
        total += checked_count(position, depth - 1);
        position.undo();
    }
    total
}

/// The state of the position must equal that computed from the board.
fn check_claims(position: &Position) {
    let (chess, fen) = (position.chess(), position.fen());
    assert_eq!(position.key(), key::from_scratch(chess), "key of {fen}");
    assert_eq!(position.checkers(), chess.checkers(), "checkers of {fen}");
    let is_piece = |piece: Piece| !matches!(piece.role, Role::Pawn | Role::King);
    let has_pieces = chess.board().iter().any(|(_, piece)| piece.color == position.turn() && is_piece(piece));
    assert_eq!(position.has_pieces(), has_pieces, "{fen}");
}

/// The moves must equal shakmaty's, in two groups; each must survive packing and predict its check correctly.
fn check_moves(position: &mut Position) -> Vec<Move> {
    let fen = position.fen();
    let moves = position.legal_moves();
    let distinct: HashSet<Move> = moves.iter().copied().collect();
    assert_eq!(distinct, position.chess().legal_moves().into_iter().collect(), "moves of {fen}");
    assert_eq!(distinct.len(), moves.len(), "a move of {fen} is generated twice");

    let legality = Legality::of(position);
    let mut tacticals = HashSet::new();
    legality.tactical_moves(|m| assert!(tacticals.insert(m)));
    let expected = moves.iter().copied().filter(|m| m.is_capture() || m.is_promotion()).collect();
    assert_eq!(tacticals, expected, "captures and promotions of {fen}");
    assert_eq!(legality.any_move(), !moves.is_empty(), "{fen}");
    let light = Bitboard::LIGHT_SQUARES;
    let (mut by_pieces, mut by_pawns) = (HashSet::new(), HashSet::new());
    legality
        .piece_captures(light, |_, from, landing| by_pieces.extend(landing.into_iter().map(|to| (from, to))));
    legality.pawn_tacticals(light, |m| assert!(by_pawns.insert(m)));
    for &m in &tacticals {
        let from = m.from().expect("no piece is dropped");
        let on_light = light.contains(m.to());
        let wanted = match m.role() {
            Role::Pawn => on_light || m.is_en_passant() || !m.is_capture(),
            _ => on_light,
        };
        let found = by_pawns.remove(&m) | by_pieces.remove(&(from, m.to()));
        assert_eq!(found, wanted, "{m} in {fen}");
    }
    assert!(by_pieces.is_empty() && by_pawns.is_empty(), "{by_pieces:?} {by_pawns:?} in {fen}");
    for &m in &moves {
        let packed = PackedMove::new(m).expect("every move can be packed");
        assert_eq!(legality.unpack(packed), Some(m), "{m} in {fen}");
        assert!(moves.iter().all(|&other| packed.is(other) == (other == m)), "{m} in {fen}");
        let ep_square = position.chess().maybe_ep_square();
        let may_be_tactical = tacticals.contains(&m) || m.is_castle() || ep_square == Some(m.to());
        assert_eq!(position.may_be_tactical(packed), may_be_tactical, "{m} in {fen}");
    }

    for &m in &moves {
        let (before, promised) = (position.key(), position.gives_check(m));
        let us = position.turn();
        let delta = position.play(m);
        assert_eq!(destination(us, m), delta.to.1, "{m} in {fen}");
        assert_eq!(promised, position.is_check(), "check by {m} in {fen}");
        check_claims(position);
        position.undo();
        assert_eq!(position.key(), before, "{m} in {fen} is not taken back");
    }
    moves
}

/// Compares the deepest count of at most `nodes`, if there is one, and every inner node.
fn check(row: &Row, nodes: u64) {
    let Some((depth, count)) = row.deepest(nodes) else { return };
    let mut position = Position::from_fen(&row.fen).unwrap();
    assert_eq!(checked_count(&mut position, depth), count, "{} to depth {depth}", row.fen);
}

/// Compares the deepest count of at most `nodes`, if there is one.
fn count(row: &Row, nodes: u64) -> u64 {
    let Some((depth, count)) = row.deepest(nodes) else { return 0 };
    let mut position = Position::from_fen(&row.fen).unwrap();
    assert_eq!(perft::count(&mut position, depth, &|| false), Some(count), "{} to depth {depth}", row.fen);
    count
}

#[test]
fn published_positions_count_right_and_every_node_agrees_with_shakmaty() {
    for_each_in_parallel(&published(), |row| check(row, 200_000));
}

#[test]
fn random_positions_of_all_three_kinds_count_right_and_every_node_agrees_with_shakmaty() {
    let rows = random();
    assert!(rows.len() >= 120);
    for_each_in_parallel(&rows, |row| check(row, 100_000));
}

#[test]
fn published_positions_count_right_some_plies_deeper() {
    let rows = published();
    for_each_in_parallel(&rows, |row| {
        count(row, 5_000_000);
    });
}

#[test]
fn no_bit_pattern_becomes_an_illegal_move() {
    let fens = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1", // castling both ways
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",     // in check
        "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",            // promotions
        "8/8/8/2k5/2pP4/8/B7/4K3 b - d3 0 1",                                   // en passant out of check
        "8/8/8/8/k2Pp2Q/8/8/3K4 b - d3 0 1",                                    // en passant opens the rank
        "4k3/8/4r3/8/8/4N3/8/4K3 w - - 0 1",                                    // a pinned knight
        "4k3/8/8/8/7b/8/5N2/4K2r w - - 0 1",                                    // double attack, one pin
        "4k3/8/8/8/7b/8/5P2/4K3 w - - 0 1",                                     // a pinned pawn
        "4k3/4r3/8/8/8/3n4/2P5/4K3 w - - 0 1", // double check: neither checker may be captured
        "1r2k2r/8/8/8/8/8/8/1R2K2R w HBhb - 0 1", // Chess960 rooks
        "8/8/8/8/8/8/k7/qRK4R w H - 0 1",      // castling under a pin
        "5k2/8/8/8/8/8/8/R3K2R w KQ - 0 1",    // castling with check
        "r1bqrnk1/pp2bppp/2p2n2/3p2B1/3P4/2NBPN2/PPQ2PPP/R4RK1 b - - 7 11",
    ];
    for fen in fens {
        let mut position = Position::from_fen(fen).unwrap();
        let legal: HashSet<Move> = check_moves(&mut position).into_iter().collect();
        let legality = Legality::of(&position);
        let mut unpacked = HashSet::new();
        for packed in (0..=u16::MAX).filter_map(PackedMove::from_bits) {
            if let Some(m) = legality.unpack(packed) {
                assert!(packed.is(m) && unpacked.insert(m), "{packed:?} becomes {m} in {fen}");
            }
        }
        assert_eq!(unpacked, legal, "{fen}");
    }
}

#[test]
#[ignore = "needs ZUGWERK_POSITIONS, and minutes"]
fn external_suites_count_right() {
    for (name, rows) in external() {
        let begun = Instant::now();
        let nodes = std::sync::atomic::AtomicU64::new(0);
        for_each_in_parallel(&rows, |row| {
            check(row, 50_000);
            nodes.fetch_add(count(row, 5_000_000), std::sync::atomic::Ordering::Relaxed);
        });
        println!("{name}: {} rows, {} nodes, {:.1?}", rows.len(), nodes.into_inner(), begun.elapsed());
    }
}
