//! What is on disk for outputs that are being written: temporary folders, and files that are empty as yet. The end of the
//! program by Ctrl-C removes them too.

use std::{
    collections::BTreeMap,
    fs, io, mem,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tempfile::TempDir;
use zugwerk::data::folder;

/// What removes each unfinished thing, by the number of its guard.
type All = BTreeMap<u32, Box<dyn Fn() + Send>>;

static ALL: Mutex<All> = Mutex::new(BTreeMap::new());

/// Removes an unfinished thing when it is dropped.
pub(super) struct Guard(u32);

impl Guard {
    fn new(all: &mut All, remove: impl Fn() + Send + 'static) -> Self {
        let number = all.last_key_value().map_or(0, |(last, _)| last + 1);
        all.insert(number, Box::new(remove));
        Self(number)
    }

    /// Guards `created`, a file that was created for the output at `path`. It is removed only if the output is empty.
    pub(super) fn while_empty(path: &Path, created: &Path) -> Self {
        let (path, created) = (path.to_owned(), created.to_owned());
        Self::new(&mut lock(), move || {
            if path.metadata().is_ok_and(|file| file.len() == 0) {
                let _ = fs::remove_file(&created);
            }
        })
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        // The lock is held until the thing is gone, so that `remove_all` neither misses it nor removes another's.
        let mut all = lock();
        if let Some(remove) = all.remove(&self.0) {
            remove();
        }
    }
}

/// A temporary folder. Dropping it removes it.
pub(super) struct Unfinished {
    path: PathBuf,
    _guard: Guard,
}

impl Unfinished {
    /// Creates a folder for an output that gets no name.
    pub(super) fn anywhere() -> io::Result<Self> {
        Self::of(tempfile::tempdir)
    }

    /// Creates a folder beside `path`, for the file that gets this name.
    pub(super) fn beside(path: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        let parent = folder(path);
        fs::metadata(parent)?;
        let prefix = format!(".{}.", name.display());
        let folder = || tempfile::Builder::new().prefix(&prefix).suffix(".part").tempdir_in(parent);
        // The error of tempfile would name the temporary folder.
        Self::of(|| folder().map_err(|error| error.kind().into()))
    }

    fn of(create: impl FnOnce() -> io::Result<TempDir>) -> io::Result<Self> {
        // The lock is held until the folder is entered, so that `remove_all` misses none.
        let mut all = lock();
        let path = create()?.keep();
        let folder = path.clone();
        let guard = Guard::new(&mut all, move || drop(fs::remove_dir_all(&folder)));
        Ok(Self { path, _guard: guard })
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

/// Removes all that is unfinished, the latest first, and lets no other be created. The caller must exit the program: whoever
/// opens or ends an output then waits forever.
pub(super) fn remove_all() {
    let all = lock();
    all.values().rev().for_each(|remove| remove());
    mem::forget(all);
}

fn lock() -> MutexGuard<'static, All> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}
