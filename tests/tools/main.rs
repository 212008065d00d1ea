//! Tests of the command line from outside: flags, subcommands, exit codes.

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
