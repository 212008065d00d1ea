//! Static exchange evaluation: is this capture worth at least so much, if both sides keep recapturing?
//!
//! The definition is the field's usual *swap*: on the move's target square the sides capture in turn, each with its
//! least valuable attacker, and either may stop when going on would lose. Sliders behind the capturing pieces join in
//! (x-rays). Pins are ignored, later captures do not promote, a promotion by the move itself counts the new piece
//! less the pawn, a king captures only when nothing can take it back, and castling is worth 0.
//!
//! The values are 1/3/3/5/9 pawns: an exchange is counted in material, not in evaluation.
//!
//! Reference: chessprogramming.org, "Static Exchange Evaluation" and "SEE - The Swap Algorithm".

use shakmaty::{
    Bitboard, Board, Color, Move, Position as _, Role, Square,
    attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks},
};

use super::{Position, delta::en_passant_victim};
use crate::value::Value;

/// What a piece counts in an exchange, in centipawns; the king has no price, it just may not be taken.
#[must_use]
#[inline]
pub const fn see_value(role: Role) -> Value {
    VALUES[role as usize]
}

/// What pieces count by the number of their role; nothing counts nothing. A reference, or every look would begin by copying
/// the whole array.
const VALUES: &[Value; 7] = &[0, 100, 300, 300, 500, 900, 0];

/// What `m` wins at once, before any recapture, in centipawns.
#[must_use]
#[inline]
pub fn material_gain(m: Move) -> Value {
    match m {
        Move::Normal { capture, promotion, .. } => {
            let victim = VALUES[capture.map_or(0, |role| role as usize)];
            victim + promotion.map_or(0, |role| see_value(role) - see_value(Role::Pawn))
        }
        Move::EnPassant { .. } => see_value(Role::Pawn),
        Move::Castle { .. } | Move::Put { .. } => 0,
    }
}

impl Position {
    /// Whether the exchange that legal move `m` begins is worth at least `threshold` centipawns to its mover.
    ///
    /// ```
    /// use zugwerk::position::Position;
    /// let position = Position::from_fen("4k3/3p4/4p3/8/8/8/4Q3/4K3 w - - 0 1").unwrap();
    /// let takes = position.find_move("e2e6").unwrap(); // queen takes a pawn that a pawn defends
    /// assert!(position.see_at_least(takes, -800) && !position.see_at_least(takes, -799));
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn see_at_least(&self, m: Move, threshold: Value) -> bool {
        // What the move wins at once, and the piece that then stands on the square and may be taken.
        let (from, to, gain, standing, victim) = match m {
            Move::Normal { role, from, to, promotion, .. } => {
                (from, to, material_gain(m), promotion.unwrap_or(role), None)
            }
            Move::EnPassant { from, to } => {
                (from, to, see_value(Role::Pawn), Role::Pawn, Some(en_passant_victim(from, to)))
            }
            Move::Castle { .. } | Move::Put { .. } => return threshold <= 0,
        };
        // `margin` is what the side that has just captured stands above its goal, were its piece lost for nothing.
        let mut margin = gain - threshold;
        if margin < 0 {
            return false;
        }
        margin -= see_value(standing);
        if margin >= 0 {
            return true;
        }
        let board = self.chess().board();
        let mut occupied = board.occupied().without(from).with(to);
        if let Some(victim) = victim {
            occupied.discard(victim);
        }
        exchange(board, to, occupied, self.chess().turn(), margin)
    }
}

/// Plays the exchange on `to` out and says whether `us`, who captured last and stands at `margin` (negative), holds.
#[inline(never)] // so that what is settled by the first capture stays small
fn exchange(board: &Board, to: Square, mut occupied: Bitboard, us: Color, mut margin: Value) -> bool {
    // Where a pawn or a knight takes back, and may be lost there, nobody else need be looked for.
    let theirs = board.by_color(!us) & occupied;
    if (margin < -see_value(Role::Pawn) && (pawn_attacks(us, to) & board.pawns() & theirs).any())
        || (margin < -see_value(Role::Knight) && (knight_attacks(to) & board.knights() & theirs).any())
    {
        return false;
    }
    let diagonal = board.bishops_and_queens();
    let straight = board.rooks_and_queens();
    let mut attackers = attackers_of_both(board, to, occupied);
    let mut side = us;
    loop {
        side = !side;
        attackers &= occupied;
        let ours = attackers & board.by_color(side);
        let Some((role, from)) = least_valuable(board, ours) else { return side != us };
        if role == Role::King && (attackers & board.by_color(!side)).any() {
            return side != us;
        }
        margin = -margin - 1 - see_value(role);
        if margin >= 0 {
            return side == us;
        }
        occupied.discard(from);
        if matches!(role, Role::Pawn | Role::Bishop | Role::Queen) {
            attackers |= bishop_attacks(to, occupied) & diagonal;
        }
        if matches!(role, Role::Rook | Role::Queen) {
            attackers |= rook_attacks(to, occupied) & straight;
        }
    }
}

fn least_valuable(board: &Board, pieces: Bitboard) -> Option<(Role, Square)> {
    if pieces.is_empty() {
        return None;
    }
    Role::ALL.into_iter().find_map(|role| Some((role, (pieces & board.by_role(role)).first()?)))
}

fn attackers_of_both(board: &Board, to: Square, occupied: Bitboard) -> Bitboard {
    (rook_attacks(to, occupied) & board.rooks_and_queens())
        | (bishop_attacks(to, occupied) & board.bishops_and_queens())
        | (knight_attacks(to) & board.knights())
        | (king_attacks(to) & board.kings())
        | (pawn_attacks(Color::Black, to) & board.pawns() & board.by_color(Color::White))
        | (pawn_attacks(Color::White, to) & board.pawns() & board.by_color(Color::Black))
}
