//! The protocol, tested on the real binary through its pipes, as a GUI would see it.

mod bad_input;
mod driver;
mod go;
mod lifecycle;
mod options;
mod output;
mod position;
