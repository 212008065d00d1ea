//! Self-play that produces training data: many short games in this process, with a score for every move.
//!
//! ```text
//!  Run            workers play games 0, 1, 2, …; they are written in the order of their numbers
//!   -> SelfPlay     the searcher of one thread: an opening, then a search per move until the game is decided
//!       -> Recipe       the parameters of the games: openings, nodes, adjudication
//!       -> opening      the start of a game
//!       -> Scores       the scores so far, for adjudication
//!   -> Files       one file, or a series of files
//!
//!  RandomOpenings   such openings for the games of matches
//! ```
//!
//! A game is determined by the recipe, the seed, its number and the program alone. Games are also written in
//! order. Therefore the file does not depend on the number of threads, nor its games on interruptions of the
//! run; an interruption only closes a block early.

mod files;
mod opening;
mod player;
mod random_openings;
mod recipe;
mod run;

pub use files::{ContinueError, CutOff, OutputPath, WriteError};
pub use player::{WorkerFailed, opening};
pub use random_openings::{BOOK_PLIES, RandomOpenings};
pub use recipe::Recipe;
pub use run::{Run, RunCounts, RunError, signature};
