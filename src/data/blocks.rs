//! Reads positions from files of either kind.

use std::{
    fs::File,
    io::{BufReader, Read},
    path::Path,
};

use super::{
    DataKind, Header, Record, TrainingGame,
    error::DataError,
    file::{RawBlock, RawBlocks},
};

/// The positions of some whole games, or loose ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Its positions.
    pub records: Vec<Record>,
    /// The number of positions of each game; empty for loose positions.
    lengths: Vec<usize>,
}

impl Block {
    /// Reads the positions, or replays the games.
    fn from_frame(frame: &RawBlock) -> Result<Self, DataError> {
        let mut block = Self::default();
        if frame.kind == DataKind::Positions {
            let (records, _) = frame.body.as_chunks::<{ Record::SIZE }>();
            let records: Result<_, _> = records.iter().map(Record::from_bytes).collect();
            block.records = records.map_err(|_| frame.damaged())?;
            return Ok(block);
        }
        block.records.reserve(frame.body.len() / 4);
        let mut rest = &*frame.body;
        while !rest.is_empty() {
            let before = block.records.len();
            let game = TrainingGame::read(&mut rest).map_err(|_| frame.damaged())?;
            game.records(&mut block.records).map_err(|_| frame.damaged())?;
            block.lengths.push(block.records.len() - before);
        }
        Ok(block)
    }

    /// The number of its games; 0 for loose positions.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.lengths.len() as u64
    }

    /// The positions by game; each loose position counts as a game of its own.
    #[must_use]
    pub fn by_game(&self) -> Vec<&[Record]> {
        if self.lengths.is_empty() {
            return self.records.chunks(1).collect();
        }
        let mut rest = &*self.records;
        self.lengths.iter().filter_map(|&length| rest.split_off(..length)).collect()
    }
}

/// The blocks of a file, in order: of positions, or of games, which are replayed.
#[derive(Debug)]
pub struct Blocks<R> {
    frames: RawBlocks<R>,
}

impl Blocks<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// [`DataError`] if it cannot be opened, or is not a data file.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        RawBlocks::open(path).map(|frames| Self { frames })
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
    /// [`DataError::TornHeader`] if it is not a data file of this version, and I/O errors.
    pub fn new(input: R) -> Result<Self, DataError> {
        RawBlocks::new(input).map(|frames| Self { frames })
    }

    /// The header of the file.
    #[must_use]
    pub fn header(&self) -> &Header {
        self.frames.header()
    }

    /// The start of the next block, which is the number of bytes read.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.frames.position()
    }
}

impl<R: Read> Iterator for Blocks<R> {
    type Item = Result<Block, DataError>;

    /// An error is the last item. A block with a game that cannot be replayed is damaged.
    fn next(&mut self) -> Option<Self::Item> {
        let block = self.frames.next()?.and_then(|frame| Block::from_frame(&frame));
        if block.is_err() {
            self.frames.end();
        }
        Some(block)
    }
}
