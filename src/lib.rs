//! Zugwerk: a UCI chess engine over [`shakmaty`] boards.

pub mod tournament;
pub mod value;
