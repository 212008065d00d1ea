//! `zugwerk data convert`: converts positions of version 1 to games.

use std::path::PathBuf;

use anyhow::Result;
use serde_json::json;
use zugwerk::data::{Converted, convert};

use super::{Finding, convert_file, positions, warn_of_skipped};
use crate::cli::{OutputFlags, counted};

/// Convert the positions of a file of version 1 to games, which take a ninth of the space
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  zugwerk data convert own5.zwd --output own5-games.zwd --recipe \"datagen --nodes 1500 --seed 20261201\"

Exit codes: 0 written, 1 damaged blocks or unplayable positions were left out, 2 bad usage or input, 130
interrupted (nothing is written).")]
pub(in crate::cli) struct Args {
    /// A file of positions in the order of their games
    file: PathBuf,
    #[command(flatten)]
    to: OutputFlags,
    /// How the file was made, for the new header; version 1 does not record it [default: none]
    #[arg(long, value_name = "TEXT")]
    recipe: Option<String>,
    /// Skip damaged blocks and exit with 1, instead of failing
    #[arg(long)]
    skip_damaged: bool,
}

/// Runs the conversion.
pub(super) fn run(args: &Args) -> Result<Finding> {
    let recipe = args.recipe.as_ref().map_or(serde_json::Value::Null, |text| text.as_str().into());
    let done = convert_file(&args.file, &args.to, |output, each| {
        convert(&args.file, output, recipe, args.skip_damaged, each)
    })?;
    let Some(Converted { read, written, games, pieces, unplayable, damaged }) = done else {
        return Ok(Finding::Interrupted);
    };
    let text = format_args!(
        "{}: {written} of {} in {} of {}, {unplayable} unplayable left out",
        args.to.output.display(),
        positions(read),
        counted(games, "game", "games"),
        counted(pieces, "piece", "pieces")
    );
    let json = json!({
        "read": read, "positions": written, "games": games, "pieces": pieces, "unplayable": unplayable,
        "damaged_blocks": damaged,
    });
    args.to.tell(text, &json)?;
    warn_of_skipped(damaged);
    Ok(if damaged + unplayable > 0 { Finding::Negative } else { Finding::Positive })
}
