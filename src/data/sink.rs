//! Writes files block by block.

use std::{
    fs::{self, File, OpenOptions},
    io::{self, BufRead, BufReader, Seek, SeekFrom, Write},
    path::Path,
};

use super::{
    DataError, Header, Kind, Totals, Variant,
    file::{Frame, Frames, MAGIC, is_zero, read_up_to},
    output::in_words,
};
use crate::lock::try_lock;

/// A file that receives blocks.
#[derive(Debug)]
pub(super) struct Sink {
    file: File,
    /// The header, if it was just written.
    header: Option<Header>,
}

impl Sink {
    /// Creates a file.
    pub(super) fn create(path: &Path, header: &Header) -> Result<Self, DataError> {
        let head = head(header)?;
        let file = File::create_new(path).map_err(in_words)?;
        let begun = Self::begin(file, header, &head);
        // A file that another process has locked meanwhile is not ours any more.
        if matches!(begun, Err(DataError::Io(_))) {
            let _ = fs::remove_file(path);
        }
        begun
    }

    /// Takes a file as it is.
    #[cfg(test)]
    pub(super) fn on(file: File) -> Self {
        Self { file, header: None }
    }

    /// Writes `head`, the beginning of a file with `header`.
    fn begin(mut file: File, header: &Header, head: &[u8]) -> Result<Self, DataError> {
        lock(&file)?;
        file.write_all(head)?;
        Ok(Self { file, header: Some(header.clone()) })
    }

    /// Continues a file. A last block that is torn or damaged is cut off, and so are zero bytes behind it. Each whole
    /// block is passed to `each`, and the header to `check` before anything is changed. A file that consists of the
    /// beginning of `header`, as a killed run leaves it, is begun again.
    ///
    /// # Errors
    ///
    /// [`DataError`]; also for a file of version 1, and for a damaged block that is followed by others, which should be
    /// examined first.
    pub(super) fn append(
        path: &Path,
        header: &Header,
        check: impl FnOnce(&Header) -> Result<(), DataError>,
        mut each: impl FnMut(Frame),
    ) -> Result<Self, DataError> {
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        lock(&file)?;
        let head = head(header)?;
        if is_beginning_of(&head, &mut file)? {
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            return Self::begin(file, header, &head);
        }
        file.seek(SeekFrom::Start(0))?;
        let mut frames = Frames::new(BufReader::with_capacity(1 << 17, &file))?;
        let found = frames.header().ok_or(DataError::NoHeader)?;
        found.expect(header.kind)?;
        check(found)?;
        let mut damaged = None;
        for frame in frames.by_ref() {
            match (frame, damaged) {
                (Err(DataError::Torn { .. }), _) => {}
                (_, Some(at)) => return Err(DataError::Damaged { at }),
                (Err(DataError::Damaged { at }), None) => damaged = Some(at),
                (Err(error), None) => return Err(error),
                (Ok(frame), None) => each(frame),
            }
        }
        let end = damaged.unwrap_or(frames.position());
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        Ok(Self { file, header: None })
    }

    /// Writes a block immediately.
    pub(super) fn write(&mut self, kind: Kind, tally: Totals, body: &[u8]) -> io::Result<()> {
        self.file.write_all(&Frame::to_bytes(kind, tally, body))
    }

    /// Waits until the disk has the file.
    pub(super) fn sync(&self) -> io::Result<()> {
        self.file.sync_all()
    }

    /// Completes the header of a new file. If it turned out to have positions of Chess960, the header says so: the text that
    /// they were made from does not tell before, nor does a file of version 1.
    pub(super) fn finish(mut self, is_chess960: bool) -> io::Result<()> {
        match self.header {
            Some(mut header) if is_chess960 && header.variant == Variant::Standard => {
                header.variant = Variant::Chess960;
                // It is as long as before: both names have eight letters.
                self.file.seek(SeekFrom::Start(0))?;
                self.file.write_all(&head(&header).map_err(io::Error::other)?)
            }
            _ => Ok(()),
        }
    }
}

fn lock(file: &File) -> Result<(), DataError> {
    if try_lock(file)? { Ok(()) } else { Err(DataError::Busy) }
}

/// The beginning of a file with `header`: all before its blocks.
///
/// # Errors
///
/// [`DataError::Unreadable`] if the reader would refuse it.
fn head(header: &Header) -> Result<Vec<u8>, DataError> {
    let text = serde_json::to_vec(header).map_err(|error| DataError::Unreadable(error.to_string()))?;
    let mut bytes = MAGIC.to_vec();
    bytes.extend(2_u32.to_le_bytes());
    bytes.extend((text.len() as u32).to_le_bytes());
    bytes.extend(crc32fast::hash(&text).to_le_bytes());
    bytes.extend(text);
    match Frames::new(&*bytes).map(drop) {
        Ok(()) => Ok(bytes),
        Err(DataError::Header(why)) => Err(DataError::Unreadable(why)),
        Err(error) => Err(error),
    }
}

/// Whether `file` is what a killed run leaves of `head`: its beginning, and zero bytes after a power failure.
fn is_beginning_of(head: &[u8], file: &mut File) -> io::Result<bool> {
    let begun = read_up_to(file, head.len())?;
    let same = begun.iter().zip(head).take_while(|(one, other)| one == other).count();
    if same == head.len() || !is_zero(&begun[same..]) {
        return Ok(false);
    }
    let mut rest = BufReader::new(file);
    loop {
        let bytes = rest.fill_buf()?;
        let length = bytes.len();
        if length == 0 || !is_zero(bytes) {
            return Ok(length == 0);
        }
        rest.consume(length);
    }
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
            let header = Header { recipe, ..Header::new(Kind::Positions, "a test") };
            Sink::create(&path, &header).unwrap_err();
            assert_eq!(std::fs::read_dir(folder.path()).unwrap().count(), 0);
            File::create(&path).unwrap();
            Sink::append(&path, &header, |_| Ok(()), |_| ()).unwrap_err();
            std::fs::remove_file(&path).unwrap();
        }
    }
}
