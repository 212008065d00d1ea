//! Tests of the command line from outside: flags, subcommands, exit codes.

// Some tests need Linux, and what they import and call.
#![cfg_attr(not(target_os = "linux"), allow(dead_code, unused_imports))]

mod analyse;
mod bench;
mod calls;
mod course;
mod data;
mod datagen;
mod documents;
mod epd;
mod eval;
mod foreign;
mod help;
mod inputs;
mod interruption;
mod json;
mod network;
mod openbench;
mod openings;
mod outputs;
mod play;
mod printing;
mod spsa;
mod study;
mod train;
mod tree;
mod uci;
mod usage;
