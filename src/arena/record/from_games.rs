//! A match of which only the games are left: its players, its schedule and its standings, from any PGN.
//!
//! Zugwerk's own tags `Round` (`17.2`) name the games of a schedule. In other files two games of the same
//! players with reversed colours are a pair if they have the same tag, or else if they begin in the same
//! position.

use std::collections::{HashMap, HashSet, VecDeque};
use std::iter;

use shakmaty::Outcome;

use crate::arena::ending::Ending;
use crate::arena::line::Line;
use crate::arena::record::resume::at_fault;
use crate::arena::record::standings::Standings;
use crate::arena::schedule::{Fixture, Schedule};
use crate::chess::pgn::Game;
use crate::chess::remarks::engine_notes;
use crate::rules::Penalty;

/// What identifies a game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Heading {
    white: String,
    black: String,
    round: String,
    start: Option<String>,
    is_finished: bool,
}

impl Heading {
    /// The heading of `game`.
    #[must_use]
    pub fn of(game: &Game) -> Self {
        let tag = |name| game.tag(name).unwrap_or_default().to_owned();
        let start = game.tag("FEN").map(str::to_owned);
        let is_finished = game.result != "*";
        Self { white: tag("White"), black: tag("Black"), round: tag("Round"), start, is_finished }
    }
}

/// The players and the schedule of a match, and the number of each of its games in the order of the file.
#[derive(Debug, Clone)]
pub struct FoundMatch {
    /// The names of the players.
    pub players: Vec<String>,
    /// The schedule: the pairings that have games, in as many rounds as these need.
    pub schedule: Schedule,
    /// The number of each game in the schedule.
    pub numbers: Vec<usize>,
}

impl FoundMatch {
    /// Finds the match of games with these headings. `None` if a player plays itself, or there are not two
    /// players.
    #[must_use]
    pub fn of(games: &[Heading]) -> Option<Self> {
        let players = players(games);
        let index: HashMap<&str, usize> = players.iter().map(String::as_str).zip(0..).collect();
        let pairs: Option<Vec<(usize, usize)>> =
            games.iter().map(|game| Some((*index.get(&*game.white)?, *index.get(&*game.black)?))).collect();
        let pairs = pairs.filter(|pairs| players.len() >= 2 && pairs.iter().all(|(one, two)| one != two))?;
        let pairings = pairs.iter().map(|&(white, black)| (white.min(black), white.max(black))).collect();
        let mut schedule = Schedule::of_pairings(pairings, games.len());
        let own = games.iter().zip(&pairs).map(|(game, &(white, black))| {
            schedule.find(&game.round, white, black).map(|fixture| fixture.number)
        });
        let own: Option<Vec<usize>> = own.collect();
        // An abandoned game is played again under its number.
        let is_distinct = |numbers: &Vec<usize>| {
            let mut seen = HashSet::new();
            numbers.iter().zip(games).all(|(number, game)| !game.is_finished || seen.insert(number))
        };
        let own = own.filter(is_distinct);
        let numbers = own.unwrap_or_else(|| by_pairs(games, &pairs, &schedule));
        let last = numbers.iter().map(|&number| schedule.fixture(number).round).max()?;
        schedule.shorten(last + 1);
        Some(Self { players, schedule, numbers })
    }
}

/// The names in the order of their first games; the one that plays all games, if there is one, comes first.
fn players(games: &[Heading]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    for game in games {
        // The second game of a pair is the one in which the first player has Black.
        let second = game.round.ends_with(".2");
        let [first, other] = if second { [&game.black, &game.white] } else { [&game.white, &game.black] };
        for name in [first, other] {
            if seen.insert(name) {
                names.push(name.clone());
            }
        }
    }
    let plays_all = |name: &String| games.iter().all(|game| [&game.white, &game.black].contains(&name));
    if let Some(everywhere) = names.iter().position(plays_all) {
        names[..=everywhere].rotate_right(1);
    }
    names
}

/// What a game and the other game of its pair have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
struct PairKey<'g> {
    pairing: usize,
    start: Option<&'g str>,
    /// The number of the round; `None` for games of any round.
    round: Option<&'g str>,
}

/// Numbers the games, each with the first game that can be the other one of its pair: one of its round, or
/// else of any.
fn by_pairs(games: &[Heading], players: &[(usize, usize)], schedule: &Schedule) -> Vec<usize> {
    let pairings = schedule.pairings();
    let index: HashMap<(usize, usize), usize> = pairings.iter().copied().zip(0..).collect();
    let mut rounds = vec![0; pairings.len()];
    // Pairings and rounds of the first games of pairs, in the order of the file, by what the other game must
    // have: key and leg. They stay until they are met again, although they may have found the other game
    // under another key.
    let mut open: HashMap<(PairKey<'_>, usize), VecDeque<(usize, usize)>> = HashMap::new();
    let mut closed = HashSet::new();
    let mut numbers = Vec::with_capacity(games.len());
    for (game, &(white, black)) in games.iter().zip(players) {
        let pairing = index[&(white.min(black), white.max(black))];
        let leg = usize::from(white > black);
        let round = game.round.split('.').next().filter(|round| round.parse::<u64>().is_ok());
        let any = PairKey { pairing, start: game.start.as_deref(), round: None };
        let keys = [Some(PairKey { round, ..any }).filter(|key| key.round.is_some()), Some(any)];
        let other = keys.iter().flatten().find_map(|&key| {
            let waiting = open.get_mut(&(key, leg))?;
            iter::from_fn(|| waiting.pop_front()).find(|pair| !closed.contains(pair))
        });
        let pair = other.unwrap_or((pairing, rounds[pairing]));
        if other.is_some() {
            closed.insert(pair);
        } else {
            rounds[pairing] += 1;
            for &key in keys.iter().flatten() {
                open.entry((key, 1 - leg)).or_default().push_back(pair);
            }
        }
        numbers.push((pair.1 * pairings.len() + pairing) * 2 + leg);
    }
    numbers
}

/// The [name](crate::arena::ending::Fault::name) of the fault that ended `game`, by its tag `Termination`. A
/// disconnected engine is `abandoned` in fastchess and cutechess-cli; a stalled one too, or `stalled
/// connection`.
pub(in crate::arena) fn fault(game: &Game) -> Option<&'static str> {
    let words = || engine_notes::of_game(game).pop().flatten().map(|note| note.words).unwrap_or_default();
    Some(match &*game.tag("Termination")?.to_lowercase() {
        "illegal move" | "rules infraction" => "illegal move",
        "time forfeit" => Penalty::TIME_FORFEIT,
        "stall" | "stalled connection" => "stall",
        Ending::ABANDONED if words().contains("stall") => "stall",
        Ending::ABANDONED | "crash" => "crash",
        _ => return None,
    })
}

/// Enters a finished game, which was played as `fixture`. Returns whether it has a result.
pub fn enter(game: &Game, line: &Line, fixture: &Fixture, standings: &mut Standings) -> bool {
    let outcome = Outcome::from_ascii(game.result.as_bytes()).unwrap_or(Outcome::Unknown);
    let fault = fault(game).and_then(|fault| Some((at_fault(outcome, fault, line.turn())?, fault)));
    standings.enter(fixture, outcome, fault, line);
    outcome.is_known()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;

    fn heading(white: &str, black: &str, round: &str, start: &str) -> Heading {
        let start = (!start.is_empty()).then(|| start.to_owned());
        Heading { white: white.into(), black: black.into(), round: round.into(), start, is_finished: true }
    }

    #[test]
    fn our_own_rounds_are_kept() {
        let games = [("B", "A", "1.2"), ("A", "B", "2.1"), ("A", "B", "1.1")];
        let games = games.map(|(white, black, round)| heading(white, black, round, ""));
        let found = FoundMatch::of(&games).unwrap();
        assert_eq!((found.players, found.numbers), (vec!["A".into(), "B".into()], vec![1, 2, 0]));
        assert_eq!(found.schedule.rounds(), 2);
    }

    #[test]
    fn games_of_others_are_paired_by_colour_round_and_start() {
        for rounds in [["1", "2", "1", "2"], ["?", "?", "?", "?"], ["1", "1", "1", "1"], ["1", "2", "3", "4"]]
        {
            let games = [("A", "B", "x"), ("A", "B", "y"), ("B", "A", "x"), ("B", "A", "y")];
            let games: Vec<Heading> =
                games.iter().zip(rounds).map(|((w, b, start), round)| heading(w, b, round, start)).collect();
            assert_eq!(FoundMatch::of(&games).unwrap().numbers, [0, 2, 1, 3], "{rounds:?}");
        }
    }

    #[test]
    fn one_that_plays_all_the_others_leads_a_gauntlet() {
        let games = [("A", "C", "1"), ("C", "A", "1"), ("B", "C", "2"), ("C", "B", "2")];
        let games = games.map(|(white, black, round)| heading(white, black, round, ""));
        let found = FoundMatch::of(&games).unwrap();
        assert_eq!(found.players, ["C", "A", "B"]);
        assert_eq!(found.schedule.pairings(), [(0, 1), (0, 2)]);
        assert_eq!(found.numbers, [1, 0, 3, 2]);
    }

    /// The time grows with the number of games, not with its square.
    #[test]
    fn many_games_without_a_brother_are_numbered_at_once() {
        let starts: Vec<String> = (0..200_000).map(|start| start.to_string()).collect();
        let sides = [("A", "B"), ("B", "A")];
        let games = starts.iter().zip(sides.iter().cycle());
        let games: Vec<Heading> =
            games.map(|(start, (white, black))| heading(white, black, "?", start)).collect();
        let (begin, found) = (Instant::now(), FoundMatch::of(&games).unwrap());
        assert_eq!(found.schedule.rounds(), games.len());
        assert!(begin.elapsed() < Duration::from_secs(10), "{:?}", begin.elapsed());
    }

    /// Of the pairings of a foreign file only those that were played are listed.
    #[test]
    fn only_pairings_with_games_are_listed() {
        let names: Vec<String> = (0..1000).map(|player| format!("P{player}")).collect();
        let games: Vec<Heading> = names
            .chunks(2)
            .flat_map(|two| [heading(&two[0], &two[1], "?", ""), heading(&two[1], &two[0], "?", "")])
            .collect();
        let found = FoundMatch::of(&games).unwrap();
        assert_eq!((found.schedule.pairings().len(), found.schedule.games()), (500, 1000));
        assert_eq!(found.numbers, (0..1000).collect::<Vec<_>>());
    }

    /// fastchess (`pgn_builder.cpp`) and cutechess-cli (`pgngame.cpp`) have these words, Lichess writes them
    /// with a capital. chess.com tells the result in a sentence.
    #[test]
    fn the_faults_of_other_programs_are_known() {
        let fault = |termination: &str, said: &str| {
            let pgn = format!("[Termination \"{termination}\"]\n\n1. e4 {{+0.10/9 0.1s{said}}} 1-0");
            fault(&crate::chess::pgn::read_games(pgn.as_bytes()).unwrap().remove(0).unwrap())
        };
        for (termination, expected) in [
            ("abandoned", Some("crash")),
            ("stalled connection", Some("stall")),
            ("illegal move", Some("illegal move")),
            ("time forfeit", Some("time forfeit")),
            ("Time forfeit", Some("time forfeit")),
            ("Rules infraction", Some("illegal move")),
            ("normal", None),
            ("adjudication", None),
            ("unterminated", None),
            ("Hikaru won by checkmate", None),
            ("Game drawn by repetition", None),
        ] {
            assert_eq!(fault(termination, ""), expected, "{termination}");
        }
        assert_eq!(fault("abandoned", ", Black's connection stalls"), Some("stall"), "fastchess");
    }

    #[test]
    fn what_is_no_match_is_none() {
        assert!(FoundMatch::of(&[]).is_none());
        assert!(FoundMatch::of(&[heading("A", "A", "1", "")]).is_none());
    }
}
