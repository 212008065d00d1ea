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

/// How a node is reached from its parent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// By a move.
    Move(Move),
    /// By passing: a null move.
    Pass,
    /// Not at all, it is the same position: the root, and a search within a node that verifies something.
    Stay,
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
    /// Not at all: the parent was cut off before this move was tried, or passed it over.
    Pruned,
}

/// One visit to a position, or one move that was not tried.
#[derive(Clone, Debug)]
pub struct Node {
    /// What leads here.
    pub step: Step,
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
    /// The technique behind `mark`, such as `null move`; empty where the mark says it all.
    pub remark: &'static str,
    /// Plies it was searched, if the algorithm does not search all lines equally deep.
    pub depth: Option<i32>,
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
    /// The principal variation: from the root always to the first child with its parent's value, as indices, and among
    /// several visits to one whose value is exact.
    ///
    /// The root itself is the first. A line ends early where a value came out of a memo.
    #[must_use]
    pub fn principal_variation(&self) -> Vec<usize> {
        let mut line = vec![0];
        let mut node = &self.nodes[0];
        let worth_as_much = |child: &Node, node: &Node| {
            child.mark != Mark::Pruned && child.value == node.value && matches!(child.step, Step::Move(_))
        };
        while let Some(&next) = node
            .children
            .iter()
            .filter(|&&child| worth_as_much(&self.nodes[child], node))
            .min_by_key(|&&child| self.nodes[child].bound != Bound::Exact)
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

/// Writes a [`Tree`] down while a search goes through it.
#[derive(Clone, Debug)]
pub struct Recorder {
    tree: Tree,
    limit: usize,
    /// The nodes from the root to where the walk stands; `None` where the limit had been reached.
    path: Vec<Option<usize>>,
}

impl Recorder {
    /// Stands at the root, where `turn` is to move; of more than `limit` nodes the rest will only be counted.
    #[must_use]
    pub fn new(turn: Color, limit: usize) -> Self {
        let tree = Tree { nodes: vec![fresh(Step::Stay, 0, None)], turn, omitted: 0 };
        Self { tree, limit, path: vec![Some(0)] }
    }

    /// Begins anew at the root.
    pub fn restart(&mut self) {
        *self = Self::new(self.tree.turn, self.limit);
    }

    /// The node the search stands at; `None` if it is one of those that are only counted.
    pub fn here(&mut self) -> Option<&mut Node> {
        let index = self.path.last().copied().flatten()?;
        self.tree.nodes.get_mut(index)
    }

    fn add(&mut self, step: Step, window: Option<Window>) -> Option<usize> {
        let parent = self.path.last().copied().flatten()?;
        let index = self.tree.nodes.len();
        if index >= self.limit {
            return None;
        }
        self.tree.nodes.push(fresh(step, parent, window));
        self.tree.nodes[parent].children.push(index);
        Some(index)
    }

    /// Takes `step`; what it leads to is searched through `window`.
    pub fn enter(&mut self, step: Step, window: Option<Window>) {
        let node = self.add(step, window);
        if node.is_none() {
            self.tree.omitted += 1;
        }
        self.path.push(node);
    }

    /// Goes back to the parent with `value`.
    pub fn leave(&mut self, value: Value) {
        if let Some(node) = self.here() {
            node.value = value;
            // What the evaluator or the rules say is exact wherever it lies.
            let from_others = !node.children.is_empty() || node.mark == Mark::Remembered;
            if let Some(window) = node.window.filter(|_| from_others) {
                node.bound = window.bound(value);
            }
        }
        self.path.pop();
    }

    /// The moves `unseen` of this node were not tried, because of `remark`.
    pub fn pruned(&mut self, unseen: &[Move], remark: &'static str) {
        for &m in unseen {
            if let Some(index) = self.add(Step::Move(m), None) {
                self.tree.nodes[index].mark = Mark::Pruned;
                self.tree.nodes[index].remark = remark;
            }
        }
    }

    /// Notes how this node came, or will come, to its value.
    pub fn mark(&mut self, mark: Mark) {
        if let Some(node) = self.here() {
            node.mark = mark;
        }
    }

    /// The tree, whose root is worth `value`.
    #[must_use]
    pub fn finish(mut self, value: Value) -> Tree {
        self.tree.nodes[0].value = value;
        self.tree
    }
}

fn fresh(step: Step, parent: usize, window: Option<Window>) -> Node {
    Node {
        step,
        parent,
        value: 0,
        bound: Bound::Exact,
        window,
        mark: Mark::Searched,
        remark: "",
        depth: None,
        children: Vec::new(),
    }
}
