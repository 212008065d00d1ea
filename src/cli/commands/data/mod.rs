//! `zugwerk data`: shows, checks and makes files of training data.

mod loss;
mod pack;
mod show;
mod verify;

use std::{path::PathBuf, sync::Arc};

use anyhow::Result;
use clap::Subcommand;
use indicatif::ProgressBar;
use zugwerk::{
    engine::search::Stop,
    words::counted,
    workshop::data::{Block, Blocks},
};

use crate::cli::shared::{input::InFile as _, interrupt, print::warn, progress, status::ExitStatus};

const AFTER_HELP: &str = "\
Examples:
  zugwerk data show games.zwd
  zugwerk data verify games.zwd
  zugwerk data loss held-out.zwd --eval-file best.zwn
  zugwerk data pack openbench.pgn --output games.zwd

Exit codes: 0 success; 1 a part of a file could not be read or is invalid (details on standard error); 2 bad usage or \
input; 130 interrupted.";

/// Show and check files of training data, and make them from PGN
#[derive(Subcommand)]
#[command(after_help = AFTER_HELP)]
pub(in crate::cli) enum Command {
    Loss(loss::Args),
    Show(show::Args),
    Verify(verify::Args),
    Pack(pack::Args),
}

/// Runs the tool.
pub(in crate::cli) fn run(command: &Command) -> Result<ExitStatus> {
    match command {
        Command::Loss(args) => loss::run(args),
        Command::Show(args) => show::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Pack(args) => pack::run(args),
    }
}

/// A number of positions in words.
fn positions(count: u64) -> String {
    counted(count, "position", "positions")
}

/// A number of positions in words, and of their games.
fn positions_of(count: u64, games: u64) -> String {
    format!("{} of {}", positions(count), counted(games, "game", "games"))
}

/// How a file is read.
struct ReadProgress {
    bar: ProgressBar,
    stop: Arc<Stop>,
}

impl ReadProgress {
    /// With a bar for the bytes of all `files`. Ctrl-C ends the reading.
    fn of<'p>(files: impl IntoIterator<Item = &'p PathBuf>) -> Result<Self> {
        Ok(Self { bar: progress::bytes(files), stop: interrupt::stop()? })
    }
}

/// Passes the blocks of `files` to `each`, and reports where a file is damaged.
fn read<'p>(
    files: impl IntoIterator<Item = &'p PathBuf>,
    how: &ReadProgress,
    mut each: impl FnMut(Block) -> Result<()>,
) -> Result<ExitStatus> {
    let mut status = ExitStatus::Positive;
    for path in files {
        let (mut blocks, mut before) = (Blocks::open(path).in_file(path)?, 0);
        while let Some(block) = blocks.next() {
            if how.stop.is_stopped() {
                return Ok(ExitStatus::Interrupted);
            }
            how.bar.inc(blocks.position().saturating_sub(before));
            before = blocks.position();
            match block {
                Ok(block) => each(block)?,
                Err(error) if error.is_damage() => {
                    warn(format_args!("zugwerk: {}: {error}", path.display()));
                    status = ExitStatus::Negative;
                }
                Err(error) => return Err(error).in_file(path),
            }
        }
    }
    Ok(status)
}
