//! Files that are appended to or replaced without loss, and locked against other processes.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    ops::{Deref, DerefMut},
    path::{Path, PathBuf},
};

/// Opens a file to append lines to it, and creates it if it does not exist. If its last line has no end, for
/// example because the writer was killed, that line is ended first.
///
/// # Errors
///
/// The error of opening or writing.
pub fn append_lines(path: &Path) -> io::Result<File> {
    // It need not be readable.
    let read = |path: &Path| File::open(path).and_then(|mut file| last_bytes(&mut file, 1)).ok();
    let end = Some(path).filter(|path| path.is_file()).and_then(read).unwrap_or_default();
    let mut file = File::options().append(true).create(true).open(path)?;
    if !matches!(end[..], [] | [b'\n']) {
        file.write_all(b"\n")?;
    }
    Ok(file)
}

/// Appends `bytes` to a file whole, or not at all: if the writing fails, the file gets its former length
/// again. What another writer has appended meanwhile is lost then.
///
/// # Errors
///
/// The error of writing.
pub fn append_whole(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    let before = file.metadata()?;
    if before.is_file() {
        file.seek(SeekFrom::End(0))?;
    }
    file.write_all(bytes).inspect_err(|_| drop(file.set_len(before.len())))
}

/// Returns the last `count` bytes of a file, or all if it has fewer; none if it is not a regular file.
///
/// # Errors
///
/// The error of reading.
pub fn last_bytes(file: &mut File, count: u64) -> io::Result<Vec<u8>> {
    let (about, mut bytes) = (file.metadata()?, Vec::new());
    if about.is_file() {
        file.seek(SeekFrom::Start(about.len().saturating_sub(count)))?;
        file.take(count).read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

/// The file that `path` leads to, which differs from it where it is a link.
#[must_use]
pub fn target(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}

/// Gives the file `written` the name of the file that `path` leads to, and its permissions if it exists. At
/// any time either the old or the new one exists; the disk has the new one first, because otherwise a power
/// failure could lose both.
///
/// # Errors
///
/// The error of renaming; `written` still has its name then.
pub fn replace(written: &Path, path: &Path) -> io::Result<()> {
    OpenOptions::new().write(true).open(written)?.sync_all()?;
    if let Ok(there) = path.metadata()
        // Where all files have the same permissions, these cannot be set.
        && there.permissions() != written.metadata()?.permissions()
    {
        fs::set_permissions(written, there.permissions())?;
    }
    fs::rename(written, target(path))
}

/// A file that is locked against other writers until it is closed, opened for reading and writing at its
/// beginning. Everybody may read it meanwhile. Some file systems of networks have no locks; there nothing
/// keeps others away.
///
/// Elsewhere than on Windows only those are kept away who ask for the lock. A lock of that kind would also
/// keep readers away on Windows, so there the file is opened in such a way that the system lets nobody else
/// open it for writing.
#[derive(Debug)]
pub struct LockedFile(File);

impl LockedFile {
    /// Opens the file at `path`, and creates it if it does not exist. `None` if another process has locked
    /// it.
    ///
    /// # Errors
    ///
    /// The error of opening or locking. A file that was created is removed again if it cannot be locked.
    pub fn open_or_create(path: &Path) -> io::Result<Option<Self>> {
        match Self::create_new(path) {
            // It may be removed meanwhile.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => {
                Self::open_with(read_and_write().create(true).truncate(false), path)
            }
            created => created,
        }
    }

    /// Creates a new file at `path`. `None` if another process has locked it meanwhile; it is the file of
    /// that process then.
    ///
    /// # Errors
    ///
    /// The error of creating, also if there is such a file, or of locking; the file is removed then.
    pub fn create_new(path: &Path) -> io::Result<Option<Self>> {
        Self::open_with(read_and_write().create_new(true), path)
    }

    /// Opens the file at `path`, which must exist. `None` if another process has locked it.
    ///
    /// # Errors
    ///
    /// The error of opening or locking.
    pub fn open(path: &Path) -> io::Result<Option<Self>> {
        Self::open_with(&mut read_and_write(), path)
    }

    #[cfg(not(windows))]
    fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<Option<Self>> {
        let file = options.open(path)?;
        is_free(file.try_lock()).map(|is_free| is_free.then_some(Self(file)))
    }

    #[cfg(windows)]
    fn open_with(options: &mut OpenOptions, path: &Path) -> io::Result<Option<Self>> {
        use std::os::windows::fs::OpenOptionsExt as _;
        /// What others may do meanwhile: read the file and remove it (`FILE_SHARE_READ`,
        /// `FILE_SHARE_DELETE`).
        const SHARED: u32 = 1 | 4;
        /// The error if another has opened the file for writing (`ERROR_SHARING_VIOLATION`).
        const IN_USE: i32 = 32;
        match options.share_mode(SHARED).open(path) {
            Err(error) if error.raw_os_error() == Some(IN_USE) => Ok(None),
            opened => opened.map(|file| Some(Self(file))),
        }
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
#[cfg(not(windows))]
fn is_free(attempt: Result<(), fs::TryLockError>) -> io::Result<bool> {
    match attempt {
        Ok(()) => Ok(true),
        Err(fs::TryLockError::WouldBlock) => Ok(false),
        Err(fs::TryLockError::Error(error)) if error.kind() == io::ErrorKind::Unsupported => Ok(true),
        Err(fs::TryLockError::Error(error)) => Err(error),
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
#[cfg(unix)]
fn is_removed(file: &File) -> io::Result<bool> {
    file.metadata().map(|file| std::os::unix::fs::MetadataExt::nlink(&file) == 0)
}

/// On Windows the lock is taken by the opening, and nobody else can remove the file between the two.
#[cfg(not(unix))]
fn is_removed(_: &File) -> io::Result<bool> {
    Ok(false)
}

impl Drop for Lock {
    /// Removes the file if it is empty, as a lock is. A file of this name that has contents is somebody
    /// else's.
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

    #[test]
    fn lines_are_appended_to_whole_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("log");
        for (before, after) in
            [("", "new\n"), ("\n", "\nnew\n"), ("old\n", "old\nnew\n"), ("old", "old\nnew\n")]
        {
            fs::write(&path, before).unwrap();
            append_lines(&path).unwrap().write_all(b"new\n").unwrap();
            assert_eq!(fs::read_to_string(&path).unwrap(), after);
        }
        fs::remove_file(&path).unwrap();
        append_lines(&path).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"");
    }

    /// Else nothing could be written there that is locked elsewhere.
    #[cfg(not(windows))]
    #[test]
    fn a_file_system_without_locks_can_be_used() {
        let failed = |kind: io::ErrorKind| is_free(Err(fs::TryLockError::Error(kind.into())));
        assert!(failed(io::ErrorKind::Unsupported).unwrap());
        assert_eq!(
            failed(io::ErrorKind::PermissionDenied).unwrap_err().kind(),
            io::ErrorKind::PermissionDenied
        );
        assert!(!is_free(Err(fs::TryLockError::WouldBlock)).unwrap());
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

    /// On Windows a lock of the usual kind would also keep readers away.
    #[test]
    fn a_locked_file_is_written_by_its_handle_alone_and_read_by_everybody() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("games");
        assert_eq!(LockedFile::open(&path).unwrap_err().kind(), io::ErrorKind::NotFound);
        let mut file = LockedFile::open_or_create(&path).unwrap().unwrap();
        file.write_all(b"one").unwrap();
        for other in [LockedFile::open_or_create(&path), LockedFile::open(&path)] {
            assert!(other.unwrap().is_none());
        }
        assert_eq!(fs::read(&path).unwrap(), b"one");
        assert_eq!(LockedFile::create_new(&path).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        drop(file);
        let mut file = LockedFile::open_or_create(&path).unwrap().unwrap();
        let mut text = String::new();
        file.read_to_string(&mut text).unwrap();
        file.write_all(b" two").unwrap();
        assert_eq!((text.as_str(), &fs::read(&path).unwrap()[..]), ("one", &b"one two"[..]));
        file.set_len(3).unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"one");
        fs::remove_file(&path).unwrap();
        drop(file); // Some systems keep the name until then.
        assert!(!path.exists(), "its owner removes an output that nothing was written to");
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
