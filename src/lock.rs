//! Locks of files against other processes.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io,
    path::{Path, PathBuf},
};

/// Locks `file` until it is closed. Returns `false` if another process has locked it.
///
/// # Errors
///
/// The error of locking.
pub fn try_lock(file: &File) -> io::Result<bool> {
    match file.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
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
    /// The error of creating or locking; also if another process has the lock.
    pub fn of(path: &Path) -> io::Result<Self> {
        let path = Self::path(path);
        let file = OpenOptions::new().append(true).create(true).open(&path)?;
        match try_lock(&file)? {
            true => Ok(Self { file, path }),
            false => Err(io::Error::new(io::ErrorKind::WouldBlock, "another run is writing to it")),
        }
    }
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
    use super::*;

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
