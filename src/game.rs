//! Whole games: read from PGN, written as PGN. Analyses, matches and games against people all go through here.
//!
//! Reading keeps the tags, the main line and the comments on its moves; variations and evaluations (`[%eval …]`) of
//! others are dropped. Text that is not UTF-8 is taken for Latin-1. A game that cannot be played to its end, or that is not
//! played by the rules of chess, is a [`BrokenGame`], and reading goes on with the next.
//!
//! Reference: S. J. Edwards, "Portable Game Notation Specification and Implementation Guide", 1994.

use std::{
    fmt::{self, Write as _},
    io,
    ops::ControlFlow,
};

use pgn_reader::{Outcome, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use shakmaty::Move;

use crate::{
    notation::san_line,
    position::{FenError, Position},
};

/// The seven tags every game has, in their order.
const ROSTER: [(&str, &str); 7] = [
    ("Event", "?"),
    ("Site", "?"),
    ("Date", "????.??.??"),
    ("Round", "?"),
    ("White", "?"),
    ("Black", "?"),
    ("Result", "*"),
];

/// The longest line of movetext, in bytes, as the export format has it.
const LINE_LENGTH: usize = 79;

/// A move of a game with what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Played {
    /// The move.
    pub m: Move,
    /// Its numeric annotation glyph: 2 is `?`, 4 is `??`, 6 is `?!`.
    pub nag: Option<u8>,
    /// A comment on it.
    pub comment: String,
    /// A line that could have been played instead.
    pub variation: Vec<Move>,
}

impl From<Move> for Played {
    fn from(m: Move) -> Self {
        Self { m, nag: None, comment: String::new(), variation: Vec::new() }
    }
}

/// A game.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// Names and values in the order of the file.
    pub tags: Vec<(String, String)>,
    /// Where it began.
    pub start: Position,
    /// A comment before the first move.
    pub comment: String,
    /// What was played.
    pub moves: Vec<Played>,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub result: String,
}

/// A game that could not be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BrokenGame {
    /// Which game of the file it is, from 1.
    pub number: usize,
    /// What is wrong with it.
    pub reason: String,
}

impl fmt::Display for BrokenGame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "game {}: {}", self.number, self.reason)
    }
}

impl std::error::Error for BrokenGame {}

impl Game {
    /// The value of tag `name`.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// Sets tag `name`, replacing an earlier value.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        match self.tags.iter_mut().find(|(tag, _)| tag == name) {
            Some((_, old)) => *old = value.into(),
            None => self.tags.push((name.into(), value.into())),
        }
    }

    /// Every position of the game, the first and the last included.
    #[must_use]
    pub fn positions(&self) -> Vec<Position> {
        let mut position = self.start.clone();
        let mut positions = vec![position.clone()];
        for played in &self.moves {
            position.play(played.m);
            positions.push(position.clone());
        }
        positions
    }

    /// The game as PGN, ending with an empty line.
    #[must_use]
    pub fn to_pgn(&self) -> String {
        let mut text = self.tag_section();
        let mut line = 0;
        for word in self.words() {
            if line > 0 && line + 1 + word.len() > LINE_LENGTH {
                text.push('\n');
                line = 0;
            } else if line > 0 {
                text.push(' ');
                line += 1;
            }
            text.push_str(&word);
            line += word.len();
        }
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
        let others = self.tags.iter().filter(|(name, _)| ROSTER.iter().all(|(known, _)| known != name));
        for (name, value) in others.filter(|(name, _)| name != "FEN" && name != "SetUp") {
            tag(name, value);
        }
        let fen = self.tag("FEN").map_or_else(|| self.start.fen(), str::to_owned);
        if fen != Position::default().fen() {
            tag("SetUp", "1");
            tag("FEN", &fen);
        }
        text.push('\n');
        text
    }

    /// The movetext, word by word.
    fn words(&self) -> Vec<String> {
        let mut words = comment_words(&self.comment);
        let mut position = self.start.clone();
        let mut say_number = true;
        for played in &self.moves {
            words.extend(move_words(&position, &[played.m], say_number));
            words.extend(played.nag.map(|nag| format!("${nag}")));
            words.extend(comment_words(&played.comment));
            if !played.variation.is_empty() {
                words.push("(".into());
                words.extend(move_words(&position, &played.variation, true));
                words.push(")".into());
            }
            say_number = !played.comment.is_empty() || !played.variation.is_empty();
            position.play(played.m);
        }
        words.push(if self.result.is_empty() { "*".into() } else { self.result.clone() });
        words
    }
}

/// `moves` with their numbers; Black's first one only if `say_number`.
fn move_words(position: &Position, moves: &[Move], say_number: bool) -> Vec<String> {
    use shakmaty::Position as _;
    let mut number = position.chess().fullmoves().get();
    let mut white = position.turn().is_white();
    let mut words = Vec::new();
    for (index, text) in san_line(position, moves).into_iter().enumerate() {
        if white {
            words.push(format!("{number}."));
        } else if index == 0 && say_number {
            words.push(format!("{number}..."));
        }
        words.push(text);
        number = if white { number } else { number.saturating_add(1) };
        white = !white;
    }
    words
}

fn comment_words(comment: &str) -> Vec<String> {
    if comment.is_empty() {
        return Vec::new();
    }
    let text = printable(comment).replace('{', "(").replace('}', ")");
    format!("{{{}}}", text.trim()).split_whitespace().map(str::to_owned).collect()
}

/// `text` without control characters, which would break the format, wherever they came from.
fn printable(text: &str) -> String {
    let plain = |c: char| if c.is_whitespace() { ' ' } else { '?' };
    text.chars().map(|c| if c.is_control() || c.is_whitespace() { plain(c) } else { c }).collect()
}

/// Reads all games of `input`, one after the other.
///
/// # Errors
///
/// Only when `input` cannot be read; a game that makes no sense is a [`BrokenGame`] among the others.
pub fn read_games(input: impl io::Read) -> io::Result<Vec<Result<Game, BrokenGame>>> {
    let mut reader =
        Reader::build(input).set_supported_tag_line_length(4096).set_supported_comment_length(16384).finish();
    let mut games = Vec::new();
    let mut builder = Builder;
    loop {
        let number = games.len() + 1;
        match reader.read_game(&mut builder) {
            Ok(None) => return Ok(games),
            Ok(Some(game)) => games.push(game.map_err(|reason| BrokenGame { number, reason })),
            // The reader gives up on malformed files this way; what it has read so far is kept.
            Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                games.push(Err(BrokenGame { number, reason: format!("{error}; the rest is not read") }));
                return Ok(games);
            }
            Err(error) => return Err(error),
        }
    }
}

/// Builds a [`Game`] from what the PGN reader sees.
struct Builder;

type Reading<T> = ControlFlow<Result<Game, String>, T>;

impl Visitor for Builder {
    type Tags = Game;
    type Movetext = (Game, Position);
    type Output = Result<Game, String>;

    fn begin_tags(&mut self) -> Reading<Game> {
        ControlFlow::Continue(Game::default())
    }

    fn tag(&mut self, game: &mut Game, name: &[u8], value: RawTag<'_>) -> Reading<()> {
        let value = decode(&value.decode());
        if name == b"FEN" {
            match Position::from_fen(&value) {
                Ok(start) => game.start = start,
                Err(error) => return ControlFlow::Break(Err(bad_start(&value, &error))),
            }
        }
        game.set_tag(&String::from_utf8_lossy(name), value);
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, game: Game) -> Reading<(Game, Position)> {
        if let Some(variant) = game.tag("Variant").filter(|name| !is_chess(name)) {
            return ControlFlow::Break(Err(format!(
                "expected chess or Chess960, got the variant \"{variant}\""
            )));
        }
        let position = game.start.clone();
        ControlFlow::Continue((game, position))
    }

    fn san(&mut self, (game, position): &mut (Game, Position), san: SanPlus) -> Reading<()> {
        match san.san.to_move(position.chess()) {
            Ok(m) => {
                game.moves.push(m.into());
                position.play(m);
                ControlFlow::Continue(())
            }
            Err(error) => {
                let number = position.plies_played() / 2 + 1;
                ControlFlow::Break(Err(format!("move {number}, {san}: {error}")))
            }
        }
    }

    fn comment(&mut self, (game, _): &mut (Game, Position), comment: RawComment<'_>) -> Reading<()> {
        let text = without_evaluations(&decode(comment.as_bytes()));
        let target = game.moves.last_mut().map_or(&mut game.comment, |played| &mut played.comment);
        if !target.is_empty() && !text.is_empty() {
            target.push(' ');
        }
        target.push_str(&text);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, _: &mut (Game, Position)) -> Reading<Skip> {
        ControlFlow::Continue(Skip(true))
    }

    fn outcome(&mut self, (game, _): &mut (Game, Position), outcome: Outcome) -> Reading<()> {
        game.result = outcome.to_string();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, (mut game, _): (Game, Position)) -> Result<Game, String> {
        if game.moves.is_empty() && game.tags.is_empty() {
            return Err("neither tags nor moves".into());
        }
        if game.result.is_empty() {
            game.result = game.tag("Result").unwrap_or("*").into();
        }
        if !["1-0", "0-1", "1/2-1/2", "*"].contains(&game.result.as_str()) {
            game.result = "*".into();
        }
        Ok(game)
    }
}

/// Whether the tag `Variant` names chess, from any start, and not a game of other rules.
fn is_chess(variant: &str) -> bool {
    let name = variant.to_ascii_lowercase();
    ["", "?", "-", "chess", "standard", "normal", "from position"].contains(&name.as_str())
        || name.contains("960")
        || name.contains("fischer")
}

/// Text as it was meant: UTF-8 if it can be that, else Latin-1, which the standard of 1994 prescribes.
fn decode(bytes: &[u8]) -> String {
    match str::from_utf8(bytes) {
        Ok(text) => text.to_owned(),
        Err(_) => bytes.iter().copied().map(char::from).collect(),
    }
}

fn bad_start(fen: &str, error: &FenError) -> String {
    format!("cannot begin from \"{fen}\": {error}")
}

/// `comment` without `[%eval …]` commands, which an analysis replaces.
fn without_evaluations(comment: &str) -> String {
    let mut rest = comment;
    let mut kept = String::new();
    while let Some(begin) = rest.find("[%eval") {
        kept.push_str(&rest[..begin]);
        rest = rest[begin..].find(']').map_or("", |end| &rest[begin + end + 1..]);
    }
    kept.push_str(rest);
    kept.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_survives_writing_and_reading() {
        let pgn = "[Event \"a \\\"b\\\"\"]\n[White \"W\"]\n\n1. e4 {best by test [%eval 0.3]} e5 (1... c5) 2. Nf3 Nc6 1-0\n\n";
        let games = read_games(pgn.as_bytes()).unwrap();
        let mut game = games[0].clone().unwrap();
        assert_eq!(game.tag("Event"), Some("a \"b\""));
        assert_eq!(game.moves[0].comment, "best by test");
        game.moves[1].nag = Some(4);
        game.moves[1].variation = vec![game.positions()[1].find_move("c7c5").unwrap()];
        let text = game.to_pgn();
        assert!(text.contains("1. e4 {best by test} 1... e5 $4 ( 1... c5 ) 2. Nf3 Nc6 1-0"), "{text}");
        let again = read_games(text.as_bytes()).unwrap().remove(0).unwrap();
        assert_eq!(again.moves.len(), 4);
        assert_eq!(again.result, "1-0");
    }

    #[test]
    fn latin_1_is_recognised() {
        let pgn = b"[White \"M\xfcller\"]\n[Black \"M\xc3\xbcller\"]\n\n1. e4 {sch\xf6n} *\n\n";
        let game = read_games(&pgn[..]).unwrap().remove(0).unwrap();
        assert_eq!((game.tag("White"), game.tag("Black")), (Some("Müller"), Some("Müller")));
        assert_eq!(game.moves[0].comment, "schön");
    }

    #[test]
    fn games_of_other_rules_are_refused_by_name() {
        let read = |variant: &str| {
            let pgn = format!("[Variant \"{variant}\"]\n\n1. e4 e5 *\n\n");
            read_games(pgn.as_bytes()).unwrap().remove(0)
        };
        for chess in ["Standard", "Chess960", "chess 960", "Fischerandom", "From Position", "normal"] {
            assert!(read(chess).is_ok(), "{chess}");
        }
        let refusal = read("Atomic").unwrap_err().to_string();
        assert_eq!(refusal, "game 1: expected chess or Chess960, got the variant \"Atomic\"");
    }

    #[test]
    fn broken_games_are_named_and_the_rest_is_kept() {
        let pgn = "[White \"A\"]\n\n1. e4 e5 2. Ke3 *\n\n[White \"B\"]\n[FEN \"nonsense\"]\n\n1. e4 *\n\n[White \"C\"]\n\n1. d4 *\n";
        let games = read_games(pgn.as_bytes()).unwrap();
        assert_eq!(games.len(), 3);
        assert!(games[0].clone().unwrap_err().to_string().starts_with("game 1: move 2, Ke3"));
        assert!(games[1].is_err());
        assert_eq!(games[2].clone().unwrap().moves.len(), 1);
    }
}
