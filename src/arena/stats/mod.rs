//! Statistics of results: ratings with their errors, and sequential tests. Pure numbers, independent of the
//! origin of the games.
//!
//! * [`elo`]: counts of outcomes, and the estimated difference of two players;
//! * [`ratings`]: joint ratings of more than two players;
//! * [`sprt`]: the sequential test for the stronger player.

pub mod elo;
pub mod ratings;
pub mod sprt;
