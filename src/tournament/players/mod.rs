//! Players: what each is, the process it runs in, and the talk with it.

pub mod info;
pub mod limits;
pub mod log;
pub(in crate::tournament) mod player;
mod process;
pub mod spec;

pub use player::Patience;
