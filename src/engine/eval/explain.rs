//! Evaluations broken down for display.

use shakmaty::{Board, Piece, Position as _, Role, Square};

use super::{
    Classical, Material, Standard,
    classical::FULL_PHASE,
    endgame::{FULL_CHANCES, Scaling},
    network::{Neural, bucket},
};
use crate::chess::{
    position::Position,
    value::{Value, material_value},
};

/// An evaluator that can explain its values.
pub trait Explain {
    /// Breaks the evaluation of `position` down.
    fn explain(&self, position: &Position) -> Explanation;
}

/// An evaluation and its parts, in centipawns for White.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// The contribution of each piece on the board, a1 first.
    pub pieces: Vec<Contribution>,
    /// The parts of the value, in order, without those that change nothing here. They are rounded separately,
    /// so their sum may differ from the total by some centipawns.
    pub parts: Vec<Part>,
    /// The value of the position.
    pub total: Value,
}

/// The contribution of one piece to an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// The piece.
    pub piece: Piece,
    /// Its square.
    pub square: Square,
    /// Its contribution; `None` if it cannot be computed.
    pub value: Option<Value>,
}

/// A part of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// Its amount.
    pub amount: Amount,
}

/// The amount of a part.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Centipawns for White.
    Value(Value),
    /// What the sum of the parts before is multiplied by: numerator and denominator.
    Factor(i32, i32),
    /// A number, and the largest that it can be.
    Of(i32, i32),
}

impl Part {
    fn new(name: &str, amount: Amount) -> Self {
        Self { name: name.to_owned(), amount }
    }
}

impl Scaling {
    /// The corrections that change something.
    fn parts(self) -> impl Iterator<Item = Part> {
        let factor = Amount::Factor(self.chances, FULL_CHANCES);
        let chances = (self.chances != FULL_CHANCES).then(|| Part::new("Hardly winnable material", factor));
        let named = |name, value| (value != 0).then(|| Part::new(name, Amount::Value(value)));
        let mop_up = named("Driving a bare king", self.mop_up);
        chances.into_iter().chain(mop_up).chain(named("Known win, instead of the sum", self.known_win))
    }
}

/// Returns the contribution of each piece on `board`, computed by `value`.
fn contributions(board: &Board, value: impl Fn(Piece, Square) -> Option<Value>) -> Vec<Contribution> {
    let each = board.clone().into_iter();
    each.map(|(square, piece)| Contribution { piece, square, value: value(piece, square) }).collect()
}

impl Explain for Material {
    fn explain(&self, position: &Position) -> Explanation {
        let worth = |piece: Piece| piece.color.fold_wb(1, -1) * material_value(piece.role);
        Explanation {
            pieces: contributions(position.chess().board(), |piece, _| Some(worth(piece))),
            parts: vec![],
            total: Self::balance(position),
        }
    }
}

impl Explain for Classical {
    fn explain(&self, position: &Position) -> Explanation {
        let parts = Self::breakdown(position);
        let mut named = vec![Part::new("Pieces", Amount::Value(parts.pieces.at(parts.phase)))];
        let terms = parts.terms.iter();
        named
            .extend(terms.map(|(name, share)| Part::new(&words(name), Amount::Value(share.at(parts.phase)))));
        named.extend(parts.scaling.parts());
        named.push(Part::new("Phase", Amount::Of(parts.phase, FULL_PHASE)));
        let value = |piece, square| Some(super::classical::piece_value((piece, square)).at(parts.phase));
        Explanation {
            pieces: contributions(position.chess().board(), value),
            parts: named,
            total: parts.total,
        }
    }
}

impl Explain for Neural {
    /// The contribution of a piece is the value of the network less its value without that piece. A king has
    /// none, because it cannot be removed.
    fn explain(&self, position: &Position) -> Explanation {
        let (board, turn) = (position.chess().board(), position.turn());
        let white = |board: &Board| {
            let value = self.network().evaluate(board, turn);
            turn.fold_wb(value, -value)
        };
        let value = white(board);
        let without = |square| {
            let mut board = board.clone();
            board.discard_piece_at(square);
            white(&board)
        };
        let scaling = Scaling::beside_network(position, value > 0);
        let buckets = self.network().architecture().buckets;
        let bucket = bucket(board.occupied().count(), buckets);
        let mut parts = vec![
            Part::new("Network", Amount::Value(value)),
            Part::new("Output bucket, by piece count", Amount::Of(bucket as i32 + 1, buckets as i32)),
        ];
        parts.extend(scaling.parts());
        Explanation {
            pieces: contributions(board, |piece, square| {
                (piece.role != Role::King).then(|| value - without(square))
            }),
            parts,
            total: scaling.apply(value),
        }
    }
}

impl Explain for Standard {
    fn explain(&self, position: &Position) -> Explanation {
        match self {
            Self::Network(network) => network.explain(position),
            Self::Classical(classical) => classical.explain(position),
            Self::Material(material) => material.explain(position),
        }
    }
}

impl Standard {
    /// Breaks the evaluation of `position` down, and beside a network that of the classical evaluator too,
    /// for comparison. Each has the name of its evaluator; this one comes first.
    #[must_use]
    pub fn opinions(&self, position: &Position) -> Vec<(&'static str, Explanation)> {
        let own = |name| (name, self.explain(position));
        match self {
            Self::Network(_) => {
                vec![own("Network"), ("Classical", Classical::default().explain(position))]
            }
            Self::Classical(_) => vec![own("Classical")],
            Self::Material(_) => vec![own("Material")],
        }
    }
}

/// Converts the name of a term to words: `BISHOP_PAIR` becomes "Bishop pair".
fn words(name: &str) -> String {
    let mut words = name.replace('_', " ").to_lowercase();
    words[..1].make_ascii_uppercase();
    words
}
