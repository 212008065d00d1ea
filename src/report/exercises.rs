//! Exercises: positions of a game with a better move to find, and the cost of the other choices.

use shakmaty::Move;

use super::{GameReport, opinions::seen_from_before};
use crate::{
    chess::{position::Position, remarks::Judgement, value::Value},
    engine::{
        eval::Evaluator,
        search::{Limits, Searcher, Settings, Silent, Stop},
    },
};

/// The maximum number of exercises of one game.
const MOST: usize = 8;

/// The most right moves of an exercise: of more, one is found by guessing.
const MOST_RIGHT: usize = 3;

/// The number of moves that are compared first, in one search; a second one compares the others.
const CHOICES: usize = 8;

/// A position with a better move to find.
#[derive(Clone, Debug)]
pub struct Exercise {
    /// The number of the position.
    pub ply: usize,
    /// The best move.
    pub best: Move,
    /// Its value in the search that compared the moves, for White.
    pub best_value: Value,
    /// The other moves except the one played, the best first. Moves that no search has reached are missing.
    pub others: Vec<Choice>,
}

/// A move to choose instead of the best one.
#[derive(Clone, Debug)]
pub struct Choice {
    /// The move, and the best line after it.
    pub line: Vec<Move>,
    /// Its value, for White.
    pub white_value: Value,
    /// Whether it loses less than an inaccuracy compared with the best move.
    pub is_good: bool,
}

impl GameReport {
    /// Makes exercises of the worst moves, at most 8 of them and only mistakes and blunders. In each of their
    /// positions the best moves are searched within `limits`, and then the others; those that lose less than
    /// an inaccuracy are right like the best move of these searches. When `stop` is raised, only the best
    /// move of the report is right. There is no exercise with more than three right moves, and none where the
    /// best move is not better by an inaccuracy than the move played, whose value is that of the report.
    pub fn set_exercises<E: Evaluator + Default>(
        &mut self,
        searcher: &mut Searcher<E>,
        limits: &Limits,
        stop: &Stop,
    ) {
        let mut compare = |position: &Position, moves: &[Move], multi_pv| {
            let settings = Settings { multi_pv, ..Settings::default() };
            let limits = Limits { search_moves: moves.to_vec(), ..limits.clone() };
            let lines = searcher.search(position, &limits, stop, &settings, &mut Silent).lines;
            // A line that no search has reached has the value of the root.
            let searched = lines.into_iter().filter(|line| line.seldepth > 0 && !stop.is_stopped());
            searched.map(|line| (line.pv, line.value)).collect()
        };
        let moments = self.critical_moments().into_iter();
        let mut exercises: Vec<_> =
            moments.filter_map(|ply| self.exercise(ply, &mut compare)).take(MOST).collect();
        exercises.sort_unstable_by_key(|exercise| exercise.ply);
        self.exercises = exercises;
    }

    /// The plies of mistakes and blunders, the worst first.
    fn critical_moments(&self) -> Vec<usize> {
        let bad = |ply: &usize| self.moves[*ply].judgement >= Some(Judgement::Mistake);
        let mut plies: Vec<usize> = (0..self.moves.len()).filter(bad).collect();
        plies.sort_by(|&a, &b| self.moves[b].chances_lost.total_cmp(&self.moves[a].chances_lost));
        plies
    }

    /// Makes an exercise of a position. `compare` gives the best lines that begin with that many of the
    /// moves, and their values for the side to move.
    fn exercise(
        &self,
        ply: usize,
        compare: &mut impl FnMut(&Position, &[Move], usize) -> Vec<(Vec<Move>, Value)>,
    ) -> Option<Exercise> {
        let position = &self.positions[ply];
        let best = *self.moves[ply].better.first()?;
        let for_white = |value: Value| position.turn().fold_wb(value, -value);
        let mut lines = compare(position, &position.legal_moves(), CHOICES);
        let is_in = |lines: &[(Vec<Move>, Value)], m| lines.iter().any(|(line, _)| line.first() == Some(&m));
        if let Some(&(_, least)) = lines.last() {
            let rest = position.legal_moves().into_iter().filter(|&m| !is_in(&lines, m)).collect::<Vec<_>>();
            // No move of the second search is better than one of the first.
            let more = if rest.is_empty() { Vec::new() } else { compare(position, &rest, rest.len()) };
            lines.extend(more.into_iter().map(|(line, value)| (line, value.min(least))));
        }
        // The search of the report may have called another move best, by little.
        let Some((best, most)) = lines.first().and_then(|(line, value)| Some((*line.first()?, *value)))
        else {
            // There was no time to compare.
            return Some(Exercise { ply, best, best_value: self.white_value(ply), others: Vec::new() });
        };
        let is_good = |value| Judgement::of(most, value).is_none();
        // The value of the move played is the one that the report shows, and comes from another search.
        if is_good(seen_from_before(self.opinions[ply + 1].value)) {
            return None;
        }
        let is_played = |line: &[Move]| line.first() == self.moves[ply].m.as_ref();
        let right = lines.iter().filter(|(line, value)| !is_played(line) && is_good(*value)).count();
        if right > MOST_RIGHT || is_played(&[best]) {
            return None;
        }
        let others = lines.into_iter().filter(|(line, _)| line.first() != Some(&best) && !is_played(line));
        let choice = |(line, value)| Choice { line, white_value: for_white(value), is_good: is_good(value) };
        Some(Exercise { ply, best, best_value: for_white(most), others: others.map(choice).collect() })
    }
}

#[cfg(test)]
mod tests {
    use crate::{chess::value::mated_in, report::tests::report};

    /// Of four right moves one is found by guessing.
    #[test]
    fn an_exercise_has_at_most_three_right_moves_of_which_the_best_is_best() {
        let report = report("1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0", 2000);
        let best = report.moves[3].better[0];
        let made = |right: usize, first: i32| {
            let values = [(best, 0)].into_iter();
            report.exercise(3, &mut |position, moves, _| {
                let played = report.moves[3].m.unwrap();
                let others = position.legal_moves().into_iter().filter(|&m| m != best && m != played);
                let others = others.take(right - 1).map(|m| (m, first));
                let all = values.clone().chain(others).filter(|(m, _)| moves.contains(m));
                let mut all: Vec<_> = all.map(|(m, value)| (vec![m], value)).collect();
                all.sort_by_key(|(_, value)| -value);
                all
            })
        };
        assert!(made(3, -1).is_some_and(|made| made.others.iter().all(|other| other.is_good)));
        assert!(made(4, -1).is_none());
        assert!(made(2, 20).is_some_and(|made| made.best != best && made.others[0].line == [best]));
    }

    /// Regression: the page used to say that Nc6 (#1) is better than Ke7 (#1).
    #[test]
    fn there_is_no_exercise_where_the_searches_contradict_each_other() {
        let report = report("1. e4 e5 2. Qh5 Ke7 3. Qxe5# 1-0", 2000);
        let best = report.moves[3].better[0];
        for (value, is_made) in [(0, true), (mated_in(2), false)] {
            let made = report.exercise(3, &mut |_, moves, _| {
                moves.contains(&best).then(|| (vec![best], value)).into_iter().collect()
            });
            assert_eq!(made.is_some(), is_made, "{made:?}");
        }
    }
}
