//! One thread of self-play.

use rand_chacha::ChaCha8Rng;
use shakmaty::Position as _;

use super::{
    Recipe,
    attention::Attention,
    opening, tree,
    watch::{Watch, end_by_rule},
};
use crate::{
    data::{Game, Ply, Record},
    eval::Evaluator,
    position::{PackedMove, Position},
    search::{Limits, Outcome, Searcher, Settings, Stop},
};

/// Openings tried before a game is given up: its start may be too unbalanced for any.
const TRIES: usize = 100;

/// What has become of one number.
#[derive(Clone, Debug)]
pub(super) enum Played {
    /// A game.
    Game(Game),
    /// Positions from the trees of its searches.
    Positions(Vec<Record>),
    /// No balanced opening was found.
    Unbalanced,
}

/// Plays games one after the other.
#[derive(Debug)]
pub(super) struct Player<'r, E> {
    recipe: &'r Recipe,
    stop: &'r Stop,
    searcher: Searcher<E>,
    settings: Settings,
    limits: Limits,
    /// What has gone wrong: nothing that is found after it counts.
    attention: Attention,
}

impl<'r, E: Evaluator> Player<'r, E> {
    pub(super) fn new(recipe: &'r Recipe, stop: &'r Stop, searcher: Searcher<E>) -> Self {
        let limits = Limits {
            soft_nodes: Some(recipe.nodes),
            nodes: Some(recipe.nodes.saturating_mul(Recipe::HARD_LIMIT)),
            ..Limits::default()
        };
        Self {
            recipe,
            stop,
            searcher,
            settings: Settings::default(),
            limits,
            attention: Attention::default(),
        }
    }

    /// What has gone wrong in the game that [`play`](Self::play) gave up.
    pub(super) fn problem(&mut self) -> Option<String> {
        self.attention.problem.take()
    }

    /// Whether to give up.
    fn is_over(&self) -> bool {
        self.stop.is_stopped() || self.attention.problem.is_some()
    }

    /// Plays the game with the given number, or returns `None` if it was stopped or there was a [`problem`](Self::problem).
    pub(super) fn play(&mut self, number: u64) -> Option<Played> {
        self.searcher.clear();
        let mut random = opening::generator(self.recipe.seed, number);
        // Without chance in it, every try would be the first one again.
        let tries = if self.recipe.games().is_some() { 1 } else { TRIES };
        let opening = (0..tries).find_map(|_| self.opening(number, &mut random));
        let Some(start) = opening else {
            return (!self.is_over()).then_some(Played::Unbalanced);
        };
        match self.recipe.tree {
            None => self.game(&start),
            Some(_) => self.positions(start, random),
        }
    }

    fn game(&mut self, start: &Position) -> Option<Played> {
        let (mut position, mut plies) = (start.clone(), Vec::new());
        let mut watch = Watch::default();
        let (result, ending) = loop {
            if let Some(end) = end_by_rule(&position) {
                break end;
            }
            let found = self.search(&position)?;
            let (best, score) = (found.best?, found.value());
            plies.push(Ply::new(PackedMove::new(best)?, score));
            if let Some(end) = watch.decides(self.recipe, ply(&position), position.turn(), score) {
                break end;
            }
            position.play(best);
        };
        // No more than 32 pieces: a book that begins with more gives no games.
        Some(Game::new(start, plies, result, ending).map_or(Played::Unbalanced, Played::Game))
    }

    /// The positions of the trees that a game's searches walk through.
    fn positions(&mut self, start: Position, mut random: ChaCha8Rng) -> Option<Played> {
        let rule = self.recipe.tree?;
        let (mut position, mut records) = (start, Vec::new());
        let mut watch = Watch::default();
        while end_by_rule(&position).is_none() {
            let mut sampler = tree::Sampler::new(&position, rule.positions, &mut random);
            let (limits, settings) = (&self.limits, &self.settings);
            let found = self.searcher.search_watched(
                &position,
                limits,
                self.stop,
                settings,
                &mut self.attention,
                &mut sampler,
            );
            for sample in sampler.taken() {
                let limits =
                    Limits { soft_nodes: Some(rule.nodes), nodes: Some(8 * rule.nodes), ..Limits::default() };
                let label = self.searcher.search(&sample, &limits, self.stop, settings, &mut self.attention);
                if let Some(best) = label.best.and_then(PackedMove::new) {
                    let result = tree::result(sample.turn(), label.value(), &mut random);
                    records.extend(Record::new(&sample, label.value(), best, result));
                }
            }
            if self.is_over() {
                return None;
            }
            if watch.decides(self.recipe, ply(&position), position.turn(), found.value()).is_some() {
                break;
            }
            position.play(found.best?);
        }
        Some(Played::Positions(records))
    }

    /// An opening, or `None` where the moves drawn led to the end of the game, or one side stands too well.
    fn opening(&mut self, number: u64, random: &mut ChaCha8Rng) -> Option<Position> {
        let position = opening::draw(self.recipe, number, random)?;
        if self.is_over() || end_by_rule(&position).is_some() {
            return None;
        }
        let score = self.search(&position)?.value();
        (score.abs() <= self.recipe.balance).then_some(position)
    }

    /// What a search says; `None` when it was stopped or had a problem, and so may say anything.
    fn search(&mut self, position: &Position) -> Option<Outcome> {
        let found =
            self.searcher.search(position, &self.limits, self.stop, &self.settings, &mut self.attention);
        (!self.is_over()).then_some(found)
    }
}

/// The half-moves before `position`, by the counter of its FEN.
fn ply(position: &Position) -> u32 {
    2 * (position.chess().fullmoves().get() - 1) + u32::from(position.turn().is_black())
}
