//! `zugwerk data shuffle`: shuffles positions for training and validation.

use std::{
    iter,
    ops::ControlFlow,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};
use serde_json::json;
use zugwerk::{
    data::{Filter, Shuffle, ShuffleError, ShuffleProgress, Shuffled},
    value::Value,
};

use super::{ExitStatus, positions, positions_of};
use crate::cli::output::{self, Output};
use crate::cli::{OutputFlags, counted, interrupt, progress, warn};

/// Shuffle positions, with temporary files next to the output that take 33 bytes a position
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  zugwerk data shuffle *.zwd --quiet --unique --output training.zwd \\
      --validation validation.zwd

Exit codes: 0 written, 2 bad usage or input, 130 interrupted (nothing is written).")]
pub(in crate::cli) struct Args {
    /// Files of training data
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    to: OutputFlags,
    /// Write a random part of the games, chosen before shuffling, to this file instead [default: none]
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
    /// Leave out positions in check, those whose best move is a capture or a promotion, and scores of mates
    #[arg(long)]
    quiet: bool,
    /// Leave out larger scores for either side, in centipawns [default: none]
    #[arg(long, value_name = "CP", value_parser = clap::value_parser!(u16).range(..=32_000))]
    score_limit: Option<u16>,
    /// Leave out positions before this ply of the game
    #[arg(long, value_name = "PLY", default_value_t = 0)]
    first_ply: u16,
}

/// Runs the shuffle.
pub(super) fn run(args: &Args) -> Result<ExitStatus> {
    let plan = plan(args)?;
    if let Some(path) = &args.validation {
        output::check_distinct(&args.to.output, path)?;
    }
    let training = args.to.open(&args.files)?;
    let validation =
        args.validation.as_deref().map(|path| args.to.force.open(path, &args.files)).transpose()?;
    let stop = interrupt::stop()?;
    let bar = progress::bar(0, "bytes");
    let validation_path = validation.as_ref().map(Output::path);
    let done = plan.run(&training.path(), validation_path.as_deref(), |progress| {
        let (message, done, all) = match progress {
            ShuffleProgress::Reading(done, all) => ("reading", done, all),
            ShuffleProgress::Writing(done, all) => ("writing", done, all),
        };
        bar.set_message(message);
        bar.set_length(all);
        bar.set_position(done);
        if stop.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    let counts = match done {
        Err(ShuffleError::Interrupted) => return Ok(ExitStatus::Interrupted),
        Err(ShuffleError::Output { path, error }) => {
            let output = validation.as_ref().filter(|output| output.path() == path).unwrap_or(&training);
            return Err(error).with_context(|| output.cannot_write());
        }
        done => done?,
    };
    output::end_all(iter::once(training).chain(validation), Output::finish)?;
    report(args, &counts)?;
    Ok(ExitStatus::Positive)
}

/// Converts the flags to the parameters of the shuffle.
fn plan(args: &Args) -> Result<Shuffle> {
    ensure!(
        (0.0..=1.0).contains(&args.validation_share),
        "expected a validation share of 0 to 1, got {}",
        args.validation_share
    );
    let filter = Filter {
        score_limit: args.score_limit.map(Value::from),
        first_ply: args.first_ply,
        ..if args.quiet { Filter::QUIET } else { Filter::default() }
    };
    Ok(Shuffle {
        inputs: args.files.clone(),
        seed: args.seed,
        filter,
        unique: args.unique,
        validation_share: args.validation_share,
    })
}

/// Prints what was written, and warnings.
fn report(args: &Args, counts: &Shuffled) -> Result<()> {
    let &Shuffled { read, loose, filtered, duplicates, training, validation, .. } = counts;
    let (validation_games, games) = (counts.validation_games, counts.games - counts.validation_games);
    let written = |path: &Path, count, games| {
        // Of a game all positions may be duplicates, and loose ones belong to none.
        let games = if args.unique || loose > 0 { 0 } else { games };
        format!("{}: {}\n", path.display(), positions_of(count, games))
    };
    let mut text = written(&args.to.output, training, games);
    if let Some(path) = &args.validation {
        text += &written(path, validation, validation_games);
    }
    let json = json!({
        "read": read, "loose": loose, "filtered": filtered, "duplicates": duplicates, "positions": training,
        "games": games, "validation_positions": validation, "validation_games": validation_games,
    });
    let text = format_args!(
        "{text}{} read, {filtered} filtered out, {} dropped",
        positions(read),
        counted(duplicates, "duplicate", "duplicates")
    );
    let outputs = [Some(&args.to.output), args.validation.as_ref()];
    output::tell(outputs.into_iter().flatten().map(PathBuf::as_path), args.to.json, text, &json)?;
    if args.validation.is_some() && loose > 0 {
        warn(format_args!(
            "zugwerk: {loose} of {read} positions belong to no game, as after `shuffle` or `pack`, and were divided \
             one by one: positions of the same game may be in both files"
        ));
    }
    Ok(())
}
