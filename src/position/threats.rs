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

impl Position {
    /// The squares that the opponent of the side to move attacks, whether or not the attackers are pinned.
    #[must_use]
    pub fn threats(&self) -> Bitboard {
        let board = self.chess().board();
        let (them, occupied) = (!self.turn(), board.occupied());
        let theirs = board.by_color(them);
        let mut threats = attacked_by_pawns(board, them);
        for from in theirs & board.knights() {
            threats |= knight_attacks(from);
        }
        for from in theirs & (board.bishops() | board.queens()) {
            threats |= piece_attacks(Role::Bishop, from, occupied);
        }
        for from in theirs & (board.rooks() | board.queens()) {
            threats |= piece_attacks(Role::Rook, from, occupied);
        }
        for from in theirs & board.kings() {
            threats |= king_attacks(from);
        }
        threats
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn threats_are_the_attacks_of_all_pieces_of_the_opponent() {
        let mut compared = 0;
        for line in include_str!("../../positions/perft.epd").lines().filter(|line| !line.starts_with('#')) {
            let fen = line.split(';').next().unwrap_or_default().trim();
            let mut position = Position::from_fen(fen).unwrap();
            for m in position.legal_moves() {
                position.play(m);
                let board = position.chess().board();
                let theirs = board.by_color(!position.turn());
                let expected =
                    theirs.into_iter().fold(Bitboard::EMPTY, |all, from| all | board.attacks_from(from));
                assert_eq!(position.threats(), expected, "{}", position.fen());
                position.undo();
                compared += 1;
            }
        }
        assert!(compared > 500, "{compared} positions");
    }
}
