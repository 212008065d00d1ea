//! A position as SVG, with arrows. The pieces are our own plain silhouettes.

use std::fmt::Write as _;

use shakmaty::{Color, File, Piece, Position as _, Rank, Role, Square};

use crate::position::Position;

const SQUARE: f64 = 45.0;
const EDGE: f64 = 16.0;

const LIGHT: &str = "#eef0e6";
const DARK: &str = "#8ba88e";

/// An arrow from square to square.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrow {
    /// Where it begins.
    pub from: Square,
    /// Where it points.
    pub to: Square,
    /// Its colour, as CSS names it.
    pub colour: &'static str,
}

/// Draws `position` as seen by `viewer`, with `arrows` on top.
#[must_use]
pub fn draw(position: &Position, viewer: Color, arrows: &[Arrow]) -> String {
    let size = 8.0 * SQUARE + 2.0 * EDGE;
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"board\" viewBox=\"0 0 {size} {size}\" \
         font-family=\"sans-serif\" font-size=\"11\" role=\"img\" aria-label=\"{}\">\
         <rect width=\"{size}\" height=\"{size}\" rx=\"4\" fill=\"#4b5563\"/>",
        position.fen()
    );
    squares(&mut svg, viewer);
    for (square, piece) in position.chess().board() {
        let (x, y) = corner(square, viewer);
        let _ = write!(svg, "<g transform=\"translate({x} {y})\">{}</g>", silhouette(piece));
    }
    for arrow in arrows {
        draw_arrow(&mut svg, *arrow, viewer);
    }
    svg + "</svg>"
}

fn corner(square: Square, viewer: Color) -> (f64, f64) {
    let (file, rank) = (f64::from(u32::from(square.file())), f64::from(u32::from(square.rank())));
    let (column, row) = viewer.fold_wb((file, 7.0 - rank), (7.0 - file, rank));
    (EDGE + column * SQUARE, EDGE + row * SQUARE)
}

fn squares(svg: &mut String, viewer: Color) {
    for square in Square::ALL {
        let (x, y) = corner(square, viewer);
        let fill = if square.is_light() { LIGHT } else { DARK };
        let _ =
            write!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" fill=\"{fill}\"/>");
    }
    let mut label = |text: char, x: f64, y: f64| {
        let _ =
            write!(svg, "<text x=\"{x}\" y=\"{y}\" fill=\"#f9fafb\" text-anchor=\"middle\">{text}</text>");
    };
    for file in File::ALL {
        let (x, _) = corner(Square::from_coords(file, Rank::First), viewer);
        label(file.char(), x + SQUARE / 2.0, EDGE + 8.0 * SQUARE + 12.0);
    }
    for rank in Rank::ALL {
        let (_, y) = corner(Square::from_coords(File::A, rank), viewer);
        label(rank.char(), EDGE / 2.0, y + SQUARE / 2.0 + 4.0);
    }
}

fn draw_arrow(svg: &mut String, arrow: Arrow, viewer: Color) {
    let centre = |square| {
        let (x, y) = corner(square, viewer);
        (x + SQUARE / 2.0, y + SQUARE / 2.0)
    };
    let ((x1, y1), (x2, y2)) = (centre(arrow.from), centre(arrow.to));
    let length = (x2 - x1).hypot(y2 - y1);
    if length < 1.0 {
        return;
    }
    let (ux, uy) = ((x2 - x1) / length, (y2 - y1) / length);
    let (bx, by) = (x2 - 18.0 * ux, y2 - 18.0 * uy);
    let colour = arrow.colour;
    let _ = write!(
        svg,
        "<g opacity=\"0.8\"><line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{bx:.1}\" y2=\"{by:.1}\" stroke=\"{colour}\" stroke-width=\"7\"/>\
         <polygon points=\"{x2:.1},{y2:.1} {:.1},{:.1} {:.1},{:.1}\" fill=\"{colour}\"/></g>",
        bx - 10.0 * uy,
        by + 10.0 * ux,
        bx + 10.0 * uy,
        by - 10.0 * ux
    );
}

/// The outline of a piece on a square of 45 by 45, drawn for this program.
fn silhouette(piece: Piece) -> String {
    let (fill, line) = piece.color.fold_wb(("#fdfdfb", "#22262e"), ("#2b303a", "#f3f4f6"));
    let foot = "<path d=\"M10 39v-3q0-3 4-4h17q4 1 4 4v3z\"/>";
    let body = match piece.role {
        Role::Pawn => "<path d=\"M17 33q3-4 3-9h5q0 5 3 9z\"/><circle cx=\"22.5\" cy=\"18\" r=\"6\"/>",
        Role::Rook => {
            "<path d=\"M15 33l1.5-15h12l1.5 15z\"/><path d=\"M12.5 18v-10h4.500v3.500h3v-3.500h5v3.500h3v-3.500h4.500v10z\"/>"
        }
        Role::Knight => {
            "<path d=\"M14.5 33q-.5-7 6.5-12-5 2.5-8.5 2l-3-3.500q5-8.5 10.5-11.500l2-4 3 3.500q9 4 7.5 25.500z\"/>"
        }
        Role::Bishop => {
            "<path d=\"M17 33q2-3 2-6h7q0 3 2 6z\"/><path d=\"M22.5 8q9 9 6 16-1 3-3 3h-6q-2 0-3-3-3-7 6-16z\"/><circle cx=\"22.5\" cy=\"6.5\" r=\"2.5\"/>"
        }
        Role::Queen => {
            "<path d=\"M14 33l-6-19 7 9 2-13 5.5 12 5.5-12 2 13 7-9-6 19z\"/><circle cx=\"8\" cy=\"13\" r=\"2.2\"/><circle cx=\"17\" cy=\"9\" r=\"2.2\"/><circle cx=\"28\" cy=\"9\" r=\"2.2\"/><circle cx=\"37\" cy=\"13\" r=\"2.2\"/>"
        }
        Role::King => {
            "<path d=\"M14 33q-9-9-3-15 5-4 11.5 3 6.5-7 11.5-3 6 6-3 15z\"/><path d=\"M21 18v-5h-4v-3h4v-4h3v4h4v3h-4v5z\"/>"
        }
    };
    format!(
        "<g fill=\"{fill}\" stroke=\"{line}\" stroke-width=\"1.5\" stroke-linejoin=\"round\">{body}{foot}</g>"
    )
}
