//! The tree an algorithm walked through, kept for drawing.
//!
//! Everything in a [`Tree`] is in White's view, whatever view the algorithm itself counts in, so that trees of
//! different algorithms can be laid side by side.

use shakmaty::{Color, Move};

use crate::{
    tt::Bound,
    value::{INFINITE, Value},
};

/// The open interval of values that still matter at a node: at most `alpha` and at least `beta` are as good as known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// What the one side has already secured elsewhere.
    pub alpha: Value,
    /// What the other side has already secured elsewhere.
    pub beta: Value,
}

impl Window {
    /// Every value matters.
    pub const OPEN: Self = Self { alpha: -INFINITE, beta: INFINITE };

    /// A window from `alpha` to `beta`.
    #[must_use]
    pub const fn new(alpha: Value, beta: Value) -> Self {
        Self { alpha, beta }
    }

    /// How `value`, returned by a fail-soft search through this window, is to be read.
    #[must_use]
    pub const fn bound(self, value: Value) -> Bound {
        if value >= self.beta {
            Bound::Lower
        } else if value <= self.alpha {
            Bound::Upper
        } else {
            Bound::Exact
        }
    }

    /// The same window from the other side of the board.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// How a node came to its value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// From its children, or from the evaluation where it has none.
    Searched,
    /// By the rules of the game: mate or draw.
    GameOver,
    /// From its children until one of them made the others pointless.
    CutOff,
    /// From a memo.
    Remembered,
    /// Not at all: the parent was cut off before this move was tried.
    Pruned,
}

/// One visited position, or one move that was not visited.
#[derive(Clone, Debug)]
pub struct Node {
    /// The move that leads here; `None` at the root.
    pub played: Option<Move>,
    /// The index of the parent in [`Tree::nodes`]; the root is its own parent.
    pub parent: usize,
    /// The value found, for White; meaningless when `mark` is [`Mark::Pruned`].
    pub value: Value,
    /// How the value is to be read.
    pub bound: Bound,
    /// The window it was searched with, for White; `None` if the algorithm has no windows.
    pub window: Option<Window>,
    /// How it came to its value.
    pub mark: Mark,
    /// Children in the order of the search, as indices into [`Tree::nodes`].
    pub children: Vec<usize>,
}

/// A recorded tree.
#[derive(Clone, Debug)]
pub struct Tree {
    /// All nodes, parents before their children; the first is the root.
    pub nodes: Vec<Node>,
    /// The side to move at the root.
    pub turn: Color,
    /// Visited positions that were not recorded because the limit was reached.
    pub omitted: u64,
}

impl Tree {
    /// The principal variation: from the root always to the first child with its parent's value, as indices.
    ///
    /// The root itself is the first. A line ends early where a value came out of a memo.
    #[must_use]
    pub fn principal_variation(&self) -> Vec<usize> {
        let mut line = vec![0];
        let mut node = &self.nodes[0];
        while let Some(&next) = node
            .children
            .iter()
            .find(|&&child| self.nodes[child].mark != Mark::Pruned && self.nodes[child].value == node.value)
        {
            line.push(next);
            node = &self.nodes[next];
        }
        line
    }

    /// How many nodes carry `mark`.
    #[must_use]
    pub fn count(&self, mark: Mark) -> usize {
        self.nodes.iter().filter(|node| node.mark == mark).count()
    }
}

/// Writes a [`Tree`] down while a walk goes through it.
#[derive(Clone, Debug)]
pub(super) struct Recorder {
    tree: Tree,
    limit: usize,
    /// The nodes from the root to where the walk stands; `None` where the limit had been reached.
    path: Vec<Option<usize>>,
}

impl Recorder {
    pub(super) fn new(turn: Color, limit: usize) -> Self {
        let root = Node {
            played: None,
            parent: 0,
            value: 0,
            bound: Bound::Exact,
            window: None,
            mark: Mark::Searched,
            children: Vec::new(),
        };
        Self { tree: Tree { nodes: vec![root], turn, omitted: 0 }, limit, path: vec![Some(0)] }
    }

    pub(super) fn restart(&mut self) {
        *self = Self::new(self.tree.turn, self.limit);
    }

    fn here(&self) -> Option<usize> {
        self.path.last().copied().flatten()
    }

    fn add(&mut self, played: Move, window: Option<Window>, mark: Mark) -> Option<usize> {
        let parent = self.here()?;
        if self.tree.nodes.len() >= self.limit {
            return None;
        }
        let index = self.tree.nodes.len();
        let (played, bound, children) = (Some(played), Bound::Exact, Vec::new());
        self.tree.nodes.push(Node { played, parent, value: 0, bound, window, mark, children });
        self.tree.nodes[parent].children.push(index);
        Some(index)
    }

    pub(super) fn enter(&mut self, m: Move, window: Option<Window>) {
        let node = self.add(m, window, Mark::Searched);
        if node.is_none() {
            self.tree.omitted += 1;
        }
        self.path.push(node);
    }

    pub(super) fn leave(&mut self, value: Value) {
        if let Some(node) = self.here() {
            let node = &mut self.tree.nodes[node];
            node.value = value;
            // What the evaluator or the rules say is exact wherever it lies.
            let from_others = !node.children.is_empty() || node.mark == Mark::Remembered;
            if let Some(window) = node.window.filter(|_| from_others) {
                node.bound = window.bound(value);
            }
        }
        self.path.pop();
    }

    pub(super) fn cut_off(&mut self, unseen: &[Move]) {
        self.mark(Mark::CutOff);
        for &m in unseen {
            self.add(m, None, Mark::Pruned);
        }
    }

    pub(super) fn remembered(&mut self) {
        self.mark(Mark::Remembered);
    }

    pub(super) fn game_over(&mut self) {
        self.mark(Mark::GameOver);
    }

    fn mark(&mut self, mark: Mark) {
        if let Some(node) = self.here() {
            self.tree.nodes[node].mark = mark;
        }
    }

    pub(super) fn finish(mut self, value: Value) -> Tree {
        self.tree.nodes[0].value = value;
        self.tree
    }
}
