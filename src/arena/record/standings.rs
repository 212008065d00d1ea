//! The standings of a match: results by pairing, pairs of games, and the tallies of each player.
//!
//! Only distinct pairs of games count. If both games of a pair were played before, move by move, by the same
//! players on the same opening, then the players repeat themselves, and such a copy says nothing new. With a
//! clock one game may be repeated by chance, which is new evidence; hence both must be repeated. Games
//! without moves, such as forfeits and those of files that have results only, are no copies.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher as _};

use shakmaty::{Color, Outcome};

use crate::arena::ending::Fault;
use crate::arena::line::Line;
use crate::arena::players::tally::PlayerTally;
use crate::arena::schedule::{Fixture, Schedule};
use crate::arena::stats::elo::{Pentanomial, Trinomial};
use crate::arena::stats::ratings::Encounter;
use crate::arena::stats::sprt::{Sprt, SprtRun, Verdict};

/// The results of one player.
#[derive(Debug, Clone, Default)]
pub struct PlayerRecord {
    /// All its games that count.
    pub games: Trinomial,
    /// The games that ended by a fault of the player, abandoned ones included, by name of the fault.
    pub faults: BTreeMap<String, u64>,
    /// For each of its games, in the order of entry, its fault that ended it.
    ends: Vec<Option<String>>,
    /// Its tally.
    pub tally: PlayerTally,
    /// The crash of one of its processes that was asked to quit; this costs no game.
    pub quit_fault: Option<Fault>,
}

impl PlayerRecord {
    /// The number of its last `games` games that its fault of this name ended.
    #[must_use]
    pub fn recent_faults(&self, name: &str, games: usize) -> usize {
        self.ends.iter().rev().take(games).filter(|end| end.as_deref() == Some(name)).count()
    }
}

/// A game of a pair: the half points of the first player of the pairing, and a hash of start and moves, if it
/// has moves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
struct Half {
    points: usize,
    line: Option<u64>,
}

impl Half {
    fn new(points: usize, line: &Line) -> Self {
        let hash = || {
            let mut hasher = DefaultHasher::new();
            line.command().hash(&mut hasher);
            hasher.finish()
        };
        Half { points, line: (!line.moves().is_empty()).then(hash) }
    }
}

/// All results so far.
#[derive(Debug, Clone)]
pub struct Standings {
    /// By pairing, as in the schedule.
    pub pairings: Vec<Encounter>,
    /// By player.
    pub players: Vec<PlayerRecord>,
    /// All games that count, from White's perspective.
    pub white: Trinomial,
    /// The sequential test of the first pairing, if there is one.
    pub sprt: Option<SprtRun>,
    /// The numbers of the finished games.
    done: HashSet<usize>,
    copies: u64,
    /// The numbers of the games that were abandoned and not finished since.
    abandoned: BTreeSet<usize>,
    /// The pairs with one finished game, by number.
    half_pairs: HashMap<usize, Half>,
    /// Every pair that counts, with its pairing, in the order of its legs.
    distinct: HashSet<(usize, [Half; 2])>,
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
            done: HashSet::new(),
            copies: 0,
            abandoned: BTreeSet::new(),
            half_pairs: HashMap::new(),
            distinct: HashSet::new(),
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
        self.done.contains(&number)
    }

    /// The number of finished games, copies included.
    #[must_use]
    pub fn played(&self) -> u64 {
        self.done.len() as u64
    }

    /// The number of games in pairs that are copies of earlier ones, and do not count.
    #[must_use]
    pub fn copies(&self) -> u64 {
        self.copies
    }

    /// The numbers of the games that were abandoned and not finished since.
    pub fn abandoned(&self) -> impl Iterator<Item = usize> {
        self.abandoned.iter().copied()
    }

    /// Enters a game that ended with `outcome` (unknown if it was abandoned) and, if a fault ended it, the
    /// player at fault and the name of the fault. Returns `false` for a game that is already finished.
    ///
    /// A game that ends after the sequential test is decided does not count: the scores are those of the
    /// test.
    pub fn enter(
        &mut self,
        game: &Fixture,
        outcome: Outcome,
        fault: Option<(Color, &str)>,
        line: &Line,
    ) -> bool {
        if self.is_done(game.number) {
            return false;
        }
        self.enter_fault(game, outcome, fault);
        let Outcome::Known(outcome) = outcome else {
            self.abandoned.insert(game.number);
            return true;
        };
        self.abandoned.remove(&game.number);
        self.done.insert(game.number);
        if !self.is_decided() {
            let white = match outcome.winner() {
                Some(Color::White) => 2,
                None => 1,
                Some(Color::Black) => 0,
            };
            let points = if game.leg == 0 { white } else { 2 - white };
            self.tally(game, points, Trinomial::note);
            self.enter_half(game, Half::new(points, line));
        }
        true
    }

    /// Counts the fault that ended a game, if one did.
    fn enter_fault(&mut self, game: &Fixture, outcome: Outcome, fault: Option<(Color, &str)>) {
        let fault = fault.map(|(color, name)| (color.fold_wb(game.white, game.black), name));
        if let Some((player, name)) = fault {
            *self.players[player].faults.entry(name.to_owned()).or_default() += 1;
        }
        for player in [game.white, game.black] {
            if outcome.is_known() {
                let own = fault.filter(|(at_fault, _)| *at_fault == player).map(|(_, name)| name.to_owned());
                self.players[player].ends.push(own);
            }
        }
    }

    /// Enters a finished game into its pair. If the pair is a copy, its games no longer count.
    fn enter_half(&mut self, game: &Fixture, half: Half) {
        let pair = game.number / 2;
        let Some(other) = self.half_pairs.remove(&pair) else {
            self.half_pairs.insert(pair, half);
            return;
        };
        let legs = if game.leg == 0 { [half, other] } else { [other, half] };
        let have_moves = legs.iter().all(|half| half.line.is_some());
        if !have_moves || self.distinct.insert((game.pairing, legs)) {
            let points = half.points + other.points;
            self.pairings[game.pairing].pairs.note(points);
            if let Some(sprt) = self.sprt.as_mut().filter(|_| game.pairing == 0) {
                sprt.note(points);
            }
        } else {
            let before = Fixture { leg: 1 - game.leg, white: game.black, black: game.white, ..*game };
            self.tally(game, half.points, Trinomial::remove);
            self.tally(&before, other.points, Trinomial::remove);
            self.copies += 2;
        }
    }

    /// Changes the tallies of single games by one game of `points` half points for the first player of its
    /// pairing.
    fn tally(&mut self, game: &Fixture, points: usize, change: fn(&mut Trinomial, usize)) {
        let white = if game.leg == 0 { points } else { 2 - points };
        change(&mut self.white, white);
        change(&mut self.players[game.white].games, white);
        change(&mut self.players[game.black].games, 2 - white);
        change(&mut self.pairings[game.pairing].games, points);
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::KnownOutcome;

    use super::*;
    use crate::arena::schedule::Form;
    use crate::rules::Penalty;

    const WHITE: Outcome = Outcome::Known(KnownOutcome::Decisive { winner: Color::White });
    const BLACK: Outcome = Outcome::Known(KnownOutcome::Decisive { winner: Color::Black });
    const DRAW: Outcome = Outcome::Known(KnownOutcome::Draw);

    /// A game unlike those with other numbers.
    fn line(number: usize) -> Line {
        let mut line =
            Line::from_fen(&format!("4k3/8/8/8/8/8/4P3/4K3 w - - 0 {}", number + 1), false).unwrap();
        line.play(line.read_move("e2e4").unwrap());
        line
    }

    /// Enters a game unlike all others.
    fn enter(book: &mut Standings, schedule: &Schedule, number: usize, outcome: Outcome) -> bool {
        book.enter(&schedule.fixture(number), outcome, None, &line(number))
    }

    #[test]
    fn pairs_are_counted_when_both_games_are_in_whatever_the_order() {
        let schedule = Schedule::new(2, Form::RoundRobin, 3);
        let mut book = Standings::new(&schedule, 2, None);
        for (number, outcome) in [(1, BLACK), (2, WHITE), (0, WHITE), (3, DRAW), (4, BLACK)] {
            assert!(enter(&mut book, &schedule, number, outcome));
        }
        // Round 1: two wins, with White and with Black. Round 2: a win and a draw. Round 3: one game.
        assert_eq!(book.pairings[0].pairs, Pentanomial([0, 0, 0, 1, 1]));
        assert_eq!(book.pairings[0].games, Trinomial { wins: 3, draws: 1, losses: 1 });
        assert_eq!(book.white, Trinomial { wins: 2, draws: 1, losses: 2 });
        assert_eq!(book.players[1].games, Trinomial { wins: 1, draws: 1, losses: 3 });
    }

    /// Every pairing plays the same three pairs twice, in another order of the games: the second time nothing
    /// changes.
    #[test]
    fn copies_are_no_evidence() {
        let schedule = Schedule::new(3, Form::RoundRobin, 6);
        let test = Sprt { elo1: 50.0, ..Sprt::default() };
        let mut book = Standings::new(&schedule, 3, Some(test));
        let outcomes = [WHITE, DRAW, WHITE, BLACK, DRAW, DRAW];
        let per_round = 2 * schedule.pairings().len();
        let play = |book: &mut Standings, rounds: std::ops::Range<usize>| {
            for number in (rounds.start * per_round..rounds.end * per_round).rev() {
                let game = schedule.fixture(number);
                let kind = game.round % 3 * 2 + game.leg;
                assert!(book.enter(&game, outcomes[kind], None, &line(kind)));
            }
        };
        play(&mut book, 0..3);
        let once = book.clone();
        play(&mut book, 3..6);
        assert_eq!((book.played(), book.copies(), once.copies()), (36, 18, 0));
        for (now, then) in book.pairings.iter().zip(&once.pairings) {
            assert_eq!((now.games, now.pairs), (then.games, then.pairs));
            assert_eq!(now.pairs.pairs(), 3);
        }
        let games = |book: &Standings| book.players.iter().map(|player| player.games).collect::<Vec<_>>();
        assert_eq!((games(&book), book.white), (games(&once), once.white));
        assert_eq!(book.sprt.unwrap().llr(), once.sprt.unwrap().llr());
    }

    #[test]
    fn games_without_moves_are_no_copies() {
        let schedule = Schedule::new(2, Form::RoundRobin, 60);
        let mut book = Standings::new(&schedule, 2, None);
        for number in 0..schedule.games() {
            let line = if number == 119 { line(0) } else { Line::new(shakmaty::Chess::default(), false) };
            book.enter(&schedule.fixture(number), DRAW, None, &line);
        }
        assert_eq!((book.played(), book.copies(), book.pairings[0].pairs.pairs()), (120, 0, 60));
    }

    /// One repeated game is chance, and another result is another game.
    #[test]
    fn a_pair_with_a_new_game_is_no_copy() {
        let schedule = Schedule::new(2, Form::RoundRobin, 4);
        let mut book = Standings::new(&schedule, 2, None);
        let games =
            [(0, WHITE), (1, DRAW), (0, WHITE), (2, DRAW), (0, WHITE), (1, WHITE), (1, DRAW), (0, WHITE)];
        for (number, (kind, outcome)) in games.into_iter().enumerate() {
            book.enter(&schedule.fixture(number), outcome, None, &line(kind));
        }
        assert_eq!((book.copies(), book.pairings[0].pairs.pairs()), (0, 4));
    }

    /// The scores are those of the test also when other games end after its decision.
    #[test]
    fn late_games_change_nothing() {
        let schedule = Schedule::new(2, Form::RoundRobin, 400);
        let test = Sprt { elo1: 50.0, ..Sprt::default() };
        let mut book = Standings::new(&schedule, 2, Some(test));
        let win = |number: usize| if number.is_multiple_of(2) { WHITE } else { BLACK };
        let mut numbers = 0..schedule.games();
        while !book.is_decided() {
            let number = numbers.next().expect("a player that wins every game is found stronger");
            enter(&mut book, &schedule, number, win(number));
        }
        let then = book.clone();
        for number in numbers {
            enter(&mut book, &schedule, number, win(number + 1));
        }
        let sprt = book.sprt.unwrap();
        assert_eq!((sprt.verdict(), book.played()), (Verdict::H1, 800));
        assert_eq!(book.pairings[0].pairs, then.pairings[0].pairs);
        assert_eq!(sprt.llr(), test.llr(&book.pairings[0].pairs), "they rest on the same pairs");
    }

    #[test]
    fn an_abandoned_game_does_not_count_until_it_is_finished() {
        let schedule = Schedule::new(2, Form::RoundRobin, 1);
        let mut book = Standings::new(&schedule, 2, Some(Sprt::default()));
        assert!(enter(&mut book, &schedule, 0, WHITE));
        let crash = Some((Color::White, "crash"));
        for _ in 0..2 {
            assert!(book.enter(&schedule.fixture(1), Outcome::Unknown, crash, &line(1)));
        }
        assert_eq!((book.played(), book.is_done(1), book.pairings[0].pairs.pairs()), (1, false, 0));
        assert!(book.abandoned().eq([1]));
        // The second player has White in the second game.
        assert_eq!(book.players[1].faults.get("crash"), Some(&2));
        assert_eq!(book.players[1].games.games(), 1);
        assert!(enter(&mut book, &schedule, 1, BLACK));
        assert_eq!((book.played(), book.abandoned().count()), (2, 0));
        assert_eq!(book.pairings[0].pairs, Pentanomial([0, 0, 0, 0, 1]));
    }

    #[test]
    fn a_game_counts_once_and_faults_are_counted_by_player() {
        let schedule = Schedule::new(2, Form::RoundRobin, 1);
        let mut book = Standings::new(&schedule, 2, None);
        let late = Some((Color::Black, "time forfeit"));
        assert!(book.enter(&schedule.fixture(1), WHITE, late, &line(1)));
        assert!(!book.enter(&schedule.fixture(1), WHITE, late, &line(1)));
        assert!(enter(&mut book, &schedule, 0, DRAW));
        assert_eq!(book.played(), 2);
        // The second player has White in the second game; the first player ran out of time.
        assert_eq!(book.players[0].faults.get("time forfeit"), Some(&1));
        assert!(book.players[1].faults.is_empty());
        let late = [0, 1].map(|player: usize| book.players[player].recent_faults(Penalty::TIME_FORFEIT, 10));
        assert_eq!(late, [1, 0]);
    }
}
