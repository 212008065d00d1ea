//! Correction history: the average error of the static evaluation in similar positions.
//!
//! When the search of a node ends with a value other than its evaluation, the difference is recorded for the
//! pawn structure, for the pieces of either side, for the last two moves, and for the last move with the one
//! four plies ago. The evaluations of positions that share one of them are corrected by it.
//!
//! Reference: chessprogramming.org, "Static Evaluation Correction History".

use shakmaty::Color;

use super::{
    history_value::{HistoryValue, RecentMoves},
    params::{correction_moves, correction_pawns, correction_pieces, correction_ply_4},
};
use crate::{
    chess::{
        position::Position,
        value::{Value, ordinary},
    },
    engine::hints::prefetch,
};

const SIZE: usize = 1 << 14;

/// The product of a full value and a parameter of 100 (in 1/100). The sum is divided by a 64th of it, so that
/// such a value corrects the evaluation by 64 centipawns.
const SCALE: i32 = 100 * HistoryValue::LIMIT;

/// One table, by side to move and the low bits of a key.
type Table = [[HistoryValue; SIZE]; 2];

/// The recorded errors of one thread, in one allocation whose size the compiler knows.
#[derive(Clone, Debug)]
pub(super) struct CorrectionHistory(Box<[Table; 5]>);

impl Default for CorrectionHistory {
    fn default() -> Self {
        let tables = vec![[[HistoryValue::default(); SIZE]; 2]; 5].into_boxed_slice();
        Self(tables.try_into().expect("five tables"))
    }
}

/// The keys of `position`, reached by the moves `recent`, in the tables: the pieces of Black, those of White,
/// the pawns, the last two moves, and the last one with the one four plies ago.
#[inline(always)]
fn keys(position: &Position, recent: RecentMoves) -> [u64; 5] {
    let [black, white] = Color::ALL.map(|side| position.piece_key(side));
    [black, white, position.pawn_key(), recent.key(), recent.key_with_ply_4()]
}

fn index(key: u64) -> usize {
    key as usize % SIZE
}

impl CorrectionHistory {
    /// Prefetches the memory that [`of`](Self::of) reads.
    #[inline(always)]
    pub(super) fn prefetch(&self, position: &Position, recent: RecentMoves) {
        let us = position.turn();
        for (table, key) in self.0.iter().zip(keys(position, recent)) {
            prefetch(&raw const table[us as usize][index(key)]);
        }
    }

    /// The correction of the static evaluation of `position`, reached by the moves `recent`, in centipawns
    /// for the side to move.
    pub(super) fn of(&self, position: &Position, recent: RecentMoves) -> Value {
        let us = position.turn();
        let [black, white, pawns, moves, ply_4] = keys(position, recent);
        let [of_black, of_white, of_pawns, of_moves, of_ply_4] = &*self.0;
        let value = |table: &Table, key| table[us as usize][index(key)].get();
        let sum = value(of_pawns, pawns) * correction_pawns()
            + (value(of_black, black) + value(of_white, white)) * correction_pieces()
            + value(of_moves, moves) * correction_moves()
            + value(of_ply_4, ply_4) * correction_ply_4();
        sum / (SCALE / 64)
    }

    /// Records that `position`, reached by the moves `recent` and evaluated as `eval` (corrections included),
    /// had the value `value` in a search of `depth` plies.
    pub(super) fn learn(
        &mut self,
        position: &Position,
        recent: RecentMoves,
        eval: Value,
        value: Value,
        depth: i32,
    ) {
        const MOST: i32 = HistoryValue::LIMIT / 4;
        let us = position.turn();
        let lesson = ((value - eval) * depth * 16).clamp(-MOST, MOST);
        for (table, key) in self.0.iter_mut().zip(keys(position, recent)) {
            table[us as usize][index(key)].update(lesson);
        }
    }
}

/// Adds a correction to `eval`; the result is still an ordinary evaluation.
pub(super) fn corrected(eval: Value, correction: Value) -> Value {
    ordinary(eval + correction)
}

#[cfg(test)]
mod tests {
    use shakmaty::{Move, Role, Square};

    use super::{super::history_value::MoveRow, *};
    use crate::chess::value::KNOWN_WIN;

    const MET: &str = "4k3/pp6/8/8/8/8/PP4N1/4K3 w - - 0 1";

    /// Learns that [`MET`], reached by `moves`, is worse than its evaluation. Returns a function that gives
    /// the corrections of positions by what was learnt.
    fn lesson(moves: RecentMoves) -> impl Fn(&str, RecentMoves) -> Value {
        let mut corrections = CorrectionHistory::default();
        let met = Position::from_fen(MET).unwrap();
        assert_eq!(corrections.of(&met, moves), 0);
        for _ in 0..50 {
            corrections.learn(&met, moves, 300, 200, 8);
        }
        move |fen, recent| corrections.of(&Position::from_fen(fen).unwrap(), recent)
    }

    #[test]
    fn positions_learn_from_others_that_share_a_part_of_them() {
        let none = RecentMoves::default();
        let learnt = lesson(none);
        let all = learnt(MET, none);
        assert!((-256..-20).contains(&all), "{all}");
        let moves = learnt("4k1n1/1p6/p7/8/8/8/PP4B1/4K3 w - - 0 1", none);
        assert!(all < moves && moves < 0, "the last moves alone: {moves}");
        for (fen, shared) in [
            ("4k1n1/pp6/8/8/8/8/PP4B1/4K3 w - - 0 1", "the pawns"),
            ("3k4/1p6/8/8/8/8/P1P3N1/4K3 w - - 0 1", "White's pieces"),
            ("4k3/1p6/p7/8/8/8/P1P3B1/4K3 w - - 0 1", "Black's pieces"),
        ] {
            let part = learnt(fen, none);
            assert!(all < part && part < moves, "{shared}: {part}");
        }
        assert_eq!(learnt("4k3/pp6/8/8/8/8/PP4N1/4K3 b - - 0 1", none), 0, "the other side to move");
    }

    #[test]
    fn positions_learn_from_the_moves_that_led_to_them() {
        let knight_to = |to| {
            let m = Move::Normal { role: Role::Knight, from: Square::C3, capture: None, to, promotion: None };
            MoveRow::new(Color::White, m)
        };
        let [first, second, far] = [Square::D5, Square::B5, Square::E4].map(knight_to);
        let none = MoveRow::default();
        let learnt = lesson(RecentMoves([first, second, far]));
        let known = |moves| learnt("3kn3/1p6/p7/8/8/8/P1P3B1/4K3 w - - 0 1", RecentMoves(moves));
        let all = known([first, second, far]);
        for (moves, shared) in
            [([first, second, none], "the last two"), ([first, none, far], "the last and the far one")]
        {
            assert!(all < known(moves) && known(moves) < 0, "{shared}");
        }
        assert_eq!(known([second, first, far]), 0, "in another order");
        assert_eq!(known([first, none, none]), 0, "one of them");
    }

    #[test]
    fn a_corrected_evaluation_is_never_a_mate() {
        assert_eq!(corrected(KNOWN_WIN - 3, 60), KNOWN_WIN - 1);
        assert_eq!(corrected(1 - KNOWN_WIN, -60), 1 - KNOWN_WIN);
    }
}
