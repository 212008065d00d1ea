//! Writes files block by block.

use std::{
    fs::{self, File},
    io::{self, BufReader, Seek, SeekFrom, Write},
    path::Path,
};

use super::{
    Header, Variant,
    error::DataError,
    file::{MAGIC, RawBlock, RawBlocks, Totals, VERSION, is_zero, read_up_to, rest_is_zero},
};
use crate::files::LockedFile;

/// The end of a file that was cut off because it was no whole block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Cut {
    /// Its start, which is the end of the file now.
    pub at: u64,
    /// Its length in bytes, more than 0.
    pub bytes: u64,
}

/// A file that receives blocks.
#[derive(Debug)]
pub(super) struct Sink {
    file: LockedFile,
}

impl Sink {
    /// Creates a file.
    pub(super) fn create(path: &Path, header: &Header) -> Result<Self, DataError> {
        let head = head(header)?;
        let file = LockedFile::create_new(path).map_err(|error| match error.kind() {
            kind @ io::ErrorKind::AlreadyExists => io::Error::new(kind, "it exists; expected a new file"),
            _ => error,
        })?;
        Self::begin(file.ok_or(DataError::Busy)?, &head).inspect_err(|_| drop(fs::remove_file(path)))
    }

    /// Takes a file as it is.
    #[cfg(test)]
    pub(super) fn on(file: File) -> Self {
        Self { file: LockedFile::unlocked(file) }
    }

    /// Writes `head`, the beginning of a file.
    fn begin(mut file: LockedFile, head: &[u8]) -> Result<Self, DataError> {
        file.write_all(head)?;
        Ok(Self { file })
    }

    /// Continues a file. A last block that is partial is cut off, and so are zero bytes behind it; what was
    /// cut is returned. The counts of each whole block are passed to `each`, and the header to `check` before
    /// anything is changed. A file that consists of the beginning of `header`, as a killed run leaves it, is
    /// begun again.
    ///
    /// # Errors
    ///
    /// [`DataError`]; also for a damaged block that others follow.
    pub(super) fn append(
        path: &Path,
        header: &Header,
        check: impl FnOnce(&Header) -> Result<(), DataError>,
        mut each: impl FnMut(Totals),
    ) -> Result<(Self, Option<Cut>), DataError> {
        let mut file = LockedFile::open(path)?.ok_or(DataError::Busy)?;
        let head = head(header)?;
        if is_beginning_of(&head, &mut file)? {
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            return Ok((Self::begin(file, &head)?, None));
        }
        file.seek(SeekFrom::Start(0))?;
        let mut frames = RawBlocks::new(BufReader::with_capacity(1 << 17, &*file))?;
        check(frames.header())?;
        for frame in frames.by_ref() {
            match frame {
                Ok(frame) => each(frame.tally),
                Err(DataError::Partial { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        let at = frames.position();
        let bytes = file.metadata()?.len() - at;
        file.set_len(at)?;
        file.seek(SeekFrom::Start(at))?;
        Ok((Self { file }, (bytes > 0).then_some(Cut { at, bytes })))
    }

    /// Writes a block immediately.
    pub(super) fn write(&mut self, tally: Totals, body: &[u8]) -> io::Result<()> {
        self.file.write_all(&RawBlock::to_bytes(tally, body))
    }

    /// Waits until the disk has the file.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    /// Replaces the standard chess in the `header` of a new file by Chess960: PGN does not tell before it is
    /// read.
    pub(super) fn make_chess960(&mut self, header: &Header) -> io::Result<()> {
        // It is as long as before: both names have eight letters.
        let header = Header { variant: Variant::Chess960, ..header.clone() };
        self.file.seek(SeekFrom::Start(0))?;
        self.file.write_all(&head(&header).map_err(io::Error::other)?)
    }
}

/// The beginning of a file with `header`: all before its blocks.
///
/// # Errors
///
/// [`DataError::Unreadable`] if the reader would refuse it.
fn head(header: &Header) -> Result<Vec<u8>, DataError> {
    let text = serde_json::to_vec(header).map_err(|error| DataError::Unreadable(error.to_string()))?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(crc32fast::hash(&text).to_le_bytes());
    bytes.extend(text);
    match RawBlocks::new(&*bytes).map(drop) {
        Ok(()) => Ok(bytes),
        Err(DataError::Header(why)) => Err(DataError::Unreadable(why)),
        Err(error) => Err(error),
    }
}

/// Whether `file` is what a killed run leaves of `head`: its beginning, and zero bytes after a power failure.
fn is_beginning_of(head: &[u8], file: &mut File) -> io::Result<bool> {
    let begun = read_up_to(file, head.len())?;
    let same = begun.iter().zip(head).take_while(|(one, other)| one == other).count();
    Ok(same < head.len() && is_zero(&begun[same..]) && rest_is_zero(file)?)
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::*;

    #[test]
    fn a_header_that_cannot_be_read_is_not_written() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("new");
        let nested = (0..200).fold(Value::Null, |inner, _| Value::Array(vec![inner]));
        for recipe in [Value::String("x".repeat(1 << 24)), nested] {
            let header = Header { recipe, ..Header::new("a test") };
            Sink::create(&path, &header).unwrap_err();
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
            File::create(&path).unwrap();
            Sink::append(&path, &header, |_| Ok(()), |_| ()).unwrap_err();
            std::fs::remove_file(&path).unwrap();
        }
    }
}
