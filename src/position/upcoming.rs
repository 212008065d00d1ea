//! Repetitions one move ahead: whether a single move leads back to an earlier position, told from the keys alone.
//!
//! Two positions that lie one move of a piece apart have keys that differ by the terms of that move: of the piece on either
//! square, and of the turn. All such differences are in one map.
//!
//! Reference: M. van Kervinck, "The Upcoming Repetition", 2013 (marcelk.net). His two hash functions make the lookup cheap;
//! here a lookup is rare, since the opponent's pieces must stand where they stood.

use std::{collections::HashMap, sync::LazyLock};

use shakmaty::{
    Bitboard, Color, Piece, Position as _, Role, Square,
    attacks::{attacks, between},
};

use super::{Position, key};

/// The squares of a move, by what it changes the key by.
static MOVES: LazyLock<HashMap<u64, (Square, Square)>> = LazyLock::new(|| {
    let mut moves = HashMap::new();
    for role in [Role::Knight, Role::Bishop, Role::Rook, Role::Queen, Role::King] {
        for piece in Color::ALL.map(|color| Piece { color, role }) {
            for from in Square::ALL {
                for to in attacks(from, piece, Bitboard::EMPTY) {
                    moves.insert(key::step(piece, from, to), (from, to));
                }
            }
        }
    }
    moves
});

impl Position {
    /// Whether the side to move has a move after which [`is_repetition`](Self::is_repetition) holds, for a search that is `ply`
    /// plies below its root.
    #[must_use]
    pub fn can_repeat(&self, ply: usize) -> bool {
        let reach = (self.current.reversible as usize).min(self.keys.len());
        if reach < 3 {
            return false;
        }
        let earlier = |distance| self.keys[self.keys.len() - distance];
        // What the opponent's moves have changed since.
        let mut theirs = self.current.key ^ earlier(1) ^ key::turn();
        for distance in (3..=reach).step_by(2) {
            theirs ^= earlier(distance - 1) ^ earlier(distance) ^ key::turn();
            if theirs == 0 && self.is_one_move_from(earlier(distance)) {
                let stood_before =
                    || (distance + 4..=reach).step_by(2).any(|d| earlier(d) == earlier(distance));
                if distance <= ply || stood_before() {
                    return true;
                }
            }
        }
        false
    }

    /// Whether a move of a piece leads to the earlier position with the key `target`.
    fn is_one_move_from(&self, target: u64) -> bool {
        let squares = MOVES.get(&(self.current.key ^ target));
        squares.is_some_and(|&(a, b)| (between(a, b) & self.chess().board().occupied()).is_empty())
    }
}
