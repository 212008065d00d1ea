//! The command line: the subcommands in [`commands`], and what they share in [`shared`]. Only this module
//! uses clap, anyhow, terminals and progress bars.
//!
//! There are three kinds of arguments:
//!
//! * none, or lines of the protocol, one per argument (`zugwerk "go depth 5" quit`): the engine speaks UCI.
//!   Flags before them set UCI options (`--hash=64`);
//! * a subcommand: a tool runs;
//! * `--help`, `--version`.
//!
//! Exit codes: 0 for success; 1 for a negative verdict of a tool (a test suite that does not match, a
//! sequential test that accepts H0); 2 for bad usage or input, told on standard error; 3 for an undecided
//! verdict; 130 for an interruption.

mod commands;
#[cfg(target_arch = "x86_64")]
pub(crate) mod cpu;
mod shared;

use std::{
    ffi::OsString,
    process::ExitCode,
    thread::{self, ScopedJoinHandle},
};

use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use zugwerk::engine::search::STACK;

use self::{
    commands::{
        analyse, bench, board, data, datagen, elo, epd, eval, r#match, net, play, spsa, study, train, tree,
        uci,
    },
    shared::{
        interrupt, option_flags,
        print::{nobody_reads, warn},
        status::ExitStatus,
        table::fit,
    },
};

/// The exit code for bad usage and bad input.
const BAD_USAGE: u8 = 2;

const AFTER_HELP: &str = "\
Arguments that are not a subcommand are lines of UCI, executed in order:
  zugwerk \"position startpos moves e2e4\" \"go depth 10\" quit

Exit codes: 0 success, 1 a negative verdict, 2 bad usage or input, 3 undecided, 130 interrupted.";

/// The line `Usage` of the program itself.
const USAGE: &str = "zugwerk [--OPTION=VALUE ...] [SUBCOMMAND | UCI LINE ...]";

/// A UCI chess engine; without a subcommand it speaks UCI on standard input and output.
#[derive(Parser)]
#[command(name = "zugwerk", version, override_usage = USAGE)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    #[command(visible_alias = "analyze")]
    Analyse(analyse::Args),
    Bench(bench::Args),
    Board(board::Args),
    #[command(subcommand, arg_required_else_help = false)]
    Data(data::Command),
    Datagen(datagen::Args),
    Elo(elo::Args),
    Epd(epd::Args),
    Eval(eval::Args),
    Match(Box<r#match::Args>),
    #[command(subcommand, arg_required_else_help = false)]
    Net(net::Command),
    Play(play::Args),
    Spsa(spsa::Args),
    Study(study::Args),
    Train(Box<train::Args>),
    Tree(tree::Args),
    /// Lines of the protocol, one per argument.
    #[command(external_subcommand)]
    Lines(Vec<OsString>),
}

/// Runs the program with its arguments and returns its exit code.
// Not inlined: the code that `main` runs before it must not need a newer processor.
#[inline(never)]
pub(crate) fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    interrupt::keep_hang_up_ignored();
    let args: Vec<OsString> = args.into_iter().collect();
    // Many tools lead a search on the thread that calls it, and some systems give the first thread less stack
    // than it needs.
    let builder = thread::Builder::new().stack_size(STACK);
    let ran = thread::scope(|scope| {
        builder.spawn_scoped(scope, || run_here(args.clone())).map(ScopedJoinHandle::join)
    });
    match ran {
        Ok(code) => code.unwrap_or(ExitCode::FAILURE),
        Err(_) => run_here(args),
    }
}

/// Runs the program on the calling thread.
fn run_here(args: Vec<OsString>) -> ExitCode {
    let (options, args) = option_flags::split(args);
    let outcome = r#match::in_own_words(args).and_then(|words| {
        words.announce();
        let matches = command().try_get_matches_from(words.args)?;
        carry_out(Cli::from_arg_matches(&matches)?.command, &options)
    });
    let code = outcome.map(|status| status as u8).or_else(tell_by_clap);
    match code {
        Ok(code) => ExitCode::from(code),
        Err(error) if nobody_reads(&error) => ExitCode::SUCCESS,
        Err(error) => {
            warn(format_args!("zugwerk: {error:#}"));
            ExitCode::from(BAD_USAGE)
        }
    }
}

/// The command line as clap knows it.
fn command() -> clap::Command {
    Cli::command().args(option_flags::args()).after_help(AFTER_HELP)
}

/// The subcommands alone, without lines of UCI.
fn tools() -> clap::Command {
    clap::Command::new("zugwerk").override_usage(USAGE).subcommands(command().get_subcommands().cloned())
}

/// Prints a usage error, the help or the version, all of which are errors to clap, and returns the exit code.
/// Returns other errors.
fn tell_by_clap(error: anyhow::Error) -> anyhow::Result<u8> {
    let error = error.downcast::<clap::Error>()?;
    let text = error.render().to_string();
    if error.use_stderr() && fit(&text) != text {
        warn(text);
    } else {
        error.print()?;
    }
    Ok(if error.use_stderr() { BAD_USAGE } else { ExitStatus::Positive as u8 })
}

fn carry_out(command: Option<Command>, options: &[option_flags::Flag]) -> anyhow::Result<ExitStatus> {
    let speaks_uci = matches!(command, None | Some(Command::Lines(_)));
    if let (false, Some(flag)) = (speaks_uci, options.first()) {
        anyhow::bail!("expected option flags only before UCI, got `--{}` before a subcommand", flag.name);
    }
    match command {
        None => uci::run(options),
        Some(Command::Lines(lines)) => uci::run_lines(&lines, options, tools),
        Some(Command::Analyse(args)) => analyse::run(&args),
        Some(Command::Bench(args)) => bench::run(&args),
        Some(Command::Board(args)) => board::run(&args),
        Some(Command::Data(command)) => data::run(&command),
        Some(Command::Datagen(args)) => datagen::run(&args),
        Some(Command::Elo(args)) => elo::run(&args),
        Some(Command::Epd(args)) => epd::run(&args),
        Some(Command::Eval(args)) => eval::run(&args),
        Some(Command::Match(args)) => r#match::run(&args),
        Some(Command::Net(command)) => net::run(&command),
        Some(Command::Play(args)) => play::run(&args),
        Some(Command::Spsa(args)) => spsa::run(&args),
        Some(Command::Study(args)) => study::run(&args),
        Some(Command::Train(args)) => train::run(&args),
        Some(Command::Tree(args)) => tree::run(&args),
    }
}
