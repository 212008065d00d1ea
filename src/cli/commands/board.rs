//! `zugwerk board`: draws a position.

use std::path::PathBuf;

use shakmaty::Square;
use zugwerk::{
    engine::diagram,
    pages::board::{self, BoardView},
};

use crate::cli::shared::{
    output::{self, Force},
    position::PositionFlags,
    print::{print_text, warn},
    status::ExitStatus,
};

/// Draw a position, as text or as a picture
///
/// Without -o the board is printed as text, with its FEN, its hash key and the pieces that give check.
#[derive(clap::Args)]
#[command(mut_arg("force", |force| force.requires("output")))]
#[command(after_help = "\
Example:
  zugwerk board '4k3/2p5/3p4/8/8/8/3Q4/4K3 w - - 0 1' --arrow d2d6 -o trap.svg

Exit codes: 0 drawn, 2 bad usage or input.")]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    position: PositionFlags,
    /// Draw Black at the bottom
    #[arg(long)]
    flip: bool,
    /// The SVG file to write, or `-` for standard output
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Arrows, each as two squares, separated by commas
    #[arg(long, value_name = "e2e4", value_delimiter = ',', value_parser = arrow, requires = "output")]
    arrow: Vec<[Square; 2]>,
    /// Squares to mark, separated by commas
    #[arg(long, value_name = "e4", value_delimiter = ',', value_parser = square, requires = "output")]
    mark: Vec<Square>,
}

fn square(text: &str) -> Result<Square, String> {
    text.parse().map_err(|_| format!("expected a square such as e4, got `{text}`"))
}

fn arrow(text: &str) -> Result<[Square; 2], String> {
    let ends = text.split_at_checked(2).and_then(|(from, to)| Some([from.parse().ok()?, to.parse().ok()?]));
    ends.ok_or_else(|| format!("expected two squares such as e2e4, got `{text}`"))
}

pub(in crate::cli) fn run(args: &Args) -> anyhow::Result<ExitStatus> {
    let position = args.position.position()?;
    let Some(path) = &args.output else {
        print_text(diagram::board(&position, args.flip))?;
        return Ok(ExitStatus::Positive);
    };
    output::check_ending(path, &["svg"])?;
    let output = args.force.open(path, [])?;
    let view = BoardView {
        flipped: args.flip,
        marked: args.mark.clone(),
        arrows: args.arrow.clone(),
        worths: Vec::new(),
    };
    output.write(board::file(&position, &view).as_bytes())?;
    warn(format_args!("{}: drawn", path.display()));
    Ok(ExitStatus::Positive)
}
