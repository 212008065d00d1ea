//! Tests that the values a search stores and returns are at least what it assumed of the moves it skipped.

use shakmaty::Move;
use zugwerk::{
    chess::{
        position::{Legality, Position, see::material_gain},
        value::{INFINITE, Value},
    },
    engine::{
        bench,
        eval::{Evaluator as _, Material, Standard},
        search::{Bound, Limits, Searcher, Settings, Silent, Skip, Stop, Techniques, Visit, Watcher},
        tt::Entry,
    },
};

use crate::support::walks::random_positions;

/// Compares the value of every visit with the assumed values of its skipped moves.
#[derive(Default)]
struct Auditor {
    /// The parameters of each open visit, and the maximum assumed value.
    open: Vec<(Visit, Value)>,
    /// By [`kind`], how often moves were skipped, and how often that decided the value.
    left_out: [usize; 5],
    decided: [usize; 5],
    last: usize,
    lies: Vec<String>,
}

fn kind(skip: Skip) -> usize {
    match skip {
        Skip::Late => 0,
        Skip::Futile => 1,
        Skip::One(_) => 2,
        Skip::Small => 3,
        Skip::Evasions => 4,
    }
}

impl Watcher for Auditor {
    fn enter(&mut self, visit: Visit) {
        self.open.push((visit, -INFINITE));
    }

    fn skipped(&mut self, skip: Skip, at_most: Option<Value>) {
        let (visit, assumed) = self.open.last_mut().expect("moves are left out during a visit");
        self.left_out[kind(skip)] += 1;
        if let Some(at_most) = at_most {
            assert!(at_most < visit.beta, "{skip:?} assumes {at_most}, {visit:?}");
            *assumed = at_most.max(*assumed);
            self.last = kind(skip);
        }
    }

    fn leave(&mut self, value: Value) {
        let (visit, assumed) = self.open.pop().expect("a visit is left that was entered");
        if value < assumed {
            self.lies.push(format!("{value} though {assumed} was assumed, {visit:?}"));
        }
        if value == assumed {
            self.decided[self.last] += 1;
        }
    }
}

#[test]
fn no_value_is_less_than_what_was_assumed_of_the_moves_left_out() {
    // A visit of the singular test must return the value of the searched moves alone, and stores nothing.
    let settings =
        Settings { techniques: Techniques { singular: false, ..Techniques::ALL }, ..Settings::default() };
    let mut auditor = Auditor::default();
    for fen in bench::positions().take(12) {
        let position = Position::from_fen(fen).unwrap();
        let mut searcher = Searcher::<Standard>::new(1);
        let stop = Stop::default();
        searcher.search_watched(&position, &Limits::depth(8), &stop, &settings, &mut Silent, &mut auditor);
    }
    assert!(auditor.left_out.iter().all(|&count| count > 100), "{:?}", auditor.left_out);
    let [_, futile, _, small, _] = auditor.decided;
    assert!(futile > 100 && small > 100, "{:?}", auditor.decided);
    assert!(auditor.lies.is_empty(), "{} of them, the first: {:?}", auditor.lies.len(), auditor.lies[0]);
}

/// Returns the value of `position` by material with all captures and promotions played out, without pruning
/// except alpha-beta; `None` if a check occurs, for which the search has other rules.
fn captures_played_out(position: &mut Position, mut alpha: Value, beta: Value) -> Option<Value> {
    if position.is_check() {
        return None;
    }
    let mut material = Material;
    material.reset(position);
    let mut best = material.evaluate(position);
    let mut moves: Vec<Move> = Vec::new();
    Legality::of(position).tactical_moves(|m| moves.push(m));
    moves.sort_by_key(|&m| -material_gain(m));
    for m in moves {
        alpha = alpha.max(best);
        if best >= beta {
            break;
        }
        position.play(m);
        let value = captures_played_out(position, -beta, -alpha);
        position.undo();
        best = best.max(-value?);
    }
    Some(best)
}

/// With material alone, a capture wins at most the captured piece, so the assumption of delta pruning is
/// true.
#[test]
fn delta_pruning_stores_no_bound_that_is_false() {
    let techniques = Techniques { quiescence: true, delta_pruning: true, ..Techniques::NONE };
    let settings = Settings { techniques, ..Settings::default() };
    let (mut upper, mut raised) = (0, 0);
    let mut check = |searcher: &Searcher<Material>, position: &mut Position| {
        let leaf = |entry: &Entry| entry.depth == 0 && entry.bound == Some(Bound::Upper);
        if let Some(entry) = searcher.table().probe(position.table_key(), 0).filter(leaf)
            && let Some(value) = captures_played_out(position, -INFINITE, INFINITE)
        {
            upper += 1;
            raised += usize::from(entry.raw_eval.is_some_and(|eval| entry.value > eval));
            assert!(entry.value >= value, "{entry:?}, but the value is {value}, in {}", position.fen());
        }
    };
    for mut position in random_positions(31, 60) {
        let mut searcher = Searcher::<Material>::new(1);
        let limits = Limits { nodes: Some(20_000), ..Limits::depth(2) };
        searcher.search(&position, &limits, &Stop::default(), &settings, &mut Silent);
        for m in position.legal_moves() {
            position.play(m);
            check(&searcher, &mut position);
            for m in position.legal_moves() {
                position.play(m);
                check(&searcher, &mut position);
                position.undo();
            }
            position.undo();
        }
    }
    assert!(upper > 50 && raised > 10, "{upper} upper bounds, {raised} of them above the evaluation");
}

/// A node that ends before any of its moves is made stores its evaluation.
#[test]
fn evaluations_of_nodes_cut_early_are_kept() {
    let techniques = Techniques { reverse_futility: true, ..Techniques::NONE };
    let settings = Settings { techniques, ..Settings::default() };
    let mut evaluations = 0;
    for fen in bench::positions().take(10) {
        let mut position = Position::from_fen(fen).unwrap();
        let mut searcher = Searcher::<Standard>::new(16);
        searcher.search(&position, &Limits::depth(3), &Stop::default(), &settings, &mut Silent);
        for m in position.legal_moves() {
            position.play(m);
            for m in position.legal_moves() {
                position.play(m);
                if let Some(entry) =
                    searcher.table().probe(position.table_key(), 2).filter(|entry| entry.bound.is_none())
                {
                    let mut fresh = Standard::default();
                    fresh.reset(&position);
                    assert_eq!(entry.raw_eval, Some(fresh.evaluate(&position)), "{}", position.fen());
                    assert_eq!((entry.m, entry.depth), (None, 0), "{}", position.fen());
                    evaluations += 1;
                }
                position.undo();
            }
            position.undo();
        }
    }
    assert!(evaluations > 100, "only {evaluations}");
}
