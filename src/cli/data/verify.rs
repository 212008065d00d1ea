//! `zugwerk data verify`: checks every block and every position.

use std::{collections::HashSet, path::PathBuf};

use anyhow::Result;
use zugwerk::data::{Record, Totals};

use super::{Finding, read, say};

/// Check that every block is undamaged and every record is valid: a playable position with a legal move
#[derive(clap::Args)]
pub(super) struct Args {
    /// Files of training data
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Count repeated positions, which takes up to 50 bytes of memory for each
    #[arg(long)]
    duplicates: bool,
}

/// Reads all files and reports the result of each.
pub(super) fn run(args: &Args) -> Result<Finding> {
    let mut sound = true;
    for path in &args.files {
        let (mut tally, mut seen) = (Totals::default(), HashSet::new());
        let (mut repeated, mut senseless) = (0_u64, 0_u64);
        let readable = read([path], |block| {
            for record in &block.records {
                let is_sound = record.position().is_ok_and(|it| record.legal_move(&it).is_some());
                senseless += u64::from(!is_sound);
                if args.duplicates && !seen.insert(Record::identity_of(&record.to_bytes())) {
                    repeated += 1;
                }
            }
            tally.games += u64::from(block.games);
            tally.records += block.records.len() as u64;
            Ok(())
        })?;
        let Totals { records, games, .. } = tally;
        let repeated = if args.duplicates { format!(", {repeated} repeated") } else { String::new() };
        say(format_args!(
            "{}: {records} positions of {games} games{repeated}, {senseless} invalid",
            path.display()
        ))?;
        sound &= senseless == 0 && matches!(readable, Finding::Positive);
    }
    Ok(if sound { Finding::Positive } else { Finding::Negative })
}
