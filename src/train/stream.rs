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
    fs, io,
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
/// Records in the window that is shuffled with a seed: 8 MiB.
const WINDOW: usize = 1 << 18;
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
    /// Begins to read `files`, all at once and each in proportion to its size. With a seed the records are shuffled
    /// within a window of 262,144; without one they stay in order. Each chunk is passed through `work` on one of the
    /// threads. If a thread cannot be started, the only item is the error.
    #[must_use]
    pub fn new(
        files: &[PathBuf],
        order: Option<u64>,
        workers: usize,
        work: impl Fn(&[Record]) -> T + Send + Sync + 'static,
    ) -> Self {
        Self::on(thread::Builder::new, files, order, workers, work)
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
        order: Option<u64>,
        workers: usize,
        work: impl Fn(&[Record]) -> T + Send + Sync + 'static,
    ) -> Self {
        let mut order = Order { window: Vec::new(), rng: order.map(ChaCha8Rng::seed_from_u64) };
        let paths = files.to_vec();
        let read = move |sink: &mut Sink| read(&paths, &mut order, sink);
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

/// The order of the records of files.
struct Order {
    window: Vec<Record>,
    rng: Option<ChaCha8Rng>,
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

impl Order {
    fn push(&mut self, records: &[Record], sink: &mut Sink) -> Result<(), Abandoned> {
        self.window.extend_from_slice(records);
        let full = if self.rng.is_some() { WINDOW } else { CHUNK };
        if self.window.len() >= full { self.flush(sink) } else { Ok(()) }
    }

    fn flush(&mut self, sink: &mut Sink) -> Result<(), Abandoned> {
        let mut window = std::mem::take(&mut self.window);
        if let Some(rng) = &mut self.rng {
            window.shuffle(rng);
        }
        for chunk in window.chunks(CHUNK) {
            sink.send(Ok(chunk.to_vec()))?;
        }
        window.clear();
        self.window = window;
        Ok(())
    }
}

/// A file that is being read.
struct Source<'p> {
    path: &'p PathBuf,
    blocks: Blocks<io::BufReader<fs::File>>,
    size: u64,
}

/// Reads all files to their ends; the error is `None` if the consumer is gone.
fn read(files: &[PathBuf], order: &mut Order, sink: &mut Sink) -> Result<(), Option<ReadError>> {
    let fail = |path: &PathBuf, error: DataError| Some(ReadError::new(path, error));
    let mut sources = Vec::new();
    for path in files {
        let blocks = Blocks::open_repeatedly(path).map_err(|error| fail(path, error))?;
        let size = fs::metadata(path).map_err(|error| fail(path, error.into()))?.len();
        sources.push(Source { path, blocks, size });
    }
    // The next file is the one of which the smallest share has been read, the first of equals.
    let share = |source: &Source| source.blocks.position() as f64 / source.size as f64;
    while let Some(index) =
        (0..sources.len()).min_by(|&a, &b| share(&sources[a]).total_cmp(&share(&sources[b])))
    {
        match sources[index].blocks.next() {
            Some(Ok(block)) => order.push(&block.records, sink).map_err(|Abandoned| None)?,
            Some(Err(error)) => return Err(fail(sources[index].path, error)),
            None => drop(sources.remove(index)),
        }
    }
    order.flush(sink).map_err(|Abandoned| None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{DataKind, Header, PositionWriter};

    #[test]
    fn a_thread_that_cannot_be_started_is_an_error() {
        let too_large = || thread::Builder::new().stack_size(1 << 50);
        let mut stream = Stream::on(too_large, &["own.zwd".into()], None, 2, <[Record]>::len);
        let error = stream.next().unwrap().unwrap_err().to_string();
        assert!(error.starts_with("own.zwd: cannot start a thread: "), "{error}");
        assert!(stream.next().is_none());
    }

    #[test]
    #[should_panic(expected = "a worker")]
    fn a_panic_is_not_the_end_of_the_data() {
        let folder = tempfile::tempdir().unwrap();
        let files = [folder.path().join("positions")];
        let mut writer =
            PositionWriter::create(&files[0], Header::new(DataKind::Positions, "a test")).unwrap();
        let line = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1 | 0 | 0.5 | e2e4";
        writer.write(Record::from_text(line).unwrap()).unwrap();
        writer.finish().unwrap();
        Stream::new(&files, None, 2, |_| -> usize { panic!("a worker") }).for_each(drop);
    }
}
