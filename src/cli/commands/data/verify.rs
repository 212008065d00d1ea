//! `zugwerk data verify`: checks every block and every position.

use std::path::PathBuf;

use anyhow::Result;
use shakmaty::Position as _;
use zugwerk::workshop::data::Record;

use super::{ReadProgress, positions_of, read};
use crate::cli::shared::{input::check_each_once, print::print_text, status::ExitStatus};

/// Check that every block is undamaged and every record is valid: a playable position with a legal move, and
/// the result of the board where that move ends the game
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  zugwerk data verify games-*.zwd

Exit codes: 0 everything is valid, 1 a block is damaged or a record invalid, 2 bad usage or input, 130 interrupted.")]
pub(in crate::cli) struct Args {
    /// Files of training data
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Reads all files and reports the result of each.
pub(super) fn run(args: &Args) -> Result<ExitStatus> {
    check_each_once(&args.files)?;
    let (how, mut sound) = (ReadProgress::of(&args.files)?, true);
    for path in &args.files {
        let (mut records, mut games, mut invalid) = (0, 0, 0_u64);
        let readable = read([path], &how, |block| {
            for record in &block.records {
                invalid += u64::from(!is_sound(record));
            }
            games += block.games;
            records += block.records.len() as u64;
            Ok(())
        })?;
        let complete = readable != ExitStatus::Interrupted;
        sound &= invalid == 0 && readable != ExitStatus::Negative;
        let so_far = if complete { "" } else { ", interrupted" };
        print_text(format_args!(
            "{}: {}, {invalid} invalid{so_far}",
            path.display(),
            positions_of(records, games)
        ))?;
        if !complete {
            break;
        }
    }
    Ok(match sound {
        false => ExitStatus::Negative,
        true if how.stop.is_stopped() => ExitStatus::Interrupted,
        true => ExitStatus::Positive,
    })
}

/// Whether the position can be played, its move is legal, and a position that this move ends the game with
/// has the result of the record.
fn is_sound(record: &Record) -> bool {
    let Ok(mut position) = record.position() else { return false };
    let Some(m) = record.legal_move(&position) else { return false };
    position.play(m);
    position.chess().outcome().known().is_none_or(|end| end == record.result())
}
