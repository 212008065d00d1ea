//! What a move changes on the board, as pieces removed from and added to squares.
//!
//! This is the only code that knows which squares castling, en passant and promotion touch. The hash key and every
//! incremental evaluator are advanced from the same [`Delta`], so they cannot disagree about it.

use shakmaty::{CastlingSide, Color, Move, Piece, Square};

/// A piece on a square.
pub type Placement = (Piece, Square);

/// The placements one move removes and adds: at most two of each.
///
/// Whoever follows a delta must remove before adding: in Chess960 the king may land on the square its own rook leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Delta {
    /// The moving piece where it stood.
    pub from: Placement,
    /// The moving piece, or what it promoted to, where it stands now.
    pub to: Placement,
    /// What else is gone: the captured piece, or the castling rook from its old square.
    pub also_removed: Option<Placement>,
    /// What else is new: the castling rook on its new square.
    pub also_added: Option<Placement>,
}

impl Delta {
    /// What `m` changes when `us` plays it. `m` must be legal (or at least pseudo-legal) for `us`.
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
}

/// The square of the pawn that an en-passant capture from `from` to `to` takes.
#[must_use]
#[inline]
pub fn en_passant_victim(from: Square, to: Square) -> Square {
    Square::from_coords(to.file(), from.rank())
}

/// The square the moving piece stands on after `m`: the king's for castling, where shakmaty's `to` is the rook's.
#[must_use]
#[inline]
pub fn destination(us: Color, m: Move) -> Square {
    match m {
        Move::Castle { king, rook } => CastlingSide::from_king_side(king < rook).king_to(us),
        _ => m.to(),
    }
}
