//! The standings with all statistics, as data for tables and JSON.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::arena::MatchPlan;
use crate::arena::players::tally::Warnings;
use crate::arena::record::standings::Standings;
use crate::arena::schedule::Schedule;
use crate::arena::stats::elo::{Estimate, Pentanomial, Trinomial};
use crate::arena::stats::ratings::{Rating, ratings};
use crate::arena::stats::sprt::SprtRun;
use crate::words::counted;

/// The current results of a match. Infinite and unknown numbers are `null` in JSON.
#[derive(Debug, Clone, Serialize)]
pub struct MatchReport {
    /// Games finished, copies included.
    pub played: u64,
    /// Games in pairs that are copies of earlier pairs, and count nowhere else in this report.
    pub copies: u64,
    /// Games that were abandoned and not finished since: round and players, as in `1.2 B - A`.
    pub abandoned: Vec<String>,
    /// Games of the schedule; unknown of games that were found in a file.
    pub planned: Option<u64>,
    /// By player, in the order they were given.
    pub players: Vec<PlayerReport>,
    /// The number of groups of players that no games connect. Only ratings in the same group can be compared.
    pub groups: usize,
    /// By pairing.
    pub pairings: Vec<PairingReport>,
    /// All games that count, from White's perspective.
    pub white: Trinomial,
    /// The estimate of White's advantage from them.
    pub white_advantage: Option<Estimate>,
    /// The sequential test, if there is one.
    pub sprt: Option<SprtRun>,
}

/// The results of one player.
#[derive(Debug, Clone, Serialize)]
pub struct PlayerReport {
    /// Its name.
    pub name: String,
    /// All its games that count.
    pub games: Trinomial,
    /// Its points.
    pub points: f64,
    /// Its joint rating, if there are more than two players and it has games.
    pub rating: Option<Rating>,
    /// The median of the plies that it searched, as it reported; without moves whose score is decided.
    pub median_depth: Option<u32>,
    /// Nodes per second, as it reported.
    pub nps: Option<f64>,
    /// Seconds per move, as measured.
    pub mean_seconds: Option<f64>,
    /// Games that ended by its faults, by name of the fault; abandoned games only of this run.
    pub faults: BTreeMap<String, u64>,
    /// How one of its processes crashed when it was asked to quit; this costs no game.
    pub quit_fault: Option<String>,
    /// Its protocol warnings.
    pub warnings: Warnings,
}

/// The results of one pairing, from the perspective of its first player.
#[derive(Debug, Clone, Serialize)]
pub struct PairingReport {
    /// The first player's name.
    pub first: String,
    /// The second player's name.
    pub second: String,
    /// Single games.
    pub games: Trinomial,
    /// Share of draws.
    pub draw_rate: Option<f64>,
    /// The estimate over single games.
    pub by_games: Option<Estimate>,
    /// Pairs of games, by the first player's points of 0, ½, 1, 1½, 2.
    pub pentanomial: Pentanomial,
    /// The estimate over pairs.
    pub by_pairs: Option<Estimate>,
}

impl MatchReport {
    /// `120 of 400 games`, or `120 games` if the schedule is unknown.
    #[must_use]
    pub fn progress(&self) -> String {
        match self.planned {
            Some(planned) => format!("{} of {}", self.played, counted(planned, "game", "games")),
            None => counted(self.played, "game", "games"),
        }
    }

    /// The players that have ratings, by group, the strongest of each group first.
    #[must_use]
    pub fn ranking(&self) -> Vec<Vec<(&PlayerReport, Rating)>> {
        let mut groups = vec![Vec::new(); self.groups];
        for player in &self.players {
            if let Some(rating) = player.rating {
                groups[rating.group - 1].push((player, rating));
            }
        }
        for group in &mut groups {
            group.sort_by(|(_, one), (_, two)| two.elo.total_cmp(&one.elo));
        }
        groups.retain(|group| !group.is_empty());
        groups
    }

    /// Says that ratings cannot be compared, if there are several groups.
    #[must_use]
    pub fn no_common_scale(&self) -> Option<String> {
        (self.groups > 1).then(|| {
            format!(
                "No games connect {} groups of players. The ratings of each have a mean of 0, and cannot be compared with \
                 those of the others.",
                self.groups
            )
        })
    }

    /// Returns the report with ratings also if there are only two players.
    #[must_use]
    pub fn rated(mut self, standings: &Standings) -> Self {
        if self.players.len() > 2 {
            return self;
        }
        let ratings = ratings(self.players.len(), &standings.pairings);
        self.players.iter_mut().zip(ratings).for_each(|(player, rating)| player.rating = rating);
        self
    }

    /// Moves all ratings of the group of player `name` by the same number, so that its own is `elo`. Returns
    /// whether it has a rating.
    pub fn anchor(&mut self, name: &str, elo: f64) -> bool {
        let rating = self.players.iter().find(|player| player.name == name).and_then(|player| player.rating);
        let Some(anchor) = rating else { return false };
        let ratings = self.players.iter_mut().filter_map(|player| player.rating.as_mut());
        for rating in ratings.filter(|rating| rating.group == anchor.group) {
            rating.elo += elo - anchor.elo;
        }
        true
    }

    /// Returns the report on the `standings` of `plan`.
    #[must_use]
    pub fn new(plan: &MatchPlan, standings: &Standings) -> Self {
        let players: Vec<&str> = plan.players.iter().map(|player| &*player.name).collect();
        let planned = Some(plan.schedule.games() as u64);
        Self { planned, ..Self::of(&players, &plan.schedule, standings) }
    }

    /// Returns the report on the `standings` of the players with these names in games that are numbered as in
    /// `schedule`.
    #[must_use]
    pub fn of(players: &[&str], schedule: &Schedule, standings: &Standings) -> Self {
        // For two players their pairing is sufficient.
        let is_pairing = players.len() <= 2;
        let ratings = if is_pairing { Vec::new() } else { ratings(players.len(), &standings.pairings) };
        let groups = ratings.iter().flatten().map(|rating| rating.group).max().unwrap_or(1);
        let records = players.iter().zip(&standings.players);
        let pairings = standings.pairings.iter();
        MatchReport {
            played: standings.played(),
            copies: standings.copies(),
            abandoned: standings.abandoned().map(|number| schedule.fixture(number).name(players)).collect(),
            planned: None,
            players: records
                .enumerate()
                .map(|(index, (&name, record))| PlayerReport {
                    name: name.to_owned(),
                    games: record.games,
                    points: record.games.points(),
                    rating: ratings.get(index).copied().flatten(),
                    median_depth: record.tally.effort.median_depth(),
                    nps: record.tally.effort.nps(),
                    mean_seconds: record.tally.effort.mean_seconds(),
                    faults: record.faults.clone(),
                    quit_fault: record.quit_fault.as_ref().map(ToString::to_string),
                    warnings: record.tally.warnings.clone(),
                })
                .collect(),
            groups,
            pairings: pairings
                .map(|results| PairingReport {
                    first: players[results.first].to_owned(),
                    second: players[results.second].to_owned(),
                    games: results.games,
                    draw_rate: results.games.draw_rate(),
                    by_games: results.games.estimate(),
                    pentanomial: results.pairs,
                    by_pairs: results.pairs.estimate(),
                })
                .collect(),
            white: standings.white,
            white_advantage: standings.white.estimate(),
            sprt: standings.sprt,
        }
    }
}
