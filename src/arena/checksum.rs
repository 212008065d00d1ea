//! Checksums of the files of a match: programs and openings.

/// Length and CRC-32: detects changes, but not malicious ones.
#[derive(Debug, Default)]
pub(super) struct Checksum {
    length: usize,
    hasher: crc32fast::Hasher,
}

impl Checksum {
    /// Adds the next bytes.
    pub(super) fn add(&mut self, bytes: &[u8]) {
        self.length += bytes.len();
        self.hasher.update(bytes);
    }

    /// The checksum of all bytes as text.
    pub(super) fn finish(self) -> String {
        format!("{} bytes, {:08x}", self.length, self.hasher.finalize())
    }
}

/// The checksum of `bytes`.
pub(super) fn checksum(bytes: &[u8]) -> String {
    let mut sum = Checksum::default();
    sum.add(bytes);
    sum.finish()
}
