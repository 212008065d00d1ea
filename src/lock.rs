//! Locks of files against other processes.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
};

/// Locks `file` until it is closed. Returns `false` if another process has locked it. Some file systems of networks have no
/// locks; there nothing keeps others away.
///
/// # Errors
///
/// The error of locking.
pub fn try_lock(file: &File) -> io::Result<bool> {
    is_free(file.try_lock())
}

/// Whether the file may be used after this attempt to lock it.
fn is_free(attempt: Result<(), TryLockError>) -> io::Result<bool> {
    match attempt {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// The lock of a file that its writer replaces again and again, until it is dropped. It is a file of its own.
#[derive(Debug)]
pub struct Lock {
    file: File,
    path: PathBuf,
}

impl Lock {
    /// The path of the lock of the file at `path`.
    #[must_use]
    pub fn path(path: &Path) -> PathBuf {
        let mut name = path.as_os_str().to_owned();
        name.push(".lock");
        name.into()
    }

    /// Locks the file at `path`, which need not exist. A file with the name of the lock is locked as it is.
    ///
    /// # Errors
    ///
    /// The error of creating or locking; also if another run has the lock.
    pub fn of(path: &Path) -> io::Result<Self> {
        let path = Self::path(path);
        loop {
            let file = OpenOptions::new().append(true).create(true).open(&path)?;
            if !try_lock(&file)? {
                return Err(io::Error::new(io::ErrorKind::WouldBlock, "another run is writing to it"));
            }
            if !is_removed(&file)? {
                return Ok(Self { file, path });
            }
        }
    }
}

/// Whether an open file has no name any more: the run that had the lock has removed it.
fn is_removed(file: &File) -> io::Result<bool> {
    #[cfg(unix)]
    return file.metadata().map(|file| std::os::unix::fs::MetadataExt::nlink(&file) == 0);
    #[cfg(not(unix))]
    return file.metadata().map(|_| false);
}

impl Drop for Lock {
    /// Removes the file, unless it is another that has the name.
    fn drop(&mut self) {
        if self.file.metadata().is_ok_and(|file| file.len() == 0) {
            let _ = fs::remove_file(&self.path);
        }
    }
}

#[cfg(test)]
mod tests {
    use std::{
        sync::atomic::{AtomicBool, Ordering},
        thread,
    };

    use super::*;

    /// Else nothing could be written there that is locked elsewhere.
    #[test]
    fn a_file_system_without_locks_can_be_used() {
        let failed = |kind: io::ErrorKind| is_free(Err(TryLockError::Error(kind.into())));
        assert!(failed(io::ErrorKind::Unsupported).unwrap());
        assert_eq!(
            failed(io::ErrorKind::PermissionDenied).unwrap_err().kind(),
            io::ErrorKind::PermissionDenied
        );
        assert!(!is_free(Err(TryLockError::WouldBlock)).unwrap());
    }

    /// Otherwise two could have it: one in the file that the last one has removed, one in a new file.
    #[test]
    fn a_lock_that_is_removed_meanwhile_is_taken_again() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        let held = AtomicBool::new(false);
        thread::scope(|scope| {
            for _ in 0..4 {
                scope.spawn(|| {
                    for _ in 0..2000 {
                        let Ok(lock) = Lock::of(&path) else { continue };
                        assert!(!held.swap(true, Ordering::SeqCst), "two have the lock");
                        thread::yield_now();
                        held.store(false, Ordering::SeqCst);
                        drop(lock);
                    }
                });
            }
        });
    }

    #[test]
    fn only_one_has_the_lock_and_it_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("state");
        let lock = Lock::of(&path).unwrap();
        assert!(Lock::path(&path).exists() && !path.exists());
        assert_eq!(Lock::of(&path).unwrap_err().to_string(), "another run is writing to it");
        drop(lock);
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0);
        fs::write(Lock::path(&path), "mine").unwrap();
        drop(Lock::of(&path).unwrap());
        assert_eq!(fs::read(Lock::path(&path)).unwrap(), b"mine", "a file of another purpose stays");
        assert_eq!(Lock::of(&folder.path().join("no/folder")).unwrap_err().kind(), io::ErrorKind::NotFound);
    }
}
