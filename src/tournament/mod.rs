//! Matches between UCI engines: a referee that is right, and statistics that say what a result is worth.
//!
//! ```text
//!  players   spec, limits               what a player is and how long it may think
//!            process, player, info, log  the process it runs in and the talk with it
//!  schedule  openings -> line           which games there are, by number, and where they start
//!  referee   line, ending               one game: clocks, moves, and an end that has a name
//!  record    pgn, manifest, resume      what is kept of the games
//!            standings, tally, report   what they come to
//!
//!  runner: one thread per slot         one pair of processes each
//!     schedule.fixture(n) -> referee::play
//!         player  <-- UCI -->  process (its listening thread)     info: what it said
//!         line: moves, command             rules: ends on the board, ends by decree
//!         -> FinishedGame { line, notes, ending }
//!  runner: the caller's thread
//!     FinishedGame -> standings -> sprt      go on, or stop?
//!            -> pgn                    flushed, game by game
//!            -> observer               the terminal, a test
//!
//!  resume (pgn, manifest) -> standings an interrupted match goes on
//!  standings -> elo, sprt -> report    tables and JSON
//! ```
//!
//! Three decisions carry it. A game is known by its number, from which players, colours and opening follow; so a match can
//! be resumed from its PGN alone, and slots need no more than a counter to share the work. A player's misbehaviour is
//! data ([`referee::ending::Fault`]), never an error of the program; the match goes on. And nothing here knows a terminal: whoever
//! wants to show a match passes an observer.
//!
//! What the results are worth is the business of [`crate::stats`].

pub mod halt;
pub mod players;
pub mod record;
pub mod referee;
pub mod runner;
pub mod schedule;
pub mod soak;

pub use players::Patience;
