//! Players: their settings, their processes, and the communication with them.

pub(in crate::arena) mod files;
pub mod info;
pub mod limits;
pub mod log;
mod options;
pub(in crate::arena) mod player;
mod process;
pub mod program;
mod running;
pub mod spec;
pub mod tally;

pub use player::Patience;
pub use running::kill_all;
