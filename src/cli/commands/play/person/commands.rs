//! The commands of a person.

use std::{io, path::Path};

use shakmaty::{Move, Role, Square};
use zugwerk::{
    chess::{
        notation::{self, numbered, read_loosely, san},
        position::{Position, destination},
        value::DRAW,
    },
    engine::search::{Limits, Report, Settings, Silent, Stop},
};

use super::Seat;
use crate::cli::shared::print::say;

pub(super) const HELP: &str = "\
A move: e4, Nf3, O-O, exd8=Q, or e2e4, g1f3, e1g1, d7d8q; nf3, 2. c4, E2-E3 and a8q work too.
hint    the move the engine would play; again: the line and its value
eval    the value of the position       moves   your legal moves
undo    take your last move back        board   draw the board again
flip    turn the board                  fen     the position as FEN
pgn     the game so far as PGN          save F  append the game so far to the file F
draw    offer or claim a draw           resign  give up
new     another game                    quit    leave (games are kept)";

/// The nodes of the engine's search for hints.
const HINT_NODES: u64 = 200_000;

impl Seat {
    pub(super) fn try_move(&mut self, text: &str) -> io::Result<()> {
        let position = self.game().position.clone();
        let Some(m) = read_loosely(&position, text) else {
            return say(explain(&position, text));
        };
        self.game().play(m);
        // A program that answers shows the board.
        let is_answered = self.is_against_program() && self.game().ending().is_none();
        if is_answered { Ok(()) } else { self.show() }
    }

    /// Shows the best move; asked again in the same position, the best line and its value.
    pub(super) fn hint(&mut self) -> io::Result<()> {
        let position = self.game().position.clone();
        let Some(line) = self.advice(&position) else { return Ok(()) };
        if self.hinted.replace(position.key()) == Some(position.key()) {
            return say(format_args!("{} for you: {}", line.pawns(), numbered(&position, &line.pv)));
        }
        say(format_args!("{}, and `hint` again shows the line.", numbered(&position, &line.pv[..1])))
    }

    pub(super) fn eval(&mut self) -> io::Result<()> {
        let position = self.game().position.clone();
        let Some(line) = self.advice(&position) else { return Ok(()) };
        say(format_args!("{} for you", line.pawns()))
    }

    /// The best line of `position`.
    fn advice(&mut self, position: &Position) -> Option<Report> {
        let (limits, stop) = (Limits::nodes(HINT_NODES), Stop::default());
        let outcome = self.adviser.search(position, &limits, &stop, &Settings::default(), &mut Silent);
        outcome.lines.into_iter().next()
    }

    pub(super) fn moves(&self) -> io::Result<()> {
        let position = self.game().position.clone();
        let names: Vec<String> = position.legal_moves().iter().map(|&m| san(&position, m)).collect();
        say(names.join(" "))
    }

    /// Ends the game as a draw if the opponent agrees: another person always does, a program unless it is
    /// better.
    pub(super) fn draw(&mut self) -> io::Result<()> {
        let position = self.game().position.clone();
        let own = self.advice(&position).map_or(DRAW, |line| line.value);
        if self.is_against_program() && own < DRAW {
            return say("Your opponent plays on.");
        }
        self.game().end("1/2-1/2", "draw by agreement");
        Ok(())
    }

    /// Appends the game so far to the file `name`.
    pub(super) fn save(&self, name: &str) -> io::Result<()> {
        if name.is_empty() {
            return say("`save` needs the name of a file: save games.pgn");
        }
        match self.game().save(Path::new(name)) {
            Ok(()) => say(format_args!("The game so far is in {name}.")),
            Err(error) => say(format_args!("{error:#}")),
        }
    }

    /// Takes back the person's last move and the reply to it, also after the end of the game.
    pub(super) fn undo(&mut self) -> io::Result<()> {
        let turn = self.game().position.turn();
        let is_answered = self.is_against_program() && self.programs.get(turn).is_none();
        let needed = if is_answered { 2 } else { 1 };
        if self.game().moves_played() < needed {
            return say("You have no move to take back.");
        }
        for _ in 0..needed {
            self.game().undo();
        }
        self.show()
    }

    pub(super) fn flip(&mut self) -> io::Result<()> {
        self.viewer = !self.viewer;
        self.show()
    }
}

/// Explains why `text` is not a move here, and suggests moves.
fn explain(position: &Position, text: &str) -> String {
    let why =
        why_not(position, text).unwrap_or_else(|| format!("`{text}` is neither a legal move nor a command."));
    let there = target(text).and_then(|square| {
        let mut moves = position.legal_moves();
        moves.retain(|&m| destination(position.turn(), m) == square);
        let names: Vec<String> = moves.iter().map(|&m| san(position, m)).collect();
        (!names.is_empty()).then(|| format!(" To {square} you can play {}.", names.join(", ")))
    });
    let there = there.unwrap_or_default();
    let check = if position.is_check() { " You are in check." } else { "" };
    format!("{why}{check}{there} `help` lists the commands.")
}

/// Why the move of a piece that `text` names cannot be played.
fn why_not(position: &Position, text: &str) -> Option<String> {
    let role = text.chars().next().filter(|c| "KQRBN".contains(*c)).and_then(Role::from_char)?;
    let square = target(text)?;
    let goes = |m: &Move| m.role() == role && destination(position.turn(), *m) == square;
    let name = notation::role(role);
    let mut there = position.legal_moves();
    there.retain(|m| goes(m));
    Some(match there.len() {
        0 => format!("`{text}`: no {name} can go to {square}."),
        1 => format!("`{text}`: not from there."),
        _ => format!("`{text}`: more than one {name} can go to {square}."),
    })
}

/// The square to which `text` would move a piece, if it ends like a move.
fn target(text: &str) -> Option<Square> {
    let bare = text.trim_end_matches(['+', '#', '!', '?']);
    let bare = bare.strip_suffix(|c| "QRBNqrbn".contains(c)).unwrap_or(bare).trim_end_matches('=');
    let (last_two, _) = bare.char_indices().nth_back(1)?;
    bare[last_two..].to_ascii_lowercase().parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_to_the_square_that_was_meant_are_suggested() {
        let said = |fen: &str, text: &str| explain(&Position::from_fen(fen).unwrap(), text);
        let fen = "4k3/P7/8/8/8/8/8/4K2R w K - 0 1";
        for (text, there) in [
            ("Kf3", ""),
            ("Ng1", " To g1 you can play "),
            ("hh4+?!", " To h4 you can play Rh4."),
            ("RA8=Q#", " To a8 you can play "),
            ("b7a8q", " To a8 you can play "),
            ("O-O-O", ""),
            ("é", ""),
            ("aé", ""),
            ("", ""),
            ("Q", ""),
        ] {
            let said = said(fen, text);
            assert_eq!(said.contains(" you can play "), !there.is_empty(), "{text}: {said}");
            assert!(said.contains(there), "{text}: {said}");
        }
        assert!(said(fen, "Ng1").contains("O-O"), "castling leads there too");
    }
}
