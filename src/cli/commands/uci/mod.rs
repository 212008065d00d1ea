//! The engine itself: UCI on standard input, or from the arguments.

mod genfens;

use std::{
    ffi::OsString,
    io::{self, IsTerminal as _},
};

use anyhow::Context as _;
use clap::error::ContextKind;
use shakmaty::CastlingMode;
use zugwerk::{
    chess::position::Position,
    engine::uci::{CommandError, Output, Session, command},
    words::quoted,
};

use crate::cli::shared::{option_flags::Flag, print::warn, status::ExitStatus};

/// Advice for a user who expects a chess program with a window.
const ADVICE: &str = "It plays in a chess program, such as Arena or Cute Chess, into which it is loaded as a UCI engine; \
    `zugwerk play` in a terminal plays a game here. `help` lists the commands of the engine, `quit` ends it; `zugwerk --help` lists \
    its tools.";

const NO_THREAD: &str = "cannot start a thread";

/// Speaks UCI on standard input and output until `quit` or the end of the input.
pub(in crate::cli) fn run(options: &[Flag]) -> anyhow::Result<ExitStatus> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        // The program was started by hand.
        warn(format_args!("Zugwerk {}, a UCI chess engine. {ADVICE}", env!("CARGO_PKG_VERSION")));
    }
    let output = output()?;
    session(&output, options)?.run(io::stdin().lock()).context("standard input")?;
    output.close()?;
    Ok(ExitStatus::Positive)
}

/// Executes the arguments as lines of UCI. The first may be a line of OpenBench. `tools` are the subcommands,
/// one of which may be meant.
pub(in crate::cli) fn run_lines(
    lines: &[OsString],
    options: &[Flag],
    tools: fn() -> clap::Command,
) -> anyhow::Result<ExitStatus> {
    let lines: Vec<_> = lines.iter().map(|line| line.to_string_lossy()).collect();
    let mut lines = &lines[..];
    if let Some((first, others)) = lines.split_first() {
        if genfens::is_it(first) {
            genfens::run(first, options)?;
            lines = others;
        } else if is_command(first) {
            anyhow::ensure!(
                others.iter().all(|line| is_command(line)),
                "expected each line of UCI in quotes, as in `zugwerk \"{}\"`",
                lines.join(" ")
            );
        } else {
            let word = first.split_whitespace().next().unwrap_or_default();
            anyhow::ensure!(
                word != "perft",
                "expected a line of UCI in quotes, as in `zugwerk \"go {}\"`",
                lines.join(" ")
            );
            let tools = tools();
            anyhow::ensure!(
                tools.find_subcommand(word).is_none(),
                "expected the subcommand `{word}` and its arguments as separate words, got {}",
                quoted(first)
            );
            // Clap says which subcommand is alike, if there is one.
            tools.try_get_matches_from(["zugwerk", word]).map_err(|error| {
                let is_alike = error.get(ContextKind::SuggestedSubcommand).is_some();
                if is_alike { anyhow::Error::new(error) } else { unknown(first) }
            })?;
        }
    }
    let output = output()?;
    session(&output, options)?.run_lines(lines);
    output.close()?;
    Ok(ExitStatus::Positive)
}

fn unknown(line: &str) -> anyhow::Error {
    let expected = "expected a subcommand or a line of UCI";
    anyhow::anyhow!("{expected}, got {} (`zugwerk --help` lists the subcommands)", quoted(line))
}

/// Whether `line` has a command of UCI, even one that would be refused.
fn is_command(line: &str) -> bool {
    let read = command::parse(line, &Position::default(), CastlingMode::Standard);
    !matches!(read, Err(CommandError::Unknown { .. }))
}

fn output() -> anyhow::Result<Output> {
    Output::stdout().context(NO_THREAD)
}

fn session(output: &Output, options: &[Flag]) -> anyhow::Result<Session> {
    let mut session = Session::new(output.clone()).context(NO_THREAD)?;
    for flag in options {
        session.set_default(flag.name, &flag.value)?;
    }
    Ok(session)
}
