//! One thread of self-play.

use rand::{Rng as _, SeedableRng as _, rngs::StdRng, seq::IndexedRandom as _};
use shakmaty::{KnownOutcome, Position as _};

use super::{
    Recipe,
    watch::{Watch, end_by_rule},
};
use crate::{
    data::Record,
    eval::Standard,
    position::{PackedMove, Position},
    search::{Limits, Outcome, Searcher, Settings, Silent, Stop},
};

/// Openings tried before a game is given up: its start may be too unbalanced for any.
const TRIES: usize = 100;

/// A finished game.
#[derive(Clone, Debug)]
pub(super) struct Game {
    pub(super) result: KnownOutcome,
    /// Its positions with their keys, in order; none if no balanced opening was found.
    pub(super) positions: Vec<(u64, Record)>,
}

/// Plays games one after the other.
#[derive(Debug)]
pub(super) struct Player<'r> {
    recipe: &'r Recipe,
    stop: &'r Stop,
    searcher: Searcher<Standard>,
    settings: Settings,
    limits: Limits,
}

impl<'r> Player<'r> {
    pub(super) fn new(recipe: &'r Recipe, stop: &'r Stop) -> Self {
        let limits = Limits {
            soft_nodes: Some(recipe.nodes),
            nodes: Some(recipe.nodes.saturating_mul(Recipe::HARD_LIMIT)),
            ..Limits::default()
        };
        let searcher = Searcher::new(recipe.hash);
        Self { recipe, stop, searcher, settings: Settings::default(), limits }
    }

    /// Plays the game with the given number, or returns `None` if it was stopped.
    pub(super) fn play(&mut self, number: u64) -> Option<Game> {
        self.searcher.clear();
        let mut random = generator(self.recipe.seed, number);
        let mut positions = Vec::new();
        let opening = (0..TRIES).find_map(|_| self.opening(number, &mut random));
        let Some(mut position) = opening else {
            return (!self.stop.is_stopped()).then_some(Game { result: KnownOutcome::Draw, positions });
        };
        let mut watch = Watch::default();
        let result = loop {
            if let Some(result) = end_by_rule(&position) {
                break result;
            }
            let found = self.search(&position)?;
            let (best, score) = (found.best?, found.value());
            let packed = PackedMove::new(best)?;
            if let Ok(record) = Record::new(&position, score, packed, KnownOutcome::Draw) {
                positions.push((position.key(), record));
            }
            if let Some(result) = watch.decides(self.recipe, ply(&position), position.turn(), score) {
                break result;
            }
            position.play(best);
        };
        for (_, record) in &mut positions {
            *record = record.with_result(result);
        }
        Some(Game { result, positions })
    }

    /// An opening, or `None` where the moves drawn led to the end of the game, or one side stands too well.
    fn opening(&mut self, number: u64, random: &mut StdRng) -> Option<Position> {
        let starts = &self.recipe.starts;
        let mut position = starts[(number % starts.len() as u64) as usize].clone();
        for _ in 0..random.random_range(self.recipe.random_plies.clone()) {
            let m = *position.legal_moves().choose(random)?;
            position.play(m);
        }
        if end_by_rule(&position).is_some() {
            return None;
        }
        let score = self.search(&position)?.value();
        (score.abs() <= self.recipe.balance).then_some(position)
    }

    /// What a search says; `None` when it was stopped, and so may say anything.
    fn search(&mut self, position: &Position) -> Option<Outcome> {
        let found = self.searcher.search(position, &self.limits, self.stop, &self.settings, &mut Silent);
        (!self.stop.is_stopped()).then_some(found)
    }
}

/// The chance of one game: no two games share a generator, whatever the seeds.
fn generator(seed: u64, number: u64) -> StdRng {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&number.to_le_bytes());
    StdRng::from_seed(bytes)
}

/// The half-moves before `position`, by the counter of its FEN.
fn ply(position: &Position) -> u32 {
    2 * (position.chess().fullmoves().get() - 1) + u32::from(position.turn().is_black())
}
