//! The board in a terminal: figurines on coloured squares, or plain letters.

use std::{
    env,
    io::{self, IsTerminal as _},
};

use shakmaty::{Color, File, Move, Piece, Position as _, Rank, Role, Square};
use zugwerk::chess::position::{Position, destination};

use crate::cli::shared::terminal::understands_escapes;

/// How the board is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Figurines on coloured squares.
    Colour,
    /// Letters, upper case for White.
    Plain,
}

impl Style {
    /// Chooses colours on a terminal, unless `plain` is set, or `NO_COLOR` to a text that is not empty
    /// (no-color.org).
    pub(super) fn choose(plain: bool) -> Self {
        let refused = env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
        if !plain && !refused && io::stdout().is_terminal() && understands_escapes() {
            Self::Colour
        } else {
            Self::Plain
        }
    }
}

/// Draws `position` from the perspective of `viewer`; the squares of `last`, the last move, are highlighted.
pub(super) fn board(position: &Position, viewer: Color, last: Option<Move>, style: Style) -> String {
    let moved =
        |square| last.is_some_and(|m| m.from() == Some(square) || destination(!position.turn(), m) == square);
    let mut ranks = Rank::ALL;
    let mut files = File::ALL;
    match viewer {
        Color::White => ranks.reverse(),
        Color::Black => files.reverse(),
    }
    let mut text = String::new();
    for rank in ranks {
        text += &format!(" {} ", rank.char());
        for file in files {
            let square = Square::from_coords(file, rank);
            let piece = position.chess().board().piece_at(square);
            text += &match style {
                Style::Colour => coloured(square, piece, moved(square)),
                Style::Plain => plain(piece, moved(square)),
            };
        }
        text.push('\n');
    }
    text.push_str("   ");
    for file in files {
        text += &format!(" {} ", file.char());
    }
    text.push('\n');
    text
}

fn coloured(square: Square, piece: Option<Piece>, moved: bool) -> String {
    let background = match (moved, square.is_light()) {
        (true, true) => 186,
        (true, false) => 143,
        (false, true) => 180,
        (false, false) => 95,
    };
    let figure = piece.map_or(' ', |piece| figure(piece.role));
    let foreground = if piece.is_some_and(|piece| piece.color.is_white()) { 231 } else { 16 };
    format!("\x1b[48;5;{background};38;5;{foreground}m {figure} \x1b[0m")
}

/// The solid figurine; its colour shows the side.
fn figure(role: Role) -> char {
    match role {
        Role::Pawn => '♟',
        Role::Knight => '♞',
        Role::Bishop => '♝',
        Role::Rook => '♜',
        Role::Queen => '♛',
        Role::King => '♚',
    }
}

fn plain(piece: Option<Piece>, moved: bool) -> String {
    let letter = piece.map_or('.', Piece::char);
    if moved { format!("[{letter}]") } else { format!(" {letter} ") }
}
