//! The program file of a player, which must not change while a match plays it: a later process would be another player.

use std::env::{self, consts::EXE_SUFFIX};
use std::fs::{self, Metadata};
use std::io;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::arena::players::spec::PlayerSpec;

/// The program file of a player as it was found.
#[derive(Debug, Clone)]
pub struct Program {
    /// `None` if it is not found. Then it cannot be started either.
    path: Option<PathBuf>,
    state: Option<FileState>,
}

/// What tells a file from another one in its place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct FileState {
    length: u64,
    modified: Option<SystemTime>,
    /// The device and the number of the file on it, where the system tells them.
    file: Option<(u64, u64)>,
}

impl FileState {
    fn of(path: &Path) -> Option<Self> {
        let file = fs::metadata(path).ok()?;
        Some(FileState { length: file.len(), modified: file.modified().ok(), file: number(&file) })
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
    /// Finds the program of `player` and notes its state.
    #[must_use]
    pub fn of(player: &PlayerSpec) -> Self {
        let path = find(player);
        Program { state: path.as_deref().and_then(FileState::of), path }
    }

    /// Its path, if it is found.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// Checks that the file is still the one that was found.
    ///
    /// # Errors
    /// One that names the file, if it has changed.
    pub fn check(&self) -> io::Result<()> {
        let Some(path) = &self.path else { return Ok(()) };
        if FileState::of(path) == self.state {
            return Ok(());
        }
        Err(io::Error::other(format!("{} was replaced during the match", path.display())))
    }
}

/// The path of a player's program: relative to the directory it runs in, or in a folder of `PATH` if its command has no
/// folder. The system may add the extension of programs.
fn find(player: &PlayerSpec) -> Option<PathBuf> {
    let command = &player.command;
    let has_folder = command.parent().is_some_and(|folder| !folder.as_os_str().is_empty());
    let folders = match has_folder {
        true => vec![player.directory.clone().unwrap_or_default()],
        false => env::split_paths(&env::var_os("PATH")?).collect(),
    };
    let mut with_extension = command.clone().into_os_string();
    with_extension.push(EXE_SUFFIX);
    let mut paths = folders.iter().flat_map(|folder| [folder.join(command), folder.join(&with_extension)]);
    paths.find(|path| path.is_file())
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
