//! `zugwerk data verify`: checks every block and every position.

use std::{collections::HashSet, path::PathBuf};

use anyhow::Result;
use serde_json::json;
use zugwerk::data::Record;

use super::{Finding, Reading, positions_of, read, report, report_json};

/// Check that every block is undamaged and every record is valid: a playable position with a legal move
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  zugwerk data verify games-*.zwd --duplicates

Exit codes: 0 everything is valid, 1 a block is damaged or a record invalid, 2 bad usage or input, 130 interrupted.")]
pub(in crate::cli) struct Args {
    /// Files of training data
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Count repeated positions, which takes up to 50 bytes of memory for each
    #[arg(long)]
    duplicates: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Reads all files and reports the result of each.
pub(super) fn run(args: &Args) -> Result<Finding> {
    let (how, mut sound, mut files) = (Reading::of(&args.files)?, true, Vec::new());
    for path in &args.files {
        let (mut records, mut games, mut seen) = (0, 0, HashSet::new());
        let (mut repeated, mut senseless) = (0_u64, 0_u64);
        let readable = read([path], &how, |_, block| {
            for record in &block.records {
                let is_sound = record.position().is_ok_and(|it| record.legal_move(&it).is_some());
                senseless += u64::from(!is_sound);
                if args.duplicates && !seen.insert(Record::identity_of(&record.to_bytes())) {
                    repeated += 1;
                }
            }
            games += u64::from(block.games);
            records += block.records.len() as u64;
            Ok(())
        })?;
        let complete = readable != Finding::Interrupted;
        sound &= senseless == 0 && readable != Finding::Negative;
        if args.json {
            files.push(json!({
                "file": path.display().to_string(), "positions": records, "games": games,
                "repeated": args.duplicates.then_some(repeated), "invalid": senseless,
                "damaged": readable == Finding::Negative, "complete": complete,
            }));
        } else {
            let repeated = if args.duplicates { format!(", {repeated} repeated") } else { String::new() };
            let so_far = if complete { "" } else { ", interrupted" };
            report(format_args!(
                "{}: {}{repeated}, {senseless} invalid{so_far}",
                path.display(),
                positions_of(records, games)
            ))?;
        }
        if !complete {
            break;
        }
    }
    if args.json {
        report_json(&files)?;
    }
    Ok(match sound {
        false => Finding::Negative,
        true if how.stop.is_stopped() => Finding::Interrupted,
        true => Finding::Positive,
    })
}
