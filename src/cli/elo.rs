//! `zugwerk elo`: computes the statistics of a match from its result.

use anyhow::{Result, bail, ensure};
use clap::ArgAction;
use serde_json::json;
use zugwerk::stats::elo::{Estimate, Pentanomial, Trinomial};
use zugwerk::stats::sprt::{Sprt, SprtRun};

use super::r#match::{estimates, list, sprt_line};
use super::{ExitStatus, fit, report_result};

const AFTER_HELP: &str = "\
Examples:
  zugwerk elo 120 260 100
  zugwerk elo --pentanomial 30 180 420 210 40 --sprt elo0=0 elo1=5

Exit codes: 0 success, or the test accepts H1; 1 the test accepts H0; 2 bad usage; 3 the test is undecided.";

/// Compute the statistics of a match result: Elo, normalised Elo, likelihood of superiority, and a sequential test.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Games won, drawn and lost.
    #[arg(value_names = ["WINS", "DRAWS", "LOSSES"], num_args = 3, conflicts_with = "pentanomial", required_unless_present = "pentanomial")]
    games: Vec<u32>,

    /// Pairs of games on one opening, by points: 0, ½, 1, 1½, 2.
    #[arg(long, value_name = "N", num_args = 5, action = ArgAction::Set)]
    pentanomial: Option<Vec<u32>>,

    /// With --pentanomial, a sequential test: elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic (or normalised)
    /// [default: no test].
    #[arg(long, value_name = "KEY=VALUE", num_args = 0.., requires = "pentanomial")]
    sprt: Option<Vec<String>>,

    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

/// Prints the statistics.
pub(crate) fn run(args: &Args) -> Result<ExitStatus> {
    // Clap passes over `requires` where that flag conflicts with an argument that is given.
    ensure!(
        args.sprt.is_none() || args.pentanomial.is_some(),
        "--sprt: expected --pentanomial, the results of pairs, got those of single games"
    );
    let test = list("--sprt", args.sprt.as_ref(), Sprt::parse)?;
    let (estimate, sprt) = match &args.pentanomial {
        Some(counts) => {
            let pairs = Pentanomial(std::array::from_fn(|points| u64::from(counts[points])));
            (pairs.estimate(), test.map(|test| SprtRun::after(test, pairs)))
        }
        None => {
            let [wins, draws, losses] = [0, 1, 2].map(|index| u64::from(args.games[index]));
            (Trinomial { wins, draws, losses }.estimate(), None)
        }
    };
    let Some(estimate) = estimate else {
        bail!("no games: there is nothing to estimate from");
    };
    let json = json!({ "estimate": estimate, "sprt": sprt });
    report_result(args.json, fit(&in_words(&estimate, sprt)), &json)?;
    Ok(sprt.map_or(ExitStatus::Positive, |sprt| sprt.verdict().into()))
}

fn in_words(estimate: &Estimate, sprt: Option<SprtRun>) -> String {
    let score = format!("score {:.2} %\n{}\n", 100.0 * estimate.score, estimates(estimate));
    score + &sprt.map(|sprt| sprt_line(&sprt)).unwrap_or_default()
}
