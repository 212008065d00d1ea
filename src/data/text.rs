//! Records as lines of text, for people and other programs.
//!
//! ```text
//! r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3 | 31 | 1.0 | f1b5
//! └ FEN with six fields ────────────────────────────────────────────┘  score  result  move in UCI notation
//! ```
//!
//! Score and result are for White, as is common in text files for trainers; mates keep their encoding.

use shakmaty::{Color, KnownOutcome};

use super::{Record, RecordError};
use crate::{
    position::{FenError, MoveError, PackedMove, Position},
    value::{INFINITE, Value},
};

/// The reason why a line is not a record, or a record cannot be written as a line.
#[derive(Debug, thiserror::Error)]
pub enum TextError {
    /// The line does not have four fields.
    #[error("expected `FEN | score | result | move`")]
    Fields,
    /// The position is invalid.
    #[error(transparent)]
    Position(#[from] FenError),
    /// The score is not a number of centipawns.
    #[error("expected a score in centipawns, got {0}")]
    Score(String),
    /// The result is not 0.0, 0.5 or 1.0.
    #[error("expected the result 0.0, 0.5 or 1.0, got {0}")]
    Result(String),
    /// The move is illegal.
    #[error(transparent)]
    Move(#[from] MoveError),
    /// The move of a record is illegal in its position.
    #[error("the move is not legal")]
    IllegalMove,
    /// There are too many pieces.
    #[error(transparent)]
    Record(#[from] RecordError),
}

impl Record {
    /// Returns the record as a line.
    ///
    /// # Errors
    ///
    /// [`TextError`] if the position is invalid, or the move is illegal.
    pub fn to_text(&self) -> Result<String, TextError> {
        let position = self.position().map_err(FenError::Position)?;
        let m = self.legal_move(&position).ok_or(TextError::IllegalMove)?;
        let score = self.turn().fold_wb(self.score(), -self.score());
        Ok(format!(
            "{} | {score} | {:.1} | {}",
            position.fen(),
            self.white_points(),
            m.to_uci(position.castling_mode())
        ))
    }

    /// Parses a line.
    ///
    /// # Errors
    ///
    /// [`TextError`] if the line is invalid.
    pub fn from_text(line: &str) -> Result<Self, TextError> {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [fen, score, result, m] = fields[..] else { return Err(TextError::Fields) };
        let position = Position::from_fen(fen)?;
        let white: Value = score.parse().map_err(|_| TextError::Score(score.to_owned()))?;
        if !(-INFINITE + 1..INFINITE).contains(&white) {
            return Err(TextError::Score(score.to_owned()));
        }
        let result = KnownOutcome::from_winner(match result {
            "1.0" | "1" => Some(Color::White),
            "0.5" => None,
            "0.0" | "0" => Some(Color::Black),
            other => return Err(TextError::Result(other.to_owned())),
        });
        let best = PackedMove::new(position.find_move(m)?).ok_or(TextError::IllegalMove)?;
        Ok(Record::new(&position, position.turn().fold_wb(white, -white), best, result)?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_survive() {
        for line in [
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3 | 31 | 1.0 | f1b5",
            "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 17 40 | -12 | 0.5 | e8c8",
            "1r2kr2/8/8/8/8/8/8/RR2K3 w B - 0 1 | -500 | 0.0 | e1b1",
            "4k3/P7/8/8/8/8/8/4K3 w - - 99 300 | 31989 | 1.0 | a7a8n",
        ] {
            assert_eq!(Record::from_text(line).unwrap().to_text().unwrap(), line);
        }
    }

    #[test]
    fn scores_are_for_white_in_text_and_for_the_side_to_move_in_records() {
        let black = "4k3/8/8/8/8/8/3r4/7K b - - 0 1 | -700 | 0.0 | d2d7";
        let record = Record::from_text(black).unwrap();
        assert_eq!((record.score(), record.white_points()), (700, 0.0));
    }

    #[test]
    fn nonsense_is_refused() {
        let fen = "4k3/8/8/8/8/8/3r4/7K b - - 0 1";
        for (line, complaint) in [
            (format!("{fen} | 0 | 0.5"), "expected `FEN | score | result | move`"),
            ("8/8/8/8/8/8/8/8 w - - 0 1 | 0 | 0.5 | d2d7".to_owned(), "king"),
            (format!("{fen} | 1.5 | 0.5 | d2d7"), "expected a score"),
            (format!("{fen} | 33000 | 0.5 | d2d7"), "expected a score"),
            (format!("{fen} | -2147483648 | 0.5 | d2d7"), "expected a score"),
            (format!("{fen} | {INFINITE} | 0.5 | d2d7"), "expected a score"),
            (format!("{fen} | -{INFINITE} | 0.5 | d2d7"), "expected a score"),
            (format!("{fen} | 0 | 0.7 | d2d7"), "expected the result"),
            (format!("{fen} | 0 | 0.5 | d2e7"), "illegal"),
        ] {
            let error = Record::from_text(&line).unwrap_err().to_string();
            assert!(error.to_lowercase().contains(complaint) || error.contains(complaint), "{line}: {error}");
        }
    }
}
