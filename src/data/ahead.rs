//! Reading ahead: bytes are examined before they are passed.

use std::io::{self, Read};

/// The minimum number of bytes to read at once.
const CHUNK: usize = 1 << 12;

/// An input whose next bytes can be examined any number of times.
#[derive(Debug)]
pub(super) struct Ahead<R> {
    input: R,
    /// Bytes that were read; those before `passed` are not needed any more.
    held: Vec<u8>,
    passed: usize,
}

impl<R: Read> Ahead<R> {
    pub(super) fn new(input: R) -> Self {
        Self { input, held: Vec::new(), passed: 0 }
    }

    /// Returns the next `count` bytes; fewer only at the end of the input.
    pub(super) fn peek(&mut self, count: usize) -> io::Result<&[u8]> {
        let missing = count.saturating_sub(self.held.len() - self.passed);
        if missing > 0 {
            self.held.drain(..self.passed);
            self.passed = 0;
            let missing = missing.max(CHUNK);
            self.held.reserve(missing);
            self.input.by_ref().take(missing as u64).read_to_end(&mut self.held)?;
        }
        let next = &self.held[self.passed..];
        Ok(&next[..count.min(next.len())])
    }

    /// Passes `count` bytes, which must have been examined.
    pub(super) fn pass(&mut self, count: usize) {
        self.passed += count;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bytes_stay_until_they_are_passed() {
        let bytes: Vec<u8> = (0..=255).cycle().take(3 * CHUNK + 10).collect();
        let mut ahead = Ahead::new(&*bytes);
        let mut at = 0;
        for (peeked, passed) in [(1, 0), (28, 28), (2 * CHUNK, CHUNK + 3), (1, 1), (3 * CHUNK, CHUNK)] {
            let end = bytes.len().min(at + peeked);
            assert_eq!(ahead.peek(peeked).unwrap(), &bytes[at..end]);
            ahead.pass(passed);
            at += passed;
        }
        let left = bytes.len() - at;
        assert_eq!(ahead.peek(left + 1).unwrap().len(), left);
        ahead.pass(left);
        assert!(ahead.peek(1).unwrap().is_empty());
    }
}
