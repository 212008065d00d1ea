//! `zugwerk data rescore`: rescores existing data with the current program.

use std::path::PathBuf;

use anyhow::{Context as _, Result};
use serde_json::json;
use zugwerk::{
    datagen::{Rescore, signature},
    search::Searcher,
    tt::Table,
};

use super::Finding;
use crate::cli::{EvaluatorFlags, interrupt, output, progress};

/// Search every position of a file again with the current program
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  zugwerk data rescore games.zwd --output again.zwd --nodes 400 --threads 2

Exit codes: 0 written, 2 bad usage or input, 130 interrupted (--resume continues).")]
pub(in crate::cli) struct Args {
    /// A file of games or positions
    file: PathBuf,
    /// The file to write: the same games or positions, with other scores and best moves
    #[arg(long, short, alias = "out", value_name = "FILE")]
    output: PathBuf,
    /// Nodes per position: no new iteration begins after this many (and no search exceeds eight times as many)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Number of searches at the same time, one thread each
    #[arg(long, alias = "concurrency", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,
    /// Hash table of each thread, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    #[command(flatten)]
    evaluator: EvaluatorFlags,
    /// Continue the output, which must have been made by the same program with the same flags
    #[arg(long)]
    resume: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// Runs the searches.
pub(super) fn run(args: &Args) -> Result<Finding> {
    output::refuse_stdout("--output", &args.output)?;
    output::check_no_input(&args.output, [&args.file])?;
    if !args.resume {
        super::check_new(&args.output, Rescore::TOOL)?;
    }
    let (evaluator, name) = (args.evaluator.evaluator()?, args.evaluator.provenance()?);
    Table::new(args.hash as usize * usize::from(args.threads)).context("--hash")?;
    let plan = Rescore {
        input: args.file.clone(),
        output: args.output.clone(),
        nodes: args.nodes,
        hash: args.hash as usize,
    };
    let bench = signature(&evaluator);
    let searcher = || Searcher::with_evaluator(args.hash as usize, evaluator.clone());
    let stop = interrupt::stop()?;
    let bar = progress::bar(0, "positions");
    let done = plan.run((name, bench), searcher, args.threads.into(), args.resume, &stop, |done| {
        bar.set_length(done.total);
        bar.set_position(done.positions);
    });
    let done = done?;
    let output = args.output.display();
    let (positions, total) = (done.positions, done.total);
    let text = format_args!("{output}: {positions} of {} rescored", super::positions(total));
    let json = json!({ "positions": positions, "total": total, "complete": positions == total });
    output::tell([&*args.output], args.json, text, &json)?;
    Ok(if positions == total { Finding::Positive } else { Finding::Interrupted })
}
