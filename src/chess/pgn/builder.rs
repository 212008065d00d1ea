//! Builds a game from the tokens of its moves.

use std::{mem, ops::Range};

use shakmaty::{Chess, Move, Position as _};

use super::{
    Annotated, Game, Letters, Movetext, Remark, glyphs,
    tokens::{Token, is_space, nobody_won, plain, result},
};
use crate::chess::{
    notation::{read_move, read_scoresheet, what_fits, why_no_move},
    position::passed,
};

/// The maximum depth of nested variations.
const DEEPEST: usize = 100;

/// The ways to write a null move.
const NULL_MOVES: [&str; 7] = ["--", "Z0", "0000", "@@@@", "<>", "null", "pass"];

/// A line that is being read.
#[derive(Debug)]
struct Open {
    line: Movetext,
    /// The position before its last move.
    before: Chess,
    /// The position after its last move.
    now: Chess,
    /// Where the text of a variation begins.
    begin: usize,
}

/// The end of what could be read of the main line.
#[derive(Debug)]
struct Cut {
    /// Where the rest of its text begins.
    at: usize,
    reason: String,
    /// The move that could not be read.
    word: Option<String>,
}

/// Builds a game from tokens.
///
/// A variation that cannot be read becomes a comment with its text. So does the rest of a main line from the
/// first move that cannot be read.
#[derive(Debug)]
pub(super) struct Builder<'a> {
    text: &'a str,
    /// The letters of the pieces, if they are not English.
    letters: Option<&'static Letters>,
    /// The lines that enclose the current one, outermost first.
    outer: Vec<Open>,
    line: Open,
    /// Where the number of White's first move begins, until the token behind it is read.
    first_number: Option<usize>,
    /// The result that the moves end with.
    pub(super) result: Option<&'static str>,
    /// The number of open variations within the current one, and it, if it cannot be read.
    skipped: usize,
    cut: Option<Cut>,
    /// The word that has just failed to be read as a move.
    unread: Option<String>,
    faults: Vec<String>,
}

impl<'a> Builder<'a> {
    /// Begins the moves of `game`, after the remarks that it has; `text` is that of the file. The moves have
    /// `letters`.
    pub(super) fn new(text: &'a str, game: &mut Game, letters: Option<&'static Letters>) -> Self {
        let start = game.start.chess();
        let line = mem::take(&mut game.movetext);
        let line = Open { line, before: start.clone(), now: start.clone(), begin: 0 };
        let faults = mem::take(&mut game.faults);
        Self {
            text,
            letters,
            outer: Vec::new(),
            line,
            first_number: None,
            result: None,
            skipped: 0,
            cut: None,
            unread: None,
            faults,
        }
    }

    /// Why there is no game without tags: neither a move was read nor a result, or something else before it.
    pub(super) fn nothing_read(&self) -> Option<String> {
        let has_moves = !self.line.line.moves.is_empty() || !self.outer.is_empty();
        let cut = self.cut.as_ref().map(|cut| &cut.reason);
        let is_nothing = !has_moves && (self.result.is_none() || cut.is_some());
        let reason = cut.or(self.faults.first());
        is_nothing.then(|| reason.map_or_else(|| "neither tags nor moves".into(), String::clone))
    }

    /// Whether the first move that could not be read is one with other `letters`.
    pub(super) fn may_have(&self, letters: &Letters) -> bool {
        let word = self.cut.as_ref().and_then(|cut| letters.in_english(cut.word.as_ref()?));
        word.is_some_and(|word| read_annotated(&self.line.now, &word).is_some())
    }

    /// Whether `word` is the result of a game that nobody has won, and not castling.
    pub(super) fn ends_with(&self, word: &str) -> bool {
        let is_read = self.cut.is_none() && self.outer.is_empty();
        is_read && nobody_won(word) && read_annotated(&self.line.now, word).is_none()
    }

    /// Whether `word` is a move of the current line.
    pub(super) fn is_move(&self, word: &str) -> bool {
        self.cut.is_none() && self.skipped == 0 && read_move(&self.line.now, word).is_some()
    }

    /// Adds the next token, which is at `place` of the text, with what is skipped before it.
    pub(super) fn take(&mut self, token: Token, place: Range<usize>) {
        if self.cut.is_some() {
            return;
        }
        if self.skipped > 0 {
            match token {
                Token::Begin => self.skipped += 1,
                Token::End => self.skipped -= 1,
                _ => {}
            }
            if self.skipped == 0 {
                self.lose_variation(place.end);
            }
            return;
        }
        let begin = self.first_number.take().unwrap_or(place.start);
        if token == Token::FirstNumber {
            self.first_number = Some(begin);
            return;
        }
        let Err(reason) = self.read(token, place) else { return };
        let word = self.unread.take();
        if self.outer.is_empty() {
            self.faults.push(format!("cut at {reason}; the rest is kept as a comment"));
            self.cut = Some(Cut { at: begin, reason, word });
        } else {
            self.faults.push(format!("{reason}; that variation is kept as a comment"));
            self.skipped = 1;
        }
    }

    /// Reads the next token, or returns its error.
    fn read(&mut self, token: Token, place: Range<usize>) -> Result<(), String> {
        match token {
            Token::Comment(text) if text.is_empty() => {}
            Token::Comment(text) => self.remark(Remark::Comment(text)),
            // A result inside a variation belongs to another game; it is kept as a comment.
            Token::Result(result) => self.remark(Remark::Comment(result.into())),
            Token::Glyph(digits) => match digits.parse() {
                Ok(glyph) => self.remark(Remark::Glyph(glyph)),
                Err(_) => {
                    self.lose(format!("expected a glyph's number, got ${digits}"), format!("${digits}"));
                }
            },
            Token::Sign(sign) => self.remark(Remark::Glyph(glyphs::of_sign(&sign).unwrap_or_default())),
            Token::Begin => return self.begin(place.end - 1),
            Token::End if self.outer.is_empty() => {
                self.faults.push("an unmatched closing parenthesis, which is dropped".into());
            }
            Token::End => self.end(),
            Token::Word(word) => {
                return self.word(&word).inspect_err(|_| self.unread = Some(word));
            }
            Token::OpenComment => {
                let text = self.text[place].trim_matches(is_space);
                self.lose("a comment without an end".into(), plain(text.strip_prefix('{').unwrap_or(text)));
            }
            Token::Blank | Token::Tag | Token::FirstNumber => {}
        }
        Ok(())
    }

    /// Notes a fault, and keeps `text`, which has it, as a comment.
    fn lose(&mut self, fault: String, text: String) {
        self.faults.push(fault);
        if !text.is_empty() {
            self.remark(Remark::Comment(text));
        }
    }

    /// Ends the current variation, which cannot be read, at byte `end`.
    fn lose_variation(&mut self, end: usize) {
        self.skipped = 0;
        let lost = self.close();
        self.remark(Remark::Comment(plain(&self.text[lost.begin..end])));
    }

    /// Ends the moves, before their result, at byte `end`.
    pub(super) fn end_moves(&mut self, end: usize) {
        if !self.outer.is_empty() {
            self.faults.push("a variation without an end, to which the moves behind it belong".into());
        }
        if self.skipped > 0 {
            self.lose_variation(end);
        }
        while !self.outer.is_empty() {
            self.end();
        }
        if let Some(cut) = &self.cut {
            self.remark(Remark::Comment(plain(self.text[cut.at..end].trim_matches(is_space))));
        }
    }

    /// Adds a remark behind the result of the game, which is at `place` of the text.
    pub(super) fn take_behind(&mut self, token: Token, place: Range<usize>) {
        // Signs and comments have no other error than what is kept as a comment.
        let _ = self.read(token, place);
    }

    fn remark(&mut self, remark: Remark) {
        let line = &mut self.line.line;
        line.moves.last_mut().map_or(&mut line.before, |annotated| &mut annotated.remarks).push(remark);
    }

    /// Begins the variation whose text begins at byte `begin`.
    fn begin(&mut self, begin: usize) -> Result<(), String> {
        let has_moves = !self.line.line.moves.is_empty();
        let start = self.line.before.clone();
        let inner = Open { line: Movetext::default(), before: start.clone(), now: start, begin };
        self.outer.push(mem::replace(&mut self.line, inner));
        match (has_moves, self.outer.len()) {
            (false, _) => Err("a variation before any move".into()),
            (true, ..=DEEPEST) => Ok(()),
            _ => Err(format!("more than {DEEPEST} nested variations")),
        }
    }

    fn end(&mut self) {
        let inner = self.close();
        self.remark(Remark::Variation(inner.line));
    }

    /// Goes back to the line that encloses the current one, which is returned.
    fn close(&mut self) -> Open {
        let outer = self.outer.pop().expect("a variation is open");
        mem::replace(&mut self.line, outer)
    }

    /// Adds a move, or a sign that is separated from its move by a blank.
    fn word(&mut self, word: &str) -> Result<(), String> {
        let before = self.line.now.clone();
        let last = self.line.line.moves.last().and_then(|annotated| annotated.m);
        if last.is_some_and(|last| is_mark(word, last, &before)) {
            return Ok(());
        }
        let written = word;
        let english = self.letters.filter(|_| glyphs::of_sign(word).is_none());
        let english = english.map(|letters| letters.in_english(word).unwrap_or_default());
        let word = english.as_deref().unwrap_or(word);
        let (m, remark) = match read_annotated(&before, word) {
            Some((m, glyph)) => {
                self.line.now.play_unchecked(m);
                (Some(m), glyph.map(Remark::Glyph))
            }
            None if NULL_MOVES.iter().any(|name| word.eq_ignore_ascii_case(name)) => {
                let passed = Some(&before).filter(|before| !before.is_check()).and_then(passed);
                self.line.now = passed.ok_or_else(|| self.illegal(word, written))?;
                (None, None)
            }
            None => {
                if let Some(glyph) = glyphs::of_sign(word) {
                    self.remark(Remark::Glyph(glyph));
                    return Ok(());
                }
                if glyphs::is_idea(written) {
                    self.remark(Remark::Comment(written.into()));
                    return Ok(());
                }
                let signed =
                    read_signed(&before, word).map(|(m, sign)| (m, Some(Remark::Comment(sign.to_owned()))));
                let short = || Some((only(&read_scoresheet(&before, word))?, None));
                let (m, remark) = signed.or_else(short).ok_or_else(|| self.illegal(word, written))?;
                self.line.now.play_unchecked(m);
                (Some(m), remark)
            }
        };
        self.line.before = before;
        self.line.line.moves.push(Annotated { m, remarks: remark.into_iter().collect() });
        Ok(())
    }

    /// Why there is no move `word`, which is `written` so in the text.
    fn illegal(&self, word: &str, written: &str) -> String {
        let chess = &self.line.now;
        let [word, written]: [String; 2] = [word, written].map(|word| word.chars().take(40).collect());
        let number = chess.fullmoves();
        match what_fits(chess, &word).join(" or ") {
            none if none.is_empty() => format!("move {number}: {} {written}", why_no_move(chess, &word)),
            fitting => format!("move {number}: ambiguous {written}, which may be {fitting}"),
        }
    }

    /// Puts what was read into `game`. The tag tells the result of a game that was not decided on the board.
    pub(super) fn finish(mut self, mut game: Game) -> Game {
        let by_tag = game.tag("Result").and_then(result);
        game.result = by_tag.or(self.result).unwrap_or("*").into();
        if let Some(end) = self.result
            && let Some(tag) = game.tag("Result")
            && by_tag.unwrap_or("*") != end
        {
            self.faults.push(format!("the tag Result is \"{tag}\", but the moves end with {end}"));
            game.ending = Some(end.into());
        }
        game.movetext = self.line.line;
        game.letters = self.letters;
        game.cut = self.cut.map(|cut| cut.reason);
        game.faults = self.faults;
        game
    }
}

/// Reads `word` as a move in `before`, and the glyph of a sign directly behind it, if there is one.
fn read_annotated(before: &Chess, word: &str) -> Option<(Move, Option<u16>)> {
    let read = |word: &str| read_move(before, word).or_else(|| read_marked(before, word));
    if let Some(m) = read(word) {
        return Some((m, None));
    }
    let (bare, glyph) = glyphs::split(word)?;
    Some((read(bare)?, Some(glyph)))
}

/// Reads a move with something else directly behind it, such as a sign that is not known. Returns that too.
/// What could belong to a move is no sign.
fn read_signed<'w>(before: &Chess, word: &'w str) -> Option<(Move, &'w str)> {
    let is_sign = |text: &str| !text.contains(|c: char| c.is_ascii_digit() || "xX:-=O".contains(c));
    let ends = word.char_indices().rev().map(|(at, _)| word.split_at(at));
    ends.filter(|(_, sign)| is_sign(sign)).find_map(|(bare, sign)| Some((read_move(before, bare)?, sign)))
}

/// The only one of `moves`.
fn only(moves: &[Move]) -> Option<Move> {
    if let &[m] = moves { Some(m) } else { None }
}

/// Reads a move with a mark directly behind it, as in `Qh4mate` and `exd6ep+`.
fn read_marked(before: &Chess, word: &str) -> Option<Move> {
    let bare = word.trim_end_matches(['+', '#']);
    ["e.p.", "e.p", "ep", "ch", "mate", "†", "‡"].iter().find_map(|mark| {
        let m = read_move(before, bare.strip_suffix(mark)?)?;
        let mut after = before.clone();
        after.play_unchecked(m);
        is_mark(mark, m, &after).then_some(m)
    })
}

/// Whether `word` only repeats what SAN says of the move `m`, which led to `after`. It is not kept.
fn is_mark(word: &str, m: Move, after: &Chess) -> bool {
    match word {
        "ch" | "check" | "+" | "++" | "†" | "‡" => after.is_check(),
        "mate" | "#" => after.is_checkmate(),
        _ => m.is_en_passant() && ["e.p.", "e.p", "ep"].contains(&word.trim_end_matches(['+', '#'])),
    }
}
