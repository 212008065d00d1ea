//! Positions from inside the tree of a search.
//!
//! A search mostly visits positions that no game reaches: after blunders, in the middle of exchanges. The evaluator
//! must judge exactly these. A small search of its own labels each of them at no higher cost than a position of a game.
//! As many as needed are available without playing more games.
//!
//! Reference: nodchip's generator for Stockfish (official-stockfish/Stockfish, pull request 264 of its NNUE branch),
//! which found such positions to be worth more than those of the games.

use rand::Rng as _;
use rand_chacha::ChaCha8Rng;
use shakmaty::{Color, KnownOutcome, Move};

use crate::{
    position::Position,
    search::{Visit, Watcher},
    value::Value,
    wdl::Chances,
};

/// Samples positions from the tree of one search, each visited node with the same probability (reservoir sampling: J.
/// S. Vitter, "Random Sampling with a Reservoir", 1985, algorithm R). The root is not sampled, nor are nodes after a
/// null move, which no game can reach.
#[derive(Debug)]
pub(super) struct Sampler<'p, 'r> {
    root: &'p Position,
    random: &'r mut ChaCha8Rng,
    wanted: usize,
    /// The moves from the root to the current node.
    path: Vec<Move>,
    /// The null moves on the path, and the moves after the first of them.
    unreal: usize,
    visited: usize,
    taken: Vec<Vec<Move>>,
}

impl<'p, 'r> Sampler<'p, 'r> {
    pub(super) fn new(root: &'p Position, wanted: usize, random: &'r mut ChaCha8Rng) -> Self {
        Self { root, random, wanted, path: Vec::new(), unreal: 0, visited: 0, taken: Vec::new() }
    }

    /// Returns the sampled positions without duplicates, in tree order; fewer than wanted if the tree was small.
    pub(super) fn taken(self) -> Vec<Position> {
        let mut keys = Vec::new();
        let mut positions = Vec::new();
        for path in &self.taken {
            let mut position = self.root.clone();
            for &m in path {
                position.play(m);
            }
            if !keys.contains(&position.key()) {
                keys.push(position.key());
                positions.push(position);
            }
        }
        positions
    }
}

impl Watcher for Sampler<'_, '_> {
    fn make(&mut self, m: Option<Move>) {
        match m {
            Some(m) if self.unreal == 0 => self.path.push(m),
            _ => self.unreal += 1,
        }
    }

    fn unmake(&mut self) {
        if self.unreal > 0 {
            self.unreal -= 1;
        } else {
            self.path.pop();
        }
    }

    fn enter(&mut self, _: Visit) {
        if self.unreal > 0 || self.path.is_empty() {
            return;
        }
        self.visited += 1;
        if self.taken.len() < self.wanted {
            self.taken.push(self.path.clone());
        } else if let Some(place) = self.taken.get_mut(self.random.random_range(0..self.visited)) {
            place.clone_from(&self.path);
        }
    }
}

/// Returns a random result for a position that is not from a game, with the probabilities of its score for the side to
/// move. Its mean agrees with the score, whatever its share in the target. The result of the game whose search visited
/// the position would not apply, because its players did not reach it.
pub(super) fn result(turn: Color, score: Value, random: &mut ChaCha8Rng) -> KnownOutcome {
    let Chances { win, draw, .. } = Chances::from(score);
    let drawn = random.random_range(0..1000);
    KnownOutcome::from_winner(match drawn {
        _ if drawn < win => Some(turn),
        _ if drawn < win + draw => None,
        _ => Some(!turn),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        eval::Classical,
        random::generator,
        search::{Limits, Searcher, Settings, Silent, Stop},
    };

    #[test]
    fn positions_of_the_tree_are_drawn_without_passed_moves() {
        let root =
            Position::from_fen("r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3").unwrap();
        let mut random = generator(1, 1, 0);
        let mut sampler = Sampler::new(&root, 200, &mut random);
        let limits = Limits { nodes: Some(3000), ..Limits::default() };
        let mut searcher = Searcher::<Classical>::new(1);
        searcher.search_watched(
            &root,
            &limits,
            &Stop::default(),
            &Settings::default(),
            &mut Silent,
            &mut sampler,
        );
        assert!(sampler.path.is_empty() && sampler.unreal == 0, "as many moves taken back as made");
        assert!(sampler.visited > 1000, "{}", sampler.visited);
        let (visited, positions) = (sampler.visited, sampler.taken());
        assert!(positions.len() > 150, "{} of {visited}", positions.len());
        for position in &positions {
            let plies = position.plies_played();
            assert!(plies > 0 && (plies % 2 == 1) == position.turn().is_black(), "{}", position.fen());
        }
    }

    #[test]
    fn results_say_on_the_mean_what_the_score_says() {
        let mut random = generator(2, 2, 0);
        for score in [-300, 0, 150] {
            let chances = Chances::from(score);
            let mut counts = [0_u32; 3];
            for _ in 0..10_000 {
                let result = result(Color::Black, score, &mut random);
                counts[result.winner().map_or(1, |winner| if winner == Color::Black { 0 } else { 2 })] += 1;
            }
            for (count, permill) in counts.into_iter().zip([chances.win, chances.draw, chances.loss]) {
                // Four standard deviations, which are at most 50.
                assert!(count.abs_diff(10 * permill) < 200, "{score}: {counts:?}, expected {chances:?}");
            }
        }
    }
}
