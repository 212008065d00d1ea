//! Zugwerk: a UCI chess engine over [`shakmaty`] boards.

pub mod eval;
pub mod position;
pub mod search;
pub mod study;
pub mod tt;
pub mod value;
