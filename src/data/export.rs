//! Exports games and positions in formats that other engines' trainers read.
//!
//! * `viriformat`: whole games, as read by the crate of that name and its tools: the first position in 32 bytes, then a
//!   move and a score of two bytes each for every ply, then four zero bytes. Scores are for White.
//! * `bulletformat`: positions of 32 bytes for the trainer `bullet`, from the perspective of the side to move, which
//!   always plays up the board.
//!
//! Both formats are simple, so they are implemented from their descriptions; the tests read the output with the crates.

use std::{
    fs::File,
    io::{BufWriter, Write as _},
    ops::ControlFlow,
    path::Path,
};

use shakmaty::{Color, EnPassantMode, Move, Position as _, Role};

use super::{Blocks, ConvertError, DataError, Filter, GameError, Games, Record, TrainingGame};
use crate::position::Legality;

/// The format of the output.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Format {
    /// Games; filtering is left to the reader.
    Viriformat,
    /// The positions that pass a filter.
    Bulletformat(Filter),
}

/// Writes one of our files in another format to `output`, a new file. `each` receives the number of bytes read. Returns the
/// number of positions written.
///
/// # Errors
///
/// [`ConvertError`]; for games the input must be a file of games. The output is incomplete then.
pub fn export(
    input: &Path,
    output: &Path,
    format: Format,
    mut each: impl FnMut(u64) -> ControlFlow<()>,
) -> Result<u64, ConvertError> {
    let mut writer = BufWriter::new(File::create_new(output).map_err(ConvertError::output)?);
    let (mut positions, mut bytes) = (0, Vec::new());
    let mut flush = |bytes: &mut Vec<u8>, at: u64| {
        writer.write_all(bytes).map_err(ConvertError::output)?;
        bytes.clear();
        if each(at).is_break() { Err(ConvertError::Interrupted) } else { Ok(()) }
    };
    match format {
        Format::Viriformat => {
            let mut games = Games::open(input)?;
            let mut at = games.position();
            while let Some(block) = games.next() {
                for game in block?.games {
                    viriformat(&game, &mut bytes).map_err(|GameError| DataError::Damaged { at })?;
                    positions += game.plies().len() as u64;
                }
                at = games.position();
                flush(&mut bytes, at)?;
            }
        }
        Format::Bulletformat(filter) => {
            let mut blocks = Blocks::open(input)?;
            while let Some(block) = blocks.next() {
                for record in block?.records.iter().filter(|record| filter.admits(record)) {
                    bytes.extend(bulletformat(record));
                    positions += 1;
                }
                flush(&mut bytes, blocks.position())?;
            }
        }
    }
    writer.flush().map_err(ConvertError::output)?;
    Ok(positions)
}

/// Appends a game in `viriformat`.
///
/// # Errors
///
/// [`GameError`] if a move is illegal.
pub fn viriformat(game: &TrainingGame, bytes: &mut Vec<u8>) -> Result<(), GameError> {
    let mut first = true;
    game.replay(|position, ply| {
        let turn = position.turn();
        let score = turn.fold_wb(ply.score, -ply.score) as i16;
        if first {
            // The encoding of the board and its pieces is that of our records.
            let record = game.first().to_bytes();
            let chess = position.chess();
            let square = chess.ep_square(EnPassantMode::Legal).map_or(64, |square| square as u8);
            bytes.extend(&record[..24]);
            bytes.push(u8::from(turn.is_black()) << 7 | square);
            bytes.push(record[25]);
            bytes.extend(u16::try_from(chess.fullmoves().get()).unwrap_or(u16::MAX).to_le_bytes());
            bytes.extend(score.to_le_bytes());
            bytes.extend([(2.0 * game.first().white_points()) as u8, 0]);
            first = false;
        }
        // If there is no legal move, the replay ends with an error.
        if let Some(m) = Legality::of(position).unpack(ply.played) {
            bytes.extend(viriformat_move(m).to_le_bytes());
            bytes.extend(score.to_le_bytes());
        }
    })?;
    bytes.extend([0; 4]);
    Ok(())
}

/// From, to (castling: the rook's square), promotion, and the type of the move.
fn viriformat_move(m: Move) -> u16 {
    const EN_PASSANT: u16 = 1 << 14;
    const CASTLE: u16 = 2 << 14;
    const PROMOTION: u16 = 3 << 14;
    let squares = m.from().map_or(0, |from| from as u16) | (m.to() as u16) << 6;
    let kind = match (m, m.promotion()) {
        (_, Some(role)) => PROMOTION | (role as u16 - Role::Knight as u16) << 12,
        (Move::EnPassant { .. }, _) => EN_PASSANT,
        (Move::Castle { .. }, _) => CASTLE,
        _ => 0,
    };
    squares | kind
}

/// Returns a position in `bulletformat`.
#[must_use]
pub fn bulletformat(record: &Record) -> [u8; 32] {
    let us = record.turn();
    let flip = us.fold_wb(0, 56);
    let mut pieces: Vec<_> = record.pieces().map(|(square, piece)| (square as u8 ^ flip, piece)).collect();
    pieces.sort_unstable_by_key(|&(square, _)| square);
    let (mut occupied, mut codes, mut kings) = (0_u64, [0; 16], [0; 2]);
    for (index, &(square, piece)) in pieces.iter().enumerate() {
        let is_theirs = piece.color != us;
        occupied |= 1 << square;
        let code = (piece.role as u8 - 1) | u8::from(is_theirs) << 3;
        codes[index / 2] |= code << (4 * (index % 2));
        if piece.role == Role::King {
            // Each king from the perspective of its own side.
            kings[usize::from(is_theirs)] = if is_theirs { square ^ 56 } else { square };
        }
    }
    let white = (2.0 * record.white_points()) as u8;
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&occupied.to_le_bytes());
    bytes[8..24].copy_from_slice(&codes);
    bytes[24..26].copy_from_slice(&(record.score() as i16).to_le_bytes());
    bytes[26] = if us == Color::White { white } else { 2 - white };
    bytes[27..29].copy_from_slice(&kings);
    bytes
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use ::bulletformat::{BulletFormat as _, ChessBoard};
    use ::viriformat::dataformat::{Filter as TheirFilter, Game as TheirGame, WDL};
    use shakmaty::KnownOutcome;

    use super::*;
    use crate::data::{GameWriter, Header, Kind, game::tests::sample_games};

    /// Reads a game with the crate, which refuses illegal moves, and compares all positions with ours.
    #[test]
    fn games_and_positions_are_read_back_with_the_crates() {
        let mut bytes = Vec::new();
        sample_games().iter().for_each(|game| viriformat(game, &mut bytes).unwrap());
        let mut input = BufReader::new(&*bytes);
        for game in sample_games() {
            let theirs = TheirGame::deserialise_from(&mut input, Vec::new()).unwrap();
            assert_eq!(theirs.len(), game.plies().len());
            let expected = match game.result() {
                KnownOutcome::Draw => WDL::Draw,
                KnownOutcome::Decisive { winner: Color::White } => WDL::Win,
                KnownOutcome::Decisive { .. } => WDL::Loss,
            };
            assert_eq!(theirs.outcome(), expected);
            let (mut boards, mut packed) = (Vec::<ChessBoard>::new(), Vec::new());
            let push = |board| {
                boards.push(board);
                Ok(())
            };
            theirs.splat_to_bulletformat(push, &TheirFilter::UNRESTRICTED).unwrap();
            theirs
                .splat_to_marlinformat(
                    |board| {
                        packed.push(board.as_bytes());
                        Ok(())
                    },
                    &TheirFilter::UNRESTRICTED,
                )
                .unwrap();
            let mut records = Vec::new();
            game.records(&mut records).unwrap();
            assert_eq!((boards.len(), packed.len()), (records.len(), records.len()));
            for ((record, board), packed) in records.iter().zip(boards).zip(packed) {
                let ours = record.to_bytes();
                assert_eq!(ours[..24], packed[..24], "pieces and castling rights");
                assert_eq!(ours[25], packed[25], "the half-move clock");
                assert_eq!(bulletformat(record), ChessBoard::as_bytes_slice(&[board]));
            }
        }
    }

    #[test]
    fn damage_ends_an_export() {
        let folder = tempfile::tempdir().unwrap();
        let path = |name: &str| folder.path().join(name);
        let header = Header::new(Kind::Games, "a test");
        let mut writer = GameWriter::create(&path("games"), &header).unwrap();
        sample_games().iter().for_each(|game| writer.write(game));
        writer.finish().unwrap();
        let go = |output: &str, format| {
            export(&path("games"), &path(output), format, |_| ControlFlow::Continue(()))
        };
        let positions: usize = sample_games().iter().map(|game| game.plies().len()).sum();
        assert_eq!(go("viri", Format::Viriformat).unwrap(), positions as u64);
        assert_eq!(
            path("viri").metadata().unwrap().len(),
            (36 * sample_games().len() + 4 * positions) as u64
        );
        let quiet = go("bullet", Format::Bulletformat(Filter::QUIET)).unwrap();
        assert!(quiet > 0 && quiet < positions as u64);
        assert_eq!(path("bullet").metadata().unwrap().len(), 32 * quiet);
        assert!(go("viri", Format::Viriformat).is_err(), "it is not overwritten");

        let mut bytes = std::fs::read(path("games")).unwrap();
        bytes.pop();
        std::fs::write(path("games"), bytes).unwrap();
        assert!(matches!(go("torn", Format::Viriformat), Err(ConvertError::Input(DataError::Torn { .. }))));
    }
}
