//! Output files that are created only when complete.

use std::{
    fs::File,
    io,
    path::{Path, PathBuf},
};

use tempfile::NamedTempFile;

/// An unfinished output file. It gets its name when it is complete and never replaces another file; dropped before, it
/// is removed.
///
/// Until then it is a temporary file in the same folder, `.NAME.….part`, which a killed run leaves behind.
#[derive(Debug)]
pub(super) struct Output {
    file: NamedTempFile,
    path: PathBuf,
}

impl Output {
    /// Creates the temporary file for `path`.
    ///
    /// # Errors
    ///
    /// The error of creating it; also if `path` exists.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        if path.symlink_metadata().is_ok() {
            return Err(in_words(io::ErrorKind::AlreadyExists.into()));
        }
        let name = path.file_name().ok_or(io::ErrorKind::InvalidFilename)?;
        let prefix = format!(".{}.", name.display());
        let mut builder = tempfile::Builder::new();
        builder.prefix(&prefix).suffix(".part");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            builder.permissions(std::fs::Permissions::from_mode(0o666)); // the umask applies, as for any other file
        }
        Ok(Self { file: builder.tempfile_in(folder(path))?, path: path.to_owned() })
    }

    /// The file.
    pub(super) fn file(&self) -> &File {
        self.file.as_file()
    }

    /// Renames the file to its final name.
    ///
    /// # Errors
    ///
    /// The error of renaming; also if the name has been taken meanwhile.
    pub(super) fn finish(self) -> io::Result<()> {
        self.file.persist_noclobber(&self.path).map(drop).map_err(|error| in_words(error.error))
    }
}

/// Says what was expected instead of a file that exists; other errors stay as they are.
pub(super) fn in_words(error: io::Error) -> io::Error {
    match error.kind() {
        kind @ io::ErrorKind::AlreadyExists => io::Error::new(kind, "it exists; expected a new file"),
        _ => error,
    }
}

/// Returns the folder of the file at `path`.
#[must_use]
pub fn folder(path: &Path) -> &Path {
    match path.parent() {
        Some(folder) if folder != Path::new("") => folder,
        _ => Path::new("."),
    }
}

#[cfg(test)]
mod tests {
    use std::{fs, io::Write as _};

    use super::*;

    #[test]
    fn a_name_alone_is_in_the_current_folder() {
        for (path, of) in [("a", "."), ("./a", "."), ("b/a", "b"), ("/b/a", "/b")] {
            assert_eq!(folder(Path::new(path)), Path::new(of), "{path}");
        }
    }

    #[test]
    fn a_file_is_there_when_it_is_finished_and_takes_nobodys_name() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        drop(Output::create(&path).unwrap());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 0, "dropped, nothing is left");

        let (first, second) = (Output::create(&path).unwrap(), Output::create(&path).unwrap());
        first.file().write_all(b"first").unwrap();
        assert!(!path.exists());
        first.finish().unwrap();
        assert_eq!(second.finish().unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(Output::create(&path).unwrap_err().kind(), io::ErrorKind::AlreadyExists);
        assert_eq!(fs::read(&path).unwrap(), b"first");
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
