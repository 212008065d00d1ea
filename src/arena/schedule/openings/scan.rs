//! Where the openings of a text begin, found without reading them.

use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

use crate::arena::checksum::Checksum;
use crate::chess::text::BYTE_ORDER_MARK;

/// What is in a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum FileKind {
    /// EPD or FEN lines. Empty ones and those that begin with `#` are skipped.
    Lines,
    /// Games in PGN.
    Games,
}

impl FileKind {
    /// What a file with such a name has.
    pub(super) fn of(path: &Path) -> Option<Self> {
        let extension = path.extension()?.to_ascii_lowercase();
        match extension.to_str()? {
            "epd" | "fen" | "txt" => Some(FileKind::Lines),
            "pgn" => Some(FileKind::Games),
            _ => None,
        }
    }
}

/// Returns the offset of every opening of `text`, and the checksum of the text.
pub(super) fn scan(text: impl Read, kind: FileKind) -> io::Result<(Vec<u64>, String)> {
    let mut text = BufReader::with_capacity(1 << 16, text);
    let (mut lines, mut games) = (LineScan::default(), GameScan::default());
    let (mut places, mut checksum, mut at) = (Vec::new(), Checksum::default(), 0);
    loop {
        let bytes = text.fill_buf()?;
        if bytes.is_empty() {
            return Ok((places, checksum.finish()));
        }
        checksum.add(bytes);
        for (&byte, at) in bytes.iter().zip(at..) {
            places.extend(match kind {
                FileKind::Lines => lines.begins(byte, at),
                FileKind::Games => games.begins(byte, at),
            });
        }
        let length = bytes.len();
        at += length as u64;
        text.consume(length);
    }
}

fn ends_line(byte: u8) -> bool {
    matches!(byte, b'\n' | b'\r')
}

/// Whether a byte before the first sign of a line has no meaning.
fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == 0 || BYTE_ORDER_MARK.as_bytes().contains(&byte)
}

/// Finds the lines of a list.
#[derive(Default)]
struct LineScan {
    /// Whether the line had a sign.
    begun: bool,
}

impl LineScan {
    /// The place of the opening that is found with the next byte, which is at `at`.
    fn begins(&mut self, byte: u8, at: u64) -> Option<u64> {
        if ends_line(byte) {
            self.begun = false;
        } else if !self.begun && !is_blank(byte) {
            self.begun = true;
            return (byte != b'#').then_some(at);
        }
        None
    }
}

/// Finds the games of a PGN. A game begins with its first tag, or with the first move of White at the
/// beginning of a line if the game before has moves.
#[derive(Default)]
struct GameScan {
    line: LinePart,
    game: GamePart,
    in_comment: bool,
    /// The number of bytes of [`EVENT`] that the line of a comment begins with.
    event: usize,
    /// The number of open variations.
    depth: u32,
}

/// The beginning of a line that ends a comment without an end.
const EVENT: &[u8] = b"[Event \"";

/// What the line had so far.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum LinePart {
    #[default]
    Nothing,
    /// `1`, at this place.
    One(u64),
    /// `1.`, from this place on.
    FirstNumber(u64),
    Other,
    /// What is followed by no move: a tag, the beginning of a comment to the end of the line, or of an
    /// escaped line.
    Skipped,
}

/// What the game had so far.
#[derive(Default, Clone, Copy, PartialEq, Eq)]
enum GamePart {
    /// Nothing: no game has begun.
    #[default]
    Nothing,
    Tags,
    /// Something behind the tags, such as a result.
    Text,
    Moves,
}

impl GameScan {
    /// The place of the game that is found with the next byte, which is at `at`.
    fn begins(&mut self, byte: u8, at: u64) -> Option<u64> {
        let before = self.line;
        if ends_line(byte) {
            self.line = LinePart::Nothing;
            self.event = 0;
            return None;
        }
        let is_blank = is_blank(byte);
        if before == LinePart::Skipped || (before == LinePart::Nothing && is_blank) {
            return None;
        }
        if self.in_comment {
            return self.skip_in_comment(byte, at);
        }
        self.line = match (before, byte) {
            (LinePart::Nothing, b'[' | b'%') | (_, b';') => LinePart::Skipped,
            (LinePart::Nothing, b'1') => LinePart::One(at),
            (LinePart::One(place), b'.') => LinePart::FirstNumber(place),
            _ => LinePart::Other,
        };
        match (before, byte) {
            (LinePart::Nothing, b'[') if self.game == GamePart::Tags => None,
            (LinePart::Nothing, b'[') => self.begin(GamePart::Tags, at),
            (LinePart::FirstNumber(place), _)
                if byte != b'.' && self.game == GamePart::Moves && self.depth == 0 =>
            {
                self.in_comment = byte == b'{';
                self.begin(GamePart::Moves, place)
            }
            _ if is_blank || self.line == LinePart::Skipped => None,
            _ => self.take(byte, at),
        }
    }

    fn skip_in_comment(&mut self, byte: u8, at: u64) -> Option<u64> {
        let is_event =
            (self.line == LinePart::Nothing || self.event > 0) && EVENT.get(self.event) == Some(&byte);
        self.event = if is_event { self.event + 1 } else { 0 };
        self.line = LinePart::Other;
        if self.event == EVENT.len() {
            self.in_comment = false;
            self.line = LinePart::Skipped;
            return self.begin(GamePart::Tags, at + 1 - EVENT.len() as u64);
        }
        self.in_comment = byte != b'}';
        None
    }

    fn begin(&mut self, part: GamePart, at: u64) -> Option<u64> {
        self.game = part;
        self.depth = 0;
        Some(at)
    }

    /// Takes a sign that is neither blank nor in a tag or a comment.
    fn take(&mut self, byte: u8, at: u64) -> Option<u64> {
        match byte {
            b'{' => self.in_comment = true,
            b'(' => self.depth += 1,
            b')' => self.depth = self.depth.saturating_sub(1),
            _ if self.game == GamePart::Nothing => return self.begin(GamePart::Text, at),
            _ if byte.is_ascii_alphabetic() => self.game = GamePart::Moves,
            _ if self.game == GamePart::Tags => self.game = GamePart::Text,
            _ => {}
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The texts that begin at the places of `text`, each up to the next place.
    fn parts(text: &str, kind: FileKind) -> Vec<&str> {
        let (mut places, _) = scan(text.as_bytes(), kind).unwrap();
        places.push(text.len() as u64);
        places.windows(2).map(|ends| &text[ends[0] as usize..ends[1] as usize]).collect()
    }

    #[test]
    fn lines_are_found_with_every_end() {
        for end in ["\n", "\r\n", "\r"] {
            let text = [
                "\u{feff}# head",
                "",
                "  one",
                "two # no comment",
                "\u{feff}\u{feff}three",
                "\t",
                "#",
                "four",
            ]
            .join(end);
            let found = parts(&text, FileKind::Lines);
            let found: Vec<&str> =
                found.iter().map(|part| part.split(['\n', '\r']).next().unwrap()).collect();
            assert_eq!(found, ["one", "two # no comment", "three", "four"]);
        }
    }

    /// The games that the reader of PGN finds begin where they are found here.
    #[test]
    fn games_are_found_where_the_reader_finds_them() {
        let tagged = "[Event \"{ 1. (\"]\n[Site \"x\"]\n\n1. e4 {a\n[Events \"no\"]\n\n1. d4 ( }\n1... c5 (\n1... e5) 2. Nf3 (\n2. c3) ; { (\n*\n\n";
        let open = "[Event \"x\"]\n\n1. e4 {not ended *\n\n[Event \"x\"]\n\n1. e4 *\n";
        let bare = "1. d4 d5\n10. c4 1/2-1/2\n\n";
        let position = "[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n{no\nmove}\n[Event \"x\"]\n*\n\n";
        let escaped = "[Event \"x\"]\n% { (\n\n1. e4 *\n";
        for text in [
            format!("{tagged}{bare}{position}{escaped}{bare}{tagged}"),
            format!("{bare}{bare}{tagged}"),
            format!("{position}{position}{open}{open}{bare}"),
            format!("\n\u{feff}\n{escaped}{escaped}"),
        ] {
            for text in [text.clone(), text.replace('\n', "\r\n"), text.replace('\n', "\r")] {
                let whole =
                    crate::chess::pgn::read_games(text.replace("\r\n", "\n").replace('\r', "\n").as_bytes())
                        .unwrap();
                let found = parts(&text, FileKind::Games);
                assert_eq!(found.len(), whole.len(), "{text:?}: {found:?}");
            }
        }
    }
}
