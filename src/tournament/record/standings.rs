//! The standings of a match: results by pairing, pairs of games, and the tallies of each player.

use std::collections::{BTreeMap, HashMap};

use shakmaty::{Color, KnownOutcome};

use crate::rules::Penalty;
use crate::stats::elo::{Pentanomial, Trinomial};
use crate::stats::ratings::Encounter;
use crate::stats::sprt::{Sprt, SprtRun, Verdict};
use crate::tournament::ending::Fault;
use crate::tournament::players::tally::PlayerTally;
use crate::tournament::schedule::{Fixture, Schedule};

/// The terminations of games in which an engine crashed or hung.
const BREAKDOWNS: [&str; 2] = ["crash", "stall"];

/// The results of one player.
#[derive(Debug, Clone, Default)]
pub struct PlayerRecord {
    /// All its games.
    pub games: Trinomial,
    /// The games that ended by a fault of the player, by name of the fault.
    pub faults: BTreeMap<String, u64>,
    /// For each of its games, in the order of entry, whether it ran out of time.
    late: Vec<bool>,
    /// Its tally.
    pub tally: PlayerTally,
    /// The crash of one of its processes that was asked to quit; this costs no game.
    pub quit_fault: Option<Fault>,
}

impl PlayerRecord {
    /// The number of its last `games` games in which it ran out of time.
    #[must_use]
    pub fn recent_time_forfeits(&self, games: usize) -> usize {
        self.late.iter().rev().take(games).filter(|&&late| late).count()
    }
}

/// All results so far.
#[derive(Debug, Clone)]
pub struct Standings {
    /// By pairing, as in the schedule.
    pub pairings: Vec<Encounter>,
    /// By player.
    pub players: Vec<PlayerRecord>,
    /// All games, from White's perspective.
    pub white: Trinomial,
    /// The sequential test of the first pairing, if there is one.
    pub sprt: Option<SprtRun>,
    done: Vec<bool>,
    /// The pairs with one finished game, by number: its half points, and whether the test counts it.
    half_pairs: HashMap<usize, (usize, bool)>,
}

impl Standings {
    /// Returns empty standings for a schedule of `players` players, whose first pairing `sprt` tests.
    #[must_use]
    pub fn new(schedule: &Schedule, players: usize, sprt: Option<Sprt>) -> Self {
        let (games, pairs) = (Trinomial::default(), Pentanomial::default());
        let pairings = schedule.pairings().iter();
        Standings {
            pairings: pairings.map(|&(first, second)| Encounter { first, second, games, pairs }).collect(),
            players: vec![PlayerRecord::default(); players],
            white: Trinomial::default(),
            sprt: sprt.map(SprtRun::new),
            done: vec![false; schedule.games()],
            half_pairs: HashMap::new(),
        }
    }

    /// Whether the sequential test is decided.
    #[must_use]
    pub fn is_decided(&self) -> bool {
        self.sprt.is_some_and(|sprt| sprt.verdict() != Verdict::Open)
    }

    /// Whether a game of the schedule is finished.
    #[must_use]
    pub fn is_done(&self, number: usize) -> bool {
        self.done[number]
    }

    /// The number of finished games.
    #[must_use]
    pub fn played(&self) -> u64 {
        self.white.games()
    }

    /// Enters a finished game. `termination` is the PGN tag, which identifies faults, and `turn` is the side to move at
    /// the end. Returns `false` for a game that is already entered.
    ///
    /// The sequential test does not count a pair in which an engine broke down, because such a win does not show
    /// strength.
    pub fn enter(&mut self, game: &Fixture, outcome: KnownOutcome, termination: &str, turn: Color) -> bool {
        if std::mem::replace(&mut self.done[game.number], true) {
            return false;
        }
        let white = match outcome.winner() {
            Some(Color::White) => 2,
            None => 1,
            Some(Color::Black) => 0,
        };
        self.white.note(white);
        self.players[game.white].games.note(white);
        self.players[game.black].games.note(2 - white);
        let first = if game.leg == 0 { white } else { 2 - white };
        let pairing = &mut self.pairings[game.pairing];
        pairing.games.note(first);
        let sound = !BREAKDOWNS.contains(&termination);
        let pair = game.number / 2;
        if let Some((other, other_sound)) = self.half_pairs.remove(&pair) {
            pairing.pairs.note(first + other);
            if let Some(sprt) = self.sprt.as_mut().filter(|_| game.pairing == 0 && sound && other_sound) {
                sprt.note(first + other);
            }
        } else {
            self.half_pairs.insert(pair, (first, sound));
        }
        let faulty = at_fault(outcome, termination, turn).map(|color| color.fold_wb(game.white, game.black));
        for player in [game.white, game.black] {
            let late = faulty == Some(player) && termination == Penalty::TIME_FORFEIT;
            self.players[player].late.push(late);
        }
        if let Some(player) = faulty {
            *self.players[player].faults.entry(termination.to_owned()).or_default() += 1;
        }
        true
    }
}

/// The player whose fault ended the game, if a fault did: the loser, or in a drawn game the side to move, which ran out of
/// time or made an illegal move.
fn at_fault(outcome: KnownOutcome, termination: &str, turn: Color) -> Option<Color> {
    match (outcome.winner(), termination) {
        (_, "normal" | "adjudication") => None,
        (Some(winner), _) => Some(!winner),
        (None, Penalty::TIME_FORFEIT | "illegal move") => Some(turn),
        (None, _) => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tournament::schedule::Form;

    const WHITE: KnownOutcome = KnownOutcome::Decisive { winner: Color::White };
    const BLACK: KnownOutcome = KnownOutcome::Decisive { winner: Color::Black };

    #[test]
    fn pairs_are_counted_when_both_games_are_in_whatever_the_order() {
        let schedule = Schedule::new(2, Form::RoundRobin, 3);
        let mut book = Standings::new(&schedule, 2, None);
        for (number, outcome) in [(1, BLACK), (2, WHITE), (0, WHITE), (3, KnownOutcome::Draw), (4, BLACK)] {
            assert!(book.enter(&schedule.fixture(number), outcome, "normal", Color::White));
        }
        // Round 1: two wins, with White and with Black. Round 2: a win and a draw. Round 3: one game.
        assert_eq!(book.pairings[0].pairs, Pentanomial([0, 0, 0, 1, 1]));
        assert_eq!(book.pairings[0].games, Trinomial { wins: 3, draws: 1, losses: 1 });
        assert_eq!(book.white, Trinomial { wins: 2, draws: 1, losses: 2 });
        assert_eq!(book.players[1].games, Trinomial { wins: 1, draws: 1, losses: 3 });
    }

    /// Games that are delivered after the test was decided count for the score, not for the verdict.
    #[test]
    fn late_games_do_not_reopen_the_test() {
        let schedule = Schedule::new(2, Form::RoundRobin, 400);
        let test = Sprt { elo1: 50.0, ..Sprt::default() };
        let mut book = Standings::new(&schedule, 2, Some(test));
        let win = |number: usize| if number.is_multiple_of(2) { WHITE } else { BLACK };
        let mut numbers = 0..schedule.games();
        while !book.is_decided() {
            let number = numbers.next().expect("a player that wins every game is found stronger");
            book.enter(&schedule.fixture(number), win(number), "normal", Color::White);
        }
        for number in numbers {
            book.enter(&schedule.fixture(number), win(number + 1), "normal", Color::White);
        }
        assert_eq!(book.sprt.unwrap().verdict(), Verdict::H1);
        assert_eq!(book.played(), 800);
    }

    #[test]
    fn a_dead_opponent_proves_nothing() {
        let schedule = Schedule::new(2, Form::RoundRobin, 400);
        let mut book = Standings::new(&schedule, 2, Some(Sprt { elo1: 50.0, ..Sprt::default() }));
        for number in 0..schedule.games() {
            let (outcome, end) = if number.is_multiple_of(2) { (WHITE, "normal") } else { (BLACK, "crash") };
            book.enter(&schedule.fixture(number), outcome, end, Color::White);
        }
        assert!(!book.is_decided());
        assert_eq!(book.pairings[0].pairs, Pentanomial([0, 0, 0, 0, 400]), "they count for the score");
    }

    #[test]
    fn a_game_counts_once_and_faults_are_the_losers() {
        let schedule = Schedule::new(2, Form::RoundRobin, 1);
        let mut book = Standings::new(&schedule, 2, None);
        assert!(book.enter(&schedule.fixture(1), WHITE, "crash", Color::White));
        assert!(!book.enter(&schedule.fixture(1), WHITE, "crash", Color::White));
        assert_eq!(book.played(), 1);
        // The second player has White in the second game; the first player crashed.
        assert_eq!(book.players[0].faults.get("crash"), Some(&1));
        assert!(book.players[1].faults.is_empty());
    }

    #[test]
    fn a_fault_in_a_drawn_game_is_that_of_the_side_to_move() {
        let schedule = Schedule::new(2, Form::RoundRobin, 1);
        let mut book = Standings::new(&schedule, 2, None);
        book.enter(&schedule.fixture(0), KnownOutcome::Draw, "time forfeit", Color::Black);
        book.enter(&schedule.fixture(1), KnownOutcome::Draw, "normal", Color::Black);
        assert!(book.players[0].faults.is_empty());
        assert_eq!(book.players[1].faults.get("time forfeit"), Some(&1));
        let late = [0, 1].map(|player: usize| book.players[player].recent_time_forfeits(10));
        assert_eq!((late, book.white.draws), ([0, 1], 2));
    }
}
