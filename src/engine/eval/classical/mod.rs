//! The classical evaluator: tapered sums of weights, updated incrementally where possible.
//!
//! Each piece on its square has a middlegame and an endgame value. The sums of both are updated by the
//! [`Delta`] of each move. The pawn structure ([`pawns`]) is cached by its key. The activity of the pieces
//! ([`pieces`]) is counted at each evaluation. The result is interpolated between middlegame and endgame by
//! the *phase*, which falls from 24 (all pieces) to 0 (kings and pawns), and then corrected by
//! [`endgame`](super::endgame).
//!
//! [`terms`] declares what has a weight, [`weights`] holds the numbers, and [`pawns`], [`pieces`] and
//! [`contact`] count.
//!
//! Reference: chessprogramming.org, "Tapered Eval" and "Incremental Updates".

pub mod contact;
pub mod pawns;
pub mod pieces;
mod tapered;
pub mod terms;
pub mod weights;

use shakmaty::{Board, Position as _};

use self::{
    pawns::PawnCache,
    terms::{FeatureCounts, TEMPO, TERMS, Tally, WEIGHTS},
};
use super::{Evaluator, endgame::Scaling};
pub use tapered::{FULL_PHASE, Tapered};

use crate::chess::{
    position::{Delta, Placement, Position},
    value::Value,
};

/// The contribution of a piece of each role to the phase; all pieces of the starting position sum to
/// [`FULL_PHASE`]. These are the field's usual numbers, not fitted.
const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];

/// The sums of a position, or the contribution of one piece to them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(16))]
struct Sums {
    value: Tapered,
    phase: i64,
}

/// The contribution of every piece on every square; black pieces are mirrored and negative. Indexed by colour
/// (white first), role and square (a1 first).
static SHARES: [[[Sums; 64]; 6]; 2] = [shares(false), shares(true)];

const fn shares(black: bool) -> [[Sums; 64]; 6] {
    let mut shares = [[Sums { value: Tapered::new(0, 0), phase: 0 }; 64]; 6];
    let mut role = 0;
    while role < 6 {
        let mut square = 0;
        while square < 64 {
            let weight = WEIGHTS[64 * role + if black { square ^ 56 } else { square }];
            let sign = if black { -1 } else { 1 };
            let value = Tapered::new(sign * weight.mg(), sign * weight.eg());
            shares[role][square] = Sums { value, phase: PHASE[role] as i64 };
            square += 1;
        }
        role += 1;
    }
    shares
}

#[inline]
fn share((piece, square): Placement) -> &'static Sums {
    &SHARES[usize::from(piece.color.is_black())][piece.role as usize - 1][usize::from(square)]
}

/// The contribution of a piece on its square to the sums, for White.
#[must_use]
pub fn piece_value(placement: Placement) -> Tapered {
    share(placement).value
}

impl Sums {
    fn of(board: &Board) -> Self {
        let mut sums = Self::default();
        for (square, piece) in board {
            sums.add(share((piece, square)));
        }
        sums
    }

    #[inline]
    fn add(&mut self, share: &Self) {
        self.value += share.value;
        self.phase += share.phase;
    }

    #[inline]
    fn remove(&mut self, share: &Self) {
        self.value -= share.value;
        self.phase -= share.phase;
    }

    #[inline]
    fn phase(self) -> i32 {
        (self.phase as i32).min(FULL_PHASE)
    }
}

/// The phase of `board`: how much of the middlegame is left, 0 to [`FULL_PHASE`].
#[must_use]
pub fn phase(board: &Board) -> i32 {
    Sums::of(board).phase()
}

/// Counts every feature of `position` that has a weight, from scratch, White's count less Black's.
#[must_use]
pub fn count(position: &Position) -> FeatureCounts {
    let board = position.chess().board();
    let structure = pawns::structure::<FeatureCounts>(board);
    let activity = pieces::activity::<FeatureCounts>(board, structure.passed);
    let mut counts = activity + structure.value;
    for (square, piece) in board {
        let square = piece.color.fold_wb(square, square.flip_vertical());
        counts.count(64 * (piece.role as usize - 1) + usize::from(square), piece.color.fold_wb(1, -1));
    }
    counts.count(TEMPO.at(0), position.turn().fold_wb(1, -1));
    counts
}

/// The classical evaluator; see the module documentation for what it counts.
#[derive(Clone, Debug, Default)]
pub struct Classical {
    /// The sums of the current position.
    current: Sums,
    /// The sums of the positions before it.
    stack: Vec<Sums>,
    pawns: PawnCache,
}

impl Evaluator for Classical {
    fn reset(&mut self, root: &Position) {
        self.current = Sums::of(root.chess().board());
        self.stack.clear();
    }

    fn push(&mut self, _: &Position, delta: &Delta) {
        self.stack.push(self.current);
        self.current.remove(share(delta.from));
        self.current.add(share(delta.to));
        if let Some(placement) = delta.also_removed {
            self.current.remove(share(placement));
        }
        if let Some(placement) = delta.also_added {
            self.current.add(share(placement));
        }
    }

    fn push_null(&mut self, _: &Position) {
        self.stack.push(self.current);
    }

    #[inline]
    fn pop(&mut self) {
        if let Some(earlier) = self.stack.pop() {
            self.current = earlier;
        }
    }

    fn evaluate(&mut self, position: &Position) -> Value {
        let board = position.chess().board();
        let structure = self.pawns.structure(position);
        let tempo = WEIGHTS[TEMPO.at(0)] * position.turn().fold_wb(1, -1);
        let sum = self.current.value
            + structure.value
            + pieces::activity::<Tapered>(board, structure.passed)
            + tempo;
        let sum = sum.at(self.current.phase());
        let white = Scaling::of(position, sum > 0).apply(sum);
        position.turn().fold_wb(white, -white)
    }
}

/// The parts of an evaluation, for White. Tapered parts count as [`Tapered::at`] the phase. They are added
/// before rounding, so the total may differ from the sum of the rounded parts by some centipawns.
#[derive(Clone, Debug)]
pub struct Breakdown {
    /// The phase: how much of the middlegame is left, 0 to [`FULL_PHASE`].
    pub phase: i32,
    /// The pieces on their squares.
    pub pieces: Tapered,
    /// The other terms that are present: name and contribution.
    pub terms: Vec<(&'static str, Tapered)>,
    /// The corrections to the sum of these.
    pub scaling: Scaling,
    /// The value of the position for White, in centipawns.
    pub total: Value,
}

impl Classical {
    /// Breaks the evaluation of `position` down.
    #[must_use]
    pub fn breakdown(position: &Position) -> Breakdown {
        let board = position.chess().board();
        let counts = count(position);
        let share = |first: usize, len: usize| {
            let weighed = (first..first + len).map(|feature| WEIGHTS[feature] * i32::from(counts.0[feature]));
            weighed.fold(Tapered::default(), |sum, weight| sum + weight)
        };
        let is_there =
            |first: usize, len: usize| counts.0[first..first + len].iter().any(|&count| count != 0);
        let pieces = Sums::of(board).value;
        let terms: Vec<_> = TERMS
            .iter()
            .filter(|term| is_there(term.first, term.len))
            .map(|term| (term.name, share(term.first, term.len)))
            .collect();
        let phase = phase(board);
        let sum = terms.iter().fold(pieces, |sum, &(_, share)| sum + share).at(phase);
        let scaling = Scaling::of(position, sum > 0);
        Breakdown { phase, pieces, terms, scaling, total: scaling.apply(sum) }
    }
}
