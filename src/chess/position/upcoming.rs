//! Upcoming repetitions: whether one move leads back to an earlier position, computed from the keys alone.
//!
//! If one piece move leads from a position to another, their keys differ by the terms of that move: the piece
//! on either square, and the side to move. One map holds all these differences.
//!
//! Reference: M. van Kervinck, "The Upcoming Repetition", 2013 (marcelk.net). His two hash functions make the
//! lookup cheap. Here lookups are rare, because they happen only if the opponent's pieces stand on their
//! earlier squares.

use std::{collections::HashMap, sync::LazyLock};

use shakmaty::{
    Bitboard, Color, Piece, Position as _, Role, Square,
    attacks::{attacks, between},
};

use super::{Position, key};

/// The two squares of each move, keyed by its change of the key.
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
    /// Whether the side to move has a move after which [`is_repetition`](Self::is_repetition) holds, for a
    /// search `ply` plies below its root.
    #[must_use]
    #[inline(always)]
    pub fn can_repeat(&self, ply: usize) -> bool {
        // Most positions of a search come soon after a capture or a pawn move.
        self.current.reversible >= 3 && self.finds_earlier_position(ply)
    }

    /// [`can_repeat`](Self::can_repeat), by the keys of the earlier positions.
    fn finds_earlier_position(&self, ply: usize) -> bool {
        let reach = (self.current.reversible as usize).min(self.keys.len());
        if reach < 3 {
            return false;
        }
        let earlier = |distance| self.keys[self.keys.len() - distance];
        // The change of the key by the opponent's moves since then.
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

    /// Whether one piece move leads to the earlier position with the key `target`.
    fn is_one_move_from(&self, target: u64) -> bool {
        let squares = MOVES.get(&(self.current.key ^ target));
        squares.is_some_and(|&(a, b)| (between(a, b) & self.chess().board().occupied()).is_empty())
    }
}
