//! The parameters of the games.

use std::ops::RangeInclusive;

use serde_json::json;

use crate::{
    chess::{position::Position, value::Value},
    engine::search::{Limits, Techniques},
    rules::{DrawRule, Rules, WinRule},
    workshop::data::Variant,
};

/// All parameters of the games, besides their numbers and the program.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The seed of all random choices.
    pub seed: u64,
    /// The starting positions; game `n` uses number `n`, cyclically. Never empty.
    pub starts: Vec<Position>,
    /// The probability that a game begins from a double Chess960 position instead, with an arrangement for
    /// each side.
    pub double_chess960: f64,
    /// The number of random plies from there; all numbers are equally likely.
    pub random_plies: RangeInclusive<u32>,
    /// Whether a random ply chooses a kind of piece first, pawns most often and rooks least, and then one of
    /// its moves. Otherwise all legal moves are equally likely.
    pub by_kind: bool,
    /// Openings with a larger score than this, in centipawns for either side, are replaced.
    pub balance: Value,
    /// Nodes after which a search begins no new iteration; see [`HARD_LIMIT`](Self::HARD_LIMIT).
    pub nodes: u64,
    /// The techniques of the search. By default moves are not skipped on the principal variation: short
    /// searches then give more exact scores.
    pub techniques: Techniques,
    /// The transposition table of each thread, in MiB; it is cleared before every game.
    pub hash: usize,
    /// The rule for adjudicated wins.
    pub win: Option<WinRule>,
    /// The rule for adjudicated draws.
    pub draw: Option<DrawRule>,
    /// The number of plies, random ones included, after which a game is adjudicated as a draw.
    pub max_plies: u32,
}

impl Recipe {
    /// A search is interrupted at this many times [`nodes`](Self::nodes).
    pub const HARD_LIMIT: u64 = 8;

    /// The limits of the search for a move.
    pub(super) fn limits(&self) -> Limits {
        let most = self.nodes.saturating_mul(Self::HARD_LIMIT);
        Limits { soft_nodes: Some(self.nodes), nodes: Some(most), ..Limits::default() }
    }

    /// The rules of adjudication.
    #[must_use]
    pub fn rules(&self) -> Rules {
        Rules { win: self.win, draw: self.draw, longest: Some(self.max_plies), ..Rules::default() }
    }

    /// The variant of the games.
    #[must_use]
    pub fn variant(&self) -> Variant {
        if self.double_chess960 > 0.0 { Variant::Chess960 } else { Variant::Standard }
    }

    /// The description in a file's header; two recipes with equal seeds and descriptions give the same games.
    #[must_use]
    pub fn description(&self) -> serde_json::Value {
        let mut book = crc32fast::Hasher::new();
        for start in &self.starts {
            book.update(start.fen().as_bytes());
            book.update(b"\n");
        }
        let win = self.win.map(|WinRule { score, plies }| json!({ "score": score, "plies": plies }));
        let draw = self.draw.map(|DrawRule { score, plies, from_ply }| {
            json!({ "score": score, "plies": plies, "from_ply": from_ply })
        });
        json!({
            "starts": { "positions": self.starts.len(), "crc32": format!("{:08x}", book.finalize()) },
            "double_chess960": self.double_chess960,
            "random_plies": [self.random_plies.start(), self.random_plies.end()],
            "by_kind": self.by_kind,
            "balance": self.balance,
            "nodes": self.nodes,
            "without": self.techniques.missing().collect::<Vec<_>>(),
            "hash": self.hash,
            "win": win,
            "draw": draw,
            "max_plies": self.max_plies,
        })
    }
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            seed: 1,
            starts: vec![Position::default()],
            double_chess960: 0.0,
            random_plies: 8..=10,
            by_kind: false,
            balance: 200,
            nodes: 5000,
            techniques: Techniques { pv_pruning: false, ..Techniques::ALL },
            hash: 8,
            win: Some(WinRule { score: 1000, plies: 4 }),
            draw: Some(DrawRule { score: 8, plies: 10, from_ply: 80 }),
            max_plies: 400,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_description_tells_recipes_apart() {
        let recipe = Recipe::default();
        assert_eq!(recipe.description(), recipe.clone().description());
        assert_eq!(recipe.variant(), Variant::Standard);
        let chess960 = Recipe { double_chess960: 0.1, ..recipe.clone() };
        assert_eq!(chess960.variant(), Variant::Chess960);
        let start = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1").unwrap();
        let others = [
            Recipe { nodes: 5001, ..recipe.clone() },
            chess960,
            Recipe { starts: vec![start], ..recipe.clone() },
            Recipe { draw: None, ..recipe.clone() },
            Recipe { by_kind: true, ..recipe.clone() },
            Recipe { techniques: Techniques::ALL, ..recipe.clone() },
        ];
        for other in &others {
            assert_ne!(recipe.description(), other.description());
        }
    }
}
