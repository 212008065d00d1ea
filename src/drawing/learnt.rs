//! The tree of a real search, read out of its transposition table.
//!
//! The search keeps no tree. What it does keep is the table: for every position the value or bound it proved last. From
//! the root along all legal moves that gives a tree again, with three things to know: a position the table does not
//! hold was pruned, reduced away, or overwritten since; windows are gone, only bounds are left; and values may stem
//! from deeper searches than the ply suggests.

use shakmaty::Square;

use crate::{
    position::{Legality, Position},
    study::{Mark, Node, Tree},
    tt::{Bound, Table},
    value::{DRAW, Value, mated_in},
};

/// What `table` knows of the positions up to `plies` below `root`, at most `limit` of them.
#[must_use]
pub fn tree(root: &Position, table: &Table, plies: usize, limit: usize) -> Tree {
    let mut reader = Reader {
        table,
        position: root.clone(),
        limit,
        tree: Tree { nodes: Vec::new(), turn: root.turn(), omitted: 0 },
    };
    let node = reader.look(0);
    reader.tree.nodes.push(node);
    reader.expand(0, 0, plies);
    reader.tree
}

struct Reader<'t> {
    table: &'t Table,
    position: Position,
    limit: usize,
    tree: Tree,
}

impl Reader<'_> {
    /// What is known of the current position.
    fn look(&self, ply: usize) -> Node {
        let mut node = Node {
            played: None,
            parent: 0,
            value: DRAW,
            bound: Bound::Exact,
            window: None,
            mark: Mark::Pruned,
            children: Vec::new(),
        };
        if !Legality::of(&self.position).any_move() {
            node.mark = Mark::GameOver;
            node.value = if self.position.is_check() { self.for_white(mated_in(ply)) } else { DRAW };
        } else if ply > 0 && (self.position.is_draw_by_rule() || self.position.is_repetition(ply)) {
            node.mark = Mark::GameOver;
        } else if let Some(entry) = self.table.probe(self.position.key(), ply)
            && let Some(bound) = entry.bound
        {
            node.mark = Mark::Searched;
            node.value = self.for_white(entry.value);
            node.bound = match (self.position.turn().is_white(), bound) {
                (false, Bound::Lower) => Bound::Upper,
                (false, Bound::Upper) => Bound::Lower,
                (_, bound) => bound,
            };
        }
        node
    }

    fn for_white(&self, value: Value) -> Value {
        self.position.turn().fold_wb(value, -value)
    }

    /// Adds the children of `parent`, the current position, if the table knows any of them.
    fn expand(&mut self, parent: usize, ply: usize, plies: usize) {
        if ply == plies || self.tree.nodes[parent].mark != Mark::Searched {
            return;
        }
        let mut children = Vec::new();
        for m in self.position.legal_moves() {
            self.position.play(m);
            children.push((m, self.look(ply + 1)));
            self.position.undo();
        }
        if children.iter().all(|(_, child)| child.mark == Mark::Pruned) {
            return;
        }
        // Best first for the side to move, unknown ones last, otherwise as the board has them.
        let sign = self.position.turn().fold_wb(-1, 1);
        children.sort_by_key(|(m, child)| {
            let square = m.from().unwrap_or(Square::A1);
            (child.mark == Mark::Pruned, sign * child.value, child.bound != Bound::Exact, square, m.to())
        });
        for (m, child) in children {
            if self.tree.nodes.len() >= self.limit {
                self.tree.omitted += 1;
                continue;
            }
            let index = self.tree.nodes.len();
            self.tree.nodes[parent].children.push(index);
            self.tree.nodes.push(Node { played: Some(m), parent, ..child });
            self.position.play(m);
            self.expand(index, ply + 1, plies);
            self.position.undo();
        }
    }
}
