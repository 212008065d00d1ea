//! The command line from outside: flags, subcommands, exit codes.

mod command_line;
mod data;
mod teaching;
mod tuning;
