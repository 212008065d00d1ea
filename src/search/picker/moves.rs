//! The stack of generated moves that all nodes of a thread share, and beside each move what it is ranked by.
//!
//! Moves and ranks lie in two arrays: the best of many moves is then a plain maximum over numbers, which compilers turn
//! into vector instructions. A rank holds a move's score and below it its place, so that the maximum says where the move
//! is, and that of equals the first is best.

use shakmaty::Move;

/// The lowest bits of a rank: how far before place 1023 of its node a move is. No position has so many moves: a square
/// is reached along at most eight lines and by eight knights, which with pieces enough to do so leaves too few squares.
const PLACE_BITS: u32 = 10;
const LAST_PLACE: usize = (1 << PLACE_BITS) - 1;

/// See the head of this module. A node's part of the stack begins at its `start`.
#[derive(Clone, Debug, Default)]
pub(in crate::search) struct Moves {
    moves: Vec<Move>,
    /// One for each move, but for those pushed last until [`rank`](Self::rank) is called.
    ranks: Vec<i32>,
}

#[inline]
fn rank(score: i32, place: usize) -> i32 {
    debug_assert!(place <= LAST_PLACE && (score << PLACE_BITS) >> PLACE_BITS == score);
    score << PLACE_BITS | (LAST_PLACE - place) as i32
}

#[inline]
fn score(rank: i32) -> i32 {
    rank >> PLACE_BITS
}

impl Moves {
    /// An empty stack, with room for so many moves.
    pub(in crate::search) fn with_capacity(capacity: usize) -> Self {
        Self { moves: Vec::with_capacity(capacity), ranks: Vec::with_capacity(capacity) }
    }

    /// Takes all moves off the stack.
    pub(in crate::search) fn clear(&mut self) {
        self.truncate(0);
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.moves.len()
    }

    #[inline]
    pub(super) fn truncate(&mut self, len: usize) {
        self.moves.truncate(len);
        self.ranks.truncate(len);
    }

    /// Puts `m` on the stack, to be ranked before it is asked for.
    #[inline]
    pub(super) fn push(&mut self, m: Move) {
        self.moves.push(m);
    }

    /// Ranks the moves that were pushed since the last time, those of the node that begins at `start`, by `score`.
    #[inline]
    pub(super) fn rank(&mut self, start: usize, score: impl Fn(Move) -> i32) {
        let new = self.ranks.len();
        let ranked = self.moves[new..].iter().enumerate();
        self.ranks.extend(ranked.map(|(index, &m)| rank(score(m), new + index - start)));
    }

    /// The move at `index` and its score.
    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<(Move, i32)> {
        Some((*self.moves.get(index)?, score(*self.ranks.get(index)?)))
    }

    /// Puts `m` in the place of the move at `index`, which is not asked for any more.
    #[inline]
    pub(super) fn replace(&mut self, index: usize, m: Move) {
        self.moves[index] = m;
    }

    /// Brings the best of the moves from `cursor` on there, the first of equals, and returns it with its score: one step
    /// of a selection sort, since few are asked for. `start` is where the node begins.
    #[inline]
    pub(super) fn select(&mut self, start: usize, cursor: usize) -> Option<(Move, i32)> {
        let first = *self.ranks.get(cursor)?;
        let best = self.ranks[cursor..].iter().copied().fold(i32::MIN, i32::max);
        let place = LAST_PLACE - (best as usize & LAST_PLACE);
        self.ranks[start + place] = rank(score(first), place);
        self.moves.swap(cursor, start + place);
        Some((self.moves[cursor], score(best)))
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::{Role, Square};

    use super::*;

    #[test]
    fn the_best_comes_first_and_of_equals_the_first() {
        let scores = [-57_344, 5, -1, 70_784, 5, 0, 70_784, 5];
        let m = |index| Move::Normal {
            role: Role::Rook,
            from: Square::A1,
            capture: None,
            to: Square::new(index),
            promotion: None,
        };
        let mut moves = Moves::default();
        moves.push(m(63));
        moves.rank(0, |_| 0);
        for index in 0..scores.len() {
            moves.push(m(index as u32));
        }
        moves.rank(1, |m| scores[usize::from(m.to())]);
        let mut found = Vec::new();
        for cursor in 1..moves.len() {
            found.extend(moves.select(1, cursor).map(|(m, score)| (usize::from(m.to()), score)));
        }
        assert!(found.iter().all(|&(index, score)| scores[index] == score), "{found:?}");
        let sorted: Vec<i32> = found.iter().map(|&(_, score)| score).collect();
        assert_eq!(sorted, [70_784, 70_784, 5, 5, 5, 0, -1, -57_344]);
        assert_eq!((found[0].0, found[1].0), (3, 6));
        assert_eq!(moves.select(1, moves.len()), None);
    }
}
