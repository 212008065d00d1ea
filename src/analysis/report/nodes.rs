//! The positions that the page can show, as one list: those of the game first, then those of all other lines.

use serde::Serialize;
use shakmaty::Move;

use crate::{
    notation::{san, squares},
    position::Position,
};

/// One position, as the script of the page reads it; the names are short, because there are many positions.
#[derive(Debug, Serialize)]
pub(super) struct Node {
    /// The number of the previous position.
    #[serde(skip_serializing_if = "Option::is_none")]
    p: Option<usize>,
    /// The FEN.
    f: String,
    /// The move before it, with its number: `12... Nf6`.
    s: String,
    /// The squares of the move.
    #[serde(skip_serializing_if = "String::is_empty")]
    m: String,
}

/// All positions of a game and its lines.
#[derive(Debug, Default, Serialize)]
#[serde(transparent)]
pub(super) struct Nodes(Vec<Node>);

impl Nodes {
    /// Returns a list with the starting position of a game.
    pub(super) fn new(start: &Position) -> Self {
        Self(vec![Node { p: None, f: start.fen(), s: String::new(), m: String::new() }])
    }

    /// Plays `m`, half-move number `ply` from 0, in `position`, which is number `parent` of the list. Returns the
    /// number of the position after it.
    pub(super) fn play(
        &mut self,
        parent: usize,
        position: &mut Position,
        ply: u64,
        m: Option<Move>,
    ) -> usize {
        let text = m.map_or_else(|| "--".into(), |m| san(position, m));
        let s = format!("{} {text}", move_number(ply));
        let squares = m.map_or_else(String::new, |m| squares(position, m));
        position.play_or_pass(m);
        self.0.push(Node { p: Some(parent), f: position.fen(), s, m: squares });
        self.0.len() - 1
    }

    /// Plays a line from `position`, which is number `parent` of the list. Returns the numbers of its positions.
    pub(super) fn line(
        &mut self,
        parent: usize,
        position: &Position,
        ply: u64,
        moves: &[Move],
    ) -> Vec<usize> {
        let mut position = position.clone();
        let mut last = parent;
        let play = |(&m, ply)| {
            last = self.play(last, &mut position, ply, Some(m));
            last
        };
        moves.iter().zip(ply..).map(play).collect()
    }

    /// The move before position `node`, with its number.
    pub(super) fn label(&self, node: usize) -> &str {
        &self.0[node].s
    }
}

/// `12.` or `12...`
pub(super) fn move_number(ply: u64) -> String {
    format!("{}{}", ply / 2 + 1, if ply.is_multiple_of(2) { "." } else { "..." })
}
