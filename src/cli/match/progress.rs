//! The display during a match: a bar with the current score, a line with it from time to time, and a line for every game that
//! ends by a fault.

use std::str::FromStr;
use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use zugwerk::clock::{Unit, duration, hours};
use zugwerk::rules::Penalty;
use zugwerk::tournament::Match;
use zugwerk::tournament::record::report::MatchReport;
use zugwerk::tournament::record::standings::{PlayerRecord, Standings};
use zugwerk::tournament::runner::GameNews;

use super::table::{interval, rating_rows};
use crate::cli::{progress, warn};

/// How often a line gives the score.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Every {
    Games(u64),
    Time(Duration),
}

impl FromStr for Every {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let every = match text.parse() {
            Ok(games) => Some(Every::Games(games)),
            Err(_) => duration(text, Unit::Seconds).ok().map(Every::Time),
        };
        let is_never = |every: &Every| matches!(every, Every::Games(0) | Every::Time(Duration::ZERO));
        every
            .filter(|every| !is_never(every))
            .ok_or_else(|| "expected a number of games such as 100, or a time such as 60s or 5m".to_owned())
    }
}

/// Tells when the next line is due.
struct Ticker {
    every: Every,
    games: u64,
    at: Instant,
}

impl Ticker {
    fn is_due(&mut self, games: u64, now: Instant) -> bool {
        let due = match self.every {
            Every::Games(count) => games / count > self.games / count,
            Every::Time(time) => now - self.at >= time,
        };
        if due {
            (self.games, self.at) = (games, now);
        }
        due
    }
}

/// The bar on standard error, hidden if that is not a terminal.
pub(super) struct Progress {
    bar: ProgressBar,
    ticker: Option<Ticker>,
    /// When this run began, and the number of games that were finished before.
    began: (Instant, u64),
    verbose: bool,
    /// The number of games between two tables of ratings, with more than two players.
    table_every: u64,
    overload_told: bool,
    overload_advice: String,
}

/// The time between two lines with the score.
const MINUTE: Duration = Duration::from_secs(60);

/// The number of rating tables during a match.
const TABLES: u64 = 10;

impl Progress {
    /// Returns the display of a match that has `standings`. Without `every` a line gives the score each minute if there is no
    /// terminal for the bar.
    pub(super) fn new(
        plan: &Match,
        standings: &Standings,
        every: Option<Every>,
        verbose: bool,
        overload_advice: String,
    ) -> Self {
        let (games, played, now) = (plan.schedule.games() as u64, standings.played(), Instant::now());
        let bar = progress::bar(games, "games").with_position(played);
        bar.set_message(score(plan, standings));
        bar.reset_eta();
        let every = every.or(bar.is_hidden().then_some(Every::Time(MINUTE)));
        Progress {
            bar,
            ticker: every.map(|every| Ticker { every, games: played, at: now }),
            began: (now, played),
            verbose,
            table_every: (games / TABLES).max(1),
            overload_told: false,
            overload_advice,
        }
    }

    /// Reports a finished game.
    pub(super) fn show(&mut self, plan: &Match, news: &GameNews<'_>) {
        if news.played.ending.fault().is_some() || self.verbose {
            let ending = &news.played.ending;
            let game = plan.name_of(news.played.fixture.number);
            warn(format_args!("{game} {} ({ending})", ending.outcome()));
        }
        let late = |record: &&PlayerRecord| record.faults.contains_key(Penalty::TIME_FORFEIT);
        if !self.overload_told && news.standings.players.iter().filter(late).count() > 1 {
            self.overload_told = true;
            warn(format_args!("more than one player runs out of time: {}", self.overload_advice));
        }
        progress::warn_of_damage(plan.rules.tables.as_ref());
        let (played, now) = (news.standings.played(), Instant::now());
        let is_last = played == plan.schedule.games() as u64 || news.standings.is_decided();
        if !is_last && self.ticker.as_mut().is_some_and(|ticker| ticker.is_due(played, now)) {
            let (start, before) = self.began;
            warn(line(plan, news.standings, played - before, now - start));
        }
        if played.is_multiple_of(self.table_every) && played < plan.schedule.games() as u64 {
            let ratings = rating_rows(&MatchReport::new(plan, news.standings).players);
            // There are no ratings for two players.
            if !ratings.is_empty() {
                warn(ratings.trim_end());
            }
        }
        self.bar.set_position(played);
        self.bar.set_message(score(plan, news.standings));
    }
}

/// `120 of 1440 games: A - B +40 =50 -30 | Elo +29.0 ± 45.1 | 12.5 games/min, 1:45:36 left`, after `games` games in `took`.
/// A sequential test may end earlier.
fn line(plan: &Match, standings: &Standings, games: u64, took: Duration) -> String {
    let (played, planned) = (standings.played(), plan.schedule.games() as u64);
    let left = took.mul_f64((planned - played) as f64 / games.max(1) as f64);
    let at_most = if plan.sprt.is_some() { "at most " } else { "" };
    format!(
        "{played} of {planned} games: {} | {:.1} games/min, {at_most}{} left",
        score(plan, standings),
        games as f64 / took.as_secs_f64() * 60.0,
        hours(left)
    )
}

/// `A - B +5 =3 -2 | Elo +104.5 ± 180.2 | LLR 0.35`; with more than two players, their points.
fn score(plan: &Match, standings: &Standings) -> String {
    let [first, second] = &plan.players[..] else {
        let points = plan.players.iter().zip(&standings.players).map(|(spec, record)| {
            let games = record.games;
            format!("{} {}/{}", spec.name, games.points(), games.games())
        });
        return points.collect::<Vec<_>>().join(", ");
    };
    let results = &standings.pairings[0];
    let mut text = format!("{} - {} {}", first.name, second.name, results.games);
    if let Some(estimate) = results.pairs.estimate() {
        text += &format!(" | Elo {}", interval(&estimate.elo));
    }
    if let Some(sprt) = standings.sprt {
        let (lower, upper) = (sprt.test().lower(), sprt.test().upper());
        text += &format!(" | LLR {:.2} in {lower:.2} .. {upper:.2}", sprt.llr());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_is_due_after_games_or_after_a_time() {
        let now = Instant::now();
        let due = |every: &str, steps: [(u64, u64); 5]| {
            let mut ticker = Ticker { every: every.parse().unwrap(), games: 7, at: now };
            steps.map(|(games, seconds)| ticker.is_due(games, now + Duration::from_secs(seconds)))
        };
        let steps = [(9, 59), (10, 60), (19, 61), (31, 119), (31, 120)];
        assert_eq!(due("10", steps), [false, true, false, true, false]);
        assert_eq!(due("60s", steps), [false, true, false, false, true]);
        assert_eq!("5m".parse(), Ok(Every::Time(Duration::from_secs(300))));
        for wrong in ["", "0", "0s", "-1", "x", "1.5 games"] {
            assert!(wrong.parse::<Every>().is_err(), "{wrong}");
        }
    }
}
