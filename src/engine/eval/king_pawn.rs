//! King and pawn against king: which positions are won, computed from the rules at first use (64 KiB, about a
//! millisecond).

use std::sync::LazyLock;

use shakmaty::{Bitboard, Board, Color, Rank, Square, attacks};

/// For each square of White's pawn and each of White's king: the squares of Black's king with which White
/// wins.
#[derive(Debug)]
struct Wins {
    /// With White to move.
    white: Vec<[Bitboard; 64]>,
    /// With Black to move.
    black: Vec<[Bitboard; 64]>,
}

static WINS: LazyLock<Wins> = LazyLock::new(Wins::compute);

/// Whether `strong`, which has a king and a pawn against a king, wins with `turn` to move.
///
/// The position must be legal, with exactly these three pieces.
#[must_use]
pub(super) fn wins(board: &Board, strong: Color, turn: Color) -> bool {
    let (Some(pawn), Some(king), Some(opponent)) =
        (board.pawns().first(), board.king_of(strong), board.king_of(!strong))
    else {
        return false;
    };
    let [pawn, king, opponent] =
        [pawn, king, opponent].map(|square| strong.fold_wb(square, square.flip_vertical()));
    let won = if turn == strong { &WINS.white } else { &WINS.black };
    won[usize::from(pawn)][usize::from(king)].contains(opponent)
}

impl Wins {
    /// Computes the wins of each pawn from those of the pawn a step ahead, until no king move finds another
    /// one.
    fn compute() -> Self {
        let none = vec![[Bitboard::EMPTY; 64]; 64];
        let mut wins = Self { white: none.clone(), black: none };
        for pawn in (8..56).rev().map(Square::new) {
            let mut new = true;
            while new {
                new = false;
                for king in Square::ALL {
                    new |= king != pawn && wins.add(pawn, king);
                }
            }
        }
        wins
    }

    /// Adds the wins that follow from those known after one move. Returns whether there are new ones.
    fn add(&mut self, pawn: Square, king: Square) -> bool {
        let near = attacks::king_attacks(king);
        let free = !(near | pawn | king);
        let may_stand = free & !attacks::pawn_attacks(Color::White, pawn);
        let mut white = self.after_push(pawn, king);
        for to in near.without(pawn) {
            white |= self.black[usize::from(pawn)][usize::from(to)];
        }
        white &= may_stand;
        // Black holds the draw where a move leads out of the won squares, or takes the pawn.
        let takes = Bitboard::from(pawn) & !near;
        let black = free & around(white) & !around((may_stand & !white) | takes);
        let [old_white, old_black] =
            [&mut self.white, &mut self.black].map(|wins| &mut wins[usize::from(pawn)][usize::from(king)]);
        let new = (*old_white, *old_black) != (white, black);
        (*old_white, *old_black) = (white, black);
        new
    }

    /// The squares of Black's king with which a move of the pawn wins. A pawn that promotes and is not taken
    /// wins.
    fn after_push(&self, pawn: Square, king: Square) -> Bitboard {
        let after = |to: Square| self.black[usize::from(to)][usize::from(king)];
        let Some(to) = pawn.offset(8).filter(|&to| to != king) else { return Bitboard::EMPTY };
        if to.rank() == Rank::Eighth {
            let attacks = attacks::king_attacks(to);
            return if attacks.contains(king) { !Bitboard::from(to) } else { !attacks.with(to) };
        }
        let two = to.offset(8).filter(|&two| pawn.rank() == Rank::Second && two != king);
        after(to) | two.map_or(Bitboard::EMPTY, |two| after(two).without(to))
    }
}

/// The squares that a king on one of `squares` attacks.
fn around(squares: Bitboard) -> Bitboard {
    squares.into_iter().fold(Bitboard::EMPTY, |around, square| around | attacks::king_attacks(square))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The numbers are those of the Syzygy table KPvK.
    #[test]
    fn as_many_positions_are_won_as_the_endgame_tables_say() {
        let count = |wins: &[[Bitboard; 64]]| wins.iter().flatten().map(|kings| kings.count()).sum::<usize>();
        assert_eq!(count(&WINS.white), 124_960);
        assert_eq!(count(&WINS.black), 97_604);
    }
}
