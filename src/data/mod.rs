//! Training data: games with a score for every move, and positions taken from them.
//!
//! ```text
//!  file      header, then blocks     `ZWDATA\r\n`, version u32; from version 2 on a JSON text that says how it was made
//!  block     head, body              with a CRC-32 of all that follows it
//!  games     one after the other     see [`TrainingGame`]: some 3½ bytes a position; what `datagen` writes and people keep
//!  records   32 bytes each           see [`Record`]: quick to read; what a shuffle writes and a trainer reads
//! ```
//!
//! A file holds [games](GameWriter) or [positions](Writer), and [`Blocks`] and [`Reader`] make positions of both. Version 1
//! knew positions only, and had no text.
//!
//! All numbers are little-endian. A block holds whole games: it is written in one go when the game that fills it is
//! over, so a killed run loses one block at most. A file that ends within a block is *torn*; [`GameWriter::append`] cuts it
//! back to its last whole block and goes on from there.
//!
//! Everything searched is in the files of games. What to learn from is for the reader to choose ([`Filter`]), and so are
//! duplicates ([`Shuffle::unique`]).
//!
//! The layout of a record is the field's usual one: occupancy and nibbles, as in the packed boards of the `marlinformat`
//! family, whose castling rights also live in the code of the rook.

mod census;
mod convert;
mod export;
mod file;
mod filter;
mod game;
mod games;
mod header;
mod output;
mod positions;
mod record;
mod shuffle;
mod sink;
mod text;

pub use census::{Census, PLIES_PER_CLASS, Results, SCORE_CLASSES};
pub use convert::{ConvertError, Converted, convert};
pub use export::{ExportError, Format, bulletformat, export, viriformat};
pub use file::{BLOCK_RECORDS, DataError, Totals, tally};
pub use filter::{Filter, Refusal};
pub use game::{Ending, GameError, Ply, TrainingGame};
pub use games::{GameBlock, GameWriter, Games};
pub use header::{Evaluator, Header, Kind, Signature, Source, Variant};
pub use positions::{Block, Blocks, Reader, Writer};
pub use record::{Record, RecordError};
pub use shuffle::{Progress, Shuffle, ShuffleError, Shuffled};
pub use text::TextError;
