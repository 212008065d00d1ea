//! The record of a match: games, standings and settings.

pub mod from_games;
pub mod manifest;
pub mod pgn;
pub mod report;
pub mod resume;
pub mod standings;
