//! The transposition table: search results by position, shared by all threads without locks.
//!
//! The table is an array of clusters. A cluster is half a cache line, four 64-bit words: one with the low 16
//! bits of the key of each of its three entries, and one for each entry. Outside this module an entry is a
//! decoded [`Entry`]; inside it is one packed word:
//!
//! ```text
//!   bits  0..16  move (PackedMove, 0 = none)        bits 48..56  depth
//!   bits 16..32  value, mate distances from here    bits 56..58  bound (0: the entry is only an evaluation)
//!   bits 32..48  raw evaluation + 2^15 (0 = none)   bit  58      was on or beside a principal variation
//!                                                   bits 59..64  generation
//! ```
//!
//! The place of its cluster and 16 bits are all that is known of a key. So about one probe in 20,000 for an
//! unknown position returns the entry of another one. After two threads have written a cluster at the same
//! time, a key and an entry may belong to different positions, too. Such an entry may cost strength, never
//! legality: its move is [checked](PackedMove) before it is played. All words are atomics, so this is not a
//! data race.
//!
//! The system provides each page of memory only when it is first touched. For a table of 1 GiB this took from
//! 0.1 s to 20 s on a virtual machine under load, and a search that touched such pages could neither stop nor
//! keep its time. Therefore a new table, too, is [cleared](Table::clear) before a search.
//!
//! Reference: chessprogramming.org, "Transposition Table". That clusters of three entries of ten bytes
//! suffice is known from Stockfish.

use std::{
    iter,
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicU64, Ordering},
    },
    thread,
};

use crate::{
    chess::{
        position::PackedMove,
        value::{Value, from_node, to_node},
    },
    engine::{
        hints::{prefer_huge_pages, prefetch},
        memory,
    },
};

/// The entries of a cluster.
const ENTRIES: usize = 3;
/// The words of a cluster: the keys, then the entries.
const WORDS: usize = 1 + ENTRIES;
const CLUSTER_BYTES: usize = WORDS * size_of::<AtomicU64>();
const MEBIBYTE: usize = 1 << 20;
/// The number of generations; a generation is stored in five bits, modulo this.
const GENERATIONS: u64 = 32;
/// Words that one thread clears at a time: 2 MiB, a huge page.
const CHUNK: usize = 2 * MEBIBYTE / size_of::<AtomicU64>();
/// Added to an evaluation when it is stored: no evaluation is `-EVAL_OFFSET`, and an entry with one is never
/// all 0.
const EVAL_OFFSET: Value = 1 << 15;

const _: () = assert!(64 % CLUSTER_BYTES == 0, "a cluster is in one cache line");

/// The part of a key that a cluster stores for an entry.
#[inline(always)]
fn part_of(key: u64) -> u16 {
    key as u16
}

/// The part of a key that is stored for the entry at `place` of a cluster, by the first word of the cluster.
#[inline(always)]
fn key_at(keys: u64, place: usize) -> u16 {
    (keys >> (16 * place)) as u16
}

/// How a stored value relates to the true value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The true value is at most this (fail low: no move reached alpha).
    Upper = 1,
    /// The true value is at least this (fail high: a move reached beta).
    Lower = 2,
    /// The value is exact.
    Exact = 3,
}

impl Bound {
    /// The bound of `value`, found by a search with the window from `alpha` to `beta`.
    #[must_use]
    #[inline]
    pub fn of(value: Value, alpha: Value, beta: Value) -> Self {
        match value {
            value if value >= beta => Bound::Lower,
            value if value > alpha => Bound::Exact,
            _ => Bound::Upper,
        }
    }

    /// The bound of the same value from the other side's perspective.
    #[must_use]
    pub fn flipped(self) -> Self {
        match self {
            Self::Exact => Self::Exact,
            Self::Lower => Self::Upper,
            Self::Upper => Self::Lower,
        }
    }

    /// The sign before a value with this bound: "≥ " or "≤ ", and nothing before an exact value.
    #[must_use]
    pub fn sign(self) -> &'static str {
        match self {
            Self::Exact => "",
            Self::Lower => "≥ ",
            Self::Upper => "≤ ",
        }
    }

    /// Whether `value` with this bound makes a search with the window from `alpha` to `beta` unnecessary.
    /// `alpha` must be less than `beta`.
    #[must_use]
    #[inline]
    pub fn suffices(self, value: Value, alpha: Value, beta: Value) -> bool {
        self == Self::Exact || self == Self::of(value, alpha, beta)
    }

    /// Returns the number nearest to `estimate` that `value` with this bound allows.
    #[must_use]
    #[inline]
    pub fn tighten(self, estimate: Value, value: Value) -> Value {
        let at_least = if self == Self::Upper { estimate } else { estimate.max(value) };
        if self == Self::Lower { at_least } else { at_least.min(value) }
    }
}

/// An entry of the table, decoded.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// The best move found; it may be illegal here.
    pub m: Option<PackedMove>,
    /// The value found; valid only with a bound. Mate distances count from the root of the probing search.
    pub value: Value,
    /// The evaluator's value, uncorrected; `None` if the side to move was in check.
    pub raw_eval: Option<Value>,
    /// The remaining depth of the search that found the value, in plies, 0 to 255.
    pub depth: i32,
    /// How the value bounds the true value; `None` if the entry has only an evaluation.
    pub bound: Option<Bound>,
    /// Whether the position was on a principal variation or next to one.
    pub pv: bool,
}

impl Entry {
    #[inline(always)]
    fn pack(self, ply: usize, generation: u64) -> u64 {
        let value = to_node(self.value, ply) as i16 as u16;
        let eval = self.raw_eval.map_or(0, |eval| (eval + EVAL_OFFSET) as u16);
        let depth = self.depth.clamp(0, 255) as u64;
        self.m.map_or(0, |m| u64::from(m.bits()))
            | u64::from(value) << 16
            | u64::from(eval) << 32
            | depth << 48
            | self.bound.map_or(0, |bound| bound as u64) << 56
            | u64::from(self.pv) << 58
            | generation << 59
    }

    fn unpack(data: u64, ply: usize) -> Self {
        let eval = (data >> 32) as u16;
        Self {
            m: PackedMove::from_bits(data as u16),
            value: from_node(Value::from((data >> 16) as i16), ply),
            raw_eval: (eval != 0).then_some(Value::from(eval) - EVAL_OFFSET),
            depth: packed_depth(data),
            bound: match data >> 56 & 3 {
                1 => Some(Bound::Upper),
                2 => Some(Bound::Lower),
                3 => Some(Bound::Exact),
                _ => None,
            },
            pv: data >> 58 & 1 != 0,
        }
    }
}

fn packed_depth(data: u64) -> i32 {
    (data >> 48 & 255) as i32
}

/// The table. Reading and writing need a shared reference; resizing needs an exclusive one.
#[derive(Debug)]
pub struct Table {
    /// The clusters, and padding of at most one cluster. The allocation is aligned for a word only: for a
    /// larger alignment the allocator would touch every page at once, while now the system provides zeroed
    /// pages on demand.
    words: Box<[AtomicU64]>,
    /// The first word of the first cluster.
    first: usize,
    clusters: usize,
    generation: u64,
}

impl Default for Table {
    /// Returns the smallest table: a single cluster.
    fn default() -> Self {
        Self::over((0..2 * WORDS).map(|_| AtomicU64::default()).collect())
    }
}

impl Table {
    /// Returns a table of `mebibytes` MiB (at least 1). It is empty, but each first access to a page is slow
    /// before it is [cleared](Self::clear).
    ///
    /// # Errors
    ///
    /// [`Refused`] if the process may not have so much memory, or if the system does not provide it.
    pub fn new(mebibytes: usize) -> Result<Self, Refused> {
        let most = memory::limit().map_or(usize::MAX, |limit| (limit / MEBIBYTE as u64 * 7 / 8) as usize);
        if mebibytes > most {
            return Err(Refused::Limit { mebibytes, most });
        }
        let refused = Refused::Memory { mebibytes };
        let bytes = mebibytes.max(1).checked_mul(MEBIBYTE).ok_or(refused)?;
        let words = bytes / size_of::<AtomicU64>() + WORDS;
        let mut words = bytemuck::allocation::try_zeroed_slice_box(words).map_err(|()| refused)?;
        prefer_huge_pages(&mut words);
        Ok(Self::over(words))
    }

    /// Returns a table over `words`; one cluster of them is reserved for the alignment.
    fn over(words: Box<[AtomicU64]>) -> Self {
        let misaligned = words.as_ptr() as usize % CLUSTER_BYTES / size_of::<AtomicU64>();
        let first = (WORDS - misaligned) % WORDS;
        let clusters = words.len() / WORDS - 1;
        Self { words, first, clusters, generation: 0 }
    }

    /// The size of the table in MiB; 0 for the smallest table.
    #[must_use]
    pub fn mebibytes(&self) -> usize {
        size_of_val(&*self.words) / MEBIBYTE
    }

    /// Begins a new search: entries of earlier searches are replaced first.
    pub fn new_search(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    /// Removes all entries, with `threads` threads (at least 1). Afterwards all memory of the table is there.
    ///
    /// Ends early, and returns `false`, when `is_stopped` returns true: a large table takes seconds.
    #[must_use]
    pub fn clear(&mut self, threads: usize, is_stopped: &(dyn Fn() -> bool + Sync)) -> bool {
        self.generation = 0;
        let threads = threads.min(self.words.len().div_ceil(CHUNK));
        let chunks = Mutex::new(self.words.chunks_mut(CHUNK));
        let next = || {
            let mut chunks = chunks.lock().unwrap_or_else(PoisonError::into_inner);
            if is_stopped() { None } else { chunks.next() }
        };
        let work = || iter::from_fn(next).for_each(bytemuck::fill_zeroes);
        thread::scope(|scope| {
            for _ in 1..threads {
                // If a thread cannot be started, the others do its work.
                let _ = thread::Builder::new().spawn_scoped(scope, work);
            }
            work();
        });
        chunks.into_inner().unwrap_or_else(PoisonError::into_inner).len() == 0
    }

    /// Returns the entry of the position with `key`, for a search that meets it at `ply`; rarely that of
    /// another position (see the module documentation).
    #[must_use]
    #[inline(always)]
    pub fn probe(&self, key: u64, ply: usize) -> Option<Entry> {
        let [keys, entries @ ..] = self.cluster(key);
        let keys = keys.load(Ordering::Relaxed);
        for (place, entry) in entries.iter().enumerate() {
            if key_at(keys, place) == part_of(key) {
                let data = entry.load(Ordering::Relaxed);
                // An entry that was never stored has the key 0.
                if data != 0 {
                    return Some(Entry::unpack(data, ply));
                }
            }
        }
        None
    }

    /// Prefetches the memory that a probe of `key` reads.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        prefetch(self.words.as_ptr().wrapping_add(self.cluster_start(key)));
    }

    /// Stores `entry` for the position with `key`, found at `ply`.
    ///
    /// An entry of the same position stays if it is of the same search and clearly deeper than `entry`,
    /// unless `entry` is exact and not from quiescence (depth 0). Otherwise it is overwritten, but its move
    /// is kept if `entry` has none. For another position the least valuable entry of the cluster is
    /// overwritten: the one with the lowest depth, where the depth of an old entry is reduced by its age.
    #[inline(always)]
    pub fn store(&self, key: u64, ply: usize, mut entry: Entry) {
        let [keys, entries @ ..] = self.cluster(key);
        let known = keys.load(Ordering::Relaxed);
        let mut victim = 0;
        let mut lowest = i32::MAX;
        for (place, old) in entries.iter().enumerate() {
            let data = old.load(Ordering::Relaxed);
            if data == 0 {
                victim = place;
                break;
            }
            if key_at(known, place) == part_of(key) {
                if self.keeps(data, entry) {
                    return;
                }
                entry.m = entry.m.or(PackedMove::from_bits(data as u16));
                victim = place;
                break;
            }
            let worth = packed_depth(data) - 4 * self.age(data);
            if worth < lowest {
                (victim, lowest) = (place, worth);
            }
        }
        let change = u64::from(key_at(known, victim) ^ part_of(key)) << (16 * victim);
        if change != 0 {
            // Another thread may change another key of the word meanwhile; a load and a store would undo
            // that.
            keys.fetch_xor(change, Ordering::Relaxed);
        }
        entries[victim].store(entry.pack(ply, self.generation), Ordering::Relaxed);
    }

    fn keeps(&self, old: u64, new: Entry) -> bool {
        const SLACK: i32 = 4;
        let is_exact = new.bound == Some(Bound::Exact) && new.depth > 0;
        self.age(old) == 0 && !is_exact && new.depth + SLACK <= packed_depth(old)
    }

    /// The age of an entry: the number of searches begun since it was written.
    fn age(&self, data: u64) -> i32 {
        ((GENERATIONS + self.generation - (data >> 59)) % GENERATIONS) as i32
    }

    /// How full the table is with entries of the current search, in per mille, from a sample of at most 1000
    /// entries.
    #[must_use]
    pub fn hashfull(&self) -> u32 {
        let sample = self.clusters.min(1000 / ENTRIES);
        let clusters = self.words[self.first..].chunks_exact(WORDS).take(sample);
        let used = clusters.flat_map(|cluster| &cluster[1..]).filter(|entry| {
            let data = entry.load(Ordering::Relaxed);
            data != 0 && self.age(data) == 0
        });
        (used.count() * 1000 / (sample * ENTRIES)) as u32
    }

    #[inline]
    fn cluster(&self, key: u64) -> &[AtomicU64; WORDS] {
        self.words[self.cluster_start(key)..].first_chunk().expect("the padding is behind the last cluster")
    }

    #[inline]
    fn cluster_start(&self, key: u64) -> usize {
        // The high half of the product distributes the keys evenly over any number of clusters.
        let index = (u128::from(key) * self.clusters as u128) >> 64;
        self.first + index as usize * WORDS
    }
}

/// The system refuses a table of the requested size.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// It would use nearly all memory that the control group may use, or more. The system ends a program that
    /// does.
    #[error(
        "expected a hash table of at most {most} MiB, 7/8 of the memory limit of the control group, got {mebibytes} MiB"
    )]
    Limit {
        /// The requested size, in MiB.
        mebibytes: usize,
        /// The largest size allowed, in MiB.
        most: usize,
    },
    /// There is not enough memory.
    #[error("not enough memory for a hash table of {mebibytes} MiB")]
    Memory {
        /// The requested size, in MiB.
        mebibytes: usize,
    },
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::value::{EVAL_LIMIT, mate_in, mated_in};

    fn entry(depth: i32, value: Value) -> Entry {
        Entry { depth, value, bound: Some(Bound::Lower), ..Entry::default() }
    }

    #[test]
    fn entries_come_back_as_they_were_stored() {
        let table = Table::new(1).unwrap();
        let stored = Entry {
            m: PackedMove::from_bits(0x1234),
            value: -123,
            raw_eval: Some(45),
            depth: 17,
            bound: Some(Bound::Upper),
            pv: true,
        };
        table.store(0xdead_beef_0123_4567, 3, stored);
        assert_eq!(table.probe(0xdead_beef_0123_4567, 3), Some(stored));
        assert_eq!(table.probe(0xdead_beef_0123_4568, 3), None);
        for bound in [Some(Bound::Lower), Some(Bound::Exact), None] {
            let stored = Entry { bound, pv: false, ..stored };
            assert_eq!(Entry::unpack(stored.pack(0, 31), 0), stored);
        }
    }

    #[test]
    fn a_bound_suffices_for_a_window_outside_which_the_true_value_lies() {
        for (value, alpha, beta) in [(3, 0, 1), (1, 0, 1), (0, 0, 1), (-3, 0, 1), (2, 0, 5)] {
            assert!(Bound::Exact.suffices(value, alpha, beta));
            assert_eq!(Bound::Lower.suffices(value, alpha, beta), value >= beta);
            assert_eq!(Bound::Upper.suffices(value, alpha, beta), value <= alpha);
        }
    }

    #[test]
    fn a_bound_moves_an_estimate_only_to_its_side() {
        let tightened = |bound: Bound| [10, 30].map(|estimate| bound.tighten(estimate, 20));
        assert_eq!(tightened(Bound::Exact), [20, 20]);
        assert_eq!(tightened(Bound::Lower), [20, 30]);
        assert_eq!(tightened(Bound::Upper), [10, 20]);
    }

    #[test]
    fn a_value_is_a_bound_where_it_leaves_the_window() {
        let bounds = [-1, 0, 1, 9, 10, 11].map(|value| Bound::of(value, 0, 10));
        let (upper, exact, lower) = (Bound::Upper, Bound::Exact, Bound::Lower);
        assert_eq!(bounds, [upper, upper, exact, exact, lower, lower]);
    }

    #[test]
    fn a_table_has_the_size_asked_for() {
        assert_eq!([1, 3, 16].map(|size| Table::new(size).unwrap().mebibytes()), [1, 3, 16]);
        assert_eq!(Table::default().mebibytes(), 0);
    }

    #[test]
    fn an_evaluation_alone_is_found_even_if_all_else_is_0() {
        let table = Table::new(1).unwrap();
        assert_eq!(table.generation, 0);
        for (key, raw_eval) in [(1, Some(0)), (2, Some(-EVAL_LIMIT)), (3, Some(EVAL_LIMIT))] {
            let stored = Entry { raw_eval, ..Entry::default() };
            table.store(key, 0, stored);
            assert_eq!(table.probe(key, 0), Some(stored));
        }
    }

    #[test]
    fn mates_are_counted_from_where_they_are_probed() {
        let table = Table::new(1).unwrap();
        table.store(1, 4, entry(5, mate_in(7)));
        table.store(2, 4, entry(5, mated_in(6)));
        assert_eq!(table.probe(1, 10).unwrap().value, mate_in(13));
        assert_eq!(table.probe(2, 0).unwrap().value, mated_in(2));
    }

    #[test]
    fn the_shallowest_of_a_full_cluster_goes_and_old_searches_go_first() {
        let mut table = Table::default();
        for depth in [9, 5, 7] {
            table.store(100 + depth as u64, 0, entry(depth, 1));
        }
        table.store(200, 0, entry(1, 2));
        assert!(table.probe(105, 0).is_none() && table.probe(200, 0).is_some());
        for _ in 0..3 {
            table.new_search();
        }
        for key in [300, 301] {
            table.store(key, 0, entry(1, 3));
        }
        assert!(table.probe(109, 0).is_some(), "the deepest old entry outlives two replacements");
        assert!(table.probe(301, 0).is_some());
    }

    /// Each search that began since counts as four plies less.
    #[test]
    fn age_counts_against_depth() {
        for (depth, stays) in [(10, false), (12, true)] {
            let mut table = Table::default();
            table.store(1, 0, entry(depth, 1));
            table.new_search();
            table.new_search();
            for key in [2, 3] {
                table.store(key, 0, entry(3, 1));
            }
            table.store(5, 0, entry(1, 1));
            assert_eq!(table.probe(1, 0).is_some(), stays, "depth {depth}");
            assert_eq!(table.probe(2, 0).is_some(), !stays, "of equals the first goes");
        }
    }

    #[test]
    fn a_deep_result_is_not_traded_for_a_shallow_bound_and_its_move_is_kept() {
        let table = Table::default();
        let m = PackedMove::from_bits(77);
        table.store(1, 0, Entry { m, ..entry(10, 50) });
        table.store(1, 0, entry(2, 60));
        assert_eq!(table.probe(1, 0).unwrap().depth, 10);
        table.store(1, 0, entry(9, 70));
        assert_eq!(table.probe(1, 0), Some(Entry { m, ..entry(9, 70) }));
        table.store(1, 0, entry(5, 80));
        assert_eq!(table.probe(1, 0).unwrap().depth, 9, "four plies are clearly shallower");
        table.store(1, 0, entry(6, 80));
        assert_eq!(table.probe(1, 0).unwrap().depth, 6);
        table.store(1, 0, Entry { bound: Some(Bound::Exact), ..entry(0, 90) });
        assert_eq!(table.probe(1, 0).unwrap().depth, 6, "exact only for quiescence");
        table.store(1, 0, Entry { bound: Some(Bound::Exact), ..entry(1, 90) });
        assert_eq!(table.probe(1, 0).unwrap().depth, 1);
    }

    #[test]
    fn an_entry_that_another_thread_has_written_meanwhile_is_returned() {
        let table = Table::default();
        table.store(1, 0, entry(3, 10));
        let other = entry(4, 20);
        table.words[table.first + 1].store(other.pack(0, 0), Ordering::Relaxed);
        assert_eq!(table.probe(1, 0), Some(other));
    }

    /// Three positions of one cluster differ in the 16 bits; a fourth that shares them with one of these gets
    /// its entry.
    #[test]
    fn sixteen_bits_of_the_key_tell_the_positions_of_a_cluster_apart() {
        let table = Table::default();
        for depth in 1..=3 {
            table.store(depth as u64, 0, entry(depth, 10 * depth));
        }
        for depth in 1..=3 {
            assert_eq!(table.probe(depth as u64, 0), Some(entry(depth, 10 * depth)));
        }
        assert_eq!([4, 1 << 15, 0].map(|key| table.probe(key, 0)), [None; 3]);
        assert_eq!(table.probe(1 << 16 | 2, 0), Some(entry(2, 20)));
    }

    #[test]
    fn a_position_whose_bits_are_those_of_an_unused_entry_is_not_found() {
        let table = Table::default();
        assert_eq!(table.probe(0, 0), None);
        table.store(0, 0, entry(3, 10));
        assert_eq!(table.probe(0, 0), Some(entry(3, 10)));
    }

    #[test]
    fn hashfull_counts_this_search_only_and_clear_forgets() {
        let mut table = Table::default();
        for _ in 0..=GENERATIONS {
            table.store(1, 0, entry(1, 1));
            assert_eq!(table.hashfull(), 333);
            table.new_search();
            assert_eq!(table.hashfull(), 0);
        }
        assert!(table.clear(1, &|| false));
        assert_eq!(table.probe(1, 0), None);
    }

    #[test]
    fn a_table_is_cleared_whole() {
        let mut table = Table::new(5).unwrap();
        let keys = || (1..200_000_u64).map(|number| number.wrapping_mul(0x9e37_79b9_7f4a_7c15));
        for threads in [1, 2, 100] {
            keys().for_each(|key| table.store(key, 0, entry(3, 1)));
            assert!(keys().filter(|&key| table.probe(key, 0).is_some()).count() > 100_000);
            assert!(!table.clear(threads, &|| true));
            assert!(table.clear(threads, &|| false));
            assert!(table.words.iter().all(|word| word.load(Ordering::Relaxed) == 0));
        }
    }

    /// The allocator aligns small tables in several ways.
    #[test]
    fn every_cluster_is_in_one_cache_line() {
        let small = [(); 8].map(|()| Table::default());
        for table in small.iter().chain([&Table::new(1).unwrap()]) {
            assert_eq!(table.cluster(u64::MAX).as_ptr() as usize % CLUSTER_BYTES, 0);
        }
    }

    /// Without huge pages, of which one touch provides 2 MiB.
    #[cfg(all(target_os = "linux", not(miri)))]
    #[test]
    fn all_memory_of_a_cleared_table_is_there() {
        let page_faults = || -> u64 {
            let stat = std::fs::read_to_string("/proc/thread-self/stat").unwrap();
            let (_, behind_name) = stat.rsplit_once(')').unwrap();
            behind_name.split_whitespace().nth(7).unwrap().parse().unwrap()
        };
        let mut table =
            Table::over(bytemuck::allocation::zeroed_slice_box(4 * MEBIBYTE / size_of::<AtomicU64>()));
        assert!(table.clear(1, &|| false));
        let before = page_faults();
        assert!(table.words.iter().all(|word| word.load(Ordering::Relaxed) == 0));
        let more = page_faults() - before;
        assert!(more < 100, "{more} of 1024 pages came late");
    }

    #[cfg_attr(miri, ignore = "Miri ends where there is not enough memory")]
    #[test]
    fn too_large_a_table_is_refused() {
        for (mebibytes, named) in [(1 << 30, " 1073741824 MiB"), (usize::MAX, " 18446744073709551615 MiB")] {
            let refused = Table::new(mebibytes).expect_err("more than any machine has").to_string();
            assert!(refused.contains(named), "{refused}");
        }
        let refused = Refused::Limit { mebibytes: 512, most: 448 }.to_string();
        assert_eq!(
            refused,
            "expected a hash table of at most 448 MiB, 7/8 of the memory limit of the control group, got 512 MiB"
        );
    }
}
