//! The command line: one file per subcommand. Only here live clap, anyhow, terminals and progress bars.

use std::process::ExitCode;

use clap::{Parser, Subcommand};

/// A UCI chess engine; without a subcommand it speaks UCI on standard input and output.
#[derive(Parser)]
#[command(name = "zugwerk", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {}

/// Runs the program as its arguments ask and returns its exit code.
pub(crate) fn run() -> ExitCode {
    match Cli::parse().command {
        None => ExitCode::SUCCESS,
        Some(command) => match command {},
    }
}
