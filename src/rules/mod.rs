//! Decides when a game is over and how it is adjudicated, for matches, self-play, games against people and
//! analyses.
//!
//! ```text
//!  BoardEnd::of(position)               mate, stalemate and draws; none needs a claim
//!  Penalty::of(position, side)          a loss on time, or by a fault; a draw if the opponent cannot mate
//!  Rules { win, draw, longest, tables } adjudication before that
//!     by_scores   the scores of both players agree for several moves (Scores keeps the state)
//!     by_tables   the endgame tables know the result
//!     by_length   the game has reached the maximum length
//! ```
//!
//! The search has a rule of its own: it treats the first repetition as a draw, because the side that profits
//! can repeat again ([`Position::is_repetition`](crate::chess::position::Position::is_repetition)).

mod adjudication;
mod ending;

pub use adjudication::{DrawRule, Rules, Scores, WinRule};
pub use ending::{Adjudication, BoardEnd, Penalty};
