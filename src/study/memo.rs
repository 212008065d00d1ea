//! A memo of searched positions: what alpha-beta found out, kept for the next way to the same position.
//!
//! With alpha-beta a value is often only half known, so an entry says how it is to be read: exactly, as a lower bound
//! (some move was good enough for a cut-off) or as an upper bound (no move was good enough). The memo has a fixed number
//! of slots, and two positions may want the same one: the one searched deeper stays.
//!
//! Mates are stored by their distance from the position itself, not from the root, because the next way to it may be
//! longer.
//!
//! Reference: R. D. Greenblatt, D. E. Eastlake and S. D. Crocker, "The Greenblatt Chess Program", 1967.

use shakmaty::Move;

use crate::{
    tt::Bound,
    value::{Value, from_node, to_node},
};

/// What a memo has been asked and what it holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MemoCounts {
    /// How often it was asked.
    pub tries: u64,
    /// How often it knew the position.
    pub hits: u64,
    /// How often what it knew made searching the position unnecessary.
    pub cut_offs: u64,
    /// Positions it holds.
    pub entries: u64,
    /// Memory of the positions it holds, in bytes.
    pub bytes: u64,
}

/// What is remembered of one position.
#[derive(Clone, Copy, Debug)]
pub struct Known {
    /// The value for the side to move, mates counted from the root of the search that asks.
    pub value: Value,
    /// How the value is to be read.
    pub bound: Bound,
    /// How many plies below the position were searched.
    pub depth: u32,
    /// The move that gave the value.
    pub best: Option<Move>,
}

impl Known {
    /// Whether the value answers all that a search through `alpha..beta` wants to know.
    #[must_use]
    pub fn settles(&self, alpha: Value, beta: Value) -> bool {
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

/// A table of positions; see the head of this module.
#[derive(Clone, Debug)]
pub struct Memo {
    slots: Vec<Option<Slot>>,
    counts: MemoCounts,
}

impl Memo {
    /// An empty memo with room for `slots` positions, at least one.
    #[must_use]
    pub fn with_slots(slots: usize) -> Self {
        Self { slots: vec![None; slots.max(1)], counts: MemoCounts::default() }
    }

    fn index(&self, key: u64) -> usize {
        (key % self.slots.len() as u64) as usize
    }

    /// What is known of the position with `key`, which is `ply` plies below the root.
    pub fn recall(&mut self, key: u64, ply: usize) -> Option<Known> {
        self.counts.tries += 1;
        let slot = self.slots[self.index(key)].filter(|slot| slot.key == key)?;
        self.counts.hits += 1;
        Some(Known { value: from_node(slot.known.value, ply), ..slot.known })
    }

    /// What was recalled has ended a node.
    pub(super) fn count_cut_off(&mut self) {
        self.counts.cut_offs += 1;
    }

    /// Remembers the position with `key`, `ply` plies below the root, unless its slot holds one searched deeper.
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

    /// What has been counted so far.
    #[must_use]
    pub fn counts(&self) -> MemoCounts {
        self.counts
    }
}
