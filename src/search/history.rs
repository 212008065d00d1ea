//! What the search remembers about moves, whatever the position: which ones caused cut-offs before.
//!
//! All tables are made of the same [`Cell`]. They outlive a search, since the next move of the game meets much the
//! same positions, and are forgotten with a new game.
//!
//! Reference: J. Schaeffer, "The History Heuristic and Alpha-Beta Search Enhancements in Practice", 1989; the
//! saturating update is chessprogramming.org's "History Bonuses" (gravity).

use shakmaty::{Color, Move, Role};

use super::params::{HISTORY_BONUS, HISTORY_BONUS_LIMIT};

/// One number of experience, always within ±[`Cell::LIMIT`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cell(i16);

impl Cell {
    /// The most a cell can say for or against a move.
    pub(super) const LIMIT: i32 = 1 << 14;

    pub(super) fn get(self) -> i32 {
        i32::from(self.0)
    }

    /// Moves the cell towards ±LIMIT by `bonus`, the less the nearer it already is.
    pub(super) fn update(&mut self, bonus: i32) {
        let bonus = bonus.clamp(-Self::LIMIT, Self::LIMIT);
        let value = self.get();
        self.0 = (value + bonus - value * bonus.abs() / Self::LIMIT) as i16;
    }
}

/// The experience of one thread.
#[derive(Clone, Debug)]
pub(super) struct Histories {
    /// By side, from-square and to-square.
    quiet: Box<[[[Cell; 64]; 64]; 2]>,
    /// By side, moving role, to-square and captured role (0 when a promotion captures nothing).
    capture: Box<[[[[Cell; 7]; 64]; 6]; 2]>,
}

impl Default for Histories {
    fn default() -> Self {
        Self {
            quiet: Box::new([[[Cell::default(); 64]; 64]; 2]),
            capture: Box::new([[[[Cell::default(); 7]; 64]; 6]; 2]),
        }
    }
}

/// What a move gains (or, negated, loses) when a search of `depth` plies ends with it.
pub(super) fn bonus(depth: i32) -> i32 {
    (HISTORY_BONUS * depth).min(HISTORY_BONUS_LIMIT)
}

impl Histories {
    /// How a quiet move of `us` fared so far.
    #[inline]
    pub(super) fn quiet(&self, us: Color, m: Move) -> i32 {
        let (from, to) = squares(m);
        self.quiet[us as usize][from][to].get()
    }

    pub(super) fn update_quiet(&mut self, us: Color, m: Move, bonus: i32) {
        let (from, to) = squares(m);
        self.quiet[us as usize][from][to].update(bonus);
    }

    /// How a capture or promotion of `us` fared so far.
    #[inline]
    pub(super) fn capture(&self, us: Color, m: Move) -> i32 {
        let (role, to, victim) = exchange(m);
        self.capture[us as usize][role][to][victim].get()
    }

    pub(super) fn update_capture(&mut self, us: Color, m: Move, bonus: i32) {
        let (role, to, victim) = exchange(m);
        self.capture[us as usize][role][to][victim].update(bonus);
    }
}

/// The indices of a move in a table by from-square and to-square.
#[inline]
fn squares(m: Move) -> (usize, usize) {
    match m {
        Move::Normal { from, to, .. } | Move::EnPassant { from, to } => (from.into(), to.into()),
        Move::Castle { king, rook } => (king.into(), rook.into()),
        Move::Put { to, .. } => (to.into(), to.into()),
    }
}

/// The indices of a capture or promotion in a table by moving role, to-square and captured role.
#[inline]
fn exchange(m: Move) -> (usize, usize, usize) {
    match m {
        Move::Normal { role, capture, to, .. } => {
            (role as usize - 1, to.into(), capture.map_or(0, |victim| victim as usize))
        }
        _ => (Role::Pawn as usize - 1, m.to().into(), Role::Pawn as usize),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_saturates_and_recovers() {
        let mut cell = Cell::default();
        for _ in 0..1000 {
            cell.update(1800);
        }
        assert!(cell.get() > Cell::LIMIT * 9 / 10 && cell.get() <= Cell::LIMIT);
        let high = cell.get();
        cell.update(-1800);
        assert!(cell.get() < high - 1800, "bad news weighs more where the good news was exaggerated");
        cell.update(-i32::MAX);
        assert!(cell.get() >= -Cell::LIMIT);
    }
}
