//! What is on disk for outputs that are being written: temporary folders, and files that are empty as yet.
//! The end of the program by Ctrl-C removes them too.

use std::{
    fs, io, mem,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use tempfile::TempDir;

/// Returns the folder of the file at `path`.
pub(crate) fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

/// All that is unfinished, in the order of creation.
static ALL: Mutex<Vec<Leftover>> = Mutex::new(Vec::new());

#[derive(Clone, PartialEq, Eq)]
enum Leftover {
    /// A temporary folder.
    Folder(PathBuf),
    /// A file that was created for an output. It is removed only if the output is empty.
    File { created: PathBuf, output: PathBuf },
}

impl Leftover {
    fn remove(&self) {
        let _ = match self {
            Self::Folder(path) => fs::remove_dir_all(path),
            Self::File { created, output } if output.metadata().is_ok_and(|file| file.len() == 0) => {
                fs::remove_file(created)
            }
            Self::File { .. } => Ok(()),
        };
    }
}

/// Removes what is left of an unfinished output when it is dropped.
pub(crate) struct Cleanup(Leftover);

impl Cleanup {
    fn new(all: &mut Vec<Leftover>, leftover: Leftover) -> Self {
        all.push(leftover.clone());
        Self(leftover)
    }

    /// Guards `created`, a file that was created for the output at `path`. It is removed only if the output
    /// is empty.
    pub(crate) fn while_empty(path: &Path, created: &Path) -> Self {
        Self::new(&mut lock(), Leftover::File { created: created.to_owned(), output: path.to_owned() })
    }
}

impl Drop for Cleanup {
    fn drop(&mut self) {
        // The lock is held until the leftover is gone, so that `remove_all` neither misses it nor removes
        // another's.
        let mut all = lock();
        if let Some(at) = all.iter().position(|leftover| *leftover == self.0) {
            all.remove(at).remove();
        }
    }
}

/// A temporary folder. Dropping it removes it, unless it is to be kept.
pub(crate) struct Unfinished {
    path: PathBuf,
    cleanup: Cleanup,
}

impl Unfinished {
    /// Creates a folder for an output that gets no name.
    pub(crate) fn anywhere() -> io::Result<Self> {
        Self::of(tempfile::tempdir)
    }

    /// Creates a folder beside `path`, for the file that gets this name.
    pub(crate) fn beside(path: &Path) -> io::Result<Self> {
        let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        let parent = folder(path);
        fs::metadata(parent)?;
        let prefix = format!("{}.", name.display());
        let folder = || tempfile::Builder::new().prefix(&prefix).suffix(".part").tempdir_in(parent);
        // The error of tempfile would name the temporary folder.
        Self::of(|| folder().map_err(|error| error.kind().into()))
    }

    fn of(create: impl FnOnce() -> io::Result<TempDir>) -> io::Result<Self> {
        // The lock is held until the folder is entered, so that `remove_all` misses none.
        let mut all = lock();
        let path = create()?.keep();
        let cleanup = Cleanup::new(&mut all, Leftover::Folder(path.clone()));
        Ok(Self { path, cleanup })
    }

    /// Lets the folder stay.
    pub(crate) fn leave(&self) {
        lock().retain(|leftover| *leftover != self.cleanup.0);
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }
}

/// Removes all that is unfinished, the latest first, and lets no other be created. The caller must exit the
/// program: whoever opens or ends an output then waits forever.
pub(crate) fn remove_all() {
    let all = lock();
    all.iter().rev().for_each(Leftover::remove);
    mem::forget(all);
}

fn lock() -> MutexGuard<'static, Vec<Leftover>> {
    ALL.lock().unwrap_or_else(PoisonError::into_inner)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_alone_is_in_the_current_folder() {
        for (path, of) in [("a", "."), ("./a", "."), ("b/a", "b"), ("/b/a", "/b")] {
            assert_eq!(folder(Path::new(path)), Path::new(of), "{path}");
        }
    }
}
