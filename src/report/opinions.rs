//! The values of every position of a game, made consistent between neighbours.
//!
//! Positions are searched from the last to the first, and the transposition table is kept, so that a search
//! uses the results for the moves played. If its value still differs from that of the next position,
//! [`settle`] assigns the minimax value of both: the better of the move played and the best other move. A
//! drop from one position to the next is therefore always caused by the move between them, and there is a
//! better move to show.

use std::iter;

use shakmaty::Move;

use super::marks::{MateSlip, win_chances};
use crate::{
    chess::{
        pgn::Game,
        position::Position,
        value::{DRAW, MATE_BOUND, Value, mated_in},
    },
    engine::{
        eval::Evaluator,
        search::{Limits, Searcher, Settings, Silent, Stop},
    },
    rules::BoardEnd,
};

/// The drop of winning chances from one position to the next, in points, up to which the other moves are not
/// searched. Half an inaccuracy, so no mark depends on it.
const TOLERANCE: f64 = 5.0;

/// The nodes for each remaining position after an interruption.
const HURRIED_NODES: u64 = 1_000;

/// The result of the analysis of one position.
#[derive(Clone, Debug)]
pub struct Opinion {
    /// The value for the side to move.
    pub value: Value,
    /// The iteration it comes from, in plies; 0 if the game is over.
    pub depth: u32,
    /// The best line.
    pub pv: Vec<Move>,
}

/// Searches every position of `game` and passes each opinion to `on_opinion` with the number of its position.
/// When `stop` is raised, the remaining positions get a thousand nodes each. Also returns the number of
/// these, and counts a position whose second search was interrupted among them.
pub(super) fn of_game<E: Evaluator + Default>(
    game: &Game,
    positions: &[Position],
    searcher: &mut Searcher<E>,
    limits: &Limits,
    stop: &Stop,
    mut on_opinion: impl FnMut(usize, &Opinion),
) -> (Vec<Opinion>, usize) {
    searcher.clear();
    // Prepared here, outside of the time of the first search. Fewer threads were reported when the searcher
    // was made.
    let _ = searcher.prepare(stop);
    let mut search = Search { searcher, limits, stop, hurried: 0 };
    let mut opinions: Vec<Opinion> = Vec::with_capacity(positions.len());
    for (ply, position) in positions.iter().enumerate().rev() {
        let next = game.movetext.moves.get(ply);
        let own = search.of(position, next.is_some());
        let played = next.and_then(|annotated| annotated.m);
        let settled = match (played, opinions.last()) {
            (Some(played), Some(next)) => settle(own, played, next, || search.besides(position, played)),
            _ => own,
        };
        on_opinion(ply, &settled);
        opinions.push(settled);
    }
    opinions.reverse();
    (opinions, search.hurried)
}

struct Search<'s, E: Evaluator> {
    searcher: &'s mut Searcher<E>,
    limits: &'s Limits,
    stop: &'s Stop,
    /// The number of positions whose searches were interrupted, or not begun before the interruption.
    hurried: usize,
}

impl<E: Evaluator + Default> Search<'_, E> {
    /// Returns the opinion on `position`. A draw that must be claimed ends the game only where nobody
    /// `plays_on`: else the next move would have nothing to be judged by.
    fn of(&mut self, position: &Position, plays_on: bool) -> Opinion {
        let over = |value| Opinion { value, depth: 0, pv: Vec::new() };
        match BoardEnd::of(position) {
            Some(BoardEnd::Checkmate { .. }) => return over(mated_in(0)),
            Some(BoardEnd::Threefold | BoardEnd::FiftyMoves) if plays_on => {}
            Some(_) => return over(DRAW),
            None => {}
        }
        let settings = Settings::default();
        search(self.searcher, position, self.limits, &settings, self.stop).unwrap_or_else(|| {
            self.hurried += 1;
            let limits = Limits { nodes: Some(HURRIED_NODES), ..self.limits.clone() };
            let opinion = search(self.searcher, position, &limits, &settings, &Stop::default());
            opinion.unwrap_or_else(|| over(DRAW))
        })
    }

    /// Returns the opinion on `position` without the move `played`; `None` if there is no other move, or no
    /// time.
    fn besides(&mut self, position: &Position, played: Move) -> Option<Opinion> {
        let others: Vec<Move> = position.legal_moves().iter().copied().filter(|&m| m != played).collect();
        if others.is_empty() || self.stop.is_stopped() {
            return None;
        }
        let limits = Limits { search_moves: others, ..self.limits.clone() };
        let opinion = search(self.searcher, position, &limits, &Settings::default(), self.stop);
        self.hurried += usize::from(opinion.is_none());
        opinion
    }
}

/// Searches `position`; `None` if the search was stopped, because its result is not used then, or if there is
/// no move.
pub(super) fn search<E: Evaluator + Default>(
    searcher: &mut Searcher<E>,
    position: &Position,
    limits: &Limits,
    settings: &Settings,
    stop: &Stop,
) -> Option<Opinion> {
    let line = searcher.search(position, limits, stop, settings, &mut Silent).lines.into_iter().next()?;
    (!stop.is_stopped()).then_some(Opinion { value: line.value, depth: line.depth, pv: line.pv })
}

/// Returns the final opinion on a position, given the search's opinion `own`, the move `played` and the
/// opinion `next` on the position after it.
fn settle(own: Opinion, played: Move, next: &Opinion, others: impl FnOnce() -> Option<Opinion>) -> Opinion {
    let value = seen_from_before(next.value);
    let line = || {
        let pv = iter::once(played).chain(next.pv.iter().copied()).collect();
        Opinion { value, depth: next.depth + 1, pv }
    };
    if value >= own.value {
        return line();
    }
    if own.pv.first() != Some(&played) {
        return own;
    }
    // The search's own choice is worse than the search has found.
    let disagree =
        win_chances(own.value) - win_chances(value) >= TOLERANCE || MateSlip::of(own.value, value).is_some();
    match disagree.then(others).flatten() {
        Some(other) if other.value > value => other,
        _ => line(),
    }
}

/// Converts a value for the side to move to the player of the move before it; a mate is then one ply farther
/// away.
pub(super) fn seen_from_before(value: Value) -> Value {
    match -value {
        mate if mate >= MATE_BOUND => mate - 1,
        mated if mated <= -MATE_BOUND => mated + 1,
        value => value,
    }
}

#[cfg(test)]
mod tests {
    use std::{thread, time::Duration};

    use super::*;
    use crate::{chess::value::mate_in, engine::eval::Material};

    fn opinion(value: Value, moves: &[&str]) -> Opinion {
        let mut position = Position::default();
        let pv = moves.iter().map(|text| {
            let m = position.find_move(text).unwrap();
            position.play(m);
            m
        });
        Opinion { value, depth: 9, pv: pv.collect() }
    }

    /// The value and the first move of the starting position, if 1. e4 is played and leads to `next`.
    fn settled(own: &Opinion, next: Value, other: Option<Opinion>) -> (Value, String) {
        let next = Opinion { value: next, depth: 9, pv: Vec::new() };
        let played = Position::default().find_move("e2e4").unwrap();
        let opinion = settle(own.clone(), played, &next, || other);
        (opinion.value, crate::chess::notation::san(&Position::default(), opinion.pv[0]))
    }

    /// Regression: the unfinished search of the other moves used to count as the opinion on them.
    #[test]
    fn an_interrupted_search_of_the_other_moves_is_no_opinion() {
        let (position, stop) = (Position::default(), Stop::default());
        let mut searcher = Searcher::<Material>::new(1);
        let limits = Limits::depth(200);
        let mut search = Search { searcher: &mut searcher, limits: &limits, stop: &stop, hurried: 0 };
        let opinion = thread::scope(|scope| {
            scope.spawn(|| {
                thread::sleep(Duration::from_millis(100));
                stop.stop();
            });
            search.besides(&position, position.find_move("e2e4").unwrap())
        });
        assert!(opinion.is_none(), "{opinion:?}");
        assert_eq!(search.hurried, 1, "the game is not completely analysed");
    }

    #[test]
    fn neighbours_agree() {
        let e4 = opinion(100, &["e2e4"]);
        let d4 = opinion(100, &["d2d4"]);
        let word = |value: Value, san: &str| (value, san.to_owned());
        assert_eq!(settled(&d4, -150, None), word(150, "e4"), "the move played was better");
        assert_eq!(settled(&d4, 20, None), word(100, "d4"), "the move played was worse");
        assert_eq!(settled(&e4, -90, Some(d4.clone())), word(90, "e4"), "hardly worse");
        assert_eq!(settled(&e4, 100, Some(opinion(80, &["d2d4"]))), word(80, "d4"), "another is better");
        assert_eq!(settled(&e4, 100, Some(opinion(-300, &["d2d4"]))), word(-100, "e4"), "none is better");
        assert_eq!(settled(&e4, 100, None), word(-100, "e4"), "there is no other");
        let lost = opinion(-2500, &["e2e4"]);
        let other = Some(opinion(-2600, &["d2d4"]));
        assert_eq!(settled(&lost, mate_in(3), other), word(-2600, "d4"), "a mate that can be avoided");
    }
}
