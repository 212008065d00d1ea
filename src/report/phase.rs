//! The phases of a game: opening, middlegame, endgame.

use shakmaty::{Bitboard, Color, Position as _};

use crate::chess::position::Position;

/// A phase of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Phase {
    /// Pieces are being developed.
    Opening,
    /// Between opening and endgame.
    Middlegame,
    /// Few pieces are left.
    Endgame,
}

/// The number of pieces besides kings and pawns, of both sides, at which the opening is over.
const MIDDLEGAME_PIECES: usize = 10;
/// The number of pieces besides kings and pawns, of both sides, at which the endgame begins.
const ENDGAME_PIECES: usize = 6;
/// The number of the eight knights and bishops that may still be on their back ranks when the opening is
/// over.
const UNDEVELOPED: usize = 3;

impl Phase {
    /// All phases, in order.
    pub const ALL: [Self; 3] = [Self::Opening, Self::Middlegame, Self::Endgame];

    /// Returns the phase of every position of a game. It never goes back.
    ///
    /// The criteria are our own: the opening ends when at most three of the eight knights and bishops are on
    /// their back ranks, or ten pieces besides kings and pawns are left; at six the endgame begins.
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
