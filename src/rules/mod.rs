//! When a game is over, and how it is adjudicated: the one place that decides it, for matches, self-play, games against
//! people and analyses.
//!
//! ```text
//!  BoardEnd::of(position)                 mate, stalemate and the draws, which nobody need claim
//!  Rules { win, draw, longest, tables }   what a referee decrees before that
//!     by_scores   the scores of both sides agree, move after move (Scores keeps count)
//!     by_tables   endgame tables know the result
//!     by_length   the game has become too long
//! ```
//!
//! A search has rules of its own: it takes the first repetition for a draw, since whoever gains by it can repeat again
//! ([`Position::is_repetition`](crate::position::Position::is_repetition)).

mod adjudication;
mod ending;

pub use adjudication::{DrawRule, Rules, Scores, WinRule};
pub use ending::{Adjudication, BoardEnd};
