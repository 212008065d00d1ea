//! The command line: one file per subcommand. Only this module uses clap, anyhow, terminals and progress bars.
//!
//! There are three kinds of arguments:
//!
//! * none, or lines of the protocol, one per argument (`zugwerk "go depth 5" quit`): the engine speaks UCI. Flags before
//!   them set UCI options (`--hash=64`);
//! * a subcommand: a tool runs;
//! * `--help`, `--version`.
//!
//! Exit codes: 0 for success; 1 for a negative verdict of a tool (a test suite that does not match, a sequential test
//! that accepts H0); 2 for bad usage or input, told on standard error; 3 for an undecided verdict; 130 for an
//! interruption.

mod analyse;
mod bench;
mod board;
#[cfg(target_arch = "x86_64")]
pub(crate) mod cpu;
mod data;
mod datagen;
mod effort;
mod elo;
mod epd;
mod eval;
mod evaluator;
mod genfens;
mod interrupt;
mod r#match;
mod net;
mod option_flags;
mod output;
mod play;
mod position;
mod progress;
mod spsa;
mod study;
mod table;
mod techniques;
mod ticker;
mod train;
mod tree;
mod uci;
mod unfinished;

use std::{
    ffi::OsString,
    fmt::Display,
    io::{self, IsTerminal as _, Write as _},
    path::Path,
    process::ExitCode,
    thread::{self, ScopedJoinHandle},
};

use anyhow::Context;
use clap::{CommandFactory as _, FromArgMatches as _, Parser, Subcommand};
use zugwerk::{
    search::STACK,
    stats::sprt::Verdict,
    words::{counted, noun},
};

// What many subcommands share.
use self::{
    effort::EffortFlags,
    evaluator::EvaluatorFlags,
    output::{Force, OutputFlags},
    position::PositionFlags,
    table::{fit, table},
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

/// The result of a tool, as its exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum ExitStatus {
    Positive = 0,
    Negative = 1,
    Undecided = 3,
    /// Interrupted, after a clean end: 128 plus the number of the signal, as in shells.
    Interrupted = 130,
}

impl From<Verdict> for ExitStatus {
    fn from(of_a_test: Verdict) -> Self {
        match of_a_test {
            Verdict::H1 => ExitStatus::Positive,
            Verdict::H0 => ExitStatus::Negative,
            Verdict::Open => ExitStatus::Undecided,
        }
    }
}

/// Runs the program with its arguments and returns its exit code.
// Not inlined: the code that `main` runs before it must not need a newer processor.
#[inline(never)]
pub(crate) fn run(args: impl IntoIterator<Item = OsString>) -> ExitCode {
    interrupt::keep_hang_up_ignored();
    let args: Vec<OsString> = args.into_iter().collect();
    // Many tools lead a search on the thread that calls it, and some systems give the first thread less stack than it needs.
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
    let cli = command().try_get_matches_from(args).and_then(|matches| Cli::from_arg_matches(&matches));
    let outcome = cli.map_err(anyhow::Error::from).and_then(|cli| carry_out(cli.command, &options));
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

/// Prints a usage error, the help or the version, all of which are errors to clap, and returns the exit code. Returns other
/// errors.
fn tell_by_clap(error: anyhow::Error) -> anyhow::Result<u8> {
    let told = error.downcast::<clap::Error>()?;
    let text = told.render().to_string();
    if told.use_stderr() && fit(&text) != text {
        warn(text);
    } else {
        told.print()?;
    }
    Ok(if told.use_stderr() { BAD_USAGE } else { ExitStatus::Positive as u8 })
}

fn carry_out(command: Option<Command>, options: &[option_flags::Flag]) -> anyhow::Result<ExitStatus> {
    let speaks_uci = matches!(command, None | Some(Command::Lines(_)));
    if let (false, Some(flag)) = (speaks_uci, options.first()) {
        anyhow::bail!("expected option flags only before UCI, got `--{}` before a subcommand", flag.name);
    }
    match command {
        None => uci::run(options),
        Some(Command::Lines(lines)) => uci::run_lines(&lines, options),
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

/// Runs `work` on a pool of `threads` threads, the value of `--threads`.
fn with_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> anyhow::Result<T> + Send,
) -> anyhow::Result<T> {
    const MOST: usize = 1024;
    anyhow::ensure!((1..=MOST).contains(&threads), "--threads: expected 1 to {MOST}, got {threads}");
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
    // The source of the error says the same again.
    pool.map_err(|error| anyhow::anyhow!("--threads: cannot start {threads}: {error}"))?.install(work)
}

/// Whether something that may be read as a file is at `path`, such as a file or a pipe.
fn is_there(path: &Path) -> bool {
    path.metadata().is_ok_and(|there| !there.is_dir())
}

/// Adds the name of a file to errors.
trait InFile<T, E>: Context<T, E> + Sized {
    fn in_file(self, path: &Path) -> anyhow::Result<T> {
        self.with_context(|| path.display().to_string())
    }
}

impl<T, E, R: Context<T, E>> InFile<T, E> for R {}

/// Prints a line. Unlike `println!` it does not panic when the pipe is closed.
fn say(line: impl Display) -> io::Result<()> {
    progress::above_the_bar(&io::stdout(), || writeln!(io::stdout(), "{line}"))
}

/// Prints `text` and ends its last line, for tools whose exit code matters even if the pipe is closed. Other errors, such
/// as a full disk, are returned.
fn report(text: impl Display) -> io::Result<()> {
    let text = ended(text);
    match progress::above_the_bar(&io::stdout(), || io::stdout().write_all(text.as_bytes())) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        outcome => outcome,
    }
}

/// Prints an SVG. A terminal cannot show it.
fn print_picture(svg: &str) -> anyhow::Result<()> {
    anyhow::ensure!(
        !io::stdout().is_terminal(),
        "expected --output FILE, or an output to a file or a pipe, got a terminal"
    );
    Ok(report(svg)?)
}

/// Prints `result` as JSON with [`report`].
fn report_json(result: &impl serde::Serialize) -> anyhow::Result<()> {
    Ok(report(serde_json::to_string_pretty(result)?)?)
}

/// Prints the result of a tool: as JSON if `is_json`, or else as text.
fn report_result(is_json: bool, text: impl Display, json: &impl serde::Serialize) -> anyhow::Result<()> {
    match is_json {
        true => report_json(json),
        false => Ok(report(text)?),
    }
}

/// `text` with a line break at its end.
fn ended(text: impl Display) -> String {
    let mut text = text.to_string();
    if !text.ends_with('\n') {
        text.push('\n');
    }
    text
}

/// Prints `text` on standard error, no wider than the terminal, ends its last line and ignores errors. The names in it may be those of a foreign file:
/// control characters, which could command a terminal, become blanks.
fn warn(text: impl Display) {
    let text = without_commands(&fit(&ended(text)));
    let _ = progress::above_the_bar(&io::stderr(), || io::stderr().write_all(text.as_bytes()));
}

/// `text` with blanks instead of control characters, except line breaks.
fn without_commands(text: &str) -> String {
    text.chars().map(|c| if c.is_control() && c != '\n' { ' ' } else { c }).collect()
}

/// Whether the error is only that the reader of the output has closed the pipe (`zugwerk bench | head`).
fn nobody_reads(error: &anyhow::Error) -> bool {
    error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
}
