//! `zugwerk bench`: measures the speed of the engine, and the signature of its search.

use zugwerk::engine::{bench, search::Techniques};

use crate::cli::shared::{
    evaluator::EvaluatorFlags,
    interrupt,
    print::{say, warn},
    progress,
    status::ExitStatus,
    techniques::WithoutParser,
};

/// Search a fixed set of positions; the last line is `N nodes M nps`
///
/// It uses one thread and a hash table of 16 MiB. The number of nodes is the same on every computer; it
/// changes only when the search changes.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  zugwerk bench
  zugwerk bench 10 --evaluator classical --without null_move

Exit codes: 0 done, 2 bad usage, 130 interrupted (the total so far is on standard error).")]
pub(in crate::cli) struct Args {
    /// Depth of the search, in plies
    #[arg(default_value_t = bench::DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..=240))]
    depth: u32,
    #[command(flatten)]
    evaluator: EvaluatorFlags,
    /// Switch techniques of the search off: names separated by commas (`--without ?` lists them) [default:
    /// none]
    #[arg(long, value_name = "NAMES", default_value = "", hide_default_value = true, value_parser = WithoutParser)]
    without: Techniques,
}

pub(in crate::cli) fn run(args: &Args) -> anyhow::Result<ExitStatus> {
    let evaluator = args.evaluator.evaluator()?;
    let stop = interrupt::stop()?;
    let mut written = Ok(());
    let bar = progress::bar(bench::positions().count() as u64, "positions");
    let total = bench::run(args.depth, evaluator, args.without, &stop, |number, fen, nodes| {
        bar.inc(1);
        written = say(format_args!("{number:>3} {nodes:>10}  {fen}"));
        if written.is_err() {
            stop.stop();
        }
    });
    written?;
    let (nodes, nps) = (total.nodes, total.nps());
    if stop.is_stopped() {
        warn(format_args!("interrupted: {nodes} nodes {nps} nps so far"));
        return Ok(ExitStatus::Interrupted);
    }
    say(format_args!("{nodes} nodes {nps} nps"))?;
    Ok(ExitStatus::Positive)
}
