//! Splits the movetext of PGN into tokens.

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
    /// `1-0`, `0-1`, `1/2-1/2` or `*`, in any notation of dashes and halves.
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
    text: &'a str,
    /// The current position, in bytes.
    at: usize,
    /// Whether only white space stands between the beginning of the line and the current position.
    fresh: bool,
}

impl<'a> Tokens<'a> {
    /// Begins at the beginning of a line, `at` bytes into `text`.
    pub(super) fn new(text: &'a str, at: usize) -> Self {
        Self { text, at, fresh: true }
    }

    /// The current position, in bytes.
    pub(super) fn position(&self) -> usize {
        self.at
    }

    /// Returns the next token. After [`Token::Blank`] and [`Token::Tag`] the position is at the beginning of that line.
    pub(super) fn next(&mut self) -> Option<Token> {
        loop {
            let rest = &self.text[self.at..];
            if self.fresh {
                let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
                if line.starts_with('%') {
                    self.skip_line();
                    continue;
                }
                match line.trim_start().chars().next() {
                    None if rest.is_empty() => return None,
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
                _ if next.is_whitespace() || dots(next) > 0 => self.at += next.len_utf8(),
                '{' => return Some(self.comment()),
                ';' => {
                    let line = &rest[1..rest.find('\n').unwrap_or(rest.len())];
                    self.at += 1 + line.len();
                    return Some(Token::Comment(plain(line)));
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

    fn take(&mut self, bytes: usize, token: Token) -> Token {
        self.at += bytes;
        token
    }

    /// Skips to the next line.
    pub(super) fn skip_line(&mut self) {
        let rest = &self.text[self.at..];
        self.at += rest.find('\n').map_or(rest.len(), |end| end + 1);
        self.fresh = true;
    }

    /// Returns the comment that begins here. A comment that reaches the tags of the next game has no end.
    fn comment(&mut self) -> Token {
        let rest = &self.text[self.at..];
        let end = rest.find('}');
        match rest[..end.unwrap_or(rest.len())].find("\n[Event \"").or(end) {
            Some(at) if Some(at) == end => self.take(at + 1, Token::Comment(plain(&rest[1..at]))),
            next_game => self.take(next_game.unwrap_or(rest.len()), Token::OpenComment),
        }
    }

    /// Returns the word that begins here, unless it is a move number after White's first.
    fn word(&mut self, rest: &str) -> Option<Token> {
        let ends = |c: char| c.is_whitespace() || dots(c) > 0 || "{}();$!?*".contains(c);
        // An unmatched closing brace is a word of its own.
        let length = match rest.find(ends) {
            Some(0) | None if rest.starts_with('}') => 1,
            Some(end) => end,
            None => rest.len(),
        };
        let is_en_passant = rest[..length].ends_with('e') && rest[length..].starts_with(".p.");
        let word = &rest[..length + if is_en_passant { ".p.".len() } else { 0 }];
        let length = word.len();
        self.at += length;
        if word.bytes().all(|byte| byte.is_ascii_digit()) && word != "0000" {
            // Black's is `1...`, also with blanks between the dots.
            let behind = self.text[self.at..].chars().take_while(|&c| c == ' ' || dots(c) > 0);
            let is_first = word == "1" && behind.map(dots).sum::<u32>() < 2;
            return is_first.then_some(Token::FirstNumber);
        }
        let dashed: String = word.chars().map(|c| if "–—−".contains(c) { '-' } else { c }).collect();
        Some(match dashed.as_str() {
            "1-0" => Token::Result("1-0"),
            "0-1" => Token::Result("0-1"),
            "1/2-1/2" | "1/2" | "½-½" | "½" => Token::Result("1/2-1/2"),
            _ => Token::Word(dashed),
        })
    }
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
fn plain(comment: &str) -> String {
    comment.split_whitespace().collect::<Vec<_>>().join(" ")
}
