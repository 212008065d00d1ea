//! A position as SVG, for a page that contains the pieces as symbols. The silhouettes are our own.

use std::fmt::Write as _;

use shakmaty::{Color, File, Piece, Position as _, Rank, Role, Square};

use crate::position::Position;

const SQUARE: u32 = 45;
const EDGE: u32 = 16;
/// The width and height of a board.
pub const SIZE: u32 = 8 * SQUARE + 2 * EDGE;

/// Returns the pieces as symbols that [`draw`] and scripts use: `piece-` and the letter of the piece in FEN. The SVG is
/// invisible and must occur once in a page.
#[must_use]
pub fn symbols() -> String {
    let mut svg =
        String::from("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"0\" height=\"0\" hidden=\"\">");
    for color in Color::ALL {
        for role in Role::ALL {
            let piece = Piece { color, role };
            let _ = write!(
                svg,
                "<symbol id=\"piece-{}\" viewBox=\"0 0 {SQUARE} {SQUARE}\">{}</symbol>",
                piece.char(),
                silhouette(piece)
            );
        }
    }
    svg + "</svg>"
}

/// Draws `position` with White at the bottom. The page sets the colours of the classes `light`, `dark` and `edge`.
#[must_use]
pub fn draw(position: &Position) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"board\" viewBox=\"0 0 {SIZE} {SIZE}\" \
         font-size=\"11\" role=\"img\" aria-label=\"{}\">{}</svg>",
        position.fen(),
        inside(position)
    )
}

/// Like [`draw`], without the element around it, [`SIZE`] wide and high, for use inside another SVG.
#[must_use]
pub fn inside(position: &Position) -> String {
    let mut svg = format!("<rect width=\"{SIZE}\" height=\"{SIZE}\" rx=\"4\" class=\"edge\"/>");
    for square in Square::ALL {
        let (x, y) = corner(square);
        let class = if square.is_light() { "light" } else { "dark" };
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" class=\"{class}\"/>"
        );
    }
    labels(&mut svg);
    for (square, piece) in position.chess().board() {
        let (x, y) = corner(square);
        let _ = write!(
            svg,
            "<use href=\"#piece-{}\" x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\"/>",
            piece.char()
        );
    }
    svg
}

fn corner(square: Square) -> (u32, u32) {
    (EDGE + u32::from(square.file()) * SQUARE, EDGE + (7 - u32::from(square.rank())) * SQUARE)
}

fn labels(svg: &mut String) {
    let mut label = |text: char, x: u32, y: u32| {
        let _ =
            write!(svg, "<text x=\"{x}\" y=\"{y}\" fill=\"#f9fafb\" text-anchor=\"middle\">{text}</text>");
    };
    for file in File::ALL {
        let (x, y) = corner(Square::from_coords(file, Rank::First));
        label(file.char(), x + SQUARE / 2, y + SQUARE + 12);
    }
    for rank in Rank::ALL {
        let (_, y) = corner(Square::from_coords(File::A, rank));
        label(rank.char(), EDGE / 2, y + SQUARE / 2 + 4);
    }
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
