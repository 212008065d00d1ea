//! Names of openings, by position: other move orders have the same name.
//!
//! The list is the one that Lichess keeps, some 3,800 lines in the public domain
//! (<https://github.com/lichess-org/chess-openings>). The crate `esca` contains it.

pub use esca::openings::Opening;

use super::Game;
use crate::chess::position::Position;

/// The first positions of a game that may have a name. The longest line of the list has 36 plies.
const NAMED: usize = 40;

/// Returns the opening of a game with these positions, and how many moves lead to it: the last position that
/// has a name. The game may begin with a position of an opening.
#[must_use]
pub fn of_game(positions: &[Position]) -> Option<(Opening, usize)> {
    let first = &positions[..positions.len().min(NAMED)];
    let named =
        |position: &Position| esca::openings::lookup(&esca::Position::from_fen(&position.fen()).ok()?);
    first.iter().enumerate().rev().find_map(|(moves, position)| Some((named(position)?, moves)))
}

/// Returns what is known of the opening of `game`: code and name, each by its tags or else by the list, as
/// [`of_game`] finds it.
#[must_use]
pub fn title(game: &Game, listed: Option<(Opening, usize)>) -> Option<String> {
    let listed = listed.map(|(opening, _)| opening);
    let code = game.known_tag("ECO").or_else(|| Some(listed.as_ref()?.eco));
    let by_tags = [game.known_tag("Opening"), game.known_tag("Variation")];
    let by_tags = by_tags.into_iter().flatten().collect::<Vec<_>>().join(", ");
    let name = if by_tags.is_empty() { listed.map(|opening| opening.name.to_owned()) } else { Some(by_tags) };
    let parts: Vec<String> = code.map(str::to_owned).into_iter().chain(name).collect();
    (!parts.is_empty()).then(|| parts.join(" "))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::pgn::read_games;

    fn game(pgn: &str) -> Game {
        read_games(pgn.as_bytes()).unwrap().remove(0).unwrap()
    }

    #[test]
    fn games_have_openings() {
        let opening = |pgn: &str| {
            of_game(&game(pgn).positions()).map(|(opening, moves)| (opening.eco, opening.name, moves))
        };
        let spanish = opening("1. e4 e5 2. Nf3 Nc6 3. Bb5 a6 4. Ba4 b5 5. a3 *");
        assert_eq!(spanish, Some(("C70", "Ruy Lopez: Morphy Defense, Caro Variation", 8)));
        let transposed = opening("1. Nf3 d5 2. d4 Nf6 3. c4 e6 4. Nc3 Be7 *").unwrap();
        assert!(transposed.1.starts_with("Queen's Gambit Declined"), "{transposed:?}");
        let sicilian =
            "[FEN \"rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"]\n\n2. Bd3 h5 *";
        assert_eq!(
            opening(sicilian),
            Some(("B20", "Sicilian Defense", 0)),
            "from a position of the opening on"
        );
        assert_eq!(opening("*"), None);
        assert_eq!(opening("[FEN \"4k3/8/8/8/8/8/8/Q3K3 b - - 0 1\"]\n\n1... Kd7 *"), None);
        let chess960 = "[Variant \"Chess960\"]\n[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w HFhf - 0 1\"]\n\n1. e4 *";
        assert_eq!(opening(chess960), None);
    }

    #[test]
    fn each_tag_counts_alone() {
        for (tags, expected) in [
            ("", "B20 Sicilian Defense"),
            ("[ECO \"B99\"]\n", "B99 Sicilian Defense"),
            ("[Opening \"Mine\"]\n", "B20 Mine"),
            ("[ECO \"?\"]\n[Opening \"Sizilianisch\"]\n[Variation \"mit h5\"]\n", "B20 Sizilianisch, mit h5"),
        ] {
            let game = game(&format!("{tags}\n1. e4 c5 2. Qh5 *"));
            assert_eq!(title(&game, of_game(&game.positions())).as_deref(), Some(expected), "{tags}");
        }
        let unknown = game("[FEN \"4k3/8/8/8/8/8/8/Q3K3 b - - 0 1\"]\n\n1... Kd7 *");
        assert_eq!(title(&unknown, None), None);
    }
}
