//! Checksums of the files of a match: programs and openings.

/// Length and CRC-32: detects changes, but not malicious ones.
pub(super) fn checksum(bytes: &[u8]) -> String {
    format!("{} bytes, {:08x}", bytes.len(), crc32fast::hash(bytes))
}
