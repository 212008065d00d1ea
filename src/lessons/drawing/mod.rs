//! Drawings: search trees, boards and charts as SVG and HTML.
//!
//! A [`Tree`] may have a million nodes, but a picture cannot. A [`Picture`] is the part of a tree that fits,
//! with all labels as text. [`layout`] places the nodes, [`legend`] explains the signs, and [`svg`] and
//! [`html`] draw them. [`worths`] draws what the pieces of a position are worth.

pub mod html;
pub mod layout;
pub mod legend;
pub mod svg;
pub mod watched;
pub mod worths;

use std::collections::{HashSet, VecDeque};

use shakmaty::Color;

use crate::{
    chess::{
        notation::{pawns, san, side, squares},
        position::Position,
    },
    engine::tt::Bound,
    lessons::{Mark, Node, Step, Tree},
};

/// The maximum number of pruned moves in one node that are drawn separately.
const PRUNED_APART: usize = 4;

/// The part of a tree that is drawn.
#[derive(Clone, Debug)]
pub struct Picture {
    /// The title, such as `minimax, 3 plies`.
    pub title: String,
    /// The position at the root.
    pub root: Position,
    /// Remarks on this picture, besides its [`legend`].
    pub explanation: String,
    /// The nodes, parents before their children; the first is the root.
    pub nodes: Vec<Item>,
    /// The number of nodes of the tree that are not in the picture.
    pub left_out: u64,
}

/// One node of a picture.
#[derive(Clone, Debug)]
pub struct Item {
    /// The children, as indices into [`Picture::nodes`].
    pub children: Vec<usize>,
    /// The move before it, in SAN, or `pass`; at the root, the side to move.
    pub label: String,
    /// The value for White with its bound (`≥ +0.35`), or `?`.
    pub value: String,
    /// The window, such as `(-0.10, ∞)`, after the depth if depths vary: `2 ↓1 (-0.10, ∞)`; empty if there is
    /// none.
    pub window: String,
    /// The source of its value.
    pub mark: Mark,
    /// A tag about the source, such as `cut-off` or `null move`; empty for none.
    pub tag: &'static str,
    /// The side that made the move before it; at the root, the side to move.
    pub mover: Color,
    /// Whether it is on the principal variation.
    pub principal: bool,
    /// The number of nodes below it that are not drawn.
    pub hidden: u64,
    /// The squares of the move (`e2e4`), if it is one move.
    pub squares: String,
    /// The position after the move as FEN; for several moves, their names.
    pub note: String,
}

impl Picture {
    /// Selects about `limit` nodes of `tree`, which was searched from `root`: the principal variation with
    /// all its side moves, then ply by ply. The children of a node are drawn all or not at all.
    #[must_use]
    pub fn of(tree: &Tree, root: &Position, title: String, explanation: String, limit: usize) -> Self {
        let line = tree.principal_variation();
        let below = descendants(tree);
        let expanded = choose(tree, &line, limit);
        let mut painter = Painter {
            tree,
            principal: line.into_iter().collect(),
            expanded,
            below,
            position: root.clone(),
            items: Vec::new(),
        };
        painter.paint(0);
        let drawn: u64 = painter.items.iter().map(|item| item.hidden).sum();
        Self { title, root: root.clone(), explanation, nodes: painter.items, left_out: drawn + tree.omitted }
    }

    /// The children of each node, as input for [`layout`].
    #[must_use]
    pub fn shape(&self) -> Vec<&[usize]> {
        self.nodes.iter().map(|item| item.children.as_slice()).collect()
    }

    /// A remark on the part that is not drawn, if there is one.
    #[must_use]
    pub fn shortfall(&self) -> Option<String> {
        let shown = self.nodes.len();
        let left_out = self.left_out;
        let drawn = if shown == 1 { "node that fits is" } else { "nodes that fit are" };
        let more = if left_out == 1 { "is" } else { "are" };
        (left_out > 0).then(|| format!("Only the {shown} {drawn} drawn; {left_out} more {more} left out."))
    }
}

/// Returns the number of nodes below each node, without moves that were not searched.
fn descendants(tree: &Tree) -> Vec<u64> {
    let mut below = vec![0; tree.nodes.len()];
    for index in (1..tree.nodes.len()).rev() {
        let visited = tree.nodes[index].mark != Mark::Pruned;
        below[tree.nodes[index].parent] += below[index] + u64::from(visited);
    }
    below
}

/// The nodes whose children are drawn.
fn choose(tree: &Tree, line: &[usize], limit: usize) -> HashSet<usize> {
    let mut expanded = HashSet::new();
    let mut room = limit.saturating_sub(1);
    // Returns whether the children of a node are drawn.
    let mut expand = |index: usize| {
        let needed = groups(tree, &tree.nodes[index]).len();
        if needed > 0 && needed <= room && expanded.insert(index) {
            room -= needed;
        }
        expanded.contains(&index)
    };
    for &index in line {
        if !expand(index) {
            break;
        }
    }
    let mut waiting = VecDeque::from([0]);
    while let Some(index) = waiting.pop_front() {
        if expand(index) {
            waiting.extend(&tree.nodes[index].children);
        }
    }
    expanded
}

/// The children as drawn: separately, except that many moves pruned for the same reason are one.
fn groups(tree: &Tree, node: &Node) -> Vec<Vec<usize>> {
    let alike = |a: &usize, b: &usize| {
        let (a, b) = (&tree.nodes[*a], &tree.nodes[*b]);
        a.mark == Mark::Pruned && b.mark == Mark::Pruned && a.remark == b.remark
    };
    let mut groups = Vec::new();
    for chunk in node.children.chunk_by(alike) {
        if chunk.len() > PRUNED_APART {
            groups.push(chunk.to_vec());
        } else {
            groups.extend(chunk.iter().map(|&child| vec![child]));
        }
    }
    groups
}

/// The tag of a node with this mark.
fn tag(mark: Mark, remark: &'static str) -> &'static str {
    match mark {
        _ if !remark.is_empty() => remark,
        Mark::Pruned => "",
        mark => word(mark),
    }
}

/// The word for a mark, empty for the usual one.
const fn word(mark: Mark) -> &'static str {
    match mark {
        Mark::Searched => "",
        Mark::GameOver => "end",
        Mark::CutOff => "cut-off",
        Mark::Memo => "memo",
        Mark::Pruned => "pruned",
        Mark::Unfinished => "unfinished",
    }
}

struct Painter<'t> {
    tree: &'t Tree,
    principal: HashSet<usize>,
    expanded: HashSet<usize>,
    below: Vec<u64>,
    /// The position that the current node is reached from.
    position: Position,
    items: Vec<Item>,
}

impl Painter<'_> {
    /// Adds the node `index` and the drawn nodes below it; the position is that of the node.
    fn paint(&mut self, index: usize) -> usize {
        let node = &self.tree.nodes[index];
        let place = self.items.len();
        let item = self.item(node, index);
        self.items.push(item);
        if !self.expanded.contains(&index) {
            self.items[place].hidden = self.below[index];
            return place;
        }
        for group in groups(self.tree, node) {
            let child = match group.as_slice() {
                [child] => self.paint_after(*child),
                together => self.paint_pruned(together),
            };
            self.items[place].children.push(child);
        }
        place
    }

    fn paint_after(&mut self, child: usize) -> usize {
        let (label, squares, moved) = match self.tree.nodes[child].step {
            Step::Stay => ("(itself)".into(), String::new(), false),
            Step::Pass => ("pass".into(), String::new(), self.position.play_null()),
            Step::Move(m) => {
                let (label, squares) = (san(&self.position, m), squares(&self.position, m));
                self.position.play(m);
                (label, squares, true)
            }
        };
        let place = self.paint(child);
        if moved {
            self.position.undo();
        }
        (self.items[place].label, self.items[place].squares) = (label, squares);
        place
    }

    fn paint_pruned(&mut self, together: &[usize]) -> usize {
        let moves = together.iter().filter_map(|&child| match self.tree.nodes[child].step {
            Step::Move(m) => Some(san(&self.position, m)),
            Step::Pass | Step::Stay => None,
        });
        let names: Vec<String> = moves.collect();
        self.items.push(Item {
            children: Vec::new(),
            label: format!("{} moves", names.len()),
            value: "?".into(),
            window: String::new(),
            mark: Mark::Pruned,
            tag: together.first().map_or("", |&child| self.tree.nodes[child].remark),
            mover: self.position.turn(),
            principal: false,
            hidden: 0,
            squares: String::new(),
            note: names.join(" "),
        });
        self.items.len() - 1
    }

    fn item(&self, node: &Node, index: usize) -> Item {
        let value = match (node.mark, node.bound) {
            (Mark::Pruned | Mark::Unfinished, _) => "?".into(),
            (_, Bound::Exact) => pawns(node.value),
            (_, Bound::Lower) => format!("≥ {}", pawns(node.value)),
            (_, Bound::Upper) => format!("≤ {}", pawns(node.value)),
        };
        let window =
            node.window.map_or_else(String::new, |w| format!("({}, {})", pawns(w.alpha), pawns(w.beta)));
        let stays = node.step == Step::Stay;
        Item {
            children: Vec::new(),
            label: side(self.position.turn()).into(),
            value,
            window: self.depth(node, index) + &window,
            mark: node.mark,
            tag: tag(node.mark, node.remark),
            mover: if stays { self.position.turn() } else { !self.position.turn() },
            principal: self.principal.contains(&index),
            hidden: 0,
            squares: String::new(),
            note: if node.mark == Mark::Pruned { String::new() } else { self.position.fen() },
        }
    }

    /// The depth of `node` as text, if it has one: plies searched, plies reduced (↓) or extended (↑), and ↻
    /// if this is not the first visit.
    fn depth(&self, node: &Node, index: usize) -> String {
        let Some(depth) = node.depth else { return String::new() };
        let parent = &self.tree.nodes[node.parent];
        let mut text = depth.to_string();
        let expected = parent.depth.filter(|&above| above > 0 && index > 0).map(|above| above - 1);
        match expected.map_or(0, |expected| depth - expected) {
            0 => {}
            more @ 1.. => text += &format!(" ↑{more}"),
            less => text += &format!(" ↓{}", -less),
        }
        let before = parent.children.iter().take_while(|&&sibling| sibling != index);
        if before.copied().any(|sibling| self.tree.nodes[sibling].step == node.step) {
            text += " ↻";
        }
        text + " "
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::value::{INFINITE, Value},
        engine::eval::{Evaluator as _, Material},
        lessons::Algorithm,
    };

    #[test]
    fn room_is_only_for_nodes_that_are_drawn() {
        let root =
            Position::from_fen("r1bqrnk1/pp2bppp/2p2n2/3p2B1/3P4/2NBPN2/PPQ2PPP/R4RK1 w - - 7 11").unwrap();
        let walk = Algorithm::Minimax.begin(&root, Material).recording(1 << 20);
        let tree = Algorithm::Minimax.search(walk, 3).tree.unwrap();
        for limit in [40, 60, 100, 300] {
            let expanded = choose(&tree, &tree.principal_variation(), limit);
            let is_drawn = |&index: &usize| index == 0 || expanded.contains(&tree.nodes[index].parent);
            assert!(expanded.iter().all(is_drawn), "{limit}");
        }
    }

    /// Searches `position` and notes every position with the window in which it is visited, for White.
    /// Without `prunes` it is minimax.
    fn meet(
        position: &mut Position,
        depth: u32,
        (mut alpha, mut beta): (Value, Value),
        prunes: bool,
        met: &mut Vec<(String, String)>,
    ) -> Value {
        met.push((position.fen(), format!("({}, {})", pawns(alpha), pawns(beta))));
        let white = position.turn().is_white();
        if depth == 0 {
            let value = Material.evaluate(position);
            return if white { value } else { -value };
        }
        let mut best = if white { -INFINITE } else { INFINITE };
        for m in position.legal_moves() {
            position.play(m);
            let value = meet(position, depth - 1, (alpha, beta), prunes, met);
            position.undo();
            best = if white { best.max(value) } else { best.min(value) };
            if prunes && white {
                alpha = alpha.max(best);
            } else if prunes {
                beta = beta.min(best);
            }
            if alpha >= beta {
                break;
            }
        }
        best
    }

    #[test]
    fn a_picture_has_the_nodes_in_the_order_in_which_the_search_meets_them() {
        let mut root = Position::from_fen("4k3/8/p3p1p1/P3P1P1/8/8/3r4/R3K3 w - - 0 1").unwrap();
        for (algorithm, prunes) in [(Algorithm::Minimax, false), (Algorithm::AlphaBeta, true)] {
            let walk = algorithm.begin(&root, Material).recording(1 << 20);
            let answer = algorithm.search(walk, 4);
            let tree = answer.tree.unwrap();
            let picture = Picture::of(&tree, &root, String::new(), String::new(), 1 << 20);
            let searched = picture.nodes.iter().filter(|item| item.mark != Mark::Pruned);
            let drawn: Vec<(String, String)> =
                searched.map(|item| (item.note.clone(), item.window.clone())).collect();
            let mut met = Vec::new();
            meet(&mut root, 4, (-INFINITE, INFINITE), prunes, &mut met);
            // The root has no window of its own, and minimax none at all.
            met.iter_mut().take(if prunes { 1 } else { usize::MAX }).for_each(|(_, window)| window.clear());
            assert!(drawn.len() > 100, "{}", drawn.len());
            assert_eq!(drawn, met);
        }
    }

    /// The page plays the steps of a search from this order.
    #[test]
    fn the_nodes_below_a_node_follow_it() {
        let root =
            Position::from_fen("r1bqrnk1/pp2bppp/2p2n2/3p2B1/3P4/2NBPN2/PPQ2PPP/R4RK1 w - - 7 11").unwrap();
        let tree = Algorithm::AlphaBeta
            .search(Algorithm::AlphaBeta.begin(&root, Material).recording(1 << 20), 3)
            .tree
            .unwrap();
        for limit in [100, 1000, 1 << 20] {
            let nodes = Picture::of(&tree, &root, String::new(), String::new(), limit).nodes;
            let mut next = 0;
            let mut waiting = vec![0];
            while let Some(index) = waiting.pop() {
                assert_eq!(index, next, "{limit}");
                next += 1;
                waiting.extend(nodes[index].children.iter().rev());
            }
            assert_eq!(next, nodes.len());
        }
    }
}
