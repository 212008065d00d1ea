//! A memo of searched positions: the results of alpha-beta, stored for other move orders that reach the same
//! position.
//!
//! With alpha-beta a value may be only a bound. An entry is therefore exact, a lower bound (a move caused a
//! cut-off) or an upper bound (no move reached alpha). The memo has a fixed number of slots. If two positions
//! share a slot, the one searched deeper stays.
//!
//! Mates are stored by their distance from the position, not from the root, because other lines reach the
//! position at other plies.
//!
//! Reference: R. D. Greenblatt, D. E. Eastlake and S. D. Crocker, "The Greenblatt Chess Program", 1967.

use shakmaty::Move;

use crate::{
    chess::value::{Value, from_node, to_node},
    engine::tt::Bound,
};

/// The counters of a memo.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoCounts {
    /// Number of look-ups.
    pub tries: u64,
    /// Number of look-ups that found the position.
    pub hits: u64,
    /// Number of look-ups whose result ended the node.
    pub cut_offs: u64,
    /// Number of stored positions.
    pub entries: u64,
    /// Memory of the stored positions, in bytes.
    pub bytes: u64,
}

/// The stored result of one position.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The value for the side to move, with mates counted from the root of the search that looks it up.
    pub value: Value,
    /// Whether the value is exact or a bound.
    pub bound: Bound,
    /// The depth of the search, in plies below the position.
    pub depth: u32,
    /// The move with that value.
    pub best: Option<Move>,
}

impl Known {
    /// Whether the result suffices for a search with the window `alpha..beta`.
    #[must_use]
    pub fn suffices(&self, alpha: Value, beta: Value) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Slot {
    key: u64,
    known: Known,
}

/// A table of positions; see the module documentation.
#[derive(Clone, Debug)]
pub struct Memo {
    slots: Vec<Option<Slot>>,
    counts: MemoCounts,
}

impl Memo {
    /// Returns an empty memo with `slots` slots, at least one.
    #[must_use]
    pub fn with_slots(slots: usize) -> Self {
        Self { slots: vec![None; slots.max(1)], counts: MemoCounts::default() }
    }

    fn index(&self, key: u64) -> usize {
        (key % self.slots.len() as u64) as usize
    }

    /// Looks up the position with `key`, `ply` plies below the root.
    pub fn recall(&mut self, key: u64, ply: usize) -> Option<Known> {
        self.counts.tries += 1;
        let slot = self.slots[self.index(key)].filter(|slot| slot.key == key)?;
        self.counts.hits += 1;
        Some(Known { value: from_node(slot.known.value, ply), ..slot.known })
    }

    /// Counts a look-up that ended a node.
    pub(super) fn count_cut_off(&mut self) {
        self.counts.cut_offs += 1;
    }

    /// Stores the result for the position with `key`, `ply` plies below the root, unless its slot holds a
    /// deeper one.
    pub fn remember(&mut self, key: u64, ply: usize, known: Known) {
        let index = self.index(key);
        let slot = &mut self.slots[index];
        if slot.is_some_and(|old| old.known.depth > known.depth) {
            return;
        }
        if slot.is_none() {
            self.counts.entries += 1;
            self.counts.bytes += size_of::<Option<Slot>>() as u64;
        }
        *slot = Some(Slot { key, known: Known { value: to_node(known.value, ply), ..known } });
    }

    /// The counters so far.
    #[must_use]
    pub fn counts(&self) -> MemoCounts {
        self.counts
    }
}
