//! Tests of the protocol on the real binary through its pipes, as a GUI uses it.

mod bad_input;
mod driver;
mod faults;
mod go;
mod lifecycle;
mod options;
mod output;
mod position;
#[path = "../engine/support/timing.rs"]
mod timing;
