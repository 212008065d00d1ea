//! `zugwerk bench`: how fast the engine is, and whether it still does the same.

use std::io::{self, Write as _};

use zugwerk::{
    bench,
    search::{Stop, Techniques},
};

use super::{Finding, evaluator::EvaluatorFlags};

/// Search a fixed set of positions; the last line is `N nodes M nps`
///
/// One thread, a hash table of 16 MiB. The number of nodes is the same on every computer and changes exactly when the
/// search does.
#[derive(clap::Args)]
pub(super) struct Args {
    /// How deep to search, in plies
    #[arg(default_value_t = bench::DEFAULT_DEPTH)]
    depth: u32,
    #[command(flatten)]
    evaluator: EvaluatorFlags,
    /// Switch techniques of the search off: names separated by commas; a wrong one lists them all
    #[arg(long, value_name = "NAMES", default_value = "", hide_default_value = true, value_parser = Techniques::without)]
    without: Techniques,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Finding> {
    let evaluator = args.evaluator.evaluator()?;
    let mut out = io::stdout().lock();
    let stop = Stop::default();
    let mut written = Ok(());
    let total = bench::run(args.depth, evaluator, args.without, &stop, |number, fen, nodes| {
        written = writeln!(out, "{number:>3} {nodes:>10}  {fen}");
        if written.is_err() {
            stop.stop();
        }
    });
    written?;
    writeln!(out, "{} nodes {} nps", total.nodes, total.nps())?;
    Ok(Finding::Positive)
}
