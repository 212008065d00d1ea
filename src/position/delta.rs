//! What a move changes on the board, as pieces removed from and added to squares.
//!
//! This is the only code that knows which squares castling, en passant and promotion touch. The hash key and every
//! incremental evaluator are advanced from the same [`Delta`], so they cannot disagree about it.

use arrayvec::ArrayVec;
use shakmaty::{CastlingSide, Color, Move, Piece, Square};

/// A piece on a square.
pub type Placement = (Piece, Square);

/// The placements one move removes and adds: at most two of each.
///
/// All removals come before all additions: in Chess960 the king may land on the square its own rook has left.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Delta {
    /// Placements that are gone after the move: the moving piece, and what it captured or castled with.
    pub removed: ArrayVec<Placement, 2>,
    /// Placements that are new after the move: the piece moved or promoted to, and the rook of a castling.
    pub added: ArrayVec<Placement, 2>,
}

impl Delta {
    /// What `m` changes when `us` plays it. `m` must be legal (or at least pseudo-legal) for `us`.
    #[must_use]
    #[inline]
    pub fn of(us: Color, m: Move) -> Self {
        let mut delta = Delta::default();
        match m {
            Move::Normal { role, from, capture, to, promotion } => {
                delta.removed.push((role.of(us), from));
                if let Some(victim) = capture {
                    delta.removed.push((victim.of(!us), to));
                }
                delta.added.push((promotion.unwrap_or(role).of(us), to));
            }
            Move::EnPassant { from, to } => {
                delta.removed.push((us.pawn(), from));
                delta.removed.push(((!us).pawn(), en_passant_victim(from, to)));
                delta.added.push((us.pawn(), to));
            }
            Move::Castle { king, rook } => {
                let side = CastlingSide::from_king_side(king < rook);
                delta.removed.push((us.king(), king));
                delta.removed.push((us.rook(), rook));
                delta.added.push((us.king(), side.king_to(us)));
                delta.added.push((us.rook(), side.rook_to(us)));
            }
            Move::Put { .. } => unreachable!("no piece is dropped in standard chess"),
        }
        delta
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
