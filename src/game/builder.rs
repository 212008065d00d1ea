//! Builds a game from the tokens of its moves.

use std::mem;

use shakmaty::{Chess, Move, Position as _};

use super::{
    Annotated, Game, Movetext, Remark, glyphs,
    tokens::{Token, result},
};
use crate::{notation::read_move, position::passed};

/// The maximum depth of nested variations.
const DEEPEST: usize = 100;

/// A line that is being read.
#[derive(Debug)]
struct Open {
    line: Movetext,
    /// The position before its last move.
    before: Chess,
    /// The position after its last move.
    now: Chess,
}

/// Builds a game from tokens.
#[derive(Debug)]
pub(super) struct Builder {
    /// The lines that enclose the current one, outermost first.
    outer: Vec<Open>,
    line: Open,
    pub(super) result: Option<&'static str>,
}

impl Builder {
    /// Begins the moves of `game`, after the remarks that it has.
    pub(super) fn new(game: &mut Game) -> Self {
        let start = game.start.chess();
        let line = mem::take(&mut game.movetext);
        let line = Open { line, before: start.clone(), now: start.clone() };
        Self { outer: Vec::new(), line, result: None }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.outer.is_empty() && self.line.line.moves.is_empty() && self.result.is_none()
    }

    /// Adds the next token, or returns its error.
    pub(super) fn take(&mut self, token: Token) -> Result<(), String> {
        match token {
            Token::Comment(text) if text.is_empty() => {}
            Token::Comment(text) => self.remark(Remark::Comment(text)),
            // A result inside a variation belongs to another game; it is kept as a comment.
            Token::Result(result) => self.remark(Remark::Comment(result.into())),
            Token::Glyph(digits) => {
                let glyph =
                    digits.parse().map_err(|_| format!("expected a glyph's number, got ${digits}"))?;
                self.remark(Remark::Glyph(glyph));
            }
            Token::Sign(sign) => self.remark(Remark::Glyph(glyphs::of_sign(&sign).unwrap_or_default())),
            Token::Begin => return self.begin(),
            Token::End => return self.end(),
            Token::Word(word) => return self.word(&word),
            Token::OpenComment => return Err("a comment without an end".into()),
            Token::Blank | Token::Tag | Token::FirstNumber => {}
        }
        Ok(())
    }

    fn remark(&mut self, remark: Remark) {
        let line = &mut self.line.line;
        line.moves.last_mut().map_or(&mut line.before, |annotated| &mut annotated.remarks).push(remark);
    }

    fn begin(&mut self) -> Result<(), String> {
        if self.line.line.moves.is_empty() {
            return Err("a variation before any move".into());
        }
        if self.outer.len() == DEEPEST {
            return Err(format!("more than {DEEPEST} nested variations"));
        }
        let start = self.line.before.clone();
        let inner = Open { line: Movetext::default(), before: start.clone(), now: start };
        self.outer.push(mem::replace(&mut self.line, inner));
        Ok(())
    }

    fn end(&mut self) -> Result<(), String> {
        let outer = self.outer.pop().ok_or("an unmatched closing parenthesis")?;
        let inner = mem::replace(&mut self.line, outer);
        self.remark(Remark::Variation(inner.line));
        Ok(())
    }

    /// Adds a move, or a sign that is separated from its move by a blank.
    fn word(&mut self, word: &str) -> Result<(), String> {
        let before = self.line.now.clone();
        let last = self.line.line.moves.last().and_then(|annotated| annotated.m);
        if last.is_some_and(|last| is_mark(word, last, &before)) {
            return Ok(());
        }
        let (m, glyph) = match read_annotated(&before, word) {
            Some((m, glyph)) => {
                self.line.now.play_unchecked(m);
                (Some(m), glyph)
            }
            None if ["--", "Z0", "0000", "@@@@"].contains(&word) => {
                let passed = Some(&before).filter(|before| !before.is_check()).and_then(passed);
                self.line.now = passed.ok_or_else(|| self.illegal(word))?;
                (None, None)
            }
            None => {
                if let Some(glyph) = glyphs::of_sign(word) {
                    self.remark(Remark::Glyph(glyph));
                    return Ok(());
                }
                return Err(self.illegal(word));
            }
        };
        self.line.before = before;
        self.line.line.moves.push(Annotated { m, remarks: glyph.map(Remark::Glyph).into_iter().collect() });
        Ok(())
    }

    fn illegal(&self, word: &str) -> String {
        let number = self.line.now.fullmoves();
        let word: String = word.chars().take(40).collect();
        format!("move {number}, {word}: expected a legal move")
    }

    pub(super) fn finish(mut self, mut game: Game) -> Game {
        while !self.outer.is_empty() {
            let _ = self.end(); // the file ends within a variation
        }
        game.movetext = self.line.line;
        // The tag also gives the result of a game that was not decided on the board.
        let by_tag = game.tag("Result").and_then(result);
        game.result = by_tag.or(self.result).unwrap_or("*").into();
        game
    }
}

/// Reads `word` as a move in `before`, and the glyph of a sign directly behind it, if there is one.
fn read_annotated(before: &Chess, word: &str) -> Option<(Move, Option<u16>)> {
    if let Some(m) = read_move(before, word).or_else(|| read_marked(before, word)) {
        return Some((m, None));
    }
    let (bare, glyph) = glyphs::split(word)?;
    Some((read_move(before, bare)?, Some(glyph)))
}

/// Reads a move with a mark directly behind it, as in `Qh4mate`.
fn read_marked(before: &Chess, word: &str) -> Option<Move> {
    ["e.p.", "ep", "ch", "mate"].iter().find_map(|mark| {
        let m = read_move(before, word.strip_suffix(mark)?)?;
        let mut after = before.clone();
        after.play_unchecked(m);
        is_mark(mark, m, &after).then_some(m)
    })
}

/// Whether `word` only repeats what SAN says of the move `m`, which led to `after`. It is not kept.
fn is_mark(word: &str, m: Move, after: &Chess) -> bool {
    match word {
        "e.p." | "ep" => m.is_en_passant(),
        "ch" | "+" | "++" => after.is_check(),
        "mate" | "#" => after.is_checkmate(),
        _ => false,
    }
}
