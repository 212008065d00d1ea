//! What is kept of a match: games, standings, and what it was set up as.

pub mod manifest;
pub mod pgn;
pub mod report;
pub mod resume;
pub mod standings;
pub mod tally;
