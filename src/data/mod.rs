//! Training data: positions of self-play games, each with its score, its game's result and the move played.
//!
//! ```text
//!  file    header, then blocks            magic `ZWDATA\r\n`, version u32
//!  block   head of 16 bytes, records      marker `ZWBK`, records u32, games u32, CRC-32 of all that follows the marker
//!  record  32 bytes                       see [`Record`]
//! ```
//!
//! All numbers are little-endian. A block holds whole games: it is written in one go when the game that fills it is
//! over, so a killed run loses one block at most. A file that ends within a block is *torn*; [`Writer::append`] cuts it
//! back to its last whole block and goes on from there. The count of games tells which game comes next; loose records
//! (shuffled ones, say) belong to no game and add nothing to it.
//!
//! The layout of a record is the field's usual one: occupancy and nibbles, as in the packed boards of the `marlinformat`
//! family, whose castling rights also live in the code of the rook.

mod census;
mod file;
mod filter;
mod record;
mod text;

pub use census::{Census, PLIES_PER_CLASS, Results, SCORE_CLASSES};
pub use file::{BLOCK_RECORDS, Block, Blocks, DataError, Reader, Tally, Writer};
pub use filter::Filter;
pub use record::{Record, RecordError};
pub use text::TextError;
