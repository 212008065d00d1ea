//! The transposition table: every entry found is one that was stored for the position and that the
//! replacement rules keep.

#![no_main]

use std::collections::HashMap;

use arbitrary::Arbitrary;
use libfuzzer_sys::fuzz_target;
use zugwerk::{chess::{position::PackedMove, value::{EVAL_LIMIT, MAX_PLY, mate_in, mated_in}}, engine::tt::{Bound, Entry, Table}};

#[derive(Arbitrary, Debug)]
enum Act {
    Store { key: u8, ply: u8, m: u16, value: Worth, raw_eval: Option<i16>, depth: u8, bound: u8, pv: bool },
    Probe { key: u8, ply: u8 },
    NewSearch,
    Clear,
}

/// A value that a search can return.
#[derive(Arbitrary, Debug)]
enum Worth {
    Centipawns(i16),
    MateAfter(u8),
    MatedAfter(u8),
}

fuzz_target!(|acts: Vec<Act>| {
    let mut table = Table::default();
    let mut stored: HashMap<u64, Vec<(u16, i32, Option<i32>)>> = HashMap::new();
    for act in acts {
        match act {
            Act::Store { key, ply, m, value, raw_eval, depth, bound, pv } => {
                let ply = usize::from(ply) % (MAX_PLY / 2);
                let after = |plies: u8| ply + usize::from(plies) % (MAX_PLY / 2);
                let value = match value {
                    Worth::Centipawns(value) => i32::from(value).clamp(-EVAL_LIMIT, EVAL_LIMIT),
                    Worth::MateAfter(plies) => mate_in(after(plies)),
                    Worth::MatedAfter(plies) => mated_in(after(plies)),
                };
                let raw_eval = raw_eval.map(|eval| i32::from(eval).clamp(-EVAL_LIMIT, EVAL_LIMIT));
                let bounds = [None, Some(Bound::Upper), Some(Bound::Lower), Some(Bound::Exact)];
                let bound = bounds[usize::from(bound) % bounds.len()];
                let m = PackedMove::from_bits(m);
                let key = u64::from(key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let entry = Entry { m, value, raw_eval, depth: i32::from(depth), bound, pv };
                table.store(key, ply, entry);
                if let Some(found) = table.probe(key, ply) {
                    assert!(
                        found == Entry { m: found.m, ..entry }
                            || found.depth > entry.depth && bound != Some(Bound::Exact)
                    );
                    assert!(
                        found.m == m || m.is_none() || found.depth > entry.depth,
                        "{found:?} for {entry:?}"
                    );
                }
                stored.entry(key).or_default().push((m.map_or(0, PackedMove::bits), value, raw_eval));
            }
            Act::Probe { key, ply } => {
                let key = u64::from(key).wrapping_mul(0x9e37_79b9_7f4a_7c15);
                let Some(found) = table.probe(key, usize::from(ply) % (MAX_PLY / 2)) else { continue };
                let known = stored.get(&key).expect("nothing is found that was not stored");
                let matches = |&(m, _, raw_eval): &(u16, i32, Option<i32>)| {
                    raw_eval == found.raw_eval && (m == 0 || found.m.map_or(0, PackedMove::bits) == m)
                };
                assert!(known.iter().any(matches), "{found:?} is none of {known:?}");
            }
            Act::NewSearch => table.new_search(),
            Act::Clear => {
                assert!(table.clear(1, &|| false));
                stored.clear();
            }
        }
        assert!(table.hashfull() <= 1000);
    }
});
