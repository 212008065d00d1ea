//! The subcommands, one file or folder each, and UCI. None imports another: what two of them need stands in
//! [`shared`](super::shared), or in the library.
//!
//! Each reads from top to bottom: its flags; the plan made of them, with everything that may be refused; the
//! work; what is printed, and the exit code.

pub(super) mod analyse;
pub(super) mod bench;
pub(super) mod board;
pub(super) mod data;
pub(super) mod datagen;
pub(super) mod elo;
pub(super) mod epd;
pub(super) mod eval;
pub(super) mod r#match;
pub(super) mod net;
pub(super) mod play;
pub(super) mod spsa;
pub(super) mod study;
pub(super) mod train;
pub(super) mod tree;
pub(super) mod uci;
