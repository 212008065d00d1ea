//! Files that are locked against other processes.

use std::{
    fs::{self, File, OpenOptions, TryLockError},
    io,
    ops::{Deref, DerefMut},
    path::{Path, PathBuf},
};

/// A file that is locked against other processes until it is closed, opened for reading and writing at its beginning. Some file
/// systems of networks have no locks; there nothing keeps others away.
///
/// Windows locks no file that is opened for appending alone, and lets no other handle read a locked file, not even one of this
/// process. Whoever reads, extends or cuts the file must therefore use this handle.
#[derive(Debug)]
pub struct LockedFile(File);

impl LockedFile {
    /// Opens the file at `path`, and creates it if it does not exist. `None` if another process has locked it.
    ///
    /// # Errors
    ///
    /// The error of opening or locking. A file that was created is removed again if it cannot be locked.
    pub fn open_or_create(path: &Path) -> io::Result<Option<Self>> {
        match Self::create_new(path) {
            // It may be removed meanwhile.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Self::lock(read_and_write().create(true).truncate(false).open(path)?)
            }
            created => created,
        }
    }

    /// Creates a new file at `path`. `None` if another process has locked it meanwhile; it is the file of that process then.
    ///
    /// # Errors
    ///
    /// The error of creating, also if there is such a file, or of locking; the file is removed then.
    pub fn create_new(path: &Path) -> io::Result<Option<Self>> {
        let file = read_and_write().create_new(true).open(path)?;
        Self::lock(file).inspect_err(|_| drop(fs::remove_file(path)))
    }

    /// Opens the file at `path`, which must exist. `None` if another process has locked it.
    ///
    /// # Errors
    ///
    /// The error of opening or locking.
    pub fn open(path: &Path) -> io::Result<Option<Self>> {
        Self::lock(read_and_write().open(path)?)
    }

    fn lock(file: File) -> io::Result<Option<Self>> {
        is_free(file.try_lock()).map(|is_free| is_free.then_some(Self(file)))
    }

    /// Takes a file as it is.
    #[cfg(test)]
    pub(crate) fn unlocked(file: File) -> Self {
        Self(file)
    }
}

impl Deref for LockedFile {
    type Target = File;

    fn deref(&self) -> &File {
        &self.0
    }
}

impl DerefMut for LockedFile {
    fn deref_mut(&mut self) -> &mut File {
        &mut self.0
    }
}

fn read_and_write() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    options
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
    file: LockedFile,
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
            let Some(file) = LockedFile::open_or_create(&path)? else {
                return Err(io::Error::new(io::ErrorKind::WouldBlock, "another run is writing to it"));
            };
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
        io::{Read as _, Write as _},
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

    /// Windows needs that the file is read and extended by the handle that has locked it.
    #[test]
    fn a_locked_file_is_read_and_written_by_its_handle() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        assert_eq!(LockedFile::open(&path).unwrap_err().kind(), io::ErrorKind::NotFound);
        let mut file = LockedFile::open_or_create(&path).unwrap().unwrap();
        file.write_all(b"one").unwrap();
        for other in [LockedFile::open_or_create(&path), LockedFile::open(&path)] {
            assert!(other.unwrap().is_none());
        }
        assert_eq!(LockedFile::create_new(&path).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        drop(file);
        let mut file = LockedFile::open_or_create(&path).unwrap().unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        file.write_all(b" two").unwrap();
        drop(file);
        assert_eq!((text.as_str(), &fs::read(&path).unwrap()[..]), ("one", &b"one two"[..]));
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
