//! Opening, middlegame, endgame: where a game stands.

use shakmaty::{Bitboard, Color, Position as _};

use crate::position::Position;

/// A part of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Pieces are being brought out.
    Opening,
    /// In between.
    Middlegame,
    /// Few pieces are left.
    Endgame,
}

/// Pieces besides kings and pawns, of both sides, with which the opening is over.
const MIDDLEGAME_PIECES: usize = 10;
/// Pieces besides kings and pawns, of both sides, with which the endgame begins.
const ENDGAME_PIECES: usize = 6;
/// Of the eight knights and bishops, so many may still stand on their back ranks when the opening is over.
const UNDEVELOPED: usize = 3;

impl Phase {
    /// All of them, in their order.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middlegame, Self::Endgame];

    /// The phase of every position of a game. It never goes back.
    ///
    /// The bounds are our own: the opening ends when of the eight knights and bishops no more than three stand on their back
    /// ranks, or ten pieces besides kings and pawns are left; with six the endgame begins.
    #[must_use]
    pub fn of_game(positions: &[Position]) -> Vec<Self> {
        let phases = positions.iter().scan(Self::Opening, |latest, position| {
            *latest = (*latest).max(Self::of(position));
            Some(*latest)
        });
        phases.collect()
    }

    fn of(position: &Position) -> Self {
        let board = position.chess().board();
        let minors = board.knights() | board.bishops();
        let pieces = (minors | board.rooks_and_queens()).count();
        let undeveloped: usize = Color::ALL
            .into_iter()
            .map(|side| (board.by_color(side) & minors & Bitboard::from(side.backrank())).count())
            .sum();
        if pieces <= ENDGAME_PIECES {
            Self::Endgame
        } else if pieces <= MIDDLEGAME_PIECES || undeveloped <= UNDEVELOPED {
            Self::Middlegame
        } else {
            Self::Opening
        }
    }

    /// Its name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Opening => "opening",
            Self::Middlegame => "middlegame",
            Self::Endgame => "endgame",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phases_follow_each_other() {
        let fens = [
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
            "r2q1rk1/ppp2ppp/2npbn2/2b1p3/2B1P3/2NPBN2/PPP2PPP/R2Q1RK1 w - - 0 8",
            "4k3/8/8/8/8/8/8/Q3K3 b - - 0 1",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        ];
        let positions = fens.map(|fen| Position::from_fen(fen).unwrap());
        let [opening, middlegame, endgame] = Phase::ALL;
        assert_eq!(Phase::of_game(&positions), [opening, middlegame, endgame, endgame]);
    }
}
