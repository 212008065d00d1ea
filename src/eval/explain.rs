//! Evaluations taken apart, for people.

use shakmaty::{Board, Piece, Position as _, Role, Square};

use super::{
    Classical, Material, Standard,
    classical::FULL_PHASE,
    endgame::{FULL_CHANCES, Scaling},
    network::{Neural, bucket},
};
use crate::{position::Position, value::Value};

/// An evaluator that can say why.
pub trait Explain {
    /// Takes the evaluation of `position` apart.
    fn explain(&self, position: &Position) -> Explanation;
}

/// An evaluation and what it is made of, in centipawns for White.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Explanation {
    /// What each piece on the board adds, a1 first.
    pub pieces: Vec<Contribution>,
    /// What the value is made of, in order. Rounded one by one, parts may differ from the total by some centipawns.
    pub parts: Vec<Part>,
    /// The value of the position.
    pub total: Value,
}

/// One piece's share of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contribution {
    /// The piece.
    pub piece: Piece,
    /// Where it stands.
    pub square: Square,
    /// What it adds; `None` if that cannot be told.
    pub value: Option<Value>,
}

/// A part of an evaluation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Part {
    /// Its name.
    pub name: String,
    /// How much it is.
    pub amount: Amount,
}

/// How much a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Amount {
    /// Centipawns for White.
    Value(Value),
    /// So many of so many.
    Of(i32, i32),
}

impl Part {
    fn new(name: &str, amount: Amount) -> Self {
        Self { name: name.to_owned(), amount }
    }
}

impl Scaling {
    fn parts(self) -> [Part; 2] {
        [
            Part::new("Winning chance", Amount::Of(self.chances, FULL_CHANCES)),
            Part::new("Mop-up", Amount::Value(self.mop_up)),
        ]
    }
}

/// What each piece on `board` adds, by `value`.
fn contributions(board: &Board, value: impl Fn(Piece, Square) -> Option<Value>) -> Vec<Contribution> {
    let each = board.clone().into_iter();
    each.map(|(square, piece)| Contribution { piece, square, value: value(piece, square) }).collect()
}

impl Explain for Material {
    fn explain(&self, position: &Position) -> Explanation {
        let worth = |piece: Piece| piece.color.fold_wb(1, -1) * Self::worth(piece.role);
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
    /// What a piece adds is the value of the network less what it would be without that piece. There is no board without
    /// a king.
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
        let scaling = Scaling::beside_network(board, value > 0);
        let buckets = self.network().architecture().buckets;
        let bucket = bucket(board.occupied().count(), buckets);
        let mut parts = vec![
            Part::new("Network", Amount::Value(value)),
            Part::new("Bucket", Amount::Of(bucket as i32 + 1, buckets as i32)),
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

/// The name of a term as people write it: `BISHOP_PAIR` is "Bishop pair".
fn words(name: &str) -> String {
    let mut words = name.replace('_', " ").to_lowercase();
    words[..1].make_ascii_uppercase();
    words
}
