//! Positions one by one: read from files of any kind, written to files of positions.

use std::{
    fs::File,
    io::{self, BufReader, Read},
    path::Path,
};

use super::{
    DataError, Header, Kind, Record, Totals, TrainingGame,
    file::{BLOCK_RECORDS, Frame, Frames},
    sink::Sink,
};

/// Loose records close a block at this many: 1 MiB. No game is that long.
const LOOSE_RECORDS: usize = 1 << 15;

/// The positions of some whole games, or loose ones.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Block {
    /// Games in it, also those of which nothing is left; 0 for loose records.
    pub games: u32,
    /// Its records, at most 2²⁰.
    pub records: Vec<Record>,
    /// What belongs together.
    groups: Groups,
}

/// Which records of a block are of one game.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
enum Groups {
    /// As far as plies and results tell.
    #[default]
    ByPly,
    /// All, see [`Header::blocks_belong_together`].
    Together,
    /// So many each: files of games.
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

    /// Keeps the records that are wanted.
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

    /// The records game by game; loose records are games of their own.
    ///
    /// Files of games tell what a game is, also where a part of it is missing. In files of positions a game begins where
    /// the ply does not grow, or the result is another: should two games meet that nothing tells apart, since the first
    /// positions of the second stood before and were dropped, they count as one. Where the header says that
    /// [blocks belong together](Header::blocks_belong_together) a block counts as one game.
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

/// The blocks of a file, in order: of positions, or of games that are played through.
#[derive(Debug)]
pub struct Blocks<R> {
    frames: Frames<R>,
}

impl Blocks<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    ///
    /// [`DataError`] if it cannot be opened, or does not begin as data does.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        Frames::open(path).map(|frames| Self { frames })
    }
}

impl<R: Read> Blocks<R> {
    /// Reads the header.
    ///
    /// # Errors
    ///
    /// [`DataError::Empty`], [`DataError::Foreign`], [`DataError::Version`] and [`DataError::Header`] for what is no data
    /// file of versions 1 or 2, and I/O errors.
    pub fn new(input: R) -> Result<Self, DataError> {
        Frames::new(input).map(|frames| Self { frames })
    }

    /// What the file says about itself; files of version 1 say nothing.
    #[must_use]
    pub fn header(&self) -> Option<&Header> {
        self.frames.header()
    }

    /// What the file holds, though [`Blocks`] makes positions of all.
    #[must_use]
    pub fn kind(&self) -> Kind {
        self.header().map_or(Kind::Positions, |header| header.kind)
    }

    /// Where the next block begins: the bytes read so far.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.frames.position()
    }
}

impl<R: Read> Iterator for Blocks<R> {
    type Item = Result<Block, DataError>;

    /// A damaged block is an error, after which the next block follows; all other errors are the last item.
    fn next(&mut self) -> Option<Self::Item> {
        let frame = self.frames.next()?;
        let together = self.header().is_some_and(|header| header.blocks_belong_together);
        Some(frame.and_then(|frame| Block::from_frame(&frame, together)))
    }
}

/// The records of a file of any kind, in order.
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

/// Writes a file of positions, whole blocks only. Dropping it loses what no block holds yet:
/// [`finish`](Self::finish) it.
#[derive(Debug)]
pub struct Writer {
    sink: Sink,
    pending: Block,
}

impl Writer {
    /// Begins a new file of version 1, which says nothing about itself.
    ///
    /// # Errors
    ///
    /// [`DataError::Io`], also where the file exists.
    pub fn create(path: &Path) -> Result<Self, DataError> {
        Sink::create(path, None).map(Self::on)
    }

    /// Begins a new file with a header, whose kind must be positions.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create).
    pub fn create_described(path: &Path, header: &Header) -> Result<Self, DataError> {
        expect_positions(header)?;
        Sink::create(path, Some(header)).map(Self::on)
    }

    /// Begins a new file with a header, which has its name only when it is [finished](Self::finish): it is there whole or
    /// not at all.
    ///
    /// # Errors
    ///
    /// As [`create`](Self::create).
    pub fn create_whole(path: &Path, header: &Header) -> Result<Self, DataError> {
        expect_positions(header)?;
        Sink::create_whole(path, Some(header)).map(Self::on)
    }

    fn on(sink: Sink) -> Self {
        Self { sink, pending: Block::default() }
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
        header: Option<&Header>,
        check: impl FnOnce(Option<&Header>) -> Result<(), DataError>,
        mut each: impl FnMut(Totals),
    ) -> Result<Self, DataError> {
        let check = |header: Option<&Header>| {
            header.map_or(Ok(()), expect_positions)?;
            check(header)
        };
        Sink::append(path, header, check, |frame| each(frame.tally)).map(Self::on)
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
        let tally = Totals { records: block.records.len() as u64, games: block.games.into(), next: 0 };
        let bytes: Vec<_> = block.records.iter().map(Record::to_bytes).collect();
        self.sink.write(Kind::Positions, tally, bytes.as_flattened())
    }

    /// Closes the block.
    fn flush(&mut self) -> io::Result<()> {
        let block = std::mem::take(&mut self.pending);
        if block.games > 0 || !block.records.is_empty() { self.write_block(&block) } else { Ok(()) }
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

fn expect_positions(header: &Header) -> Result<(), DataError> {
    let expected = Kind::Positions;
    if header.kind == expected { Ok(()) } else { Err(DataError::Kind { expected }) }
}

#[cfg(test)]
mod tests;
