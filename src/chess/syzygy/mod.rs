//! Syzygy endgame tables: results of positions with few pieces, and what they imply for each move.
//!
//! ```text
//!  Tables      the files in some folders: opened leniently, probed through shakmaty-syzygy
//!  Probe       the probing interface that the search uses, so that tests can replace the tables
//!  Prospect    the result of a move by the tables, and Rank, its comparison with other moves
//! ```
//!
//! The tables contain two numbers for a position. *WDL* is its result with the fifty-move counter at zero. It
//! is a win, or a *cursed* win that the rule prevents; a loss, or a *blessed* loss that the rule prevents; or
//! a draw. *DTZ* is the distance in plies to the next capture, pawn move or mate with best play, which is
//! what the rule counts. The tables do not support castling, but they support en passant.
//!
//! Reference: R. de Man's tables, chessprogramming.org, "Syzygy Bases"; G. Huntington, "Endgame Tablebases
//! and DTZ50''".

mod prospect;
mod tables;

use std::fmt::Debug;

use shakmaty::Chess;
pub use shakmaty_syzygy::{AmbiguousWdl, Dtz, MaybeRounded, Wdl};

pub use prospect::{Circumstances, Prospect, Rank, result_under};
pub use tables::{Tables, TablesError};

/// The probing interface of endgame tables. The answer is `None` if the result is unknown: a table is missing
/// or damaged, castling is possible, or there are too many pieces.
pub trait Probe: Debug + Send + Sync {
    /// The number of pieces of the largest table, kings included.
    fn pieces(&self) -> usize;

    /// The result for the side to move, as if the last move had been a capture or a pawn move.
    fn wdl(&self, position: &Chess) -> Option<Wdl>;

    /// The distance to the next capture, pawn move or mate: positive for a win of the side to move, beyond
    /// 100 if the fifty-move rule makes it a draw. It may be one ply too small ([`MaybeRounded`]).
    fn dtz(&self, position: &Chess) -> Option<MaybeRounded<Dtz>>;

    /// The damaged files found since the last call, one line each; every file is reported once.
    fn problems(&self) -> Vec<String> {
        Vec::new()
    }
}
