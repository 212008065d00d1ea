//! Exercises: positions of a game with a better move to find, and the cost of the other choices.

use shakmaty::Move;

use super::{GameReport, Judgement, Thresholds, judge::win_chances};
use crate::{
    eval::Evaluator,
    search::{Limits, Searcher, Settings, Silent, Stop},
    value::Value,
};

/// The maximum number of exercises of one game.
const MOST: usize = 8;

/// The number of moves compared at first. If all of them are good enough, all legal moves are compared.
const CHOICES: usize = 8;

/// A position with a better move to find.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// The number of the position.
    pub ply: usize,
    /// The best move.
    pub best: Move,
    /// The best other moves except the one played, best first; all moves that are missing here are worse.
    pub others: Vec<Choice>,
}

/// A move to choose instead of the best one.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The move.
    pub m: Move,
    /// Its value, for White.
    pub white_value: Value,
    /// Whether it loses less than an inaccuracy compared with the best move of the same search.
    pub is_good: bool,
}

impl GameReport {
    /// Makes exercises of the worst moves, at most 8 of them and only mistakes and blunders. In each of their positions
    /// several moves are searched within `limits`; those that lose less than an inaccuracy by `thresholds` are accepted
    /// like the best move. When `stop` is raised, only the best move is accepted.
    pub fn set_exercises<E: Evaluator + Default>(
        &mut self,
        searcher: &mut Searcher<E>,
        limits: &Limits,
        thresholds: &Thresholds,
        stop: &Stop,
    ) {
        let moments = self.critical_moments().into_iter();
        let exercises = moments.filter_map(|ply| {
            let best = *self.moves[ply].better.first()?;
            let others = self.others(ply, best, searcher, limits, thresholds, stop);
            Some(Exercise { ply, best, others })
        });
        self.exercises = exercises.collect();
    }

    /// The plies of the worst moves, in game order.
    fn critical_moments(&self) -> Vec<usize> {
        let bad = |ply: &usize| self.moves[*ply].judgement >= Some(Judgement::Mistake);
        let mut plies: Vec<usize> = (0..self.moves.len()).filter(bad).collect();
        plies.sort_by(|&a, &b| self.moves[b].chances_lost.total_cmp(&self.moves[a].chances_lost));
        plies.truncate(MOST);
        plies.sort_unstable();
        plies
    }

    fn others<E: Evaluator + Default>(
        &self,
        ply: usize,
        best: Move,
        searcher: &mut Searcher<E>,
        limits: &Limits,
        thresholds: &Thresholds,
        stop: &Stop,
    ) -> Vec<Choice> {
        let position = &self.positions[ply];
        let [inaccuracy, ..] = thresholds.0;
        let mut compare = |multi_pv| {
            let settings = Settings { multi_pv, ..Settings::default() };
            let lines = searcher.search(position, limits, stop, &settings, &mut Silent).lines;
            let most = lines.iter().map(|line| line.value).max().unwrap_or_default();
            let others = lines.iter().filter_map(|line| {
                let m = *line.pv.first()?;
                let white_value = position.turn().fold_wb(line.value, -line.value);
                let is_good = win_chances(most) - win_chances(line.value) < inaccuracy;
                (m != best && Some(m) != self.moves[ply].m).then_some(Choice { m, white_value, is_good })
            });
            if stop.is_stopped() { Vec::new() } else { others.collect() }
        };
        let few = compare(CHOICES);
        let legal = position.legal_moves().len();
        if few.iter().all(|choice| choice.is_good) && legal > CHOICES { compare(legal) } else { few }
    }
}
