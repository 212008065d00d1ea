//! Splits the movetext of PGN into tokens.

use std::cell::Cell;

use super::glyphs;

/// The beginning of a text, as far as it is known: whole lines.
#[derive(Debug)]
pub(super) struct Part<'a> {
    pub(super) text: &'a str,
    is_end_met: Cell<bool>,
}

impl<'a> Part<'a> {
    pub(super) fn new(text: &'a str) -> Self {
        Self { text, is_end_met: Cell::new(false) }
    }

    /// Says that a reader has met the end.
    pub(super) fn meet_end(&self) {
        self.is_end_met.set(true);
    }

    /// Whether a reader has met the end, so that what was read may depend on what follows.
    pub(super) fn is_end_met(&self) -> bool {
        self.is_end_met.get()
    }
}

/// A token of movetext.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `{…}`, or `;` and the rest of its line.
    Comment(String),
    /// A comment without an end.
    OpenComment,
    /// `(`.
    Begin,
    /// `)`.
    End,
    /// `$` and the digits after it.
    Glyph(String),
    /// `!`, `?` and their pairs.
    Sign(String),
    /// A [`result`], or `*`.
    Result(&'static str),
    /// A move, or any other word.
    Word(String),
    /// The number of White's first move.
    FirstNumber,
    /// An empty line.
    Blank,
    /// A line of tags.
    Tag,
}

/// Reads tokens from a text. Move numbers after the first, and lines escaped by `%`, are skipped.
#[derive(Clone, Debug)]
pub(super) struct Tokens<'a> {
    part: &'a Part<'a>,
    /// The current position, in bytes.
    at: usize,
    /// Whether only white space stands between the beginning of the line and the current position.
    fresh: bool,
}

impl<'a> Tokens<'a> {
    /// Begins at the beginning of a line, `at` bytes into `part`.
    pub(super) fn new(part: &'a Part<'a>, at: usize) -> Self {
        Self { part, at, fresh: true }
    }

    /// The current position, in bytes.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Returns the next token. After [`Token::Blank`] and [`Token::Tag`] the position is at the beginning of
    /// that line.
    pub(super) fn next(&mut self) -> Option<Token> {
        loop {
            let rest = self.rest();
            if rest.is_empty() {
                self.part.meet_end();
                return None;
            }
            if self.fresh {
                let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
                if line.starts_with('%') {
                    self.skip_line();
                    continue;
                }
                match line.trim_start_matches(is_space).chars().next() {
                    None => return Some(Token::Blank),
                    Some('[') => return Some(Token::Tag),
                    Some(_) => self.fresh = false,
                }
            }
            let next = rest.chars().next()?;
            match next {
                '\n' => {
                    self.at += 1;
                    self.fresh = true;
                }
                _ if is_space(next) || dots(next) > 0 => self.at += next.len_utf8(),
                '{' => return Some(self.comment()),
                ';' => {
                    let line = &rest[1..rest.find('\n').unwrap_or(rest.len())];
                    return Some(self.take(1 + line.len(), Token::Comment(plain(line))));
                }
                '(' => return Some(self.take(1, Token::Begin)),
                ')' => return Some(self.take(1, Token::End)),
                '*' => return Some(self.take(1, Token::Result("*"))),
                '$' => {
                    let digits: String = rest[1..].chars().take_while(char::is_ascii_digit).collect();
                    return Some(self.take(1 + digits.len(), Token::Glyph(digits)));
                }
                '!' | '?' => {
                    let sign: String = rest.chars().take(2).take_while(|c| "!?".contains(*c)).collect();
                    return Some(self.take(sign.len(), Token::Sign(sign)));
                }
                _ => {
                    if let Some(token) = self.word(rest) {
                        return Some(token);
                    }
                }
            }
        }
    }

    /// The text from the current position on.
    fn rest(&self) -> &'a str {
        &self.part.text[self.at..]
    }

    fn take(&mut self, bytes: usize, token: Token) -> Token {
        self.at += bytes;
        token
    }

    /// Skips to the next line.
    pub(super) fn skip_line(&mut self) {
        let rest = self.rest();
        self.at += rest.find('\n').map_or(rest.len(), |end| end + 1);
        self.fresh = true;
    }

    /// Returns the comment that begins here. A comment that reaches the tags of the next game has no end.
    fn comment(&mut self) -> Token {
        let rest = self.rest();
        let end = rest.find('}');
        match rest[..end.unwrap_or(rest.len())].find("\n[Event \"").or(end) {
            Some(at) if Some(at) == end => self.take(at + 1, Token::Comment(plain(&rest[1..at]))),
            next_game => {
                if next_game.is_none() {
                    self.part.meet_end();
                }
                self.take(next_game.unwrap_or(rest.len()), Token::OpenComment)
            }
        }
    }

    /// Returns the word that begins here, unless it is a move number after White's first.
    fn word(&mut self, rest: &str) -> Option<Token> {
        if let Some((result, length)) = divided_result(rest) {
            return Some(self.take(length, Token::Result(result)));
        }
        // An unmatched closing brace is a word of its own.
        let length = match rest.find(ends) {
            Some(0) | None if rest.starts_with('}') => 1,
            Some(end) => end,
            None => rest.len(),
        };
        // The characters behind the word in `e.p.` and in the promotion `e8(Q)` belong to it.
        let (word, behind) = rest.split_at(length);
        let en_passant = [".p.", ".p"].into_iter().find(|&mark| {
            let after = behind.strip_prefix(mark).filter(|_| word.ends_with('e'));
            after.is_some_and(|after| {
                after.is_empty() || after.starts_with(ends) || after.starts_with(['+', '#'])
            })
        });
        let is_pawn_move = word.starts_with(|c: char| ('a'..='h').contains(&c));
        let is_promotion = is_pawn_move
            && word.ends_with(['1', '8'])
            && ["(Q)", "(R)", "(B)", "(N)"].iter().any(|piece| behind.starts_with(piece));
        let more = if is_promotion { 3 } else { en_passant.map_or(0, str::len) };
        let word = &rest[..length + more];
        let length = word.len();
        self.at += length;
        // Castling and a null move may be written as zeros.
        if word.bytes().all(|byte| byte.is_ascii_digit()) && !["00", "000", "0000"].contains(&word) {
            // Black's is `1...`, also with blanks between the dots.
            let behind = self.rest().chars().take_while(|&c| c == ' ' || dots(c) > 0);
            let is_first = word == "1" && behind.map(dots).sum::<u32>() < 2;
            return is_first.then_some(Token::FirstNumber);
        }
        let dashed: String = word.chars().map(|c| if is_dash(c) { '-' } else { c }).collect();
        // `+--` is a sign, and `+:-` a result.
        let result = result(word).filter(|_| glyphs::of_sign(&dashed).is_none());
        Some(result.map_or(Token::Word(dashed), Token::Result))
    }
}

/// Whether a word ends before `c`.
fn ends(c: char) -> bool {
    is_space(c) || dots(c) > 0 || "{}();$!?*".contains(c)
}

/// The result of two parts at the beginning of `text`, also with blanks around its dash, and its length.
fn divided_result(text: &str) -> Option<(&'static str, usize)> {
    let part = |c: char| c.is_ascii_digit() || "/½".contains(c);
    let blank = |c: char| c == ' ' || c == '\t';
    let dash = text.trim_start_matches(part).trim_start_matches(blank);
    let second = dash.strip_prefix(is_dash_or_colon)?.trim_start_matches(blank);
    let behind = second.trim_start_matches(part);
    let is_end = |behind: &str| behind.is_empty() || behind.starts_with(ends);
    // `1-0F`, `1-0 ff`.
    let forfeit = FORFEITS
        .iter()
        .find_map(|mark| behind.trim_start_matches(blank).strip_prefix(mark).filter(|behind| is_end(behind)));
    let behind = forfeit.unwrap_or(behind);
    let (text, _) = text.split_at(text.len() - behind.len());
    // Castling has no blanks.
    let is_castling = || text.chars().all(|c| c == '0' || is_dash(c));
    let result = result(text).or_else(|| (nobody_won(text) && !is_castling()).then_some("*"))?;
    is_end(behind).then_some((result, text.len()))
}

/// The words for forfeit behind a result.
const FORFEITS: [&str; 10] = ["F", "f", "FF", "ff", "(F)", "(f)", "(FF)", "(ff)", "forfeit", "(forfeit)"];

/// The result that `text` is: `1-0`, `0-1` or `1/2-1/2`, in any notation of dashes, colons, halves and
/// blanks. Games that were not played have the same results with `F` for forfeit, or `+:-`, `-:+` and `=:=`.
pub(super) fn result(text: &str) -> Option<&'static str> {
    match without_forfeit(&with_dashes(text)) {
        "1-0" | "+--" => Some("1-0"),
        "0-1" | "--+" => Some("0-1"),
        "1/2-1/2" | "1/2" | "½-½" | "½" | "=-=" => Some("1/2-1/2"),
        _ => None,
    }
}

/// Whether `text` is the result of a game that nobody has won or drawn: `0-0`, `-:-`, `forfeit`, `bye`. The
/// first may also be castling.
pub(super) fn nobody_won(text: &str) -> bool {
    let plain = with_dashes(text).to_lowercase();
    ["forfeit", "ff", "bye"].contains(&plain.as_str()) || ["0-0", "---"].contains(&without_forfeit(&plain))
}

/// `text` without blanks, and with dashes for its colons.
fn with_dashes(text: &str) -> String {
    let signs = text.chars().filter(|&c| !is_space(c));
    signs.map(|c| if is_dash_or_colon(c) { '-' } else { c }).collect()
}

/// `text` without the letters for forfeit at its end.
fn without_forfeit(text: &str) -> &str {
    FORFEITS.iter().filter_map(|mark| text.strip_suffix(mark)).min_by_key(|bare| bare.len()).unwrap_or(text)
}

fn is_dash(c: char) -> bool {
    "-–—−".contains(c)
}

fn is_dash_or_colon(c: char) -> bool {
    is_dash(c) || c == ':'
}

/// Whether a character is white space, or a zero byte: a power failure may leave them at the end of a file.
pub(super) fn is_space(c: char) -> bool {
    c.is_whitespace() || c == '\0'
}

/// The number of dots in a character: word processors replace three of them by one character.
fn dots(c: char) -> u32 {
    match c {
        '.' => 1,
        '…' => 3,
        _ => 0,
    }
}

/// Returns `comment` with single blanks between its words.
pub(super) fn plain(comment: &str) -> String {
    comment.split_whitespace().collect::<Vec<_>>().join(" ")
}
