//! Places of output files.

use std::{io, path::Path};

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
    use super::*;

    #[test]
    fn a_name_alone_is_in_the_current_folder() {
        for (path, of) in [("a", "."), ("./a", "."), ("b/a", "b"), ("/b/a", "/b")] {
            assert_eq!(folder(Path::new(path)), Path::new(of), "{path}");
        }
    }
}
