//! Terms that depend on pawns and kings alone: passed, isolated, doubled, backward and supported pawns, and
//! king shelter.
//!
//! Few moves change these terms, so the evaluator caches them by the pawn key and the kings ([`PawnCache`]).
//!
//! Reference: chessprogramming.org, "Pawn Structure" and "Pawn Hash Table".

use shakmaty::{Bitboard, Board, Color, File, Position as _, Square, attacks::pawn_attacks};

use super::{
    Tapered,
    terms::{
        BACKWARD, DOUBLED, ISOLATED, PASSED, PASSED_ENEMY_KING, PASSED_OWN_KING, PHALANX, SHELTER, STORM,
        SUPPORTED, Tally,
    },
};
use crate::chess::position::{Position, key};

/// The evaluation of the pawns of a position.
#[derive(Clone, Copy, Debug, Default)]
pub struct Structure<T> {
    /// The sum of the terms of this module, White's less Black's.
    pub value: T,
    /// The passed pawns of both sides.
    pub passed: Bitboard,
}

/// Counts the pawn structure of both sides.
#[must_use]
pub fn structure<T: Tally>(board: &Board) -> Structure<T> {
    let mut passed = Bitboard::EMPTY;
    let white = side::<T>(board, Color::White, &mut passed);
    let black = side::<T>(board, Color::Black, &mut passed);
    Structure { value: white - black, passed }
}

fn side<T: Tally>(board: &Board, us: Color, passed: &mut Bitboard) -> T {
    let mut tally = T::default();
    let ours = board.pawns() & board.by_color(us);
    let theirs = board.pawns() & board.by_color(!us);
    for square in ours {
        let (file, rank) = (square.file(), relative_rank(us, square));
        let ahead = ahead(us, square);
        let front = ahead & Bitboard::from(file);
        let beside = beside(file);
        let supported = (pawn_attacks(!us, square) & ours).any();
        let phalanx = (beside & Bitboard::from(square.rank()) & ours).any();
        if (front & ours).any() {
            tally.count(DOUBLED.at(0), 1);
        } else if ((front | beside & ahead) & theirs).is_empty() {
            passed.add(square);
            tally.count(PASSED.at(rank), 1);
            if rank >= 3 {
                kings_and_passer(board, us, square, &mut tally);
            }
        }
        if (beside & ours).is_empty() {
            tally.count(ISOLATED.at(from_edge(file)), 1);
        } else if (beside & ours & !ahead).is_empty() && is_held(us, square, theirs) {
            tally.count(BACKWARD.at(0), 1);
        }
        if phalanx {
            tally.count(PHALANX.at(rank), 1);
        }
        if supported {
            tally.count(SUPPORTED.at(rank), 1);
        }
    }
    if let Some(king) = board.king_of(us) {
        shelter(us, king, ours, theirs, &mut tally);
    }
    tally
}

/// Counts the distances of the kings to the square in front of a passed pawn.
fn kings_and_passer<T: Tally>(board: &Board, us: Color, pawn: Square, tally: &mut T) {
    let Some(stop) = next_square(us, pawn) else { return };
    let steps = |king: Option<Square>| king.map_or(0, |king| king.distance(stop) as usize);
    tally.count(PASSED_OWN_KING.at(steps(board.king_of(us))), 1);
    tally.count(PASSED_ENEMY_KING.at(steps(board.king_of(!us))), 1);
}

/// Whether an enemy pawn attacks the square in front of `pawn`.
fn is_held(us: Color, pawn: Square, theirs: Bitboard) -> bool {
    next_square(us, pawn).is_some_and(|stop| (pawn_attacks(us, stop) & theirs).any())
}

/// Counts the pawns on the king's file and the adjacent files (three files even at the edge), from the king's
/// rank on.
fn shelter<T: Tally>(us: Color, king: Square, ours: Bitboard, theirs: Bitboard, tally: &mut T) {
    let from_king = ahead(us, king) | Bitboard::from(king.rank());
    let centre = u32::from(king.file()).clamp(1, 6);
    for file in (centre - 1..=centre + 1).map(File::new) {
        let files = from_king & Bitboard::from(file);
        let row = 8 * from_edge(file);
        tally.count(SHELTER.at(row + nearest(us, files & ours)), 1);
        tally.count(STORM.at(row + nearest(us, files & theirs)), 1);
    }
}

/// The rank of the pawn that is nearest to our side, from our perspective; 0 for none.
fn nearest(us: Color, pawns: Bitboard) -> usize {
    us.fold_wb(pawns.first(), pawns.last()).map_or(0, |pawn| relative_rank(us, pawn))
}

/// The rank of `square` from the perspective of `us`, from 0.
#[inline]
pub(super) fn relative_rank(us: Color, square: Square) -> usize {
    usize::from(us.fold_wb(square, square.flip_vertical()).rank())
}

/// The square in front of a pawn.
#[inline]
pub(super) fn next_square(us: Color, pawn: Square) -> Option<Square> {
    pawn.offset(us.fold_wb(8, -8))
}

/// The distance of a file from the edge: 0 for the edge, 3 for the middle.
fn from_edge(file: File) -> usize {
    usize::from(file).min(7 - usize::from(file))
}

/// All squares on higher ranks from the perspective of `us`.
#[inline]
pub(crate) fn ahead(us: Color, square: Square) -> Bitboard {
    let rank = u32::from(square.rank());
    Bitboard(us.fold_wb((!0 << (8 * rank)) << 8, !(!0 << (8 * rank))))
}

/// The adjacent files.
fn beside(file: File) -> Bitboard {
    let neighbour = |offset| file.offset(offset).map_or(Bitboard::EMPTY, Bitboard::from);
    neighbour(-1) | neighbour(1)
}

/// The squares that pawns on `pawns` attack.
#[inline]
pub(super) fn attacked(us: Color, pawns: Bitboard) -> Bitboard {
    let west = pawns & !Bitboard::from(File::A);
    let east = pawns & !Bitboard::from(File::H);
    us.fold_wb(west.shift(7) | east.shift(9), west.shift(-9) | east.shift(-7))
}

/// The number of cached structures.
const ENTRIES: usize = 1 << 14;

/// A cache of pawn structures; a new structure replaces an old one of the same slot.
#[derive(Clone, Debug)]
pub struct PawnCache(Vec<(u64, Structure<Tapered>)>);

impl Default for PawnCache {
    fn default() -> Self {
        // No position has the key 0, because kings are always mixed in.
        Self(vec![(0, Structure::default()); ENTRIES])
    }
}

impl PawnCache {
    /// Returns the structure of `position`, cached or computed.
    #[inline]
    pub fn structure(&mut self, position: &Position) -> Structure<Tapered> {
        let board = position.chess().board();
        let key = key::with_kings(position.pawn_key(), board);
        let entry = &mut self.0[key as usize % ENTRIES];
        if entry.0 != key {
            *entry = (key, structure(board));
        }
        entry.1
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(fen: &str) -> Board {
        Position::from_fen(fen).unwrap().chess().board().clone()
    }

    #[test]
    fn passed_pawns_have_a_free_way() {
        let passed = |fen: &str| structure::<Tapered>(&board(fen)).passed;
        let fen = "4k3/p6p/8/1P3p2/5P1p/2P5/7P/4K3 w - - 0 1";
        assert_eq!(passed(fen), Bitboard::from(Square::C3), "a7 holds b5, pawns face each other on f and h");
        let fen = "4k3/8/1p5p/8/2PP4/3P3p/8/4K3 w - - 0 1";
        assert_eq!(passed(fen), Bitboard::from_iter([Square::D4, Square::H3]));
    }

    #[test]
    fn pawns_attack_within_the_board() {
        let pawn = Bitboard::from(Square::H4);
        assert_eq!(attacked(Color::White, pawn), Bitboard::from(Square::G5));
        assert_eq!(attacked(Color::Black, pawn), Bitboard::from(Square::G3));
        for square in Square::ALL {
            for us in Color::ALL {
                assert_eq!(attacked(us, square.into()), pawn_attacks(us, square));
            }
        }
    }

    #[test]
    fn shelter_looks_at_three_files_from_the_king_on() {
        let count = |fen: &str| {
            let mut counts = super::super::terms::FeatureCounts::default();
            let board = board(fen);
            let white = board.pawns() & board.white();
            shelter(Color::White, Square::G1, white, board.pawns() & board.black(), &mut counts);
            counts.0.iter().copied().enumerate().filter(|&(_, count)| count != 0).collect::<Vec<_>>()
        };
        let found = count("6k1/8/8/6p1/8/6P1/5P2/6K1 w - - 0 1");
        let expected = [
            (SHELTER.at(0), 1),
            (SHELTER.at(8 + 2), 1),
            (SHELTER.at(16 + 1), 1),
            (STORM.at(0), 1),
            (STORM.at(8 + 4), 1),
            (STORM.at(16), 1),
        ];
        assert_eq!(found, expected);
    }
}
