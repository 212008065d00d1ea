//! `zugwerk elo`: computes the statistics of a match from its result.

use anyhow::{Result, anyhow, bail};
use clap::ArgAction;
use serde_json::json;
use zugwerk::arena::stats::{
    elo::{Estimate, Pentanomial, Trinomial},
    sprt::{Sprt, SprtRun},
};

use crate::cli::shared::{print::report_result, settings::settings, status::ExitStatus, table::fit};

const AFTER_HELP: &str = "\
Examples:
  zugwerk elo 120 260 100
  zugwerk elo +120 =260 -100
  zugwerk elo --sprt elo0=0 elo1=5 120 260 100
  zugwerk elo --pentanomial 30 180 420 210 40 --sprt elo0=0 elo1=5

Exit codes: 0 success, or the test accepts H1; 1 the test accepts H0; 2 bad usage; 3 the test is undecided.";

/// Compute the statistics of a match result: Elo, normalised Elo, likelihood of superiority, and a sequential test.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Games won, drawn and lost: 120 260 100, or in any order +120 =260 -100.
    #[arg(allow_negative_numbers = true, value_names = ["WINS", "DRAWS", "LOSSES"], num_args = 3, conflicts_with = "pentanomial", required_unless_present_any = ["pentanomial", "sprt"])]
    games: Vec<String>,

    /// Pairs of games on one opening, by points: 0, ½, 1, 1½, 2.
    #[arg(long, value_name = "N", num_args = 5, action = ArgAction::Set)]
    pentanomial: Option<Vec<u32>>,

    /// A sequential test: elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic (or normalised). Its result is that of `match`
    /// only with --pentanomial: the two games of a pair depend on each other [default: no test].
    #[arg(long, value_name = "KEY=VALUE", num_args = 0.., allow_negative_numbers = true)]
    sprt: Option<Vec<String>>,

    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

/// Prints the statistics.
pub(crate) fn run(args: &Args) -> Result<ExitStatus> {
    let (words, games) = args.settings_and_games()?;
    let test = settings("--sprt", words.as_ref(), Sprt::parse)?;
    let (estimate, sprt) = match &args.pentanomial {
        Some(counts) => {
            let pairs = Pentanomial(std::array::from_fn(|points| u64::from(counts[points])));
            (pairs.estimate(), test.map(|test| SprtRun::after(test, pairs)))
        }
        None => {
            let [wins, draws, losses] = games.map(u64::from);
            let games = Trinomial { wins, draws, losses };
            (games.estimate(), test.map(|test| SprtRun::at(test, test.llr_of_games(&games))))
        }
    };
    let Some(estimate) = estimate else {
        bail!("no games: there is nothing to estimate from");
    };
    let json = json!({ "estimate": estimate, "sprt": sprt });
    report_result(args.json, fit(&in_words(&estimate, sprt)), &json)?;
    Ok(sprt.map_or(ExitStatus::Positive, |sprt| sprt.verdict().into()))
}

impl Args {
    /// The settings of the test, and the numbers of games unless there are pairs. Clap takes the numbers for settings where
    /// they follow them.
    fn settings_and_games(&self) -> Result<(Option<Vec<String>>, [u32; 3])> {
        let (mut settings, mut games) = (self.sprt.clone(), self.games.clone());
        if self.pentanomial.is_some() {
            return Ok((settings, [0; 3]));
        }
        if let (Some(settings), []) = (&mut settings, &games[..]) {
            let behind = settings.split_off(settings.len().saturating_sub(3));
            games = behind;
        }
        let games = numbers(&games).ok_or_else(|| {
            anyhow!("expected the numbers of games won, drawn and lost: 120 260 100 or +120 =260 -100")
        })?;
        Ok((settings, games))
    }
}

/// The games won, drawn and lost: `120 260 100`, or each with its sign in any order, `+120 =260 -100`.
fn numbers(words: &[String]) -> Option<[u32; 3]> {
    // The parser of numbers takes a sign of its own.
    let number =
        |digits: &str| digits.parse().ok().filter(|_| digits.starts_with(|c: char| c.is_ascii_digit()));
    let signed = |sign: char| words.iter().find_map(|word| number(word.strip_prefix(sign)?));
    let [wins, draws, losses] = words else { return None };
    match number(wins) {
        Some(wins) => Some([wins, number(draws)?, number(losses)?]),
        None => Some([signed('+')?, signed('=')?, signed('-')?]),
    }
}

fn in_words(estimate: &Estimate, sprt: Option<SprtRun>) -> String {
    let score = format!("score {:.2} %\n{estimate}\n", 100.0 * estimate.score);
    score + &sprt.map(|sprt| format!("{sprt}\n")).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_read_in_both_notations() {
        let read = |text: &str| numbers(&text.split(' ').map(str::to_owned).collect::<Vec<_>>());
        for text in ["10 5 3", "+10 =5 -3", "-3 +10 =5", "=5 -3 +10"] {
            assert_eq!(read(text), Some([10, 5, 3]), "{text}");
        }
        for text in [
            "",
            "10 5",
            "10 5 -3",
            "+10 5 3",
            "+10 =5 =3",
            "+10 +5 -3",
            "++10 =5 -3",
            "10 5 x",
            "10 +5 3",
            "10 5 3 1",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
    }
}
