//! Tests of `position`: what is accepted, what is refused, and how far a game is played.

use super::driver::Engine;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Returns the FEN after `position <rest>`, which must be accepted without output.
fn accepted(rest: &str) -> String {
    let mut engine = Engine::uci();
    assert_eq!(engine.ask(&format!("position {rest}")), [""; 0], "{rest}");
    engine.fen()
}

#[test]
fn fens_may_lack_fields_and_write_castling_in_any_way() {
    let cases = [
        ("startpos", START),
        ("startpos moves", START),
        (&format!("fen {START}"), START),
        (&format!("fen {START} moves"), START),
        ("fen 4k3/8/8/8/8/8/8/4K2R w K -", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("fen 4k3/8/8/8/8/8/8/4K2R w K - 7", "4k3/8/8/8/8/8/8/4K2R w K - 7 1"),
        ("fen 4k3/8/8/8/8/8/8/4K2R w H - 0 1", "4k3/8/8/8/8/8/8/4K2R w K - 0 1"),
        ("fen r3k2r/8/8/8/8/8/8/R3K2R b HAha - 3 9", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 9"),
        ("fen 4k3/8/8/8/8/8/8/1R2KR2 w FB - 0 1", "4k3/8/8/8/8/8/8/1R2KR2 w KQ - 0 1"),
        // No pawn can capture, so there is no en-passant square.
        (
            "fen rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
            "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1",
        ),
        ("fen 4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"),
        // Common errors of GUIs: rights without a rook, an impossible en-passant square, too many queens.
        ("fen 4k3/8/8/8/8/8/8/4K3 w KQkq - 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("fen 4k3/8/8/8/8/8/8/4K3 w - e6 0 1", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
        ("fen 3qk3/8/8/8/8/8/PPPPPPPP/QQQQK3 w - - 0 1", "3qk3/8/8/8/8/8/PPPPPPPP/QQQQK3 w - - 0 1"),
        ("fen 4k3/8/8/8/8/8/8/4K3 w - - 0 0", "4k3/8/8/8/8/8/8/4K3 w - - 0 1"),
    ];
    for (rest, fen) in cases {
        assert_eq!(accepted(rest), fen, "{rest}");
    }
}

/// With `K`, `Q`, `k` and `q` many programs claim rights that the position cannot have.
#[test]
fn standard_chess_has_only_its_own_castling() {
    const DOUBLE: &str = "r3k2r/8/8/8/8/8/8/1R2K2R w KQkq - 0 1";
    for (fen, castling) in [
        ("8/2k3p1/p2r4/8/6B1/3pP3/PP3P2/R5K1 w KQkq - 0 20", "-"),
        ("3rk3/8/8/8/8/8/3PPPPP/4KR2 w KQkq - 0 1", "-"),
        ("r3k2r/8/8/8/8/8/8/R4K1R w KQkq - 0 1", "kq"),
        ("r3k2r/8/8/8/4K3/8/8/R6R w KQkq - 0 1", "kq"),
        (DOUBLE, "Kkq"),
        // Files name rooks.
        ("r3k2r/8/8/8/8/8/8/1R2K2R w HBha - 0 1", "KQkq"),
        ("r3k2r/8/8/8/8/8/8/1R2K2R w Bkq - 0 1", "Qkq"),
    ] {
        let read = accepted(&format!("fen {fen}"));
        assert_eq!(read.split(' ').nth(2), Some(castling), "{fen}");
    }
    let mut engine = Engine::uci();
    engine.send("setoption name UCI_Chess960 value true");
    engine.send(&format!("position fen {DOUBLE}"));
    assert_eq!(engine.fen(), DOUBLE);
    engine.send("setoption name UCI_Chess960 value false");
    assert_eq!(engine.fen(), DOUBLE, "the option is for the next position");
}

#[test]
fn moves_are_played_in_standard_chess_and_in_chess960() {
    let castled = "4k3/8/8/8/8/8/8/5RK1 b - - 1 1";
    assert_eq!(accepted("fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1g1"), castled);
    assert_eq!(accepted("fen 4k3/8/8/8/8/8/8/4K2R w K - 0 1 moves e1h1"), castled);
    assert_eq!(accepted("fen 4k3/8/8/8/8/8/8/5K1R w H - 0 1 moves f1h1"), castled);
    assert_eq!(accepted("startpos moves E2E4 e7e5").split(' ').next().unwrap(), {
        "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR"
    });
    assert!(accepted("fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8Q").starts_with("Q7/7k/"));
    assert!(accepted("fen 8/P6k/8/8/8/8/8/K7 w - - 0 1 moves a7a8n").starts_with("N7/7k/"));
}

#[test]
fn a_bad_position_is_refused_whole_with_one_info_string() {
    let bad = [
        "position",
        "position moves e2e4",
        "position fen",
        "position fen moves e2e4",
        "position startpos e2e4",
        "position startpos fen",
        "position fen 8/8/8/8/8/8/8/8 w - - 0 1",
        "position fen 8/8/8/8/8/8/8/4K3 w - - 0 1",
        "position fen 4k3/8/8/8/8/8/8/K3K3 w - - 0 1",
        "position fen 4k3/4R3/8/8/8/8/8/4K3 w - - 0 1",
        "position fen P3k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K2p w - - 0 1",
        "position fen 4k3/8/8/8/8/8/4K3 w - - 0 1",
        "position fen 4k3/9/8/8/8/8/8/4K3 w - - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K3 green - - 0 1",
        "position fen 4k3/8/8/8/8/8/8/4K3 w - - 0 1 too much",
    ];
    let mut engine = Engine::uci();
    engine.send("position startpos moves d2d4");
    let before = engine.fen();
    for line in bad {
        let lines = engine.ask(line);
        assert_eq!(lines.len(), 1, "{line}: {lines:?}");
        let complaint =
            lines[0].strip_prefix("info string error: ").unwrap_or_else(|| panic!("{line}: {lines:?}"));
        assert!(complaint.contains("expected ") && complaint.contains(", got "), "{line}: {complaint}");
        assert_eq!(engine.fen(), before, "{line}");
    }
}

/// Other engines too play the moves before the first one that is not legal.
#[test]
fn a_game_is_played_up_to_its_first_illegal_move() {
    let cases = [
        ("startpos", "", "e2e5"),
        ("startpos", "", "e7e5"),
        ("startpos", "e2e4 e7e5", "e4e5 e1e2"),
        ("startpos", "e2e4", "nonsense"),
        ("startpos", "e2e4", "0000"),
        ("startpos", "e2e4 e7e5", "O-O"),
        ("startpos", "", "e1g1"),
        ("fen 8/P6k/8/8/8/8/8/K7 w - - 0 1", "", "a7a8"),
        ("fen 8/P6k/8/8/8/8/8/K7 w - - 0 1", "a1b1 h7g7", "a7a8k"),
    ];
    let mut engine = Engine::uci();
    for (start, legal, rest) in cases {
        engine.send(&format!("position {start} moves {legal}"));
        let expected = engine.fen();
        engine.send("position startpos moves d2d4");
        let line = format!("position {start} moves {legal} {rest}");
        let lines = engine.ask(&line);
        let (number, first) = (legal.split_whitespace().count() + 1, rest.split_whitespace().next().unwrap());
        let said =
            format!("expected a legal move as number {number} of the game, got \"{}\"", first.to_lowercase());
        assert!(lines.len() == 1 && lines[0].contains(&said), "{line}: {lines:?}");
        assert_eq!(engine.fen(), expected, "{line}");
    }
}

#[test]
fn monstrous_counters_neither_wrap_nor_crash() {
    let mut engine = Engine::uci();
    for counters in
        ["99999999999 1", "0 99999999999", "99999999999 99999999999", "4294967295 4294967295", "2000000000 1"]
    {
        engine.ask(&format!("position fen 4k3/8/8/8/8/8/8/4K2R w K - {counters} moves h1h2 e8d8"));
        let lines = engine.go("go depth 3");
        assert!(lines.iter().all(|line| !line.starts_with("info string")), "{counters}: {lines:?}");
    }
}

#[test]
fn the_game_behind_a_position_decides_about_repetition() {
    // White is a queen up; moving back would repeat the position for the third time, a draw.
    let mut engine = Engine::uci();
    let fen = "7k/8/8/8/8/8/8/KQ6 w - - 0 1";
    engine.send(&format!("position fen {fen} moves b1b2 h8g8 b2b1 g8h8 b1b2 h8g8 b2b1 g8h8"));
    let lines = engine.go("go depth 4 searchmoves b1b2");
    let last = lines.iter().rev().find(|line| line.contains(" score ")).unwrap();
    assert!(last.contains("score cp 0"), "the third time is a draw: {last}");
    engine.send(&format!("position fen {fen}"));
    let lines = engine.go("go depth 4 searchmoves b1b2");
    let last = lines.iter().rev().find(|line| line.contains(" score ")).unwrap();
    assert!(!last.contains("score cp 0"), "the first time is none: {last}");
}

#[test]
fn a_drawn_root_still_gets_a_move() {
    let mut engine = Engine::uci();
    engine.send("position startpos moves g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8");
    assert_ne!(engine.best_move("go depth 3"), "(none)");
    engine.send("position fen 4k3/8/8/8/8/8/8/4K2R w - - 120 90");
    assert_ne!(engine.best_move("go depth 3"), "(none)");
}
