//! Games as PGN.

use std::fmt::Write as _;

use super::{Game, Movetext, Remark, tokens::result};
use crate::chess::{notation::san, position::Position, text::BYTE_ORDER_MARK};

/// The seven tags that every game has, in order.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// The maximum line length of movetext, in bytes, by the export format.
const LINE_LENGTH: usize = 79;

impl Game {
    /// Returns the game as PGN, ending with an empty line.
    #[must_use]
    pub fn to_pgn(&self) -> String {
        let (position, ply) = (self.start.clone(), self.start.ply());
        let mut writer = Writer { position, ply, text: self.tag_section(), length: 0 };
        writer.line(&self.movetext);
        let result = if self.result.is_empty() { "*" } else { &self.result };
        writer.word(self.ending.as_deref().unwrap_or(result));
        writer.text + "\n\n"
    }

    /// The tag `Result`: as it was read, unless the result is another one since.
    fn result_tag(&self) -> Option<&str> {
        let read = self.tag("Result").filter(|tag| result(tag).is_none_or(|result| result == self.result));
        read.or(Some(&*self.result).filter(|result| !result.is_empty()))
    }

    fn tag_section(&self) -> String {
        let mut text = String::new();
        let mut tag = |name: &str, value: &str| {
            let value = printable(value).replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "[{name} \"{value}\"]");
        };
        for (name, unknown) in ROSTER {
            let value = if name == "Result" { self.result_tag() } else { self.tag(name) };
            tag(name, value.unwrap_or(unknown));
        }
        let mut roster: Vec<&str> = ROSTER.map(|(name, _)| name).to_vec();
        for (name, value) in &self.tags {
            if let Some(written) = roster.iter().position(|known| known == name) {
                roster.remove(written);
            } else if name != "FEN" && name != "SetUp" {
                tag(name, value);
            }
        }
        let values =
            |wanted| self.tags.iter().filter(move |(name, _)| name == wanted).map(|(_, value)| value);
        let begins_elsewhere = self.start.fen() != Position::default().fen();
        let own_fen = (self.tag("FEN").is_none() && begins_elsewhere).then(|| self.start.fen());
        let own_set_up = (self.tag("SetUp").is_none() && (own_fen.is_some() || self.tag("FEN").is_some()))
            .then(|| "1".to_owned());
        values("SetUp").chain(&own_set_up).for_each(|value| tag("SetUp", value));
        values("FEN").chain(&own_fen).for_each(|value| tag("FEN", value));
        text.push('\n');
        text
    }
}

/// Writes movetext.
struct Writer {
    /// The current position.
    position: Position,
    /// The number of half-moves before the position. (A null move does not change the counter of a FEN.)
    ply: u64,
    text: String,
    /// The length of the last line of the text.
    length: usize,
}

impl Writer {
    fn line(&mut self, line: &Movetext) {
        for remark in &line.before {
            self.remark(remark);
        }
        let mut say_number = true;
        for annotated in &line.moves {
            let number = self.ply / 2 + 1;
            if self.position.turn().is_white() {
                self.word(&format!("{number}."));
            } else if say_number {
                self.word(&format!("{number}..."));
            }
            self.word(&annotated.m.map_or_else(|| "--".into(), |m| san(&self.position, m)));
            for remark in &annotated.remarks {
                self.remark(remark);
            }
            say_number = annotated.remarks.iter().any(|remark| !matches!(remark, Remark::Glyph(_)));
            self.position.play_or_pass(annotated.m);
            self.ply += 1;
        }
        for _ in &line.moves {
            self.position.undo();
            self.ply -= 1;
        }
    }

    /// Writes a remark on the next move.
    fn remark(&mut self, remark: &Remark) {
        match remark {
            Remark::Glyph(glyph) => self.word(&format!("${glyph}")),
            Remark::Comment(text) => self.comment(&printable(text)),
            Remark::Variation(line) => {
                self.word("(");
                self.line(line);
                self.word(")");
            }
        }
    }

    fn comment(&mut self, text: &str) {
        let text = text.trim();
        if text.contains('}') {
            self.word(&format!("; {text}"));
            self.end_line();
        } else if !text.is_empty() {
            let text = format!("{{{text}}}");
            text.split_whitespace().for_each(|word| self.word(word));
        }
    }

    /// Writes a word, which is never divided between two lines.
    fn word(&mut self, word: &str) {
        // At the beginning of a line `%` escapes the line, a byte-order mark is dropped, and `[Event` begins
        // another game, also within a comment.
        let must_not_begin = word.starts_with('%') || word.starts_with(BYTE_ORDER_MARK) || word == "[Event";
        if self.length > 0 && self.length + 1 + word.len() > LINE_LENGTH && !must_not_begin {
            self.end_line();
        } else if self.length > 0 {
            self.text.push(' ');
            self.length += 1;
        }
        self.text.push_str(word);
        self.length += word.len();
    }

    fn end_line(&mut self) {
        self.text.push('\n');
        self.length = 0;
    }
}

/// Returns `text` without control characters, which would break the format, and with plain blanks: as a PGN
/// contains it.
pub(crate) fn printable(text: &str) -> String {
    let plain = |c: char| if c.is_whitespace() { ' ' } else { '?' };
    text.chars().map(|c| if c.is_control() || c.is_whitespace() { plain(c) } else { c }).collect()
}
