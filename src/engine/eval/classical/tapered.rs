//! A middlegame and an endgame value in one number.

use std::{
    fmt,
    ops::{Add, AddAssign, Mul, Sub, SubAssign},
};

use crate::chess::value::Value;

/// The phase of the starting position; more pieces (after promotions) do not increase it.
pub const FULL_PHASE: i32 = 24;

/// A middlegame and an endgame value, in centipawns for White (or for the side that a function evaluates).
///
/// Both are stored in one word, the middlegame value in the upper half, so one addition adds both. A negative
/// endgame value borrows one from the upper half; [`mg`](Self::mg) compensates for it.
///
/// Reference: chessprogramming.org, "Tapered Eval" and "Score", "Two in One".
#[derive(Clone, Copy, Default, PartialEq, Eq)]
pub struct Tapered(i64);

impl Tapered {
    /// Combines the value with all pieces on the board and the value with only kings and pawns.
    #[must_use]
    pub const fn new(mg: i32, eg: i32) -> Self {
        Self(((mg as i64) << 32) + eg as i64)
    }

    /// The value with all pieces on the board.
    #[must_use]
    #[inline]
    pub const fn mg(self) -> i32 {
        ((self.0 + (1 << 31)) >> 32) as i32
    }

    /// The value with only kings and pawns.
    #[must_use]
    #[inline]
    pub const fn eg(self) -> i32 {
        self.0 as i32
    }

    /// The interpolation of both values at `phase` (0 to [`FULL_PHASE`]).
    #[must_use]
    #[inline]
    pub const fn at(self, phase: i32) -> Value {
        (self.mg() * phase + self.eg() * (FULL_PHASE - phase)) / FULL_PHASE
    }
}

impl fmt::Debug for Tapered {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "({}, {})", self.mg(), self.eg())
    }
}

impl Add for Tapered {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self(self.0 + other.0)
    }
}

impl Sub for Tapered {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0 - other.0)
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;
    #[inline]
    fn mul(self, factor: i32) -> Self {
        Self(self.0 * i64::from(factor))
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_survive_arithmetic() {
        let values = [0, 1, -1, 24, -317, 60_000, -60_000];
        for (mg, eg) in values.into_iter().flat_map(|mg| values.map(|eg| (mg, eg))) {
            let value = Tapered::new(mg, eg);
            assert_eq!((value.mg(), value.eg()), (mg, eg));
            assert_eq!(value + Tapered::new(-5, 7), Tapered::new(mg - 5, eg + 7));
            assert_eq!(value - Tapered::new(-5, 7), Tapered::new(mg + 5, eg - 7));
            assert_eq!(value * -3, Tapered::new(mg * -3, eg * -3));
            assert_eq!((value.at(FULL_PHASE), value.at(0)), (mg, eg));
        }
    }
}
