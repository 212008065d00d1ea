//! Zugwerk: a UCI chess engine over [`shakmaty`] boards.

pub mod value;
