//! Correction history: by how much the static evaluation has been wrong in positions like this one.
//!
//! When the search of a node ends with a value other than its evaluation, the difference is remembered for the pawn
//! structure and for the material on the board; positions that share them have their evaluation moved by what was learnt.
//!
//! Reference: chessprogramming.org, "Static Evaluation Correction History".

use super::{
    history::Cell,
    params::{correction_material, correction_pawns},
};
use crate::{
    position::Position,
    value::{EVAL_LIMIT, Value},
};

const SIZE: usize = 1 << 14;

/// What a full cell is worth, in centipawns, times 100 (the parameters are in 1/100).
const SCALE: i32 = 100 * Cell::LIMIT;

/// One table, by side to move and the low bits of a key.
type Table = Vec<[Cell; SIZE]>;

/// The evaluation errors that one thread has met.
#[derive(Clone, Debug)]
pub(super) struct Corrections {
    pawns: Table,
    material: Table,
}

impl Default for Corrections {
    fn default() -> Self {
        let table = vec![[Cell::default(); SIZE]; 2];
        Self { pawns: table.clone(), material: table }
    }
}

fn index(key: u64) -> usize {
    key as usize % SIZE
}

impl Corrections {
    /// What to add to the static evaluation of `position`, in centipawns for the side to move.
    pub(super) fn of(&self, position: &Position) -> Value {
        let us = position.turn() as usize;
        let pawns = self.pawns[us][index(position.pawn_key())].get();
        let material = self.material[us][index(position.material_key())].get();
        (pawns * correction_pawns() + material * correction_material()) / (SCALE / 64)
    }

    /// Learns that `position`, evaluated as `eval` (corrections included), has turned out to be worth `value` in a search of
    /// `depth` plies.
    pub(super) fn learn(&mut self, position: &Position, eval: Value, value: Value, depth: i32) {
        const MOST: i32 = Cell::LIMIT / 4;
        let us = position.turn() as usize;
        let lesson = ((value - eval) * depth * 16).clamp(-MOST, MOST);
        self.pawns[us][index(position.pawn_key())].update(lesson);
        self.material[us][index(position.material_key())].update(lesson);
    }
}

/// `eval` with a correction, still an evaluation and not a mate.
pub(super) fn corrected(eval: Value, correction: Value) -> Value {
    (eval + correction).clamp(-EVAL_LIMIT, EVAL_LIMIT)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_learn_from_others_with_the_same_pawns_or_material() {
        let position = |fen| Position::from_fen(fen).unwrap();
        let met = position("4k3/pp6/8/8/8/8/PP4N1/4K3 w - - 0 1");
        let mut corrections = Corrections::default();
        assert_eq!(corrections.of(&met), 0);
        for _ in 0..50 {
            corrections.learn(&met, 300, 200, 8);
        }
        let learnt = corrections.of(&met);
        assert!((-128..-20).contains(&learnt), "{learnt}");
        let moved = corrections.of(&position("4k3/1p6/p7/8/8/8/PP4N1/4K3 w - - 0 1"));
        let pawns_alone = corrections.of(&position("4k3/pp6/8/8/8/8/PP4B1/4K3 w - - 0 1"));
        assert!(learnt < moved && moved < 0, "the same material, other pawns: {moved}");
        assert!(learnt < pawns_alone && pawns_alone < 0, "the same pawns, other material: {pawns_alone}");
        assert_eq!(corrections.of(&position("4k3/1p6/p7/8/8/8/PP4B1/4K3 w - - 0 1")), 0);
        assert_eq!(
            corrections.of(&position("4k3/pp6/8/8/8/8/PP4N1/4K3 b - - 0 1")),
            0,
            "the other side to move"
        );
    }

    #[test]
    fn a_corrected_evaluation_is_never_a_mate() {
        assert_eq!(corrected(EVAL_LIMIT - 3, 60), EVAL_LIMIT);
        assert_eq!(corrected(-EVAL_LIMIT, -60), -EVAL_LIMIT);
    }
}
