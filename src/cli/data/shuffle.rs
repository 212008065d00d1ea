//! `zugwerk data shuffle`: shuffles positions for training and validation.

use std::{
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use anyhow::{Result, ensure};
use zugwerk::data::{Progress, Shuffle, ShuffleError};

use super::{Filters, Finding, say, warn};
use crate::cli::{interrupt, progress};

/// Shuffle positions, with temporary files next to the output that take 33 bytes a position
#[derive(clap::Args)]
pub(super) struct Args {
    /// Files of training data
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(long, short, alias = "out", value_name = "FILE")]
    output: PathBuf,
    /// Write a random part of the games, chosen before shuffling, to this file instead
    #[arg(long, value_name = "FILE")]
    validation: Option<PathBuf>,
    /// The probability that a game is for validation
    #[arg(long, value_name = "SHARE", default_value_t = 0.02, requires = "validation")]
    validation_share: f64,
    /// Seed of the shuffle
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Keep only the first of equal positions, for training and validation together
    #[arg(long)]
    unique: bool,
    /// Skip damaged blocks and exit with 1, instead of failing
    #[arg(long)]
    skip_damaged: bool,
    #[command(flatten)]
    filters: Filters,
}

/// Runs the shuffle.
pub(super) fn run(args: &Args) -> Result<Finding> {
    ensure!(
        (0.0..=1.0).contains(&args.validation_share),
        "expected a validation share of 0 to 1, got {}",
        args.validation_share
    );
    let plan = Shuffle {
        inputs: args.files.clone(),
        seed: args.seed,
        filter: args.filters.filter(),
        unique: args.unique,
        validation_share: args.validation_share,
        skip_damaged: args.skip_damaged,
    };
    let stop = interrupt::stop()?;
    let bar = progress::bar(0, "bytes");
    let done = plan.run(&args.output, args.validation.as_deref(), |progress| {
        let (message, done, all) = match progress {
            Progress::Reading(done, all) => ("reading", done, all),
            Progress::Writing(done, all) => ("writing", done, all),
        };
        bar.set_message(message);
        bar.set_length(all);
        bar.set_position(done);
        if stop.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    let counts = match done {
        Err(ShuffleError::Interrupted) => return Ok(Finding::Interrupted),
        done => done?,
    };
    let written = |path: &Path, positions: u64, games: u64| {
        say(format_args!("{}: {positions} positions of {games} games", path.display()))
    };
    written(&args.output, counts.training, counts.games - counts.validation_games)?;
    if let Some(path) = &args.validation {
        written(path, counts.validation, counts.validation_games)?;
    }
    say(format_args!(
        "{} positions read, {} filtered out, {} duplicates dropped",
        counts.read, counts.filtered, counts.duplicates
    ))?;
    if counts.damaged > 0 {
        warn(format_args!("zugwerk: {} damaged blocks were skipped", counts.damaged));
        return Ok(Finding::Negative);
    }
    Ok(Finding::Positive)
}
