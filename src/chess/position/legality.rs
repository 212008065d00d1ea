//! Legality of moves: checks, pins, and the validation of stored moves.

use shakmaty::{
    Bitboard, Board, CastlingSide, Chess, Color, Move, Position as _, Rank, Role, Square,
    attacks::{
        between, bishop_attacks, king_attacks, knight_attacks, pawn_attacks, queen_attacks, ray, rook_attacks,
    },
};

use super::{PackedMove, Position, delta::en_passant_victim};

/// The data that decide legality in one position, computed once for many queries.
///
/// Given the checkers and the pinned pieces, legality is simple. A pseudo-legal king move is legal if its
/// square is not attacked. Any other pseudo-legal move is legal if it answers the check and stays on its pin
/// line.
#[derive(Clone, Copy, Debug)]
pub struct Legality<'p> {
    pub(super) chess: &'p Chess,
    pub(super) us: Color,
    pub(super) king: Square,
    pub(super) checkers: Bitboard,
    /// Pieces of either colour that are the only ones between our king and an enemy slider.
    blockers: Bitboard,
    /// Where a piece other than the king may land: anywhere, or in check only where it answers the check.
    pub(super) targets: Bitboard,
}

impl<'p> Legality<'p> {
    /// Collects the data for `position`.
    #[must_use]
    #[inline]
    pub fn of(position: &'p Position) -> Self {
        let chess = position.chess();
        let us = chess.turn();
        let king = chess.board().king_of(us).expect("a position has two kings");
        let ChecksAndPins { checkers, blockers } = position.current.checks_and_pins;
        let targets = match checkers.first() {
            None => Bitboard::FULL,
            Some(_) if checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => between(king, checker).with(checker),
        };
        Self { chess, us, king, checkers, blockers, targets }
    }

    /// The squares that a piece on `from` may move to without exposing its king: all, or its pin line.
    #[inline]
    pub(super) fn pin_line(&self, from: Square) -> Bitboard {
        if self.blockers.contains(from) { ray(self.king, from) } else { Bitboard::FULL }
    }

    /// Whether our king would be safe on `to` after leaving its square.
    #[inline]
    pub(super) fn king_may_step_to(&self, to: Square) -> bool {
        let board = self.chess.board();
        board.attacks_to(to, !self.us, board.occupied().without(self.king)).is_empty()
    }

    /// Whether our king is safe after an en-passant capture from `from` to `to`.
    ///
    /// The capture removes two pawns from one rank, so this examines the board after it instead of the pins.
    pub(super) fn en_passant_is_safe(&self, from: Square, to: Square) -> bool {
        let board = self.chess.board();
        let victim = en_passant_victim(from, to);
        let occupied = board.occupied().without(from).without(victim).with(to);
        board.attacks_to(self.king, !self.us, occupied).without(victim).is_empty()
    }

    /// Returns the castling move towards `side` if it is legal.
    pub(super) fn castling(&self, side: CastlingSide) -> Option<Move> {
        let castles = self.chess.castles();
        let rook = castles.rook(self.us, side)?;
        let board = self.chess.board();
        let occupied = board.occupied();
        if self.checkers.any() || (castles.path(self.us, side) & occupied).any() {
            return None;
        }
        let king_to = side.king_to(self.us);
        let attacked = |square, occupied| board.attacks_to(square, !self.us, occupied).any();
        let walk = between(self.king, king_to).with(king_to);
        if walk.into_iter().any(|square| attacked(square, occupied.without(self.king))) {
            return None;
        }
        // In Chess960 the rook itself may shield the king's new square.
        let after = occupied.without(self.king).without(rook).with(king_to).with(side.rook_to(self.us));
        (!attacked(king_to, after)).then_some(Move::Castle { king: self.king, rook })
    }

    /// Returns the legal move that `packed` stands for in this position, or `None` if it is not legal here.
    ///
    /// Every move that comes from a table must pass through this function: because of hash
    /// collisions it may be illegal here.
    #[must_use]
    pub fn unpack(&self, packed: PackedMove) -> Option<Move> {
        let (from, to, promotion) = (packed.from(), packed.to(), packed.promotion());
        let board = self.chess.board();
        let ours = board.by_color(self.us);
        if !ours.contains(from) {
            return None;
        }
        let role = board.role_at(from)?;
        if ours.contains(to) {
            return self.unpack_castling(role, to, promotion);
        }
        if role == Role::Pawn {
            return self.unpack_pawn(from, to, promotion);
        }
        let occupied = board.occupied();
        let legal = promotion.is_none()
            && piece_attacks(role, from, occupied).contains(to)
            && match role {
                Role::King => self.king_may_step_to(to),
                _ => (self.targets & self.pin_line(from)).contains(to),
            };
        legal.then(|| Move::Normal { role, from, capture: board.role_at(to), to, promotion })
    }

    fn unpack_castling(&self, role: Role, rook: Square, promotion: Option<Role>) -> Option<Move> {
        if role != Role::King || promotion.is_some() {
            return None;
        }
        let side = CastlingSide::from_king_side(self.king < rook);
        self.castling(side).filter(|m| m.to() == rook)
    }

    fn unpack_pawn(&self, from: Square, to: Square, promotion: Option<Role>) -> Option<Move> {
        if promotion.is_some() != (to.rank() == self.us.fold_wb(Rank::Eighth, Rank::First)) {
            return None;
        }
        let board = self.chess.board();
        let capture = board.role_at(to);
        if pawn_attacks(self.us, from).contains(to) {
            if capture.is_none() {
                let possible = self.chess.maybe_ep_square() == Some(to) && self.en_passant_is_safe(from, to);
                return possible.then_some(Move::EnPassant { from, to });
            }
        } else if !pawn_pushes(self.us, from, board.occupied()).contains(to) {
            return None;
        }
        let legal = (self.targets & self.pin_line(from)).contains(to);
        legal.then_some(Move::Normal { role: Role::Pawn, from, capture, to, promotion })
    }
}

/// The squares that a pawn of `us` on `from` can advance to: none, one or two.
#[inline]
pub(super) fn pawn_pushes(us: Color, from: Square, occupied: Bitboard) -> Bitboard {
    let single = forward(us, Bitboard::from_square(from)) & !occupied;
    let double_rank = Bitboard::from_rank(us.fold_wb(Rank::Fourth, Rank::Fifth));
    single | (forward(us, single) & !occupied & double_rank)
}

/// The squares one rank ahead of `squares` for `us`. The last rank becomes the first: a rotation takes one
/// instruction for either side, and no pawn stands on the last rank.
#[inline(always)]
pub(super) fn forward(us: Color, squares: Bitboard) -> Bitboard {
    Bitboard(squares.0.rotate_left(us.fold_wb(8, 56)))
}

/// The squares that a piece other than a pawn attacks from `from`.
#[inline]
pub(super) fn piece_attacks(role: Role, from: Square, occupied: Bitboard) -> Bitboard {
    match role {
        Role::Pawn => Bitboard::EMPTY,
        Role::Knight => knight_attacks(from),
        Role::Bishop => bishop_attacks(from, occupied),
        Role::Rook => rook_attacks(from, occupied),
        Role::Queen => queen_attacks(from, occupied),
        Role::King => king_attacks(from),
    }
}

/// The pieces that restrict the moves of the side to move: those that give check, and those that may be
/// pinned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct ChecksAndPins {
    /// The pieces that give check.
    pub(super) checkers: Bitboard,
    /// Pieces of either colour that are the only ones between the king and an enemy slider.
    pub(super) blockers: Bitboard,
}

impl ChecksAndPins {
    /// Looks from the king of the side to move along its lines. Most positions have no enemy slider on them,
    /// so that no attacks of sliders are needed.
    #[inline(always)]
    pub(super) fn of(chess: &Chess) -> Self {
        let (board, us) = (chess.board(), chess.turn());
        let Some(king) = (board.by_color(us) & board.kings()).first() else {
            return Self { checkers: Bitboard::EMPTY, blockers: Bitboard::EMPTY };
        };
        let near = (knight_attacks(king) & board.knights()) | (pawn_attacks(us, king) & board.pawns());
        let near = near & board.by_color(!us);
        let snipers = snipers(board, king, !us);
        if snipers.is_empty() {
            return Self { checkers: near, blockers: Bitboard::EMPTY };
        }
        let (open, blockers) = shields(board, king, snipers);
        Self { checkers: near | open, blockers }
    }
}

/// Pieces of either colour that are the only ones between `king` and a slider of `enemy`.
#[inline]
pub(super) fn blockers(board: &Board, king: Square, enemy: Color) -> Bitboard {
    let snipers = snipers(board, king, enemy);
    if snipers.is_empty() { Bitboard::EMPTY } else { shields(board, king, snipers).1 }
}

/// The sliders of `enemy` that would attack `king` on an empty board.
#[inline(always)]
fn snipers(board: &Board, king: Square, enemy: Color) -> Bitboard {
    let (straight, diagonal) = LINES[king as usize];
    board.by_color(enemy) & ((straight & board.rooks_and_queens()) | (diagonal & board.bishops_and_queens()))
}

/// The squares in a straight and in a diagonal line with each square: the attacks of a rook and of a bishop
/// on an empty board, without the look-ups that depend on the occupied squares.
static LINES: [(Bitboard, Bitboard); 64] = {
    let mut lines = [(Bitboard::EMPTY, Bitboard::EMPTY); 64];
    let mut index = 0;
    while index < 64 {
        let square = Square::new(index as u32);
        lines[index] = (rook_attacks(square, Bitboard::EMPTY), bishop_attacks(square, Bitboard::EMPTY));
        index += 1;
    }
    lines
};

/// The `snipers` with no piece between them and `king`, and the pieces that are the only ones between `king`
/// and one of them. Not inlined: most positions have no sniper.
#[inline(never)]
fn shields(board: &Board, king: Square, snipers: Bitboard) -> (Bitboard, Bitboard) {
    let (mut open, mut blockers) = (Bitboard::EMPTY, Bitboard::EMPTY);
    for sniper in snipers {
        let shield = between(king, sniper) & board.occupied();
        if shield.is_empty() {
            open.add(sniper);
        } else if !shield.more_than_one() {
            blockers |= shield;
        }
    }
    (open, blockers)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::position::tests::one_move_after;

    #[test]
    fn checkers_and_blockers_are_those_of_the_board() {
        let mut found = [0, 0];
        one_move_after(&[], |position| {
            let (board, us) = (position.chess().board(), position.turn());
            let king = board.king_of(us).unwrap();
            let attackers = |occupied| board.attacks_to(king, !us, occupied);
            let checkers = attackers(board.occupied());
            // A piece is a blocker if the king is attacked by another piece once it is gone.
            let opens = |square: &Square| {
                (attackers(board.occupied().without(*square)) & !checkers).without(*square).any()
            };
            let blockers: Bitboard = board.occupied().without(king).into_iter().filter(opens).collect();
            let checks_and_pins = ChecksAndPins { checkers, blockers };
            assert_eq!(position.current.checks_and_pins, checks_and_pins, "{}", position.fen());
            assert_eq!(ChecksAndPins::of(position.chess()), checks_and_pins, "{}", position.fen());
            found[0] += checkers.count();
            found[1] += blockers.count();
        });
        assert!(found.iter().all(|&found| found > 50), "the positions have both: {found:?}");
    }
}
