//! `zugwerk data loss`: computes the training loss of evaluators.

use std::{path::PathBuf, sync::Arc};

use anyhow::{Result, ensure};
use zugwerk::{
    engine::{
        eval::{EvaluatorChoice, EvaluatorKind, network::Network},
        wdl::{BAND, BANDS, Curve},
    },
    workshop::train::{Accepted, SCALE, ValueSource, ValuedPositions},
};

use crate::cli::shared::{
    filter::FilterFlags,
    input::{InFile as _, check_each_once},
    print::print_text,
    progress,
    status::ExitStatus,
    table::{fit, table},
    threads::with_threads,
};

/// Show the loss of an evaluator on positions, by the formula that `zugwerk train` minimises
///
/// For the scores of the search it also fits the curves of the chances of winning, by material
/// (src/engine/wdl.rs).
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  zugwerk data loss validation.zwd
  zugwerk data loss validation.zwd --eval-file best.zwn

Exit codes: 0 done, 2 bad usage or input.")]
pub(in crate::cli) struct Args {
    /// Files of training data
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// A network to measure; may be given several times [default: the embedded network, if there is one, the
    /// classical evaluator and the scores of the search]
    #[arg(long, alias = "network", value_name = "FILE")]
    eval_file: Vec<PathBuf>,
    /// Share of the game's result in the target, 0 to 1
    #[arg(long, value_name = "SHARE", default_value_t = 0.3)]
    result_share: f32,
    #[command(flatten)]
    filter: FilterFlags,
    /// Threads
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
}

/// Prints a row for each evaluator.
pub(super) fn run(args: &Args) -> Result<ExitStatus> {
    ensure!((0.0..=1.0).contains(&args.result_share), "--result-share: expected 0 to 1");
    check_each_once(&args.files)?;
    with_threads(args.threads, || show(args))
}

fn show(args: &Args) -> Result<ExitStatus> {
    let mut sources = Vec::new();
    for path in &args.eval_file {
        let network = Network::read(path).in_file(path)?;
        sources.push((path.display().to_string(), ValueSource::Network(Arc::new(network))));
    }
    if sources.is_empty() {
        if EvaluatorKind::DEFAULT == EvaluatorKind::Network {
            sources.push(("network".to_owned(), ValueSource::Network(EvaluatorChoice::default().network()?)));
        }
        sources.push(("classical".to_owned(), ValueSource::Classical));
        sources.push(("search".to_owned(), ValueSource::Search));
    }
    let (live, mut rows, mut counts, mut chances) =
        (progress::live(), Vec::new(), Accepted::default(), String::new());
    for (name, source) in sources {
        live.set_message(name.clone());
        let valued = ValuedPositions::of(&source, &args.files, args.filter.filter(), args.threads)?;
        counts = valued.counts;
        ensure!(counts.positions > 0, "no positions: {counts}");
        let scale = valued.best_scale(args.result_share);
        let [plain, least] = [SCALE, scale].map(|scale| valued.loss(args.result_share, scale));
        if matches!(source, ValueSource::Search) {
            chances = describe(valued.wdl());
        }
        let more = if scale < ValuedPositions::LARGEST_SCALE { "" } else { " or more" };
        rows.push([name, format!("{plain:.6}"), format!("{least:.6}"), format!("{scale}{more}")]);
    }
    let at_scale = format!("loss at scale {SCALE}");
    let head = ["evaluator", at_scale.as_str(), "least loss", "at scale"];
    let text = format_args!("{}\n{chances}{}", table(head, rows, &[0]), fit(&counts.to_string()));
    print_text(text)?;
    Ok(ExitStatus::Positive)
}

/// The material of a band: `20..39`.
fn bounds(band: usize) -> String {
    let from = band * BAND as usize;
    if band + 1 < BANDS {
        format!("{from}..{}", from + BAND as usize - 1)
    } else {
        format!("{from} and more")
    }
}

/// The curves of the chances of winning, for each band of material that occurs.
fn describe(curves: [(Curve, usize); BANDS]) -> String {
    let row = |(band, (Curve { midpoint, spread }, positions)): (usize, (Curve, usize))| {
        [bounds(band), positions.to_string(), format!("{midpoint:.0}"), format!("{spread:.0}")]
    };
    let rows = curves.into_iter().enumerate().filter(|(_, (_, positions))| *positions > 0).map(row);
    table(["material, in pawns", "positions", "midpoint", "spread"], rows, &[0])
}
