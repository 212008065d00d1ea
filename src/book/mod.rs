//! Opening books in the Polyglot format: reading, looking up, making from games, writing.
//!
//! A book is a list of entries of 16 bytes, ordered by the key of the position:
//!
//! ```text
//!  key 8 bytes │ move 2 │ weight 2 │ learn 4        all big-endian
//! ```
//!
//! The bits of a move are, from the lowest, file and rank of the target square, file and rank of the starting square,
//! and the promotion piece (1 knight, 2 bishop, 3 rook, 4 queen). Castling is encoded as king takes rook; the squares of the
//! king, which some programs write (e1g1), are read too. The weight is the quality of the move relative to others in the position; a move of weight 0 must not be played.
//!
//! Reference: M. G. Silvester and F. Letouzey, "Book Format" of PolyGlot; chessprogramming.org, "PolyGlot".

mod make;

use std::{fs, io, path::Path};

use rand::{Rng, seq::IndexedRandom as _};
use shakmaty::{EnPassantMode, File, Move, Position as _, Role, Square, zobrist::Zobrist64};

pub use make::Maker;

use crate::{position::Position, words::counted};

/// The size of an entry in bytes.
const ENTRY: usize = 16;

/// A move of a book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    key: u64,
    m: u16,
    weight: u16,
    learn: u32,
}

/// An opening book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Book {
    /// The entries, ordered by key.
    entries: Vec<Entry>,
}

/// The reason why a file is not a book.
#[derive(Debug, thiserror::Error)]
pub enum BookError {
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// The file is empty, or not a whole number of entries.
    #[error("expected a whole number of entries of {ENTRY} bytes, got {}", counted(*.0 as u64, "byte", "bytes"))]
    Size(usize),
    /// The keys are not in order.
    #[error("expected entries in the order of their keys, got a lower key in entry {0}")]
    Order(usize),
}

impl Book {
    /// Reads a book from a file.
    ///
    /// # Errors
    /// [`BookError`] if the file cannot be read or is not a book.
    pub fn read(path: &Path) -> Result<Self, BookError> {
        // A folder can be opened like a file, but has no length.
        if !fs::metadata(path)?.is_file() {
            return Err(io::Error::new(io::ErrorKind::InvalidInput, "not a file").into());
        }
        Self::from_bytes(&fs::read(path)?)
    }

    /// Parses a book.
    ///
    /// # Errors
    /// [`BookError`] if the bytes are not a book.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, BookError> {
        let (chunks, rest) = bytes.as_chunks::<ENTRY>();
        if chunks.is_empty() || !rest.is_empty() {
            return Err(BookError::Size(bytes.len()));
        }
        let entries: Vec<Entry> = chunks.iter().map(Entry::from_bytes).collect();
        match entries.windows(2).position(|pair| pair[0].key > pair[1].key) {
            Some(before) => Err(BookError::Order(before + 2)),
            None => Ok(Self { entries }),
        }
    }

    /// Returns the bytes of the book's file.
    #[must_use]
    pub fn to_bytes(&self) -> Vec<u8> {
        self.entries.iter().flat_map(|entry| entry.to_bytes()).collect()
    }

    /// The number of moves, of all positions.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether it has no moves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The number of positions.
    #[must_use]
    pub fn positions(&self) -> usize {
        self.entries.chunk_by(|a, b| a.key == b.key).count()
    }

    /// Returns the moves for `position` with their weights, in decreasing order. Illegal moves are left out, because
    /// another position may have the same key.
    #[must_use]
    pub fn moves(&self, position: &Position) -> Vec<(Move, u16)> {
        let key = key(position);
        let from = self.entries.partition_point(|entry| entry.key < key);
        let here = self.entries[from..].iter().take_while(|entry| entry.key == key);
        let legal = position.legal_moves();
        let mut moves: Vec<(Move, u16)> = here
            .filter_map(|entry| Some((legal.iter().copied().find(|&m| entry.is_of(m))?, entry.weight)))
            .collect();
        moves.sort_by_key(|&(_, weight)| std::cmp::Reverse(weight));
        moves
    }

    /// Draws one of the moves for `position` that `allowed` admits, with probabilities proportional to the weights; `None`
    /// if the book has none to play.
    pub fn draw(
        &self,
        position: &Position,
        allowed: impl Fn(Move) -> bool,
        chance: &mut impl Rng,
    ) -> Option<Move> {
        let mut moves = self.moves(position);
        moves.retain(|&(m, _)| allowed(m));
        moves.choose_weighted(chance, |&(_, weight)| u64::from(weight)).ok().map(|&(m, _)| m)
    }
}

impl Entry {
    fn from_bytes(bytes: &[u8; ENTRY]) -> Self {
        let number = u128::from_be_bytes(*bytes);
        Self {
            key: (number >> 64) as u64,
            m: (number >> 48) as u16,
            weight: (number >> 32) as u16,
            learn: number as u32,
        }
    }

    /// Whether it is one of move `m`.
    fn is_of(self, m: Move) -> bool {
        let king_moves_two = match m {
            // From e1 the king cannot go two squares but by castling.
            Move::Castle { king, rook } if king.file() == File::E => {
                let file = if king < rook { File::G } else { File::C };
                self.m == squares(king, Square::from_coords(file, king.rank()))
            }
            _ => false,
        };
        self.m == packed(m) || king_moves_two
    }

    fn to_bytes(self) -> Vec<u8> {
        let Self { key, m, weight, learn } = self;
        [&key.to_be_bytes()[..], &m.to_be_bytes(), &weight.to_be_bytes(), &learn.to_be_bytes()].concat()
    }
}

/// The key of `position` in books: the key of the hash table, except that the en-passant file is included whenever a
/// pawn can capture pseudo-legally.
#[must_use]
pub fn key(position: &Position) -> u64 {
    position.chess().zobrist_hash::<Zobrist64>(EnPassantMode::PseudoLegal).0
}

/// Returns `m` in the encoding of the book.
fn packed(m: Move) -> u16 {
    let (from, to) = match m {
        Move::Castle { king, rook } => (king, rook),
        m => (m.from().unwrap_or(m.to()), m.to()),
    };
    let promotion = match m.promotion() {
        Some(Role::Knight) => 1,
        Some(Role::Bishop) => 2,
        Some(Role::Rook) => 3,
        Some(Role::Queen) => 4,
        _ => 0,
    };
    promotion << 12 | squares(from, to)
}

/// The squares of a move in the encoding of the book.
fn squares(from: Square, to: Square) -> u16 {
    let square = |square: Square| (square.rank() as u16) << 3 | square.file() as u16;
    square(from) << 6 | square(to)
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng as _, rngs::StdRng};

    use super::*;

    pub(super) fn after(moves: &str) -> Position {
        let mut position = Position::default();
        for m in moves.split_whitespace() {
            position.play(position.find_move(m).unwrap());
        }
        position
    }

    /// The example keys in the description of the format.
    #[test]
    fn the_keys_are_those_of_the_format() {
        for (moves, expected) in [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ] {
            assert_eq!(key(&after(moves)), expected, "{moves}");
        }
    }

    fn book(moves: &[(&str, &str, u16)]) -> Book {
        let mut entries: Vec<Entry> = moves
            .iter()
            .map(|&(before, m, weight)| {
                let position = after(before);
                let m = packed(position.find_move(m).unwrap());
                Entry { key: key(&position), m, weight, learn: 7 }
            })
            .collect();
        entries.sort_by_key(|entry| entry.key);
        Book { entries }
    }

    #[test]
    fn bytes_and_books_are_the_same_thing() {
        // 1. e4, weight 258, learn 7, encoded by hand.
        let bytes = [0x46, 0x3b, 0x96, 0x18, 0x16, 0x91, 0xfc, 0x9c, 0x03, 0x1c, 1, 2, 0, 0, 0, 7];
        let read = Book::from_bytes(&bytes).unwrap();
        assert_eq!(read, book(&[("", "e2e4", 258)]));
        assert_eq!(read.to_bytes(), bytes);
        assert!(matches!(Book::from_bytes(&[]), Err(BookError::Size(0))));
        assert!(matches!(Book::from_bytes(&bytes[1..]), Err(BookError::Size(15))));
        let lower = [bytes.to_vec(), vec![0; ENTRY]].concat();
        assert!(matches!(Book::from_bytes(&lower), Err(BookError::Order(2))));
        assert!(Book::read(Path::new("/")).is_err() && Book::read(Path::new("/no such/book")).is_err());
        let missing = Book::read(Path::new("/no such/book")).unwrap_err();
        assert!(
            std::error::Error::source(&missing).is_none(),
            "what an error says, its source does not say again"
        );
    }

    #[test]
    fn castling_promotion_and_foreign_moves() {
        let mut position = Position::from_fen("r3k2r/1P6/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        let numbers = |m: &str| packed(position.find_move(m).unwrap());
        assert_eq!(numbers("e1g1"), 4 << 6 | 7, "onto the rook");
        assert_eq!(numbers("b7a8n"), 1 << 12 | (6 << 3 | 1) << 6 | 7 << 3);
        assert_eq!(numbers("b7b8q"), 4 << 12 | (6 << 3 | 1) << 6 | (7 << 3 | 1));
        let castle = numbers("e1c1");
        let entries = vec![Entry { key: key(&position), m: castle, weight: 1, learn: 0 }];
        let book = Book { entries };
        assert_eq!(book.moves(&position), [(position.find_move("e1c1").unwrap(), 1)]);
        // Other programs write the squares of the king.
        for (m, king) in
            [("e1g1", squares(Square::E1, Square::G1)), ("e1c1", squares(Square::E1, Square::C1))]
        {
            let book = Book { entries: vec![Entry { key: key(&position), m: king, weight: 1, learn: 0 }] };
            assert_eq!(book.moves(&position), [(position.find_move(m).unwrap(), 1)]);
        }
        let shuffled = Position::from_fen("4k3/8/8/8/8/8/8/5K1R w H - 0 1").unwrap();
        let to_g1 = Entry { key: key(&shuffled), m: squares(Square::F1, Square::G1), weight: 1, learn: 0 };
        let step = shuffled.find_move("f1g1").unwrap();
        assert_eq!(Book { entries: vec![to_g1] }.moves(&shuffled), [(step, 1)], "no castling in Chess960");
        // Simulates another position with the same key.
        position.play(position.find_move("a1a2").unwrap());
        let book = Book { entries: vec![Entry { key: key(&position), m: castle, weight: 1, learn: 0 }] };
        assert_eq!(book.moves(&position), []);
    }

    #[test]
    fn moves_are_drawn_by_their_weights() {
        let book = book(&[("", "e2e4", 300), ("", "d2d4", 100), ("", "a2a3", 0), ("e2e4", "c7c5", 0)]);
        assert_eq!((book.len(), book.positions()), (4, 2));
        let mut chance = StdRng::seed_from_u64(1);
        let start = Position::default();
        let mut counts = [0; 3];
        for _ in 0..4000 {
            let drawn = book.draw(&start, |_| true, &mut chance).unwrap();
            counts[book.moves(&start).iter().position(|&(m, _)| m == drawn).unwrap()] += 1;
        }
        assert!((2900..3100).contains(&counts[0]) && counts[2] == 0, "{counts:?}");
        let rarer = start.find_move("d2d4").unwrap();
        for _ in 0..100 {
            assert_eq!(book.draw(&start, |m| m == rarer, &mut chance), Some(rarer));
        }
        assert_eq!(book.draw(&start, |_| false, &mut chance), None, "no move is allowed");
        assert_eq!(book.draw(&after("e2e4"), |_| true, &mut chance), None, "of no weight");
        assert_eq!(book.draw(&after("d2d4"), |_| true, &mut chance), None, "out of the book");
    }

    #[test]
    fn a_move_may_be_there_more_often_than_its_weights_fit_into_32_bits() {
        let one = book(&[("", "e2e4", u16::MAX)]).entries[0];
        let book = Book { entries: vec![one; (1 << 16) + 2] };
        let drawn = book.draw(&Position::default(), |_| true, &mut StdRng::seed_from_u64(1));
        assert_eq!(drawn, Position::default().find_move("e2e4").ok());
    }
}
