//! The health of the search: how often its guesses are right, and what the table keeps is true. The bounds
//! are wide. They fail only when something is broken, such as the order of the moves or the margin of a
//! technique.
//!
//! `cargo test --test engine health -- --nocapture` prints the figures.

use shakmaty::Move;
use zugwerk::{
    chess::{
        position::Position,
        value::{INFINITE, Value},
    },
    engine::{
        bench,
        eval::Standard,
        search::{Bound, Limits, Searcher, Settings, Silent, Skip, Stop, Techniques, Visit, Watcher, Why},
    },
};

/// How often something was tried, and how often it succeeded.
#[derive(Clone, Copy, Default)]
struct Share {
    tried: usize,
    succeeded: usize,
}

impl Share {
    fn count(&mut self, success: bool) {
        self.tried += 1;
        self.succeeded += usize::from(success);
    }

    fn percent(self) -> f64 {
        100.0 * self.succeeded as f64 / self.tried.max(1) as f64
    }
}

/// The way from a node to a visit below it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// The same position: quiescence for razoring, or the search without one move.
    Itself,
    Null,
    Move,
}

/// An open visit.
struct Open {
    visit: Visit,
    by: By,
    /// How many plies less deep than usual it is searched.
    reduction: i32,
    /// Whether it is a repeated search of the same move.
    again: bool,
    /// The moves whose values were compared with the window.
    moves: usize,
    /// The largest value assumed of the moves skipped.
    assumed: Value,
    cut_early: bool,
}

/// Counts what comes of the guesses of a search.
#[derive(Default)]
struct Health {
    open: Vec<Open>,
    /// The last move made at each ply, and whether a visit has followed it.
    made: Vec<(Option<Move>, bool)>,
    /// Cut-offs by a move, and those by the first one; zero windows only.
    first_move: Share,
    null_move: Share,
    razoring: Share,
    /// By plies of reduction, first searches of later moves, and those whose value is above alpha.
    scouts: [Share; 6],
    /// Quiescence that fails low, and whose value is only what was assumed of the captures skipped.
    assumed: Share,
}

impl Watcher for Health {
    fn make(&mut self, m: Option<Move>) {
        self.made.push((m, false));
    }

    fn unmake(&mut self) {
        self.made.pop();
    }

    fn enter(&mut self, visit: Visit) {
        let visited = self.open.iter().filter(|open| open.by != By::Itself).count();
        let is_new = visited < self.made.len();
        let (by, again) = match self.made.last_mut() {
            Some((m, followed)) if is_new => {
                let again = std::mem::replace(followed, true);
                (if m.is_some() { By::Move } else { By::Null }, again)
            }
            _ => (By::Itself, false),
        };
        let reduction = self.open.last().map_or(0, |parent| parent.visit.depth - 1 - visit.depth);
        self.open.push(Open { visit, by, reduction, again, moves: 0, assumed: -INFINITE, cut_early: false });
    }

    fn reduced(&mut self, depth: i32) {
        self.open.last_mut().expect("a visit is open").visit.depth = depth;
    }

    fn skipped(&mut self, _: Skip, at_most: Option<Value>) {
        let open = self.open.last_mut().expect("a visit is open");
        open.assumed = open.assumed.max(at_most.unwrap_or(-INFINITE));
    }

    fn ended(&mut self, _: Why) {
        self.open.last_mut().expect("a visit is open").cut_early = true;
    }

    fn leave(&mut self, value: Value) {
        let child = self.open.pop().expect("a visit is open");
        let Visit { alpha, beta, depth } = child.visit;
        if !child.cut_early && alpha + 1 == beta {
            if depth > 0 && value >= beta {
                self.first_move.count(child.moves == 1);
            }
            if depth <= 0 && value <= alpha {
                self.assumed.count(value == child.assumed);
            }
        }
        let Some(parent) = self.open.last_mut() else { return };
        if parent.visit.depth <= 0 {
            return;
        }
        let node = parent.visit;
        match child.by {
            By::Null => self.null_move.count(-value >= node.beta),
            By::Itself if depth <= 0 => self.razoring.count(value <= node.alpha),
            By::Move if beta == -node.alpha && !child.again => {
                parent.moves += 1;
                if parent.moves > 1 && alpha + 1 == beta && (0..6).contains(&child.reduction) {
                    self.scouts[child.reduction as usize].count(-value > node.alpha);
                }
            }
            _ => {}
        }
    }
}

#[test]
fn the_guesses_of_the_search_are_mostly_right() {
    let mut health = Health::default();
    for fen in bench::positions() {
        let position = Position::from_fen(fen).unwrap();
        let mut searcher = Searcher::<Standard>::new(4);
        let stop = Stop::default();
        let (limits, settings) = (Limits::depth(10), Settings::default());
        searcher.search_watched(&position, &limits, &stop, &settings, &mut Silent, &mut health);
    }
    let scouts = health.scouts;
    let rows = [
        ("cut-offs by the first move", health.first_move, 80.0..95.0),
        ("null moves that reach beta", health.null_move, 35.0..65.0),
        ("razoring that fails low", health.razoring, 85.0..98.0),
        ("quiescence that fails low by an assumption", health.assumed, 0.0..20.0),
        ("scouts above alpha, reduced by 0 plies", scouts[0], 2.0..15.0),
        ("... 1", scouts[1], 1.0..6.0),
        ("... 2", scouts[2], 0.4..4.0),
        ("... 3", scouts[3], 0.1..3.0),
        ("... 4", scouts[4], 0.0..2.0),
        ("... 5", scouts[5], 0.0..2.0),
    ];
    for (what, share, bounds) in rows {
        println!("{what:45} {:6.2} % of {}", share.percent(), share.tried);
        assert!(share.tried > 100, "{what}: only {}", share.tried);
        assert!(bounds.contains(&share.percent()), "{what}: {} %", share.percent());
    }
}

/// Bounds of a small depth, stored by a deep search with all techniques, against a search of that depth
/// without pruning, reductions and extensions. Both evaluate with the same network.
#[test]
fn what_the_table_keeps_is_mostly_true() {
    const ENTRIES: usize = 2000;
    const SLACK: Value = 50;
    let plain = Techniques { quiescence: true, ..Techniques::NONE };
    let plain = Settings { techniques: plain, ..Settings::default() };
    let stop = Stop::default();
    let mut refuted = Share::default();
    for fen in bench::positions() {
        let mut position = Position::from_fen(fen).unwrap();
        let mut searcher = Searcher::<Standard>::new(16);
        searcher.search(&position, &Limits::depth(10), &stop, &Settings::default(), &mut Silent);
        let (mut plainly, mut entries) = (Searcher::<Standard>::new(1), 0);
        let mut check = |position: &Position| {
            let Some(entry) = searcher.table().probe(position.table_key(), 0) else { return };
            let Some(bound) = entry.bound.filter(|_| matches!(entry.depth, 1..=4)) else { return };
            entries += 1;
            if entries > 80 || refuted.tried == ENTRIES {
                return;
            }
            plainly.clear();
            let limits = Limits::depth(entry.depth as u32);
            let value = plainly.search(position, &limits, &stop, &plain, &mut Silent).value();
            let too_high = bound != Bound::Upper && value < entry.value - SLACK;
            let too_low = bound != Bound::Lower && value > entry.value + SLACK;
            refuted.count(too_high || too_low);
        };
        for m in position.legal_moves() {
            position.play(m);
            for m in position.legal_moves() {
                position.play(m);
                check(&position);
                position.undo();
            }
            position.undo();
        }
    }
    println!("bounds that a plain search refutes {:6.2} % of {}", refuted.percent(), refuted.tried);
    assert_eq!(refuted.tried, ENTRIES);
    assert!(refuted.percent() < 6.0, "{} %", refuted.percent());
}
