//! `zugwerk data verify`: whether every byte is as it was written, and every position can be played from.

use std::{collections::HashSet, path::PathBuf};

use anyhow::Result;
use zugwerk::data::Tally;

use super::{Verdict, read};

/// Check that every block is whole and every record makes sense: a position that can be played from, with a legal move
#[derive(clap::Args)]
pub(super) struct Args {
    /// Files of training data
    #[arg(required = true)]
    files: Vec<PathBuf>,
}

/// Reads all of it and says what it found, file by file.
pub(super) fn run(args: &Args) -> Result<Verdict> {
    let mut sound = true;
    for path in &args.files {
        let (mut tally, mut keys, mut senseless) = (Tally::default(), HashSet::new(), 0_u64);
        let readable = read([path], |block| {
            for record in &block.records {
                match record.position() {
                    Ok(position) if record.legal_move(&position).is_some() => {
                        keys.insert(position.key());
                    }
                    _ => senseless += 1,
                }
            }
            tally.games += u64::from(block.games);
            tally.records += block.records.len() as u64;
            Ok(())
        })?;
        let Tally { records, games } = tally;
        let repeated = records - senseless - keys.len() as u64;
        println!(
            "{}: {records} positions of {games} games, {repeated} repeated, {senseless} without sense",
            path.display()
        );
        sound &= senseless == 0 && matches!(readable, Verdict::Positive);
    }
    Ok(if sound { Verdict::Positive } else { Verdict::Negative })
}
