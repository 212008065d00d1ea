//! Writes files of games.

use std::{io, mem, path::Path};

use super::{
    Header, TrainingGame, Variant,
    error::DataError,
    file::{MAX_BODY, Totals},
    game::{MAX_PLIES, MAX_POSITION_SIZE},
    sink::{Cut, Sink},
};

/// A block of games with at least this many positions is closed at the end of the game.
pub(super) const BLOCK_RECORDS: usize = 2048;

// The largest block is almost full when it gets the longest game, and every reader takes it.
const _: () = assert!((BLOCK_RECORDS - 1 + MAX_PLIES as usize) * MAX_POSITION_SIZE <= MAX_BODY);

/// Writes a file of games in whole blocks. Dropping it loses the current block: call
/// [`finish`](Self::finish).
#[derive(Debug)]
pub struct GameWriter {
    sink: Sink,
    header: Header,
    tally: Totals,
    body: Vec<u8>,
    is_chess960: bool,
}

impl GameWriter {
    /// Creates a file. If it has games of Chess960, the header says so at the end.
    ///
    /// # Errors
    ///
    /// [`DataError`]; also if the file exists.
    pub fn create(path: &Path, header: &Header) -> Result<Self, DataError> {
        Sink::create(path, header).map(|sink| Self::on(sink, header))
    }

    /// Continues a file. A last block that is partial is cut off, and what was cut is returned; `check` may
    /// refuse its header before anything is changed. The counts of each whole block are passed to `each`. A
    /// file that consists of the beginning of `header`, as a killed run leaves it, is begun again.
    ///
    /// # Errors
    ///
    /// [`DataError`]; also for a damaged block that others follow.
    pub fn append(
        path: &Path,
        header: &Header,
        check: impl FnOnce(&Header) -> Result<(), DataError>,
        each: impl FnMut(Totals),
    ) -> Result<(Self, Option<Cut>), DataError> {
        let (sink, cut) = Sink::append(path, header, check, each)?;
        Ok((Self::on(sink, header), cut))
    }

    pub(super) fn on(sink: Sink, header: &Header) -> Self {
        let is_chess960 = header.variant == Variant::Chess960;
        Self { sink, header: header.clone(), tally: Totals::default(), body: Vec::new(), is_chess960 }
    }

    /// Adds a game.
    pub fn write(&mut self, game: &TrainingGame) {
        game.write(&mut self.body);
        self.is_chess960 = self.is_chess960 || game.first().is_chess960();
        self.tally.games += 1;
        self.tally.records += game.plies().len() as u64;
    }

    /// Closes the block if it is full. Records that the run continues with game `next`, whatever happened to
    /// the games before.
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
    pub(super) fn flush(&mut self) -> io::Result<()> {
        let (tally, body) = (mem::take(&mut self.tally), mem::take(&mut self.body));
        if tally == Totals::default() { Ok(()) } else { self.sink.write(tally, &body) }
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

    /// Closes the last block, and completes the header.
    ///
    /// # Errors
    ///
    /// The error of writing.
    pub fn finish(mut self) -> io::Result<()> {
        self.flush()?;
        if self.is_chess960 && self.header.variant == Variant::Standard {
            self.sink.make_chess960(&self.header)?;
        }
        Ok(())
    }
}
