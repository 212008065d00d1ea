//! What the tables of history and of corrections have in common: their values, and the moves by which they
//! are looked up.

use shakmaty::{Color, Move, Square};

use crate::chess::position::key::mix_bits;

/// One value of a table, within ±[`HistoryValue::LIMIT`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct HistoryValue(i16);

impl HistoryValue {
    /// The largest absolute value.
    pub(super) const LIMIT: i32 = 1 << 14;

    pub(super) fn get(self) -> i32 {
        i32::from(self.0)
    }

    /// Moves it towards ±LIMIT by `bonus`, less the nearer it already is.
    pub(super) fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-Self::LIMIT, Self::LIMIT);
        let value = self.get();
        self.0 = (value + bonus - value * bonus.abs() / Self::LIMIT) as i16;
    }
}

/// A move as piece and target square: the row that later moves use in continuation history. The default is no
/// move: a null move, or a ply before the root.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct MoveRow(u16);

impl MoveRow {
    pub(super) const ROWS: usize = 1 + 12 * 64;

    /// Returns the row of `m`, played by `us`.
    #[inline]
    pub(super) fn new(us: Color, m: Move) -> Self {
        let (role, to) = arrival(m);
        Self((1 + (us as usize * 6 + role) * 64 + to) as u16)
    }

    /// The number of its row, below [`ROWS`](Self::ROWS).
    #[inline]
    pub(super) fn row(self) -> usize {
        self.0.into()
    }

    /// The square it went to; castling goes to the square of the rook.
    #[inline]
    pub(super) fn to(self) -> Option<Square> {
        let row = self.row().checked_sub(1)?;
        Some(Square::new(row as u32 % 64))
    }

    /// Whether it is no move.
    pub(super) fn is_none(self) -> bool {
        self.0 == 0
    }
}

/// The moves played one, two and four plies ago.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RecentMoves(pub(super) [MoveRow; 3]);

impl RecentMoves {
    /// A key for the last two moves.
    #[inline]
    pub(super) fn key(self) -> u64 {
        let Self([ply_1, ply_2, _]) = self;
        Self::key_of(ply_1, ply_2)
    }

    /// A key for the last move and the one four plies ago.
    #[inline]
    pub(super) fn key_with_ply_4(self) -> u64 {
        let Self([ply_1, _, ply_4]) = self;
        Self::key_of(ply_1, ply_4)
    }

    #[inline]
    fn key_of(last: MoveRow, earlier: MoveRow) -> u64 {
        let pair = last.row() * MoveRow::ROWS + earlier.row();
        // The low bits must differ, although few of the possible pairs occur.
        mix_bits(pair as u64) >> 32
    }
}

/// The squares of a move in the tables; castling goes to the square of the rook.
#[inline(always)]
pub(super) fn squares(m: Move) -> (Square, Square) {
    if let Move::Normal { from, to, .. } = m { (from, to) } else { rare_squares(m) }
}

/// [`squares`] of castling and en passant. Few positions have these moves, so they are kept apart by one
/// comparison.
#[cold]
fn rare_squares(m: Move) -> (Square, Square) {
    (m.from().unwrap_or(m.to()), m.to())
}

/// The indices of a move in a table by moving role and to-square.
#[inline(always)]
pub(super) fn arrival(m: Move) -> (usize, usize) {
    (m.role() as usize - 1, usize::from(squares(m).1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_saturates_and_recovers() {
        let mut value = HistoryValue::default();
        for _ in 0..1000 {
            value.update(1800);
        }
        assert!(value.get() > HistoryValue::LIMIT * 9 / 10 && value.get() <= HistoryValue::LIMIT);
        let high = value.get();
        value.update(-1800);
        assert!(value.get() < high - 1800, "bad news weighs more where the good news was exaggerated");
        value.update(-i32::MAX);
        assert!(value.get() >= -HistoryValue::LIMIT);
    }
}
