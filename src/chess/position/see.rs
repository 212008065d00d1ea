//! Static exchange evaluation: whether a capture wins at least a given amount when both sides keep
//! recapturing.
//!
//! The definition is the usual *swap* algorithm. The sides capture in turn on the target square of the move,
//! each with its least valuable attacker. Either side may stop when continuing would lose material. Sliders
//! behind the capturing pieces join in (x-rays). Pins are ignored. Later captures do not promote. A promotion
//! by the move itself counts the new piece less the pawn. A king captures only if no enemy piece can
//! recapture. Castling is worth 0.
//!
//! The pieces have their [`material_value`], because an exchange counts material, not evaluation.
//!
//! Reference: chessprogramming.org, "Static Exchange Evaluation" and "SEE - The Swap Algorithm".

use shakmaty::{
    Bitboard, Board, Color, Move, Position as _, Role, Square,
    attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, rook_attacks},
};

use super::{Position, delta::en_passant_victim};
use crate::chess::value::{Value, material_value};

/// The material that `m` wins before any recapture, in centipawns.
#[must_use]
#[inline]
pub fn material_gain(m: Move) -> Value {
    let Move::Normal { capture, promotion, .. } = m else { return rare_gain(m) };
    capture.map_or(0, material_value)
        + promotion.map_or(0, |role| material_value(role) - material_value(Role::Pawn))
}

/// [`material_gain`] of castling and en passant. Few positions have these moves, so they are kept apart by
/// one comparison.
#[cold]
fn rare_gain(m: Move) -> Value {
    if matches!(m, Move::EnPassant { .. }) { material_value(Role::Pawn) } else { 0 }
}

impl Position {
    /// Whether the exchange that legal move `m` begins wins at least `threshold` centipawns for the side that
    /// plays it.
    ///
    /// ```
    /// use zugwerk::chess::position::Position;
    /// let position = Position::from_fen("4k3/3p4/4p3/8/8/8/4Q3/4K3 w - - 0 1").unwrap();
    /// let takes = position.find_move("e2e6").unwrap(); // queen takes a pawn that a pawn defends
    /// assert!(position.see_at_least(takes, -800) && !position.see_at_least(takes, -799));
    /// ```
    #[must_use]
    #[inline(always)]
    pub fn see_at_least(&self, m: Move, threshold: Value) -> bool {
        let Move::Normal { role, from, to, promotion, .. } = m else {
            return self.rare_move_is_worth(m, threshold);
        };
        // `margin` is by how much the side that captured last exceeds its goal if it loses the capturing
        // piece for nothing.
        let mut margin = material_gain(m) - threshold;
        if margin < 0 {
            return false;
        }
        margin -= material_value(promotion.unwrap_or(role));
        if margin >= 0 {
            return true;
        }
        let board = self.chess().board();
        let occupied = board.occupied().without(from).with(to);
        exchange(board, to, occupied, self.chess().turn(), margin)
    }

    /// [`see_at_least`](Self::see_at_least) of castling and en passant.
    #[cold]
    fn rare_move_is_worth(&self, m: Move, threshold: Value) -> bool {
        let Move::EnPassant { from, to } = m else { return threshold <= 0 };
        let margin = material_value(Role::Pawn) - threshold;
        if margin < 0 {
            return false;
        }
        let board = self.chess().board();
        let occupied = board.occupied().without(from).without(en_passant_victim(from, to)).with(to);
        let margin = margin - material_value(Role::Pawn);
        margin >= 0 || exchange(board, to, occupied, self.chess().turn(), margin)
    }
}

/// Plays out the exchange on `to` and returns whether `us`, who captured last with a negative `margin`,
/// reaches its goal.
#[inline(never)] // keeps the inlined part small, which decides most moves
fn exchange(board: &Board, to: Square, mut occupied: Bitboard, us: Color, mut margin: Value) -> bool {
    if fails_against_pawn_or_knight(board, to, occupied, us, margin) {
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
        margin = -margin - 1 - material_value(role);
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

/// Whether `us` fails even if the opponent loses the pawn or knight that recaptures. Other attackers need not
/// be examined then.
#[inline(always)]
fn fails_against_pawn_or_knight(
    board: &Board,
    to: Square,
    occupied: Bitboard,
    us: Color,
    margin: Value,
) -> bool {
    let theirs = board.by_color(!us) & occupied;
    (margin < -material_value(Role::Pawn) && (pawn_attacks(us, to) & board.pawns() & theirs).any())
        || (margin < -material_value(Role::Knight) && (knight_attacks(to) & board.knights() & theirs).any())
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
