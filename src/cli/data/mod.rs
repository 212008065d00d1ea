//! `zugwerk data`: shows, checks and converts files of training data.

mod convert;
mod export;
mod loss;
mod rescore;
mod rewrite;
mod show;
mod shuffle;
mod verify;

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context as _, Result, ensure};
use clap::Subcommand;
use indicatif::ProgressBar;
use zugwerk::{
    data::{Block, Blocks, ConvertError, DataError, Filter, TextError},
    search::Stop,
    value::Value,
};

use super::{Finding, InFile as _, OutputFlags, counted, interrupt, progress, report, report_json, warn};

const AFTER_HELP: &str = "\
Examples:
  zugwerk data show games.zwd --samples 5
  zugwerk data verify games.zwd
  zugwerk data convert own5.zwd --output own5-games.zwd --recipe \"datagen --nodes 1500 --seed 20261201\"
  zugwerk data merge first.zwd second.zwd --output all.zwd
  zugwerk data shuffle *.zwd --output training.zwd --validation validation.zwd --quiet --unique
  zugwerk data rescore own5-games.zwd --output own5-again.zwd --nodes 400 --threads 2
  zugwerk data export own5-games.zwd --output own5.vf --format viriformat
  zugwerk data text training.zwd | head
  zugwerk data pack positions.txt --output positions.zwd

Exit codes: 0 success; 1 a part of a file could not be read or is invalid (details on standard error); 2 bad usage or
input; 130 interrupted.";

/// Show, check, convert, shuffle and merge files of training data
#[derive(Subcommand)]
#[command(after_help = AFTER_HELP)]
pub(super) enum Command {
    Loss(loss::Args),
    Show(show::Args),
    Verify(verify::Args),
    Text(rewrite::TextArgs),
    Pack(rewrite::PackArgs),
    Shuffle(shuffle::Args),
    Merge(rewrite::MergeArgs),
    Sample(rewrite::SampleArgs),
    Convert(convert::Args),
    Rescore(rescore::Args),
    Export(export::Args),
}

/// The positions to leave out.
#[derive(clap::Args)]
struct Filters {
    /// Leave out positions in check.
    #[arg(long)]
    no_checks: bool,
    /// Leave out positions whose best move is a capture or a promotion.
    #[arg(long)]
    no_tacticals: bool,
    /// Leave out positions whose score is a mate.
    #[arg(long)]
    no_mates: bool,
    /// Leave out all three.
    #[arg(long)]
    quiet: bool,
    /// Leave out larger scores for either side, in centipawns [default: none].
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(u16).range(..=32_000))]
    score_limit: Option<u16>,
    /// Leave out positions before this ply of the game.
    #[arg(long, value_name = "PLY", default_value_t = 0)]
    first_ply: u16,
}

impl Filters {
    fn filter(&self) -> Filter {
        Filter {
            no_checks: self.no_checks || self.quiet,
            no_tacticals: self.no_tacticals || self.quiet,
            no_mates: self.no_mates || self.quiet,
            score_limit: self.score_limit.map(Value::from),
            first_ply: self.first_ply,
        }
    }
}

/// Runs the tool.
pub(super) fn run(command: &Command) -> Result<Finding> {
    match command {
        Command::Loss(args) => loss::run(args),
        Command::Show(args) => show::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Text(args) => rewrite::text(args),
        Command::Pack(args) => rewrite::pack(args),
        Command::Shuffle(args) => shuffle::run(args),
        Command::Merge(args) => rewrite::merge(args),
        Command::Sample(args) => rewrite::sample(args),
        Command::Convert(args) => convert::run(args),
        Command::Rescore(args) => rescore::run(args),
        Command::Export(args) => export::run(args),
    }
}

/// Checks that no file is at `path`, for training data that `tool` writes block by block and continues with `--resume`.
pub(super) fn check_new(path: &Path, tool: &str) -> Result<()> {
    let can_continue = || match Blocks::open(path) {
        Ok(blocks) => blocks.header().is_some_and(|header| header.tool == tool),
        // As after a killed run.
        Err(error) => matches!(error, DataError::Empty | DataError::TornHeader),
    };
    let advice = match path.is_file() && can_continue() {
        true => "--resume continues it",
        false => "expected a new file",
    };
    ensure!(path.symlink_metadata().is_err(), "{} exists: {advice}", path.display());
    Ok(())
}

/// A number of positions in words.
fn positions(count: u64) -> String {
    counted(count, "position", "positions")
}

/// A number of positions in words, and of their games if they belong to any.
fn positions_of(count: u64, games: u64) -> String {
    match games {
        0 => positions(count),
        games => format!("{} of {}", positions(count), counted(games, "game", "games")),
    }
}

/// Writes the output of `to` from the file `input`; `None` if it was interrupted. `work` gets the path to write to, and what
/// to call with the number of bytes read.
fn convert_file<T>(
    input: &PathBuf,
    to: &OutputFlags,
    work: impl FnOnce(&Path, &dyn Fn(u64) -> ControlFlow<()>) -> Result<T, ConvertError>,
) -> Result<Option<T>> {
    let output = to.open([input])?;
    let how = Reading::of([input])?;
    let done = work(&output.path(), &|position| {
        how.bar.set_position(position);
        proceed(&how.stop)
    });
    match done {
        Err(ConvertError::Interrupted) => Ok(None),
        Err(error @ ConvertError::Output(_)) => Err(error).with_context(|| output.cannot_write()),
        Err(error) => Err(error).in_file(input),
        Ok(done) => output.finish().map(|()| Some(done)),
    }
}

/// Breaks if `stop` is raised.
fn proceed(stop: &Stop) -> ControlFlow<()> {
    if stop.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
}

/// Says how many damaged blocks were skipped, if any were.
fn warn_of_skipped(damaged: u64) {
    if damaged > 0 {
        warn(format_args!(
            "zugwerk: {} skipped",
            counted(damaged, "damaged block was", "damaged blocks were")
        ));
    }
}

/// How a file is read.
struct Reading {
    bar: ProgressBar,
    stop: Arc<Stop>,
}

impl Reading {
    /// With a bar for the bytes of all `files`. Ctrl-C ends the reading.
    fn of<'p>(files: impl IntoIterator<Item = &'p PathBuf>) -> Result<Self> {
        Ok(Self { bar: progress::bytes(files), stop: interrupt::stop()? })
    }
}

/// The positions of a file that are invalid and cannot be written as text.
#[derive(Default)]
struct Invalid {
    count: u64,
    first: Option<TextError>,
}

impl Invalid {
    fn add(&mut self, error: TextError) {
        self.count += 1;
        self.first.get_or_insert(error);
    }

    /// Reports them, if there are any.
    fn report(self, path: &Path) -> Finding {
        let Some(first) = self.first else { return Finding::Positive };
        let (name, left_out) = (path.display(), counted(self.count, "invalid position", "invalid positions"));
        warn(format_args!("zugwerk: {name}: {left_out} left out; the first: {first}"));
        Finding::Negative
    }
}

/// Passes every readable block of `files` to `each`, with its file, and reports the others.
fn read<'p>(
    files: impl IntoIterator<Item = &'p PathBuf>,
    how: &Reading,
    each: impl FnMut(&'p Path, Block) -> Result<()>,
) -> Result<Finding> {
    let passes = |error: &DataError| !matches!(error, DataError::Io(_));
    read_with(Blocks::open, Blocks::position, files, how, passes, each)
}

/// Passes every item of the readers that `open` opens to `each`, with its file. An error that `passes` is reported, and
/// others end the reading. `at` is the place of a reader in its file.
fn read_with<'p, B, I: Iterator<Item = Result<B, DataError>>>(
    open: impl Fn(&Path) -> Result<I, DataError>,
    at: impl Fn(&I) -> u64,
    files: impl IntoIterator<Item = &'p PathBuf>,
    how: &Reading,
    passes: impl Fn(&DataError) -> bool,
    mut each: impl FnMut(&'p Path, B) -> Result<()>,
) -> Result<Finding> {
    let mut verdict = Finding::Positive;
    for path in files {
        let name = path.display();
        let (mut items, mut before) = (open(path).in_file(path)?, 0);
        while let Some(item) = items.next() {
            if how.stop.is_stopped() {
                return Ok(Finding::Interrupted);
            }
            how.bar.inc(at(&items).saturating_sub(before));
            before = at(&items);
            match item {
                Ok(item) => each(path, item)?,
                Err(error) if passes(&error) => {
                    warn(format_args!("zugwerk: {name}: {error}"));
                    verdict = Finding::Negative;
                }
                Err(error) => return Err(error).in_file(path),
            }
        }
    }
    Ok(verdict)
}
