//! The squares that a side attacks.

use shakmaty::{
    Bitboard, Board, Color, File, Position as _, Role,
    attacks::{king_attacks, knight_attacks},
};

use super::{
    Position,
    legality::{forward, piece_attacks},
};

/// The squares that the pawns of `side` attack.
pub(super) fn attacked_by_pawns(board: &Board, side: Color) -> Bitboard {
    let pawns = board.by_color(side) & board.pawns();
    let ahead = forward(side, pawns);
    (ahead & !Bitboard::from_file(File::A)).shift(-1) | (ahead & !Bitboard::from_file(File::H)).shift(1)
}

/// The squares that one side attacks, whether or not the attackers are pinned.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Threats {
    /// The squares attacked by pawns.
    pawns: Bitboard,
    /// The squares attacked by pawns, knights or bishops.
    minors: Bitboard,
    /// The squares attacked by pawns, knights, bishops or rooks.
    rooks: Bitboard,
    /// All attacked squares.
    all: Bitboard,
}

impl Threats {
    /// All attacked squares.
    #[must_use]
    #[inline]
    pub fn all(&self) -> Bitboard {
        self.all
    }

    /// The squares attacked by a piece that is worth less than a `role`. Knights and bishops are worth the
    /// same. Empty for pawns, and for kings, which cannot move to an attacked square.
    #[must_use]
    #[inline]
    pub fn by_lesser_than(&self, role: Role) -> Bitboard {
        match role {
            Role::Knight | Role::Bishop => self.pawns,
            Role::Rook => self.minors,
            Role::Queen => self.rooks,
            Role::Pawn | Role::King => Bitboard::EMPTY,
        }
    }
}

impl Position {
    /// The squares that the opponent of the side to move attacks.
    #[must_use]
    pub fn threats(&self) -> Threats {
        let board = self.chess().board();
        let (them, occupied) = (!self.turn(), board.occupied());
        let theirs = board.by_color(them);
        let reached = |role, pieces: Bitboard| {
            (theirs & pieces)
                .into_iter()
                .fold(Bitboard::EMPTY, |all, from| all | piece_attacks(role, from, occupied))
        };
        let knights = (theirs & board.knights()).into_iter().map(knight_attacks);
        let kings = (theirs & board.kings()).into_iter().map(king_attacks);
        let pawns = attacked_by_pawns(board, them);
        let minors =
            knights.fold(pawns | reached(Role::Bishop, board.bishops()), |all, attacked| all | attacked);
        let rooks = minors | reached(Role::Rook, board.rooks());
        let queens = reached(Role::Bishop, board.queens()) | reached(Role::Rook, board.queens());
        let all = kings.fold(rooks | queens, |all, attacked| all | attacked);
        Threats { pawns, minors, rooks, all }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::position::tests::one_move_after;

    #[test]
    fn threats_are_the_attacks_of_all_pieces_of_the_opponent() {
        let mut compared = 0;
        let two_queens = "4k3/8/8/8/8/8/8/Q2QK3 w - - 0 1";
        one_move_after(&[two_queens], |position| {
            let board = position.chess().board();
            let theirs = board.by_color(!position.turn());
            let threats = position.threats();
            let by = |roles: &[Role]| {
                let attackers =
                    theirs & roles.iter().fold(Bitboard::EMPTY, |all, &role| all | board.by_role(role));
                attackers.into_iter().fold(Bitboard::EMPTY, |all, from| all | board.attacks_from(from))
            };
            assert_eq!(threats.all(), by(&Role::ALL), "{}", position.fen());
            let lesser = [
                (Role::Pawn, by(&[])),
                (Role::Knight, by(&[Role::Pawn])),
                (Role::Bishop, by(&[Role::Pawn])),
                (Role::Rook, by(&[Role::Pawn, Role::Knight, Role::Bishop])),
                (Role::Queen, by(&[Role::Pawn, Role::Knight, Role::Bishop, Role::Rook])),
                (Role::King, by(&[])),
            ];
            for (role, expected) in lesser {
                assert_eq!(threats.by_lesser_than(role), expected, "{role:?} in {}", position.fen());
            }
            compared += 1;
        });
        assert!(compared > 500, "{compared} positions");
    }
}
