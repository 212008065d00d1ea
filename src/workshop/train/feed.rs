//! Training data that grow: the folder to which `datagen --shard` writes.
//!
//! A training on such a folder consists of rounds. A round fills a window in memory with the positions of
//! some shards, and uses each of them once, in random order. So positions of many games and shards are mixed,
//! although each shard has them in the order of the games. Every shard takes part in a stated number of
//! rounds, those with the fewest so far first.
//!
//! A shard is taken only if it is finished: `datagen` locks the file that it writes. While it does, the
//! training waits for it if need be; otherwise it takes what is there.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use rayon::prelude::*;
use serde::{Deserialize, Serialize};

use super::{
    accepted::{Accepted, DataFile},
    read::ReadError,
};
use crate::{
    files::LockedFile,
    workshop::data::{Blocks, Filter, Record, checksum},
};

/// The extension of data files.
const EXTENSION: &str = "zwd";
/// The number of shards that are read at the same time.
const AT_ONCE: usize = 4;

/// How the shards are used.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Feeding {
    /// The number of rounds in which each shard takes part.
    pub uses: u64,
    /// A round begins when this number of positions has been accepted for it, or when no more can come.
    pub window: usize,
}

/// What a training has taken from its folder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Fed {
    /// The shards seen so far, in the order of their first round.
    pub shards: Vec<Shard>,
    /// The names of the shards in the round that has begun, in order; empty between two rounds.
    pub round: Vec<String>,
}

/// A shard that was used.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Shard {
    /// The file.
    #[serde(flatten)]
    pub file: DataFile,
    /// The number of completed rounds in which it took part.
    pub uses: u64,
}

/// The reason why no round can begin.
#[derive(Debug, thiserror::Error)]
pub enum FeedError {
    /// The folder cannot be read.
    #[error("{}: {error}", folder.display())]
    Folder {
        /// The folder.
        folder: PathBuf,
        /// The error.
        error: io::Error,
    },
    /// A shard cannot be read.
    #[error(transparent)]
    File(#[from] ReadError),
    /// A shard of the round that has begun is not there any more, or is another one.
    #[error("{}: the round that has begun needs this file as it was; `--branch` with the checkpoint begins another training", .0.display())]
    Changed(PathBuf),
    /// Nothing is left to use, and nobody writes more.
    #[error("{}: no file is left that was used less than {uses} times; --resume continues when there are more", folder.display())]
    UsedUp {
        /// The folder.
        folder: PathBuf,
        /// The number of uses allowed.
        uses: u64,
    },
    /// A shard is a file for validation.
    #[error("{}: the same data as the file for validation; expected other games", .0.display())]
    HeldOut(PathBuf),
}

/// The positions of a round that is being filled.
#[derive(Debug, Default)]
struct Window {
    /// The positions that the filter accepts, in order.
    records: Vec<Record>,
    shards: Vec<Shard>,
}

/// The shards in `folder`, in the order of their names, and whether another process writes more of them.
fn finished(folder: &Path) -> io::Result<(Vec<PathBuf>, bool)> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            paths.push(path);
        }
    }
    paths.sort_unstable();
    let all = paths.len();
    // What cannot be opened for writing is written by nobody else.
    paths.retain(|path| !matches!(LockedFile::open(path), Ok(None)));
    let is_growing = paths.len() < all;
    Ok((paths, is_growing))
}

/// Reads a shard.
fn read(path: &Path, filter: Filter) -> Result<(Shard, Vec<Record>), ReadError> {
    let failed = |error| ReadError::new(path, error);
    let (mut counts, mut records) = (Accepted::default(), Vec::new());
    for block in Blocks::open_repeatedly(path).map_err(failed)? {
        let block = block.map_err(failed)?;
        records.extend(block.records.iter().filter(|record| counts.accept(filter, record)));
    }
    let sum = || Ok((fs::metadata(path)?.len(), checksum(path)?));
    let (bytes, crc32) = sum().map_err(|error: io::Error| failed(error.into()))?;
    let file = DataFile { name: name(path), bytes, crc32: format!("{crc32:08x}"), counts };
    Ok((Shard { file, uses: 0 }, records))
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl Window {
    /// Adds the shards at `paths`.
    fn add(&mut self, paths: &[PathBuf], filter: Filter) -> Result<(), ReadError> {
        let read: Vec<_> = paths.par_iter().map(|path| read(path, filter)).collect::<Result<_, _>>()?;
        for (shard, records) in read {
            self.shards.push(shard);
            self.records.extend(records);
        }
        Ok(())
    }
}

impl Fed {
    /// Fills the window of the next round, or again that of the round that has begun. While shards are
    /// missing that another process writes, `wait` is called with the number of positions so far; if it
    /// returns `false`, there is no window. If nobody writes any, the window has what is left.
    ///
    /// # Errors
    ///
    /// [`FeedError`] if a file cannot be read, or must not be used.
    pub fn fill(
        &mut self,
        folder: &Path,
        feeding: Feeding,
        filter: Filter,
        held_out: &[DataFile],
        mut wait: impl FnMut(usize) -> bool,
    ) -> Result<Option<Vec<Record>>, FeedError> {
        let mut window = Window::default();
        if !self.round.is_empty() {
            let paths: Vec<PathBuf> = self.round.iter().map(|name| folder.join(name)).collect();
            if let Some(path) = paths.iter().find(|path| !path.exists()) {
                return Err(FeedError::Changed(path.clone()));
            }
            window.add(&paths, filter)?;
            for (path, read) in paths.iter().zip(&window.shards) {
                if !self.shards.iter().any(|known| known.file == read.file) {
                    return Err(FeedError::Changed(path.clone()));
                }
            }
            return Ok(Some(window.records));
        }
        while window.records.len() < feeding.window {
            let (next, is_growing) = self.candidates(folder, feeding, &window.shards)?;
            let next = &next[..next.len().min(AT_ONCE)];
            if next.is_empty() {
                match (is_growing, window.records.is_empty()) {
                    (true, _) if wait(window.records.len()) => continue,
                    (true, _) => return Ok(None),
                    (false, false) => break,
                    (false, true) => {
                        return Err(FeedError::UsedUp { folder: folder.to_owned(), uses: feeding.uses });
                    }
                }
            }
            window.add(next, filter)?;
            let is_held_out = |shard: &Shard| {
                held_out.iter().any(|file| (file.bytes, &file.crc32) == (shard.file.bytes, &shard.file.crc32))
            };
            if let Some(shard) = window.shards.iter().find(|shard| is_held_out(shard)) {
                return Err(FeedError::HeldOut(folder.join(&shard.file.name)));
            }
        }
        self.round = window.shards.iter().map(|shard| shard.file.name.clone()).collect();
        for shard in window.shards {
            if !self.shards.iter().any(|known| known.file.name == shard.file.name) {
                self.shards.push(shard);
            }
        }
        Ok(Some(window.records))
    }

    /// The shards that the next round may take, the first ones first, without those already `taken`; and
    /// whether another process writes more.
    fn candidates(
        &self,
        folder: &Path,
        feeding: Feeding,
        taken: &[Shard],
    ) -> Result<(Vec<PathBuf>, bool), FeedError> {
        let uses = |path: &PathBuf| {
            self.shards.iter().find(|shard| shard.file.name == name(path)).map_or(0, |shard| shard.uses)
        };
        let is_taken = |path: &PathBuf| taken.iter().any(|shard| shard.file.name == name(path));
        let finished = finished(folder);
        let (mut paths, is_growing) =
            finished.map_err(|error| FeedError::Folder { folder: folder.to_owned(), error })?;
        paths.retain(|path| uses(path) < feeding.uses && !is_taken(path));
        paths.sort_by_key(uses);
        Ok((paths, is_growing))
    }

    /// Ends the round: its shards have been used once more.
    pub fn end_round(&mut self) {
        let round = std::mem::take(&mut self.round);
        self.shards
            .iter_mut()
            .filter(|shard| round.contains(&shard.file.name))
            .for_each(|shard| shard.uses += 1);
    }
}
