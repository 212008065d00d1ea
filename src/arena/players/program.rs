//! The files of a player, which must not change while a match plays it: a later process would be another
//! player.

use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::arena::players::files;
use crate::arena::players::spec::PlayerSpec;

/// The program of a player and the files that its options name, as they were found.
#[derive(Debug, Clone)]
pub struct Program {
    /// The program; `None` if it is not found. Then it cannot be started either.
    path: Option<PathBuf>,
    files: Vec<(PathBuf, Option<FileState>)>,
}

/// What tells a file from another one in its place.
#[derive(Debug, Clone, PartialEq, Eq)]
struct FileState {
    length: u64,
    modified: Option<SystemTime>,
    /// What is in it, if it is a folder.
    listing: Option<String>,
    /// The device and the number of the file on it, where the system tells them.
    file: Option<(u64, u64)>,
}

impl FileState {
    fn of(path: &Path) -> Option<Self> {
        let file = fs::metadata(path).ok()?;
        let listing = file.is_dir().then(|| files::listing(path)).flatten();
        Some(FileState { length: file.len(), modified: file.modified().ok(), listing, file: number(&file) })
    }
}

#[cfg(unix)]
fn number(file: &Metadata) -> Option<(u64, u64)> {
    use std::os::unix::fs::MetadataExt as _;
    Some((file.dev(), file.ino()))
}

#[cfg(not(unix))]
fn number(_: &Metadata) -> Option<(u64, u64)> {
    None
}

impl Program {
    /// Finds the files of `player` and notes their states.
    #[must_use]
    pub fn of(player: &PlayerSpec) -> Self {
        let path = files::program(player);
        let paths = path.iter().cloned().chain(files::found(player).map(|(_, path)| path));
        let files = paths.map(|path| (path.clone(), FileState::of(&path))).collect();
        Program { path, files }
    }

    /// Its path, if it is found.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Checks that the files are still those that were found.
    ///
    /// # Errors
    /// One that names the first file that has changed.
    pub fn check(&self) -> io::Result<()> {
        match self.files.iter().find(|(path, state)| FileState::of(path) != *state) {
            Some((path, _)) => {
                Err(io::Error::other(format!("{} was replaced during the match", path.display())))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_file_is_noticed() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("engine");
        let player = PlayerSpec::parse("", &format!("cmd={}", path.display())).unwrap();
        fs::write(&path, "one").unwrap();
        let program = Program::of(&player);
        program.check().unwrap();
        let changes: [(&str, &dyn Fn()); 3] = [
            ("longer", &|| fs::write(&path, "three").unwrap()),
            ("another file of the same size", &|| {
                let other = folder.path().join("other");
                fs::write(&other, "two").unwrap();
                fs::rename(other, &path).unwrap();
            }),
            ("removed", &|| fs::remove_file(&path).unwrap()),
        ];
        for (change, make) in changes {
            make();
            let error = program.check().unwrap_err().to_string();
            assert_eq!(error, format!("{} was replaced during the match", path.display()), "{change}");
        }
    }

    /// Such a program cannot be started, which is another error.
    #[test]
    fn a_missing_file_has_not_changed() {
        for command in ["/nonexistent/engine", "no-such-engine"] {
            Program::of(&PlayerSpec::parse("", &format!("cmd={command}")).unwrap()).check().unwrap();
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_command_without_a_folder_is_found_in_path() {
        let path = Program::of(&PlayerSpec::parse("", "cmd=sh").unwrap()).path;
        assert!(path.is_some_and(|path| path.ends_with("sh") && path.is_absolute()));
    }
}
