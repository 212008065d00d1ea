//! Text files as people have them: in UTF-8 with or without a byte-order mark, or in Latin-1.

use std::{fs, io, path::Path};

/// Reads a file and [decodes](decode) it.
///
/// # Errors
///
/// The error of reading.
pub fn read(path: &Path) -> io::Result<String> {
    fs::read(path).map(|bytes| decode(&bytes))
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
    let bytes = bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(bytes);
    let mut text = String::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|&byte| byte == b'\n') {
        match str::from_utf8(line) {
            Ok(line) => text.push_str(line),
            Err(_) => text.extend(line.iter().copied().map(char::from)),
        }
    }
    text
}
