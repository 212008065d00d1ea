//! `zugwerk data export`: writes files for other trainers.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use serde_json::json;
use zugwerk::data::{Filter, Format, export};

use super::{Filters, Finding, convert_file, positions};
use crate::cli::OutputFlags;

/// Write a file in the format of another trainer; filters are for bulletformat only
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  zugwerk data export games.zwd --output games.vf --format viriformat
  zugwerk data export training.zwd --output training.bin --format bulletformat --quiet

Exit codes: 0 written, 2 bad usage or input, 130 interrupted (nothing is written).")]
pub(in crate::cli) struct Args {
    /// A file of training data; for viriformat, of games
    file: PathBuf,
    #[command(flatten)]
    to: OutputFlags,
    /// viriformat (games) or bulletformat (positions)
    #[arg(long, value_enum)]
    format: Name,
    #[command(flatten)]
    filters: Filters,
}

#[derive(Clone, Copy, clap::ValueEnum)]
enum Name {
    Viriformat,
    Bulletformat,
}

/// Runs the export.
pub(super) fn run(args: &Args) -> Result<Finding> {
    let filter = args.filters.filter();
    let format = match args.format {
        Name::Viriformat => {
            ensure!(
                filter == Filter::default(),
                "expected filters with bulletformat only: viriformat has whole games"
            );
            Format::Viriformat
        }
        Name::Bulletformat => Format::Bulletformat(filter),
    };
    let done = convert_file(&args.file, &args.to, |output, each| export(&args.file, output, format, each))?;
    let Some(count) = done else { return Ok(Finding::Interrupted) };
    let text = format_args!("{}: {}", args.to.output.display(), positions(count));
    args.to.tell(text, &json!({ "positions": count }))?;
    Ok(Finding::Positive)
}
