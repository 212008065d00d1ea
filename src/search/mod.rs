//! The search.

mod limits;
mod pool;
mod report;
mod stop;

pub use limits::{ClockTime, Limits};
pub use pool::{Searcher, Settings};
pub use report::{Bound, CURRENT_MOVE_DELAY, Observer, Outcome, Report, Silent};
pub use stop::Stop;
