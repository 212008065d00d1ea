//! Makes a book from games.

use std::collections::{HashMap, HashSet};

use super::{Book, Entry, key, packed};
use crate::game::Game;

/// Counts the moves of games, and their results.
#[derive(Debug)]
pub struct Maker {
    /// The number of plies of each game that are counted.
    plies: usize,
    played: HashMap<(u64, u16), Played>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Played {
    games: u64,
    /// Two for a win of the player, one for a draw.
    points: u64,
}

impl Maker {
    /// Returns an empty count for the first `plies` plies of each game.
    #[must_use]
    pub fn new(plies: usize) -> Self {
        Self { plies, played: HashMap::new() }
    }

    /// Counts the moves of a game, up to a null move. A game without a result counts as a draw. A move that is repeated
    /// in the same position of a game counts once.
    pub fn add(&mut self, game: &Game) {
        let mut position = game.start.clone();
        let mut seen = HashSet::new();
        for m in game.moves().into_iter().take(self.plies).map_while(|m| m) {
            let points = match (game.result.as_str(), position.turn().is_white()) {
                ("1-0", true) | ("0-1", false) => 2,
                ("1-0", false) | ("0-1", true) => 0,
                _ => 1,
            };
            let place = (key(&position), packed(m));
            if seen.insert(place) {
                let played = self.played.entry(place).or_default();
                played.games += 1;
                played.points += points;
            }
            position.play(m);
        }
    }

    /// Returns the book of all moves played in at least `games` games. The weight of a move is its points (two for a
    /// win of its player, one for a draw). The weights of a position are scaled down if they are too large for the
    /// format.
    #[must_use]
    pub fn book(&self, games: u64) -> Book {
        let often = self.played.iter().filter(|(_, played)| played.games >= games);
        let mut often: Vec<_> = often.map(|(&(key, m), played)| (key, m, played.points)).collect();
        often.sort_unstable_by_key(|&(key, m, points)| (key, std::cmp::Reverse(points), m));
        let mut entries = Vec::with_capacity(often.len());
        for moves in often.chunk_by(|a, b| a.0 == b.0) {
            // The first move has the most points.
            let scale = moves[0].2.div_ceil(u64::from(u16::MAX)).max(1);
            entries.extend(moves.iter().map(|&(key, m, points)| Entry {
                key,
                m,
                weight: (points / scale) as u16,
                learn: 0,
            }));
        }
        Book { entries }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{book::tests::after, game::read_games};

    fn made(pgn: &str, plies: usize, games: u64) -> Book {
        let mut maker = Maker::new(plies);
        for game in read_games(pgn.as_bytes()).unwrap() {
            maker.add(&game.unwrap());
        }
        maker.book(games)
    }

    const GAMES: &str = "1. e4 e5 2. Nf3 1-0\n\n1. e4 c5 0-1\n\n1. e4 e5 2. Nc3 1/2-1/2\n\n1. d4 d5 *\n";

    /// The moves of `book` after `moves`, in UCI notation, with their weights.
    fn said(book: &Book, moves: &str) -> Vec<(String, u16)> {
        let text = |m: shakmaty::Move| m.to_uci(shakmaty::CastlingMode::Standard).to_string();
        book.moves(&after(moves)).into_iter().map(|(m, weight)| (text(m), weight)).collect()
    }

    #[test]
    fn moves_weigh_what_their_players_scored() {
        let book = made(GAMES, 20, 1);
        assert_eq!(said(&book, ""), [("e2e4".to_owned(), 3), ("d2d4".to_owned(), 1)]);
        assert_eq!(said(&book, "e2e4"), [("c7c5".to_owned(), 2), ("e7e5".to_owned(), 1)]);
        assert_eq!(Book::from_bytes(&book.to_bytes()).unwrap(), book, "in the order of a file");
    }

    #[test]
    fn rare_moves_and_later_plies_are_left_out() {
        let book = made(GAMES, 20, 2);
        assert_eq!(said(&book, "").len(), 1);
        assert_eq!(said(&book, "e2e4"), [("e7e5".to_owned(), 1)]);
        assert_eq!(said(&made(GAMES, 1, 1), "e2e4"), []);
    }

    #[test]
    fn large_weights_are_scaled_and_repetitions_count_once() {
        let mut maker = Maker::new(20);
        let games = read_games("1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 1-0\n\n1. e4 1-0\n".as_bytes()).unwrap();
        for game in games.iter().flatten() {
            maker.add(game);
        }
        assert_eq!(said(&maker.book(1), "").iter().map(|(_, weight)| *weight).collect::<Vec<_>>(), [2, 2]);
        for _ in 1..70_000 {
            maker.add(games[1].as_ref().unwrap());
        }
        let book = maker.book(1);
        let (heaviest, other) = (said(&book, "")[0].1, said(&book, "")[1].1);
        assert!(heaviest > 20_000 && other == 0, "{heaviest} {other}");
    }
}
