use super::*;
use crate::chess::value::{mate_in, mated_in};

fn record(fen: &str, m: &str, score: Value) -> Record {
    let position = Position::from_fen(fen).unwrap();
    let m = PackedMove::new(position.find_move(m).unwrap()).unwrap();
    Record::new(&position, score, m, KnownOutcome::Draw).unwrap()
}

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

#[test]
fn positions_survive_with_rights_en_passant_and_counters() {
    for (fen, m) in [
        (START, "e2e4"),
        ("r3k2r/8/8/8/8/8/8/R3K2R b Kq - 17 40", "e8c8"),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "e5f6"),
        ("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 9", "d4e3"),
        ("1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w KQkq - 3 20", "e1g1"),
        ("1r2kr2/8/8/8/8/8/8/RR2K3 w B - 0 1", "e1b1"),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 99 300", "a7a8n"),
    ] {
        let position = Position::from_fen(fen).unwrap();
        let packed = record(fen, m, -31);
        let copy = Record::from_bytes(&packed.to_bytes()).unwrap();
        assert_eq!(copy, packed);
        let read = copy.position().unwrap();
        assert_eq!(read.chess(), position.chess(), "{fen}");
        assert_eq!((read.fen(), read.key()), (position.fen(), position.key()));
        assert_eq!(copy.is_chess960(), position.castling_mode().is_chess960(), "{fen}");
        assert_eq!(copy.legal_move(&read), Some(position.find_move(m).unwrap()), "{fen}");
    }
}

#[test]
fn scores_results_and_plies_survive() {
    let fen = "4k3/8/8/8/8/8/8/4K2R b K - 5 31";
    for score in [0, 25, -700, mate_in(1), mated_in(40)] {
        let record = record(fen, "e8e7", score);
        assert_eq!((record.score(), record.is_mate()), (score, is_mate(score)));
        assert_eq!((record.ply(), record.halfmoves, record.turn()), (61, 5, Color::Black));
    }
    for (points, winner) in [(0.0, Some(Color::Black)), (0.5, None), (1.0, Some(Color::White))] {
        let won = record(fen, "e8e7", 0).with_result(KnownOutcome::from_winner(winner));
        assert_eq!((won.white_points(), won.result().winner()), (points, winner));
        assert_eq!(won.with_result(KnownOutcome::Draw), record(fen, "e8e7", 0));
    }
}

#[test]
fn checks_and_tactical_moves_are_seen() {
    let cases = [
        (START, "g1f3", false, false),
        ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "e5f6", false, true),
        ("4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8q", false, true),
        ("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1", "e1h1", false, false),
        ("4k3/4R3/8/8/8/8/8/4K3 b - - 0 1", "e8e7", true, true),
        ("4k3/8/8/8/8/8/4R3/4K3 b - - 0 1", "e8d8", true, false),
    ];
    for (fen, m, check, tactical) in cases {
        let record = record(fen, m, 0);
        assert_eq!((record.is_check(), record.is_tactical()), (check, tactical), "{fen}");
    }
}

#[test]
fn meaningless_bytes_are_refused() {
    let bytes = record(START, "e2e4", 0).to_bytes();
    for (at, byte) in [(8, 0x77), (24, 9 << 1), (24, 3 << 5), (24, 0x80), (29, 0x80), (29, 0x7f), (30, 0)] {
        let mut bytes = bytes;
        bytes[at] = byte;
        if at == 30 {
            bytes[31] = 0;
        }
        assert_eq!(Record::from_bytes(&bytes), Err(RecordError::Meaningless), "byte {at}");
    }
    let mut crowded = bytes;
    crowded[2] = 1;
    assert_eq!(Record::from_bytes(&crowded), Err(RecordError::TooManyPieces));
    let crowd = Position::from_fen("rnbqkbnr/pppppppp/8/8/7P/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1").unwrap();
    let m = PackedMove::new(crowd.find_move("g1f3").unwrap()).unwrap();
    assert_eq!(Record::new(&crowd, 0, m, KnownOutcome::Draw), Err(RecordError::TooManyPieces));
}

#[test]
fn scores_that_no_search_finds_are_refused() {
    for (size, is_read) in [(INFINITE - 1, true), (INFINITE, false)] {
        for score in [size, -size] {
            let bytes = record(START, "e2e4", score).to_bytes();
            assert_eq!(Record::from_bytes(&bytes).is_ok(), is_read, "{score}");
        }
    }
}

#[test]
fn counters_too_large_for_a_record_are_as_large_as_they_can_be() {
    let fen = "4k3/8/8/8/8/8/4P3/4K3 b - - 4294967295 2147483649";
    let record = record(fen, "e8d8", 0);
    assert_eq!((record.ply(), record.halfmoves), (u16::MAX, u8::MAX));
}

#[test]
fn kings_are_counted() {
    let whole = record(START, "e2e4", 0);
    assert!(whole.has_both_kings());
    // The fifth and the twenty-ninth piece, two to a byte; each becomes a queen.
    for (at, king, queen) in [(10, 5, 4), (22, 13, 12)] {
        let mut bytes = whole.to_bytes();
        assert_eq!(bytes[at] & 15, king);
        bytes[at] = bytes[at] & !15 | queen;
        assert!(!Record::from_bytes(&bytes).unwrap().has_both_kings(), "byte {at}");
    }
}
