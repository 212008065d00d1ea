//! The transposition table: storing and probing, with a table that fits into the caches and one that does
//! not.

use divan::{Bencher, black_box, counter::ItemsCount};
use rand::{Rng as _, SeedableRng as _, rngs::StdRng};
use zugwerk::engine::{
    search::Bound,
    tt::{Entry, Table},
};

fn main() {
    divan::main();
}

/// The number of keys in one sample.
const KEYS: usize = 4096;

fn keys(seed: u64) -> Vec<u64> {
    let mut rng = StdRng::seed_from_u64(seed);
    (0..KEYS).map(|_| rng.random()).collect()
}

fn entry(depth: usize) -> Entry {
    Entry {
        value: 31,
        raw_eval: Some(25),
        depth: (depth % 20) as i32,
        bound: Some(Bound::Lower),
        ..Entry::default()
    }
}

#[divan::bench(args = [1, 64])]
fn store(bencher: Bencher, mebibytes: usize) {
    let (table, keys) = (Table::new(mebibytes).expect("memory"), keys(1));
    bencher.counter(ItemsCount::new(KEYS)).bench_local(|| {
        for (depth, &key) in keys.iter().enumerate() {
            table.store(key, 3, black_box(entry(depth)));
        }
    });
}

#[divan::bench(args = [1, 64])]
fn probe_and_find(bencher: Bencher, mebibytes: usize) {
    let (table, keys) = (Table::new(mebibytes).expect("memory"), keys(2));
    for (depth, &key) in keys.iter().enumerate() {
        table.store(key, 3, entry(depth));
    }
    bencher.counter(ItemsCount::new(KEYS)).bench_local(|| {
        for &key in &keys {
            black_box(table.probe(key, 3));
        }
    });
}

#[divan::bench(args = [1, 64])]
fn probe_in_vain(bencher: Bencher, mebibytes: usize) {
    let table = Table::new(mebibytes).expect("memory");
    for (depth, &key) in keys(3).iter().enumerate() {
        table.store(key, 3, entry(depth));
    }
    let strangers = keys(4);
    bencher.counter(ItemsCount::new(KEYS)).bench_local(|| {
        for &key in &strangers {
            black_box(table.probe(key, 3));
        }
    });
}
