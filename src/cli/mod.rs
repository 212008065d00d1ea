//! The command line: one file per subcommand. Only here live clap, anyhow, terminals and progress bars.

mod elo;
mod tourney;

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
enum Command {
    Match(Box<tourney::MatchArgs>),
    Elo(elo::EloArgs),
}

/// Runs the program as its arguments ask and returns its exit code.
pub(crate) fn run() -> ExitCode {
    let result = match Cli::parse().command {
        None => Ok(ExitCode::SUCCESS),
        Some(Command::Match(args)) => tourney::run(&args),
        Some(Command::Elo(args)) => elo::run(&args),
    };
    result.unwrap_or_else(|error| {
        eprintln!("zugwerk: {error:#}");
        ExitCode::from(2)
    })
}
