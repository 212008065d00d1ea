//! Runs many games on many threads.

use std::thread;

use shakmaty::Color;

use super::{
    ContinueError, CutOff, OutputPath, Recipe, WriteError,
    files::Files,
    player::{self, GameResult, WorkerFailed},
};
use crate::{
    engine::{
        bench,
        eval::{Evaluator, Standard},
        search::{STACK, Searcher, Stop, Techniques},
    },
    in_order::{self, Results},
    workshop::data::{self, Header, Signature},
};

/// The number of successive unbalanced openings after which the run ends.
const FAILURES: u64 = 100;

/// The progress of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct RunCounts {
    /// Positions in the files, including those of earlier runs.
    pub positions: u64,
    /// Games in the files, including those of earlier runs.
    pub games: u64,
    /// The number of the next game.
    pub next: u64,
    /// Games played in this run.
    pub played: u64,
    /// Games of this run that were skipped because no balanced opening was found.
    pub unbalanced: u64,
    /// Games of this run that White won.
    pub white: u64,
    /// Games of this run that were drawn.
    pub draws: u64,
    /// Games of this run that Black won.
    pub black: u64,
}

/// The reason why a run ended early. The blocks written before are complete.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A file cannot be written.
    #[error(transparent)]
    File(#[from] WriteError),
    /// Too many openings in succession were unbalanced.
    #[error("{0} successive openings favoured one side too much")]
    Unbalanced(u64),
    /// A thread could not be started, or failed during a game.
    #[error(transparent)]
    Worker(#[from] WorkerFailed),
}

/// A run that extends files game by game.
#[derive(Debug)]
pub struct Run {
    recipe: Recipe,
    files: Files,
    counts: RunCounts,
    /// The number of successive game numbers without a game.
    failures: u64,
}

impl Run {
    /// The name of this tool in the headers of its files.
    pub const TOOL: &str = "datagen";

    /// Creates the files; `evaluator` and `bench` identify the search.
    ///
    /// # Errors
    ///
    /// The error of creating the first file; also if it exists.
    pub fn create(
        recipe: Recipe,
        output: OutputPath,
        evaluator: data::EvaluatorId,
        bench: Signature,
    ) -> Result<Self, WriteError> {
        let files = Files::create(output, header(&recipe, evaluator, bench))?;
        Ok(Self { recipe, files, counts: RunCounts::default(), failures: 0 })
    }

    /// Continues files from the last whole block; what was behind it is cut off, and its place returned. They
    /// must have been made by the same program with the same recipe.
    ///
    /// # Errors
    ///
    /// [`ContinueError`]; nothing is changed then.
    pub fn resume(
        recipe: Recipe,
        output: OutputPath,
        evaluator: data::EvaluatorId,
        bench: Signature,
    ) -> Result<(Self, Option<CutOff>), ContinueError> {
        let (files, tally, cut) = Files::resume(output, header(&recipe, evaluator, bench))?;
        let counts = RunCounts {
            positions: tally.records,
            games: tally.games,
            next: tally.next,
            ..RunCounts::default()
        };
        Ok((Self { recipe, files, counts, failures: 0 }, cut))
    }

    /// The progress.
    #[must_use]
    pub fn counts(&self) -> RunCounts {
        self.counts
    }

    /// Plays on `threads` threads, each with a searcher from `searcher`, until the files contain at least
    /// `target` positions, or `stop` is raised. Calls `each` after every game.
    ///
    /// The end, and any error, raises `stop`: games in progress are abandoned, and a resumed run plays them
    /// again.
    ///
    /// # Errors
    ///
    /// [`RunError`]; completed games are in the files, once they are [finished](Self::finish).
    pub fn play<E: Evaluator>(
        &mut self,
        searcher: impl Fn() -> Searcher<E>,
        threads: usize,
        target: u64,
        stop: &Stop,
        each: impl FnMut(&RunCounts),
    ) -> Result<(), RunError> {
        if self.counts.positions >= target {
            return Ok(());
        }
        let (recipe, next) = (self.recipe.clone(), self.counts.next);
        let play = |searcher: &mut Searcher<E>, number| player::play(&recipe, number, searcher, stop);
        let builder = || thread::Builder::new().stack_size(STACK);
        thread::scope(|scope| {
            let searchers = (0..threads.max(1)).map(|_| searcher());
            let games = in_order::map(scope, builder, next.., searchers, play);
            let games = games.map_err(|error| WorkerFailed(error.to_string()).into());
            let ended = games.and_then(|games| self.take(games, target, each));
            stop.stop();
            ended
        })
    }

    /// Writes games until the files contain at least `target` positions, or the first that was stopped.
    fn take(
        &mut self,
        games: Results<Result<Option<GameResult>, WorkerFailed>>,
        target: u64,
        mut each: impl FnMut(&RunCounts),
    ) -> Result<(), RunError> {
        for played in games {
            let Some(played) = played? else { break };
            self.write(&played)?;
            each(&self.counts);
            if self.counts.positions >= target {
                break;
            }
        }
        Ok(())
    }

    fn write(&mut self, played: &GameResult) -> Result<(), RunError> {
        self.counts.next += 1;
        let GameResult::Game(game) = played else {
            self.files.write(None, self.counts.next)?;
            self.counts.unbalanced += 1;
            self.failures += 1;
            return if self.failures < FAILURES { Ok(()) } else { Err(RunError::Unbalanced(self.failures)) };
        };
        self.files.write(Some(game), self.counts.next)?;
        *match game.result().winner() {
            Some(Color::White) => &mut self.counts.white,
            Some(Color::Black) => &mut self.counts.black,
            None => &mut self.counts.draws,
        } += 1;
        self.counts.positions += game.plies().len() as u64;
        self.counts.games += 1;
        self.counts.played += 1;
        self.failures = 0;
        Ok(())
    }

    /// Writes the rest.
    ///
    /// # Errors
    ///
    /// The error of writing.
    pub fn finish(self) -> Result<(), WriteError> {
        self.files.finish()
    }
}

/// The signature of a search: see [`Signature`].
#[must_use]
pub fn signature(evaluator: &Standard) -> Signature {
    /// Deep enough for most techniques, and fast.
    const DEPTH: u32 = 5;
    Signature {
        depth: DEPTH,
        nodes: bench::run(DEPTH, evaluator.clone(), Techniques::ALL, &Stop::default(), |_, _, _| ()).nodes,
    }
}

fn header(recipe: &Recipe, evaluator: data::EvaluatorId, bench: Signature) -> Header {
    Header {
        variant: recipe.variant(),
        bench: Some(bench),
        evaluator: Some(evaluator),
        seed: Some(recipe.seed),
        recipe: recipe.description(),
        ..Header::new(Run::TOOL)
    }
}

#[cfg(test)]
mod tests;
