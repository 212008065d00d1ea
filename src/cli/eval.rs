//! `zugwerk eval`: what the evaluator thinks of a position, piece by piece.

use std::io::{self, Write as _};

use zugwerk::{diagram, position::Position};

use super::{Finding, evaluator::EvaluatorFlags};

/// Show what each piece adds to the evaluation of a position
#[derive(clap::Args)]
pub(super) struct Args {
    /// The position; the starting position if left out
    #[arg(long)]
    fen: Option<String>,
    #[command(flatten)]
    evaluator: EvaluatorFlags,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Finding> {
    let position = position(args.fen.as_deref())?;
    writeln!(io::stdout(), "{}", diagram::evaluation(&position, &args.evaluator.evaluator()?))?;
    Ok(Finding::Positive)
}

/// The position of `fen`, or the starting position.
pub(super) fn position(fen: Option<&str>) -> anyhow::Result<Position> {
    let Some(fen) = fen else { return Ok(Position::default()) };
    Position::from_fen(fen)
        .map_err(|error| anyhow::anyhow!("expected a FEN to play from, got \"{fen}\" ({error})"))
}
