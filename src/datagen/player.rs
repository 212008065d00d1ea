//! One thread of self-play.

use rand_chacha::ChaCha8Rng;
use shakmaty::KnownOutcome;

use super::{Recipe, attention::Attention, opening, tree};
use crate::{
    data::{self, Ply, Record, TrainingGame},
    eval::Evaluator,
    position::{PackedMove, Position},
    rules::{Adjudication, BoardEnd, Rules, Scores},
    search::{Limits, Outcome, Searcher, Settings, Stop},
    value::Value,
};

/// Openings tried before a game is given up: its start may be too unbalanced for any.
const TRIES: usize = 100;

/// Games without a balanced opening, one after the other, after which [`openings`] ends.
const IN_A_ROW: usize = 10;

/// The positions that games of `recipe` begin with, in the order of the games' numbers and judged by `searcher`, until `stop`
/// is raised. Games without a balanced opening are left out, and after ten such games in a row there are no more.
pub fn openings<'r, E: Evaluator>(
    recipe: &'r Recipe,
    stop: &'r Stop,
    searcher: Searcher<E>,
) -> impl Iterator<Item = Position> {
    let mut player = SelfPlay::new(recipe, stop, searcher);
    let mut numbers = 0..;
    std::iter::from_fn(move || numbers.by_ref().take(IN_A_ROW).find_map(|number| player.begin(number).0))
}

/// What has become of one number.
#[derive(Clone, Debug)]
pub(super) enum GameOutput {
    /// A game.
    Game(TrainingGame),
    /// Positions from the trees of its searches.
    Positions(Vec<Record>),
    /// No balanced opening was found.
    Unbalanced,
}

/// Plays games one after the other.
#[derive(Debug)]
pub(super) struct SelfPlay<'r, E> {
    recipe: &'r Recipe,
    stop: &'r Stop,
    searcher: Searcher<E>,
    settings: Settings,
    limits: Limits,
    rules: Rules,
    /// What has gone wrong: nothing that is found after it counts.
    attention: Attention,
}

impl<'r, E: Evaluator> SelfPlay<'r, E> {
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
            rules: recipe.rules(),
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

    /// The opening of the game with the given number, if one of the tries is balanced, and the chance that is left.
    fn begin(&mut self, number: u64) -> (Option<Position>, ChaCha8Rng) {
        self.searcher.clear();
        let mut random = opening::generator(self.recipe.seed, number);
        // Without chance in it, every try would be the first one again.
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
        // No more than 32 pieces: a book that begins with more gives no games.
        Some(TrainingGame::new(start, plies, result, ending).map_or(GameOutput::Unbalanced, GameOutput::Game))
    }

    /// The positions of the trees that a game's searches walk through.
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
            if self.decree(&mut scores, &position, found.value()).is_some() {
                break;
            }
            position.play(found.best?);
        }
        Some(GameOutput::Positions(records))
    }

    /// An opening, or `None` where the moves drawn led to the end of the game, or one side stands too well.
    fn opening(&mut self, number: u64, random: &mut ChaCha8Rng) -> Option<Position> {
        let position = opening::draw(self.recipe, number, random)?;
        if self.is_over() || BoardEnd::of(&position).is_some() {
            return None;
        }
        let score = self.search(&position)?.value();
        (score.abs() <= self.recipe.balance).then_some(position)
    }

    /// Whether the score of `position`, for the side to move, endgame tables, or the length of the game settles it.
    fn decree(&self, scores: &mut Scores, position: &Position, score: Value) -> Option<Adjudication> {
        let decree = self.rules.by_scores(scores, position.ply(), position.turn(), Some(score));
        let decree = decree.or_else(|| self.rules.by_tables(position.chess()));
        decree.or_else(|| self.rules.by_length(position.ply() + 1))
    }

    /// What a search says; `None` when it was stopped or had a problem, and so may say anything.
    fn search(&mut self, position: &Position) -> Option<Outcome> {
        let found =
            self.searcher.search(position, &self.limits, self.stop, &self.settings, &mut self.attention);
        (!self.is_over()).then_some(found)
    }
}

fn on_board(end: BoardEnd) -> data::Ending {
    match end {
        BoardEnd::Checkmate { .. } => data::Ending::Checkmate,
        BoardEnd::Stalemate => data::Ending::Stalemate,
        BoardEnd::Threefold => data::Ending::Repetition,
        BoardEnd::FiftyMoves => data::Ending::FiftyMoves,
        BoardEnd::InsufficientMaterial => data::Ending::InsufficientMaterial,
    }
}

fn by_decree(decree: Adjudication) -> data::Ending {
    match decree {
        Adjudication::Won { .. } | Adjudication::Tables(KnownOutcome::Decisive { .. }) => {
            data::Ending::CalledWon
        }
        Adjudication::Drawn | Adjudication::Tables(KnownOutcome::Draw) => data::Ending::CalledDrawn,
        Adjudication::TooLong => data::Ending::TooLong,
    }
}
