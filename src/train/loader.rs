//! Batches of equal size from a [`Stream`] of records.

use std::{collections::VecDeque, path::PathBuf};

use super::{
    admitted::Admitted,
    batch::Batch,
    stream::{ReadError, Stream},
    target::expected,
};
use crate::data::{Filter, Record};

/// Returns the positions of `records` that `filter` admits, with their scores as expected points.
#[must_use]
pub fn pack(records: &[Record], filter: Filter) -> Batch {
    let mut batch = Batch::default();
    let mut counts = Admitted::default();
    for record in records.iter().filter(|record| counts.admit(filter, record)) {
        batch.push(record, expected(record.score() as f32));
    }
    batch
}

/// One pass through some positions in [sorted](Batch::sorted) batches of equal size; the rest at the end is not a batch.
pub struct Loader {
    pieces: Stream<Batch>,
    /// The pieces from which the next batch is taken, the first one from the index `from` on.
    waiting: VecDeque<Batch>,
    from: usize,
    /// Positions in `waiting` that have not been returned.
    ready: usize,
    size: usize,
}

impl Loader {
    /// Begins a pass through `files`, in the order of their positions.
    #[must_use]
    pub fn new(files: &[PathBuf], filter: Filter, size: usize, threads: usize) -> Self {
        Self::of(Stream::new(files, threads, move |records| pack(records, filter)), size)
    }

    /// Begins a pass through `records`, in an order that `seed` selects.
    #[must_use]
    pub fn shuffled(records: Vec<Record>, size: usize, seed: u64, threads: usize) -> Self {
        Self::of(Stream::shuffled(records, seed, threads, |records| pack(records, Filter::default())), size)
    }

    fn of(pieces: Stream<Batch>, size: usize) -> Self {
        Self { pieces, waiting: VecDeque::new(), from: 0, ready: 0, size }
    }

    /// The rest at the end of the pass, less than a batch; `None` if the batches contained all positions.
    #[must_use]
    pub fn rest(mut self) -> Option<Batch> {
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

impl Iterator for Loader {
    type Item = Result<Batch, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        while self.ready < self.size {
            match self.pieces.next()? {
                Ok(piece) => {
                    self.ready += piece.len();
                    self.waiting.push_back(piece);
                }
                Err(error) => return Some(Err(error)),
            }
        }
        Some(Ok(self.cut(self.size)))
    }
}
