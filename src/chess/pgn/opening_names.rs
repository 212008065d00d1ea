//! Names of openings.
//!
//! `openings.txt` contains the lines, written for this program: an ECO code, a name, the moves. A line is identified by
//! its final position, so other move orders have the same name.

use std::{collections::HashMap, sync::LazyLock};

use crate::chess::{notation::read_move, position::Position, text::entries};

const LINES: &str = include_str!("opening_names.txt");

/// A named opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Opening {
    /// Its code in the Encyclopaedia of Chess Openings, `A00` to `E99`.
    pub eco: &'static str,
    /// Its name.
    pub name: &'static str,
}

static BY_POSITION: LazyLock<HashMap<u64, Opening>> =
    LazyLock::new(|| lines().filter_map(|(opening, moves)| Some((end(moves)?.key(), opening))).collect());

/// Returns the opening of a game with these positions: the last one that has a name. The game may begin with a position of an
/// opening.
#[must_use]
pub fn of_game(positions: &[Position]) -> Option<Opening> {
    positions.iter().rev().find_map(|position| BY_POSITION.get(&position.key()).copied())
}

fn lines() -> impl Iterator<Item = (Opening, &'static str)> {
    entries(LINES).filter_map(|(_, line)| {
        let (eco, rest) = line.split_once(' ')?;
        let (name, moves) = rest.split_once(": ")?;
        Some((Opening { eco, name }, moves))
    })
}

/// Returns the position after `moves`.
fn end(moves: &str) -> Option<Position> {
    let mut position = Position::default();
    for text in moves.split(' ') {
        let m = read_move(position.chess(), text)?;
        position.play(m);
    }
    Some(position)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::read_games;

    #[test]
    fn every_line_can_be_played_and_ends_in_a_place_of_its_own() {
        let mut ends = HashMap::new();
        for (opening, moves) in lines() {
            let end = end(moves).unwrap_or_else(|| panic!("{opening:?}: {moves}"));
            assert_eq!(ends.insert(end.key(), opening), None, "{opening:?}");
            assert!(matches!(opening.eco.as_bytes(), [b'A'..=b'E', b'0'..=b'9', b'0'..=b'9']), "{opening:?}");
        }
        assert_eq!(ends.len(), entries(LINES).count());
    }

    #[test]
    fn games_have_openings() {
        let opening = |pgn: &str| {
            let game = read_games(pgn.as_bytes()).unwrap().remove(0).unwrap();
            of_game(&game.positions()).map(|opening| (opening.eco, opening.name))
        };
        assert_eq!(
            opening("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 b5 *"),
            Some(("C70", "Ruy Lopez, Morphy Defence"))
        );
        let transposed = opening("1. Nf3 d5 2. d4 Nf6 3. c4 e6 4. Nc3 Be7 *").unwrap();
        assert!(transposed.1.starts_with("Queen's Gambit Declined"), "{transposed:?}");
        assert_eq!(opening("1. a4 a5 2. h4 *"), None);
        let sicilian = "[FEN \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]\n\n2. h4 h5 *";
        assert_eq!(opening(sicilian), Some(("B20", "Sicilian Defence")), "from a position of the opening on");
        assert_eq!(opening("[FEN \"4k3/8/8/8/8/8/8/Q3K3 b - - 0 1\"]\n\n1... Kd7 *"), None);
    }
}
