//! The terms of the classical evaluator, by name: each *term* is one weight or a row of weights.
//!
//! Each term is counted in one place, [`pawns`](super::pawns), [`pieces`](super::pieces) or
//! [`contact`](super::contact). The counting functions are generic over a [`Tally`], which receives the
//! counts. The evaluator's tally, [`Tapered`], sums the weights; that of the breakdown, [`FeatureCounts`],
//! stores the counts. Both therefore always agree on what a weight counts.
//!
//! The weights are in [`weights`].

use std::{
    mem::offset_of,
    ops::{Add, Sub},
};

use super::{Tapered, weights};

/// Receives the counts of one side, or of White less Black.
pub trait Tally: Default + Add<Output = Self> + Sub<Output = Self> {
    /// Adds `times` occurrences of `feature` (an index into all weights, see [`Term::at`]).
    fn count(&mut self, feature: usize, times: i32);
}

/// Sums the weights of the counted features.
impl Tally for Tapered {
    fn count(&mut self, feature: usize, times: i32) {
        *self += WEIGHTS[feature] * times;
    }
}

/// The number of occurrences of each feature.
#[derive(Clone, Debug)]
pub struct FeatureCounts(pub Box<[i16; FEATURES]>);

impl Default for FeatureCounts {
    fn default() -> Self {
        Self(Box::new([0; FEATURES]))
    }
}

impl Add for FeatureCounts {
    type Output = Self;

    fn add(mut self, other: Self) -> Self {
        for (count, other) in self.0.iter_mut().zip(other.0.iter()) {
            *count += other;
        }
        self
    }
}

impl Sub for FeatureCounts {
    type Output = Self;

    fn sub(mut self, other: Self) -> Self {
        for (count, other) in self.0.iter_mut().zip(other.0.iter()) {
            *count -= other;
        }
        self
    }
}

impl Tally for FeatureCounts {
    fn count(&mut self, feature: usize, times: i32) {
        self.0[feature] += times as i16;
    }
}

/// A weight or a row of weights.
#[derive(Clone, Copy, Debug)]
pub struct Term {
    /// Its name in `weights.rs`.
    pub name: &'static str,
    /// The index of its first weight in [`WEIGHTS`].
    pub first: usize,
    /// The number of its weights.
    pub len: usize,
}

impl Term {
    /// The feature index at `index` of this term's row.
    #[must_use]
    pub const fn at(&self, index: usize) -> usize {
        self.first + index
    }
}

/// The layout of the weights: the piece-square tables including material, then the terms declared below.
macro_rules! terms {
    ($($(#[doc = $about:literal])+ $name:ident: $len:literal;)+) => {
        /// Used only to compute offsets: one byte for each weight.
        #[allow(non_snake_case)]
        #[repr(C)]
        struct Places { tables: [u8; 6 * 64], $($name: [u8; $len],)+ }

        /// The number of weights, each with a middlegame and an endgame value.
        pub const FEATURES: usize = size_of::<Places>();

        $($(#[doc = $about])+ pub const $name: Term = Term {
            name: stringify!($name),
            first: offset_of!(Places, $name),
            len: $len,
        };)+

        /// All terms besides the tables, in order.
        pub const TERMS: &[Term] = &[$($name),+];

        const fn all_weights() -> [Tapered; FEATURES] {
            let mut all = [Tapered::new(0, 0); FEATURES];
            let mut place = 0;
            while place < 6 * 64 {
                let (role, square) = (place / 64, place % 64);
                // Grids begin at a8, squares at a1.
                let (mg, eg) = (weights::TABLES_MG[role][square ^ 56], weights::TABLES_EG[role][square ^ 56]);
                all[place] = Tapered::new(
                    weights::MATERIAL_MG[role] as i32 + mg as i32,
                    weights::MATERIAL_EG[role] as i32 + eg as i32,
                );
                place += 1;
            }
            $({
                let mut index = 0;
                while index < $len {
                    let (mg, eg) = weights::$name[index];
                    all[$name.at(index)] = Tapered::new(mg as i32, eg as i32);
                    index += 1;
                }
            })+
            all
        }
    };
}

/// All weights, by feature index.
pub static WEIGHTS: [Tapered; FEATURES] = all_weights();

terms! {
    /// The side to move.
    TEMPO: 1;
    /// Both bishops.
    BISHOP_PAIR: 1;

    /// A passed pawn, by rank.
    PASSED: 8;
    /// A passed pawn whose next square is occupied by the enemy, by rank.
    PASSED_BLOCKED: 8;
    /// A passed pawn whose next square the enemy does not attack, by rank.
    PASSED_SAFE: 8;
    /// A passed pawn whose next square we attack, by rank.
    PASSED_HELD: 8;
    /// A rook behind our passed pawn, with nothing between: our own; the enemy's.
    ROOK_BEHIND: 2;
    /// A passed pawn beyond the middle, by the distance of its own king to the square in front of it.
    PASSED_OWN_KING: 8;
    /// A passed pawn beyond the middle, by the distance of the enemy king to the square in front of it.
    PASSED_ENEMY_KING: 8;
    /// A pawn without own pawns on the adjacent files, by file from the edge.
    ISOLATED: 4;
    /// A pawn with an own pawn in front of it.
    DOUBLED: 1;
    /// A pawn that no own pawn can support, and whose next square an enemy pawn attacks.
    BACKWARD: 1;
    /// A pawn with an own pawn next to it, by rank.
    PHALANX: 8;
    /// A pawn supported by an own pawn, by rank.
    SUPPORTED: 8;

    /// The nearest own pawn in front of the king on its file and the adjacent files: by file from the edge
    /// (rows), and the rank of the pawn, 0 for none.
    SHELTER: 32;
    /// The nearest enemy pawn in front of the king on the same files, in the same order.
    STORM: 32;

    /// Squares a knight attacks that no own piece occupies and no enemy pawn attacks, by number.
    KNIGHT_MOBILITY: 9;
    /// The same for a bishop.
    BISHOP_MOBILITY: 14;
    /// The same for a rook.
    ROOK_MOBILITY: 15;
    /// The same for a queen.
    QUEEN_MOBILITY: 28;
    /// A rook on a file without own pawns; without any pawns.
    ROOK_FILE: 2;
    /// An attack on the enemy king without queen (first row) and with one, by units: see `pieces.rs` and
    /// `contact.rs`.
    KING_ATTACK: 52;
    /// A piece can give check from a square that no enemy piece attacks, by role.
    SAFE_CHECK: 6;
    /// The squares of and around the enemy king that we attack and only the king defends, by number.
    KING_HOLES: 10;
    /// The squares a queen in the enemy king's place would attack, by number.
    KING_LINES: 28;
    /// A pawn attacks a piece, by the piece's role.
    PAWN_THREAT: 6;
    /// A knight or bishop attacks a piece that no pawn defends, by role.
    MINOR_THREAT: 6;
    /// A rook attacks a piece that no pawn defends, by role.
    ROOK_THREAT: 6;
    /// An enemy piece or pawn that we attack and nothing defends, by role.
    HANGING: 6;
    /// An enemy piece or pawn that we attack twice and its side defends once and not by a pawn, by role.
    OUTNUMBERED: 6;
    /// A piece that a pawn would attack after an advance to a safe square, by role.
    PUSH_THREAT: 6;
    /// Squares that we attack and the enemy defends with one piece and no pawn.
    RESTRICTED: 1;
}
