//! Whole games: reading and writing PGN. Analyses, matches and games against people all use it.
//!
//! Reading and writing again loses nothing: tags, glyphs, comments, nested variations, null moves, and the
//! order of the remarks on a move. The exceptions are lines escaped by `%`, empty comments, zero bytes, and
//! `e.p.`, `ch` or `mate` after a move. Only the layout changes: white space becomes a single blank, moves
//! are numbered SAN, `!?` becomes `$5`, lines have at most 79 characters, the seven standard tags come first
//! and those of the starting position last, comments before and between the tags come behind them.
//!
//! If the moves of a game cannot be read, letters of the pieces in other languages are tried
//! ([`Game::letters`]).
//!
//! A tag, a variation or the end of a game that cannot be read becomes a comment ([`Game::faults`]). If a
//! game is not played by the rules of chess, or begins in no valid position, its text is kept unchanged
//! ([`BrokenGame`]), and reading continues with the next game.
//!
//! The crate `pgn-reader` is not used, because it drops comments after `;`, skips unknown words, and cannot
//! return the text of a game.
//!
//! Reference: S. J. Edwards, "Portable Game Notation Specification and Implementation Guide", 1994.

mod builder;
mod glyphs;
mod letters;
pub mod opening_names;
mod read;
mod tags;
mod tokens;
mod write;

use shakmaty::{Color, Move};

pub use glyphs::sign;
pub use letters::Letters;
pub use read::{Games, read_games};
pub(crate) use write::printable;

use crate::chess::{notation, position::Position};

/// A remark on a move, or before the first move of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// A numeric annotation glyph: 2 is `?`, 4 is `??`, 6 is `?!`.
    Glyph(u16),
    /// A comment, with single blanks between words.
    Comment(String),
    /// A line played instead of the move.
    Variation(Movetext),
}

/// A move with its remarks.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotated {
    /// The move; `None` is a null move.
    pub m: Option<Move>,
    /// The remarks, in the order of the file.
    pub remarks: Vec<Remark>,
}

impl From<Move> for Annotated {
    fn from(m: Move) -> Self {
        Self { m: Some(m), remarks: Vec::new() }
    }
}

impl Annotated {
    /// The glyphs of the move.
    pub fn glyphs(&self) -> impl Iterator<Item = u16> {
        self.remarks.iter().filter_map(|remark| match remark {
            Remark::Glyph(glyph) => Some(*glyph),
            _ => None,
        })
    }

    /// The comments on the move.
    pub fn comments(&self) -> impl Iterator<Item = &str> {
        self.remarks.iter().filter_map(|remark| match remark {
            Remark::Comment(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// The lines played instead of the move.
    pub fn variations(&self) -> impl Iterator<Item = &Movetext> {
        self.remarks.iter().filter_map(|remark| match remark {
            Remark::Variation(line) => Some(line),
            _ => None,
        })
    }
}

/// Moves with their remarks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Movetext {
    /// The remarks before the first move.
    pub before: Vec<Remark>,
    /// The moves.
    pub moves: Vec<Annotated>,
}

impl FromIterator<Move> for Movetext {
    fn from_iter<I: IntoIterator<Item = Move>>(moves: I) -> Self {
        Self { before: Vec::new(), moves: moves.into_iter().map(Annotated::from).collect() }
    }
}

/// A game.
#[derive(Clone, Debug, Default)]
pub struct Game {
    /// Names and values, in the order of the file. Of repeated names the first counts.
    pub tags: Vec<(String, String)>,
    /// The starting position.
    pub start: Position,
    /// The moves.
    pub movetext: Movetext,
    /// `1-0`, `0-1`, `1/2-1/2` or `*`. The tag `Result` of a game that was read may have other words for it
    /// (`+:-`).
    pub result: String,
    /// The result that the moves end with, if it contradicts the tag.
    pub ending: Option<String>,
    /// The letters of the pieces in the text, if they are not English.
    pub letters: Option<&'static Letters>,
    /// Why the moves end before those of the text, if they do: `move 4: illegal Bxc7`. The rest is the last
    /// comment.
    pub cut: Option<String>,
    /// What could not be read, or contradicts itself, and the cut, in words.
    pub faults: Vec<String>,
}

/// A game that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("game {number}: {reason}")]
pub struct BrokenGame {
    /// The number of the game in the file, from 1.
    pub number: usize,
    /// The error.
    pub reason: String,
    /// The text of the game in the file, without the empty lines around it.
    pub text: String,
}

impl Game {
    /// The value of tag `name`.
    #[must_use]
    pub fn tag(&self, name: &str) -> Option<&str> {
        self.tags.iter().find(|(tag, _)| tag == name).map(|(_, value)| value.as_str())
    }

    /// The value of tag `name`, if it says something: PGN writes `?` or `-` for what is unknown.
    #[must_use]
    pub fn known_tag(&self, name: &str) -> Option<&str> {
        self.tag(name).filter(|value| value.contains(|c| !"?.- ".contains(c)))
    }

    /// The name of the player of `side`, which is `White` or `Black` if it is not known.
    #[must_use]
    pub fn player(&self, side: Color) -> &str {
        let side = notation::side(side);
        self.known_tag(side).unwrap_or(side)
    }

    /// Sets tag `name`, replacing its first value.
    pub fn set_tag(&mut self, name: &str, value: impl Into<String>) {
        match self.tags.iter_mut().find(|(tag, _)| tag == name) {
            Some((_, old)) => *old = value.into(),
            None => self.tags.push((name.into(), value.into())),
        }
    }

    /// Whether a tag says that the game is played by the rules of Chess960.
    #[must_use]
    pub fn is_chess960(&self) -> bool {
        let variant = self.tag("Variant").unwrap_or_default().to_ascii_lowercase();
        variant.contains("960") || variant.contains("fischer")
    }

    /// Sets the tag that says that the game is played by the rules of Chess960.
    pub fn set_chess960(&mut self) {
        self.set_tag("Variant", "Chess960");
    }

    /// The moves of the game, without remarks; `None` is a null move.
    #[must_use]
    pub fn moves(&self) -> Vec<Option<Move>> {
        self.movetext.moves.iter().map(|annotated| annotated.m).collect()
    }

    /// Every position of the game, including the first and the last, [with its recent
    /// history](Position::recent).
    #[must_use]
    pub fn positions(&self) -> Vec<Position> {
        let mut position = self.start.clone();
        let mut positions = vec![position.recent()];
        for annotated in &self.movetext.moves {
            position.play_or_pass(annotated.m);
            positions.push(position.recent());
        }
        positions
    }
}

#[cfg(test)]
mod tests;
