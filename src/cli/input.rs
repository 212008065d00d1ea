//! Files that subcommands read.

use std::path::Path;

use anyhow::Context;

/// Whether something that may be read as a file is at `path`, such as a file or a pipe.
pub(super) fn is_there(path: &Path) -> bool {
    path.metadata().is_ok_and(|there| !there.is_dir())
}

/// Adds the name of a file to errors.
pub(super) trait InFile<T, E>: Context<T, E> + Sized {
    fn in_file(self, path: &Path) -> anyhow::Result<T> {
        self.with_context(|| path.display().to_string())
    }
}

impl<T, E, R: Context<T, E>> InFile<T, E> for R {}
