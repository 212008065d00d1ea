//! Files that subcommands read.

use std::path::{Path, PathBuf};

use anyhow::Context;

use super::output::is_same_file;

/// The name of standard input, for subcommands that read it.
pub(crate) const STDIN: &str = "-";

/// Whether `path` is standard input: [`STDIN`], or a name that the system gives it.
fn is_stdin(path: &Path) -> bool {
    const NAMES: [&str; 3] = ["/dev/stdin", "/dev/fd/0", "/proc/self/fd/0"];
    path == STDIN || cfg!(unix) && NAMES.iter().any(|name| path == Path::new(name))
}

/// Whether something that may be read as a file is at `path`, such as a file or a pipe.
pub(crate) fn is_there(path: &Path) -> bool {
    path.metadata().is_ok_and(|there| !there.is_dir())
}

/// Checks that no two of `paths` lead to the same file, which would count twice.
pub(crate) fn check_each_once(paths: &[PathBuf]) -> anyhow::Result<()> {
    for (index, path) in paths.iter().enumerate() {
        let is_again = |earlier: &PathBuf| {
            is_stdin(earlier) && is_stdin(path) || earlier.exists() && is_same_file(earlier, path)
        };
        let again = paths[..index].iter().any(is_again);
        anyhow::ensure!(!again, "expected each file once, got {} twice", path.display());
    }
    Ok(())
}

/// Adds the name of a file to errors.
pub(crate) trait InFile<T, E>: Context<T, E> + Sized {
    fn in_file(self, path: &Path) -> anyhow::Result<T> {
        self.with_context(|| path.display().to_string())
    }
}

impl<T, E, R: Context<T, E>> InFile<T, E> for R {}
