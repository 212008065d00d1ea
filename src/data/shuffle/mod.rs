//! Shuffles any number of positions.
//!
//! The shuffle makes two passes on disk. The first reads the files and distributes the positions at random over
//! [`BUCKETS`] buckets in temporary files. The second reads these in sequence, shuffles each in memory, and writes it. A
//! position gets into each bucket with the same probability, so all orders of the positions are equally likely. Only one
//! bucket is in memory at a time.
//!
//! Positions of one game have the same result and similar pieces. Games are therefore assigned to training or
//! validation before their positions are separated. If positions were shuffled first and divided afterwards, the
//! validation would contain games of the training.
//!
//! Reference: the two-pass shuffle of large files that M. Sanders describes in "Random Permutations on Distributed,
//! External and Hierarchical Memory" (1998).

use std::{
    array,
    collections::HashSet,
    fs::File,
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    ops::ControlFlow,
    path::{self, Path, PathBuf},
};

use rand::{Rng as _, SeedableRng as _, seq::SliceRandom as _};
use rand_chacha::ChaCha8Rng;

use super::{
    Blocks, DataError, DataKind, Filter, Header, PositionWriter, Record, SourceFile, Variant, file::checksum,
};
use crate::random::generator;

/// The number of buckets. A thousand million positions make buckets of 130 MB.
const BUCKETS: usize = 256;
/// The number of buckets in one temporary file. Some systems let a program open only 256 files.
const SHARING: usize = 8;
/// A position in a bucket: whether it is for validation, and its record.
type Entry = [u8; 1 + Record::SIZE];
/// The number of positions that a bucket writes at once.
const CHUNK: usize = 1000;
/// The number of positions written or left out as duplicates after which the progress is reported again.
const REPORT: u64 = 1 << 16;

/// The parameters of a shuffle.
#[derive(Clone, Debug)]
pub struct Shuffle {
    /// The files to read, in this order.
    pub inputs: Vec<PathBuf>,
    /// The seed of all random choices: the same inputs and parameters give the same files, byte for byte.
    pub seed: u64,
    /// The positions to leave out.
    pub filter: Filter,
    /// Keep only the first of equal positions, for training and validation together.
    pub unique: bool,
    /// The probability that a game is for validation, 0 to 1.
    pub validation_share: f64,
}

/// The result of a shuffle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shuffled {
    /// Positions read.
    pub read: u64,
    /// The number of them that belong to no game; each is assigned on its own.
    pub loose: u64,
    /// Positions left out by the filter.
    pub filtered: u64,
    /// Positions left out as duplicates.
    pub duplicates: u64,
    /// Positions written for training.
    pub training: u64,
    /// Positions written for validation.
    pub validation: u64,
    /// Games with a position that passed the filter; see [`Block::by_game`](super::Block::by_game). It may have been
    /// left out as a duplicate.
    pub games: u64,
    /// The number of them for validation.
    pub validation_games: u64,
}

/// The progress of a shuffle.
#[derive(Clone, Copy, Debug)]
pub enum ShuffleProgress {
    /// Bytes read, and their total.
    Reading(u64, u64),
    /// Positions written, and their total.
    Writing(u64, u64),
}

/// The reason why a shuffle failed.
#[derive(Debug, thiserror::Error)]
pub enum ShuffleError {
    /// A file cannot be read.
    #[error("{}: {error}", path.display())]
    Input {
        /// The file.
        path: PathBuf,
        /// The error.
        error: DataError,
    },
    /// A file cannot be written.
    #[error("{}: {error}", path.display())]
    Output {
        /// The file.
        path: PathBuf,
        /// The error.
        error: DataError,
    },
    /// The temporary files, in the folder of the output, cannot be used.
    #[error("temporary files: {0}")]
    Temporary(io::Error),
    /// The caller interrupted it.
    #[error("interrupted")]
    Interrupted,
}

impl From<io::Error> for ShuffleError {
    fn from(error: io::Error) -> Self {
        Self::Temporary(error)
    }
}

impl Shuffle {
    /// Writes the positions of the inputs to `training`, and those of games for validation to `validation`; without
    /// that file all are for training. The temporary files are in the folder of `training` and take 33 bytes for each
    /// position.
    ///
    /// # Errors
    ///
    /// [`ShuffleError`]; the output files are incomplete then.
    pub fn run(
        &self,
        training: &Path,
        validation: Option<&Path>,
        mut each: impl FnMut(ShuffleProgress) -> ControlFlow<()>,
    ) -> Result<Shuffled, ShuffleError> {
        let mut counts = Shuffled::default();
        for path in &self.inputs {
            Blocks::open_repeatedly(path).map_err(|error| input_error(path, error))?;
        }
        let beside = path::absolute(training)?;
        let mut buckets = Buckets::new(beside.parent().unwrap_or(&beside), self.seed, self.unique)?;
        let header = self.scatter(&mut buckets, validation.is_some(), &mut counts, &mut each)?;
        let mut outputs = Vec::new();
        for path in [Some(training), validation].into_iter().flatten() {
            let writer = PositionWriter::create(path, header.clone());
            outputs.push((path, writer.map_err(|error| output_error(path, error))?));
        }
        self.gather(buckets, &mut outputs, &mut counts, &mut each)?;
        for (path, writer) in outputs {
            writer.finish().map_err(|error| output_error(path, error))?;
        }
        Ok(counts)
    }

    /// The first pass: assigns every game to training or validation, and every position to a bucket. Returns the header of
    /// the output files, which names the inputs.
    fn scatter(
        &self,
        buckets: &mut Buckets,
        divided: bool,
        counts: &mut Shuffled,
        each: &mut impl FnMut(ShuffleProgress) -> ControlFlow<()>,
    ) -> Result<Header, ShuffleError> {
        let recipe = serde_json::json!({
            "filter": self.filter,
            "unique": self.unique,
            "validation_share": self.validation_share,
        });
        let mut header =
            Header { seed: Some(self.seed), recipe, ..Header::new(DataKind::Positions, "data shuffle") };
        let mut sides = generator(self.seed, 0, Purpose::Sides as u8);
        let length = |path: &PathBuf| path.metadata().map_or(0, |file| file.len());
        let total = self.inputs.iter().map(length).sum();
        let mut before = 0;
        for path in &self.inputs {
            let (failed, read) = (|error| input_error(path, error), counts.read);
            let mut blocks = Blocks::open(path).map_err(failed)?;
            while let Some(block) = blocks.next() {
                let block = block.map_err(failed)?;
                let is_loose = block.games() == 0;
                counts.loose += if is_loose { block.records.len() as u64 } else { 0 };
                for game in block.by_game() {
                    let is_validation = divided && sides.random_bool(self.validation_share);
                    let is_used = self.throw(game, is_validation, buckets, counts)?;
                    counts.games += u64::from(!is_loose && is_used);
                    counts.validation_games += u64::from(!is_loose && is_used && is_validation);
                }
                proceed(each(ShuffleProgress::Reading(before + blocks.position(), total)))?;
            }
            before += blocks.position();
            if blocks.header().variant == Variant::Chess960 {
                header.variant = Variant::Chess960;
            }
            let crc32 = checksum(path).map_err(|error| failed(error.into()))?;
            header.sources.push(SourceFile {
                file: path.file_name().unwrap_or(path.as_os_str()).display().to_string(),
                crc32: format!("{crc32:08x}"),
                positions: counts.read - read,
            });
        }
        Ok(header)
    }

    /// Throws the positions of a game into buckets; returns whether the filter admits any.
    fn throw(
        &self,
        game: &[Record],
        is_validation: bool,
        buckets: &mut Buckets,
        counts: &mut Shuffled,
    ) -> io::Result<bool> {
        let mut left = game.len() as u64;
        counts.read += left;
        for record in game {
            if self.filter.admits(record) {
                buckets.throw(is_validation, record)?;
            } else {
                counts.filtered += 1;
                left -= 1;
            }
        }
        Ok(left > 0)
    }

    /// The second pass: shuffles the buckets one by one.
    fn gather(
        &self,
        buckets: Buckets,
        outputs: &mut [(&Path, PositionWriter)],
        counts: &mut Shuffled,
        each: &mut impl FnMut(ShuffleProgress) -> ControlFlow<()>,
    ) -> Result<(), ShuffleError> {
        let total = counts.read - counts.filtered;
        let (mut done, mut told) = (0, 0);
        for (number, entries) in (0..).zip(buckets.into_entries()) {
            let mut entries = entries?;
            if self.unique {
                let mut seen = HashSet::with_capacity(entries.len());
                let before = entries.len();
                entries.retain(|entry| seen.insert(Record::identity_of(record_bytes(entry))));
                counts.duplicates += (before - entries.len()) as u64;
                done += (before - entries.len()) as u64;
            }
            entries.shuffle(&mut generator(self.seed, number, Purpose::Order as u8));
            for entry in &entries {
                let side = usize::from(entry[0]);
                let record = Record::from_bytes(record_bytes(entry)).map_err(io::Error::other)?;
                let (path, writer) = &mut outputs[side];
                writer.write(record).map_err(|error| output_error(path, error))?;
                *if side == 1 { &mut counts.validation } else { &mut counts.training } += 1;
                done += 1;
                if done - told >= REPORT {
                    told = done;
                    proceed(each(ShuffleProgress::Writing(done, total)))?;
                }
            }
        }
        Ok(())
    }
}

fn input_error(path: &Path, error: DataError) -> ShuffleError {
    ShuffleError::Input { path: path.to_owned(), error }
}

fn output_error(path: &Path, error: impl Into<DataError>) -> ShuffleError {
    ShuffleError::Output { path: path.to_owned(), error: error.into() }
}

fn proceed(flow: ControlFlow<()>) -> Result<(), ShuffleError> {
    if flow.is_break() { Err(ShuffleError::Interrupted) } else { Ok(()) }
}

/// The buckets of the first pass.
struct Buckets {
    files: Vec<Shared>,
    seed: u64,
    by_identity: bool,
    random: ChaCha8Rng,
}

impl Buckets {
    fn new(folder: &Path, seed: u64, by_identity: bool) -> io::Result<Self> {
        let files = (0..BUCKETS / SHARING).map(|_| Shared::new(folder)).collect::<io::Result<_>>()?;
        Ok(Self { files, seed, by_identity, random: generator(seed, 0, Purpose::Buckets as u8) })
    }

    /// Equal positions must get into the same bucket so that they can be found; for different ones that is as good as
    /// random.
    fn throw(&mut self, is_validation: bool, record: &Record) -> io::Result<()> {
        let bytes = record.to_bytes();
        let bucket = if self.by_identity {
            let mut seed = [0; 32];
            seed[..Record::IDENTITY].copy_from_slice(&Record::identity_of(&bytes));
            seed[Record::IDENTITY..].copy_from_slice(&self.seed.to_le_bytes()[..32 - Record::IDENTITY]);
            ChaCha8Rng::from_seed(seed).random_range(0..BUCKETS)
        } else {
            self.random.random_range(0..BUCKETS)
        };
        let mut entry = [u8::from(is_validation); 1 + Record::SIZE];
        entry[1..].copy_from_slice(&bytes);
        self.files[bucket / SHARING].push(bucket % SHARING, entry)
    }

    /// Returns the positions of each bucket. A file is removed after its last bucket.
    fn into_entries(self) -> impl Iterator<Item = io::Result<Vec<Entry>>> {
        self.files.into_iter().flat_map(|mut file| (0..SHARING).map(move |bucket| file.read(bucket)))
    }
}

/// A temporary file of some buckets, in chunks. It has no name, so nothing is left of it however the run ends.
struct Shared {
    file: File,
    /// Where the chunks of each bucket begin.
    places: [Vec<u64>; SHARING],
    /// What is not in the file yet of each bucket: less than a chunk.
    pending: [Vec<Entry>; SHARING],
}

impl Shared {
    fn new(folder: &Path) -> io::Result<Self> {
        let pending = array::from_fn(|_| Vec::with_capacity(CHUNK));
        Ok(Self { file: tempfile::tempfile_in(folder)?, places: array::from_fn(|_| Vec::new()), pending })
    }

    fn push(&mut self, bucket: usize, entry: Entry) -> io::Result<()> {
        let pending = &mut self.pending[bucket];
        pending.push(entry);
        if pending.len() == CHUNK {
            self.places[bucket].push(self.file.stream_position()?);
            self.file.write_all(pending.as_flattened())?;
            pending.clear();
        }
        Ok(())
    }

    /// Returns the positions of a bucket, in the order in which they were pushed.
    fn read(&mut self, bucket: usize) -> io::Result<Vec<Entry>> {
        let (places, pending) = (&self.places[bucket], &self.pending[bucket]);
        let mut entries = Vec::with_capacity(places.len() * CHUNK + pending.len());
        entries.resize(places.len() * CHUNK, [0; 1 + Record::SIZE]);
        for (&place, chunk) in places.iter().zip(entries.chunks_exact_mut(CHUNK)) {
            self.file.seek(SeekFrom::Start(place))?;
            self.file.read_exact(chunk.as_flattened_mut())?;
        }
        entries.extend(pending);
        Ok(entries)
    }
}

fn record_bytes(entry: &Entry) -> &[u8; Record::SIZE] {
    entry.last_chunk().expect("an entry ends with a record")
}

/// The purposes of random choices; each has its own generators.
#[derive(Clone, Copy)]
enum Purpose {
    Sides,
    Buckets,
    Order,
}

#[cfg(test)]
mod tests;
