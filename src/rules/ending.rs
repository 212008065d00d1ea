//! The ends of games, and their names.

use std::fmt;

use shakmaty::{Color, KnownOutcome, Position as _};

use crate::chess::{
    notation::side,
    position::{Legality, Position},
};

/// An end of the game by the rules of chess.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BoardEnd {
    /// The side to move is mated.
    Checkmate {
        /// The side that gave mate.
        winner: Color,
    },
    /// The side to move has no move and is not in check.
    Stalemate,
    /// The position occurs for the third time.
    Threefold,
    /// Fifty moves of each side without a capture or pawn move.
    FiftyMoves,
    /// Neither side can ever give mate.
    InsufficientMaterial,
}

impl BoardEnd {
    /// The end of the game in `position`, if it has ended. Mate takes precedence over every draw. Draws that
    /// a player would have to claim need no claim.
    ///
    /// ```
    /// use zugwerk::{chess::position::Position, rules::BoardEnd};
    /// let position = Position::from_fen("7k/8/6K1/8/8/8/8/8 w - - 0 1")?;
    /// assert_eq!(BoardEnd::of(&position), Some(BoardEnd::InsufficientMaterial));
    /// assert_eq!(BoardEnd::of(&Position::default()), None);
    /// # Ok::<(), zugwerk::chess::position::FenError>(())
    /// ```
    #[must_use]
    pub fn of(position: &Position) -> Option<Self> {
        if !Legality::of(position).any_move() {
            let mate = BoardEnd::Checkmate { winner: !position.turn() };
            return Some(if position.is_check() { mate } else { BoardEnd::Stalemate });
        }
        if position.chess().is_insufficient_material() {
            Some(BoardEnd::InsufficientMaterial)
        } else if position.is_repetition(0) {
            Some(BoardEnd::Threefold)
        } else {
            (position.halfmoves() >= 100).then_some(BoardEnd::FiftyMoves)
        }
    }

    /// The winner, if there is one.
    #[must_use]
    pub fn outcome(self) -> KnownOutcome {
        match self {
            BoardEnd::Checkmate { winner } => KnownOutcome::Decisive { winner },
            _ => KnownOutcome::Draw,
        }
    }

    /// The name: `checkmate`, `threefold repetition`.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            BoardEnd::Checkmate { .. } => "checkmate",
            BoardEnd::Stalemate => "stalemate",
            BoardEnd::Threefold => "threefold repetition",
            BoardEnd::FiftyMoves => "the fifty-move rule",
            BoardEnd::InsufficientMaterial => "insufficient material",
        }
    }
}

impl fmt::Display for BoardEnd {
    /// A phrase for a comment: `White mates`, `Draw by stalemate`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BoardEnd::Checkmate { winner } => write!(f, "{} mates", side(*winner)),
            draw => write!(f, "Draw by {}", draw.name()),
        }
    }
}

/// An end of the game by adjudication.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Adjudication {
    /// The scores of both players agreed on a win.
    Won {
        /// The winner.
        winner: Color,
    },
    /// The scores of both players were even for long enough.
    Drawn,
    /// The result by the endgame tables.
    Tables(KnownOutcome),
    /// The game reached the maximum length: a draw.
    TooLong,
}

impl Adjudication {
    /// The winner, if there is one.
    #[must_use]
    pub fn outcome(self) -> KnownOutcome {
        match self {
            Adjudication::Won { winner } => KnownOutcome::Decisive { winner },
            Adjudication::Tables(outcome) => outcome,
            Adjudication::Drawn | Adjudication::TooLong => KnownOutcome::Draw,
        }
    }
}

impl fmt::Display for Adjudication {
    /// A phrase for a comment: `White wins: both scores agree`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Adjudication::Won { winner } => write!(f, "{} wins: both scores agree", side(*winner)),
            Adjudication::Drawn => f.write_str("Draw: both scores agree"),
            Adjudication::Tables(outcome) => match outcome.winner() {
                Some(winner) => write!(f, "{} wins by endgame tables", side(winner)),
                None => f.write_str("Draw by endgame tables"),
            },
            Adjudication::TooLong => f.write_str("Draw by length of the game"),
        }
    }
}

/// What it costs a side to run out of time, to make an illegal move, or to resign.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Penalty {
    /// The game.
    Lost,
    /// Half a point, because the opponent cannot mate by any series of moves (FIDE Laws of Chess, articles
    /// 5.1.2, 6.9 and 7.5.5). Only the material counts: a blocked position in which nobody can mate is lost.
    Drawn,
}

impl Penalty {
    /// The PGN tag `Termination` of a game in which a side ran out of time, also if it is drawn.
    pub const TIME_FORFEIT: &str = "time forfeit";

    /// The penalty of `side` in `position`.
    ///
    /// ```
    /// use shakmaty::Color;
    /// use zugwerk::{chess::position::Position, rules::Penalty};
    /// let position = Position::from_fen("6k1/8/8/8/8/8/8/Q5K1 w - - 0 1")?;
    /// assert_eq!(Penalty::of(&position, Color::White), Penalty::Drawn);
    /// assert_eq!(Penalty::of(&position, Color::Black), Penalty::Lost);
    /// # Ok::<(), zugwerk::chess::position::FenError>(())
    /// ```
    #[must_use]
    pub fn of(position: &Position, side: Color) -> Self {
        match position.chess().has_insufficient_material(!side) {
            true => Penalty::Drawn,
            false => Penalty::Lost,
        }
    }

    /// The winner, if there is one, when this is the penalty of `side`.
    #[must_use]
    pub fn outcome(self, side: Color) -> KnownOutcome {
        match self {
            Penalty::Lost => KnownOutcome::Decisive { winner: !side },
            Penalty::Drawn => KnownOutcome::Draw,
        }
    }

    /// A phrase for a comment, to follow the name of a side that has run out of time: `loses on time`.
    #[must_use]
    pub fn on_time(self) -> &'static str {
        match self {
            Penalty::Lost => "loses on time",
            Penalty::Drawn => "runs out of time, but the opponent cannot mate",
        }
    }
}

impl fmt::Display for Penalty {
    /// What a comment adds to the fault: nothing, or `, but the opponent cannot mate`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Penalty::Lost => "",
            Penalty::Drawn => ", but the opponent cannot mate",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(fen: &str, moves: &str) -> Option<BoardEnd> {
        let mut position = Position::from_fen(fen).unwrap();
        for text in moves.split_whitespace() {
            assert_eq!(BoardEnd::of(&position), None, "before {text}");
            position.play(position.find_move(text).unwrap());
        }
        BoardEnd::of(&position)
    }

    #[test]
    fn the_rules_end_games() {
        const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        let cases = [
            (START, "f2f3 e7e5 g2g4 d8h4", BoardEnd::Checkmate { winner: Color::Black }),
            ("7k/5K2/8/8/8/8/6Q1/8 w - - 0 1", "g2g6", BoardEnd::Stalemate),
            (START, "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8", BoardEnd::Threefold),
            ("7k/8/8/8/8/8/R7/K7 w - - 99 80", "a2b2", BoardEnd::FiftyMoves),
            ("7k/8/8/8/8/8/r7/K7 w - - 0 1", "a1a2", BoardEnd::InsufficientMaterial),
            ("7k/8/8/8/8/8/8/KB6 w - - 0 1", "", BoardEnd::InsufficientMaterial),
            ("7k/8/6K1/8/8/8/R7/8 w - - 99 80", "a2a8", BoardEnd::Checkmate { winner: Color::White }),
        ];
        for (start, moves, expected) in cases {
            assert_eq!(end(start, moves), Some(expected), "{start} {moves}");
        }
        assert_eq!(end("7k/8/8/8/8/8/R7/K7 w - - 99 90", ""), None);
    }

    #[test]
    fn running_out_of_time_loses_only_against_a_side_that_could_mate() {
        for (black, penalty) in [
            ("3qk3", Penalty::Lost),
            ("3pk3", Penalty::Lost),
            ("3nk3", Penalty::Lost), // with the help of White's rook
            ("3bk3", Penalty::Drawn),
            ("4k3", Penalty::Drawn),
        ] {
            let position = Position::from_fen(&format!("8/{black}/8/8/8/8/8/R3K3 w - - 0 1")).unwrap();
            assert_eq!(Penalty::of(&position, Color::White), penalty, "{black}");
            assert_eq!(Penalty::of(&position, Color::Black), Penalty::Lost, "{black}");
        }
        assert_eq!(Penalty::Lost.outcome(Color::White).winner(), Some(Color::Black));
        assert_eq!(Penalty::Drawn.outcome(Color::White), KnownOutcome::Draw);
    }

    #[test]
    fn every_end_has_its_words_and_its_winner() {
        let mate = BoardEnd::Checkmate { winner: Color::White };
        assert_eq!(mate.name(), "checkmate");
        assert_eq!((mate.to_string(), mate.outcome().winner()), ("White mates".into(), Some(Color::White)));
        let won = Adjudication::Won { winner: Color::Black };
        assert_eq!(won.to_string(), "Black wins: both scores agree");
        for (draw, words) in [
            (BoardEnd::Stalemate, "Draw by stalemate"),
            (BoardEnd::Threefold, "Draw by threefold repetition"),
            (BoardEnd::FiftyMoves, "Draw by the fifty-move rule"),
            (BoardEnd::InsufficientMaterial, "Draw by insufficient material"),
        ] {
            assert_eq!((draw.outcome(), draw.to_string().as_str()), (KnownOutcome::Draw, words));
        }
        let draws = [Adjudication::Drawn, Adjudication::TooLong, Adjudication::Tables(KnownOutcome::Draw)];
        for draw in draws {
            assert_eq!(draw.outcome(), KnownOutcome::Draw);
            assert!(draw.to_string().starts_with("Draw"), "{draw}");
        }
    }
}
