//! Reads lines of input, of any content and length.

use std::io::{self, BufRead, Read as _};

use crate::text::BYTE_ORDER_MARK;

/// The longest accepted line, in bytes; a game of 600 moves takes 3,000.
pub const LONGEST_LINE: usize = 1 << 20;

/// One line of input.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Line {
    /// The text, possibly with its line ending; invalid UTF-8 is replaced.
    Text(String),
    /// A line longer than [`LONGEST_LINE`], which has been skipped.
    TooLong,
}

/// Reads the next line, without a byte-order mark at its start; `None` at the end of the input.
pub(super) fn next_line(input: &mut impl BufRead) -> io::Result<Option<Line>> {
    let mut bytes = Vec::new();
    read_piece(input, &mut bytes)?;
    if bytes.is_empty() {
        return Ok(None);
    }
    if bytes.len() < LONGEST_LINE || bytes.ends_with(b"\n") {
        // It belongs before the first line only, but means nothing before another one either.
        let text = bytes.strip_prefix(BYTE_ORDER_MARK.as_bytes()).unwrap_or(&bytes);
        return Ok(Some(Line::Text(String::from_utf8_lossy(text).into_owned())));
    }
    while !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.clear();
        read_piece(input, &mut bytes)?;
    }
    Ok(Some(Line::TooLong))
}

fn read_piece(input: &mut impl BufRead, bytes: &mut Vec<u8>) -> io::Result<usize> {
    input.by_ref().take(LONGEST_LINE as u64).read_until(b'\n', bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(mut input: &[u8]) -> Vec<Line> {
        std::iter::from_fn(|| next_line(&mut input).unwrap()).collect()
    }

    #[test]
    fn lines_end_with_a_newline_or_with_the_input() {
        let text = |s: &str| Line::Text(s.to_owned());
        assert_eq!(lines(b"uci\r\n\nquit"), [text("uci\r\n"), text("\n"), text("quit")]);
        assert_eq!(lines(b""), []);
    }

    #[test]
    fn foreign_bytes_are_replaced() {
        assert_eq!(lines(b"\xff\xfego\n"), [Line::Text("\u{fffd}\u{fffd}go\n".to_owned())]);
    }

    #[test]
    fn a_byte_order_mark_is_dropped() {
        assert_eq!(lines(b"\xef\xbb\xbfuci\n"), [Line::Text("uci\n".to_owned())]);
        assert_eq!(lines(b"\xef\xbb\xbf"), [Line::Text(String::new())], "it is not the end of the input");
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_and_the_next_one_read() {
        let mut input = vec![b'x'; 3 * LONGEST_LINE + 5];
        input.extend_from_slice(b"\nisready\n");
        assert_eq!(lines(&input), [Line::TooLong, Line::Text("isready\n".to_owned())]);
        let mut exact = vec![b'x'; LONGEST_LINE - 1];
        exact.push(b'\n');
        assert!(matches!(lines(&exact)[..], [Line::Text(_)]));
    }
}
