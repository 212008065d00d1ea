//! `zugwerk eval`: shows the evaluation of a position, piece by piece.

use std::path::PathBuf;

use zugwerk::{engine::diagram, lessons::drawing::worths};

use crate::cli::shared::{
    evaluator::EvaluatorFlags,
    output::{self, Force},
    position::PositionFlags,
    status::ExitStatus,
};

/// Show the contribution of each piece to the evaluation of a position
#[derive(clap::Args)]
#[command(mut_arg("force", |force| force.requires("svg")))]
#[command(after_help = "\
Example:
  zugwerk eval --fen '4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1' --evaluator classical

Exit codes: 0 done, 2 bad usage or input.")]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    position: PositionFlags,
    #[command(flatten)]
    evaluator: EvaluatorFlags,
    /// Also draw what each piece is worth, by a network and by the classical evaluator side by side
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
}

pub(in crate::cli) fn run(args: &Args) -> anyhow::Result<ExitStatus> {
    let position = args.position.position()?;
    args.svg.iter().try_for_each(|path| output::check_ending(path, &["svg"]))?;
    let svg = args.svg.as_deref().map(|path| args.force.open(path, args.evaluator.file())).transpose()?;
    let evaluator = args.evaluator.evaluator()?;
    if let Some(svg) = svg {
        svg.write(worths::draw(&position, &evaluator).as_bytes())?;
    }
    let text = diagram::evaluation(&position, &evaluator) + "\n";
    output::print_result(args.svg.as_deref(), text)?;
    Ok(ExitStatus::Positive)
}
