//! Games as PGN.

use std::fmt::Write as _;

use super::{Game, Movetext, Remark};
use crate::{notation::san, position::Position, text::BYTE_ORDER_MARK};

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
        let mut text = self.tag_section();
        let mut movetext = Words { position: self.start.clone(), ply: self.start.ply(), words: Vec::new() };
        movetext.line(&self.movetext);
        movetext.words.push(Word::Plain(if self.result.is_empty() { "*" } else { &self.result }.into()));
        lay_out(&mut text, &movetext.words);
        text + "\n\n"
    }

    fn tag_section(&self) -> String {
        let mut text = String::new();
        let mut tag = |name: &str, value: &str| {
            let value = printable(value).replace('\\', "\\\\").replace('"', "\\\"");
            let _ = writeln!(text, "[{name} \"{value}\"]");
        };
        for (name, unknown) in ROSTER {
            let result = Some(self.result.as_str()).filter(|_| name == "Result" && !self.result.is_empty());
            tag(name, result.or_else(|| self.tag(name)).unwrap_or(unknown));
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

/// A piece of movetext that contains no line break.
#[derive(Debug)]
enum Word {
    Plain(String),
    /// A comment to the end of its line.
    RestOfLine(String),
}

fn lay_out(text: &mut String, words: &[Word]) {
    let mut line = 0;
    for word in words {
        let (Word::Plain(letters) | Word::RestOfLine(letters)) = word;
        // At the beginning of a line `%` escapes the line, a byte-order mark is dropped, and `[Event` begins another game,
        // also within a comment.
        let must_not_begin =
            letters.starts_with('%') || letters.starts_with(BYTE_ORDER_MARK) || letters == "[Event";
        if line > 0 && line + 1 + letters.len() > LINE_LENGTH && !must_not_begin {
            text.push('\n');
            line = 0;
        } else if line > 0 {
            text.push(' ');
            line += 1;
        }
        text.push_str(letters);
        line += letters.len();
        if matches!(word, Word::RestOfLine(_)) {
            text.push('\n');
            line = 0;
        }
    }
}

/// The words of a line, and the current position.
struct Words {
    position: Position,
    /// The number of half-moves before the position. (A null move does not change the counter of a FEN.)
    ply: u64,
    words: Vec<Word>,
}

impl Words {
    fn line(&mut self, line: &Movetext) {
        for remark in &line.before {
            self.remark(remark);
        }
        let mut say_number = true;
        for annotated in &line.moves {
            let number = self.ply / 2 + 1;
            if self.position.turn().is_white() {
                self.push(format!("{number}."));
            } else if say_number {
                self.push(format!("{number}..."));
            }
            self.push(annotated.m.map_or_else(|| "--".into(), |m| san(&self.position, m)));
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

    fn push(&mut self, word: String) {
        self.words.push(Word::Plain(word));
    }

    /// Writes a remark on the next move.
    fn remark(&mut self, remark: &Remark) {
        match remark {
            Remark::Glyph(glyph) => self.push(format!("${glyph}")),
            Remark::Comment(text) => self.comment(&printable(text)),
            Remark::Variation(line) => {
                self.push("(".into());
                self.line(line);
                self.push(")".into());
            }
        }
    }

    fn comment(&mut self, text: &str) {
        if text.trim().is_empty() {
            return;
        }
        if text.contains('}') {
            self.words.push(Word::RestOfLine(format!("; {}", text.trim())));
            return;
        }
        let text = format!("{{{}}}", text.trim());
        self.words.extend(text.split_whitespace().map(|word| Word::Plain(word.into())));
    }
}

/// Returns `text` without control characters, which would break the format, and with plain blanks: as a PGN contains it.
pub(crate) fn printable(text: &str) -> String {
    let plain = |c: char| if c.is_whitespace() { ' ' } else { '?' };
    text.chars().map(|c| if c.is_control() || c.is_whitespace() { plain(c) } else { c }).collect()
}
