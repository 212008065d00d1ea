//! Positions and evaluations drawn with letters, for people at a terminal.

use std::fmt::Write as _;

use shakmaty::{File, Position as _, Rank, Square};

use crate::{
    eval::{Classical, endgame::FULL_CHANCES},
    position::Position,
    value::Value,
};

/// The board, then what cannot be seen on it: FEN, key, and the pieces giving check.
///
/// ```
/// use zugwerk::{diagram, position::Position};
/// assert!(diagram::board(&Position::default()).contains("Key: 463b96181691fc9c"));
/// ```
#[must_use]
pub fn board(position: &Position) -> String {
    let mut text = grid(3, |square| {
        let piece = position.chess().board().piece_at(square);
        piece.map(|piece| piece.char().to_string()).into_iter().collect()
    });
    let checkers: Vec<String> = position.checkers().into_iter().map(|square| square.to_string()).collect();
    let _ = write!(
        text,
        "\nFEN: {}\nKey: {:016x}\nCheckers: {}",
        position.fen(),
        position.key(),
        if checkers.is_empty() { "none".to_owned() } else { checkers.join(" ") }
    );
    text
}

/// The board with what each piece adds to the evaluation, then the parts the evaluation is made of.
///
/// All numbers are in pawns for White, except the last, which is what the search sees.
#[must_use]
pub fn evaluation(position: &Position) -> String {
    let contributions = Classical::contributions(position);
    let cell = |square: Square| {
        let found = contributions.iter().find(|c| c.square == square);
        found.map_or_else(Vec::new, |c| vec![c.piece.char().to_string(), pawns(c.value)])
    };
    let parts = Classical::breakdown(position);
    let for_mover = position.turn().fold_wb(parts.total, -parts.total);
    let mut text = grid(7, cell);
    let mut part = |name: &str, value: String| {
        let _ = write!(text, "\n{name:<17}{value:>8}");
    };
    part("Pieces", pawns(parts.pieces.at(parts.phase)));
    for (name, share) in parts.terms {
        part(&words(name), pawns(share.at(parts.phase)));
    }
    part("Winning chance", format!("{}/{FULL_CHANCES}", parts.scaling.chances));
    part("Mop-up", pawns(parts.scaling.mop_up));
    part("Phase", format!("{}/{}", parts.phase, crate::eval::classical::FULL_PHASE));
    part("Total (White)", pawns(parts.total));
    part("Side to move", pawns(for_mover));
    text
}

/// The name of a term as people write it: `BISHOP_PAIR` is "Bishop pair".
fn words(name: &str) -> String {
    let mut words = name.replace('_', " ").to_lowercase();
    words[..1].make_ascii_uppercase();
    words
}

fn pawns(value: Value) -> String {
    format!("{:+.2}", f64::from(value) / 100.0)
}

/// Draws the board from White's side; `cell` gives the lines inside a square, each at most `width` wide.
fn grid(width: usize, cell: impl Fn(Square) -> Vec<String>) -> String {
    let ruler = format!(" +{}\n", format!("{}+", "-".repeat(width)).repeat(8));
    let mut text = ruler.clone();
    for rank in Rank::ALL.into_iter().rev() {
        let cells: Vec<Vec<String>> =
            File::ALL.into_iter().map(|file| cell(Square::from_coords(file, rank))).collect();
        let height = cells.iter().map(Vec::len).max().unwrap_or(0).max(1);
        for line in 0..height {
            text.push(' ');
            for cell in &cells {
                let content = cell.get(line).map_or("", String::as_str);
                let _ = write!(text, "|{content:^width$}");
            }
            text.push('|');
            if line == 0 {
                let _ = write!(text, " {}", rank.char());
            }
            text.push('\n');
        }
        text += &ruler;
    }
    for file in File::ALL {
        let _ = write!(text, "{:^1$}", file.char(), width + 1);
    }
    text.insert_str(text.len() - 8 * (width + 1), "  ");
    text.truncate(text.trim_end().len());
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_board_stands_as_in_the_fen() {
        let position = Position::from_fen("4k3/8/8/8/8/8/4r3/4K2N w - - 0 1").unwrap();
        let text = board(&position);
        let ranks: Vec<&str> = text.lines().filter(|line| line.starts_with(" |")).collect();
        assert_eq!(ranks.len(), 8);
        assert_eq!(ranks[0], " |   |   |   |   | k |   |   |   | 8");
        assert_eq!(ranks[7], " |   |   |   |   | K |   |   | N | 1");
        assert!(text.contains("FEN: 4k3/8/8/8/8/8/4r3/4K2N w - - 0 1"));
        assert!(text.ends_with("Checkers: e2"));
    }

    #[test]
    fn the_evaluation_names_every_piece_and_its_sum() {
        let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1").unwrap();
        let text = evaluation(&position);
        let total = Classical::breakdown(&position).total;
        assert!(text.contains(&format!("Total (White)    {:>8}", pawns(total))), "{text}");
        assert!(text.ends_with(&pawns(-total)), "Black is to move:\n{text}");
        for piece in Classical::contributions(&position) {
            assert!(text.contains(&format!("| {:^5} |", piece.piece.char())), "{text}");
            assert!(text.contains(&format!("| {} |", pawns(piece.value))), "{text}");
        }
    }
}
