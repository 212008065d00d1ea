//! A book: a text of openings, of which only their places are kept in memory. An opening is read, and
//! checked, when it is used.

use std::fmt::Debug;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::scan::{FileKind, scan};
use super::{Opening, OpeningsError, Reading};
use crate::arena::line::Line;
use crate::arena::replay::replay;
use crate::chess::epd;
use crate::chess::pgn::{Games, opening_names};
use crate::chess::text::{self, decode};

/// The maximum length of a line with an opening, in bytes.
const LONGEST_LINE: u64 = 64 << 10;

/// The operations of EPD that name an opening, and the tags that their operands become.
const OPERATIONS: [(&str, &str); 2] = [("eco", TAGS[0]), ("id", TAGS[1])];

/// The tags of PGN that name an opening.
const TAGS: [&str; 4] = ["ECO", "Opening", "Variation", "SubVariation"];

/// A text that can be read at any place.
trait Text: Read + Seek + Send + Debug {}
impl<T: Read + Seek + Send + Debug> Text for T {}

/// A text of openings.
#[derive(Debug)]
pub(super) struct Book {
    text: Mutex<Box<dyn Text>>,
    kind: FileKind,
    how: Reading,
    /// The offset of each opening.
    pub(super) places: Vec<u64>,
    /// Length and checksum of the text.
    pub(super) checksum: String,
}

impl Book {
    /// Opens a file; the extension of its name determines what is in it.
    pub(super) fn open(path: &Path, how: Reading) -> Result<Self, OpeningsError> {
        let kind = FileKind::of(path).ok_or(OpeningsError::Format)?;
        // A pipe cannot be read twice, and a line of UTF-16 does not end with a byte.
        let is_at_hand = path.metadata()?.is_file() && !is_utf_16(path)?;
        let text: Box<dyn Text> =
            if is_at_hand { Box::new(File::open(path)?) } else { Box::new(Cursor::new(text::read(path)?)) };
        Ok(Book::new(text, kind, how)?)
    }

    /// A book of EPD or FEN lines in memory.
    pub(super) fn from_lines(text: impl AsRef<[u8]> + Send + Debug + 'static, how: Reading) -> Self {
        Book::new(Box::new(Cursor::new(text)), FileKind::Lines, how).expect("memory can be read")
    }

    fn new(mut text: Box<dyn Text>, kind: FileKind, how: Reading) -> io::Result<Self> {
        text.rewind()?;
        let (places, checksum) = scan(&mut text, kind)?;
        Ok(Book { text: Mutex::new(text), kind, how, places, checksum })
    }

    /// Reads the opening at `place`; `None` if it is a game that is over after its moves.
    pub(super) fn read(&self, place: u64) -> Result<Option<Opening>, OpeningsError> {
        let read = match self.kind {
            FileKind::Lines => self.read_line(place)?,
            FileKind::Games => self.read_game(place)?,
        };
        match read {
            Ok(opening) => Ok(Some(opening).filter(|opening| opening.line.end().is_none())),
            Err(reason) => Err(OpeningsError::Opening { line: self.line_number(place)?, reason }),
        }
    }

    fn read_line(&self, place: u64) -> io::Result<Result<Opening, String>> {
        let mut bytes = Vec::new();
        BufReader::with_capacity(512, self.at(place)?.as_mut())
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut bytes)?;
        let record = decode(bytes.split(|&byte| byte == b'\r').next().unwrap_or_default());
        let fen = epd::fen(&record).unwrap_or_else(|_| record.trim().to_owned());
        let line = Line::from_fen(&fen, self.how.chess960).map_err(|error| error.to_string());
        Ok(line.map(|line| Opening { line, tags: tags_of_line(&record) }))
    }

    fn read_game(&self, place: u64) -> io::Result<Result<Opening, String>> {
        let game = Games::new(self.at(place)?.as_mut()).next().transpose()?;
        let game =
            game.ok_or_else(|| "no game".to_owned()).and_then(|game| game.map_err(|broken| broken.reason));
        Ok(game.and_then(|game| {
            let tags = TAGS.iter().filter_map(|&name| Some((name, game.tag(name)?.to_owned())));
            replay(&game, self.how.plies, self.how.chess960)
                .map(|line| Opening { line, tags: tags.collect() })
        }))
    }

    /// The text, to be read from `place` on.
    fn at(&self, place: u64) -> io::Result<MutexGuard<'_, Box<dyn Text>>> {
        let mut text = self.text.lock().unwrap_or_else(PoisonError::into_inner);
        text.seek(SeekFrom::Start(place))?;
        Ok(text)
    }

    /// The number of the line at `place`, from 1. Lines may end with a carriage return alone.
    fn line_number(&self, place: u64) -> io::Result<usize> {
        let (mut lines, mut last) = (1, 0);
        for byte in BufReader::new(self.at(0)?.as_mut()).take(place).bytes() {
            let byte = byte?;
            lines += usize::from(byte == b'\r' || (byte == b'\n' && last != b'\r'));
            last = byte;
        }
        Ok(lines)
    }
}

/// The tags of an EPD line. If its `id` has the moves to the position, as in the built-in set, they are those
/// of the moves.
fn tags_of_line(record: &str) -> Vec<(&'static str, String)> {
    let operations = OPERATIONS.iter();
    let tags: Vec<_> =
        operations.filter_map(|&(opcode, tag)| Some((tag, epd::operands(record, opcode)?))).collect();
    let by_moves = match &tags[..] {
        [("Opening", moves)] => Games::new(moves.as_bytes()).next(),
        _ => None,
    };
    let named = by_moves.and_then(|game| opening_names::of_game(&game.ok()?.ok()?.positions()));
    named.map_or(tags, |(opening, _)| {
        vec![(TAGS[0], opening.eco.to_owned()), (TAGS[1], opening.name.to_owned())]
    })
}

fn is_utf_16(path: &Path) -> io::Result<bool> {
    let mut mark = Vec::new();
    File::open(path)?.take(2).read_to_end(&mut mark)?;
    Ok(text::is_utf_16(&mark))
}
