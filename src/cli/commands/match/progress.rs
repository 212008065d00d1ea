//! The display during a match: a bar with the current score, a line with it from time to time, and a line for
//! every game that ends by a fault. On demand it tells all games and breaches of the protocol.

use std::time::{Duration, Instant};

use indicatif::ProgressBar;
use zugwerk::{
    arena::{
        MatchPlan,
        record::{
            report::MatchReport,
            standings::{PlayerRecord, Standings},
        },
        referee::FinishedGame,
        runner::GameNews,
    },
    chess::clock::hours,
    rules::Penalty,
    words::counted,
};

use crate::cli::shared::{
    match_table::rating_rows,
    print::{warn, warn_of_damage},
    progress,
    ticker::{Every, Ticker},
};

/// The bar on standard error, hidden if that is not a terminal.
pub(super) struct Progress {
    bar: ProgressBar,
    ticker: Option<Ticker>,
    verbose: bool,
    /// The number of games between two tables of ratings, with more than two players.
    table_every: u64,
    overload_reported: bool,
    overload_advice: String,
}

/// The number of rating tables during a match.
const TABLES: u64 = 10;

impl Progress {
    /// Returns the display of a match that has `standings`.
    pub(super) fn new(
        plan: &MatchPlan,
        standings: &Standings,
        every: Option<Every>,
        verbose: bool,
        overload_advice: String,
    ) -> Self {
        let (games, played) = (plan.schedule.games() as u64, standings.played());
        let bar = progress::bar(games, "games").with_position(played);
        bar.set_message(score(plan, standings));
        bar.reset_eta();
        Progress {
            ticker: Ticker::new(&bar, every, played),
            bar,
            verbose,
            table_every: (games / TABLES).max(1),
            overload_reported: false,
            overload_advice,
        }
    }

    /// Reports a finished game.
    pub(super) fn show(&mut self, plan: &MatchPlan, news: &GameNews<'_>) {
        if news.played.ending.fault().is_some() || self.verbose {
            let ending = &news.played.ending;
            let game = plan.name_of(news.played.fixture.number);
            warn(format_args!("{game} {} ({ending})", ending.outcome()));
            if self.verbose {
                warn_of_breaches(plan, news.played, &game);
            }
        }
        let late = |record: &&PlayerRecord| record.faults.contains_key(Penalty::TIME_FORFEIT);
        if !self.overload_reported && news.standings.players.iter().filter(late).count() > 1 {
            self.overload_reported = true;
            warn(format_args!("more than one player runs out of time: {}", self.overload_advice));
        }
        warn_of_damage(plan.rules.tables.as_ref());
        let (played, now) = (news.standings.played(), Instant::now());
        let is_last = played == plan.schedule.games() as u64 || news.standings.is_decided();
        if let Some(ticker) = self.ticker.as_mut().filter(|_| !is_last)
            && ticker.is_due(played, now)
        {
            warn(line(plan, news.standings, ticker.pace(played, plan.schedule.games() as u64, now)));
        }
        let is_counted = news.played.ending.outcome().is_known();
        if is_counted && played.is_multiple_of(self.table_every) && played < plan.schedule.games() as u64 {
            let ratings = rating_rows(&MatchReport::new(plan, news.standings));
            // There are no ratings for two players.
            if !ratings.is_empty() {
                warn(ratings.trim_end());
            }
        }
        self.bar.set_position(played);
        self.bar.set_message(score(plan, news.standings));
    }
}

/// Prints a line for every breach of the protocol in `played`, whose name is `game`.
fn warn_of_breaches(plan: &MatchPlan, played: &FinishedGame, game: &str) {
    let FinishedGame { fixture, tallies, .. } = played;
    for (player, tally) in [(fixture.white, &tallies.white), (fixture.black, &tallies.black)] {
        for remark in &tally.remarks {
            warn(format_args!("{game}: {}: {remark}", plan.players[player].name));
        }
    }
}

/// `120 of 1440 games: A - B +40 =50 -30 | Elo +29.0 ± 45.1 | 12.5 games/min, 1:45:36 left`. A sequential
/// test may end earlier: `…, at most 1:45:36 left, at this score 560 games or 0:44:48`.
fn line(plan: &MatchPlan, standings: &Standings, (per_minute, left): (f64, Duration)) -> String {
    let (played, planned) = (standings.played(), plan.schedule.games() as u64);
    let at_most = if plan.sprt.is_some() { "at most " } else { "" };
    let mut text = format!(
        "{played} of {planned} games: {} | {per_minute:.1} games/min, {at_most}{} left",
        score(plan, standings),
        hours(left)
    );
    let expected = standings.sprt.and_then(|sprt| sprt.expected_games());
    if let Some(games) = expected.filter(|&games| games < planned - played) {
        let time = left.mul_f64(games as f64 / (planned - played) as f64);
        text += &format!(", at this score {} or {}", counted(games, "game", "games"), hours(time));
    }
    text
}

/// `A - B +5 =3 -2 | Elo +104.5 ± 180.2 | LLR 0.35`; with more than two players, their points.
fn score(plan: &MatchPlan, standings: &Standings) -> String {
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
        text += &format!(" | Elo {}", estimate.elo);
    }
    if let Some(sprt) = standings.sprt {
        let (lower, upper) = (sprt.test().lower(), sprt.test().upper());
        text += &format!(" | LLR {:.2} in {lower:.2} .. {upper:.2}", sprt.llr());
    }
    text
}
