//! One position of the data in 32 bytes.

use shakmaty::{
    Bitboard, Board, ByColor, ByRole, Chess, Color, EnPassantMode, File, KnownOutcome, Move, Piece,
    Position as _, PositionError, Rank, Role, Setup, Square,
};

use crate::chess::{
    position::{Legality, PackedMove, Position},
    value::{INFINITE, Value, is_mate},
};

/// The code of a rook with a castling right; the codes below it are the roles in shakmaty's order, from pawn
/// to king.
const CASTLING_ROOK: u8 = 6;
/// The bit of a piece code that makes the piece black.
const BLACK: u8 = 8;
/// The code for "no en-passant capture".
const NO_FILE: u8 = 8;
/// The maximum number of pieces in a record.
const MAX_PIECES: usize = 32;

/// A position in the format of the data.
///
/// ```text
///   bytes  0.. 8  occupied squares, one bit each, a1 the lowest
///   bytes  8..24  the pieces on them in the order of the squares, four bits each, low half of a byte first:
///                 0 pawn, 1 knight, 2 bishop, 3 rook, 4 queen, 5 king, 6 rook that may castle; + 8 for Black
///   byte  24      bit 0: Black to move; bits 1..5: file of a legal en-passant capture, or 8;
///                 bits 5..7: result for White, 0 lost, 1 drawn, 2 won; bit 7: zero
///   byte  25      half-move clock, at most 255
///   bytes 26..28  ply of the game: half-moves played before, the start position being 0, as the FEN counts
///   bytes 28..30  score from the view of the side to move, signed: a search's value (centipawns, and mates
///                 as [`value`](crate::chess::value) codes them, ±32000 less the plies to mate)
///   bytes 30..32  the best move, a `PackedMove`: from, to (castling: the rook's square), promotion
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Record {
    occupied: u64,
    pieces: [u8; 16],
    state: u8,
    halfmoves: u8,
    ply: u16,
    score: i16,
    best_move: u16,
}

/// The reason why a record is invalid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RecordError {
    /// More than 32 pieces.
    #[error("more than {MAX_PIECES} pieces")]
    TooManyPieces,
    /// A field has an invalid value.
    #[error("a field has a value without meaning")]
    Meaningless,
}

impl Record {
    /// The size of a record in bytes.
    pub const SIZE: usize = 32;

    /// Packs a position with its score (for the side to move), the best move, and the result of its game.
    ///
    /// # Errors
    ///
    /// [`RecordError::TooManyPieces`], which is impossible in a game that began with at most 32 pieces.
    pub fn new(
        position: &Position,
        score: Value,
        best_move: PackedMove,
        result: KnownOutcome,
    ) -> Result<Self, RecordError> {
        let setup = position.chess().to_setup(EnPassantMode::Legal);
        let occupied = setup.board.occupied();
        if occupied.count() > MAX_PIECES {
            return Err(RecordError::TooManyPieces);
        }
        let mut pieces = [0; 16];
        for (index, (square, piece)) in setup.board.iter().enumerate() {
            let code = piece_code(piece, setup.castling_rights.contains(square));
            pieces[index / 2] |= code << (4 * (index % 2));
        }
        let file = setup.ep_square.map_or(NO_FILE, |square| square.file() as u8);
        let record = Self {
            occupied: occupied.into(),
            pieces,
            state: u8::from(setup.turn.is_black()) | file << 1,
            halfmoves: u8::try_from(setup.halfmoves).unwrap_or(u8::MAX),
            ply: u16::try_from(position.ply()).unwrap_or(u16::MAX),
            score: score as i16,
            best_move: best_move.bits(),
        };
        Ok(record.with_result(result))
    }

    /// Returns the record with another `result`.
    fn with_result(mut self, result: KnownOutcome) -> Self {
        let code = match result.winner() {
            Some(Color::White) => 2,
            Some(Color::Black) => 0,
            None => 1,
        };
        self.state = self.state & 0b1_1111 | code << 5;
        self
    }

    /// Returns the bytes of the record in a file.
    #[must_use]
    pub fn to_bytes(&self) -> [u8; Self::SIZE] {
        let mut bytes = [0; Self::SIZE];
        bytes[..8].copy_from_slice(&self.occupied.to_le_bytes());
        bytes[8..24].copy_from_slice(&self.pieces);
        bytes[24] = self.state;
        bytes[25] = self.halfmoves;
        bytes[26..28].copy_from_slice(&self.ply.to_le_bytes());
        bytes[28..30].copy_from_slice(&self.score.to_le_bytes());
        bytes[30..].copy_from_slice(&self.best_move.to_le_bytes());
        bytes
    }

    /// Parses the result of [`to_bytes`](Self::to_bytes).
    ///
    /// # Errors
    ///
    /// [`RecordError`] if a field has an invalid value, so that other methods need not check. Only
    /// [`position`](Self::position) checks whether the rules allow the position.
    pub fn from_bytes(bytes: &[u8; Self::SIZE]) -> Result<Self, RecordError> {
        let two = |at: usize| [bytes[at], bytes[at + 1]];
        let (occupied, rest) = bytes.split_first_chunk::<8>().expect("there are 32");
        let (pieces, _) = rest.split_first_chunk::<16>().expect("there are 24");
        let record = Self {
            occupied: u64::from_le_bytes(*occupied),
            pieces: *pieces,
            state: bytes[24],
            halfmoves: bytes[25],
            ply: u16::from_le_bytes(two(26)),
            score: i16::from_le_bytes(two(28)),
            best_move: u16::from_le_bytes(two(30)),
        };
        record.check().map(|()| record)
    }

    fn check(&self) -> Result<(), RecordError> {
        let count = Bitboard::from(self.occupied).count();
        if count > MAX_PIECES {
            return Err(RecordError::TooManyPieces);
        }
        let sound = (0..count).all(|index| self.code(index) & !BLACK <= CASTLING_ROOK)
            && self.state >> 1 & 15 <= NO_FILE
            && self.state >> 5 <= 2
            && self.score().abs() < INFINITE
            && PackedMove::from_bits(self.best_move).is_some();
        if sound { Ok(()) } else { Err(RecordError::Meaningless) }
    }

    /// The code of the `index`-th piece.
    #[inline]
    fn code(&self, index: usize) -> u8 {
        self.pieces[index / 2] >> (4 * (index % 2)) & 15
    }

    /// The pieces with their squares, from a1 to h8: the fastest access to the board.
    #[inline]
    pub fn pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        let squares = Bitboard::from(self.occupied).into_iter();
        squares.enumerate().map(|(index, square)| (square, piece_of(self.code(index))))
    }

    /// The piece on `square`, if there is one.
    #[must_use]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let (occupied, below) = (Bitboard::from(self.occupied), Bitboard((1 << square as u32) - 1));
        occupied.contains(square).then(|| piece_of(self.code((occupied & below).count())))
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> Board {
        let (mut colors, mut roles) = (ByColor::<Bitboard>::default(), ByRole::<Bitboard>::default());
        for (square, piece) in self.pieces() {
            *colors.get_mut(piece.color) |= square;
            *roles.get_mut(piece.role) |= square;
        }
        Board::try_from_bitboards(roles, colors).expect("a square has one piece")
    }

    /// Returns the position, with castling rights, en passant and counters, but without the moves that led to
    /// it.
    ///
    /// # Errors
    ///
    /// shakmaty's error if the rules do not allow the position.
    pub fn position(&self) -> Result<Position, Box<PositionError<Chess>>> {
        let mut setup = Setup { board: self.board(), turn: self.turn(), ..Setup::empty() };
        for (index, square) in Bitboard::from(self.occupied).into_iter().enumerate() {
            if self.code(index) & !BLACK == CASTLING_ROOK {
                setup.castling_rights.add(square);
            }
        }
        let file = u32::from(self.state >> 1 & 15);
        if file < u32::from(NO_FILE) {
            let rank = setup.turn.fold_wb(Rank::Sixth, Rank::Third);
            setup.ep_square = Some(Square::from_coords(File::new(file), rank));
        }
        setup.halfmoves = u32::from(self.halfmoves);
        setup.fullmoves = setup.fullmoves.saturating_add(u32::from(self.ply / 2));
        Position::from_setup(setup)
    }

    /// The side to move.
    #[must_use]
    #[inline]
    pub fn turn(&self) -> Color {
        Color::from_white(self.state & 1 == 0)
    }

    /// The score of the search for the side to move: centipawns, or a mate as encoded by
    /// [`value`](crate::chess::value).
    #[must_use]
    #[inline]
    pub fn score(&self) -> Value {
        Value::from(self.score)
    }

    /// The result of the game.
    #[must_use]
    pub fn result(&self) -> KnownOutcome {
        KnownOutcome::from_winner(match self.state >> 5 {
            0 => Some(Color::Black),
            1 => None,
            _ => Some(Color::White),
        })
    }

    /// The result for White: 0, ½ or 1.
    #[must_use]
    #[inline]
    pub fn white_points(&self) -> f64 {
        f64::from(self.state >> 5) / 2.0
    }

    /// The best move of the search that gave the score; the game continued with it.
    #[must_use]
    pub fn best_move(&self) -> PackedMove {
        PackedMove::from_bits(self.best_move).expect("checked when it was read")
    }

    /// The number of half-moves before this position, by the FEN's counter; the starting position has 0.
    #[must_use]
    #[inline]
    pub fn ply(&self) -> u16 {
        self.ply
    }

    /// Whether the side to move is in check.
    #[must_use]
    pub fn is_check(&self) -> bool {
        let board = self.board();
        let us = self.turn();
        board.king_of(us).is_some_and(|king| board.attacks_to(king, !us, board.occupied()).any())
    }

    /// Whether the best move is a capture or a promotion.
    #[must_use]
    pub fn is_tactical(&self) -> bool {
        let m = self.best_move();
        let (piece, target) = (self.piece_at(m.from()), self.piece_at(m.to()));
        let captures = target.is_some_and(|piece| piece.color != self.turn());
        let en_passant = piece.is_some_and(|piece| piece.role == Role::Pawn)
            && m.from().file() != m.to().file()
            && target.is_none();
        captures || en_passant || m.promotion().is_some()
    }

    /// Whether it has castling rights that only Chess960 has.
    #[must_use]
    pub fn is_chess960(&self) -> bool {
        Bitboard::from(self.occupied).into_iter().enumerate().any(|(index, square)| {
            let color = piece_of(self.code(index)).color;
            let is_corner = [File::A, File::H].contains(&square.file());
            let king = (color.fold_wb(Square::E1, Square::E8), color.king());
            self.code(index) & !BLACK == CASTLING_ROOK
                && !(is_corner && self.pieces().any(|placed| placed == king))
        })
    }

    /// Whether each side has exactly one king.
    #[must_use]
    pub fn has_both_kings(&self) -> bool {
        let mut kings = ByColor { black: 0, white: 0 };
        self.pieces()
            .filter(|(_, piece)| piece.role == Role::King)
            .for_each(|(_, piece)| *kings.get_mut(piece.color) += 1);
        kings == ByColor { black: 1, white: 1 }
    }

    /// Whether the score is a mate for either side.
    #[must_use]
    #[inline]
    pub fn is_mate(&self) -> bool {
        is_mate(self.score())
    }

    /// The move played in `position`, which must be the record's own; `None` if it is illegal.
    #[must_use]
    pub fn legal_move(&self, position: &Position) -> Option<Move> {
        Legality::of(position).unpack(self.best_move())
    }
}

fn piece_code(piece: Piece, castling: bool) -> u8 {
    let role = if castling { CASTLING_ROOK } else { piece.role as u8 - 1 };
    role | piece.color.fold_wb(0, BLACK)
}

/// The piece of `code`; invalid codes have been refused before.
#[inline]
fn piece_of(code: u8) -> Piece {
    const ROLES: [Role; 8] =
        [Role::Pawn, Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King, Role::Rook, Role::Rook];
    Piece { role: ROLES[usize::from(code & !BLACK)], color: Color::from_white(code & BLACK == 0) }
}

#[cfg(test)]
mod tests;
