//! The generated moves of all nodes of a line, on one stack, and the selection of the best of them.
//!
//! Keys and moves are in arrays of their own, so that the search for the highest key takes vector
//! instructions:
//!
//! ```text
//!  bits 10..32  score of the move        bits 0..10  its place in its list, counted backwards
//! ```
//!
//! So no two keys of a list are the same, the first of equal scores has the highest key, and the highest key
//! says where its move is.

use shakmaty::{Move, Role, Square};
use wide::i32x4;

use crate::engine::search::history::MoveHistory;

/// A generated move.
#[derive(Clone, Copy, Debug)]
struct Generated {
    move_history: MoveHistory,
    m: Move,
}

/// The stack of generated moves of one thread.
#[derive(Clone, Debug, Default)]
pub(in crate::engine::search) struct Moves {
    /// The number of moves on the stack; both arrays may be longer.
    len: usize,
    keys: Vec<i32>,
    generated: Vec<Generated>,
}

impl Moves {
    /// The bits of a key below the score. They number up to 1,024 moves: each of 64 squares can be reached
    /// from eight directions and by eight knights.
    const PLACES: i32 = (1 << 10) - 1;

    /// Returns a stack that has room for `capacity` moves before it grows.
    pub(in crate::engine::search) fn with_capacity(capacity: usize) -> Self {
        let mut moves = Self::default();
        moves.grow(capacity);
        moves
    }

    #[cold]
    fn grow(&mut self, capacity: usize) {
        let m = Move::Put { role: Role::Pawn, to: Square::A1 };
        let empty = Generated { move_history: MoveHistory { total: 0, continuation: 0 }, m };
        self.keys.resize(capacity, 0);
        self.generated.resize(capacity, empty);
    }

    #[inline]
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(in crate::engine::search) fn clear(&mut self) {
        self.len = 0;
    }

    #[inline]
    pub(super) fn truncate(&mut self, len: usize) {
        self.len = self.len.min(len);
    }

    /// Adds a move to the list that begins at `first`.
    #[inline(always)]
    pub(super) fn push(&mut self, first: usize, m: Move, score: i32, move_history: MoveHistory) {
        let at = self.len;
        let (Some(key_of), Some(generated)) = (self.keys.get_mut(at), self.generated.get_mut(at)) else {
            return self.grow_and_push(first, m, score, move_history);
        };
        *key_of = key(score, at - first);
        *generated = Generated { move_history, m };
        self.len += 1;
    }

    #[cold]
    fn grow_and_push(&mut self, first: usize, m: Move, score: i32, move_history: MoveHistory) {
        self.grow(2 * self.len + 64);
        self.push(first, m, score, move_history);
    }

    /// Keeps only those of the moves from `cursor` on that are `wanted`, in their order. The list begins at
    /// `first`.
    #[inline]
    pub(super) fn retain(&mut self, first: usize, cursor: usize, wanted: impl Fn(Move) -> bool) {
        let mut end = cursor;
        for index in cursor..self.len {
            if wanted(self.generated[index].m) {
                self.keys[end] = (self.keys[index] & !Self::PLACES) | place_bits(end - first);
                self.copy(index, end);
                end += 1;
            }
        }
        self.truncate(end);
    }

    /// The move at `index`.
    #[inline]
    pub(super) fn get(&self, index: usize) -> Option<Move> {
        self.generated[..self.len].get(index).map(|generated| generated.m)
    }

    #[inline]
    pub(super) fn move_history(&self, index: usize) -> MoveHistory {
        self.generated[index].move_history
    }

    /// Copies the move at `from` to `to`. Its key is not copied.
    #[inline]
    pub(super) fn copy(&mut self, from: usize, to: usize) {
        self.generated[to] = self.generated[from];
    }

    /// Swaps the best move from `cursor` on to `cursor`, the first of equals, and returns it. The list begins
    /// at `first`.
    #[inline(always)]
    pub(super) fn select(&mut self, first: usize, cursor: usize) -> Option<Move> {
        let (keys, generated) = (&mut self.keys[..self.len], &mut self.generated[..self.len]);
        let rest = keys.get(cursor..)?;
        if let [here, _, ..] = *rest {
            let place = place_of(highest(rest));
            keys[first + place] = (here & !Self::PLACES) | place_bits(place);
            generated.swap(cursor, first + place);
        }
        Some(generated.get(cursor)?.m)
    }
}

/// The key of a move at `place` in its list. The score must be within ±2^21: a key has 32 bits.
#[inline(always)]
fn key(score: i32, place: usize) -> i32 {
    debug_assert!(score.abs() < 1 << 21, "{score}");
    score * (Moves::PLACES + 1) + place_bits(place)
}

#[inline(always)]
fn place_bits(place: usize) -> i32 {
    Moves::PLACES - place as i32
}

#[inline(always)]
fn place_of(key: i32) -> usize {
    (Moves::PLACES - (key & Moves::PLACES)) as usize
}

/// The highest of `keys`; `i32::MIN` if there are none.
#[inline(never)] // its callers have no registers left
fn highest(keys: &[i32]) -> i32 {
    let Some(&last) = keys.last_chunk() else {
        return match *keys {
            [a, b, c] => a.max(b).max(c),
            [a, b] => a.max(b),
            [a] => a,
            _ => i32::MIN,
        };
    };
    // The last chunk may overlap the one before.
    let (chunks, _) = keys.as_chunks();
    let best = chunks.iter().fold(i32x4::new(last), |best, &chunk| best.max(i32x4::new(chunk)));
    best.to_array().into_iter().fold(i32::MIN, i32::max)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_selected_as_by_a_selection_sort() {
        for len in 0..40 {
            let scores: Vec<i32> = (0..len).map(|i| (i * 7919 + 13) % 11 * 9973 - 50_000).collect();
            let mut moves = Moves::default();
            let mut sorted = Vec::new();
            for (i, &score) in (0..).zip(&scores) {
                let (from, to) = (Square::new(i), Square::new(63 - i));
                let m = Move::Normal { role: Role::Rook, from, capture: None, to, promotion: None };
                moves.push(0, m, score, MoveHistory { total: score, continuation: 0 });
                sorted.push((m, score));
            }
            for cursor in 0..sorted.len() {
                let highest = sorted[cursor..].iter().map(|&(_, score)| score).max();
                let best = (cursor..).find(|&at| Some(sorted[at].1) == highest).expect("there is one");
                sorted.swap(cursor, best);
                assert_eq!(moves.select(0, cursor), Some(sorted[cursor].0), "{len} moves");
                assert_eq!(moves.move_history(cursor).total, sorted[cursor].1);
            }
            assert_eq!(moves.select(0, sorted.len()), None);
        }
    }

    #[test]
    fn a_list_with_some_moves_retained_is_as_if_the_others_had_never_been_in_it() {
        let m = |to| Move::Put { role: Role::Pawn, to: Square::new(to) };
        let push = |moves: &mut Moves, first, to: u32| {
            let score = to as i32 % 3;
            moves.push(first, m(to), score, MoveHistory { total: score, continuation: 0 });
        };
        let select_all = |moves: &mut Moves, first, cursor| -> Vec<Move> {
            (cursor..).map_while(|cursor| moves.select(first, cursor)).collect()
        };
        let (mut all, mut few) = (Moves::default(), Moves::default());
        push(&mut all, 0, 63); // the move of another list
        (0..20).for_each(|to| push(&mut all, 1, to));
        (10..20).for_each(|to| push(&mut few, 0, to));
        assert_eq!(all.select(1, 1), Some(m(2)), "the first of the highest");
        all.retain(1, 2, |m| m.to() >= Square::new(10));
        assert_eq!(select_all(&mut all, 1, 2), select_all(&mut few, 0, 0));
        assert_eq!([0, 1].map(|at| all.get(at)), [63, 2].map(|to| Some(m(to))));
    }
}
