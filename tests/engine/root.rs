//! Tests of a search that ends in the middle of an iteration: the best move known at that moment is played,
//! with its known value.
//!
//! A watcher records the events at the root and their node counts. A search is deterministic and a node limit
//! is exact, so the same search can then be ended at each of these events.

use shakmaty::Move;
use zugwerk::{
    chess::{
        position::Position,
        value::{DECIDED, INFINITE, Value, is_mate},
    },
    engine::{
        bench,
        eval::{Classical, Material},
        search::{Bound, Limits, Searcher, Settings, Silent, Skip, Stop, Techniques, Visit, Watcher},
    },
};

use crate::support::searching::{Found, search_with};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum What {
    /// An iteration begins.
    Begin,
    /// A move other than the first exceeds alpha with a zero window, and is about to be searched with the
    /// open one.
    Surprise,
    /// The root fails high with this move: the value is at least beta.
    High,
    /// The root fails low: the value is at most alpha.
    Low,
}

/// An event at the root.
#[derive(Clone, Copy, Debug)]
struct Event {
    what: What,
    /// The node count of the event.
    nodes: u64,
    depth: i32,
    /// The rank of the line being searched, from 0.
    index: usize,
    /// The root move searched last; for [`What::Low`] the one searched first.
    m: Option<Move>,
    /// The window of the root.
    window: Visit,
}

/// Records the events at the root.
#[derive(Default)]
struct Notes {
    nodes: u64,
    open: Vec<Visit>,
    made: usize,
    index: usize,
    first: Option<Move>,
    last: Option<Move>,
    scouted: bool,
    events: Vec<Event>,
    /// The first window of each line of each iteration.
    first_windows: Vec<Event>,
    /// How often the root has failed high since it last failed low or had a value.
    highs: i32,
    /// For each search of the root, the iteration, `highs`, and the depth.
    depths: Vec<[i32; 3]>,
    /// The moves skipped at the root, in other nodes with an open window, and in those with a zero window,
    /// without quiescence.
    skipped: [usize; 3],
}

impl Notes {
    fn event(&self, what: What) -> Event {
        let m = if what == What::Low { self.first } else { self.last };
        let window = self.open[0];
        Event { what, nodes: self.nodes, depth: window.depth, index: self.index, m, window }
    }
}

impl Watcher for Notes {
    fn make(&mut self, m: Option<Move>) {
        self.nodes += 1;
        self.made += 1;
        if self.made == 1 {
            self.last = m;
            self.first = self.first.or(m);
            self.scouted = false;
        }
    }

    fn unmake(&mut self) {
        self.made -= 1;
    }

    fn enter(&mut self, visit: Visit) {
        self.open.push(visit);
        let empty = visit.beta - visit.alpha == 1;
        if self.open.len() == 1 {
            let before = self.first_windows.last();
            let new = before.is_none_or(|event| event.depth < visit.depth);
            if new {
                self.index = 0;
                self.events.push(self.event(What::Begin));
            }
            if new || before.is_some_and(|event| event.index < self.index) {
                self.first_windows.push(self.event(What::Begin));
            }
            self.first = None;
        } else if self.open.len() == 2 && self.made == 1 {
            if !empty && self.scouted {
                self.events.push(self.event(What::Surprise));
            }
            self.scouted |= empty;
        }
    }

    fn reduced(&mut self, depth: i32) {
        if let [root] = self.open[..] {
            self.depths.push([root.depth, self.highs, depth]);
        }
    }

    fn skipped(&mut self, _: Skip, _: Option<Value>) {
        match self.open[..] {
            [_] => self.skipped[0] += 1,
            [.., here] if here.depth > 0 => self.skipped[1 + usize::from(here.beta - here.alpha == 1)] += 1,
            _ => {}
        }
    }

    fn leave(&mut self, value: Value) {
        if self.open.len() == 1 {
            let window = self.open[0];
            self.highs = if value >= window.beta { self.highs + 1 } else { 0 };
            if value >= window.beta {
                self.events.push(self.event(What::High));
            } else if value <= window.alpha {
                self.events.push(self.event(What::Low));
            } else {
                self.index += 1;
            }
        }
        self.open.pop();
    }
}

fn multi_pv(lines: usize) -> Settings {
    Settings { multi_pv: lines, ..Settings::default() }
}

/// The events at the root of every third benchmark position, searched to `depth`.
fn watched(depth: u32, settings: &Settings) -> Vec<(Position, Notes)> {
    let positions = bench::positions().step_by(3).map(|fen| Position::from_fen(fen).unwrap());
    let watch = |position: Position| {
        let mut notes = Notes::default();
        let mut searcher = Searcher::<Classical>::new(4);
        let (limits, stop) = (Limits::depth(depth), Stop::default());
        searcher.search_watched(&position, &limits, &stop, settings, &mut Silent, &mut notes);
        (position, notes)
    };
    positions.map(watch).collect()
}

/// Repeats the search, ended at the node after `event`.
fn ended_after(position: &Position, event: &Event, settings: &Settings) -> Found {
    let limits = Limits::nodes(event.nodes + 1);
    search_with(&mut Searcher::<Classical>::new(4), position, &limits, settings)
}

/// Calls `check` for every event of kind `what` from iteration 4 on, with the result of the search that ended
/// there. Returns the number of these events.
fn each(what: What, settings: &Settings, mut check: impl FnMut(&Event, &Found, &str)) -> usize {
    let mut count = 0;
    for (position, notes) in watched(10, settings) {
        for event in notes.events.iter().filter(|event| event.what == what && event.depth >= 4) {
            let found = ended_after(&position, event, settings);
            check(event, &found, &format!("{event:?} in {}: {:#?}", position.fen(), found.reports.last()));
            count += 1;
        }
    }
    count
}

#[test]
fn a_move_that_fails_high_is_played_if_the_search_ends_then() {
    let count = each(What::High, &Settings::default(), |event, found, context| {
        assert_eq!(found.outcome.best, event.m, "{context}");
        assert!(found.outcome.value() >= event.window.beta, "{context}");
        let last = found.reports.last().unwrap();
        assert_eq!((last.bound, last.depth), (Bound::Lower, event.depth as u32), "{context}");
    });
    assert!(count >= 10, "{count} moves failed high");
}

#[test]
fn a_move_that_an_empty_window_shows_to_be_better_is_played_if_the_search_ends_then() {
    let count = each(What::Surprise, &Settings::default(), |event, found, context| {
        assert_eq!(found.outcome.best, event.m, "{context}");
        assert_eq!(found.reports.last().unwrap().bound, Bound::Lower, "{context}");
    });
    assert!(count >= 10, "{count} surprises");
}

#[test]
fn a_move_that_fails_low_is_not_said_to_be_worth_what_it_was() {
    let count = each(What::Low, &Settings::default(), |event, found, context| {
        assert_eq!(found.outcome.best, event.m, "{context}");
        assert!(found.outcome.value() <= event.window.alpha, "{context}");
        let last = found.reports.last().unwrap();
        assert_eq!((last.bound, last.depth), (Bound::Upper, event.depth as u32), "{context}");
    });
    assert!(count >= 10, "{count} iterations failed low");
}

#[test]
fn an_older_line_keeps_its_depth() {
    for settings in [multi_pv(1), multi_pv(3)] {
        each(What::Begin, &settings, |event, found, context| {
            let complete = event.depth as u32 - 1;
            assert!(found.outcome.lines.iter().all(|line| line.depth == complete), "{context}");
            assert_eq!(found.reports.last().unwrap().depth, complete, "{context}");
        });
    }
}

#[test]
fn with_several_lines_too_the_best_move_known_is_played() {
    for what in [What::Surprise, What::High] {
        let count = each(what, &multi_pv(3), |event, found, context| {
            let lines = &found.outcome.lines;
            assert_eq!(lines.iter().map(|line| line.multi_pv).collect::<Vec<_>>(), [1, 2, 3], "{context}");
            assert!(lines.is_sorted_by(|a, b| a.value >= b.value && a.depth >= b.depth), "{lines:#?}");
            let rank = lines.iter().position(|line| Some(line.pv[0]) == event.m);
            assert!(event.index > 0 || rank == Some(0), "{context}: {lines:#?}");
            // In later lines, the lines before are from the same iteration.
            let above = &lines[..rank.unwrap_or(lines.len())];
            assert!(above.iter().all(|line| line.depth == event.depth as u32), "{context}: {lines:#?}");
        });
        assert!(count >= 10, "{count} times {what:?}");
    }
}

#[test]
fn the_last_word_is_about_the_whole_search() {
    for settings in [multi_pv(1), multi_pv(3)] {
        for (position, _) in watched(1, &settings) {
            for nodes in [1, 30, 777, 5000, 20_000] {
                let mut searcher = Searcher::<Classical>::new(4);
                let found = search_with(&mut searcher, &position, &Limits::nodes(nodes), &settings);
                let last = found.reports.last().map(|report| report.nodes);
                assert_eq!(last, Some(found.outcome.nodes), "{}", position.fen());
                assert!(found.outcome.lines.iter().all(|line| line.nodes == found.outcome.nodes));
            }
        }
    }
}

/// The first iteration that shows the loss proves it only when it has tried all moves. In its second half it
/// has found that the first move loses.
#[test]
fn a_loss_that_only_an_unfinished_iteration_has_found_is_not_announced() {
    let mut withheld = 0;
    for fen in [
        "8/1K6/8/8/2k2R2/8/R7/4R3 b - - 0 1",
        "8/8/QR6/n7/1k6/8/8/5Q1K b - - 0 1",
        "8/8/R7/8/2R1k2K/8/2R5/8 b - - 0 1",
    ] {
        let position = Position::from_fen(fen).unwrap();
        let search = |limits, lines| {
            search_with(&mut Searcher::<Material>::new(4), &position, &limits, &multi_pv(lines))
        };
        let whole = search(Limits::depth(8), 1);
        let mated = whole.outcome.value();
        assert!(is_mate(mated), "the test is of no use");
        let iterations = whole.reports.windows(2).map(|pair| (&pair[0], &pair[1]));
        let (before, shows_it) = { iterations }.find(|(_, later)| later.value <= -DECIDED).unwrap();
        assert!(before.value > -DECIDED, "the test is of no use");
        for nodes in before.nodes + 1..shows_it.nodes {
            let found = search(Limits::nodes(nodes), 1).outcome;
            assert!(found.value() > -DECIDED, "{nodes} nodes in {fen}: {found:#?}");
            withheld += usize::from(nodes > u64::midpoint(before.nodes, shows_it.nodes));
        }
        for (nodes, lines) in (1..250).flat_map(|nodes| [(nodes, 1), (nodes, 2)]) {
            let found = search(Limits::nodes(nodes), lines).outcome;
            let context = format!("{nodes} nodes, {lines} lines in {fen}: {found:#?}");
            assert!(found.value() >= mated, "{context}");
            assert!(found.lines.is_sorted_by(|a, b| a.value >= b.value && a.depth >= b.depth), "{context}");
        }
    }
    assert!(withheld > 0, "the test is of no use");
}

#[test]
fn every_line_is_searched_with_a_narrow_window_first() {
    for (position, notes) in watched(8, &multi_pv(3)) {
        let late = notes.first_windows.iter().filter(|event| event.depth == 8);
        let ranks: Vec<_> = late.clone().map(|event| event.index).collect();
        assert_eq!(ranks, [0, 1, 2], "{}", position.fen());
        let wide = late.filter(|event| event.window.beta - event.window.alpha >= INFINITE);
        assert_eq!(wide.count(), 0, "{}", position.fen());
    }
}

#[test]
fn each_value_above_the_window_makes_the_next_search_a_ply_less_deep() {
    let depths: Vec<_> = watched(9, &multi_pv(1)).into_iter().flat_map(|(_, notes)| notes.depths).collect();
    assert!(depths.iter().all(|&[iteration, highs, depth]| depth == iteration - highs), "{depths:?}");
    assert!(depths.iter().filter(|[_, highs, _]| *highs > 0).count() >= 10);
}

#[test]
fn no_move_is_skipped_at_the_root_nor_without_pv_pruning_on_the_principal_variation() {
    let exact = Techniques { pv_pruning: false, ..Techniques::ALL };
    for (techniques, skips) in [(Techniques::ALL, true), (exact, false)] {
        let found = watched(8, &Settings { techniques, ..Settings::default() });
        let skipped = found.iter().map(|(_, notes)| notes.skipped);
        assert!(skipped.clone().all(|[root, _, zero]| root == 0 && zero > 0), "{techniques:?}");
        assert_eq!(skipped.clone().any(|[_, open, _]| open > 0), skips, "{techniques:?}");
    }
}
