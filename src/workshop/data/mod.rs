//! Training data: games with a score for every move, and positions taken from them.
//!
//! ```text
//!  file      header, then blocks     `ZWDATA\r\n`, version u32 (2), and a JSON text that describes the data
//!  block     head, body              with a CRC-32 of all that follows it
//!  games     in sequence             see [`TrainingGame`]: about 3½ bytes a position
//! ```
//!
//! [`GameWriter`] writes games. [`Blocks`] replays them and returns their positions, each as a [`Record`].
//!
//! All numbers are little-endian. A block contains whole games. It is written at once at the end of the game
//! that fills it, so a killed run loses at most one block. A file that ends within a block is *partial*;
//! [`GameWriter::append`] truncates it to its last whole block and continues there. Nothing behind a damaged
//! block is read.
//!
//! Files contain every searched position. The reader selects what to learn from ([`Filter`]).
//!
//! The layout of a record is the field's usual one: occupancy and nibbles, as in the packed boards of the
//! `marlinformat` family, in which the code of a rook also encodes its castling right.

mod blocks;
mod board_record;
mod census;
mod error;
mod file;
mod filter;
mod game;
mod header;
mod sink;
mod writer;

pub use blocks::{Block, Blocks};
pub use board_record::{Record, RecordError};
pub use census::{Census, PLIES_PER_CLASS, Results, SCORE_CLASSES};
pub use error::DataError;
pub use file::{Totals, checksum, tally};
pub use filter::{Filter, Refusal};
pub use game::{GameError, Ply, Termination, TrainingGame, UnfitGame};
pub use header::{EvaluatorId, Header, Signature, Variant};
pub use sink::Cut;
pub use writer::GameWriter;

#[cfg(test)]
pub(crate) mod tests;
