//! The temporary folders of outputs that are being written. The end of the program by Ctrl-C removes them too.

use std::{
    fs, io, mem,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tempfile::TempDir;
use zugwerk::data::folder;

/// The paths of all temporary folders.
static ALL: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

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
        // The error of tempfile would name the temporary folder.
        fs::metadata(parent)?;
        let prefix = format!(".{}.", name.display());
        Self::of(|| tempfile::Builder::new().prefix(&prefix).suffix(".part").tempdir_in(parent))
    }

    fn of(create: impl FnOnce() -> io::Result<TempDir>) -> io::Result<Self> {
        // The lock is held until the folder is entered, so that `remove_all` misses none.
        let mut all = lock();
        let folder = create()?;
        all.push(folder.path().to_owned());
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
        all.retain(|path| path != self.path());
    }
}

/// Removes all temporary folders and lets no other be created. The caller must exit the program: whoever opens or ends
/// an output then waits forever.
pub(super) fn remove_all() {
    let all = lock();
    for folder in &*all {
        let _ = fs::remove_dir_all(folder);
    }
    mem::forget(all);
}

fn lock() -> MutexGuard<'static, Vec<PathBuf>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}
