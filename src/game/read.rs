//! Games from PGN.

use std::{
    io::{self, Read},
    mem,
};

use super::{
    BrokenGame, Game,
    builder::Builder,
    tags::read_tags,
    tokens::{Part, Token, Tokens, is_space},
};
use crate::text;

/// The number of bytes that are read at a time, at least.
const PART: usize = 1 << 16;

/// The games of a PGN file, read one by one: only a part of the file is in memory.
///
/// The text is [decoded](text::decode). Comments before and between the tags belong to the game. A game ends with its
/// result, or before tags, the end of the file, or an empty line after which another game begins: with tags, or with the
/// number of White's first move. In an open variation that number begins no game.
///
/// An item is an error only if the input cannot be read, and is then the last one. A game that cannot be parsed is a
/// [`BrokenGame`].
///
/// ```
/// use zugwerk::game::Games;
/// let mut games = Games::new("1. e4 e5 1-0\n\n1. d4 *\n".as_bytes());
/// let first = games.next().unwrap().unwrap().unwrap();
/// assert_eq!((first.movetext.moves.len(), first.result.as_str()), (2, "1-0"));
/// assert_eq!(games.count(), 1);
/// ```
#[derive(Debug)]
pub struct Games<R> {
    input: text::Parts<R>,
    /// The number of bytes that are read at a time, at least.
    part: usize,
    /// What is known of the text, from some byte on.
    text: String,
    /// The end of the last game, in bytes of `text`.
    at: usize,
    /// Whether `text` ends with the input.
    is_whole: bool,
    /// The number of games read.
    count: usize,
}

impl<R: Read> Games<R> {
    /// Begins with the first game of `input`.
    pub fn new(input: R) -> Self {
        Self::with_parts(input, PART)
    }

    /// Reads at least `part` bytes at a time.
    pub(super) fn with_parts(input: R, part: usize) -> Self {
        let input = text::Parts::new(input);
        Self { input, part, text: String::new(), at: 0, is_whole: false, count: 0 }
    }

    /// The next game, unless it may depend on what is not yet read. `None` too if there is none.
    fn known(&mut self) -> Option<Result<Game, BrokenGame>> {
        self.at = next_game(&self.text, self.at);
        let part = Part::new(&self.text);
        let (game, end) = read_game(&part, self.at)?;
        if part.is_end_met() && !self.is_whole {
            return None;
        }
        self.count += 1;
        let text = self.text[mem::replace(&mut self.at, end)..end].trim().to_owned();
        Some(game.map_err(|reason| BrokenGame { number: self.count, reason, text }))
    }

    /// Reads on, and forgets the text of the games so far. Each time at least as much is read as is waiting, so that a long
    /// game is not parsed too often.
    fn read_on(&mut self) -> io::Result<()> {
        self.text.drain(..mem::take(&mut self.at));
        let least = self.text.len().max(self.part);
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

/// Returns the game that begins at byte `begin`, or its error, and its end; `None` at the end of the text.
fn read_game(part: &Part<'_>, begin: usize) -> Option<(Result<Game, String>, usize)> {
    if begin == part.text.len() {
        return None;
    }
    let mut game = Game::default();
    let (problem, at) = read_tags(part, begin, &mut game);
    let mut tokens = Tokens::new(part, at);
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
    let game = problem.map_or_else(|| Ok(builder.finish(game)), Err);
    Some((game, end))
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

/// The error of a game whose tag `Variant` names other rules.
fn foreign_rules(game: &Game) -> Option<String> {
    let variant = game.tag("Variant")?;
    let chess = ["", "?", "-", "chess", "standard", "normal", "from position"];
    let is_known = game.is_chess960() || chess.iter().any(|name| variant.eq_ignore_ascii_case(name));
    (!is_known).then(|| format!("expected chess or Chess960, got the variant \"{variant}\""))
}
