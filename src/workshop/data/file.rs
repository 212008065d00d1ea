//! Files as headers and blocks of bytes.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, Read},
    path::Path,
};

use serde::de::IgnoredAny;

use super::{Header, error::DataError};

pub(super) const MAGIC: &[u8; 8] = b"ZWDATA\r\n";
pub(super) const VERSION: u32 = 2;
/// Magic and version.
const FIXED: usize = 12;
/// Length and checksum of the text that follows.
const TEXT_HEAD: usize = 8;
/// A longer header is damaged.
const MAX_TEXT: usize = 1 << 24;
/// The bytes that a block begins with.
const MARKER: &[u8; 4] = b"ZWGB";
/// Marker, checksum, length of the body, and the counts.
const HEAD: usize = 28;
/// A longer block is damaged, because no writer makes one.
pub(super) const MAX_BODY: usize = 1 << 20;

/// The contents of a file or of a part of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Number of positions.
    pub records: u64,
    /// Number of games they are from.
    pub games: u64,
    /// The number of the next game that the run writing the file will play.
    pub next: u64,
}

impl Totals {
    /// Adds what follows, which may be nothing.
    pub fn add(&mut self, part: Self) {
        self.records += part.records;
        self.games += part.games;
        self.next = self.next.max(part.next);
    }
}

/// A block with a correct checksum.
#[derive(Debug)]
pub(super) struct RawBlock {
    /// Its start in the file.
    pub(super) at: u64,
    /// The number of positions before it.
    pub(super) before: u64,
    pub(super) tally: Totals,
    pub(super) body: Vec<u8>,
}

impl RawBlock {
    /// Returns the bytes of the block in the file.
    pub(super) fn to_bytes(tally: Totals, body: &[u8]) -> Vec<u8> {
        let four = |number: u64| u32::try_from(number).expect("blocks are small").to_le_bytes();
        let mut bytes = Vec::with_capacity(HEAD + body.len());
        bytes.extend([*MARKER, [0; 4]].as_flattened());
        bytes.extend([body.len() as u64, tally.games, tally.records].map(four).as_flattened());
        bytes.extend(tally.next.to_le_bytes());
        bytes.extend(body);
        let checksum = crc32fast::hash(&bytes[8..]);
        bytes[4..8].copy_from_slice(&checksum.to_le_bytes());
        bytes
    }

    /// The error if its contents are invalid.
    pub(super) fn damaged(&self) -> DataError {
        DataError::Damaged { at: self.at, before: self.before }
    }
}

/// The blocks of a file, in order, as bytes, to the first one that is damaged.
#[derive(Debug)]
pub(super) struct RawBlocks<R> {
    input: R,
    header: Header,
    /// The start of the next block.
    at: u64,
    /// What was read so far.
    read: Totals,
    ended: bool,
}

impl RawBlocks<BufReader<File>> {
    pub(super) fn open(path: &Path) -> Result<Self, DataError> {
        Self::new(BufReader::with_capacity(1 << 17, File::open(path)?))
    }
}

impl<R: Read> RawBlocks<R> {
    /// Reads the header.
    pub(super) fn new(mut input: R) -> Result<Self, DataError> {
        let fixed = read_up_to(&mut input, FIXED)?;
        if fixed.is_empty() {
            return Err(DataError::Empty);
        }
        let version = fixed.strip_prefix(MAGIC).and_then(|rest| rest.try_into().ok());
        let (header, at) = match version.map(u32::from_le_bytes) {
            None => return Err(DataError::Foreign),
            Some(VERSION) => read_header(&mut input)?,
            Some(version) => return Err(DataError::Version(version)),
        };
        Ok(Self { input, header, at, read: Totals::default(), ended: false })
    }

    pub(super) fn header(&self) -> &Header {
        &self.header
    }

    /// The start of the next block, which is the number of bytes read.
    pub(super) fn position(&self) -> u64 {
        self.at
    }

    /// Reads no more blocks.
    pub(super) fn end(&mut self) {
        self.ended = true;
    }

    /// Returns the next block, or `None` at the end of the file.
    fn next_frame(&mut self) -> Result<Option<RawBlock>, DataError> {
        let (at, before) = (self.at, self.read.records);
        let head = read_up_to(&mut self.input, HEAD)?;
        if head.is_empty() {
            return Ok(None);
        }
        // A killed run leaves no block behind the one that it was writing.
        let is_partial = match (head.len() == HEAD).then(|| read_head(&head)) {
            None => true,
            Some(None) => is_zero(&head) && rest_is_zero(&mut self.input)?,
            Some(Some((size, tally))) => {
                let body = read_up_to(&mut self.input, size)?;
                let mut checksum = crc32fast::Hasher::new();
                checksum.update(&head[8..]);
                checksum.update(&body);
                if body.len() == size && checksum.finalize() == four(&head, 4) {
                    self.at += (HEAD + size) as u64;
                    self.read.add(tally);
                    return Ok(Some(RawBlock { at, before, tally, body }));
                }
                !has_block(&body) && rest_is_zero(&mut self.input)?
            }
        };
        match is_partial {
            true => Err(DataError::Partial { at, before }),
            false => Err(DataError::Damaged { at, before }),
        }
    }
}

impl<R: Read> Iterator for RawBlocks<R> {
    type Item = Result<RawBlock, DataError>;

    /// An error is the last item.
    fn next(&mut self) -> Option<Self::Item> {
        if self.ended {
            return None;
        }
        let frame = self.next_frame().transpose();
        self.ended = !matches!(frame, Some(Ok(_)));
        frame
    }
}

/// Whether a block seems to begin in `body`: then the length of the block that `body` belongs to is wrong.
fn has_block(body: &[u8]) -> bool {
    body.windows(MARKER.len()).any(|bytes| bytes == MARKER)
}

/// Returns the size of the body and the counts in the head of a block; `None` if no block has such a head.
fn read_head(head: &[u8]) -> Option<(usize, Totals)> {
    let number = |from| u64::from(four(head, from));
    let (size, next) = (number(8), number(20) | number(24) << 32);
    let tally = Totals { games: number(12), records: number(16), next };
    (head.starts_with(MARKER) && size <= MAX_BODY as u64).then_some((size as usize, tally))
}

/// The number in the four bytes from `from` on.
fn four(bytes: &[u8], from: usize) -> u32 {
    u32::from_le_bytes([0, 1, 2, 3].map(|byte| bytes[from + byte]))
}

/// Whether `bytes` are what a power failure leaves in place of what was being written.
pub(super) fn is_zero(bytes: &[u8]) -> bool {
    bytes.iter().all(|&byte| byte == 0)
}

/// Whether all bytes that are left are zero; true at the end of the input.
pub(super) fn rest_is_zero(input: &mut impl Read) -> io::Result<bool> {
    let mut input = BufReader::new(input);
    loop {
        let bytes = input.fill_buf()?;
        let length = bytes.len();
        if length == 0 || !is_zero(bytes) {
            return Ok(length == 0);
        }
        input.consume(length);
    }
}

/// Reads the header after magic and version; also returns the start of the blocks.
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

/// Returns the header of a file and the sum of its blocks' counts; checks the checksums.
///
/// # Errors
///
/// [`DataError`], also for damage.
pub fn tally(path: &Path) -> Result<(Header, Totals), DataError> {
    let mut frames = RawBlocks::open(path)?;
    for frame in frames.by_ref() {
        frame?;
    }
    Ok((frames.header, frames.read))
}

/// The CRC-32 of a file, for provenance.
///
/// # Errors
///
/// The error of reading.
pub fn checksum(path: &Path) -> io::Result<u32> {
    let mut file = BufReader::with_capacity(1 << 20, File::open(path)?);
    let mut sum = crc32fast::Hasher::new();
    loop {
        let bytes = file.fill_buf()?;
        if bytes.is_empty() {
            return Ok(sum.finalize());
        }
        sum.update(bytes);
        let length = bytes.len();
        file.consume(length);
    }
}
