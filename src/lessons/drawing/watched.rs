//! Records the tree of a real search.
//!
//! Every visit is a node. The same position may be visited several times in succession: with reduced depth,
//! again at full depth after exceeding alpha, and again with an open window as the new best move.

use shakmaty::Move;

use crate::{
    chess::{
        position::Position,
        value::{DRAW, Value, mated_in},
    },
    engine::search::{Skip, Visit, Watcher, Why},
    halt::Halt,
    lessons::{Mark, Recorder, Step, Tree, Window},
};

/// A watcher that keeps the tree of the last search of the root: the last iteration with its last window.
#[derive(Clone, Debug)]
pub struct Watched {
    position: Position,
    recorder: Recorder,
    quiescence: bool,
    /// The open visits, the root first.
    path: Vec<Open>,
    /// The windows of the root at the current depth, and their values, for White.
    roots: Vec<(Window, Value)>,
    depth: i32,
    /// Ends the recording when it is set.
    stop: Halt,
    /// Whether the recording has ended for that reason.
    interrupted: bool,
}

/// A visit in progress.
#[derive(Clone, Debug)]
struct Open {
    visit: Visit,
    /// The move made and not yet taken back.
    step: Step,
    /// The moves that were searched.
    tried: Vec<Move>,
    unworthy: Vec<Move>,
    /// The reason why quiet moves were skipped.
    quiets: &'static str,
    ended: Option<Why>,
    /// Whether it is below the depth to draw.
    beneath: bool,
}

impl Watched {
    /// Watches searches from `root`, and records up to `limit` nodes of each; quiescence nodes only if
    /// `quiescence`.
    #[must_use]
    pub fn new(root: &Position, limit: usize, quiescence: bool) -> Self {
        Self {
            position: root.clone(),
            recorder: Recorder::new(root.turn(), limit),
            quiescence,
            path: Vec::new(),
            roots: Vec::new(),
            depth: 0,
            stop: Halt::default(),
            interrupted: false,
        }
    }

    /// Ends the recording when `stop` is set, which must be before the search is stopped: the values that a
    /// stopped search returns have no meaning.
    #[must_use]
    pub fn until(mut self, stop: &Halt) -> Self {
        self.stop = stop.clone();
        self
    }

    /// Whether the recording was ended by the halt of [`until`](Self::until).
    #[must_use]
    pub fn is_interrupted(&self) -> bool {
        self.interrupted
    }

    /// The depth of the last iteration, in plies.
    #[must_use]
    pub fn depth(&self) -> i32 {
        self.depth
    }

    /// Looks at the halt; returns whether the recording has ended.
    fn has_ended(&mut self) -> bool {
        if !self.interrupted && self.stop.is_set() {
            self.interrupted = true;
            // Between two iterations the tree is complete.
            if !self.path.is_empty() || self.depth == 0 {
                self.recorder.abandon();
            }
        }
        self.interrupted
    }

    /// The windows of the last iteration in order, with the value of each for White.
    #[must_use]
    pub fn roots(&self) -> &[(Window, Value)] {
        &self.roots
    }

    /// Returns the tree after the search.
    #[must_use]
    pub fn finish(mut self) -> Tree {
        let value = match self.roots.last() {
            Some(&(_, value)) => value,
            // Nothing is searched then.
            None if self.position.legal_moves().is_empty() => {
                self.recorder.mark(Mark::GameOver);
                self.for_white(if self.position.is_check() { mated_in(0) } else { DRAW })
            }
            None => DRAW,
        };
        self.recorder.finish(value)
    }

    fn for_white(&self, value: Value) -> Value {
        self.position.turn().fold_wb(value, -value)
    }

    fn window(&self, visit: Visit) -> Window {
        let window = Window::new(visit.alpha, visit.beta);
        if self.position.turn().is_white() { window } else { window.flipped() }
    }

    /// Records the end of the visit `open`, and its skipped moves.
    fn conclude(&mut self, open: &Open, value: Value) {
        let legal = self.position.legal_moves();
        let (mark, remark) = match open.ended {
            _ if legal.is_empty() => (Mark::GameOver, ""),
            Some(Why::Draw) => (Mark::GameOver, ""),
            Some(Why::MateDistance) => (Mark::CutOff, "mate distance"),
            Some(Why::Table) => (Mark::Memo, "table"),
            Some(Why::Tablebase) => (Mark::Memo, "endgame tables"),
            Some(Why::ReverseFutility) => (Mark::CutOff, "reverse futility"),
            Some(Why::Razoring) => (Mark::CutOff, "razoring"),
            Some(Why::NullMove) => (Mark::CutOff, "null move"),
            Some(Why::ProbCut) => (Mark::CutOff, "probcut"),
            Some(Why::MultiCut) => (Mark::CutOff, "multi-cut"),
            Some(Why::StandPat) => (Mark::CutOff, "stand pat"),
            None if value >= open.visit.beta => (Mark::CutOff, ""),
            None => (Mark::Searched, ""),
        };
        let bound = self.window(open.visit).bound(self.for_white(value));
        let Some(node) = self.recorder.here() else { return };
        (node.mark, node.remark) = (mark, remark);
        if mark != Mark::GameOver {
            node.bound = bound;
        }
        if open.visit.depth > 0 && open.ended.is_none() {
            let untried: Vec<Move> = legal.into_iter().filter(|m| !open.tried.contains(m)).collect();
            let (unworthy, others): (Vec<Move>, _) = untried.iter().partition(|m| open.unworthy.contains(m));
            self.recorder.pruned(&unworthy, "not worth it");
            self.recorder.pruned(&others, if mark == Mark::CutOff { "" } else { open.quiets });
        }
    }
}

impl Watcher for Watched {
    fn make(&mut self, m: Option<Move>) {
        let step = m.map_or(Step::Pass, Step::Move);
        if let Some(open) = self.path.last_mut() {
            open.step = step;
            open.tried.extend(m.filter(|m| !open.tried.contains(m)));
        }
        self.position.play_or_pass(m);
    }

    fn unmake(&mut self) {
        self.position.undo();
        if let Some(open) = self.path.last_mut() {
            open.step = Step::Stay;
        }
    }

    fn enter(&mut self, visit: Visit) {
        if self.has_ended() {
            return;
        }
        let window = self.window(visit);
        let mut beneath = false;
        if let Some(parent) = self.path.last() {
            beneath = parent.beneath || (parent.visit.depth <= 0 && !self.quiescence);
            if !beneath {
                self.recorder.enter(parent.step, Some(window));
            }
        } else {
            if self.depth != visit.depth {
                self.roots.clear();
            }
            self.depth = visit.depth;
            self.recorder.restart();
        }
        if !beneath && let Some(node) = self.recorder.here() {
            node.window = Some(window);
            node.depth = Some(visit.depth.max(0));
        }
        let (step, tried, unworthy) = (Step::Stay, Vec::new(), Vec::new());
        self.path.push(Open { visit, step, tried, unworthy, quiets: "", ended: None, beneath });
    }

    fn reduced(&mut self, depth: i32) {
        if !self.interrupted
            && let Some(node) = self.recorder.here()
        {
            node.depth = Some(depth);
        }
    }

    fn skipped(&mut self, skip: Skip, _: Option<Value>) {
        let Some(open) = self.path.last_mut() else { return };
        match skip {
            Skip::Late => open.quiets = "late",
            Skip::Futile => open.quiets = "futile",
            Skip::One(m) => open.unworthy.push(m),
            Skip::Small | Skip::Evasions => {}
        }
    }

    fn ended(&mut self, why: Why) {
        if let Some(open) = self.path.last_mut() {
            open.ended = Some(why);
        }
    }

    fn leave(&mut self, value: Value) {
        if self.has_ended() {
            return;
        }
        let Some(open) = self.path.pop() else { return };
        if open.beneath {
            return;
        }
        self.conclude(&open, value);
        let (window, value) = (self.window(open.visit), self.for_white(value));
        if self.path.is_empty() {
            self.roots.push((window, value));
        } else {
            self.recorder.leave(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicBool, Ordering};

    use super::*;
    use crate::{
        engine::{
            eval::Classical,
            search::{Limits, Observer, Outcome, Report, Searcher, Settings, Silent, Stop},
            tt::Bound,
        },
        lessons::{Algorithm, drawing::legend::meaning},
    };

    const MIDDLEGAME: &str = "r1bqrnk1/pp2bppp/2p2n2/3p2B1/3P4/2NBPN2/PPQ2PPP/R4RK1 w - - 7 11";

    fn watch(fen: &str, depth: u32, quiescence: bool) -> (Outcome, Watched) {
        let root = Position::from_fen(fen).unwrap();
        let mut watched = Watched::new(&root, 1 << 20, quiescence);
        let outcome = Searcher::<Classical>::new(16).search_watched(
            &root,
            &Limits::depth(depth),
            &Stop::default(),
            &Settings::default(),
            &mut Silent,
            &mut watched,
        );
        (outcome, watched)
    }

    #[test]
    fn watching_changes_nothing_and_shows_the_line_that_is_played() {
        let root = Position::from_fen(MIDDLEGAME).unwrap();
        let mut searcher = Searcher::<Classical>::new(16);
        let unwatched =
            searcher.search(&root, &Limits::depth(7), &Stop::default(), &Settings::default(), &mut Silent);
        let (outcome, watched) = watch(MIDDLEGAME, 7, false);
        assert_eq!((outcome.best, outcome.value()), (unwatched.best, unwatched.value()));
        assert_eq!(outcome.nodes, unwatched.nodes);
        assert!(watched.path.is_empty(), "every visit has ended");
        assert_eq!(watched.position.fen(), root.fen(), "and every move was taken back");
        let (window, value) = *watched.roots().last().unwrap();
        assert_eq!((window.bound(value), value), (Bound::Exact, outcome.value()));
        let tree = watched.finish();
        let line: Vec<Step> =
            tree.principal_variation()[1..].iter().map(|&index| tree.nodes[index].step).collect();
        let pv: Vec<Step> = outcome.lines[0].pv.iter().copied().map(Step::Move).collect();
        assert!(line.len() >= 5 && pv.starts_with(&line[..5]), "{line:?} {pv:?}");
    }

    #[test]
    fn the_tree_shows_what_the_search_does() {
        let (_, watched) = watch(MIDDLEGAME, 8, false);
        let tree = watched.finish();
        for remark in
            ["table", "null move", "reverse futility", "stand pat", "late", "futile", "not worth it"]
        {
            assert!(tree.nodes.iter().any(|node| node.remark == remark), "{remark}");
        }
        for remark in tree.nodes.iter().map(|node| node.remark).filter(|remark| !remark.is_empty()) {
            assert!(!meaning(remark).is_empty(), "the legend explains {remark}");
        }
        let again = |node: &crate::lessons::Node| {
            node.children.windows(2).any(|pair| tree.nodes[pair[0]].step == tree.nodes[pair[1]].step)
        };
        assert!(tree.nodes.iter().any(again), "a move is searched again");
        for node in tree.nodes.iter().filter(|node| node.mark != Mark::Pruned) {
            let window = node.window.unwrap();
            assert!(window.alpha < window.beta);
            match node.mark {
                Mark::CutOff => assert_ne!(node.bound, Bound::Exact),
                Mark::GameOver => assert!(node.children.is_empty()),
                _ => {}
            }
        }
        let legal = Position::from_fen(MIDDLEGAME).unwrap().legal_moves();
        let root =
            |m: &Move| tree.nodes[0].children.iter().any(|&child| tree.nodes[child].step == Step::Move(*m));
        assert!(legal.iter().all(root), "no legal move is forgotten");
    }

    /// The visits of the last search of the root in their order: the moves that lead there, and the window
    /// for White. It knows nothing of trees.
    #[derive(Default)]
    struct Diary {
        path: Vec<Option<Move>>,
        open: usize,
        visits: Vec<(Vec<Option<Move>>, Window)>,
    }

    impl Watcher for Diary {
        fn make(&mut self, m: Option<Move>) {
            self.path.push(m);
        }

        fn unmake(&mut self) {
            self.path.pop();
        }

        fn enter(&mut self, visit: Visit) {
            if self.open == 0 {
                self.visits.clear();
            }
            self.open += 1;
            let window = Window::new(visit.alpha, visit.beta);
            let white = self.path.len().is_multiple_of(2);
            self.visits.push((self.path.clone(), if white { window } else { window.flipped() }));
        }

        fn leave(&mut self, _: Value) {
            self.open -= 1;
        }
    }

    #[test]
    fn the_nodes_are_the_visits_of_the_search_in_their_order() {
        let root = Position::from_fen(MIDDLEGAME).unwrap();
        let mut diary = Diary::default();
        let (limits, settings) = (Limits::depth(7), Settings::default());
        let mut searcher = Searcher::<Classical>::new(16);
        searcher.search_watched(&root, &limits, &Stop::default(), &settings, &mut Silent, &mut diary);
        let tree = watch(MIDDLEGAME, 7, true).1.finish();
        let path = |mut index: usize| {
            let mut path = Vec::new();
            while index > 0 {
                match tree.nodes[index].step {
                    Step::Move(m) => path.push(Some(m)),
                    Step::Pass => path.push(None),
                    Step::Stay => {}
                }
                index = tree.nodes[index].parent;
            }
            path.reverse();
            path
        };
        let visited = tree.nodes.iter().enumerate().filter(|(_, node)| node.mark != Mark::Pruned);
        let drawn: Vec<_> = visited.map(|(index, node)| (path(index), node.window.unwrap())).collect();
        assert!(drawn.len() > 1000, "{}", drawn.len());
        assert!(drawn == diary.visits, "{} nodes, {} visits", drawn.len(), diary.visits.len());
    }

    /// Notes that the fifth iteration is over.
    struct Begun<'b>(&'b AtomicBool);

    impl Observer for Begun<'_> {
        fn iteration(&mut self, report: &Report) {
            self.0.fetch_or(report.depth >= 5, Ordering::Relaxed);
        }
    }

    /// Returns the tree of a search that is interrupted after its fifth iteration.
    fn interrupted() -> Tree {
        let root = Position::from_fen(MIDDLEGAME).unwrap();
        let (stop, halt, begun) = (Stop::default(), Halt::default(), AtomicBool::new(false));
        let mut watched = Watched::new(&root, 1 << 20, true).until(&halt);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !begun.load(Ordering::Relaxed) {
                    std::thread::sleep(std::time::Duration::from_millis(20));
                }
                halt.set();
                stop.stop();
            });
            let mut searcher = Searcher::<Classical>::new(16);
            let (limits, settings) = (Limits::depth(100), Settings::default());
            searcher.search_watched(&root, &limits, &stop, &settings, &mut Begun(&begun), &mut watched);
        });
        assert!(watched.is_interrupted() && watched.depth() >= 5);
        watched.finish()
    }

    #[test]
    fn an_interrupted_search_leaves_no_wrong_value() {
        // If an iteration has just begun, the tree is only its root.
        let tree = (0..20).map(|_| interrupted()).find(|tree| tree.nodes.len() > 1).unwrap();
        // Between two iterations the tree is complete.
        let unfinished = |index: usize| tree.nodes[index].mark == Mark::Unfinished;
        assert!(
            (1..tree.nodes.len()).all(|index| !unfinished(index) || unfinished(tree.nodes[index].parent))
        );
    }

    #[test]
    fn a_game_that_is_over_has_its_result() {
        for fen in [
            "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
            "7K/6q1/6k1/8/8/8/8/8 w - - 0 1",
            "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
        ] {
            let root = Position::from_fen(fen).unwrap();
            let textbook = Algorithm::Minimax.begin(&root, Classical::default()).recording(10);
            let textbook = Algorithm::Minimax.search(textbook, 3).tree.unwrap();
            let tree = watch(fen, 3, false).1.finish();
            let said = |tree: &Tree| (tree.nodes[0].mark, tree.nodes[0].value);
            assert_eq!(said(&tree), said(&textbook), "{fen}");
            assert_eq!(tree.nodes[0].mark, Mark::GameOver, "{fen}");
        }
    }

    #[test]
    fn quiescence_is_drawn_only_if_asked_for() {
        let visited = |quiescence| {
            let tree = watch(MIDDLEGAME, 2, quiescence).1.finish();
            tree.nodes.len() - tree.count(Mark::Pruned)
        };
        assert!(visited(true) > visited(false));
    }
}
