use shakmaty::Color;

use super::*;
use crate::chess::value::{mate_in, mated_in};

/// Returns a game of these moves, with scores that take one, two and three bytes.
fn game(fen: &str, moves: &[&str], result: KnownOutcome, ending: Termination) -> TrainingGame {
    const SCORES: [Value; 7] = [0, 31, -700, 25, 4000, -4100, -12];
    let start = Position::from_fen(fen).unwrap();
    let (mut position, mut plies) = (start.clone(), Vec::new());
    for (number, text) in moves.iter().enumerate() {
        let m = position.find_move(text).unwrap_or_else(|error| panic!("{fen} {text}: {error}"));
        let score = match (number + 3).cmp(&moves.len()) {
            std::cmp::Ordering::Greater if ending == Termination::Checkmate => {
                mate_in(2 * (moves.len() - number))
            }
            std::cmp::Ordering::Equal if ending == Termination::Checkmate => mated_in(6),
            _ => SCORES[number % SCORES.len()],
        };
        plies.push(Ply { played: PackedMove::new(m).unwrap(), score });
        position.play(m);
    }
    TrainingGame::new(&start, plies, result, ending).unwrap()
}

/// Games with moves of every type: castling on both sides in standard chess and Chess960, with king or rook
/// staying in place, en passant, all promotions with and without capture, mate.
pub(in crate::workshop::data) fn sample_games() -> Vec<TrainingGame> {
    let white = KnownOutcome::Decisive { winner: Color::White };
    let black = KnownOutcome::Decisive { winner: Color::Black };
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    vec![
        game(start, &["e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7"], white, Termination::Checkmate),
        game(
            start,
            &["e2e4", "a7a6", "e4e5", "d7d5", "e5d6", "b7b5", "d6c7", "c8b7", "c7d8n"],
            KnownOutcome::Draw,
            Termination::CalledDrawn,
        ),
        game(
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 20",
            &["e1g1", "e8c8", "f1f7", "d8d2"],
            KnownOutcome::Draw,
            Termination::TooLong,
        ),
        game(
            "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 9 20",
            &["e1c1", "e8g8", "h1h8", "g8h8"],
            black,
            Termination::CalledWon,
        ),
        game(
            "1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w KQkq - 3 20",
            &["e1g1", "e8b8", "g1f2"],
            KnownOutcome::Draw,
            Termination::Repetition,
        ),
        game(
            "bnrk1r2/p1p2p2/8/8/8/8/P1P2P2/BNRK1R2 w KQkq - 0 9",
            &["d1f1", "d8c8", "f1e1"],
            white,
            Termination::Unknown,
        ),
        game(
            "5rrR/k7/8/8/8/8/8/1R1K2R1 w BG - 0 30",
            &["d1b1", "a7a6", "h8g8"],
            white,
            Termination::FiftyMoves,
        ),
        game("4kb1r/8/8/8/8/8/8/4KB1R w Hh - 0 1", &["f1c4", "f8d6", "e1g1"], white, Termination::Unknown),
        game(
            "1n6/P1P4k/8/8/8/8/p1p4K/1N6 w - - 0 40",
            &["a7b8q", "c2c1r", "h2g2", "a2b1b", "c7c8r"],
            white,
            Termination::Stalemate,
        ),
        game(
            "7k/P7/8/8/8/8/p7/7K b - - 99 3000",
            &["a2a1n", "a7a8b"],
            KnownOutcome::Draw,
            Termination::InsufficientMaterial,
        ),
    ]
}

#[test]
fn every_kind_of_move_survives() {
    let games = sample_games();
    let mut bytes = Vec::new();
    games.iter().for_each(|game| game.write(&mut bytes));
    let mut rest = &*bytes;
    for game in &games {
        let copy = TrainingGame::read(&mut rest).unwrap();
        assert_eq!(&copy, game);
        let mut records = Vec::new();
        copy.records(&mut records).unwrap();
        assert_eq!(records.len(), game.plies().len());
        for (record, ply) in records.iter().zip(game.plies()) {
            assert_eq!((record.score(), record.best_move()), (ply.score, ply.played));
            assert_eq!(record.result(), game.result());
        }
    }
    assert!(rest.is_empty());
}

#[test]
fn damaged_bytes_are_refused_or_another_game_but_never_a_panic() {
    for game in sample_games() {
        let mut bytes = Vec::new();
        game.write(&mut bytes);
        for length in 0..bytes.len() {
            assert_eq!(TrainingGame::read(&mut &bytes[..length]), Err(GameError), "cut at {length}");
        }
        for at in 0..bytes.len() {
            for value in [0, 1, 0x7f, 0x80, 0xff, bytes[at] ^ 0x10] {
                let mut bytes = bytes.clone();
                bytes[at] = value;
                if let Ok(game) = TrainingGame::read(&mut &*bytes) {
                    let _ = game.records(&mut Vec::new());
                }
            }
        }
    }
}

/// Behind the first record stand the ending and the number of plies.
#[test]
fn unknown_endings_and_impossible_lengths_are_refused() {
    let game = sample_games()[0].clone();
    let read = |at: usize, byte: u8| {
        let mut bytes = Vec::new();
        game.write(&mut bytes);
        bytes[Record::SIZE + at] = byte;
        TrainingGame::read(&mut &*bytes)
    };
    for (at, byte) in [(0, 1 << 4), (0, 1 << 7), (0, Termination::ALL.len() as u8), (1, 0)] {
        assert_eq!(read(at, byte), Err(GameError), "{byte} at {at}");
    }
    for (plies, is_read) in [(MAX_PLIES, true), (MAX_PLIES + 1, false)] {
        let mut long = game.clone();
        long.plies.resize(plies as usize, Ply { score: INFINITE - 1, ..game.plies[1] });
        let mut bytes = Vec::new();
        long.write(&mut bytes);
        assert_eq!(TrainingGame::read(&mut &*bytes).is_ok(), is_read, "{plies} plies");
        let start = game.first.position().unwrap();
        let made = TrainingGame::new(&start, long.plies, game.result(), Termination::Unknown);
        assert_eq!(made.is_ok(), is_read, "what cannot be read is not made");
        assert!(bytes.len() <= plies as usize * MAX_POSITION_SIZE, "{} bytes", bytes.len());
    }
}

#[test]
fn a_score_that_no_search_finds_is_damage() {
    let written = |score| {
        let mut game = sample_games()[0].clone();
        game.plies[2].score = score;
        let mut bytes = Vec::new();
        game.write(&mut bytes);
        bytes
    };
    assert!(TrainingGame::read(&mut &*written(INFINITE - 1)).is_ok());
    for score in [INFINITE, -INFINITE, i16::MIN.into(), i16::MAX.into(), 1 << 20] {
        assert_eq!(TrainingGame::read(&mut &*written(score)), Err(GameError), "{score}");
    }
}
