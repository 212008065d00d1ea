//! Text files as people have them: in UTF-8 with or without a byte-order mark, or in Latin-1, and perhaps without an end
//! of their last line. Also numbers with their nouns.

use std::{
    fs::{self, File},
    io::{self, Read as _, Seek as _, SeekFrom, Write as _},
    path::Path,
};

/// The byte-order mark, which some programs write at the start of a text in UTF-8.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

/// Reads a file and [decodes](decode) it.
///
/// # Errors
///
/// The error of reading.
pub fn read(path: &Path) -> io::Result<String> {
    fs::read(path).map(|bytes| decode(&bytes))
}

/// Opens a file to append lines to it, and creates it if it does not exist. If its last line has no end, for example
/// because the writer was killed, that line is ended first.
///
/// # Errors
///
/// The error of opening or writing.
pub fn append_lines(path: &Path) -> io::Result<File> {
    let mut file = File::options().append(true).create(true).open(path)?;
    if !matches!(last_bytes(path, 1)[..], [] | [b'\n']) {
        file.write_all(b"\n")?;
    }
    Ok(file)
}

/// Returns the last `count` bytes of a file, or all if it has fewer; none if it cannot be read or is not a regular file.
#[must_use]
pub fn last_bytes(path: &Path, count: u64) -> Vec<u8> {
    let read = || -> io::Result<Vec<u8>> {
        let mut file = File::open(path)?;
        let length = file.metadata()?.len();
        file.seek(SeekFrom::Start(length.saturating_sub(count)))?;
        let mut bytes = Vec::new();
        file.take(count).read_to_end(&mut bytes)?;
        Ok(bytes)
    };
    if path.is_file() { read().unwrap_or_default() } else { Vec::new() }
}

/// Decodes text line by line: as UTF-8 if valid, else as Latin-1, which the PGN standard of 1994 prescribes. A
/// byte-order mark at the start is dropped.
///
/// ```
/// use zugwerk::text::decode;
/// assert_eq!(decode(b"\xef\xbb\xbfG\xc3\xbcnter\nG\xfcnter\n"), "Günter\nGünter\n");
/// ```
#[must_use]
pub fn decode(bytes: &[u8]) -> String {
    let bytes = bytes.strip_prefix(BYTE_ORDER_MARK.as_bytes()).unwrap_or(bytes);
    let mut text = String::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        match str::from_utf8(line) {
            Ok(line) => text.push_str(line),
            Err(_) => text.extend(line.iter().copied().map(char::from)),
        }
    }
    text
}

/// Returns the number `count` with the noun that fits it.
///
/// ```
/// use zugwerk::text::counted;
/// assert_eq!(counted(1, "ply", "plies"), "1 ply");
/// assert_eq!(counted(0, "ply", "plies"), "0 plies");
/// ```
#[must_use]
pub fn counted(count: u64, one: &str, many: &str) -> String {
    format!("{count} {}", noun(count, one, many))
}

/// Returns the noun that fits the number `count`.
#[must_use]
pub const fn noun<'w>(count: u64, one: &'w str, many: &'w str) -> &'w str {
    if count == 1 { one } else { many }
}

#[cfg(test)]
mod tests {
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
}
