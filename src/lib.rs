//! Zugwerk: a UCI chess engine over [`shakmaty`] boards.

pub mod analysis;
pub mod bench;
pub mod diagram;
pub mod drawing;
pub mod engine;
pub mod epd;
pub mod eval;
pub mod game;
pub mod notation;
pub mod options;
pub mod perft;
pub mod position;
pub mod search;
pub mod study;
pub mod tournament;
pub mod tt;
pub mod uci;
pub mod value;
pub mod wdl;
