//! What is on disk for outputs that are being written: temporary folders, and files that are empty as yet. The end of the
//! program by Ctrl-C removes them too.

use std::{
    fs, io, mem,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tempfile::TempDir;
use zugwerk::data::folder;

/// All that is unfinished.
static ALL: Mutex<All> = Mutex::new(All { folders: Vec::new(), begun: Vec::new() });

struct All {
    /// The paths of the temporary folders.
    folders: Vec<PathBuf>,
    /// Outputs, with the files that were created for them.
    begun: Vec<(PathBuf, Vec<PathBuf>)>,
}

/// A temporary folder. Dropping it removes it.
pub(super) struct Unfinished(TempDir);

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
        let folder = create()?;
        all.folders.push(folder.path().to_owned());
        Ok(Self(folder))
    }

    pub(super) fn path(&self) -> &Path {
        self.0.path()
    }
}

impl Drop for Unfinished {
    fn drop(&mut self) {
        // The lock is held until the folder is gone, so that `remove_all` misses none.
        let mut all = lock();
        let _ = fs::remove_dir_all(self.path());
        all.folders.retain(|path| path != self.path());
    }
}

/// An output that gets its name at once. If it is still empty when this is dropped, the files that were created for it are
/// removed.
pub(super) struct Begun(PathBuf);

impl Begun {
    /// The output at `path`, for which `created` was created.
    pub(super) fn new(path: &Path, created: Vec<PathBuf>) -> Self {
        lock().begun.push((path.to_owned(), created));
        Self(path.to_owned())
    }

    /// Adds a file that was created for it.
    pub(super) fn add(&self, created: PathBuf) {
        let mut all = lock();
        let own = all.begun.iter_mut().find(|(path, _)| *path == self.0);
        own.expect("it is entered").1.push(created);
    }
}

impl Drop for Begun {
    fn drop(&mut self) {
        // The lock is held until the files are gone, so that `remove_all` removes no files of others.
        let mut all = lock();
        all.begun.retain(|(path, created)| {
            let is_own = *path == self.0;
            if is_own {
                remove_if_empty(path, created);
            }
            !is_own
        });
    }
}

fn remove_if_empty(path: &Path, created: &[PathBuf]) {
    if path.metadata().is_ok_and(|file| file.len() == 0) {
        for path in created {
            let _ = fs::remove_file(path);
        }
    }
}

/// Removes all that is unfinished and lets no other be created. The caller must exit the program: whoever opens or ends
/// an output then waits forever.
pub(super) fn remove_all() {
    let all = lock();
    for folder in &all.folders {
        let _ = fs::remove_dir_all(folder);
    }
    for (path, created) in &all.begun {
        remove_if_empty(path, created);
    }
    mem::forget(all);
}

fn lock() -> MutexGuard<'static, All> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}
