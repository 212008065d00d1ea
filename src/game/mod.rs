//! Whole games: read from PGN, written as PGN. Analyses, matches and games against people all go through here.
//!
//! What is read is written again without loss: tags, glyphs, comments, variations within variations, null moves, and the
//! order of all that is said about a move. Only the layout is the writer's own: a run of white space is one blank, moves
//! stand in SAN under their numbers, `!?` is `$5`, lines have 79 characters. Of a game that cannot be played to its end,
//! or that is not played by the rules of chess, the text is kept as it is ([`BrokenGame`]), and reading goes on with the
//! next.
//!
//! The format is read here and not by the crate `pgn-reader`, which drops comments behind `;`, passes over words that it
//! does not know, and cannot give back the text of a game.
//!
//! Reference: S. J. Edwards, "Portable Game Notation Specification and Implementation Guide", 1994.

mod glyphs;
mod read;
mod tokens;
mod write;

use std::fmt;

use shakmaty::Move;

pub use glyphs::sign;
pub use read::read_games;

use crate::position::Position;

/// Something said about a move, or before the first move of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Remark {
    /// A numeric annotation glyph: 2 is `?`, 4 is `??`, 6 is `?!`.
    Glyph(u16),
    /// A comment, whose words single blanks keep apart.
    Comment(String),
    /// A line that could have been played instead of the move.
    Variation(Movetext),
}

/// A move with what is said about it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Annotated {
    /// The move; `None` is a null move, with which a side passes.
    pub m: Option<Move>,
    /// What is said about it, in the order of the file.
    pub remarks: Vec<Remark>,
}

impl From<Move> for Annotated {
    fn from(m: Move) -> Self {
        Self { m: Some(m), remarks: Vec::new() }
    }
}

impl Annotated {
    /// The glyphs on it.
    pub fn glyphs(&self) -> impl Iterator<Item = u16> {
        self.remarks.iter().filter_map(|remark| match remark {
            Remark::Glyph(glyph) => Some(*glyph),
            _ => None,
        })
    }

    /// The comments on it.
    pub fn comments(&self) -> impl Iterator<Item = &str> {
        self.remarks.iter().filter_map(|remark| match remark {
            Remark::Comment(text) => Some(text.as_str()),
            _ => None,
        })
    }

    /// The lines that could have been played instead.
    pub fn variations(&self) -> impl Iterator<Item = &Movetext> {
        self.remarks.iter().filter_map(|remark| match remark {
            Remark::Variation(line) => Some(line),
            _ => None,
        })
    }
}

/// Moves, one after the other, with all that is said about them.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Movetext {
    /// What is said before the first move.
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
    /// Names and values in the order of the file.
    pub tags: Vec<(String, String)>,
    /// Where it began.
    pub start: Position,
    /// What was played.
    pub movetext: Movetext,
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
    /// The game as it stands in the file, without the empty lines around it.
    pub text: String,
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

    /// The moves of the game, without what is said about them; `None` is a null move.
    #[must_use]
    pub fn moves(&self) -> Vec<Option<Move>> {
        self.movetext.moves.iter().map(|annotated| annotated.m).collect()
    }

    /// Every position of the game, the first and the last included.
    #[must_use]
    pub fn positions(&self) -> Vec<Position> {
        let mut position = self.start.clone();
        let mut positions = vec![position.clone()];
        for annotated in &self.movetext.moves {
            position.play_or_pass(annotated.m);
            positions.push(position.clone());
        }
        positions
    }
}

#[cfg(test)]
mod tests;
