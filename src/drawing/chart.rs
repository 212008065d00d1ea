//! The course of a game as SVG: who stands better, move by move.

use std::fmt::Write as _;

use super::svg::escape;

const WIDTH: f64 = 860.0;
const HEIGHT: f64 = 200.0;
const LEFT: f64 = 44.0;
const BOTTOM: f64 = 24.0;
const TOP: f64 = 10.0;

/// A dot on the curve.
#[derive(Clone, Debug, PartialEq)]
pub struct Dot {
    /// The ply after which it stands.
    pub ply: usize,
    /// Its colour, as CSS names it.
    pub colour: &'static str,
    /// What to say when it is pointed at.
    pub title: String,
}

/// Draws White's expected score, in percent, before the first move and after each one, with `dots` on the curve.
/// `first_move` is the number of the first move, and `white_begins` says who made it.
#[must_use]
pub fn draw(percents: &[f64], dots: &[Dot], first_move: u32, white_begins: bool) -> String {
    let right = LEFT + WIDTH;
    let floor = TOP + HEIGHT;
    let plies = percents.len().saturating_sub(1).max(1);
    let x = |ply: usize| LEFT + WIDTH * ply as f64 / plies as f64;
    let y = |percent: f64| TOP + HEIGHT * (1.0 - percent / 100.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"chart\" viewBox=\"0 0 {:.0} {:.0}\" font-family=\"sans-serif\" font-size=\"11\" role=\"img\" aria-label=\"White's expected score\">\
         <rect x=\"{LEFT}\" y=\"{TOP}\" width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#3f4754\"/>",
        right + 10.0,
        floor + BOTTOM
    );
    let curve: Vec<String> =
        percents.iter().enumerate().map(|(ply, &p)| format!("{:.1} {:.1}", x(ply), y(p))).collect();
    let line = curve.join("L");
    let _ = write!(
        svg,
        "<path d=\"M{LEFT} {floor}L{line}L{:.1} {floor}Z\" fill=\"#f3f4f6\"/>\
         <path d=\"M{line}\" fill=\"none\" stroke=\"#d97706\" stroke-width=\"2\"/>",
        x(percents.len().saturating_sub(1))
    );
    for (percent, text) in [(100.0, "White"), (50.0, "50 %"), (0.0, "Black")] {
        let dash = if percent == 50.0 { "stroke-dasharray=\"4 4\"" } else { "" };
        let _ = write!(
            svg,
            "<line x1=\"{LEFT}\" x2=\"{right}\" y1=\"{0:.1}\" y2=\"{0:.1}\" stroke=\"#9ca3af\" {dash}/>\
             <text x=\"{1:.1}\" y=\"{2:.1}\" text-anchor=\"end\" fill=\"#4b5563\">{text}</text>",
            y(percent),
            LEFT - 6.0,
            y(percent) + 4.0
        );
    }
    for (ply, number) in move_marks(plies, first_move, white_begins) {
        let _ = write!(
            svg,
            "<line x1=\"{0:.1}\" x2=\"{0:.1}\" y1=\"{floor}\" y2=\"{1}\" stroke=\"#9ca3af\"/>\
             <text x=\"{0:.1}\" y=\"{2}\" text-anchor=\"middle\" fill=\"#4b5563\">{number}</text>",
            x(ply),
            floor + 4.0,
            floor + 16.0
        );
    }
    for dot in dots {
        let Some(&percent) = percents.get(dot.ply) else { continue };
        let _ = write!(
            svg,
            "<circle cx=\"{:.1}\" cy=\"{:.1}\" r=\"5\" fill=\"{}\" stroke=\"white\" stroke-width=\"1.5\"><title>{}</title></circle>",
            x(dot.ply),
            y(percent),
            dot.colour,
            escape(&dot.title)
        );
    }
    svg + "</svg>"
}

/// The plies after White's moves whose numbers are written below the chart.
fn move_marks(plies: usize, first_move: u32, white_begins: bool) -> impl Iterator<Item = (usize, u32)> {
    let step: u32 = match plies {
        0..=40 => 2,
        41..=120 => 5,
        121..=300 => 10,
        _ => 25,
    };
    let first_white_ply = if white_begins { 1 } else { 2 };
    let first_number = if white_begins { first_move } else { first_move.saturating_add(1) };
    (first_white_ply..=plies)
        .step_by(2)
        .zip(first_number..)
        .filter(move |(_, number)| number.is_multiple_of(step))
}
