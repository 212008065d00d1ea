//! What results are worth: ratings with their errors, sequential tests, and tuning by matches. Numbers only; where the
//! games come from is no concern of these.
//!
//! * [`elo`]: counts of outcomes, and what they say about the difference of two players;
//! * [`ratings`]: joint ratings of more than two;
//! * [`sprt`]: is it clear yet whether one player is the stronger;
//! * [`spsa`]: many numbers tuned at once by the leads of matches.

pub mod elo;
pub mod ratings;
pub mod sprt;
pub mod spsa;
