//! What each piece of a position is worth, as SVG: a board for each evaluator, side by side.
//!
//! The square of a piece is orange if the piece is good for White and blue if it is good for Black, the more
//! so the more it is worth. The colours of the two boards have the same scale.

use std::fmt::Write as _;

use crate::{
    chess::{notation::pawns, position::Position, value::Value},
    engine::eval::{Contribution, Explanation, Standard},
    pages::board::{BoardView, SIZE, STYLE, Worth, inside, symbols_of},
};

/// The height of the title above a board.
const TITLE: u32 = 30;
/// The distance between two boards.
const GAP: u32 = 16;
/// The share of the full colour that the greatest worth has, so that its number can be read.
const FULL: f64 = 0.7;
/// The number of steps from white to the full colour.
const SHADES: f64 = 24.0;

/// Draws `position` with the worth of each piece by `evaluator` and, beside a network, by the classical
/// evaluator; the result is a complete SVG file.
#[must_use]
pub fn draw(position: &Position, evaluator: &Standard) -> String {
    let opinions = evaluator.opinions(position);
    let values = opinions.iter().flat_map(|(_, said)| &said.pieces).filter_map(|piece| piece.value);
    let greatest = values.map(Value::abs).max().unwrap_or(0).max(1);
    let (width, height) = (opinions.len() as u32 * (SIZE + GAP) - GAP, SIZE + TITLE);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" \
         font-family=\"sans-serif\" font-size=\"11\" role=\"img\" aria-label=\"What each piece is worth: {}\">\n{}\n{}\n\
         <rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        position.fen(),
        STYLE,
        symbols_of(position)
    );
    for (index, (name, said)) in opinions.iter().enumerate() {
        let left = index as u32 * (SIZE + GAP);
        let total = pawns(said.total);
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"20\" font-size=\"15\" fill=\"#111827\">{name}: {total} for White</text>\n\
             <g transform=\"translate({left} {TITLE})\">\n{}</g>",
            left + GAP,
            inside(position, &view(said, greatest))
        );
    }
    svg + "</svg>\n"
}

/// The pieces with what is `said` of them; a piece worth `greatest` has the strongest colour.
fn view(said: &Explanation, greatest: Value) -> BoardView {
    let worth = |&Contribution { square, value, .. }: &Contribution| {
        let value = value?;
        Some(Worth {
            square,
            colour: colour(FULL * f64::from(value) / f64::from(greatest)),
            text: pawns(value),
        })
    };
    BoardView { worths: said.pieces.iter().filter_map(worth).collect(), ..BoardView::default() }
}

/// White for 0, orange for 1, blue for -1, in steps of 1/[`SHADES`].
fn colour(weight: f64) -> String {
    let weight = (weight * SHADES).round() / SHADES;
    let full = if weight > 0.0 { [217.0, 95.0, 2.0] } else { [33.0, 102.0, 172.0] };
    let [red, green, blue] = full.map(|part| (255.0 + (part - 255.0) * weight.abs()).round() as u8);
    format!("#{red:02x}{green:02x}{blue:02x}")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::eval::{
        Classical, Explain as _,
        network::{Architecture, Network, Neural},
    };

    #[test]
    fn both_opinions_are_drawn_with_their_numbers() {
        let position = Position::from_fen("4k3/8/8/3q4/8/8/4P3/4K3 b - - 0 1").unwrap();
        let architecture = Architecture { neurons: 32, buckets: 8 };
        let network = Standard::Network(Neural::new(Network::random(architecture, 5).into()));
        let svg = draw(&position, &network);
        let said = [network.explain(&position), Classical::default().explain(&position)];
        for (name, said) in ["Network", "Classical"].iter().zip(&said) {
            assert!(svg.contains(&format!(">{name}: {} for White<", pawns(said.total))), "{svg}");
            for value in said.pieces.iter().filter_map(|piece| piece.value) {
                assert!(svg.contains(&format!(">{}</text>", pawns(value))), "{svg}");
            }
        }
        assert_eq!(svg.matches("href=\"#piece-q\"").count(), 2);
    }

    #[test]
    fn white_is_orange_black_is_blue_and_the_greatest_has_the_strongest_colour() {
        let position = Position::from_fen("4k3/8/8/3q4/8/8/4P3/4K3 b - - 0 1").unwrap();
        let svg = draw(&position, &Standard::Classical(Classical::default()));
        assert!(svg.contains(&format!("fill=\"{}\"", colour(-FULL))), "the queen: {svg}");
        assert_eq!(svg.matches("<text").count(), 1 + 16 + 4, "one board: its title, its labels, its pieces");
    }
}
