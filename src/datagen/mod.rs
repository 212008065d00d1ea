//! Self-play that makes training data: many short games in this process, every searched position a record.
//!
//! ```text
//!  Run            workers play games 0, 1, 2, …; their records are written in the order of the games
//!   -> Player     one thread's searcher: an opening, then a search per move until the game is decided
//!       -> Recipe       how games are made: openings, nodes, when a game counts as decided
//!       -> Watch        the scores so far, and what they decide
//! ```
//!
//! A game is determined by the recipe, the seed and its number alone. Since games are also written in order, and
//! positions that stood before are dropped only then, the file depends neither on the number of threads nor on how
//! often the run was interrupted and resumed.
//!
//! Everything searched is kept, also checks, captures and mates: what to learn from is for the reader to choose
//! ([`Filter`](crate::data::Filter)).

mod player;
mod recipe;
mod run;
mod watch;

pub use recipe::{DrawRule, Recipe, WinRule};
pub use run::{Counts, Run};
