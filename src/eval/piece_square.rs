//! The main evaluator: tapered piece-square sums, kept move by move.
//!
//! Each piece on its square has a midgame and an endgame value; the sums of both are kept incrementally from the
//! [`Delta`] of each move. The result is the mixture of the two by the *phase*, which falls from 24 (all pieces) to 0
//! (kings and pawns). What sums cannot express is added at the end: the bishop pair, the tempo, and what the
//! [`endgame`](super::endgame) module knows.
//!
//! Reference: chessprogramming.org, "Tapered Eval" and "Incremental Updates".

use std::ops::{Add, AddAssign, Mul, Sub, SubAssign};

use shakmaty::{Board, Color, Piece, Position as _, Square};

use super::{
    Evaluator,
    endgame::{FULL_CHANCES, mop_up, winning_chances},
    weights::{BISHOP_PAIR, Grid, MATERIAL_EG, MATERIAL_MG, PHASE, TABLES_EG, TABLES_MG, TEMPO},
};
use crate::{
    position::{Delta, Placement, Position},
    value::{EVAL_LIMIT, Value},
};

/// The phase of the starting position; more pieces (after promotions) count no further.
pub const FULL_PHASE: i32 = 24;

/// A midgame and an endgame value, in centipawns for White.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tapered {
    /// The value with all pieces on the board.
    pub mg: i32,
    /// The value with only kings and pawns left.
    pub eg: i32,
}

impl Tapered {
    const fn pair((mg, eg): (i32, i32)) -> Self {
        Self { mg, eg }
    }

    /// The mixture of both values at `phase` (0 to [`FULL_PHASE`]).
    #[must_use]
    #[inline]
    pub fn at(self, phase: i32) -> Value {
        (self.mg * phase + self.eg * (FULL_PHASE - phase)) / FULL_PHASE
    }
}

impl Add for Tapered {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        Self { mg: self.mg + other.mg, eg: self.eg + other.eg }
    }
}

impl Sub for Tapered {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self { mg: self.mg - other.mg, eg: self.eg - other.eg }
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;
    #[inline]
    fn mul(self, factor: i32) -> Self {
        Self { mg: self.mg * factor, eg: self.eg * factor }
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

/// The sums of a position, or the share of one piece in them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(align(16))]
struct Sums {
    value: Tapered,
    phase: i32,
}

/// The share of every piece on every square, from the grids of [`weights`](super::weights): black pieces are mirrored
/// and negative. Indexed by colour (white first), role and square (a1 first).
static SHARES: [[[Sums; 64]; 6]; 2] = [shares(false), shares(true)];

const fn shares(black: bool) -> [[Sums; 64]; 6] {
    let mut shares = [[Sums { value: Tapered { mg: 0, eg: 0 }, phase: 0 }; 64]; 6];
    let mut role = 0;
    while role < 6 {
        let (mg, eg): (&Grid, &Grid) = (&TABLES_MG[role], &TABLES_EG[role]);
        let mut square = 0;
        while square < 64 {
            // Grids begin at a8, squares at a1: White looks a grid up upside down, Black as it is.
            let cell = if black { square } else { square ^ 56 };
            let sign = if black { -1 } else { 1 };
            let value = Tapered {
                mg: sign * (MATERIAL_MG[role] as i32 + mg[cell] as i32),
                eg: sign * (MATERIAL_EG[role] as i32 + eg[cell] as i32),
            };
            shares[role][square] = Sums { value, phase: PHASE[role] };
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

/// What a piece on its square adds to the sums, for White.
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
}

/// The piece-square evaluator; its module says what it counts.
#[derive(Clone, Debug, Default)]
pub struct PieceSquare {
    /// The sums of the current position.
    current: Sums,
    /// The sums of the positions before it.
    stack: Vec<Sums>,
}

impl Evaluator for PieceSquare {
    fn reset(&mut self, root: &Position) {
        self.current = Sums::of(root.chess().board());
        self.stack.clear();
    }

    #[inline]
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

    #[inline]
    fn evaluate(&mut self, position: &Position) -> Value {
        let white = Breakdown::of(position, self.current).total;
        position.turn().fold_wb(white, -white)
    }
}

/// One piece's share of the evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// The piece.
    pub piece: Piece,
    /// Where it stands.
    pub square: Square,
    /// What it adds at the position's phase, in centipawns for White.
    pub value: Value,
}

/// The parts an evaluation is made of, for White. The tapered ones count as much as [`Tapered::at`] the phase says;
/// they are added before that, so the total may differ from the sum of the rounded parts by a centipawn or two.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Breakdown {
    /// How much of the midgame is left, 0 to [`FULL_PHASE`].
    pub phase: i32,
    /// The pieces on their squares.
    pub pieces: Tapered,
    /// The bishop pairs.
    pub bishop_pair: Tapered,
    /// Having the move.
    pub tempo: Tapered,
    /// How much of the advantage counts, in 1/64, as the material that is left can win.
    pub chances: Value,
    /// Driving a bare king to its mate, in centipawns.
    pub mop_up: Value,
    /// The value of the position for White, in centipawns.
    pub total: Value,
}

impl Breakdown {
    #[inline]
    fn of(position: &Position, sums: Sums) -> Self {
        let board = position.chess().board();
        let phase = sums.phase.min(FULL_PHASE);
        let pieces = sums.value;
        let pairs = i32::from(has_pair(board, Color::White)) - i32::from(has_pair(board, Color::Black));
        let bishop_pair = Tapered::pair(BISHOP_PAIR) * pairs;
        let tempo = Tapered::pair(TEMPO) * position.turn().fold_wb(1, -1);
        let sum = (pieces + bishop_pair + tempo).at(phase);
        let strong = Color::from_white(sum > 0);
        let chances = winning_chances(board, strong);
        let mop_up = if chances == FULL_CHANCES { strong.fold_wb(1, -1) * mop_up(board, strong) } else { 0 };
        let total = (sum * chances / FULL_CHANCES + mop_up).clamp(-EVAL_LIMIT, EVAL_LIMIT);
        Self { phase, pieces, bishop_pair, tempo, chances, mop_up, total }
    }
}

fn has_pair(board: &Board, color: Color) -> bool {
    (board.bishops() & board.by_color(color)).more_than_one()
}

impl PieceSquare {
    /// Takes the evaluation of `position` apart.
    #[must_use]
    pub fn breakdown(position: &Position) -> Breakdown {
        Breakdown::of(position, Sums::of(position.chess().board()))
    }

    /// What each piece on the board adds, a1 first.
    #[must_use]
    pub fn contributions(position: &Position) -> Vec<Contribution> {
        let board = position.chess().board();
        let phase = Sums::of(board).phase.min(FULL_PHASE);
        board
            .iter()
            .map(|(square, piece)| Contribution {
                piece,
                square,
                value: piece_value((piece, square)).at(phase),
            })
            .collect()
    }
}
