//! STUB, replaced shortly: plays the first legal move.

use std::time::{Duration, Instant};

use super::{Bound, Limits, Observer, Outcome, Report, Stop};
use crate::{eval::Evaluator, position::Position, tt::OutOfMemory};

/// What stays the same from move to move of a game: the caller's settings of the search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Settings {
    /// How many lines to report (at least 1).
    pub multi_pv: usize,
    /// Time to keep back on every move for whatever lies between engine and referee.
    pub move_overhead: Duration,
}

impl Default for Settings {
    fn default() -> Self {
        Self { multi_pv: 1, move_overhead: Duration::from_millis(10) }
    }
}

/// Everything a search keeps from one move to the next: the transposition table and each thread's memory.
#[derive(Debug)]
pub struct Searcher<E> {
    evaluator: E,
}

impl<E: Evaluator + Default> Searcher<E> {
    /// A searcher with one thread and a table of `hash` MiB that is allocated when first needed.
    #[must_use]
    pub fn new(_hash: usize) -> Self {
        Self { evaluator: E::default() }
    }

    /// Sets the number of threads (at least 1).
    pub fn set_threads(&mut self, _threads: usize) {}

    /// Changes the size of the table, in MiB. What it held is lost.
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if there is not enough memory; the old table is kept.
    pub fn resize(&mut self, _mebibytes: usize) -> Result<(), OutOfMemory> {
        Ok(())
    }

    /// Allocates the table if that has not happened yet (it is put off so that start-up is instant).
    ///
    /// # Errors
    ///
    /// [`OutOfMemory`] if there is not enough memory; a smaller table is used then.
    pub fn prepare(&mut self) -> Result<(), OutOfMemory> {
        Ok(())
    }

    /// Forgets everything: a new game.
    pub fn clear(&mut self) {}

    /// Searches `position` within `limits` until they are reached or `stop` is raised, telling `observer` on the way.
    ///
    /// Returns at once when the limits are reached, even when [`Limits::infinite`] or [`Limits::ponder`] is set: to
    /// hold the answer back ([`Stop::wait`]) is the caller's business.
    pub fn search(
        &mut self,
        position: &Position,
        _limits: &Limits,
        _stop: &Stop,
        _settings: &Settings,
        observer: &mut impl Observer,
    ) -> Outcome {
        let start = Instant::now();
        self.evaluator.reset(position);
        let best = position.legal_moves().first().copied();
        let report = Report {
            depth: u32::from(best.is_some()),
            seldepth: 1,
            multi_pv: 1,
            value: 0,
            bound: Bound::Exact,
            nodes: 1,
            time: start.elapsed(),
            hashfull: 0,
            tb_hits: 0,
            pv: best.into_iter().collect(),
        };
        observer.iteration(&report);
        Outcome { best, ponder: None, lines: vec![report], nodes: 1 }
    }
}
