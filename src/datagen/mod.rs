//! Self-play that makes training data: many short games in this process, a score for every move.
//!
//! ```text
//!  Run            workers play games 0, 1, 2, …; they are written in the order of their numbers
//!   -> SelfPlay     one thread's searcher: an opening, then a search per move until the game is decided
//!       -> Recipe       how games are made: openings, nodes, when a game counts as decided
//!       -> opening      where a game begins
//!       -> Watch        the scores so far, and what they decide
//!       -> tree         positions from inside the searches instead of those of the games
//!   -> Files       one file, or a row of them
//!  Rescore        every position of a file searched anew
//! ```
//!
//! A game is determined by the recipe, the seed, its number and the program alone. Since games are also written in order,
//! the file depends neither on the number of threads nor on how often the run was interrupted and resumed.

mod attention;
mod files;
mod opening;
mod player;
mod recipe;
mod rescore;
mod run;
mod tree;

pub use files::{Place, ResumeError};
pub use player::openings;
pub use recipe::{Recipe, TreeRule};
pub use rescore::{Rescore, RescoreError, Rescored};
pub use run::{Counts, Run, RunError, signature};
