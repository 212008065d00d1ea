//! Files of records: read block by block, written game by game.

use std::{
    fs::{File, OpenOptions},
    io::{self, BufReader, Read, Seek, SeekFrom, Write},
    path::Path,
};

use super::Record;

const MAGIC: &[u8; 8] = b"ZWDATA\r\n";
const VERSION: u32 = 1;
const HEADER: u64 = 12;
const MARKER: &[u8; 4] = b"ZWBK";
const HEAD: usize = 16;
/// From this many records on, a block is closed when its game is over: 64 KiB.
pub const BLOCK_RECORDS: usize = 2048;
/// More records than any writer puts into a block; a larger count is damage.
const MAX_RECORDS: usize = 1 << 20;
/// Loose records close a block at this many: 1 MiB. No game is that long.
const LOOSE_RECORDS: usize = 1 << 15;

/// Why data cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The file itself.
    #[error("{0}")]
    Io(#[from] io::Error),
    /// It does not begin as data does.
    #[error("not a data file")]
    Foreign,
    /// It was written by a later Zugwerk.
    #[error("expected version {VERSION} of the format, got {0}")]
    Version(u32),
    /// A block's checksum is wrong, or a record of it means nothing. The blocks behind it can be read.
    #[error("the block at byte {at} is damaged")]
    Damaged {
        /// Where the block begins.
        at: u64,
    },
    /// What should be a block's head is none: nothing behind it can be read.
    #[error("no block at byte {at}: the rest of the file is lost")]
    Lost {
        /// Where the block should begin.
        at: u64,
    },
    /// The file ends within a block, as a killed run leaves it.
    #[error("the file ends within the block at byte {at}")]
    Torn {
        /// Where the block begins.
        at: u64,
    },
    /// Another process is writing to the file.
    #[error("another process is writing to it")]
    Busy,
}

/// What a file or a part of it holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Records.
    pub records: u64,
    /// Games they are from, as far as they are not loose.
    pub games: u64,
}

/// A block: the positions of some whole games, or loose ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Games in it, those whose positions were all dropped as duplicates included; 0 for loose records.
    pub games: u32,
    /// Its records, at most 2²⁰.
    pub records: Vec<Record>,
}

impl Block {
    fn to_bytes(&self) -> Vec<u8> {
        let count = u32::try_from(self.records.len()).expect("at most 2^20");
        let mut body = Vec::with_capacity(8 + self.records.len() * Record::SIZE);
        body.extend(count.to_le_bytes());
        body.extend(self.games.to_le_bytes());
        for record in &self.records {
            body.extend(record.to_bytes());
        }
        [MARKER, &crc32fast::hash(&body).to_le_bytes(), &*body].concat()
    }
}

/// The blocks of a file, in order.
#[derive(Debug)]
pub struct Blocks<R> {
    input: R,
    /// Where the next block begins.
    at: u64,
    ended: bool,
}

impl Blocks<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// [`DataError`] if it cannot be opened, or does not begin as data does.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        Self::new(BufReader::new(File::open(path)?))
    }
}

impl<R: Read> Blocks<R> {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// [`DataError::Foreign`] and [`DataError::Version`] for what is not a data file of this version, and I/O errors.
    pub fn new(mut input: R) -> Result<Self, DataError> {
        let header = read_up_to(&mut input, HEADER as usize)?;
        let version = header.strip_prefix(MAGIC).and_then(|rest| rest.try_into().ok());
        match version.map(u32::from_le_bytes) {
            None => Err(DataError::Foreign),
            Some(VERSION) => Ok(Self { input, at: HEADER, ended: false }),
            Some(version) => Err(DataError::Version(version)),
        }
    }

    /// Where the next block begins: the bytes read so far.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.at
    }

    /// The next block, or `None` at the end of the file.
    fn read(&mut self) -> Result<Option<Block>, DataError> {
        let at = self.at;
        let head = read_up_to(&mut self.input, HEAD)?;
        if head.is_empty() {
            return Ok(None);
        }
        let Ok(head) = <[u8; HEAD]>::try_from(head) else { return Err(DataError::Torn { at }) };
        let number = |from: usize| u32::from_le_bytes([0, 1, 2, 3].map(|byte| head[from + byte]));
        let (checksum, count, games) = (number(4), number(8) as usize, number(12));
        if !head.starts_with(MARKER) || count > MAX_RECORDS {
            return Err(DataError::Lost { at });
        }
        let body = read_up_to(&mut self.input, count * Record::SIZE)?;
        if body.len() < count * Record::SIZE {
            return Err(DataError::Torn { at });
        }
        self.at += (HEAD + body.len()) as u64;
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&head[8..]);
        hasher.update(&body);
        let (records, _) = body.as_chunks::<{ Record::SIZE }>();
        let records = records.iter().map(Record::from_bytes).collect();
        match records {
            Ok(records) if hasher.finalize() == checksum => Ok(Some(Block { games, records })),
            _ => Err(DataError::Damaged { at }),
        }
    }
}

/// At most `count` bytes, fewer only at the end of the input.
fn read_up_to(input: &mut impl Read, count: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(count);
    input.take(count as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl<R: Read> Iterator for Blocks<R> {
    type Item = Result<Block, DataError>;

    /// A damaged block is an error, after which the next block follows; all other errors are the last item.
    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let block = self.read().transpose();
        self.ended = !matches!(block, Some(Ok(_) | Err(DataError::Damaged { .. })));
        block
    }
}

/// The records of a file, in order.
///
/// A damaged block yields one error, and the records of the next block follow; see [`Blocks`].
#[derive(Debug)]
pub struct Reader<R> {
    blocks: Blocks<R>,
    records: std::vec::IntoIter<Record>,
}

impl Reader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// As [`Blocks::open`].
    pub fn open(path: &Path) -> Result<Self, DataError> {
        Blocks::open(path).map(Self::from)
    }
}

impl<R> From<Blocks<R>> for Reader<R> {
    fn from(blocks: Blocks<R>) -> Self {
        Self { blocks, records: Vec::new().into_iter() }
    }
}

impl<R: Read> Iterator for Reader<R> {
    type Item = Result<Record, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(record) = self.records.next() {
                return Some(Ok(record));
            }
            match self.blocks.next()? {
                Ok(block) => self.records = block.records.into_iter(),
                Err(error) => return Some(Err(error)),
            }
        }
    }
}

/// Writes a file, whole blocks only. Dropping it loses what no block holds yet: [`finish`](Self::finish) it.
#[derive(Debug)]
pub struct Writer {
    file: File,
    pending: Block,
}

impl Writer {
    /// Begins a new file.
    ///
    /// # Errors
    ///
    /// [`DataError::Io`], also where the file exists.
    pub fn create(path: &Path) -> Result<Self, DataError> {
        Self::begin(File::create_new(path)?)
    }

    fn begin(mut file: File) -> Result<Self, DataError> {
        file.try_lock().map_err(|_| DataError::Busy)?;
        file.write_all(&[&MAGIC[..], &VERSION.to_le_bytes()].concat())?;
        Ok(Self { file, pending: Block::default() })
    }

    /// Goes on with a file, whose torn last block, if it has one, is cut off. Each of its whole blocks is given to
    /// `each`.
    ///
    /// # Errors
    ///
    /// [`DataError`]; also for a damaged block that others follow, which ought to be looked at first.
    pub fn append(path: &Path, mut each: impl FnMut(Block)) -> Result<Self, DataError> {
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        file.try_lock().map_err(|_| DataError::Busy)?;
        if file.metadata()?.len() < HEADER {
            // Killed before the header was written; what is there must still be the beginning of one.
            let mut begun = Vec::new();
            file.read_to_end(&mut begun)?;
            if !MAGIC.starts_with(&begun) && !begun.starts_with(MAGIC) {
                return Err(DataError::Foreign);
            }
            file.set_len(0)?;
            file.seek(SeekFrom::Start(0))?;
            return Self::begin(file);
        }
        let mut blocks = Blocks::new(BufReader::new(&file))?;
        let mut damaged = None;
        for block in blocks.by_ref() {
            match (block, damaged) {
                (Err(DataError::Torn { .. }), None) => {}
                (Err(DataError::Damaged { at }), None) => damaged = Some(at),
                (Err(error), None) => return Err(error),
                (_, Some(at)) => return Err(DataError::Damaged { at }),
                (Ok(block), None) => each(block),
            }
        }
        let end = damaged.unwrap_or(blocks.position());
        file.set_len(end)?;
        file.seek(SeekFrom::Start(end))?;
        Ok(Self { file, pending: Block::default() })
    }

    /// Adds a record, which becomes part of the game that [`end_game`](Self::end_game) ends, or stays loose.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn write(&mut self, record: Record) -> io::Result<()> {
        self.pending.records.push(record);
        if self.pending.records.len() >= LOOSE_RECORDS { self.flush() } else { Ok(()) }
    }

    /// Counts a game, and closes the block if it is full.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn end_game(&mut self) -> io::Result<()> {
        self.pending.games += 1;
        if self.pending.records.len() >= BLOCK_RECORDS { self.flush() } else { Ok(()) }
    }

    /// Writes a whole block, behind what is pending.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn write_block(&mut self, block: &Block) -> io::Result<()> {
        self.flush()?;
        self.file.write_all(&block.to_bytes())
    }

    /// Closes the block.
    fn flush(&mut self) -> io::Result<()> {
        if self.pending != Block::default() {
            self.file.write_all(&self.pending.to_bytes())?;
            self.pending = Block::default();
        }
        Ok(())
    }

    /// Closes the last block.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()
    }
}

#[cfg(test)]
mod tests;
