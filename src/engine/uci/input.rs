//! Reads lines of input, of any content and length.

use std::io::{self, BufRead, Read as _};

use crate::chess::text::decode;

/// The longest accepted line, in bytes; a game of 600 moves takes 3,000.
pub const LONGEST_LINE: usize = 1 << 20;

/// One line of input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum InputLine {
    /// The text, possibly with its line ending.
    Text(String),
    /// A line longer than [`LONGEST_LINE`], which has been skipped.
    TooLong,
}

/// Reads the next line, without a byte-order mark at its start; `None` at the end of the input. What is not
/// UTF-8 is read as Windows-1252, in which some GUIs write the paths of files.
pub(super) fn next_line(input: &mut impl BufRead) -> io::Result<Option<InputLine>> {
    let mut bytes = Vec::new();
    read_piece(input, &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() < LONGEST_LINE || bytes.ends_with(b"\n") {
        return Ok(Some(InputLine::Text(decode(&bytes))));
    }
    while !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.clear();
        read_piece(input, &mut bytes)?;
    }
    Ok(Some(InputLine::TooLong))
}

fn read_piece(input: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<usize> {
    input.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut input: &[u8]) -> Vec<InputLine> {
        std::iter::from_fn(|| next_line(&mut input).unwrap()).collect()
    }

    #[test]
    fn lines_end_with_a_newline_or_with_the_input() {
        let text = |s: &str| InputLine::Text(s.to_owned());
        assert_eq!(lines(b"uci\r\n\nquit"), [text("uci\r\n"), text("\n"), text("quit")]);
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn bytes_beyond_utf_8_are_windows_1252() {
        assert_eq!(
            lines(b"B\xfccher\nB\xc3\xbccher\n"),
            ["Bücher\n", "Bücher\n"].map(|it| InputLine::Text(it.to_owned()))
        );
    }

    #[test]
    fn a_byte_order_mark_is_dropped() {
        assert_eq!(lines(b"\xef\xbb\xbfuci\n"), [InputLine::Text("uci\n".to_owned())]);
        assert_eq!(
            lines(b"\xef\xbb\xbf"),
            [InputLine::Text(String::new())],
            "it is not the end of the input"
        );
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_and_the_next_one_read() {
        let mut input = vec![b'x'; 3 * LONGEST_LINE + 5];
        input.extend_from_slice(b"\nisready\n");
        assert_eq!(lines(&input), [InputLine::TooLong, InputLine::Text("isready\n".to_owned())]);
        let mut exact = vec![b'x'; LONGEST_LINE - 1];
        exact.push(b'\n');
        assert!(matches!(lines(&exact)[..], [InputLine::Text(_)]));
    }
}
