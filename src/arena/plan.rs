//! The plan of a match.

use crate::arena::players::Patience;
use crate::arena::players::log::Log;
use crate::arena::players::spec::PlayerSpec;
use crate::arena::schedule::Schedule;
use crate::arena::schedule::openings::Openings;
use crate::arena::stats::sprt::Sprt;
use crate::rules::Rules;

/// Everything that determines a match.
#[derive(Debug)]
pub struct MatchPlan {
    /// The players, each with a unique name.
    pub players: Vec<PlayerSpec>,
    /// The pairings and the number of rounds.
    pub schedule: Schedule,
    /// The starting positions.
    pub openings: Openings,
    /// The rules of adjudication.
    pub rules: Rules,
    /// The time limits for waiting on players.
    pub patience: Patience,
    /// Whether the match continues after an engine crashes, stalls, or keeps running out of time or making
    /// illegal moves; otherwise that is an error. A game in which an engine crashed or stalled is then played
    /// once more.
    pub recover: bool,
    /// Whether an engine plays although it does not announce one of its options, or refuses its value; and
    /// whether its castling may be written `O-O`.
    pub lenient: bool,
    /// The log of the communication with the engines.
    pub log: Log,
    /// The number of games played at the same time, at least 1.
    pub concurrency: usize,
    /// Whether the comments of the games also tell nodes and seconds left.
    pub pgn_detail: bool,
    /// A sequential test that may end the match; it uses the first pairing.
    pub sprt: Option<Sprt>,
}

impl MatchPlan {
    /// The name of a game of the schedule: its round and its players, `1.2 B - A`.
    #[must_use]
    pub fn name_of(&self, number: usize) -> String {
        let players: Vec<&str> = self.players.iter().map(|player| &*player.name).collect();
        self.schedule.fixture(number).name(&players)
    }
}
