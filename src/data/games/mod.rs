//! Files of games.

use std::{
    fs::File,
    io::{self, BufReader, Read},
    path::Path,
};

use super::{
    DataError, Header, Kind, Totals, TrainingGame,
    file::{BLOCK_RECORDS, Frames},
    sink::Sink,
};

/// The blocks of a file of games, in order.
#[derive(Debug)]
pub struct Games<R> {
    frames: Frames<R>,
}

/// A block of games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameBlock {
    /// What its head says of it.
    pub tally: Totals,
    /// The games.
    pub games: Vec<TrainingGame>,
}

impl Games<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// [`DataError`] if it cannot be opened, or is no file of games.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        Self::on(Frames::open(path)?)
    }
}

impl<R: Read> Games<R> {
    fn on(frames: Frames<R>) -> Result<Self, DataError> {
        let expected = Kind::Games;
        match frames.header() {
            Some(header) if header.kind == expected => Ok(Self { frames }),
            _ => Err(DataError::Kind { expected }),
        }
    }

    /// What the file says about itself.
    #[must_use]
    pub fn header(&self) -> &Header {
        self.frames.header().expect("a file of games has one")
    }

    /// Where the next block begins: the bytes read so far.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.frames.position()
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = Result<GameBlock, DataError>;

    /// A damaged block is an error, after which the next block follows; all other errors are the last item.
    fn next(&mut self) -> Option<Self::Item> {
        let frame = match self.frames.next()? {
            Ok(frame) => frame,
            Err(error) => return Some(Err(error)),
        };
        let (mut games, mut rest) = (Vec::new(), &*frame.body);
        while !rest.is_empty() {
            match TrainingGame::read(&mut rest) {
                Ok(game) => games.push(game),
                Err(_) => return Some(Err(DataError::Damaged { at: frame.at })),
            }
        }
        Some(Ok(GameBlock { tally: frame.tally, games }))
    }
}

/// Writes a file of games, whole blocks only. Dropping it loses what no block holds yet: [`finish`](Self::finish) it.
#[derive(Debug)]
pub struct GameWriter {
    sink: Sink,
    tally: Totals,
    body: Vec<u8>,
}

impl GameWriter {
    /// Begins a new file, which grows block by block.
    ///
    /// # Errors
    ///
    /// [`DataError::Io`], also where the file exists.
    pub fn create(path: &Path, header: &Header) -> Result<Self, DataError> {
        expect_games(header)?;
        Sink::create(path, Some(header)).map(Self::on)
    }

    /// Begins a new file that has its name only when it is [finished](Self::finish): it is there whole or not at all.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create).
    pub fn create_whole(path: &Path, header: &Header) -> Result<Self, DataError> {
        expect_games(header)?;
        Sink::create_whole(path, Some(header)).map(Self::on)
    }

    /// Goes on with a file, whose torn last block, if it has one, is cut off; `check` may refuse its header before
    /// anything is changed. What its whole blocks hold is given to `each`. A file that a killed run left without a whole
    /// header is begun again, with `header`.
    ///
    /// # Errors
    ///
    /// [`DataError`]; also for a damaged block that others follow, which ought to be looked at first.
    pub fn append(
        path: &Path,
        header: &Header,
        check: impl FnOnce(&Header) -> Result<(), DataError>,
        mut each: impl FnMut(Totals),
    ) -> Result<Self, DataError> {
        let check = |found: Option<&Header>| {
            let found = found.ok_or(DataError::Kind { expected: Kind::Games })?;
            expect_games(found)?;
            check(found)
        };
        Sink::append(path, Some(header), check, |frame| each(frame.tally)).map(Self::on)
    }

    fn on(sink: Sink) -> Self {
        Self { sink, tally: Totals::default(), body: Vec::new() }
    }

    /// Adds a game.
    pub fn write(&mut self, game: &TrainingGame) {
        game.write(&mut self.body);
        self.tally.games += 1;
        self.tally.records += game.plies().len() as u64;
    }

    /// Closes the block if it is full. The run that writes the file is to go on with game `next`, whatever has become of
    /// those before.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn end_game(&mut self, next: u64) -> io::Result<()> {
        self.tally.next = next;
        if self.tally.records >= BLOCK_RECORDS as u64 { self.flush() } else { Ok(()) }
    }

    /// Closes the block.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn flush(&mut self) -> io::Result<()> {
        if self.tally != Totals::default() {
            self.sink.write(Kind::Games, self.tally, &self.body)?;
            self.tally = Totals::default();
            self.body.clear();
        }
        Ok(())
    }

    /// Closes the last block.
    ///
    /// # Errors
    ///
    /// Those of writing.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        self.sink.finish()
    }
}

fn expect_games(header: &Header) -> Result<(), DataError> {
    let expected = Kind::Games;
    if header.kind == expected { Ok(()) } else { Err(DataError::Kind { expected }) }
}

#[cfg(test)]
mod tests;
