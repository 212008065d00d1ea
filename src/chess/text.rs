//! Text files as people have them: in UTF-8 with or without a byte-order mark, in UTF-16 with one, or in
//! Windows-1252, and perhaps without an end of their last line; and lists of one entry a line.

use std::{
    fs,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

/// The byte-order mark, which some programs write at the start of a text in UTF-8.
pub const BYTE_ORDER_MARK: &str = "\u{feff}";

/// The byte-order marks of UTF-16.
const LITTLE_ENDIAN: [u8; 2] = [0xff, 0xfe];
const BIG_ENDIAN: [u8; 2] = [0xfe, 0xff];

/// Whether a text that begins with these bytes is in UTF-16.
#[must_use]
pub fn is_utf_16(begin: &[u8]) -> bool {
    begin.starts_with(&LITTLE_ENDIAN) || begin.starts_with(&BIG_ENDIAN)
}

/// Reads a file and [decodes](decode) it.
///
/// # Errors
///
/// The error of reading.
pub fn read(path: &Path) -> io::Result<String> {
    fs::read(path).map(|bytes| decode(&bytes))
}

/// Decodes text: as UTF-16 if it begins with the byte-order mark of UTF-16, else line by line, as UTF-8 if
/// valid or else as Windows-1252. A byte-order mark at the start of a line is dropped: joined files have one
/// within. Lines that end with a carriage return alone, as on old Macintoshes, end with a line feed
/// afterwards.
///
/// ```
/// use zugwerk::chess::text::decode;
/// assert_eq!(decode(b"\xef\xbb\xbfG\xc3\xbcnter\nG\xfcnter\x92s\n"), "Günter\nGünter’s\n");
/// assert_eq!(decode(b"one\rtwo\r"), "one\ntwo\n");
/// ```
#[must_use]
pub fn decode(bytes: &[u8]) -> String {
    if let Some(text) = utf_16(bytes) {
        return text;
    }
    let end = line_end(bytes);
    let mut text = String::with_capacity(bytes.len());
    for line in bytes.split_inclusive(|&byte| byte == end) {
        push_line(&mut text, line);
    }
    text
}

/// A text that is [decoded](decode) in parts, so that it need not fit into memory.
#[derive(Debug)]
pub struct Parts<R> {
    input: BufReader<R>,
    /// The last byte of a line; `None` before the first part.
    line_end: Option<u8>,
}

impl<R: Read> Parts<R> {
    /// Begins with the first byte of `input`.
    pub fn new(input: R) -> Self {
        Self { input: BufReader::with_capacity(1 << 16, input), line_end: None }
    }

    /// Appends the next lines to `text`: as few as have `least` bytes together, and those behind them that
    /// need no waiting. Returns whether more may follow.
    ///
    /// # Errors
    ///
    /// The error of reading.
    pub fn append(&mut self, text: &mut String, least: usize) -> io::Result<bool> {
        let mut line = Vec::new();
        let begin = self.input.fill_buf()?;
        if self.line_end.is_none() && is_utf_16(begin) {
            self.input.read_to_end(&mut line)?;
            text.push_str(&decode(&line));
            return Ok(false);
        }
        let end = *self.line_end.get_or_insert(line_end(begin));
        let enough = text.len() + least;
        while text.len() < enough || self.input.buffer().contains(&end) {
            line.clear();
            if self.input.read_until(end, &mut line)? == 0 {
                return Ok(false);
            }
            push_line(text, &line);
        }
        Ok(true)
    }
}

/// The byte that ends the lines of a text that begins with `bytes`.
fn line_end(bytes: &[u8]) -> u8 {
    if bytes.contains(&b'\r') && !bytes.contains(&b'\n') { b'\r' } else { b'\n' }
}

/// Decodes a line, with its end, and appends it to `text`.
fn push_line(text: &mut String, line: &[u8]) {
    let line = line.strip_prefix(BYTE_ORDER_MARK.as_bytes()).unwrap_or(line);
    match str::from_utf8(line) {
        Ok(line) => text.push_str(line),
        Err(_) => text.extend(line.iter().copied().map(windows_1252)),
    }
    if text.ends_with('\r') {
        text.pop();
        text.push('\n');
    }
}

/// Decodes UTF-16, if `bytes` begin with its mark.
fn utf_16(bytes: &[u8]) -> Option<String> {
    let (mark, text) = bytes.split_first_chunk()?;
    let unit = match *mark {
        LITTLE_ENDIAN => u16::from_le_bytes,
        BIG_ENDIAN => u16::from_be_bytes,
        _ => return None,
    };
    let units = text.as_chunks().0.iter().map(|&two| unit(two));
    let chars = char::decode_utf16(units).map(|c| c.unwrap_or(char::REPLACEMENT_CHARACTER));
    let mut text: String = chars.collect();
    if line_end(text.as_bytes()) == b'\r' {
        text = text.replace('\r', "\n");
    }
    Some(text.replace("\n\u{feff}", "\n"))
}

/// Returns the entries of a list with the numbers of their lines, from 1. Empty lines and those that begin
/// with `#` are left out, and blanks around an entry.
///
/// ```
/// use zugwerk::chess::text::entries;
/// assert!(entries("# two\n one\n\ntwo\n").eq([(2, "one"), (4, "two")]));
/// ```
pub fn entries(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let lines = (1..).zip(text.lines().map(str::trim));
    lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
}

/// The character of a byte of Windows-1252: Latin-1, which the PGN standard of 1994 prescribes, with more
/// letters and signs in place of control characters. Programs for Windows write it. Five bytes have no
/// character and remain control characters.
fn windows_1252(byte: u8) -> char {
    const FROM_128: [char; 32] = [
        '€', '\u{81}', '‚', 'ƒ', '„', '…', '†', '‡', 'ˆ', '‰', 'Š', '‹', 'Œ', '\u{8d}', 'Ž', '\u{8f}',
        '\u{90}', '‘', '’', '“', '”', '•', '–', '—', '˜', '™', 'š', '›', 'œ', '\u{9d}', 'ž', 'Ÿ',
    ];
    let beyond_ascii = usize::from(byte).checked_sub(128);
    beyond_ascii.and_then(|index| FROM_128.get(index)).copied().unwrap_or(char::from(byte))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_are_dropped_where_files_are_joined() {
        assert_eq!(decode("\u{feff}one\n\u{feff}two\n".as_bytes()), "one\ntwo\n");
        assert_eq!(decode("one\u{feff}\n".as_bytes()), "one\u{feff}\n", "elsewhere it is a character");
    }

    #[test]
    fn a_mark_of_utf_16_tells_its_order_of_bytes() {
        let text = "Günter ½ 🙂\n";
        let units = || "\u{feff}".encode_utf16().chain(text.encode_utf16());
        assert_eq!(decode(&units().flat_map(u16::to_le_bytes).collect::<Vec<u8>>()), text);
        assert_eq!(decode(&units().flat_map(u16::to_be_bytes).collect::<Vec<u8>>()), text);
        assert_eq!(
            decode(b"\xff\xfea\0\0\xd8b\0c"),
            "a\u{fffd}b",
            "half a character in the middle and at the end"
        );
        assert_eq!(decode(b"\xff\xfea\0\n\0\xff\xfeb\0"), "a\nb", "two files that were joined");
    }

    #[test]
    fn a_text_may_be_decoded_in_parts() {
        let utf_16: Vec<u8> = "\u{feff}eins\rzwei".encode_utf16().flat_map(u16::to_be_bytes).collect();
        for bytes in [
            &b"\xef\xbb\xbfG\xc3\xbcnter\r\nG\xfcnter\n\n\xef\xbb\xbfend"[..],
            b"one\r\rtwo\r",
            b"a\rb\nc",
            b"",
            &utf_16,
        ] {
            for least in [1, 9, 100] {
                let (mut text, mut parts) = (String::new(), Parts::new(bytes));
                while parts.append(&mut text, least).unwrap() {
                    assert!(
                        text.ends_with('\n') || text.len() == decode(bytes).len(),
                        "whole lines: {text:?}"
                    );
                }
                assert_eq!(text, decode(bytes), "{least}");
            }
        }
        assert_eq!(decode(&utf_16), "eins\nzwei");
    }

    #[test]
    fn every_byte_has_its_character() {
        let line: Vec<u8> = (0x20..=0xff).collect();
        let text: Vec<char> = decode(&line).chars().collect();
        assert_eq!(text.len(), line.len());
        assert_eq!(text[0x7f - 0x20], '\u{7f}');
        assert_eq!((text[0x80 - 0x20], text[0x8a - 0x20], text[0x9f - 0x20]), ('€', 'Š', 'Ÿ'));
        assert_eq!((text[0xa0 - 0x20], text[0xe9 - 0x20], text[0xff - 0x20]), ('\u{a0}', 'é', 'ÿ'));
    }
}
