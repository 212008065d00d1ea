//! The engine: it reads UCI, searches, and answers.
//!
//! Chess programs use it through [`uci`]; the other wings use [`search`] and [`eval`] directly.
//!
//! # From `go` to `bestmove` in six files
//!
//! | file | what happens there |
//! |---|---|
//! | `uci/mod.rs` | a line of input becomes a command; `go` becomes limits (`uci/go.rs` reads its words) |
//! | `control/mod.rs` | [`Engine::go`] stops what runs, and sends the limits to the search thread |
//! | `search_thread.rs` | the thread reads the message, searches, waits until an answer is wanted, answers |
//! | `search/searcher.rs` | [`Searcher`](search::Searcher): bounds, endgame tables, threads, vote, lines |
//! | `search/deepening.rs` | one thread: an iteration after the other, each with its windows |
//! | `search/negamax.rs` | one node: its steps in order, and the loop over its moves |
//!
//! Who reads these six knows what happens. Each of the other files on the way does one thing for them:
//!
//! * input: `cli/commands/uci/mod.rs` starts the session, `uci/input.rs` reads lines, `uci/command.rs` and
//!   `uci/go.rs` their words, `uci/error.rs` refuses them;
//! * before the search: `search/limits.rs` and `search/clock` hold its limits, `search/stop.rs` ends it,
//!   `search/strength.rs` and `search/tablebase.rs` change what is searched;
//! * the search: `search/threads.rs` starts the threads, `search/worker.rs` is one of them, `search/root.rs`
//!   and `search/root_moves.rs` are its root, `search/vote.rs` chooses among the threads;
//! * output: `search/report.rs` is what is said, `uci/format.rs` its words, and `uci/output.rs` prints.
//!
//! # The parts
//!
//! ```text
//!  uci            the protocol: commands in, answers out
//!  control        Engine: the caller's side of the search thread    options  every option, declared once
//!  search_thread  the thread that owns all search state             bench    the signature of the search
//!  search         deepening, the node, quiescence, time, threads    diagram  boards and evaluations as text
//!  tt             the transposition table                           wdl      values as chances
//!  eval           evaluators and networks                           hints    to processor, system (unsafe)
//!                                                                   memory   how much the process may use
//! ```
//!
//! `search` knows the trait [`eval::Evaluator`], never a concrete evaluator. It neither prints nor reads: its
//! caller passes limits, a [`Stop`](search::Stop) and an observer.
//!
//! # The search thread
//!
//! Results go to a [`Listener`]. The caller's thread sends messages and keeps only the [`Stop`](search::Stop)
//! of what runs. The search thread lives as long as the engine, owns everything that is kept between
//! searches, and does the work of one message after the other. So the hash table cannot be resized during a
//! search.
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
//! A stop that follows a `go` at once is never lost, because the caller makes the stop before it sends the
//! message. A change of an option never disturbs a search, and a large table delays no answer.

pub mod bench;
mod control;
pub mod diagram;
pub mod eval;
mod hints;
mod memory;
pub mod options;
pub mod search;
mod search_thread;
pub mod tt;
pub mod uci;
pub mod wdl;

pub use control::Engine;
pub use search_thread::Listener;
