//! `zugwerk data convert`: positions of version 1 as games.

use std::{ops::ControlFlow, path::PathBuf};

use anyhow::{Context as _, Result};
use zugwerk::data::{ConvertError, Converted, convert};

use super::{Finding, say, warn};
use crate::cli::{interrupt, progress};

/// Write the positions of a file of version 1 as games, which takes a ninth of the room
#[derive(clap::Args)]
pub(super) struct Args {
    /// A file of positions in the order of their games
    file: PathBuf,
    /// The file to write
    #[arg(long, short, alias = "out", value_name = "FILE")]
    output: PathBuf,
    /// How the file was made, since it does not say so itself: kept in the new header
    #[arg(long, value_name = "TEXT")]
    recipe: Option<String>,
    /// Pass over damaged blocks, and exit with 1, instead of failing
    #[arg(long)]
    skip_damaged: bool,
}

/// Converts.
pub(super) fn run(args: &Args) -> Result<Finding> {
    let stop = interrupt::stop()?;
    let bar = progress::bytes([&args.file]);
    let recipe = args.recipe.as_ref().map_or(serde_json::Value::Null, |text| text.as_str().into());
    let done = convert(&args.file, &args.output, recipe, args.skip_damaged, |position| {
        bar.set_position(position);
        if stop.is_stopped() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    });
    bar.finish_and_clear();
    let Converted { read, written, games, pieces, unplayable, damaged } = match done {
        Err(ConvertError::Interrupted) => return Ok(Finding::Interrupted),
        done => done.with_context(|| args.file.display().to_string())?,
    };
    say(format_args!(
        "{}: {written} of {read} positions in {games} games of {pieces} pieces, {unplayable} unplayable left out",
        args.output.display()
    ))?;
    if damaged > 0 {
        warn(format_args!("zugwerk: {damaged} damaged blocks were passed over"));
    }
    Ok(if damaged + unplayable > 0 { Finding::Negative } else { Finding::Positive })
}
