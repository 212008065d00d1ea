//! Reads positions from files of games.

use std::{
    fs::File,
    io::{BufReader, Read},
    path::Path,
};

use super::{
    Header, Record, TrainingGame,
    error::DataError,
    file::{RawBlock, RawBlocks},
};

/// The positions of some whole games.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Its positions, game by game.
    pub records: Vec<Record>,
    /// The number of its games.
    pub games: u64,
}

impl Block {
    /// Replays the games.
    fn from_frame(frame: &RawBlock) -> Result<Self, DataError> {
        let mut block = Self::default();
        block.records.reserve(frame.body.len() / 4);
        let mut rest = &*frame.body;
        while !rest.is_empty() {
            let game = TrainingGame::read(&mut rest).map_err(|_| frame.damaged())?;
            game.records(&mut block.records).map_err(|_| frame.damaged())?;
            block.games += 1;
        }
        Ok(block)
    }
}

/// The blocks of a file, in order; their games are replayed.
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
