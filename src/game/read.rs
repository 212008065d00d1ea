//! Games from PGN.

use std::{
    io::{self, Read},
    mem,
};

use shakmaty::{Chess, Move, Position as _};

use super::{
    Annotated, BrokenGame, Game, Movetext, Remark, glyphs,
    tokens::{Token, Tokens, is_space, result},
};
use crate::{
    notation::read_move,
    position::{Position, passed},
    text::decode,
};

/// The maximum depth of nested variations.
const DEEPEST: usize = 100;

/// Reads all games of `input`, in order.
///
/// The text is [decoded](decode). Comments before and between the tags belong to the game. A game ends with its result,
/// or before tags, the end of the file, or an empty line after which another game begins: with tags, or with the number
/// of White's first move. In an open variation that number begins no game.
///
/// # Errors
///
/// Only if `input` cannot be read; a game that cannot be parsed is returned as a [`BrokenGame`].
pub fn read_games(mut input: impl Read) -> io::Result<Vec<Result<Game, BrokenGame>>> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes)?;
    let text = decode(&bytes);
    let mut games = Vec::new();
    let mut at = 0;
    while let Some(begin) = next_game(&text, at) {
        let (game, end) = read_game(&text, begin);
        let broken =
            |reason| BrokenGame { number: games.len() + 1, reason, text: text[begin..end].trim().to_owned() };
        games.push(game.map_err(broken));
        at = end;
    }
    Ok(games)
}

/// The start of the first line from `at` on that is neither empty nor escaped.
fn next_game(text: &str, mut at: usize) -> Option<usize> {
    loop {
        let line = text[at..].split_inclusive('\n').next()?;
        if !line.trim_matches(is_space).is_empty() && !line.starts_with('%') {
            return Some(at);
        }
        at += line.len();
    }
}

/// Returns the game that begins at byte `begin`, or its error, and its end.
fn read_game(text: &str, begin: usize) -> (Result<Game, String>, usize) {
    let mut game = Game::default();
    let (problem, at) = read_tags(text, begin, &mut game);
    let mut tokens = Tokens::new(text, at);
    let mut builder = Builder::new(&mut game);
    // A broken game is read to its end too, because the next one begins there.
    let mut problem = problem.or_else(|| foreign_rules(&game));
    let mut has_moves = false;
    // The number of open variations, also in a broken game, which the builder does not follow to its end.
    let mut depth = 0_usize;
    loop {
        match tokens.next() {
            None | Some(Token::Tag) => break,
            Some(Token::Blank) => match continuation(tokens.clone(), has_moves && depth == 0) {
                Some(continuation) => tokens = continuation,
                None => break,
            },
            Some(Token::Result(result)) if depth == 0 => {
                builder.result = Some(result);
                // Remarks on the whole game may follow its result.
                let mut ahead = tokens.clone();
                while let Some(token @ (Token::Comment(_) | Token::Glyph(_) | Token::Sign(_))) = ahead.next()
                {
                    problem = problem.or_else(|| builder.take(token).err());
                    tokens = ahead.clone();
                }
                break;
            }
            Some(token) => {
                match token {
                    Token::Word(_) => has_moves = true,
                    Token::Begin => depth += 1,
                    Token::End => depth = depth.saturating_sub(1),
                    _ => {}
                }
                if problem.is_none() {
                    problem = builder.take(token).err();
                }
            }
        }
    }
    if problem.is_none() && game.tags.is_empty() && builder.is_empty() {
        problem = Some("neither tags nor moves".into());
    }
    let end = tokens.position();
    match problem {
        Some(problem) => (Err(problem), end),
        None => (Ok(builder.finish(game)), end),
    }
}

/// Reads the comments before a tag, from byte `begin` on. Also returns whether an empty line stands among them, or between
/// them and the tag, and the beginning of the tag's line. `None` if something other than comments and a tag follows.
fn comments_before_tag(text: &str, begin: usize) -> Option<(Vec<Remark>, bool, usize)> {
    let mut tokens = Tokens::new(text, begin);
    let (mut comments, mut have_empty_line) = (Vec::new(), false);
    loop {
        match tokens.next()? {
            Token::Comment(text) if text.is_empty() => {}
            Token::Comment(text) => comments.push(Remark::Comment(text)),
            Token::Blank => {
                have_empty_line = true;
                tokens.skip_line();
            }
            Token::Tag => return Some((comments, have_empty_line, tokens.position())),
            _ => return None,
        }
    }
}

/// Returns where a game without a result goes on after an empty line; `None` if another game's first move is next, which
/// only `may_end` allows. It may go on with its end: tags, or the end of the file.
fn continuation(mut tokens: Tokens<'_>, may_end: bool) -> Option<Tokens<'_>> {
    let mut ahead = tokens.clone();
    while ahead.next() == Some(Token::Blank) {
        ahead.skip_line();
        tokens = ahead.clone();
    }
    let mut ahead = tokens.clone();
    loop {
        match ahead.next() {
            Some(Token::FirstNumber) if may_end => return None,
            // It may belong to the first move of another game.
            Some(Token::Comment(_)) => {}
            _ => return Some(tokens),
        }
    }
}

/// Reads the tags from byte `begin` on into `game`, and the comments before and between them; returns the error of the
/// tags, if any, and their end.
fn read_tags(text: &str, begin: usize, game: &mut Game) -> (Option<String>, usize) {
    let (mut problem, mut at) = (None, begin);
    loop {
        let rest = &text[at..];
        let inside = rest.trim_start_matches(is_space);
        let space = &rest[..rest.len() - inside.len()];
        let line = inside.lines().next().unwrap_or_default();
        if line.starts_with('%') && space.ends_with('\n') {
            at += space.len() + line.len();
            continue;
        }
        let is_tag_or_comment = line.starts_with(['[', '{', ';']);
        let before = is_tag_or_comment.then(|| comments_before_tag(text, at + space.len())).flatten();
        let Some((comments, have_empty_line, end)) = before else { return (problem, at) };
        let is_first = at == begin;
        let behind_empty_line = !is_first && (space.matches('\n').count() > 1 || have_empty_line);
        let inside = text[end..].trim_start_matches(is_space);
        let length = match tag(inside) {
            // The start of another game; this one has no moves.
            Some((name, ..)) if behind_empty_line && game.tag(name).is_some() => return (problem, at),
            Some((name, value, length)) => {
                if name == "FEN" && game.tag(name).is_none() {
                    match Position::from_fen(&value) {
                        Ok(start) => game.start = start,
                        Err(error) => {
                            problem.get_or_insert_with(|| format!("cannot begin from \"{value}\": {error}"));
                        }
                    }
                }
                game.tags.push((name.to_owned(), value));
                length
            }
            None if behind_empty_line => return (problem, at),
            None => {
                let line = inside.lines().next().unwrap_or_default();
                let shown: String = line.chars().take(40).collect();
                problem.get_or_insert_with(|| format!("expected a tag, got {shown}"));
                line.len()
            }
        };
        game.movetext.before.extend(comments);
        at = text.len() - inside.len() + length;
    }
}

/// The name, value and length of the tag at the start of `text`.
fn tag(text: &str) -> Option<(&str, String, usize)> {
    let inside = text.strip_prefix('[')?.trim_start();
    let name = &inside[..inside.find(|c: char| c.is_whitespace() || c == '"')?];
    let quoted = inside[name.len()..].trim_start().strip_prefix('"')?;
    let (value, behind) = exact_value(quoted).or_else(|| loose_value(quoted))?;
    (!name.is_empty()).then(|| (name, value, text.len() - behind.len()))
}

/// Splits `quoted` at the next quote and the `]` after it; returns the value before and the text behind.
fn exact_value(quoted: &str) -> Option<(String, &str)> {
    let mut letters = quoted.char_indices();
    while let Some((index, letter)) = letters.next() {
        match letter {
            '\\' => _ = letters.next()?,
            '"' => {
                let behind = quoted[index + 1..].trim_start().strip_prefix(']')?;
                return Some((unescaped(&quoted[..index]), behind));
            }
            '\n' => return None,
            _ => {}
        }
    }
    None
}

/// Splits `quoted` at the last quote before the `]` that ends its line: other programs write quotes without a backslash.
fn loose_value(quoted: &str) -> Option<(String, &str)> {
    let line = quoted.lines().next()?.trim_end();
    let value = line.strip_suffix(']')?.trim_end().strip_suffix('"')?;
    Some((unescaped(value), &quoted[line.len()..]))
}

/// Returns `value` with `\"` and `\\` replaced by the second character.
fn unescaped(value: &str) -> String {
    let mut plain = String::new();
    let mut letters = value.chars().peekable();
    while let Some(letter) = letters.next() {
        let escaped = letters.next_if(|&next| letter == '\\' && (next == '"' || next == '\\'));
        plain.push(escaped.unwrap_or(letter));
    }
    plain
}

/// The error of a game whose tag `Variant` names other rules.
fn foreign_rules(game: &Game) -> Option<String> {
    let variant = game.tag("Variant")?;
    let chess = ["", "?", "-", "chess", "standard", "normal", "from position"];
    let is_known = game.is_chess960() || chess.iter().any(|name| variant.eq_ignore_ascii_case(name));
    (!is_known).then(|| format!("expected chess or Chess960, got the variant \"{variant}\""))
}

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
struct Builder {
    /// The lines that enclose the current one, outermost first.
    outer: Vec<Open>,
    line: Open,
    result: Option<&'static str>,
}

impl Builder {
    /// Begins the moves of `game`, after the remarks that it has.
    fn new(game: &mut Game) -> Self {
        let start = game.start.chess();
        let line = mem::take(&mut game.movetext);
        let line = Open { line, before: start.clone(), now: start.clone() };
        Self { outer: Vec::new(), line, result: None }
    }

    fn is_empty(&self) -> bool {
        self.outer.is_empty() && self.line.line.moves.is_empty() && self.result.is_none()
    }

    /// Adds the next token, or returns its error.
    fn take(&mut self, token: Token) -> Result<(), String> {
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

    fn finish(mut self, mut game: Game) -> Game {
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
