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

/// How one side looks at the board; it changes only when the king of that side crosses the middle of the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    side: Color,
    /// What is done to the index of a square, by exclusive or: 56 turns the board, 7 mirrors it.
    flip: u8,
}

impl View {
    /// How `side` looks at a board on which its own king stands on `king`.
    #[must_use]
    #[inline]
    pub fn new(side: Color, king: Square) -> Self {
        let turned = side.fold_wb(0, 0b111_000);
        let mirrored = if king.file() >= File::E { 0b111 } else { 0 };
        Self { side, flip: turned ^ mirrored }
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
        self.flip & 1 != 0
    }

    /// The input, below [`INPUTS`], that a piece on a square is. Own pieces come first, then those of the opponent;
    /// within a colour pawns, knights, bishops, rooks, queens, kings; within a role a1, b1, … h8 as the side sees it.
    #[must_use]
    #[inline]
    pub fn input(self, (piece, square): Placement) -> usize {
        let group = 6 * usize::from(piece.color != self.side) + piece.role as usize - 1;
        64 * group + usize::from(square as u8 ^ self.flip)
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
