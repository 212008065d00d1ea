//! What a file of games says of its moves, in comments, signs and variations.
//!
//! * [`engine_notes`]: values, depths and times that engines wrote; [`clocks`]: the time of each move;
//! * [`computer`]: the analysis of another program, as Lichess writes it;
//! * [`earlier`]: what an earlier analysis of ours has written, so that it can be taken back; [`Judgement`]:
//!   its marks.

pub mod clocks;
pub mod computer;
pub mod earlier;
pub mod engine_notes;
mod judgement;

pub use judgement::Judgement;
