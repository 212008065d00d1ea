//! Positions and evaluations as text, for a terminal.

use std::fmt::Write as _;

use shakmaty::{File, Position as _, Rank, Square};

use crate::{
    eval::{Amount, Classical, Contribution, Explain as _, Explanation, Part, Standard},
    position::Position,
    value::Value,
};

/// Draws the board, followed by FEN, key, and the pieces giving check.
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

/// Draws the board with the contribution of each piece to the evaluation, followed by the parts of the evaluation.
///
/// All numbers are in pawns for White, except the last, which is for the side to move, as the search uses it. With a
/// network, the second number of each piece is its value by the classical evaluator.
#[must_use]
pub fn evaluation(position: &Position, evaluator: &Standard) -> String {
    let explanation = evaluator.explain(position);
    let is_network = matches!(evaluator, Standard::Network(_));
    let classical = is_network.then(|| Classical::default().explain(position));
    let cell = |square: Square| {
        let opinions = [Some(&explanation), classical.as_ref()].into_iter().flatten();
        let on_square = |said: &Explanation| said.pieces.iter().find(|c| c.square == square).copied();
        let said: Vec<Contribution> = opinions.filter_map(on_square).collect();
        let letter = said.first().map(|c| c.piece.char().to_string());
        letter.into_iter().chain(said.iter().map(|c| c.value.map_or_else(String::new, pawns))).collect()
    };
    let mut text = grid(7, cell);
    let mut line = |name: &str, value: String| {
        let _ = write!(text, "\n{name:<17}{value:>8}");
    };
    for Part { name, amount } in &explanation.parts {
        match *amount {
            Amount::Value(value) => line(name, pawns(value)),
            Amount::Of(part, whole) => line(name, format!("{part}/{whole}")),
        }
    }
    if let Some(classical) = &classical {
        line("Classical", pawns(classical.total));
    }
    line("Total (White)", pawns(explanation.total));
    line("Side to move", pawns(position.turn().fold_wb(explanation.total, -explanation.total)));
    text
}

fn pawns(value: Value) -> String {
    format!("{:+.2}", f64::from(value) / 100.0)
}

/// Draws the board from White's perspective; `cell` returns the lines inside a square, each at most `width` wide.
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
    use std::sync::Arc;

    use super::*;
    use crate::eval::network::{Activation, Architecture, Network, Neural};

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
        let text = evaluation(&position, &Standard::Classical(Classical::default()));
        let Explanation { total, pieces, .. } = Classical::default().explain(&position);
        assert!(text.contains(&format!("Total (White)    {:>8}", pawns(total))), "{text}");
        assert!(text.ends_with(&pawns(-total)), "Black is to move:\n{text}");
        for piece in pieces {
            assert!(text.contains(&format!("| {:^5} |", piece.piece.char())), "{text}");
            assert!(text.contains(&format!("| {} |", pawns(piece.value.unwrap()))), "{text}");
        }
    }

    #[test]
    fn beside_a_network_the_classical_evaluator_is_heard() {
        let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1").unwrap();
        let architecture = Architecture { neurons: 32, activation: Activation::SquaredClipped, buckets: 8 };
        let network = Arc::new(Network::random(architecture, 5));
        let text = evaluation(&position, &Standard::Network(Neural::new(Arc::clone(&network))));
        let value = network.evaluate(position.chess().board(), position.turn());
        assert!(text.contains(&format!("Network          {:>8}", pawns(-value))), "{text}");
        assert!(text.contains("Bucket                1/8"), "{text}");
        let classical = Classical::default().explain(&position);
        assert!(text.contains(&format!("Classical        {:>8}", pawns(classical.total))), "{text}");
        let bare = Position::from_fen("4k3/8/8/8/8/8/8/4K3 b - - 0 1").unwrap();
        let pawn = network.evaluate(bare.chess().board(), bare.turn()) - value;
        assert!(text.contains(&pawns(pawn)), "{text}");
        assert!(text.contains(&pawns(classical.pieces[1].value.unwrap())), "{text}");
    }
}
