//! Matches between UCI engines: an exact referee, and statistics of the results.
//!
//! ```text
//!  line, clock, ending                  the moves of a game, a player's clock, and how the game ended
//!  players   spec, limits               a player's settings and time limits
//!            process, player, info, log  its process and the communication with it
//!            options, program         what it announces and accepts; its file
//!            tally                      what it used, and its warnings
//!  schedule  openings -> line           the games by number, and their starting positions
//!  load                                 the games that a machine carries at a time
//!  plan: MatchPlan                      all that determines a match
//!  referee                              one game: clocks and moves
//!  record    pgn, manifest, resume      the games on file
//!            standings, report          the results
//!
//!  runner: one thread per slot         one pair of processes each
//!     schedule.fixture(n) -> referee::play
//!         player  <-- UCI -->  process (its reading thread)       info: its reports
//!         line: moves, command             rules: ends on the board, adjudication
//!         -> FinishedGame { line, notes, ending }
//!  runner: the caller's thread
//!     FinishedGame -> standings -> sprt      continue or stop
//!            -> pgn                    flushed, game by game
//!            -> observer               the terminal, a test
//!
//!  resume (pgn, manifest) -> standings an interrupted match continues
//!  from_games -> schedule, standings   a match of which only the games are left
//!  standings -> elo, sprt -> report    tables and JSON
//! ```
//!
//! Three decisions shape the design. A game is identified by its number, which determines players, colours
//! and opening. A match can therefore be resumed from its PGN alone, and slots need only a counter to share
//! the work. A player's misbehaviour is data ([`ending::Fault`]), never an error of the program, and the
//! match continues. Nothing here depends on a terminal; a caller that displays a match passes an observer.
//!
//! [`stats`] computes the statistics, and [`page`] shows a match as a web page. Testers of engines use the
//! wing, by the subcommands `match` and `elo`. Begin with `plan`, then `runner` and [`referee`].

mod checksum;
pub mod clock;
pub mod ending;
pub mod line;
pub mod load;
pub mod page;
mod plan;
pub mod players;
pub mod record;
pub mod referee;
pub mod replay;
pub mod runner;
pub mod schedule;
pub mod stats;

pub use plan::MatchPlan;
pub use players::Patience;
