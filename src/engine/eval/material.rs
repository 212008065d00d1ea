//! The simplest evaluator: the usual piece values and nothing else.

use shakmaty::{Color, Position as _, Role};

use super::Evaluator;
use crate::chess::{
    position::Position,
    value::{EVAL_LIMIT, Value, material_value},
};

/// Pawn 1, knight 3, bishop 3, rook 5, queen 9, in pawns of 100 centipawns.
///
/// It has no state: it counts the board at each call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Material;

impl Material {
    /// White's material less Black's, in centipawns.
    #[must_use]
    pub fn balance(position: &Position) -> Value {
        let board = position.chess().board();
        let side = |color: Color| -> Value {
            Role::ALL
                .into_iter()
                .map(|role| {
                    material_value(role) * (board.by_color(color) & board.by_role(role)).count() as Value
                })
                .sum()
        };
        side(Color::White) - side(Color::Black)
    }
}

impl Evaluator for Material {
    fn evaluate(&mut self, position: &Position) -> Value {
        let balance = Self::balance(position).clamp(-EVAL_LIMIT, EVAL_LIMIT);
        position.turn().fold_wb(balance, -balance)
    }
}
