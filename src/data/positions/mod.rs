//! Positions: reading from files of either kind, writing to files of positions.

use std::{
    fs::File,
    io::{self, BufReader, Read},
    path::Path,
};

use super::{
    DataError, Header, Kind, Record, Totals, TrainingGame,
    file::{BLOCK_RECORDS, Frame, Frames, MAX_BODY},
    sink::Sink,
};

/// A block of loose records is closed at this size: 1 MiB.
const LOOSE_RECORDS: usize = 1 << 15;
/// A block has at most this many records: 32 MiB.
const MOST_RECORDS: usize = MAX_BODY / Record::SIZE;

/// The positions of some whole games, or loose ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Number of games, including those with no records left; 0 for loose records.
    pub games: u32,
    /// Its records, at most 2²⁰.
    pub records: Vec<Record>,
    /// The games that the records belong to.
    groups: Groups,
}

/// How the records of a block are divided into games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Groups {
    /// By ply and result.
    #[default]
    ByPly,
    /// All in one game, see [`Header::blocks_belong_together`].
    Together,
    /// By the number of records of each game: files of games.
    Lengths(Vec<usize>),
}

impl Block {
    fn from_frame(frame: &Frame, together: bool) -> Result<Self, DataError> {
        let damaged = |_| DataError::Damaged { at: frame.at };
        let games = frame.tally.games as u32;
        if frame.kind == Kind::Positions {
            let (records, _) = frame.body.as_chunks::<{ Record::SIZE }>();
            let records = records.iter().map(Record::from_bytes).collect::<Result<_, _>>().map_err(|_| ());
            let groups = if together { Groups::Together } else { Groups::ByPly };
            return Ok(Self { games, records: records.map_err(damaged)?, groups });
        }
        let (mut records, mut lengths) = (Vec::with_capacity(frame.body.len() / 4), Vec::new());
        let mut rest = &*frame.body;
        while !rest.is_empty() {
            let before = records.len();
            let game = TrainingGame::read(&mut rest).map_err(|_| ()).map_err(damaged)?;
            game.records(&mut records).map_err(|_| ()).map_err(damaged)?;
            let length = records.len() - before;
            match lengths.last_mut() {
                Some(last) if game.is_continued => *last += length,
                _ => lengths.push(length),
            }
        }
        Ok(Self { games: lengths.len() as u32, records, groups: Groups::Lengths(lengths) })
    }

    /// Keeps the selected records.
    pub fn retain(&mut self, wants: impl FnMut(&Record) -> bool) {
        let wanted: Vec<bool> = self.records.iter().map(wants).collect();
        if let Groups::Lengths(lengths) = &mut self.groups {
            let mut rest = &*wanted;
            for length in lengths {
                let game = rest.split_off(..*length).unwrap_or_default();
                *length = game.iter().filter(|&&is_wanted| is_wanted).count();
            }
        }
        let mut wanted = wanted.into_iter();
        self.records.retain(|_| wanted.next() == Some(true));
    }

    /// The records by game; each loose record is a game of its own.
    ///
    /// Files of games identify each game, even if a part of it is missing. In files of positions a game begins where
    /// the ply does not increase, or the result changes. Two adjacent games without such a difference count as one: the
    /// first positions of the second may have been dropped as duplicates. If the header says that [blocks belong
    /// together](Header::blocks_belong_together), a block counts as one game.
    #[must_use]
    pub fn by_game(&self) -> Vec<&[Record]> {
        match &self.groups {
            _ if self.games == 0 => self.records.chunks(1).collect(),
            Groups::ByPly => {
                let goes_on = |before: &Record, after: &Record| {
                    after.ply() > before.ply() && after.result() == before.result()
                };
                self.records.chunk_by(goes_on).collect()
            }
            Groups::Together => vec![&self.records],
            Groups::Lengths(lengths) => {
                let mut rest = &*self.records;
                let split = |&length: &usize| rest.split_off(..length);
                lengths.iter().filter_map(split).collect()
            }
        }
    }
}

/// The blocks of a file, in order: of positions, or of games, which are replayed.
#[derive(Debug)]
pub struct Blocks<R> {
    frames: Frames<R>,
}

impl Blocks<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// [`DataError`] if it cannot be opened, or is not a data file.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        Frames::open(path).map(|frames| Self { frames })
    }

    /// Opens a file that is opened again later.
    ///
    /// # Errors
    ///
    /// As [`open`](Self::open); also if it can be read only once.
    pub fn open_repeatedly(path: &Path) -> Result<Self, DataError> {
        let found = path.metadata()?;
        // A folder cannot be read at all, as `open` says.
        if found.is_file() || found.is_dir() { Self::open(path) } else { Err(DataError::Stream) }
    }
}

impl<R: Read> Blocks<R> {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// [`DataError::Empty`], [`DataError::Foreign`], [`DataError::Version`], [`DataError::Header`] and
    /// [`DataError::TornHeader`] if it is not a data file of version 1 or 2, and I/O errors.
    pub fn new(input: R) -> Result<Self, DataError> {
        Frames::new(input).map(|frames| Self { frames })
    }

    /// The header of the file; `None` for version 1.
    #[must_use]
    pub fn header(&self) -> Option<&Header> {
        self.frames.header()
    }

    /// The kind of the file; [`Blocks`] converts both kinds to positions.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.header().map_or(Kind::Positions, |header| header.kind)
    }

    /// The start of the next block, which is the number of bytes read.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.frames.position()
    }
}

impl<R: Read> Iterator for Blocks<R> {
    type Item = Result<Block, DataError>;

    /// A damaged block is an error, and the next block follows; every other error is the last item.
    fn next(&mut self) -> Option<Self::Item> {
        let frame = self.frames.next()?;
        let together = self.header().is_some_and(|header| header.blocks_belong_together);
        Some(frame.and_then(|frame| Block::from_frame(&frame, together)))
    }
}

/// Writes a file of positions in whole blocks. Dropping it loses the current block: call [`finish`](Self::finish).
#[derive(Debug)]
pub struct Writer {
    sink: Sink,
    pending: Block,
    is_chess960: bool,
}

impl Writer {
    /// Creates a file. If it has positions of Chess960, the header says so at the end.
    ///
    /// # Errors
    ///
    /// [`DataError`]; also if the file exists, or `header` is one of games.
    pub fn create(path: &Path, header: &Header) -> Result<Self, DataError> {
        header.expect(Kind::Positions)?;
        Sink::create(path, header).map(Self::on)
    }

    fn on(sink: Sink) -> Self {
        Self { sink, pending: Block::default(), is_chess960: false }
    }

    /// Continues a file. A last block that is torn or damaged is cut off; `check` may refuse its header before anything
    /// is changed. The contents of each whole block are passed to `each`. A file that consists of the beginning of
    /// `header`, as a killed run leaves it, is begun again.
    ///
    /// # Errors
    ///
    /// [`DataError`]; also for a file of version 1, and for a damaged block that is followed by others, which should be
    /// examined first.
    pub fn append(
        path: &Path,
        header: &Header,
        check: impl FnOnce(&Header) -> Result<(), DataError>,
        mut each: impl FnMut(Totals),
    ) -> Result<Self, DataError> {
        header.expect(Kind::Positions)?;
        Sink::append(path, header, check, |frame| each(frame.tally)).map(Self::on)
    }

    /// Adds a loose record.
    ///
    /// # Errors
    ///
    /// The error of writing.
    pub fn write(&mut self, record: Record) -> io::Result<()> {
        if self.pending.games > 0 {
            self.flush()?;
        }
        self.pending.records.push(record);
        if self.pending.records.len() >= LOOSE_RECORDS { self.flush() } else { Ok(()) }
    }

    /// Adds the records of a game, which may be none. They are all in one block.
    ///
    /// # Errors
    ///
    /// The error of writing; also if the game has more than 2²⁰ records, which no block can hold.
    pub fn write_game(&mut self, records: &[Record]) -> io::Result<()> {
        if records.len() > MOST_RECORDS {
            let count = records.len();
            let why = format!("a game of {count} positions, which is more than {MOST_RECORDS}");
            return Err(io::Error::new(io::ErrorKind::InvalidInput, why));
        }
        if self.pending.games == 0 || self.pending.records.len() + records.len() > MOST_RECORDS {
            self.flush()?;
        }
        self.pending.records.extend_from_slice(records);
        self.pending.games += 1;
        if self.pending.records.len() >= BLOCK_RECORDS { self.flush() } else { Ok(()) }
    }

    /// Writes a whole block, after the pending one.
    ///
    /// # Errors
    ///
    /// The error of writing.
    pub fn write_block(&mut self, block: &Block) -> io::Result<()> {
        self.flush()?;
        let tally = Totals { records: block.records.len() as u64, games: block.games.into(), next: 0 };
        self.is_chess960 = self.is_chess960 || block.records.iter().any(Record::is_chess960);
        let bytes: Vec<_> = block.records.iter().map(Record::to_bytes).collect();
        self.sink.write(Kind::Positions, tally, bytes.as_flattened())
    }

    /// Closes the block.
    ///
    /// # Errors
    ///
    /// The error of writing. The block is dropped then: a part of it may be in the file.
    pub fn flush(&mut self) -> io::Result<()> {
        let block = std::mem::take(&mut self.pending);
        if block.games > 0 || !block.records.is_empty() { self.write_block(&block) } else { Ok(()) }
    }

    /// Closes the block, and waits until the disk has the file: a power failure does not lose it then.
    ///
    /// # Errors
    ///
    /// The error of writing.
    pub fn sync(&mut self) -> io::Result<()> {
        self.flush()?;
        self.sink.sync()
    }

    /// Closes the last block.
    ///
    /// # Errors
    ///
    /// The error of writing.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.sink.finish(self.is_chess960)
    }
}

#[cfg(test)]
mod tests;
