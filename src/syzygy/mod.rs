//! Syzygy endgame tables: what is known of positions with few pieces, and what that says of each move.
//!
//! ```text
//!  Tables      the files in some folders: opened leniently, and asked through shakmaty-syzygy
//!  Probe       what can be asked of tables; the search knows no more, so that tests can answer in their place
//!  Prospect    what the tables say of a move, and Rank, how it compares with other moves
//! ```
//!
//! The tables hold two numbers for a position. *WDL* is its result as if the counter of the fifty-move rule stood at zero:
//! a win, or a *cursed* one that the rule spoils; a loss, or a *blessed* one that the rule saves. *DTZ* is the distance in
//! plies to the next capture, pawn move or mate with best play, which is what the rule counts. Castling is unknown to them;
//! en passant is not.
//!
//! Reference: R. de Man's tables, chessprogramming.org, "Syzygy Bases"; G. Huntington, "Endgame Tablebases and DTZ50''".

mod prospect;
mod tables;

use std::fmt::Debug;

use shakmaty::Chess;
pub use shakmaty_syzygy::{AmbiguousWdl, Dtz, MaybeRounded, Wdl};

pub use prospect::{Circumstances, Prospect, Rank, result_under};
pub use tables::{Tables, TablesError};

/// What can be asked of endgame tables. `None` is the answer where they know nothing: a table is missing or damaged,
/// somebody may castle, or there are too many pieces.
pub trait Probe: Debug + Send + Sync {
    /// The pieces, kings included, of the largest table.
    fn pieces(&self) -> usize;

    /// The result for the side to move, as if the last move had been a capture or a pawn move.
    fn wdl(&self, position: &Chess) -> Option<Wdl>;

    /// The distance to the next capture, pawn move or mate: positive for a win of the side to move, beyond 100 where the
    /// fifty-move rule draws. It may be one ply too small ([`MaybeRounded`]).
    fn dtz(&self, position: &Chess) -> Option<MaybeRounded<Dtz>>;

    /// What has been found damaged since this was asked last, one line each; every file is named once.
    fn problems(&self) -> Vec<String> {
        Vec::new()
    }
}
