//! `zugwerk elo`: computes the statistics of a match from its result, or the ratings of the players of PGN
//! files.

use std::{path::PathBuf, str::FromStr};

use anyhow::{Result, bail, ensure};
use clap::ArgAction;
use serde_json::json;
use zugwerk::{
    arena::{
        record::report::MatchReport,
        stats::{
            elo::{Estimate, Pentanomial, Trinomial},
            sprt::{Sprt, SprtRun},
        },
    },
    chess::pgn::Game,
};

use crate::cli::shared::{
    found_games::FoundGames, input::check_each_once, match_table::summary, print::report_result,
    settings::settings, status::ExitStatus, table::fit,
};

const AFTER_HELP: &str = "\
Examples:
  zugwerk elo 120 260 100
  zugwerk elo +120 =260 -100
  zugwerk elo --sprt elo0=0 elo1=5 120 260 100
  zugwerk elo --pentanomial 30 180 420 210 40 --sprt elo0=0 elo1=5
  zugwerk elo games.pgn more.pgn --anchor 'Engine A=3500'
  zugwerk elo games.pgn --pair new old --sprt elo0=0 elo1=5

Exit codes: 0 success, or the test accepts H1; 1 the test accepts H0; 2 bad usage; 3 the test is undecided.";

/// Compute the statistics of a match result: Elo, normalised Elo, likelihood of superiority, and a sequential
/// test; or the ratings of all players of PGN files.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// Games won, drawn and lost: 120 260 100, or in any order +120 =260 -100. Or PGN files, of any program.
    #[arg(allow_negative_numbers = true, value_name = "WINS DRAWS LOSSES | PGN", num_args = 0.., conflicts_with = "pentanomial", required_unless_present_any = ["pentanomial", "sprt"])]
    games: Vec<String>,

    /// Pairs of games on one opening, by points: 0, ½, 1, 1½, 2.
    #[arg(long, value_name = "N", num_args = 5, action = ArgAction::Set)]
    pentanomial: Option<Vec<u32>>,

    /// A sequential test: elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic (or normalised). Its result is
    /// that of `match` only with --pentanomial or from files: the two games of a pair depend on each other
    /// [default: no test].
    #[arg(long, value_name = "KEY=VALUE", num_args = 0.., allow_negative_numbers = true)]
    sprt: Option<Vec<String>>,

    /// The rating of a player of the files; the others follow from it [default: the mean of all is 0].
    #[arg(long, value_name = "NAME=ELO", conflicts_with = "pentanomial")]
    anchor: Option<Anchor>,

    /// Use only the games of these two players of the files [default: all].
    #[arg(long, value_names = ["NAME", "NAME"], num_args = 2, conflicts_with = "pentanomial")]
    pair: Option<Vec<String>>,

    /// Print the statistics as JSON.
    #[arg(long)]
    json: bool,
}

/// The rating of a player that is given.
#[derive(Clone)]
struct Anchor {
    name: String,
    elo: f64,
}

impl FromStr for Anchor {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let read = |(name, elo): (&str, &str)| {
            let elo = elo.trim().parse().ok().filter(|elo: &f64| elo.is_finite())?;
            Some(Self { name: name.trim().to_owned(), elo })
        };
        text.rsplit_once('=').and_then(read).ok_or("expected a name and its rating, as in `Engine A=3500`")
    }
}

/// Prints the statistics.
pub(crate) fn run(args: &Args) -> Result<ExitStatus> {
    let (words, games) = args.settings_and_games();
    let test = settings("--sprt", words.as_ref(), Sprt::parse)?;
    if args.pentanomial.is_none() && !games.is_empty() && !games.iter().any(|word| is_number(word)) {
        let paths: Vec<PathBuf> = games.into_iter().map(PathBuf::from).collect();
        return of_files(args, &paths, test);
    }
    ensure!(
        args.anchor.is_none() && args.pair.is_none(),
        "expected --anchor and --pair only with PGN files, got numbers"
    );
    let (estimate, sprt) = match &args.pentanomial {
        Some(counts) => {
            let pairs = Pentanomial(std::array::from_fn(|points| u64::from(counts[points])));
            (pairs.estimate(), test.map(|test| SprtRun::after(test, pairs)))
        }
        None => {
            let [wins, draws, losses] = counts(&games)?.map(u64::from);
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

/// Prints the ratings of the players of `paths`.
fn of_files(args: &Args, paths: &[PathBuf], test: Option<Sprt>) -> Result<ExitStatus> {
    check_each_once(paths)?;
    let is_wanted = |game: &Game| {
        let is_one_of =
            |pair: &Vec<String>, tag| game.tag(tag).is_some_and(|name| pair.iter().any(|one| one == name));
        args.pair.as_ref().is_none_or(|pair| is_one_of(pair, "White") && is_one_of(pair, "Black"))
    };
    let games = FoundGames::read(paths, &is_wanted)?;
    let names = games.names();
    ensure!(
        test.is_none() || names.len() == 2,
        "--sprt tests one player against one other, got {}: --pair chooses two",
        names.len()
    );
    let standings = games.standings(test, &mut |_, _, _| ())?;
    let mut report = MatchReport::of(&names, &games.found.schedule, &standings).rated(&standings);
    if let Some(Anchor { name, elo }) = &args.anchor {
        ensure!(report.anchor(name, *elo), "--anchor: expected a player with games, got {name}");
    }
    report_result(args.json, summary(&report), &report)?;
    Ok(report.sprt.map_or(ExitStatus::Positive, |sprt| sprt.verdict().into()))
}

impl Args {
    /// The settings of the test, and the numbers or files. Clap takes those for settings where they follow
    /// them.
    fn settings_and_games(&self) -> (Option<Vec<String>>, Vec<String>) {
        let (mut settings, mut games) = (self.sprt.clone(), self.games.clone());
        if let (Some(settings), []) = (&mut settings, &games[..]) {
            // `=260` is a number of draws.
            let is_setting = |word: &String| word.find('=').is_some_and(|at| at > 0);
            let end = settings.iter().rposition(is_setting).map_or(0, |last| last + 1);
            games = settings.split_off(end);
        }
        (settings, games)
    }
}

/// The digits of a number with or without a sign: `120`, `+120`, `=260`, `-100`.
fn digits(word: &str) -> &str {
    word.strip_prefix(['+', '=', '-']).unwrap_or(word)
}

fn is_number(word: &str) -> bool {
    !digits(word).is_empty() && digits(word).bytes().all(|byte| byte.is_ascii_digit())
}

/// The games won, drawn and lost: `120 260 100`, or each with its sign in any order, `+120 =260 -100`.
fn counts(words: &[String]) -> Result<[u32; 3]> {
    for word in words.iter().filter(|word| is_number(word)) {
        ensure!(
            digits(word).parse::<u32>().is_ok(),
            "expected at most {} games of a kind, got {word}",
            u32::MAX
        );
    }
    let expected = "expected the numbers of games won, drawn and lost: 120 260 100 or +120 =260 -100";
    numbers(words).ok_or_else(|| anyhow::anyhow!(expected))
}

/// The games won, drawn and lost, if that is what the words say.
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
