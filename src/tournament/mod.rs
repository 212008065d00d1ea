//! Matches between UCI engines: a referee that is right, and statistics that say what a result is worth.
//!
//! ```text
//!  spec, limits                        what a player is and how long it may think
//!  openings (pgn) -> line              where a game starts
//!  schedule                            which games there are, by number
//!
//!  runner: one thread per slot         one pair of processes each
//!     schedule.fixture(n) -> referee::play
//!         player  <-- UCI -->  process (its listening thread)     info: what it said
//!         line: moves, command             rules: ends on the board, ends by decree
//!         -> Played { line, notes, ending }
//!  runner: the caller's thread
//!     Played -> standings -> sprt      go on, or stop?
//!            -> pgn                    flushed, game by game
//!            -> observer               the terminal, a test
//!
//!  resume (pgn, manifest) -> standings an interrupted match goes on
//!  standings -> elo, sprt -> report    tables and JSON
//! ```
//!
//! Three decisions carry it. A game is known by its number, from which players, colours and opening follow; so a match can
//! be resumed from its PGN alone, and slots need no more than a counter to share the work. A player's misbehaviour is
//! data ([`ending::Fault`]), never an error of the program; the match goes on. And nothing here knows a terminal: whoever
//! wants to show a match passes an observer.
//!
//! What the results are worth is the business of [`crate::stats`].

pub mod ending;
pub mod info;
pub mod limits;
pub mod line;
pub mod log;
pub mod manifest;
pub mod openings;
pub mod pgn;
mod player;
mod process;
pub mod referee;
pub mod report;
pub mod resume;
pub mod runner;
pub mod schedule;
pub mod soak;
pub mod spec;
pub mod standings;
pub mod stop;
pub mod tally;

pub use player::Patience;
