//! One thread of self-play.

use rand_chacha::ChaCha8Rng;
use shakmaty::KnownOutcome;

use super::{Recipe, TreeRule, attention::Attention, opening, tree};
use crate::{
    data::{Ply, Record, Termination, TrainingGame},
    eval::Evaluator,
    position::{PackedMove, Position},
    random::generator,
    rules::{Adjudication, BoardEnd, Rules, Scores},
    search::{Outcome, Searcher, Settings, Stop, Unwatched, Watcher},
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

impl GameOutput {
    /// The number of its positions.
    pub(super) fn positions(&self) -> u64 {
        match self {
            Self::Game(game) => game.plies().len() as u64,
            Self::Positions(records) => records.len() as u64,
            Self::Unbalanced => 0,
        }
    }
}

/// Plays games, one at a time.
#[derive(Debug)]
pub(super) struct SelfPlay<'r, E> {
    recipe: &'r Recipe,
    stop: &'r Stop,
    searcher: Searcher<E>,
    rules: Rules,
    /// Records a problem; results after it are invalid.
    attention: Attention,
}

impl<'r, E: Evaluator> SelfPlay<'r, E> {
    pub(super) fn new(recipe: &'r Recipe, stop: &'r Stop, searcher: Searcher<E>) -> Self {
        Self { recipe, stop, searcher, rules: recipe.rules(), attention: Attention::default() }
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
        let (opening, mut random) = self.begin(number);
        let Some(start) = opening else {
            return (!self.is_over()).then_some(GameOutput::Unbalanced);
        };
        let (mut position, mut scores) = (start.clone(), Scores::default());
        let (mut plies, mut samples) = (Vec::new(), Vec::new());
        let (result, ending) = loop {
            if let Some(end) = BoardEnd::of(&position) {
                break (end.outcome(), on_board(end));
            }
            let found = match self.recipe.tree {
                None => self.search(&position, self.recipe.nodes, Unwatched)?,
                Some(rule) => self.search_tree(&position, rule, &mut random, &mut samples)?,
            };
            let (best, score) = (found.best?, found.value());
            plies.push(Ply::new(PackedMove::new(best)?, score));
            if let Some(decree) = self.decree(&mut scores, &position, score) {
                break (decree.outcome(), by_decree(decree));
            }
            position.play(best);
        };
        if self.recipe.tree.is_some() {
            return Some(GameOutput::Positions(samples));
        }
        // A record has at most 32 pieces; a start with more gives no game.
        let game = TrainingGame::new(&start, plies, result, ending);
        Some(game.map_or(GameOutput::Unbalanced, GameOutput::Game))
    }

    /// Returns the opening of game `number`, if one of the tries is balanced, and its random generator.
    fn begin(&mut self, number: u64) -> (Option<Position>, ChaCha8Rng) {
        self.searcher.clear();
        let mut random = generator(self.recipe.seed, number, 0);
        // Without random plies every try would be the same.
        let tries = if self.recipe.games().is_some() { 1 } else { TRIES };
        ((0..tries).find_map(|_| self.opening(number, &mut random)), random)
    }

    /// Returns an opening, or `None` if the random plies ended the game or one side is too far ahead.
    fn opening(&mut self, number: u64, random: &mut ChaCha8Rng) -> Option<Position> {
        let position = opening::draw(self.recipe, number, random)?;
        if self.is_over() || BoardEnd::of(&position).is_some() {
            return None;
        }
        let score = self.search(&position, self.recipe.nodes, Unwatched)?.value();
        (score.abs() <= self.recipe.balance).then_some(position)
    }

    /// The adjudication of `position` by its score for the side to move, by endgame tables, or by the length of the
    /// game since its starting position, whatever move number that has.
    fn decree(&self, scores: &mut Scores, position: &Position, score: Value) -> Option<Adjudication> {
        let decree = self.rules.by_scores(scores, position.ply(), position.turn(), Some(score));
        let decree = decree.or_else(|| self.rules.by_tables(position.chess()));
        decree.or_else(|| self.rules.by_length(position.plies_played() as u64 + 1))
    }

    /// Searches a position of a game. Adds positions from the tree of that search to `samples`, each labelled by a search of
    /// its own.
    fn search_tree(
        &mut self,
        position: &Position,
        rule: TreeRule,
        random: &mut ChaCha8Rng,
        samples: &mut Vec<Record>,
    ) -> Option<Outcome> {
        let mut sampler = tree::Sampler::new(position, rule.positions, random);
        let found = self.search(position, self.recipe.nodes, &mut sampler)?;
        for sample in sampler.taken() {
            let label = self.search(&sample, rule.nodes, Unwatched)?;
            if let Some(best) = label.best.and_then(PackedMove::new) {
                let result = tree::result(sample.turn(), label.value(), random);
                samples.extend(Record::new(&sample, label.value(), best, result));
            }
        }
        Some(found)
    }

    /// Returns the result of a search; `None` if it was stopped or had a problem, so that the result is invalid.
    fn search(&mut self, position: &Position, nodes: u64, watcher: impl Watcher) -> Option<Outcome> {
        let (limits, settings) = (Recipe::limits(nodes), Settings::default());
        let Self { searcher, stop, attention, .. } = self;
        let found = searcher.search_watched(position, &limits, stop, &settings, attention, watcher);
        (!self.is_over()).then_some(found)
    }
}

fn on_board(end: BoardEnd) -> Termination {
    match end {
        BoardEnd::Checkmate { .. } => Termination::Checkmate,
        BoardEnd::Stalemate => Termination::Stalemate,
        BoardEnd::Threefold => Termination::Repetition,
        BoardEnd::FiftyMoves => Termination::FiftyMoves,
        BoardEnd::InsufficientMaterial => Termination::InsufficientMaterial,
    }
}

fn by_decree(decree: Adjudication) -> Termination {
    match decree {
        Adjudication::Won { .. } | Adjudication::Tables(KnownOutcome::Decisive { .. }) => {
            Termination::CalledWon
        }
        Adjudication::Drawn | Adjudication::Tables(KnownOutcome::Draw) => Termination::CalledDrawn,
        Adjudication::TooLong => Termination::TooLong,
    }
}
