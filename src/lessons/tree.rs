//! The recorded tree of an algorithm, for drawing.
//!
//! All values in a [`Tree`] are from White's perspective, whatever perspective the algorithm uses, so that
//! trees of different algorithms can be compared.

use shakmaty::{Color, Move};

use crate::{chess::value::Value, engine::tt::Bound};

/// The open interval of values that still matter at a node; values outside it are only bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// The value that the one side already has elsewhere.
    pub alpha: Value,
    /// The value that the other side already has elsewhere.
    pub beta: Value,
}

impl Window {
    /// Returns a window from `alpha` to `beta`.
    #[must_use]
    pub const fn new(alpha: Value, beta: Value) -> Self {
        Self { alpha, beta }
    }

    /// The bound of `value`, returned by a fail-soft search with this window.
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

    /// The same window from the opponent's perspective.
    #[must_use]
    pub const fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// The step from a node's parent to the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// A move.
    Move(Move),
    /// A null move.
    Pass,
    /// None, the position is the same: the root, and a verification search within a node.
    Stay,
}

/// The source of a node's value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Its children, or the evaluation for a leaf.
    Searched,
    /// The rules of the game: mate or draw.
    GameOver,
    /// Its children, until one of them caused a cut-off.
    CutOff,
    /// A memo, a transposition table or endgame tables.
    Memo,
    /// None: the parent had a cut-off before this move, or skipped it.
    Pruned,
    /// None: the search was interrupted before the value was known.
    Unfinished,
}

/// One visit to a position, or one move that was not searched.
#[derive(Clone, Debug)]
pub struct Node {
    /// The step that leads here.
    pub step: Step,
    /// The index of the parent in [`Tree::nodes`]; the root is its own parent.
    pub parent: usize,
    /// The value, for White; meaningless if `mark` is [`Mark::Pruned`] or [`Mark::Unfinished`].
    pub value: Value,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
    /// The window of the search, for White; `None` if the algorithm has no windows.
    pub window: Option<Window>,
    /// The source of the value.
    pub mark: Mark,
    /// The technique behind `mark`, such as `null move`; empty if the mark says everything.
    pub remark: &'static str,
    /// The depth of the search in plies, if the algorithm does not search all lines equally deep.
    pub depth: Option<i32>,
    /// The children in search order, as indices into [`Tree::nodes`].
    pub children: Vec<usize>,
}

/// A recorded tree.
#[derive(Clone, Debug)]
pub struct Tree {
    /// All nodes, parents before their children; the first is the root.
    pub nodes: Vec<Node>,
    /// The side to move at the root.
    pub turn: Color,
    /// The number of visited positions that were not recorded because of the limit.
    pub omitted: u64,
}

impl Tree {
    /// The principal variation as indices: from the root, always the first child with its parent's value.
    /// Among several visits it is one with an exact value.
    ///
    /// The root is the first element. A line ends early at a value from a memo. The root of an interrupted
    /// search has none.
    #[must_use]
    pub fn principal_variation(&self) -> Vec<usize> {
        let mut line = vec![0];
        let mut node = &self.nodes[0];
        if node.mark == Mark::Unfinished {
            return line;
        }
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

    /// The number of nodes with `mark`.
    #[must_use]
    pub fn count(&self, mark: Mark) -> usize {
        self.nodes.iter().filter(|node| node.mark == mark).count()
    }
}

/// Records a [`Tree`] during a search.
#[derive(Clone, Debug)]
pub struct Recorder {
    tree: Tree,
    limit: usize,
    /// The nodes from the root to the current one; `None` for nodes beyond the limit.
    path: Vec<Option<usize>>,
}

impl Recorder {
    /// Begins at the root with `turn` to move; nodes beyond `limit` are only counted.
    #[must_use]
    pub fn new(turn: Color, limit: usize) -> Self {
        let tree = Tree { nodes: vec![fresh(Step::Stay, 0, None)], turn, omitted: 0 };
        Self { tree, limit, path: vec![Some(0)] }
    }

    /// Begins again at the root.
    pub fn restart(&mut self) {
        *self = Self::new(self.tree.turn, self.limit);
    }

    /// Ends the recording: the values of the current node and of those above it will never be known.
    pub fn abandon(&mut self) {
        for index in self.path.drain(..).flatten() {
            self.tree.nodes[index].mark = Mark::Unfinished;
        }
    }

    /// The current node; `None` if it is only counted, or if the recording has ended.
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

    /// Enters the node after `step`, which is searched with `window`.
    pub fn enter(&mut self, step: Step, window: Option<Window>) {
        let node = self.add(step, window);
        if node.is_none() {
            self.tree.omitted += 1;
        }
        self.path.push(node);
    }

    /// Returns to the parent with `value`.
    pub fn leave(&mut self, value: Value) {
        if let Some(node) = self.here() {
            node.value = value;
            // Values of the evaluator or the rules are exact, even outside the window.
            let from_others = !node.children.is_empty() || node.mark == Mark::Memo;
            if let Some(window) = node.window.filter(|_| from_others) {
                node.bound = window.bound(value);
            }
        }
        self.path.pop();
    }

    /// Records that the moves `unseen` of this node were not searched, because of `remark`.
    pub fn pruned(&mut self, unseen: &[Move], remark: &'static str) {
        for &m in unseen {
            if let Some(index) = self.add(Step::Move(m), None) {
                self.tree.nodes[index].mark = Mark::Pruned;
                self.tree.nodes[index].remark = remark;
            }
        }
    }

    /// Records the source of this node's value.
    pub fn mark(&mut self, mark: Mark) {
        if let Some(node) = self.here() {
            node.mark = mark;
        }
    }

    /// Returns the tree, whose root has the value `value`.
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
