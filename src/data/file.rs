//! Files as headers and blocks of bytes: the part of the format that positions and games share.

use std::{
    fs::File,
    io::{self, BufReader, Read},
    path::Path,
};

use serde::de::IgnoredAny;

use super::{Header, Kind, Record, ahead::Ahead};

pub(super) const MAGIC: &[u8; 8] = b"ZWDATA\r\n";
/// Magic and version: the whole header of version 1.
const FIXED: usize = 12;
/// The addition of version 2: length and checksum of the text that follows.
const TEXT_HEAD: usize = 8;
/// A longer header is damaged.
const MAX_TEXT: usize = 1 << 24;
const POSITIONS: &[u8; 4] = b"ZWBK";
const POSITIONS_HEAD: usize = 16;
const GAMES: &[u8; 4] = b"ZWGB";
const GAMES_HEAD: usize = 28;
/// A block with at least this many positions is closed at the end of the game.
pub const BLOCK_RECORDS: usize = 2048;
/// A longer block is damaged, because no writer makes one.
pub(super) const MAX_BODY: usize = 1 << 25;
/// How many bytes of false blocks a reader examines, beside [`PER_BYTE`]. A damaged block ends about where the next one
/// begins, so most bytes are examined once. But in a crafted file a long false block may begin at every marker.
const PATIENCE: u64 = 8 * MAX_BODY as u64;
/// How many bytes of false blocks a reader examines for each byte that it passes.
const PER_BYTE: u64 = 16;

/// The reason why data cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum DataError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// A pipe or a device, which can be read only once.
    #[error("expected a regular file, because it is read more than once")]
    Stream,
    /// The file is empty.
    #[error("the file is empty")]
    Empty,
    /// The file does not begin with the magic bytes.
    #[error("not a data file")]
    Foreign,
    /// A later version of the format.
    #[error("expected version 1 or 2 of the format, got {0}")]
    Version(u32),
    /// A file of version 1, which has no header, where the header must say how the data were made.
    #[error("expected version 2 of the format, got 1, which does not say how the file was made")]
    NoHeader,
    /// The header is damaged.
    #[error("the header is damaged: {0}")]
    Header(String),
    /// The file ends within the header, as after a killed run.
    #[error("the header is damaged: the file ends within it")]
    TornHeader,
    /// The header of a new file could not be read again, so nothing was written.
    #[error("its header could not be read again: {0}")]
    Unreadable(String),
    /// The file contains positions where games are expected, or the reverse.
    #[error("expected a file of {expected}, got one of {}", match expected { Kind::Games => Kind::Positions, Kind::Positions => Kind::Games })]
    Kind {
        /// The expected kind.
        expected: Kind,
    },
    /// The checksum of a block is wrong, or its contents are invalid. Later blocks can be read.
    #[error("the block at byte {at} is damaged")]
    Damaged {
        /// The start of the block.
        at: u64,
    },
    /// There is no whole block from here on, and what is there is not the beginning of one.
    #[error("no block at byte {at}: the rest of the file is lost")]
    Lost {
        /// The start of the block.
        at: u64,
    },
    /// The file ends within a block, as after a killed run, or in zero bytes, as after a power failure.
    #[error("the file ends within the block at byte {at}")]
    Torn {
        /// The start of the block.
        at: u64,
    },
    /// Another process is writing to the file.
    #[error("another process is writing to it")]
    Busy,
}

impl DataError {
    /// Whether a part of the file is lost and the rest can be read.
    #[must_use]
    pub fn is_damage(&self) -> bool {
        matches!(self, Self::Damaged { .. } | Self::Lost { .. } | Self::Torn { .. })
    }
}

/// The contents of a file or of a part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Number of positions.
    pub records: u64,
    /// Number of games they are from; loose positions belong to none.
    pub games: u64,
    /// The number of the next game that the run writing the file will play.
    pub next: u64,
}

/// A block with a correct checksum.
#[derive(Debug)]
pub(super) struct Frame {
    pub(super) kind: Kind,
    /// Its start in the file.
    pub(super) at: u64,
    pub(super) tally: Totals,
    pub(super) body: Vec<u8>,
}

impl Frame {
    /// Returns the bytes of the block in the file.
    pub(super) fn to_bytes(kind: Kind, tally: Totals, body: &[u8]) -> Vec<u8> {
        let four = |number: u64| u32::try_from(number).expect("blocks are small").to_le_bytes();
        let mut bytes = Vec::with_capacity(GAMES_HEAD + body.len());
        match kind {
            Kind::Positions => {
                bytes.extend([*POSITIONS, [0; 4], four(tally.records), four(tally.games)].as_flattened());
            }
            Kind::Games => {
                let numbers = [body.len() as u64, tally.games, tally.records].map(four);
                bytes.extend([*GAMES, [0; 4]].as_flattened());
                bytes.extend(numbers.as_flattened());
                bytes.extend(tally.next.to_le_bytes());
            }
        }
        bytes.extend(body);
        let checksum = crc32fast::hash(&bytes[8..]);
        bytes[4..8].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }
}

/// The blocks of a file, in order, as bytes.
#[derive(Debug)]
pub(super) struct Frames<R> {
    input: Ahead<R>,
    header: Option<Header>,
    /// The start of the next block.
    at: u64,
    /// The bytes examined of false blocks.
    examined: u64,
    ended: bool,
}

impl Frames<BufReader<File>> {
    pub(super) fn open(path: &Path) -> Result<Self, DataError> {
        Self::new(BufReader::with_capacity(1 << 17, File::open(path)?))
    }
}

impl<R: Read> Frames<R> {
    /// Reads the header.
    pub(super) fn new(mut input: R) -> Result<Self, DataError> {
        let fixed = read_up_to(&mut input, FIXED)?;
        if fixed.is_empty() {
            return Err(DataError::Empty);
        }
        let version = fixed.strip_prefix(MAGIC).and_then(|rest| rest.try_into().ok());
        let header = match version.map(u32::from_le_bytes) {
            None => return Err(DataError::Foreign),
            Some(1) => None,
            Some(2) => Some(read_header(&mut input)?),
            Some(version) => return Err(DataError::Version(version)),
        };
        let at = header.as_ref().map_or(FIXED as u64, |(_, at)| *at);
        let header = header.map(|(header, _)| header);
        Ok(Self { input: Ahead::new(input), header, at, examined: 0, ended: false })
    }

    /// The header; `None` for files of version 1.
    pub(super) fn header(&self) -> Option<&Header> {
        self.header.as_ref()
    }

    /// The start of the next block, which is the number of bytes read.
    pub(super) fn position(&self) -> u64 {
        self.at
    }

    /// Returns the next block, or `None` at the end of the file. After damage the next whole block follows, wherever it
    /// is: the length of the damaged one may be wrong too.
    fn read(&mut self) -> Result<Option<Frame>, DataError> {
        let at = self.at;
        if self.input.peek(1)?.is_empty() {
            return Ok(None);
        }
        let failure = match self.look()? {
            Look::Whole(frame, length) => {
                self.pass(length);
                return Ok(Some(frame));
            }
            Look::Damaged(length) if self.may_follow(length)? => {
                self.pass(length);
                return Err(DataError::Damaged { at });
            }
            Look::Torn => DataError::Torn { at },
            Look::Damaged(_) | Look::Other => DataError::Lost { at },
        };
        Err(match self.find()? {
            Rest::Block => DataError::Damaged { at },
            Rest::Zeros => DataError::Torn { at },
            Rest::Other => failure,
            Rest::Unknown => DataError::Lost { at },
        })
    }

    /// Examines the block that begins here.
    fn look(&mut self) -> io::Result<Look> {
        let (kind, at) = (self.kind(), self.at);
        let length = head_length(kind);
        let head = self.input.peek(length)?;
        if head.len() < length {
            return Ok(Look::Torn);
        }
        let Some((size, tally)) = read_head(kind, head) else { return Ok(Look::Other) };
        let whole = length + size;
        let block = self.input.peek(whole)?;
        let is_torn = block.len() < whole;
        if is_torn || crc32fast::hash(&block[8..]) != four(block, 4) {
            self.examined += block.len() as u64;
            return Ok(if is_torn { Look::Torn } else { Look::Damaged(whole) });
        }
        Ok(Look::Whole(Frame { kind, at, tally, body: block[length..].to_vec() }, whole))
    }

    /// Whether the end of a block of `length` bytes can be believed: another begins there, or the file ends.
    fn may_follow(&mut self, length: usize) -> io::Result<bool> {
        let marker = marker(self.kind());
        let next = &self.input.peek(length + marker.len())?[length..];
        Ok(marker.starts_with(next) || is_zero(next))
    }

    /// Finds what follows the first byte that is left, and passes all before it if it is a block. Gives up in a file of too
    /// many false blocks.
    fn find(&mut self) -> io::Result<Rest> {
        let start = self.at;
        let (marker, mut zeros) = (marker(self.kind()), true);
        loop {
            zeros &= is_zero(self.input.peek(1)?);
            self.pass(1);
            let next = self.input.peek(marker.len())?;
            if next.is_empty() {
                self.at = start;
                return Ok(if zeros { Rest::Zeros } else { Rest::Other });
            }
            if next == marker {
                if self.examined > PATIENCE + PER_BYTE * self.at {
                    self.at = start;
                    return Ok(Rest::Unknown);
                }
                if let Look::Whole(..) = self.look()? {
                    return Ok(Rest::Block);
                }
            }
        }
    }

    fn kind(&self) -> Kind {
        self.header.as_ref().map_or(Kind::Positions, |header| header.kind)
    }

    fn pass(&mut self, length: usize) {
        self.input.pass(length);
        self.at += length as u64;
    }
}

/// What is found where a block should begin. Lengths are those of the block.
enum Look {
    Whole(Frame, usize),
    /// Its checksum is wrong.
    Damaged(usize),
    /// The beginning of a block, to the end of the file.
    Torn,
    /// Not the head of a block.
    Other,
}

/// The rest of a file.
enum Rest {
    /// It has a whole block.
    Block,
    /// It has only zero bytes.
    Zeros,
    Other,
    /// It was not read to its end.
    Unknown,
}

fn marker(kind: Kind) -> &'static [u8; 4] {
    match kind {
        Kind::Positions => POSITIONS,
        Kind::Games => GAMES,
    }
}

fn head_length(kind: Kind) -> usize {
    match kind {
        Kind::Positions => POSITIONS_HEAD,
        Kind::Games => GAMES_HEAD,
    }
}

/// Returns the size of the body and the counts in the head of a block; `None` if no block has such a head.
fn read_head(kind: Kind, head: &[u8]) -> Option<(usize, Totals)> {
    let number = |from| u64::from(four(head, from));
    let (size, tally) = match kind {
        Kind::Positions => {
            let (records, games) = (number(8), number(12));
            (records.saturating_mul(Record::SIZE as u64), Totals { records, games, next: 0 })
        }
        Kind::Games => {
            let next = number(20) | number(24) << 32;
            (number(8), Totals { games: number(12), records: number(16), next })
        }
    };
    (head.starts_with(marker(kind)) && size <= MAX_BODY as u64).then_some((size as usize, tally))
}

/// The number in the four bytes from `from` on.
fn four(bytes: &[u8], from: usize) -> u32 {
    u32::from_le_bytes([0, 1, 2, 3].map(|byte| bytes[from + byte]))
}

/// Whether `bytes` are what a power failure leaves in place of what was being written.
pub(super) fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte == 0)
}

/// Reads the header of version 2 after magic and version; also returns the start of the blocks.
fn read_header(input: &mut impl Read) -> Result<(Header, u64), DataError> {
    let damaged = |what: &str| DataError::Header(what.to_owned());
    let head = read_up_to(input, TEXT_HEAD)?;
    let (Some(length), Some(checksum)) = (head.first_chunk(), head.last_chunk()) else {
        return Err(DataError::TornHeader);
    };
    let length = u32::from_le_bytes(*length) as usize;
    if length > MAX_TEXT {
        return Err(damaged("it is too long"));
    }
    let text = read_up_to(input, length)?;
    if text.len() < length {
        let is_begun = serde_json::from_slice::<IgnoredAny>(&text).is_err_and(|error| error.is_eof());
        return Err(if is_begun { DataError::TornHeader } else { damaged("its length is wrong") });
    }
    if crc32fast::hash(&text) != u32::from_le_bytes(*checksum) {
        return Err(damaged("its checksum is wrong"));
    }
    let header = serde_json::from_slice(&text).map_err(|error| damaged(&error.to_string()))?;
    Ok((header, (FIXED + TEXT_HEAD + length) as u64))
}

/// Reads at most `count` bytes; fewer only at the end of the input.
pub(super) fn read_up_to(input: &mut impl Read, count: usize) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::with_capacity(count);
    input.take(count as u64).read_to_end(&mut bytes)?;
    Ok(bytes)
}

impl<R: Read> Iterator for Frames<R> {
    type Item = Result<Frame, DataError>;

    /// A damaged block is an error, and the next block follows; every other error is the last item.
    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let frame = self.read().transpose();
        self.ended = !matches!(frame, Some(Ok(_) | Err(DataError::Damaged { .. })));
        frame
    }
}

/// Returns the header of a file and the sum of its blocks' counts; checks the checksums.
///
/// # Errors
///
/// [`DataError`], also for damage.
pub fn tally(path: &Path) -> Result<(Option<Header>, Totals), DataError> {
    let mut frames = Frames::open(path)?;
    let mut sum = Totals::default();
    for frame in frames.by_ref() {
        let Totals { records, games, next } = frame?.tally;
        sum = Totals { records: sum.records + records, games: sum.games + games, next };
    }
    Ok((frames.header, sum))
}

#[cfg(test)]
pub(crate) mod testing {
    use std::{fs, path::Path};

    use crate::data::Blocks;

    /// Makes a file one of version 1, which has no text before its blocks.
    pub(crate) fn make_old(path: &Path) {
        let blocks = Blocks::open(path).unwrap().position() as usize;
        let bytes = fs::read(path).unwrap();
        fs::write(path, [&b"ZWDATA\r\n\x01\0\0\0"[..], &bytes[blocks..]].concat()).unwrap();
    }
}
