//! Terms that depend on the pieces of both sides: hanging pieces, safe checks, holes around a king, free
//! paths of passed pawns.
//!
//! They are computed from the squares that both sides attack, after the walks over their pieces
//! ([`pieces`](super::pieces)).
//!
//! Reference: chessprogramming.org, "Attack and Defend Maps", "Hanging Piece", "Tarrasch Rule".

use shakmaty::{
    Bitboard, Rank, Role, Square,
    attacks::{knight_attacks, rook_attacks},
};

use super::{
    pawns::{ahead, attacked, next_square, relative_rank},
    pieces::{Attacks, Walk},
    terms::{
        HANGING, KING_ATTACK, KING_HOLES, KING_LINES, OUTNUMBERED, PASSED_BLOCKED, PASSED_HELD, PASSED_SAFE,
        PUSH_THREAT, RESTRICTED, ROOK_BEHIND, SAFE_CHECK, Tally,
    },
};

/// The number of sizes of attack, with and without a queen each.
const ATTACK_ROW: usize = KING_ATTACK.len / 2;
/// The units that a safe check adds to an attack on the king; a hole next to the king adds one.
const CHECK_UNITS: usize = 3;

impl<T: Tally> Walk<'_, T> {
    /// Counts the terms that depend on the enemy's attacks; `passed` are the passed pawns of both sides.
    pub(super) fn meet(&mut self, enemy: Attacks, passed: Bitboard) {
        // Checks from a distance alone are not an attack.
        let attacked = self.units > 0;
        self.checks(enemy);
        self.king_attack(enemy, attacked);
        self.contested(enemy);
        self.pushes(enemy);
        for pawn in passed & self.ours {
            self.passer(pawn, enemy);
        }
    }

    fn checks(&mut self, enemy: Attacks) {
        let king = self.board.king_of(!self.us).unwrap_or(Square::A1);
        let safe = !enemy.army & !self.king_zone;
        let from = [
            (Role::Knight, knight_attacks(king)),
            (Role::Bishop, self.diagonals),
            (Role::Rook, self.straights),
            (Role::Queen, self.diagonals | self.straights),
        ];
        for (role, from) in from {
            if (self.reach[role as usize] & from & safe).any() {
                self.tally.count(SAFE_CHECK.at(role as usize - 1), 1);
                self.units += CHECK_UNITS;
            }
        }
    }

    /// Counts the safety of the enemy king; `attacked` says whether our pieces attack its surroundings.
    fn king_attack(&mut self, enemy: Attacks, attacked: bool) {
        self.tally.count(KING_LINES.at((self.straights | self.diagonals).count()), 1);
        let holes = (self.king_zone & self.attacks.army & !enemy.army).count();
        self.tally.count(KING_HOLES.at(holes), 1);
        if attacked {
            let row = if (self.board.queens() & self.ours).any() { ATTACK_ROW } else { 0 };
            self.tally.count(KING_ATTACK.at(row + (self.units + holes).min(ATTACK_ROW - 1)), 1);
        }
    }

    /// Counts insufficiently defended enemy pieces, and squares that are not safe for them.
    fn contested(&mut self, enemy: Attacks) {
        let once = enemy.army & !enemy.twice;
        self.threats(OUTNUMBERED, self.loose & self.attacks.twice & once);
        let undefended = self.theirs & !enemy.army & !enemy.king;
        self.threats(HANGING, undefended & (self.attacks.army | self.attacks.king));
        let restricted = self.free & self.attacks.army & once;
        self.tally.count(RESTRICTED.at(0), restricted.count() as i32);
    }

    /// Counts pawn moves that would attack a piece, to squares where the pawn is safe.
    fn pushes(&mut self, enemy: Attacks) {
        let (pawns, empty) = (self.board.pawns(), !self.board.occupied());
        let (forward, third) = self.us.fold_wb((8, Rank::Third), (-8, Rank::Sixth));
        let single = (pawns & self.ours).shift(forward) & empty;
        let double = (single & Bitboard::from_rank(third)).shift(forward) & empty;
        let landing = (single | double) & self.free & (!enemy.army | self.attacks.army);
        let victims = attacked(self.us, landing) & self.theirs & !pawns & !self.board.kings();
        self.threats(PUSH_THREAT, victims);
    }

    /// Counts whether a passed pawn can advance, and which rooks stand behind it.
    fn passer(&mut self, pawn: Square, enemy: Attacks) {
        let (rank, Some(stop)) = (relative_rank(self.us, pawn), next_square(self.us, pawn)) else { return };
        if self.theirs.contains(stop) {
            self.tally.count(PASSED_BLOCKED.at(rank), 1);
        }
        if !(enemy.army | enemy.king).contains(stop) {
            self.tally.count(PASSED_SAFE.at(rank), 1);
        }
        if (self.attacks.army | self.attacks.king).contains(stop) {
            self.tally.count(PASSED_HELD.at(rank), 1);
        }
        let behind = self.board.rooks() & Bitboard::from(pawn.file()) & ahead(!self.us, pawn);
        if behind.any() {
            let seen = behind & rook_attacks(pawn, self.board.occupied());
            self.tally.count(ROOK_BEHIND.at(0), i32::from((seen & self.ours).any()));
            self.tally.count(ROOK_BEHIND.at(1), i32::from((seen & self.theirs).any()));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::position::Position,
        engine::eval::classical::{
            count,
            terms::{BISHOP_MOBILITY, Term},
        },
    };

    const KNIGHT: usize = Role::Knight as usize - 1;

    /// How often `fen` has the feature at `index` of `term`, White's count less Black's.
    fn counted(term: Term, index: usize, fen: &str) -> i16 {
        count(&Position::from_fen(fen).unwrap()).0[term.at(index)]
    }

    #[test]
    fn undefended_pieces_hang_and_defended_ones_may_be_outnumbered() {
        assert_eq!(counted(HANGING, KNIGHT, "4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1"), 1);
        assert_eq!(counted(HANGING, KNIGHT, "4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1"), 0, "a pawn defends");
        assert_eq!(counted(HANGING, KNIGHT, "8/8/3k4/3n4/8/8/8/3RK3 w - - 0 1"), 0, "the king defends");
        let twice = "3rk3/8/8/3n4/8/5B2/8/3RK3 w - - 0 1";
        assert_eq!((counted(HANGING, KNIGHT, twice), counted(OUTNUMBERED, KNIGHT, twice)), (0, 1));
        assert_eq!(counted(OUTNUMBERED, KNIGHT, "3rk3/8/4p3/3n4/8/5B2/8/3RK3 w - - 0 1"), 0, "two defend");
    }

    #[test]
    fn checks_are_safe_where_no_piece_defends() {
        assert_eq!(counted(SAFE_CHECK, KNIGHT, "4k3/8/8/8/4N3/8/8/4K3 w - - 0 1"), 1);
        assert_eq!(counted(SAFE_CHECK, KNIGHT, "4k3/4b3/8/8/4N3/8/8/4K3 w - - 0 1"), 0);
    }

    #[test]
    fn holes_are_what_only_the_king_defends() {
        let open = "6k1/8/8/8/8/8/8/K5R1 b - - 0 1";
        assert_eq!((counted(KING_HOLES, 2, open), counted(KING_HOLES, 0, open)), (1, -1), "g7 and g8");
        assert_eq!(counted(KING_HOLES, 1, "6k1/8/8/4b3/8/8/8/1K4R1 b - - 0 1"), 1, "the bishop covers g7");
    }

    #[test]
    fn pushes_threaten_from_squares_where_the_pawn_can_stay() {
        assert_eq!(counted(PUSH_THREAT, KNIGHT, "4k3/8/8/3n4/8/4P3/8/4K3 w - - 0 1"), 1);
        assert_eq!(counted(PUSH_THREAT, KNIGHT, "4k3/8/8/3n4/8/8/4P3/4K3 w - - 0 1"), 1, "two steps");
        assert_eq!(counted(PUSH_THREAT, KNIGHT, "4k3/8/8/3n1p2/8/4P3/8/4K3 w - - 0 1"), 0, "f5 takes on e4");
        assert_eq!(counted(PUSH_THREAT, KNIGHT, "4k3/4r3/8/3n4/8/4P3/8/6K1 w - - 0 1"), 0, "the rook takes");
    }

    #[test]
    fn passed_pawns_look_ahead_and_behind() {
        let passer = |term, index, fen: &str| counted(term, index, fen);
        assert_eq!(passer(PASSED_SAFE, 3, "4k3/8/8/8/3P4/8/8/4K3 w - - 0 1"), 1);
        assert_eq!(passer(PASSED_SAFE, 3, "8/8/3k4/8/3P4/8/8/4K3 w - - 0 1"), 0, "the king is there");
        assert_eq!(passer(PASSED_HELD, 3, "4k3/8/8/8/2KP4/8/8/8 w - - 0 1"), 1);
        assert_eq!(passer(PASSED_BLOCKED, 3, "4k3/8/8/3n4/3P4/8/8/4K3 w - - 0 1"), 1);
        assert_eq!(passer(ROOK_BEHIND, 0, "4k3/8/8/8/3P4/8/8/3RK3 w - - 0 1"), 1);
        assert_eq!(passer(ROOK_BEHIND, 1, "4k3/8/8/8/3P4/8/3r4/6K1 w - - 0 1"), 1);
        assert_eq!(passer(ROOK_BEHIND, 0, "4k3/8/8/8/3P4/3N4/8/3RK3 w - - 0 1"), 0, "not through the knight");
    }

    #[test]
    fn lines_go_on_behind_own_pieces_of_their_kind() {
        assert_eq!(counted(BISHOP_MOBILITY, 8, "4k3/8/8/8/8/2Q5/1B6/4K3 w - - 0 1"), 1, "through the queen");
        assert_eq!(
            counted(BISHOP_MOBILITY, 3, "4k3/8/8/8/8/2N5/1B6/4K3 w - - 0 1"),
            1,
            "not through a knight"
        );
    }
}
