//! Reads records of several files with threads, in an order independent of their number.
//!
//! ```text
//!            chunk 0, 2, 4 …  ┌──────────┐  result 0, 2, 4 …
//!           ┌───────────────→ │ worker 0 │ ──────────────────┐
//!  ┌────────┴┐                └──────────┘                  ┌┴────────┐
//!  │ reader  │                                              │ whoever │
//!  └────────┬┘                ┌──────────┐                  │ iterates│
//!           └───────────────→ │ worker 1 │ ────────────────┤└─────────┘
//!            chunk 1, 3, 5 …  └──────────┘  result 1, 3, 5 …
//! ```
//!
//! All channels are bounded, so that no thread runs far ahead of the others.

use std::{
    io,
    panic::resume_unwind,
    path::{Path, PathBuf},
    sync::{
        Arc,
        mpsc::{Receiver, SyncSender, sync_channel},
    },
    thread::{self, JoinHandle},
};

use rand::{SeedableRng as _, seq::SliceRandom as _};
use rand_chacha::ChaCha8Rng;

use crate::data::{Blocks, DataError, Record};

/// Records in one chunk: 512 KiB.
const CHUNK: usize = 1 << 14;
/// The number of chunks that may wait for a worker, and of results that may wait for the consumer.
const WAITING: usize = 2;

/// The reason why a file cannot be read.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", path.display())]
pub struct ReadError {
    /// The file.
    path: PathBuf,
    /// The error.
    error: DataError,
}

impl ReadError {
    pub(super) fn new(path: &Path, error: DataError) -> Self {
        Self { path: path.to_owned(), error }
    }
}

type Chunk = Result<Vec<Record>, ReadError>;

/// The results of all chunks, in order. The first error is the last item.
pub struct Stream<T> {
    results: Vec<Receiver<Result<T, ReadError>>>,
    next: usize,
    ended: bool,
    threads: Vec<JoinHandle<()>>,
}

impl<T: Send + 'static> Stream<T> {
    /// Begins to read `files`, one after the other. Each chunk is passed through `work` on one of the threads. If a thread
    /// cannot be started, the only item is the error.
    #[must_use]
    pub fn new(
        files: &[PathBuf],
        workers: usize,
        work: impl Fn(&[Record]) -> T + Send + Sync + 'static,
    ) -> Self {
        Self::on(thread::Builder::new, files, workers, work)
    }

    /// Passes all `records` in an order that `seed` selects, with equal probability, through `work`.
    #[must_use]
    pub fn shuffled(
        mut records: Vec<Record>,
        seed: u64,
        workers: usize,
        work: impl Fn(&[Record]) -> T + Send + Sync + 'static,
    ) -> Self {
        let read = move |sink: &mut Sink| {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            let mut rest = &mut records[..];
            while !rest.is_empty() {
                let (chunk, others) = rest.partial_shuffle(&mut rng, CHUNK);
                sink.send(Ok(chunk.to_vec())).map_err(|Abandoned| None)?;
                rest = others;
            }
            Ok(())
        };
        Self::or_error(Self::begin(thread::Builder::new, workers, work, read), &[])
    }

    /// Like [`new`](Self::new), on threads of `builder`.
    fn on(
        builder: fn() -> thread::Builder,
        files: &[PathBuf],
        workers: usize,
        work: impl Fn(&[Record]) -> T + Send + Sync + 'static,
    ) -> Self {
        let paths = files.to_vec();
        let read = move |sink: &mut Sink| paths.iter().try_for_each(|path| read(path, sink));
        Self::or_error(Self::begin(builder, workers, work, read), files)
    }

    /// Returns the stream, or one whose only item is the error of starting it.
    fn or_error(begun: io::Result<Self>, files: &[PathBuf]) -> Self {
        begun.unwrap_or_else(|error| {
            let why = io::Error::new(error.kind(), format!("cannot start a thread: {error}"));
            let path = files.first().cloned().unwrap_or_default();
            let (sender, receiver) = sync_channel(1);
            let _ = sender.send(Err(ReadError { path, error: why.into() }));
            Self { results: vec![receiver], next: 0, ended: false, threads: Vec::new() }
        })
    }

    /// Starts the threads, of which one calls `read`. If one cannot be started, those before it end by themselves: their
    /// channels are closed.
    fn begin(
        builder: fn() -> thread::Builder,
        workers: usize,
        work: impl Fn(&[Record]) -> T + Send + Sync + 'static,
        read: impl FnOnce(&mut Sink) -> Result<(), Option<ReadError>> + Send + 'static,
    ) -> io::Result<Self> {
        let work = Arc::new(work);
        let (mut chunks, mut results, mut threads) = (Vec::new(), Vec::new(), Vec::new());
        for _ in 0..workers.max(1) {
            let (chunk_sender, chunk_receiver) = sync_channel::<Chunk>(WAITING);
            let (sender, receiver) = sync_channel(WAITING);
            chunks.push(chunk_sender);
            results.push(receiver);
            let work = Arc::clone(&work);
            threads.push(builder().spawn(move || {
                // If sending fails, the consumer is gone.
                for chunk in chunk_receiver {
                    if sender.send(chunk.map(|records| work(&records))).is_err() {
                        break;
                    }
                }
            })?);
        }
        threads.push(builder().spawn(move || {
            let mut sink = Sink { chunks, next: 0 };
            if let Err(Some(error)) = read(&mut sink) {
                let _ = sink.send(Err(error));
            }
        })?);
        Ok(Self { results, next: 0, ended: false, threads })
    }
}

impl<T> Stream<T> {
    /// Waits for the threads. A panic of one of them goes on here: it is not the end of the data.
    fn join(&mut self) {
        self.results.clear();
        for thread in self.threads.drain(..) {
            thread.join().unwrap_or_else(|panic| resume_unwind(panic));
        }
    }
}

impl<T> Iterator for Stream<T> {
    type Item = Result<T, ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let result = self.results[self.next].recv().ok();
        self.next = (self.next + 1) % self.results.len();
        self.ended = !matches!(result, Some(Ok(_)));
        if self.ended {
            self.join();
        }
        result
    }
}

/// Distributes the records to the workers.
struct Sink {
    chunks: Vec<SyncSender<Chunk>>,
    next: usize,
}

/// The consumer is gone.
struct Abandoned;

impl Sink {
    fn send(&mut self, chunk: Chunk) -> Result<(), Abandoned> {
        let sent = self.chunks[self.next].send(chunk).map_err(|_| Abandoned);
        self.next = (self.next + 1) % self.chunks.len();
        sent
    }
}

/// Reads a file to its end; the error is `None` if the consumer is gone.
fn read(path: &Path, sink: &mut Sink) -> Result<(), Option<ReadError>> {
    let failed = |error| Some(ReadError::new(path, error));
    for block in Blocks::open_repeatedly(path).map_err(failed)? {
        let block = block.map_err(failed)?;
        sink.send(Ok(block.records)).map_err(|Abandoned| None)?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::tests::{record, write};

    #[test]
    fn a_thread_that_cannot_be_started_is_an_error() {
        let too_large = || thread::Builder::new().stack_size(1 << 50);
        let mut stream = Stream::on(too_large, &["own.zwd".into()], 2, <[Record]>::len);
        let error = stream.next().unwrap().unwrap_err().to_string();
        assert!(error.starts_with("own.zwd: cannot start a thread: "), "{error}");
        assert!(stream.next().is_none());
    }

    #[test]
    #[should_panic(expected = "a worker")]
    fn a_panic_is_not_the_end_of_the_data() {
        let folder = tempfile::tempdir().unwrap();
        let files = [folder.path().join("games")];
        write(&files[0], &[record("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 0 | 0.5 | e2e4")]);
        Stream::new(&files, 2, |_| -> usize { panic!("a worker") }).for_each(drop);
    }
}
