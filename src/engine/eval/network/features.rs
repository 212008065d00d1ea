//! The input features of a network: one feature for each piece on each square.
//!
//! Each side has its own perspective of the position. A perspective has one feature for every colour (own or
//! the opponent's), role and square; features of pieces on the board are 1, all others 0. The board is turned
//! so that the side plays upwards. It is mirrored if necessary so that the side's own king stands on files a
//! to d; what is learnt on one wing then applies to the other.
//!
//! Only this code computes feature indices; training and playing both use it.

use std::num::NonZeroU16;

use shakmaty::{Board, Color, File, Square};

use crate::chess::position::Placement;

/// The number of features of each side: 2 colours, 6 roles, 64 squares.
pub const INPUTS: usize = 2 * 6 * 64;

/// The number of features of each colour of pieces.
const COLOR_INPUTS: usize = 6 * 64;

/// The number of weight rows in memory. A row number has bits of its own for colour, role and square (see
/// [`Feature`]), so some rows belong to no feature.
pub(super) const ROWS: usize = 2 * COLOR_ROWS;

const COLOR_ROWS: usize = 8 * 64;

/// Returns the number of the weight row of `input`, a feature index.
pub(super) fn row_of_input(input: usize) -> usize {
    input / COLOR_INPUTS * COLOR_ROWS + Feature::FIRST + input % COLOR_INPUTS
}

/// A piece on a square as one number, from which one exclusive or computes the weight row of either
/// perspective:
///
/// ```text
///   bits 0..6  square      bits 6..9  role, from 1      bit 9  colour
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Feature(NonZeroU16);

impl Feature {
    /// The number of rows of each colour before the first feature, because roles count from 1.
    const FIRST: usize = 64;

    #[inline]
    pub(super) fn of((piece, square): Placement) -> Self {
        let number = (piece.color as u16) << 9 | (piece.role as u16) << 6 | square as u16;
        Self(NonZeroU16::new(number).expect("roles count from 1"))
    }
}

/// The perspective of one side; it changes only when the king of that side crosses the middle of the board.
///
/// The number is combined with a `Feature` by exclusive or. It turns the colour of White's pieces to 0 for
/// White, turns the board for Black, and mirrors it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View(u16);

impl View {
    const WHITE: u16 = (Color::White as u16) << 9;
    const BLACK: u16 = (Color::Black as u16) << 9 | 0b111_000;
    const MIRRORED: u16 = 0b111;

    /// Returns the perspective of `side` whose own king stands on `king`.
    #[must_use]
    #[inline]
    pub fn new(side: Color, king: Square) -> Self {
        let mirrored = if king.file() >= File::E { Self::MIRRORED } else { 0 };
        Self(side.fold_wb(Self::WHITE, Self::BLACK) | mirrored)
    }

    /// Returns the perspective of `side` on `board`; without a king it is not mirrored.
    #[must_use]
    #[inline]
    pub fn of(side: Color, board: &Board) -> Self {
        Self::new(side, board.king_of(side).unwrap_or(Square::A1))
    }

    /// Whether the board is mirrored.
    #[must_use]
    #[inline]
    pub fn is_mirrored(self) -> bool {
        self.0 & Self::MIRRORED != 0
    }

    /// Returns the feature index of a piece on a square, below [`INPUTS`]. Own pieces come first, then those
    /// of the opponent; within a colour pawns, knights, bishops, rooks, queens, kings; within a role a1, b1,
    /// … h8 in the side's perspective.
    #[must_use]
    #[inline]
    pub fn input(self, placement: Placement) -> usize {
        let row = self.row_of(Feature::of(placement));
        row / COLOR_ROWS * COLOR_INPUTS + row % COLOR_ROWS - Feature::FIRST
    }

    /// Returns the weight row of the placement that `feature` stands for, below [`ROWS`].
    #[inline]
    pub(super) fn row_of(self, Feature(feature): Feature) -> usize {
        usize::from(feature.get() ^ self.0)
    }

    /// Returns the indices of the features that are 1 on `board`.
    pub fn inputs(self, board: &Board) -> impl Iterator<Item = usize> {
        board.clone().into_iter().map(move |(square, piece)| self.input((piece, square)))
    }
}

/// Returns which of the `buckets` output layers evaluates a position with `pieces` pieces, kings included.
/// The 32 pieces of the starting position are divided evenly.
///
/// ```
/// use zugwerk::engine::eval::network::bucket;
/// assert_eq!([2, 5, 6, 29, 30, 32].map(|pieces| bucket(pieces, 8)), [0, 0, 1, 6, 7, 7]);
/// ```
#[must_use]
#[inline]
pub fn bucket(pieces: usize, buckets: usize) -> usize {
    (pieces.saturating_sub(2) * buckets / 32).min(buckets - 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_placement_is_an_input_of_its_own() {
        for side in Color::ALL {
            for king in [Square::C1, Square::G8] {
                let view = View::new(side, king);
                let mut seen = HashSet::new();
                for color in Color::ALL {
                    for role in shakmaty::Role::ALL {
                        for square in Square::ALL {
                            let input = view.input((role.of(color), square));
                            assert!(input < INPUTS && seen.insert(input));
                            let row = view.row_of(Feature::of((role.of(color), square)));
                            assert!(row < ROWS && row == row_of_input(input));
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn the_own_king_stands_on_the_left_half_at_the_bottom() {
        for (side, square) in
            [(Color::White, Square::G1), (Color::White, Square::B1), (Color::Black, Square::G8)]
        {
            let input = View::new(side, square).input((side.king(), square));
            assert_eq!(input, 5 * 64 + usize::from(Square::B1), "{square}");
        }
        let view = View::new(Color::Black, Square::E8);
        assert_eq!(view.input((Color::White.pawn(), Square::E4)), 6 * 64 + usize::from(Square::D5));
    }
}
