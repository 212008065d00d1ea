//! What neither side's pieces decide alone: pieces that hang, safe checks, holes around a king, roads of passed pawns.
//!
//! Counted from the squares both sides attack, when both have been walked over ([`pieces`](super::pieces)).
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

/// How many sizes of attack there are, with and without a queen.
const ATTACK_ROW: usize = KING_ATTACK.len / 2;
/// The units that a safe check adds to an attack on the king; a hole beside it adds one.
const CHECK_UNITS: usize = 3;

// Inlined for each colour, like the walk.
impl<T: Tally> Walk<'_, T> {
    /// Counts what depends on what the enemy attacks; `passed` are the passed pawns of both sides.
    #[inline(always)]
    pub(super) fn meet(&mut self, enemy: Attacks, passed: Bitboard) {
        self.checks(enemy);
        self.king_attack(enemy);
        self.contested(enemy);
        self.pushes(enemy);
        for pawn in passed & self.ours {
            self.passer(pawn, enemy);
        }
    }

    #[inline(always)]
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

    #[inline(always)]
    fn king_attack(&mut self, enemy: Attacks) {
        self.tally.count(KING_LINES.at((self.straights | self.diagonals).count()), 1);
        let holes = (self.king_zone & self.attacks.army & !enemy.army).count();
        self.tally.count(KING_HOLES.at(holes), 1);
        if self.attackers > 0 {
            let row = if (self.board.queens() & self.ours).any() { ATTACK_ROW } else { 0 };
            self.tally.count(KING_ATTACK.at(row + (self.units + holes).min(ATTACK_ROW - 1)), 1);
        }
    }

    /// Enemy pieces that are not defended enough, and squares that are not safe for them.
    #[inline(always)]
    fn contested(&mut self, enemy: Attacks) {
        let once = enemy.army & !enemy.twice;
        self.threats(OUTNUMBERED, self.loose & self.attacks.twice & once);
        let undefended = self.theirs & !enemy.army & !enemy.king;
        self.threats(HANGING, undefended & (self.attacks.army | self.attacks.king));
        let restricted = self.free & self.attacks.army & once;
        self.tally.count(RESTRICTED.at(0), restricted.count() as i32);
    }

    /// Pawn moves that would attack a piece, to squares where the pawn could stay.
    #[inline(always)]
    fn pushes(&mut self, enemy: Attacks) {
        let (pawns, empty) = (self.board.pawns(), !self.board.occupied());
        let (forward, third) = self.us.fold_wb((8, Rank::Third), (-8, Rank::Sixth));
        let single = (pawns & self.ours).shift(forward) & empty;
        let double = (single & Bitboard::from_rank(third)).shift(forward) & empty;
        let landing = (single | double) & self.free & (!enemy.army | self.attacks.army);
        let victims = attacked(self.us, landing) & self.theirs & !pawns & !self.board.kings();
        self.threats(PUSH_THREAT, victims);
    }

    /// Whether a passed pawn can go on, and which rooks stand behind it.
    #[inline(always)]
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
