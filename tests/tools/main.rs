//! Tests of the command line from outside: flags, subcommands, exit codes.

// Some tests need Linux, and what they import and call.
#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports))]

mod calls;
mod command_line;
mod course;
mod data;
mod datagen;
mod documents;
mod network;
mod openings;
mod shuffle;
mod teaching;
mod train;
mod tuning;
