//! Batches of equal size.

use std::{
    collections::VecDeque,
    io, iter, mem,
    path::PathBuf,
    thread::{self, Scope},
};

use rand::{SeedableRng as _, seq::SliceRandom as _};
use rand_chacha::ChaCha8Rng;

use super::{
    accepted::Accepted,
    batch::Batch,
    read::{ReadError, read},
    target::expected,
};
use crate::{
    in_order::{self, Results},
    workshop::data::{Filter, Record},
};

/// The number of records that become a piece of a batch at a time: 512 KiB.
const CHUNK: usize = 1 << 14;

/// Returns the positions of `records` that `filter` accepts, with their scores as expected points.
#[must_use]
pub fn pack(records: &[Record], filter: Filter) -> Batch {
    let mut batch = Batch::default();
    let mut counts = Accepted::default();
    for record in records.iter().filter(|record| counts.accept(filter, record)) {
        batch.push(record, expected(record.score() as f32));
    }
    batch
}

/// Returns the positions of `files` that `filter` accepts, in [sorted](Batch::sorted) batches of `size`. The
/// last one may be smaller.
///
/// # Errors
///
/// The first error while reading.
pub fn batches(
    files: &[PathBuf],
    filter: Filter,
    size: usize,
    threads: usize,
) -> Result<Vec<Batch>, ReadError> {
    thread::scope(|scope| {
        let pieces = read(scope, files, threads, move |records| pack(records, filter))?;
        let pieces = pieces.collect::<Result<Vec<_>, _>>()?;
        let mut loader = Loader::new(pieces.into_iter(), size);
        let mut batches: Vec<Batch> = loader.by_ref().collect();
        batches.extend(loader.rest());
        Ok(batches)
    })
}

/// Returns the positions of `records` in [sorted](Batch::sorted) batches of `size`, in an order that `seed`
/// selects, each with equal probability. The batches are made by `threads` threads.
///
/// # Errors
///
/// If a thread cannot be started.
pub fn shuffled<'scope>(
    scope: &'scope Scope<'scope, '_>,
    records: &'scope mut [Record],
    size: usize,
    seed: u64,
    threads: usize,
) -> io::Result<Loader<Results<Batch>>> {
    let (mut rest, mut rng) = (records, ChaCha8Rng::seed_from_u64(seed));
    let chunks = iter::from_fn(move || {
        let (chunk, others) = mem::take(&mut rest).partial_shuffle(&mut rng, CHUNK);
        rest = others;
        (!chunk.is_empty()).then_some(&*chunk)
    });
    let pack = |(): &mut (), chunk: &[Record]| pack(chunk, Filter::default());
    let pieces = in_order::map(scope, thread::Builder::new, chunks, vec![(); threads.max(1)], pack)?;
    Ok(Loader::new(pieces, size))
}

/// Batches of equal size from pieces of any size; the rest at the end is not a batch.
pub struct Loader<I> {
    pieces: I,
    /// The pieces from which the next batch is taken, the first one from the index `from` on.
    waiting: VecDeque<Batch>,
    from: usize,
    /// Positions in `waiting` that have not been returned.
    ready: usize,
    size: usize,
}

impl<I> Loader<I> {
    fn new(pieces: I, size: usize) -> Self {
        Self { pieces, waiting: VecDeque::new(), from: 0, ready: 0, size }
    }

    /// The rest at the end, less than a batch; `None` if the batches contained all positions.
    fn rest(mut self) -> Option<Batch> {
        (self.ready > 0).then(|| self.cut(self.ready))
    }

    fn cut(&mut self, count: usize) -> Batch {
        let mut batch = Batch::default();
        while let Some(piece) = self.waiting.front() {
            let taken = (piece.len() - self.from).min(count - batch.len());
            batch.extend(piece, self.from..self.from + taken);
            self.from += taken;
            if self.from == piece.len() {
                self.waiting.pop_front();
                self.from = 0;
            }
            if batch.len() == count {
                break;
            }
        }
        self.ready -= batch.len();
        batch.sorted()
    }
}

impl<I: Iterator<Item = Batch>> Iterator for Loader<I> {
    type Item = Batch;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready < self.size {
            let piece = self.pieces.next()?;
            self.ready += piece.len();
            self.waiting.push_back(piece);
        }
        Some(self.cut(self.size))
    }
}
