//! One thread of self-play.

use std::{
    fmt::Display,
    panic::{AssertUnwindSafe, catch_unwind},
};

use rand_chacha::ChaCha8Rng;
use shakmaty::KnownOutcome;

use super::{Recipe, opening::draw};
use crate::{
    chess::{
        position::{PackedMove, Position},
        value::Value,
    },
    engine::{
        eval::Evaluator,
        search::{Observer, Outcome, Report, Searcher, Settings, Stop},
    },
    random::generator,
    rules::{Adjudication, BoardEnd, Rules, Scores},
    words::panic_message,
    workshop::data::{Ply, Termination, TrainingGame},
};

/// The number of openings tried for a game; its start may be unbalanced after any random plies.
const TRIES: usize = 100;

/// Returns the opening of game `number` of `recipe` for which `is_wanted` holds, evaluated by `searcher`;
/// `None` if it finds no balanced one.
pub fn opening<E: Evaluator>(
    recipe: &Recipe,
    number: u64,
    searcher: &mut Searcher<E>,
    is_wanted: &dyn Fn(&Position) -> bool,
) -> Option<Position> {
    SelfPlay::new(recipe, &Stop::default(), searcher).begin(number, is_wanted)
}

/// The result of one game number.
#[derive(Clone, Debug)]
pub(super) enum GameResult {
    /// A game.
    Game(TrainingGame),
    /// No balanced opening was found.
    Unbalanced,
}

/// A thread could not be started, or failed during a game.
#[derive(Debug, thiserror::Error)]
#[error("a worker failed: {0}")]
pub struct WorkerFailed(pub String);

/// Plays game `number` of `recipe`; `None` if it was stopped. A panic becomes an error.
pub(super) fn play<E: Evaluator>(
    recipe: &Recipe,
    number: u64,
    searcher: &mut Searcher<E>,
    stop: &Stop,
) -> Result<Option<GameResult>, WorkerFailed> {
    let mut player = SelfPlay::new(recipe, stop, searcher);
    let failed = |why: &str| Err(WorkerFailed(format!("game {number}: {why}")));
    match catch_unwind(AssertUnwindSafe(|| player.play(number))) {
        Ok(None) => player.problem().map_or(Ok(None), |problem| failed(&problem)),
        Ok(game) => Ok(game),
        Err(panic) => failed(panic_message(&*panic)),
    }
}

/// Records the first problem of a search. After a problem a search continues as well as it can. That is right
/// for a game but wrong for data, because its result is not a valid label.
#[derive(Debug, Default)]
struct FirstProblem(Option<String>);

impl Observer for FirstProblem {
    fn iteration(&mut self, _: &Report) {}

    fn problem(&mut self, problem: &dyn Display) {
        self.0.get_or_insert_with(|| problem.to_string());
    }
}

/// Plays games, one at a time.
#[derive(Debug)]
struct SelfPlay<'r, E> {
    recipe: &'r Recipe,
    stop: &'r Stop,
    searcher: &'r mut Searcher<E>,
    rules: Rules,
    /// Results after a problem are invalid.
    observer: FirstProblem,
}

impl<'r, E: Evaluator> SelfPlay<'r, E> {
    fn new(recipe: &'r Recipe, stop: &'r Stop, searcher: &'r mut Searcher<E>) -> Self {
        Self { recipe, stop, searcher, rules: recipe.rules(), observer: FirstProblem::default() }
    }

    /// The problem because of which [`play`](Self::play) abandoned the game.
    fn problem(&mut self) -> Option<String> {
        self.observer.0.take()
    }

    /// Whether to abandon the game.
    fn is_over(&self) -> bool {
        self.stop.is_stopped() || self.observer.0.is_some()
    }

    /// Plays game `number`; `None` if it was stopped or there was a [`problem`](Self::problem).
    fn play(&mut self, number: u64) -> Option<GameResult> {
        let Some(start) = self.begin(number, &|_| true) else {
            return (!self.is_over()).then_some(GameResult::Unbalanced);
        };
        let (mut position, mut scores) = (start.clone(), Scores::default());
        let mut plies = Vec::new();
        let (result, ending) = loop {
            let found = self.search(&position)?;
            let (best, score) = (found.best?, found.value());
            plies.push(Ply { played: PackedMove::new(best)?, score });
            let decree = self.decree(&mut scores, &position, score);
            position.play(best);
            // The rules come first: a move that was thought to win may be stalemate.
            if let Some(end) = BoardEnd::of(&position) {
                break (end.outcome(), end.into());
            }
            if let Some(decree) = decree {
                break (decree.outcome(), by_decree(decree));
            }
        };
        // A record has at most 32 pieces; a start with more gives no game.
        let game = TrainingGame::new(&start, plies, result, ending);
        Some(game.map_or(GameResult::Unbalanced, GameResult::Game))
    }

    /// Returns the opening of game `number`, if one of the tries is wanted and balanced.
    fn begin(&mut self, number: u64, is_wanted: &dyn Fn(&Position) -> bool) -> Option<Position> {
        self.searcher.clear();
        let mut random = generator(self.recipe.seed, number, 0);
        (0..TRIES).find_map(|_| self.opening(number, &mut random, is_wanted))
    }

    /// Returns an opening, or `None` if the random plies ended the game, if it is not wanted, or if one side
    /// is too far ahead.
    fn opening(
        &mut self,
        number: u64,
        random: &mut ChaCha8Rng,
        is_wanted: &dyn Fn(&Position) -> bool,
    ) -> Option<Position> {
        let position = draw(self.recipe, number, random)?;
        if self.is_over() || BoardEnd::of(&position).is_some() || !is_wanted(&position) {
            return None;
        }
        let score = self.search(&position)?.value();
        (score.abs() <= self.recipe.balance).then_some(position)
    }

    /// The adjudication of `position` by its score for the side to move, or by the length of the game since
    /// its starting position, whatever move number that has.
    fn decree(&self, scores: &mut Scores, position: &Position, score: Value) -> Option<Adjudication> {
        let decree = self.rules.by_scores(scores, position.ply(), position.turn(), Some(score));
        decree.or_else(|| self.rules.by_length(position.plies_played() as u64 + 1))
    }

    /// Returns the result of a search; `None` if it was stopped or had a problem, so that the result is
    /// invalid.
    fn search(&mut self, position: &Position) -> Option<Outcome> {
        let settings = Settings { techniques: self.recipe.techniques, ..Settings::default() };
        let limits = self.recipe.limits();
        let found = self.searcher.search(position, &limits, self.stop, &settings, &mut self.observer);
        (!self.is_over()).then_some(found)
    }
}

fn by_decree(decree: Adjudication) -> Termination {
    match (decree, decree.outcome()) {
        (Adjudication::TooLong, _) => Termination::TooLong,
        (_, KnownOutcome::Decisive { .. }) => Termination::CalledWon,
        (_, KnownOutcome::Draw) => Termination::CalledDrawn,
    }
}
