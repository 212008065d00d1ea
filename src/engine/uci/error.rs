//! Why a line, or a part of it, was refused: what was expected, and what came.

use crate::{
    chess::position::{FenError, MoveError},
    words::{quoted, quoted_or_nothing},
};

/// The reason why a line, or a part of it, was refused.
#[derive(Debug, thiserror::Error)]
pub enum CommandError {
    /// No word of the line is a command.
    #[error("expected a command (`help` lists them), got {}", quoted(line))]
    Unknown {
        /// The line.
        line: String,
    },
    /// Something else was expected.
    #[error("expected {expected}, got {}", quoted_or_nothing(got.trim_end()))]
    Expected {
        /// What was expected.
        expected: &'static str,
        /// What was found.
        got: String,
    },
    /// The FEN does not describe a valid position.
    #[error("position refused: expected a FEN to play from, got {} ({error})", quoted(text))]
    Fen {
        /// The FEN.
        text: String,
        /// The reason.
        error: FenError,
    },
    /// A move of the game is not a move, or is illegal.
    #[error(
        "expected a legal move as number {number} of the game, got {} ({error}); those before it are played",
        quoted(text)
    )]
    Move {
        /// Its number, from 1.
        number: usize,
        /// The move.
        text: String,
        /// The reason.
        error: MoveError,
    },
}
