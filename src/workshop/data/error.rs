//! The errors of data files.

use std::io;

/// The reason why data cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A pipe or a device, which can be read only once.
    #[error("expected a regular file, because it is read more than once")]
    Stream,
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The file does not begin with the magic bytes.
    #[error("not a data file")]
    Foreign,
    /// Another version of the format.
    #[error("expected version 2 of the format, got {0}")]
    Version(u32),
    /// The header is damaged.
    #[error("the header is damaged: {0}")]
    Header(String),
    /// The file ends within the header, as after a killed run.
    #[error("the header is damaged: the file ends within it")]
    TornHeader,
    /// The header of a new file could not be read again, so nothing was written.
    #[error("its header could not be read again: {0}")]
    Unreadable(String),
    /// The checksum of a block is wrong, or its contents are invalid. Nothing behind it is read.
    #[error(
        "the block at byte {at} is damaged; the {before} positions before it are whole. Make the file again, or cut it there \
         (on Linux: `truncate -s {at}`): `datagen --resume` then plays its other games again"
    )]
    Damaged {
        /// The start of the block.
        at: u64,
        /// The number of positions before it.
        before: u64,
    },
    /// The last block is incomplete or damaged, as after a killed run; or zero bytes are in its place, as
    /// after a power failure.
    #[error(
        "the last block, at byte {at}, is incomplete or damaged; the {before} positions before it are whole. Make the file \
         again, or go on with `datagen --resume`, which plays the missing games again"
    )]
    Partial {
        /// The start of the block.
        at: u64,
        /// The number of positions before it.
        before: u64,
    },
    /// Another process is writing to the file.
    #[error("another process is writing to it")]
    Busy,
}

impl DataError {
    /// Whether the beginning of the file can be read, and a later part is lost.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged { .. } | Self::Partial { .. })
    }
}
