//! Chess itself: positions, values, moves as text, files of games and of positions.
//!
//! Every wing uses it, and it uses none. The rules of chess come from shakmaty; this wing adds what an engine
//! and its tools need.
//!
//! ```text
//!  value       the scale of values, mates included     position    boards with keys, generators, exchanges
//!  notation    moves and values as text                syzygy      endgame tables
//!  pgn, epd    files of games, records of positions    remarks     what a file of games says of its moves
//!  text        text files in three encodings           clock       durations and time controls as text
//!  perft       counts of positions
//! ```
//!
//! A file of games goes through [`text`] and [`pgn`] into positions; [`remarks`] reads values, times and
//! lines from its comments. Begin with [`position`], whose head explains how a board is kept and how its key
//! is made.

pub mod clock;
pub mod epd;
pub mod notation;
pub mod perft;
pub mod pgn;
pub mod position;
pub mod remarks;
pub mod syzygy;
pub mod text;
pub mod value;
