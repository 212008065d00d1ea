//! Writing files block by block.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufReader, Seek, SeekFrom, Write},
    path::Path,
};

use super::{
    DataError, Header, Kind, Totals,
    file::{FIXED, Frame, Frames, MAGIC, TEXT_HEAD, read_up_to},
    output::Output,
};

/// A file that blocks are written to.
#[derive(Debug)]
pub(super) struct Sink {
    file: File,
    /// The file's name to come, for one that is to be there whole or not at all.
    output: Option<Output>,
}

impl Sink {
    /// Begins a new file; of version 1, if it has no header.
    pub(super) fn create(path: &Path, header: Option<&Header>) -> Result<Self, DataError> {
        Self { file: File::create_new(path)?, output: None }.begin(header)
    }

    /// Begins a new file that has its name only when it is [finished](Self::finish).
    pub(super) fn create_whole(path: &Path, header: Option<&Header>) -> Result<Self, DataError> {
        let output = Output::create(path)?;
        Self { file: output.file().try_clone()?, output: Some(output) }.begin(header)
    }

    fn begin(mut self, header: Option<&Header>) -> Result<Self, DataError> {
        self.file.try_lock().map_err(|_| DataError::Busy)?;
        let mut bytes = MAGIC.to_vec();
        match header {
            None => bytes.extend(1_u32.to_le_bytes()),
            Some(header) => {
                let text =
                    serde_json::to_vec(header).map_err(|error| DataError::Header(error.to_string()))?;
                bytes.extend(2_u32.to_le_bytes());
                bytes.extend((text.len() as u32).to_le_bytes());
                bytes.extend(crc32fast::hash(&text).to_le_bytes());
                bytes.extend(text);
            }
        }
        self.file.write_all(&bytes)?;
        Ok(self)
    }

    /// Goes on with a file, whose torn last block, if it has one, is cut off. Each of its whole blocks is given to
    /// `each`, and its header to `check` before anything is changed. A file that a killed run left without a whole
    /// header is begun again with the given one.
    ///
    /// # Errors
    ///
    /// [`DataError`]; also for a damaged block that others follow, which ought to be looked at first.
    pub(super) fn append(
        path: &Path,
        header: Option<&Header>,
        check: impl FnOnce(Option<&Header>) -> Result<(), DataError>,
        mut each: impl FnMut(Frame),
    ) -> Result<Self, DataError> {
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        file.try_lock().map_err(|_| DataError::Busy)?;
        if is_torn_header(&mut file)? {
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            return Self { file, output: None }.begin(header);
        }
        file.seek(SeekFrom::Start(0))?;
        let mut frames = Frames::new(BufReader::with_capacity(1 << 17, &file))?;
        check(frames.header())?;
        let mut damaged = None;
        for frame in frames.by_ref() {
            match (frame, damaged) {
                (Err(DataError::Torn { .. }), None) => {}
                (Err(DataError::Damaged { at }), None) => damaged = Some(at),
                (Err(error), None) => return Err(error),
                (_, Some(at)) => return Err(DataError::Damaged { at }),
                (Ok(frame), None) => each(frame),
            }
        }
        let end = damaged.unwrap_or(frames.position());
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        Ok(Self { file, output: None })
    }

    /// Writes a block at once.
    pub(super) fn write(&mut self, kind: Kind, tally: Totals, body: &[u8]) -> io::Result<()> {
        self.file.write_all(&Frame::to_bytes(kind, tally, body))
    }

    /// Gives a file that is to be there whole its name.
    pub(super) fn finish(self) -> io::Result<()> {
        self.output.map_or(Ok(()), Output::finish)
    }
}

/// Whether `file` is the beginning of a header, as far as that can be seen, and ends within it.
fn is_torn_header(file: &mut File) -> io::Result<bool> {
    let head = read_up_to(file, FIXED + TEXT_HEAD)?;
    if head.len() < FIXED {
        return Ok(MAGIC.starts_with(&head) || head.starts_with(MAGIC));
    }
    if !head.starts_with(&[&MAGIC[..], &2_u32.to_le_bytes()].concat()) {
        return Ok(false);
    }
    let Some((_, [a, b, c, d, ..])) = head.split_first_chunk::<FIXED>() else { return Ok(true) };
    let length = u64::from(u32::from_le_bytes([*a, *b, *c, *d]));
    Ok(file.metadata()?.len() < (FIXED + TEXT_HEAD) as u64 + length)
}
