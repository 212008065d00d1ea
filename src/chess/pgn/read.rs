//! Games from PGN.

use std::{
    io::{self, Read},
    mem,
};

use super::{
    BrokenGame, Game, Letters,
    builder::Builder,
    letters,
    tags::read_tags,
    tokens::{Part, Token, Tokens, is_space},
};
use crate::chess::text;

/// The length of text from which on more is read at a time, in bytes.
const LONG: usize = 1 << 20;

/// The games of a PGN file, read one by one: only a part of the file is in memory.
///
/// The text is [decoded](text::decode). Comments before and between the tags belong to the game. A game ends
/// with its result, or before tags, the end of the file, or an empty line after which another game begins:
/// with tags, or with the number of White's first move. In an open variation that number begins no game.
///
/// An item is an error only if the input cannot be read, and is then the last one. What cannot be read of a
/// game is [kept as a comment](Game::faults). A text without tags and moves, such as prose, and a game that
/// cannot be played, because its position or its rules are not known, is a [`BrokenGame`].
///
/// ```
/// use zugwerk::chess::pgn::Games;
/// let mut games = Games::new("1. e4 e5 1-0\n\n1. d4 *\n".as_bytes());
/// let first = games.next().unwrap().unwrap().unwrap();
/// assert_eq!((first.movetext.moves.len(), first.result.as_str()), (2, "1-0"));
/// assert_eq!(games.count(), 1);
/// ```
#[derive(Debug)]
pub struct Games<R> {
    input: text::Parts<R>,
    /// What is known of the text, from some byte on.
    text: String,
    /// The end of the last game, in bytes of `text`.
    at: usize,
    /// Whether `text` ends with the input.
    is_whole: bool,
    /// The number of games read.
    count: usize,
    /// The number of bytes before `text`.
    passed: u64,
    /// The letters of the pieces in the last game that had others than English.
    letters: Option<&'static Letters>,
}

impl<R: Read> Games<R> {
    /// Begins with the first game of `input`.
    pub fn new(input: R) -> Self {
        let input = text::Parts::new(input);
        Self { input, text: String::new(), at: 0, is_whole: false, count: 0, passed: 0, letters: None }
    }

    /// The length of the text up to the end of the last game, in bytes.
    pub fn bytes(&self) -> u64 {
        self.passed + self.at as u64
    }

    /// The next game, unless it may depend on what is not yet read. `None` too if there is none.
    fn known(&mut self) -> Option<Result<Game, BrokenGame>> {
        self.at = next_game(&self.text, self.at);
        let part = Part::new(&self.text);
        let (game, end) = read_game(&part, self.at, self.letters)?;
        if part.is_end_met() && !self.is_whole {
            return None;
        }
        self.count += 1;
        self.letters = game.as_ref().ok().and_then(|game| game.letters).or(self.letters);
        let begin = mem::replace(&mut self.at, end);
        let text = || self.text[begin..end].trim().to_owned();
        Some(game.map_err(|reason| BrokenGame { number: self.count, reason, text: text() }))
    }

    /// Reads on, and forgets the text of the games so far. Reads what is at hand, so that a game in a pipe is
    /// known as soon as possible; but at least as much as a long game has already, so that it is not parsed
    /// too often.
    fn read_on(&mut self) -> io::Result<()> {
        self.passed = self.bytes();
        self.text.drain(..mem::take(&mut self.at));
        let least = if self.text.len() < LONG { 1 } else { self.text.len() };
        self.is_whole = !self.input.append(&mut self.text, least)?;
        Ok(())
    }
}

impl<R: Read> Iterator for Games<R> {
    type Item = io::Result<Result<Game, BrokenGame>>;

    fn next(&mut self) -> Option<Self::Item> {
        loop {
            if let Some(game) = self.known() {
                return Some(Ok(game));
            }
            if self.is_whole {
                return None;
            }
            if let Err(error) = self.read_on() {
                self.text.clear();
                self.is_whole = true;
                return Some(Err(error));
            }
        }
    }
}

/// Reads all [games](Games) of `input`, in order.
///
/// # Errors
///
/// Only if `input` cannot be read.
pub fn read_games(input: impl Read) -> io::Result<Vec<Result<Game, BrokenGame>>> {
    Games::new(input).collect()
}

/// The start of the first line from `at` on that is neither empty nor escaped, or the end of the text.
fn next_game(text: &str, mut at: usize) -> usize {
    for line in text[at..].split_inclusive('\n') {
        if !line.trim_matches(is_space).is_empty() && !line.starts_with('%') {
            break;
        }
        at += line.len();
    }
    at
}

/// A game, or its error, and its end in the text.
type Found = (Result<Game, String>, usize);

/// Returns the game that begins at byte `begin`; `None` at the end of the text. If not all of its moves can
/// be read, letters of other languages are tried, first those of the games before (`usual`). The letters that
/// read furthest are taken.
fn read_game(part: &Part<'_>, begin: usize, usual: Option<&'static Letters>) -> Option<Found> {
    if begin == part.text.len() {
        return None;
    }
    let (mut best, mut candidates) = read_with(part, begin, None);
    candidates.sort_by_key(|&letters| Some(letters) != usual);
    for letters in candidates {
        let (found, _) = read_with(part, begin, Some(letters));
        if reach(&found) > reach(&best) {
            best = found;
        }
    }
    Some(best)
}

/// How far a game was read: whether to its end, and the number of its moves.
fn reach((game, _): &Found) -> (bool, usize) {
    game.as_ref().map_or((false, 0), |game| (game.cut.is_none(), game.movetext.moves.len()))
}

/// Reads the game that begins at byte `begin` with `letters` of the pieces. Also returns the letters with
/// which the first move that could not be read is one.
fn read_with(
    part: &Part<'_>,
    begin: usize,
    letters: Option<&'static Letters>,
) -> (Found, Vec<&'static Letters>) {
    let mut game = Game::default();
    let (start, at) = read_tags(part, begin, &mut game);
    let problem = start.err().or_else(|| foreign_rules(&game));
    let mut builder = Builder::new(part.text, &mut game, letters);
    let end = read_moves(Tokens::new(part, at), &mut builder, problem.is_none());
    let candidates = letters::OTHERS.iter().filter(|other| letters.is_none() && builder.may_have(other));
    let candidates = if problem.is_none() { candidates.collect() } else { Vec::new() };
    let problem = problem.or_else(|| builder.nothing_read().filter(|_| game.tags.is_empty()));
    ((problem.map_or_else(|| Ok(builder.finish(game)), Err), end), candidates)
}

/// Reads the moves and the result of a game; returns their end. Of a game that is not played by the rules
/// (`is_chess`) only the end is found.
fn read_moves(mut tokens: Tokens<'_>, builder: &mut Builder<'_>, is_chess: bool) -> usize {
    let mut has_moves = false;
    // The number of open variations, which the builder does not know if it does not read them.
    let mut depth = 0_usize;
    loop {
        let from = tokens.position();
        let mut token = tokens.next();
        // `N f3` is a knight move where that is legal. Elsewhere the letter is the sign of a novelty.
        if let Some(Token::Word(piece)) = &mut token
            && ["K", "Q", "R", "B", "N"].contains(&piece.as_str())
            && let mut ahead = tokens.clone()
            && let Some(Token::Word(square)) = ahead.next()
            && builder.is_move(&format!("{piece}{square}"))
        {
            piece.push_str(&square);
            tokens = ahead;
        }
        let is_end = |word: &str| is_chess && depth == 0 && builder.ends_with(word);
        let result = match &token {
            None | Some(Token::Tag) => break,
            Some(Token::Blank) => match continuation(tokens.clone(), has_moves && depth == 0) {
                Some(continuation) => {
                    tokens = continuation;
                    continue;
                }
                None => break,
            },
            Some(Token::Result(result)) if depth == 0 => Some(*result),
            Some(Token::Word(word)) if is_end(word) && is_last(tokens.clone()) => Some("*"),
            Some(_) => None,
        };
        if result.is_some() {
            builder.result = result;
            builder.end_moves(from);
            return read_behind(tokens, builder);
        }
        match token {
            Some(Token::Word(_)) => has_moves = true,
            Some(Token::Begin) => depth += 1,
            Some(Token::End) => depth = depth.saturating_sub(1),
            _ => {}
        }
        if let Some(token) = token.filter(|_| is_chess) {
            builder.take(token, from..tokens.position());
        }
    }
    builder.end_moves(tokens.position());
    tokens.position()
}

/// Whether neither a move nor a result follows but for remarks: `0-0` is then a result, else castling.
fn is_last(mut tokens: Tokens<'_>) -> bool {
    loop {
        match tokens.next() {
            Some(Token::Comment(_) | Token::Glyph(_) | Token::Sign(_)) => {}
            next => return !matches!(next, Some(Token::Word(_) | Token::Result(_))),
        }
    }
}

/// Reads the remarks on the whole game, which may follow its result; returns their end.
fn read_behind(mut tokens: Tokens<'_>, builder: &mut Builder<'_>) -> usize {
    let mut ahead = tokens.clone();
    while let Some(token @ (Token::Comment(_) | Token::Glyph(_) | Token::Sign(_))) = ahead.next() {
        builder.take_behind(token, tokens.position()..ahead.position());
        tokens = ahead.clone();
    }
    tokens.position()
}

/// Returns where a game without a result goes on after an empty line; `None` if another game's first move is
/// next, which only `may_end` allows. It may go on with its end: tags, or the end of the file.
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

/// The error of a game whose tag `Variant` names other rules.
fn foreign_rules(game: &Game) -> Option<String> {
    let variant = game.tag("Variant")?;
    let chess = ["", "?", "-", "chess", "standard", "normal", "from position"];
    let is_known = game.is_chess960() || chess.iter().any(|name| variant.eq_ignore_ascii_case(name));
    (!is_known).then(|| format!("expected chess or Chess960, got the variant \"{variant}\""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_part_of_the_file_is_in_memory() {
        let file = "[Event \"E\"]\n\n1. e4 e5 2. Nf3 {a comment} Nc6 1-0\n\n".repeat(50_000);
        let mut games = Games::new(file.as_bytes());
        let mut largest = 0;
        while let Some(game) = games.next() {
            assert_eq!(game.unwrap().unwrap().movetext.moves.len(), 4);
            largest = largest.max(games.text.capacity());
        }
        assert_eq!((games.count, games.bytes()), (50_000, file.len() as u64));
        assert!(largest < 1 << 18, "{largest}");
    }
}
