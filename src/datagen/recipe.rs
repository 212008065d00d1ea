//! How games are made.

use std::{ops::RangeInclusive, sync::Arc};

use serde_json::json;

use crate::{
    data::Variant,
    position::Position,
    rules::{DrawRule, Rules, WinRule},
    syzygy::Tables,
    value::Value,
};

/// Everything that determines the games, besides their numbers and the program.
#[derive(Clone, Debug)]
pub struct Recipe {
    /// The seed of all that is left to chance.
    pub seed: u64,
    /// Where games start; game `n` takes the `n`-th, all the way round. Never empty.
    pub starts: Vec<Position>,
    /// The chance that a game starts as Chess960 does instead, both sides with the same arrangement.
    pub chess960: f64,
    /// The chance that a game starts as double Chess960 does instead, each side with an arrangement of its own.
    pub double_chess960: f64,
    /// How many random plies, all legal moves being equally likely, are played from there; each number as likely.
    pub random_plies: RangeInclusive<u32>,
    /// Openings whose score is larger than this, in centipawns for either side, are replaced by others.
    pub balance: Value,
    /// Nodes after which a search begins no new iteration; see [`HARD_LIMIT`](Self::HARD_LIMIT).
    pub nodes: u64,
    /// The transposition table of each thread, in MiB; it is cleared before every game.
    pub hash: usize,
    /// When a game counts as won.
    pub win: Option<WinRule>,
    /// When a game counts as drawn.
    pub draw: Option<DrawRule>,
    /// Endgame tables that decide games which reach them.
    pub tables: Option<Arc<Tables>>,
    /// The ply of the game at which it is drawn, whatever the position.
    pub max_plies: u32,
    /// Take positions from the trees of the searches instead of those of the games.
    pub tree: Option<TreeRule>,
}

/// Positions from inside the trees of searches, each labelled by a search of its own.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeRule {
    /// Positions taken from the tree of each move's search, at most.
    pub positions: usize,
    /// Nodes of the search that labels a position.
    pub nodes: u64,
}

impl Recipe {
    /// A search is broken off, wherever it is, at this many times [`nodes`](Self::nodes).
    pub const HARD_LIMIT: u64 = 8;

    /// How many different games there are, if the openings are a list that can be used up.
    #[must_use]
    pub fn games(&self) -> Option<u64> {
        let is_list = *self.random_plies.end() == 0 && self.chess960 == 0.0 && self.double_chess960 == 0.0;
        is_list.then_some(self.starts.len() as u64)
    }

    /// When games are called won or drawn.
    #[must_use]
    pub fn rules(&self) -> Rules {
        Rules { win: self.win, draw: self.draw, longest: Some(self.max_plies), tables: self.tables.clone() }
    }

    /// The rules the games are played by.
    #[must_use]
    pub fn variant(&self) -> Variant {
        if self.chess960 > 0.0
            || self.double_chess960 > 0.0
            || self.starts.iter().any(|start| start.castling_mode().is_chess960())
        {
            Variant::Chess960
        } else {
            Variant::Standard
        }
    }

    /// What a file's header says of it; two recipes with equal seeds and descriptions make the same games.
    #[must_use]
    pub fn description(&self) -> serde_json::Value {
        let mut book = crc32fast::Hasher::new();
        for start in &self.starts {
            book.update(start.fen().as_bytes());
            book.update(b"\n");
        }
        let win = self.win.map(|rule| json!({ "score": rule.score, "plies": rule.plies }));
        let draw = self
            .draw
            .map(|rule| json!({ "score": rule.score, "plies": rule.plies, "from_ply": rule.from_ply }));
        let tree = self.tree.map(|rule| json!({ "positions": rule.positions, "nodes": rule.nodes }));
        let mut description = json!({
            "starts": { "positions": self.starts.len(), "crc32": format!("{:08x}", book.finalize()) },
            "chess960": self.chess960,
            "double_chess960": self.double_chess960,
            "random_plies": [self.random_plies.start(), self.random_plies.end()],
            "balance": self.balance,
            "nodes": self.nodes,
            "hash": self.hash,
            "win": win,
            "draw": draw,
            "max_plies": self.max_plies,
            "tree": tree,
        });
        // Games without tables are described as they were before there were any.
        if let Some(tables) = &self.tables {
            description["tables"] = tables.to_string().into();
        }
        description
    }
}

impl Default for Recipe {
    fn default() -> Self {
        Self {
            seed: 1,
            starts: vec![Position::default()],
            chess960: 0.0,
            double_chess960: 0.0,
            random_plies: 8..=10,
            balance: 200,
            nodes: 5000,
            hash: 8,
            win: Some(WinRule { score: 1000, plies: 4 }),
            draw: Some(DrawRule { score: 8, plies: 10, from_ply: 80 }),
            tables: None,
            max_plies: 400,
            tree: None,
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
        let start = |fen| vec![Position::from_fen(fen).unwrap()];
        let book = start("1r2k1r1/6p1/8/8/8/8/6P1/1R2K1R1 w KQkq - 3 20");
        let others = [
            Recipe { nodes: 5001, ..recipe.clone() },
            Recipe { chess960: 0.1, ..recipe.clone() },
            Recipe { starts: book.clone(), ..recipe.clone() },
            Recipe { draw: None, ..recipe.clone() },
            Recipe { tree: Some(TreeRule { positions: 1, nodes: 100 }), ..recipe.clone() },
        ];
        for other in &others {
            assert_ne!(recipe.description(), other.description());
        }
        assert_eq!(Recipe { starts: book, ..recipe }.variant(), Variant::Chess960);
    }
}
