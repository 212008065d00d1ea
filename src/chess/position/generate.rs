//! Generates legal moves in the two groups a search needs: tactical and quiet.
//!
//! Tactical moves are captures and promotions; all others are quiet. shakmaty's `capture_moves` generates
//! every move and filters the result, which takes several times as long. A search that finds a cut-off among
//! the captures never generates the quiet moves.
//!
//! Invariant: the two groups together equal shakmaty's `legal_moves` (`tests/engine/perft.rs`).

use shakmaty::{
    Bitboard, CastlingSide, Move, Position as _, Rank, Role, Square,
    attacks::{bishop_attacks, king_attacks, knight_attacks, pawn_attacks, ray, rook_attacks},
};

use super::{
    Legality,
    legality::{blockers, forward, pawn_pushes, piece_attacks},
    threats::attacked_by_pawns,
};

const PROMOTIONS: [Role; 4] = [Role::Queen, Role::Knight, Role::Rook, Role::Bishop];

/// Whether `m` captures or promotes.
#[must_use]
#[inline]
pub fn is_tactical(m: Move) -> bool {
    m.is_capture() || m.is_promotion()
}

impl Legality<'_> {
    /// Calls `sink` with every legal capture and promotion.
    #[inline]
    pub fn tactical_moves(&self, mut sink: impl FnMut(Move)) {
        self.piece_captures(Bitboard::FULL, |role, from, landing| {
            for to in landing {
                let capture = self.chess.board().role_at(to);
                sink(Move::Normal { role, from, capture, to, promotion: None });
            }
        });
        self.pawn_tacticals(Bitboard::FULL, sink);
    }

    /// The captures on `squares` by pieces other than pawns, piece by piece: calls `sink` with a role, its
    /// square, and the squares on which it can capture.
    #[inline]
    pub fn piece_captures(&self, squares: Bitboard, mut sink: impl FnMut(Role, Square, Bitboard)) {
        let theirs = self.chess.board().by_color(!self.us) & squares;
        if theirs.any() {
            self.minor_and_major_moves(theirs, &mut sink);
            self.king_moves(theirs, &mut sink);
        }
    }

    /// Calls `sink` with the captures by pawns on `squares`, the en-passant captures and the promotions.
    #[inline]
    pub fn pawn_tacticals(&self, squares: Bitboard, mut sink: impl FnMut(Move)) {
        let theirs = self.chess.board().by_color(!self.us) & squares;
        self.pawn_captures(theirs, &mut sink);
        self.promotions(&mut sink);
        self.en_passant(&mut sink);
    }

    /// Calls `sink` with every legal move that is neither a capture nor a promotion.
    #[inline]
    pub fn quiet_moves(&self, mut sink: impl FnMut(Move)) {
        for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::Pawn, Role::King] {
            for from in self.movers(role) {
                each_quiet(role, from, self.quiets_of(role, from), &mut sink);
            }
        }
        self.castling_moves(sink);
    }

    /// The pieces of `role` of the side to move that may have quiet moves: all but blocked pawns.
    #[inline(always)]
    pub fn movers(&self, role: Role) -> Bitboard {
        let board = self.chess.board();
        let blocked = if role == Role::Pawn { forward(!self.us, board.occupied()) } else { Bitboard::EMPTY };
        board.by_color(self.us) & board.by_role(role) & !blocked
    }

    /// The squares to which the piece of `role` on `from` has quiet moves, except castling.
    #[inline(always)]
    pub fn quiets_of(&self, role: Role, from: Square) -> Bitboard {
        self.quiets_from(role, from, !self.chess.board().occupied())
    }

    /// Calls `sink` with the legal castling moves.
    #[inline]
    pub fn castling_moves(&self, sink: impl FnMut(Move)) {
        CastlingSide::ALL.into_iter().filter_map(|side| self.castling(side)).for_each(sink);
    }

    /// The quiet moves that give check, except castling, piece by piece: calls `sink` with a role, its
    /// square, and the squares to which it has such moves.
    pub fn quiet_check_squares(&self, mut sink: impl FnMut(Role, Square, Bitboard)) {
        let board = self.chess.board();
        let checks = self.checks();
        for role in Role::ALL {
            for from in board.by_color(self.us) & board.by_role(role) {
                let checking = checks.squares(role, from) & !board.occupied();
                if checking.any() {
                    sink(role, from, self.quiets_from(role, from, checking));
                }
            }
        }
    }

    /// Where the quiet moves of the side to move give check.
    #[must_use]
    pub fn checks(&self) -> Checks {
        let board = self.chess.board();
        let direct = self.checking_squares();
        let target = board.king_of(!self.us).expect("a position has two kings");
        Checks { direct, target, discoverers: blockers(board, target, self.us) & board.by_color(self.us) }
    }

    /// For each role, in the order of [`Role::ALL`], the squares on which such a piece of the side to move
    /// would attack the opponent's king.
    #[must_use]
    pub fn checking_squares(&self) -> [Bitboard; 6] {
        let board = self.chess.board();
        let Some(target) = board.king_of(!self.us) else { return [Bitboard::EMPTY; 6] };
        let diagonal = bishop_attacks(target, board.occupied());
        let straight = rook_attacks(target, board.occupied());
        let (pawn, knight) = (pawn_attacks(!self.us, target), knight_attacks(target));
        [pawn, knight, diagonal, straight, diagonal | straight, Bitboard::EMPTY]
    }

    /// The squares of `landing`, which must be empty, to which the piece on `from` has a legal move.
    #[inline(always)]
    fn quiets_from(&self, role: Role, from: Square, landing: Bitboard) -> Bitboard {
        let occupied = self.chess.board().occupied();
        let last_ranks = Bitboard::from_rank(Rank::First) | Bitboard::from_rank(Rank::Eighth);
        let squares = match role {
            Role::Pawn => pawn_pushes(self.us, from, occupied) & !last_ranks & landing,
            Role::King => return self.king_steps(landing),
            _ => piece_attacks(role, from, occupied) & landing,
        };
        squares & self.targets & self.pin_line(from)
    }

    /// Whether the side to move has a legal move.
    #[must_use]
    pub fn any_move(&self) -> bool {
        let mut any = false;
        self.quiet_moves(|_| any = true);
        if !any {
            self.tactical_moves(|_| any = true);
        }
        any
    }

    /// Calls `sink` with the moves of knights, bishops, rooks and queens to `landing`, piece by piece.
    #[inline]
    fn minor_and_major_moves(&self, landing: Bitboard, sink: &mut impl FnMut(Role, Square, Bitboard)) {
        let landing = landing & self.targets;
        if landing.any() {
            self.moves_of(Role::Knight, landing, sink);
            self.moves_of(Role::Bishop, landing, sink);
            self.moves_of(Role::Rook, landing, sink);
            self.moves_of(Role::Queen, landing, sink);
        }
    }

    /// Inlined with a constant role, so that only the attack table of that role remains.
    #[inline(always)]
    fn moves_of(&self, role: Role, landing: Bitboard, sink: &mut impl FnMut(Role, Square, Bitboard)) {
        let board = self.chess.board();
        for from in board.by_color(self.us) & board.by_role(role) {
            let squares = piece_attacks(role, from, board.occupied()) & landing;
            if squares.any() {
                sink(role, from, squares & self.pin_line(from));
            }
        }
    }

    #[inline]
    fn king_moves(&self, landing: Bitboard, sink: &mut impl FnMut(Role, Square, Bitboard)) {
        let squares = self.king_steps(landing);
        if squares.any() {
            sink(Role::King, self.king, squares);
        }
    }

    /// The squares of `landing` to which the king has a legal move.
    #[inline]
    fn king_steps(&self, landing: Bitboard) -> Bitboard {
        let mut squares = Bitboard::EMPTY;
        for to in king_attacks(self.king) & landing {
            if self.king_may_step_to(to) {
                squares.add(to);
            }
        }
        squares
    }

    fn pawn_captures(&self, theirs: Bitboard, sink: &mut impl FnMut(Move)) {
        let board = self.chess.board();
        let landing = theirs & self.targets;
        for to in landing & attacked_by_pawns(board, self.us) {
            let victim = board.role_at(to);
            for from in pawn_attacks(!self.us, to) & board.by_color(self.us) & board.pawns() {
                if self.pin_line(from).contains(to) {
                    self.pawn_move(from, to, victim, sink);
                }
            }
        }
    }

    fn promotions(&self, sink: &mut impl FnMut(Move)) {
        let board = self.chess.board();
        let seventh = Bitboard::from_rank(self.us.fold_wb(Rank::Seventh, Rank::Second));
        for from in board.by_color(self.us) & board.pawns() & seventh {
            for to in pawn_pushes(self.us, from, board.occupied()) & self.targets & self.pin_line(from) {
                self.pawn_move(from, to, None, sink);
            }
        }
    }

    fn pawn_move(&self, from: Square, to: Square, capture: Option<Role>, sink: &mut impl FnMut(Move)) {
        let role = Role::Pawn;
        if to.rank() == self.us.fold_wb(Rank::Eighth, Rank::First) {
            for promotion in PROMOTIONS {
                sink(Move::Normal { role, from, capture, to, promotion: Some(promotion) });
            }
        } else {
            sink(Move::Normal { role, from, capture, to, promotion: None });
        }
    }

    fn en_passant(&self, sink: &mut impl FnMut(Move)) {
        let Some(to) = self.chess.maybe_ep_square() else { return };
        let board = self.chess.board();
        for from in pawn_attacks(!self.us, to) & board.by_color(self.us) & board.pawns() {
            if self.en_passant_is_safe(from, to) {
                sink(Move::EnPassant { from, to });
            }
        }
    }
}

/// Where the quiet moves of one side give check, except castling.
#[derive(Clone, Copy, Debug)]
pub struct Checks {
    /// For each role, the squares on which it attacks the king.
    direct: [Bitboard; 6],
    /// The king that is given check.
    target: Square,
    /// The pieces that are the only ones between a slider of their side and the king. They give check by
    /// leaving the line.
    discoverers: Bitboard,
}

impl Checks {
    /// The squares on which the `role` gives check if it comes from `from`.
    #[must_use]
    #[inline]
    pub fn squares(&self, role: Role, from: Square) -> Bitboard {
        let direct = self.direct[role as usize - 1];
        if self.discoverers.contains(from) { direct | !ray(self.target, from) } else { direct }
    }

    /// Whether quiet move `m` gives check; false for castling.
    #[must_use]
    #[inline]
    pub fn contain(&self, m: Move) -> bool {
        matches!(m, Move::Normal { role, from, to, .. } if self.squares(role, from).contains(to))
    }
}

/// Calls `sink` with the quiet moves of a piece to `squares`.
#[inline(always)]
fn each_quiet(role: Role, from: Square, squares: Bitboard, sink: &mut impl FnMut(Move)) {
    for to in squares {
        sink(Move::Normal { role, from, capture: None, to, promotion: None });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::position::{PackedMove, tests::one_move_after};

    #[test]
    fn quiet_checks_are_the_quiet_moves_that_check() {
        let mut found = 0;
        one_move_after(&[], |position| {
            let legality = Legality::of(position);
            let (mut checks, mut expected) = (Vec::new(), Vec::new());
            legality.quiet_check_squares(|role, from, squares| {
                each_quiet(role, from, squares, &mut |m| checks.push(m));
            });
            let squares = legality.checks();
            legality.quiet_moves(|m| {
                let gives_check = !m.is_castle() && position.gives_check(m);
                assert_eq!(squares.contain(m), gives_check, "{m} in {}", position.fen());
                if gives_check {
                    expected.push(m);
                }
            });
            found += checks.len();
            for list in [&mut checks, &mut expected] {
                list.sort_by_key(|&m| PackedMove::new(m).map(PackedMove::bits));
            }
            assert_eq!(checks, expected, "{}", position.fen());
        });
        assert!(found > 100, "the positions offer checks to find: {found}");
    }
}
