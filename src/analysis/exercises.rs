//! Positions of a game in which a better move is to be found, and what each choice costs there.

use shakmaty::Move;

use super::{GameReport, Judgement, Thresholds, judge::win_chances};
use crate::{
    eval::Evaluator,
    search::{Limits, Searcher, Settings, Silent, Stop},
    value::Value,
};

/// Exercises of one game.
const MOST: usize = 8;

/// Moves that are compared at first. If all of them are good enough, all legal moves are compared.
const CHOICES: usize = 8;

/// A position to find a better move in.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// The number of the position.
    pub ply: usize,
    /// The best move.
    pub best: Move,
    /// The best other moves but the one that was played, best first: moves that are missing here are worse than all of them.
    pub others: Vec<Choice>,
}

/// A move that could be played instead of the best one.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// The move.
    pub m: Move,
    /// Its value, for White.
    pub white_value: Value,
    /// Whether it loses less than an inaccuracy does against the best move of the same search.
    pub is_good: bool,
}

impl GameReport {
    /// Makes exercises of the worst moves, at most 8 of them and only mistakes and blunders. In each of their positions several
    /// moves are searched within `limits`, and those that lose less than an inaccuracy by `thresholds` will do as well as
    /// the best. When `stop` is raised, only the best move will.
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

    /// The plies of the worst moves, in the order of the game.
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
