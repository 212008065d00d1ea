//! The inputs of a network: which of them a piece on a square switches on.
//!
//! A position is looked at twice, with the eyes of either side. Each look has one input for every colour (own or the
//! opponent's), role and square, and those where a piece stands are 1, all others 0. The board is turned so that
//! the side that looks plays upwards, and mirrored, if need be, so that its own king stands on files a to d: what is
//! learnt on one wing holds on the other.
//!
//! This is the only code that numbers inputs; training and playing both go by it.

use shakmaty::{Board, Color, File, Square};

use crate::position::Placement;

/// How many inputs each side has: 2 colours, 6 roles, 64 squares.
pub const INPUTS: usize = 2 * 6 * 64;

/// Inputs of each colour of pieces.
const COLOR_INPUTS: u16 = 6 * 64;

/// A piece on a square as one number, from which the input follows that it is for either side: the input for White, were
/// the board not mirrored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Feature(u16);

impl Feature {
    #[inline]
    pub(super) fn of((piece, square): Placement) -> Self {
        let color = piece.color.fold_wb(0, COLOR_INPUTS);
        Self(color + 64 * (piece.role as u16 - 1) + square as u16)
    }
}

/// How one side looks at the board; it changes only when the king of that side crosses the middle of the board.
///
/// It is what is done to the index of a square, by exclusive or: 56 turns the board, for Black; 7 mirrors it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View(u8);

impl View {
    const TURNED: u8 = 0b111_000;
    const MIRRORED: u8 = 0b111;

    /// How `side` looks at a board on which its own king stands on `king`.
    #[must_use]
    #[inline]
    pub fn new(side: Color, king: Square) -> Self {
        let mirrored = if king.file() >= File::E { Self::MIRRORED } else { 0 };
        Self(side.fold_wb(0, Self::TURNED) | mirrored)
    }

    /// How `side` looks at `board`; without a king it is not mirrored.
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

    /// The input, below [`INPUTS`], that a piece on a square is. Own pieces come first, then those of the opponent;
    /// within a colour pawns, knights, bishops, rooks, queens, kings; within a role a1, b1, … h8 as the side sees it.
    #[must_use]
    #[inline]
    pub fn input(self, placement: Placement) -> usize {
        self.input_of(Feature::of(placement))
    }

    /// The same for the placement that `feature` stands for.
    #[inline]
    pub(super) fn input_of(self, Feature(feature): Feature) -> usize {
        let own_first = match feature {
            _ if self.0 < Self::TURNED => feature,
            white if white < COLOR_INPUTS => white + COLOR_INPUTS,
            black => black - COLOR_INPUTS,
        };
        usize::from(own_first ^ u16::from(self.0))
    }

    /// The inputs that `board` switches on.
    pub fn inputs(self, board: &Board) -> impl Iterator<Item = usize> {
        board.clone().into_iter().map(move |(square, piece)| self.input((piece, square)))
    }
}

/// Which of the `buckets` output layers judges a position with `pieces` pieces, kings included: the 32 of the starting
/// position are divided evenly.
///
/// ```
/// use zugwerk::eval::network::bucket;
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
