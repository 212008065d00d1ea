//! A move in sixteen bits, for storage in tables.

use std::num::NonZeroU16;

use shakmaty::{Move, Role, Square};

/// A move packed into sixteen bits, for tables that store moves across positions.
///
/// ```text
///   bits 0..6  from      bits 6..12  to (castling: the rook's square)      bits 12..15  promotion role, or 0
/// ```
///
/// A stored move may be illegal in the position that looks it up. Only
/// [`Legality::unpack`](super::Legality::unpack) converts it back to a move, and it returns legal moves only.
/// `Option<PackedMove>` takes two bytes as well, because no move goes from a square to itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PackedMove(NonZeroU16);

impl PackedMove {
    /// Packs `m`; `None` for a piece drop, which standard chess does not have.
    #[must_use]
    #[inline]
    pub fn new(m: Move) -> Option<Self> {
        NonZeroU16::new(bits_of(m)).map(Self)
    }

    /// Converts the result of [`bits`](Self::bits) back; `None` for zero and for bits that no move has.
    #[must_use]
    #[inline]
    pub fn from_bits(bits: u16) -> Option<Self> {
        matches!(bits >> 12, 0 | 2..=5).then(|| NonZeroU16::new(bits).map(Self))?
    }

    /// The sixteen bits; never zero.
    #[must_use]
    #[inline]
    pub fn bits(self) -> u16 {
        self.0.get()
    }

    pub(crate) fn from(self) -> Square {
        Square::new(u32::from(self.bits() & 63))
    }

    pub(crate) fn to(self) -> Square {
        Square::new(u32::from(self.bits() >> 6 & 63))
    }

    pub(crate) fn promotion(self) -> Option<Role> {
        match self.bits() >> 12 {
            2 => Some(Role::Knight),
            3 => Some(Role::Bishop),
            4 => Some(Role::Rook),
            5 => Some(Role::Queen),
            _ => None,
        }
    }

    /// Whether `m` is the packed move.
    #[must_use]
    #[inline]
    pub fn is(self, m: Move) -> bool {
        bits_of(m) == self.bits()
    }
}

/// The bits of `m`; zero for a piece drop.
#[inline(always)]
fn bits_of(m: Move) -> u16 {
    let Move::Normal { from, to, promotion, .. } = m else { return rare_bits_of(m) };
    bits(from, to) | promotion.map_or(0, |role| role as u16) << 12
}

/// [`bits_of`] castling and en passant. Few positions have these moves, so they are kept apart by one
/// comparison.
#[cold]
fn rare_bits_of(m: Move) -> u16 {
    m.from().map_or(0, |from| bits(from, m.to()))
}

#[inline(always)]
fn bits(from: Square, to: Square) -> u16 {
    from as u16 | (to as u16) << 6
}
