//! The pieces that a move removes from and adds to squares.
//!
//! Only this code knows which squares castling, en passant and promotion change. The hash keys and every
//! incremental evaluator are updated from the same [`Delta`], so they cannot disagree.

use shakmaty::{CastlingSide, Color, Move, Piece, Role, Square};

/// A piece on a square.
pub type Placement = (Piece, Square);

/// The placements that one move removes and adds: at most two of each.
///
/// Remove before adding: in Chess960 the king may land on the square that its own rook leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delta {
    /// The moving piece on its old square.
    pub from: Placement,
    /// The moving piece, or the piece it promotes to, on its new square.
    pub to: Placement,
    /// The captured piece, or the castling rook on its old square.
    pub also_removed: Option<Placement>,
    /// The castling rook on its new square.
    pub also_added: Option<Placement>,
}

impl Delta {
    /// Returns the changes of `m` played by `us`. `m` must be at least pseudo-legal for `us`.
    #[must_use]
    #[inline(always)]
    pub fn of(us: Color, m: Move) -> Self {
        match m {
            Move::Normal { role, from, capture, to, promotion } => Self {
                from: (role.of(us), from),
                to: (promotion.unwrap_or(role).of(us), to),
                also_removed: capture.map(|victim| (victim.of(!us), to)),
                also_added: None,
            },
            Move::EnPassant { from, to } => Self {
                from: (us.pawn(), from),
                to: (us.pawn(), to),
                also_removed: Some(((!us).pawn(), en_passant_victim(from, to))),
                also_added: None,
            },
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                Self {
                    from: (us.king(), king),
                    to: (us.king(), side.king_to(us)),
                    also_removed: Some((us.rook(), rook)),
                    also_added: Some((us.rook(), side.rook_to(us))),
                }
            }
            Move::Put { .. } => unreachable!("no piece is dropped in standard chess"),
        }
    }

    /// Whether the move captures or moves a pawn, so that the count of the fifty-move rule begins again.
    #[must_use]
    #[inline(always)]
    pub fn is_zeroing(&self) -> bool {
        self.from.0.role == Role::Pawn || (self.also_removed.is_some() && self.also_added.is_none())
    }
}

/// Returns the square of the pawn captured en passant by a pawn that goes from `from` to `to`.
#[must_use]
#[inline]
pub fn en_passant_victim(from: Square, to: Square) -> Square {
    Square::from_coords(to.file(), from.rank())
}

/// Returns the square of the moving piece after `m`. For castling it is the king's, where shakmaty's `to` is
/// the rook's.
#[must_use]
#[inline]
pub fn destination(us: Color, m: Move) -> Square {
    match m {
        Move::Castle { king, rook } => CastlingSide::from_king_side(king < rook).king_to(us),
        _ => m.to(),
    }
}
