//! Positions and evaluations as text, for a terminal.

use std::fmt::Write as _;

use shakmaty::{File, Position as _, Rank, Square};

use crate::{
    chess::{
        position::{Legality, Position},
        value::Value,
    },
    engine::eval::{Amount, Contribution, Explanation, Part, Standard},
};

/// Draws the board, with Black at the bottom if it is `flipped`, followed by FEN, key, and the pieces giving
/// check.
///
/// ```
/// use zugwerk::{chess::position::Position, engine::diagram};
/// assert!(diagram::board(&Position::default(), false).contains("Key: 463b96181691fc9c"));
/// ```
#[must_use]
pub fn board(position: &Position, flipped: bool) -> String {
    let mut text = grid(3, flipped, |square| {
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

/// Draws the board with the contribution of each piece to the evaluation, followed by the parts of the
/// evaluation. What the numbers are is said above the board.
#[must_use]
pub fn evaluation(position: &Position, evaluator: &Standard) -> String {
    let opinions = evaluator.opinions(position);
    let explanation = &opinions[0].1;
    let cell = |square: Square| {
        let on_square = |said: &Explanation| said.pieces.iter().find(|c| c.square == square).copied();
        let said: Vec<Contribution> = opinions.iter().filter_map(|(_, said)| on_square(said)).collect();
        let letter = said.first().map(|c| c.piece.char().to_string());
        letter.into_iter().chain(said.iter().map(|c| c.value.map_or_else(String::new, pawns))).collect()
    };
    let mut lines: Vec<(&str, String)> =
        explanation.parts.iter().map(|Part { name, amount }| (&**name, shown(*amount))).collect();
    lines.push(("Total for White", pawns(explanation.total)));
    let for_mover = position.turn().fold_wb(explanation.total, -explanation.total);
    lines.push(("Total for the side to move", pawns(for_mover)));
    if let Some((_, classical)) = opinions.get(1) {
        lines.push(("Classical evaluation, for comparison", pawns(classical.total)));
    }
    if !Legality::of(position).any_move() {
        let end = if position.is_check() { "checkmate" } else { "stalemate" };
        lines.push(("The game is over, whatever the sum says", end.to_owned()));
    }
    let width = lines.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut text = format!("{}\n\n{}", legend(evaluator), grid(7, false, cell));
    for (name, value) in lines {
        let _ = write!(text, "\n{name:<width$}{value:>10}");
    }
    text
}

/// What the numbers are.
fn legend(evaluator: &Standard) -> &'static str {
    match evaluator {
        Standard::Network(_) => {
            "In pawns; + is good for White. The numbers below each piece:\n  \
             first   what the network's value loses without it (a king cannot be missing)\n  \
             second  its value in the classical evaluation"
        }
        Standard::Classical(_) => {
            "In pawns; + is good for White. Below each piece is its value on its square.\n\
             All values depend on the phase: 24 with all pieces, 0 with kings and pawns only."
        }
        Standard::Material(_) => "In pawns; + is good for White. Below each piece is its value.",
    }
}

fn shown(amount: Amount) -> String {
    match amount {
        Amount::Value(value) => pawns(value),
        Amount::Factor(part, whole) => format!("x {}", f64::from(part) / f64::from(whole)),
        Amount::Of(number, most) => format!("{number} of {most}"),
    }
}

fn pawns(value: Value) -> String {
    format!("{:+.2}", f64::from(value) / 100.0)
}

/// Draws the board from White's perspective, or Black's if it is `flipped`; `cell` returns the lines inside a
/// square, each at most `width` wide.
fn grid(width: usize, flipped: bool, cell: impl Fn(Square) -> Vec<String>) -> String {
    let (mut files, mut ranks) = (File::ALL, Rank::ALL);
    if flipped {
        files.reverse();
    } else {
        ranks.reverse();
    }
    let ruler = format!(" +{}\n", format!("{}+", "-".repeat(width)).repeat(8));
    let mut text = ruler.clone();
    for rank in ranks {
        let cells: Vec<Vec<String>> =
            files.into_iter().map(|file| cell(Square::from_coords(file, rank))).collect();
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
    for file in files {
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
    use crate::engine::eval::{
        Classical, Explain as _,
        network::{Architecture, Network, Neural},
    };

    #[test]
    fn the_board_stands_as_in_the_fen() {
        let position = Position::from_fen("4k3/8/8/8/8/8/4r3/4K2N w - - 0 1").unwrap();
        let text = board(&position, false);
        let ranks: Vec<&str> = text.lines().filter(|line| line.starts_with(" |")).collect();
        assert_eq!(ranks.len(), 8);
        assert_eq!(ranks[0], " |   |   |   |   | k |   |   |   | 8");
        assert_eq!(ranks[7], " |   |   |   |   | K |   |   | N | 1");
        assert!(text.contains("FEN: 4k3/8/8/8/8/8/4r3/4K2N w - - 0 1"));
        assert!(text.ends_with("Checkers: e2"));
        let flipped = board(&position, true);
        let ranks: Vec<&str> = flipped.lines().filter(|line| line.starts_with(" |")).collect();
        assert_eq!(ranks[0], " | N |   |   | K |   |   |   |   | 1");
        assert_eq!(ranks[7], " |   |   |   | k |   |   |   |   | 8");
        assert!(flipped.contains("\n   h   g   f   e   d   c   b   a\n"), "{flipped}");
    }

    #[test]
    fn the_evaluation_names_every_piece_and_its_sum() {
        let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1").unwrap();
        let text = evaluation(&position, &Standard::Classical(Classical::default()));
        let Explanation { total, pieces, .. } = Classical::default().explain(&position);
        let line = |name: &str| {
            let line = text.lines().find_map(|line| line.strip_prefix(name));
            line.unwrap_or_else(|| panic!("no `{name}` in\n{text}")).trim().to_owned()
        };
        assert_eq!(line("Total for White"), pawns(total));
        assert_eq!(line("Total for the side to move"), pawns(-total), "Black is to move");
        assert_eq!(line("Phase"), "0 of 24");
        for piece in pieces {
            assert!(text.contains(&format!("| {:^5} |", piece.piece.char())), "{text}");
            assert!(text.contains(&format!("| {} |", pawns(piece.value.unwrap()))), "{text}");
        }
    }

    #[test]
    fn beside_a_network_the_classical_evaluator_is_heard() {
        let position = Position::from_fen("4k3/8/8/8/8/8/4P3/4K3 b - - 0 1").unwrap();
        let architecture = Architecture { neurons: 32, buckets: 8 };
        let network = Arc::new(Network::random(architecture, 5));
        let text = evaluation(&position, &Standard::Network(Neural::new(Arc::clone(&network))));
        let value = network.evaluate(position.chess().board(), position.turn());
        let classical = Classical::default().explain(&position);
        for (name, value) in [
            ("Network", pawns(-value)),
            ("Output bucket, by piece count", "1 of 8".to_owned()),
            ("Classical evaluation, for comparison", pawns(classical.total)),
        ] {
            let is_there = |line: &str| line.strip_prefix(name).is_some_and(|rest| rest.trim() == value);
            assert!(text.lines().any(is_there), "{name}: {value}\n{text}");
        }
        let bare = Position::from_fen("4k3/8/8/8/8/8/8/4K3 b - - 0 1").unwrap();
        let pawn = network.evaluate(bare.chess().board(), bare.turn()) - value;
        assert!(text.contains(&pawns(pawn)), "{text}");
        assert!(text.contains(&pawns(classical.pieces[1].value.unwrap())), "{text}");
    }

    #[test]
    fn corrections_are_named_where_they_change_something() {
        let names = ["Hardly winnable material", "Driving a bare king", "Known win, instead of the sum"];
        for (fen, there) in [
            ("4k3/8/8/8/8/8/4N3/4K3 w - - 0 1", [true, false, false]),
            ("4k3/8/8/8/8/8/3PP3/4K3 w - - 0 1", [false, true, false]),
            ("4k3/8/8/8/8/8/8/QQ2K3 w - - 0 1", [false, false, true]),
            ("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", [false, false, false]),
        ] {
            let text =
                evaluation(&Position::from_fen(fen).unwrap(), &Standard::Classical(Classical::default()));
            assert_eq!(names.map(|name| text.contains(name)), there, "{text}");
        }
    }
}
