//! The search: computes a move, a value and a principal variation from a position and limits.
//!
//! ```text
//!  Searcher::search (searcher) the state kept between moves: the table and the memory of each thread
//!    -> threads                the calling thread, and a thread pool that sleeps between searches
//!    -> Deepening              iterations, aspiration windows, multi-PV, reports
//!       -> root                the root moves and their results (root_moves)
//!       -> negamax             one node as named steps
//!          pruning             ends nodes and skips moves
//!          decision            what becomes of a move: skipped, a cut-off, or how deep it is searched
//!            extensions        singular moves are searched deeper
//!            reductions        late moves are searched less deep
//!          learning            what the result teaches the histories
//!          -> quiescence       the leaves
//!    Worker                    one thread: position + evaluator + histories, one make/unmake pair
//!    Picker                    the moves of a node in order
//!    Histories                 what earlier cut-offs say about moves
//!    CorrectionHistory         what earlier searches say about the errors of the evaluation
//!    Tablebases                the endgame tables, at the root and in the tree
//!    Clock, Stop               when to end
//!    Strength                  limited playing strength
//!    Watcher                   observes the search from inside; compiled out when Zugwerk plays
//! ```
//!
//! # Where to look
//!
//! * **Where does a `go` become limits?** `uci/go.rs` reads its words into [`Limits`]. `search_thread.rs`
//!   adds what the options ask for.
//! * **Where is the time decided?** `clock/mod.rs`: `Clock::new` turns the limits into bounds,
//!   `soft_bound_passed` is asked after each iteration, `out_of_time` during one.
//! * **Which function searches one node?** `Worker::interior` in negamax.rs, the list of its steps.
//!   `Worker::root` (root.rs) is its twin for the root, `Worker::quiescence` (quiescence.rs) searches the
//!   leaves.
//! * **Where is decided how deep a move is searched?** `Worker::decide` (decision.rs).
//! * **Who chooses the move among threads?** `vote::choose` (vote.rs), when all threads have ended. After it
//!   only a player of limited strength (`Strength::choose`) changes the answer.
//! * **What is printed, and by whom?** The search tells an [`Observer`] (report.rs), and that of a session is
//!   the `Printer` in `uci/output.rs`, which alone prints. The leading thread tells it of each complete
//!   iteration and of bounds (deepening.rs) and of the current move (root.rs); the searcher, of the final
//!   lines and of problems (searcher.rs). The search thread adds `bestmove`.
//!
//! The search neither prints nor reads input: its caller passes [`Limits`], a [`Stop`] and an [`Observer`].
//! It knows the trait [`Evaluator`](crate::engine::eval::Evaluator), never a concrete evaluator.

mod clock;
mod correction;
mod decision;
mod deepening;
mod extensions;
mod history;
mod history_value;
mod learning;
mod limits;
mod negamax;
mod node;
pub mod params;
mod picker;
mod pruning;
mod quiescence;
mod reductions;
mod report;
mod root;
mod root_moves;
mod searcher;
mod stop;
mod strength;
mod tablebase;
mod techniques;
mod threads;
mod vote;
mod watcher;
mod worker;

pub use crate::engine::tt::Bound;
pub use limits::{ClockTime, Limits};
pub use report::{CURRENT_MOVE_DELAY, Observer, Outcome, Report, Silent};
pub use searcher::{Searcher, Settings};
pub use stop::Stop;
pub use strength::Strength;
pub use tablebase::Tablebases;
pub use techniques::{Techniques, UnknownTechnique};
pub use threads::{FewerThreads, STACK};
pub use watcher::{Skip, Unwatched, Visit, Watcher, Why};
