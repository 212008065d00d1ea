//! Files of games.

use std::{
    fs::File,
    io::{self, BufReader},
    mem,
    path::Path,
};

use super::{
    DataError, GameError, Header, Kind, Totals, TrainingGame,
    file::{BLOCK_RECORDS, Frames},
    sink::Sink,
};

/// The blocks of a file of games, in order. All their games can be replayed.
#[derive(Debug)]
pub struct Games {
    frames: Frames<BufReader<File>>,
}

/// A block of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameBlock {
    /// The counts in its head.
    pub tally: Totals,
    /// The games.
    pub games: Vec<TrainingGame>,
}

impl Games {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// [`DataError`] if it cannot be opened, or is not a file of games.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let (frames, expected) = (Frames::open(path)?, Kind::Games);
        frames.header().ok_or(DataError::Kind { expected })?.expect(expected)?;
        Ok(Self { frames })
    }

    /// The header of the file.
    #[must_use]
    pub fn header(&self) -> &Header {
        self.frames.header().expect("a file of games has one")
    }

    /// The start of the next block, which is the number of bytes read.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.frames.position()
    }
}

impl Iterator for Games {
    type Item = Result<GameBlock, DataError>;

    /// A block that is damaged, or has a game that cannot be replayed, is an error, and the next block follows; every
    /// other error is the last item.
    fn next(&mut self) -> Option<Self::Item> {
        let frame = match self.frames.next()? {
            Ok(frame) => frame,
            Err(error) => return Some(Err(error)),
        };
        let (mut games, mut rest) = (Vec::new(), &*frame.body);
        while !rest.is_empty() {
            let game = TrainingGame::read(&mut rest);
            match game.and_then(|game| game.replay(|_, _| ()).map(|()| game)) {
                Ok(game) => games.push(game),
                Err(GameError) => return Some(Err(DataError::Damaged { at: frame.at })),
            }
        }
        Some(Ok(GameBlock { tally: frame.tally, games }))
    }
}

/// Writes a file of games in whole blocks. Dropping it loses the current block: call [`finish`](Self::finish).
#[derive(Debug)]
pub struct GameWriter {
    sink: Sink,
    tally: Totals,
    body: Vec<u8>,
    is_chess960: bool,
}

impl GameWriter {
    /// Creates a file. If it has games of Chess960, the header says so at the end.
    ///
    /// # Errors
    ///
    /// [`DataError`]; also if the file exists, or `header` is one of positions.
    pub fn create(path: &Path, header: &Header) -> Result<Self, DataError> {
        header.expect(Kind::Games)?;
        Sink::create(path, header).map(Self::on)
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
        header.expect(Kind::Games)?;
        Sink::append(path, header, check, |frame| each(frame.tally)).map(Self::on)
    }

    fn on(sink: Sink) -> Self {
        Self { sink, tally: Totals::default(), body: Vec::new(), is_chess960: false }
    }

    /// Adds a game, or a further piece of the game before.
    pub fn write(&mut self, game: &TrainingGame) {
        game.write(&mut self.body);
        self.is_chess960 |= game.first().is_chess960();
        self.tally.games += u64::from(!game.is_continued);
        self.tally.records += game.plies().len() as u64;
    }

    /// Closes the block if it is full. Records that the run continues with game `next`, whatever happened to the games
    /// before.
    ///
    /// # Errors
    ///
    /// The error of writing.
    pub fn end_game(&mut self, next: u64) -> io::Result<()> {
        self.tally.next = next;
        if self.tally.records >= BLOCK_RECORDS as u64 { self.flush() } else { Ok(()) }
    }

    /// Closes the block.
    ///
    /// # Errors
    ///
    /// The error of writing. The block is dropped then: a part of it may be in the file.
    pub fn flush(&mut self) -> io::Result<()> {
        let (tally, body) = (mem::take(&mut self.tally), mem::take(&mut self.body));
        if tally == Totals::default() { Ok(()) } else { self.sink.write(Kind::Games, tally, &body) }
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
