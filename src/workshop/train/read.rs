//! Reads the records of files on several threads.

use std::{
    path::{Path, PathBuf},
    thread::{self, Scope},
};

use crate::{
    in_order::{self, Results},
    workshop::data::{Blocks, DataError, Record},
};

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

/// Passes the records of each block of `files` through `work` on `threads` threads, and returns the results
/// in the order of the blocks. Where a file cannot be read, its error is a result.
///
/// # Errors
///
/// If a thread cannot be started, an error that names the first file.
pub fn read<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    files: &'scope [PathBuf],
    threads: usize,
    work: impl Fn(&[Record]) -> T + Send + Sync + 'scope,
) -> Result<Results<Result<T, ReadError>>, ReadError> {
    let work = move |(): &mut (), records: Result<Vec<Record>, _>| records.map(|records| work(&records));
    let results = in_order::map(
        scope,
        thread::Builder::new,
        files.iter().flat_map(|path| blocks(path)),
        vec![(); threads.max(1)],
        work,
    );
    results
        .map_err(|error| ReadError { path: files.first().cloned().unwrap_or_default(), error: error.into() })
}

/// The records of each block of the file at `path`, to the first error.
fn blocks(path: &Path) -> impl Iterator<Item = Result<Vec<Record>, ReadError>> {
    let failed = |error| ReadError::new(path, error);
    let (blocks, error) = match Blocks::open_repeatedly(path) {
        Ok(blocks) => (Some(blocks), None),
        Err(error) => (None, Some(failed(error))),
    };
    let blocks = blocks.into_iter().flatten();
    error.map(Err).into_iter().chain(blocks.map(move |block| Ok(block.map_err(failed)?.records)))
}
