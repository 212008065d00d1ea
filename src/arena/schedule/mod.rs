//! The schedule: every game of a match has a number, which determines players, colours and opening.
//!
//! A *round* gives every pairing one opening and two games on it, with colours reversed. Games are numbered
//! by round, then by pairing, then by leg. A game can therefore be identified by its players and its PGN tag
//! `Round`, `round.leg`.

pub mod openings;

use std::collections::BTreeSet;

/// The maximum number of games of a match. Some bytes of memory are needed for each, also before it is
/// played.
pub const MOST_GAMES: usize = 10_000_000;

/// One game of the schedule.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Fixture {
    /// Its number, from 0.
    pub number: usize,
    /// Its round, from 0; it determines the opening.
    pub round: usize,
    /// Its pairing, an index into [`Schedule::pairings`].
    pub pairing: usize,
    /// 0 if the first player of the pairing has White, 1 if it has Black.
    pub leg: usize,
    /// The player with White, an index.
    pub white: usize,
    /// The player with Black, an index.
    pub black: usize,
}

impl Fixture {
    /// The PGN tag `Round`: `17.2` is the second game of the seventeenth round.
    #[must_use]
    pub fn round_tag(&self) -> String {
        format!("{}.{}", self.round + 1, self.leg + 1)
    }

    /// Its round and its players, which have these names: `1.2 B - A`.
    #[must_use]
    pub fn name(&self, players: &[&str]) -> String {
        format!("{} {} - {}", self.round_tag(), players[self.white], players[self.black])
    }
}

/// The form of the tournament.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// Every player meets every other.
    RoundRobin,
    /// The first player meets every other.
    Gauntlet,
}

/// All games of a match.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Schedule {
    pairings: Vec<(usize, usize)>,
    rounds: usize,
}

impl Schedule {
    /// Returns the schedule of `players` (at least 2) in `rounds` rounds of two games per pairing, at most
    /// [`MOST_GAMES`].
    ///
    /// ```
    /// use zugwerk::arena::schedule::{Form, Schedule};
    /// let schedule = Schedule::new(4, Form::RoundRobin, 10);
    /// assert_eq!((schedule.pairings().len(), schedule.games()), (6, 120));
    /// let game = schedule.fixture(13);
    /// assert_eq!((game.round_tag().as_str(), game.white, game.black), ("2.2", 1, 0));
    /// ```
    #[must_use]
    pub fn new(players: usize, form: Form, rounds: usize) -> Self {
        let firsts = match form {
            Form::RoundRobin => players,
            Form::Gauntlet => 1,
        };
        let pairings = (0..firsts).flat_map(|first| (first + 1..players).map(move |second| (first, second)));
        Schedule { pairings: pairings.collect(), rounds }
    }

    /// Returns the schedule of these pairings, whose order is that of their players, in `rounds` rounds.
    #[must_use]
    pub fn of_pairings(pairings: BTreeSet<(usize, usize)>, rounds: usize) -> Self {
        Schedule { pairings: pairings.into_iter().collect(), rounds }
    }

    /// Ends the schedule after `rounds` rounds if it is longer; the numbers of the games stay.
    pub fn shorten(&mut self, rounds: usize) {
        self.rounds = self.rounds.min(rounds);
    }

    /// The pairings, in the order of their players: indices of the first and the second player.
    #[must_use]
    pub fn pairings(&self) -> &[(usize, usize)] {
        &self.pairings
    }

    /// The number of games.
    #[must_use]
    pub fn games(&self) -> usize {
        self.rounds * self.pairings.len() * 2
    }

    /// The number of rounds.
    #[must_use]
    pub fn rounds(&self) -> usize {
        self.rounds
    }

    /// Returns the game with that number.
    #[must_use]
    pub fn fixture(&self, number: usize) -> Fixture {
        let (pair, leg) = (number / 2, number % 2);
        let (round, pairing) = (pair / self.pairings.len(), pair % self.pairings.len());
        let (first, second) = self.pairings[pairing];
        let (white, black) = if leg == 0 { (first, second) } else { (second, first) };
        Fixture { number, round, pairing, leg, white, black }
    }

    /// Returns the game with this `Round` tag between these players, if it is part of the schedule.
    #[must_use]
    pub fn find(&self, round_tag: &str, white: usize, black: usize) -> Option<Fixture> {
        let (round, leg) = round_tag.split_once('.')?;
        let round = round.parse::<usize>().ok()?.checked_sub(1).filter(|&round| round < self.rounds)?;
        let leg = leg.parse::<usize>().ok()?.checked_sub(1).filter(|&leg| leg < 2)?;
        let players = if leg == 0 { (white, black) } else { (black, white) };
        let pairing = self.pairings.binary_search(&players).ok()?;
        Some(self.fixture((round * self.pairings.len() + pairing) * 2 + leg))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_game_is_found_by_its_tag() {
        for form in [Form::RoundRobin, Form::Gauntlet] {
            let schedule = Schedule::new(5, form, 3);
            for number in 0..schedule.games() {
                let game = schedule.fixture(number);
                assert_eq!(schedule.find(&game.round_tag(), game.white, game.black), Some(game));
                assert_eq!(schedule.find(&game.round_tag(), game.black, game.white), None);
            }
        }
    }

    #[test]
    fn tags_from_elsewhere_are_not_found() {
        let schedule = Schedule::new(2, Form::RoundRobin, 3);
        for tag in ["", "1", "0.1", "4.1", "1.3", "1.0", "x.y", "-1.1", "?"] {
            assert_eq!(schedule.find(tag, 0, 1), None, "{tag}");
        }
    }

    #[test]
    fn colours_are_balanced_and_pairs_share_their_round() {
        let schedule = Schedule::new(3, Form::RoundRobin, 4);
        for pair in 0..schedule.games() / 2 {
            let (one, two) = (schedule.fixture(2 * pair), schedule.fixture(2 * pair + 1));
            assert_eq!((one.white, one.black), (two.black, two.white));
            assert_eq!((one.round, one.pairing), (two.round, two.pairing));
        }
    }
}
