//! One thread of self-play.

use rand_chacha::ChaCha8Rng;
use shakmaty::KnownOutcome;

use super::{Recipe, attention::Attention, opening, tree};
use crate::{
    data::{self, Ply, Record, TrainingGame},
    eval::Evaluator,
    position::{PackedMove, Position},
    random::generator,
    rules::{Adjudication, BoardEnd, Rules, Scores},
    search::{Limits, Outcome, Searcher, Settings, Stop},
    value::Value,
};

/// The number of openings tried for a game; its start may be unbalanced after any random plies.
const TRIES: usize = 100;

/// The number of successive games without a balanced opening after which [`openings`] ends.
const IN_A_ROW: usize = 10;

/// Returns the openings of the games of `recipe`, in the order of their numbers, evaluated by `searcher`, until `stop`
/// is raised. Games without a balanced opening are left out; after ten such games in succession the iterator ends.
pub fn openings<'r, E: Evaluator>(
    recipe: &'r Recipe,
    stop: &'r Stop,
    searcher: Searcher<E>,
) -> impl Iterator<Item = Position> {
    let mut player = SelfPlay::new(recipe, stop, searcher);
    let mut numbers = 0..;
    std::iter::from_fn(move || numbers.by_ref().take(IN_A_ROW).find_map(|number| player.begin(number).0))
}

/// The result of one game number.
#[derive(Clone, Debug)]
pub(super) enum GameOutput {
    /// A game.
    Game(TrainingGame),
    /// Positions from the trees of its searches.
    Positions(Vec<Record>),
    /// No balanced opening was found.
    Unbalanced,
}

/// Plays games, one at a time.
#[derive(Debug)]
pub(super) struct SelfPlay<'r, E> {
    recipe: &'r Recipe,
    stop: &'r Stop,
    searcher: Searcher<E>,
    settings: Settings,
    limits: Limits,
    rules: Rules,
    /// Records a problem; results after it are invalid.
    attention: Attention,
}

impl<'r, E: Evaluator> SelfPlay<'r, E> {
    pub(super) fn new(recipe: &'r Recipe, stop: &'r Stop, searcher: Searcher<E>) -> Self {
        Self {
            recipe,
            stop,
            searcher,
            settings: Settings::default(),
            limits: Recipe::limits(recipe.nodes),
            rules: recipe.rules(),
            attention: Attention::default(),
        }
    }

    /// The problem because of which [`play`](Self::play) abandoned the game.
    pub(super) fn problem(&mut self) -> Option<String> {
        self.attention.problem.take()
    }

    /// Whether to abandon the game.
    fn is_over(&self) -> bool {
        self.stop.is_stopped() || self.attention.problem.is_some()
    }

    /// Plays game `number`; `None` if it was stopped or there was a [`problem`](Self::problem).
    pub(super) fn play(&mut self, number: u64) -> Option<GameOutput> {
        let (opening, random) = self.begin(number);
        let Some(start) = opening else {
            return (!self.is_over()).then_some(GameOutput::Unbalanced);
        };
        match self.recipe.tree {
            None => self.game(&start),
            Some(_) => self.positions(start, random),
        }
    }

    /// Returns the opening of game `number`, if one of the tries is balanced, and its random generator.
    fn begin(&mut self, number: u64) -> (Option<Position>, ChaCha8Rng) {
        self.searcher.clear();
        let mut random = generator(self.recipe.seed, number, 0);
        // Without random plies every try would be the same.
        let tries = if self.recipe.games().is_some() { 1 } else { TRIES };
        ((0..tries).find_map(|_| self.opening(number, &mut random)), random)
    }

    fn game(&mut self, start: &Position) -> Option<GameOutput> {
        let (mut position, mut plies) = (start.clone(), Vec::new());
        let mut scores = Scores::default();
        let (result, ending) = loop {
            if let Some(end) = BoardEnd::of(&position) {
                break (end.outcome(), on_board(end));
            }
            let found = self.search(&position)?;
            let (best, score) = (found.best?, found.value());
            plies.push(Ply::new(PackedMove::new(best)?, score));
            if let Some(decree) = self.decree(&mut scores, &position, score) {
                break (decree.outcome(), by_decree(decree));
            }
            position.play(best);
        };
        // A record has at most 32 pieces; a start with more gives no game.
        Some(TrainingGame::new(start, plies, result, ending).map_or(GameOutput::Unbalanced, GameOutput::Game))
    }

    /// Returns positions from the trees of a game's searches.
    fn positions(&mut self, start: Position, mut random: ChaCha8Rng) -> Option<GameOutput> {
        let rule = self.recipe.tree?;
        let (mut position, mut records) = (start, Vec::new());
        let mut scores = Scores::default();
        while BoardEnd::of(&position).is_none() {
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
                let limits = Recipe::limits(rule.nodes);
                let label = self.searcher.search(&sample, &limits, self.stop, settings, &mut self.attention);
                if let Some(best) = label.best.and_then(PackedMove::new) {
                    let result = tree::result(sample.turn(), label.value(), &mut random);
                    records.extend(Record::new(&sample, label.value(), best, result));
                }
            }
            if self.is_over() {
                return None;
            }
            if self.decree(&mut scores, &position, found.value()).is_some() {
                break;
            }
            position.play(found.best?);
        }
        Some(GameOutput::Positions(records))
    }

    /// Returns an opening, or `None` if the random plies ended the game or one side is too far ahead.
    fn opening(&mut self, number: u64, random: &mut ChaCha8Rng) -> Option<Position> {
        let position = opening::draw(self.recipe, number, random)?;
        if self.is_over() || BoardEnd::of(&position).is_some() {
            return None;
        }
        let score = self.search(&position)?.value();
        (score.abs() <= self.recipe.balance).then_some(position)
    }

    /// The adjudication of `position` by its score for the side to move, by endgame tables, or by the length of the
    /// game since its starting position, whatever move number that has.
    fn decree(&self, scores: &mut Scores, position: &Position, score: Value) -> Option<Adjudication> {
        let decree = self.rules.by_scores(scores, position.ply(), position.turn(), Some(score));
        let decree = decree.or_else(|| self.rules.by_tables(position.chess()));
        decree.or_else(|| self.rules.by_length(position.plies_played() as u64 + 1))
    }

    /// Returns the result of a search; `None` if it was stopped or had a problem, so that the result is invalid.
    fn search(&mut self, position: &Position) -> Option<Outcome> {
        let found =
            self.searcher.search(position, &self.limits, self.stop, &self.settings, &mut self.attention);
        (!self.is_over()).then_some(found)
    }
}

fn on_board(end: BoardEnd) -> data::Termination {
    match end {
        BoardEnd::Checkmate { .. } => data::Termination::Checkmate,
        BoardEnd::Stalemate => data::Termination::Stalemate,
        BoardEnd::Threefold => data::Termination::Repetition,
        BoardEnd::FiftyMoves => data::Termination::FiftyMoves,
        BoardEnd::InsufficientMaterial => data::Termination::InsufficientMaterial,
    }
}

fn by_decree(decree: Adjudication) -> data::Termination {
    match decree {
        Adjudication::Won { .. } | Adjudication::Tables(KnownOutcome::Decisive { .. }) => {
            data::Termination::CalledWon
        }
        Adjudication::Drawn | Adjudication::Tables(KnownOutcome::Draw) => data::Termination::CalledDrawn,
        Adjudication::TooLong => data::Termination::TooLong,
    }
}
