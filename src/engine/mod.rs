//! The engine: a position, the options, and one thread that searches.
//!
//! Nothing here reads or prints; results go to a [`Listener`]. The caller's thread sends messages and keeps only the [`Stop`] of
//! what runs. The search thread lives as long as the engine, owns everything that is kept between searches, and does the work of
//! one message after the other. So the hash table cannot be resized during a search.
//!
//! ```text
//!  the caller's thread (control)                     the search thread (search_thread)
//!
//!  go, perft, bench     stop what runs, send ------> after the work before it: search, report, answer
//!  setoption            send ----------------------> change the table, the threads, the evaluator ...
//!  ucinewgame           send ----------------------> forget what was learnt
//!  isready              send, or during a search
//!                       answer at once ------------> start the threads, clear the table, answer
//!  stop, ponderhit      raise the Stop ............> is looked at during the work
//!  quit                 stop what runs, close -----> end after the work before it
//! ```
//!
//! A stop that follows a `go` at once is never lost, because the caller makes the [`Stop`] before it sends the message. A change
//! of an option never disturbs a search, and a large table delays no answer.

mod control;
mod search_thread;

#[cfg(doc)]
use crate::search::Stop;

pub use control::Engine;
pub use search_thread::Listener;
