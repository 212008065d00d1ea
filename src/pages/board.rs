//! The one place that draws a board as SVG: for a file of its own, for a page, and inside other pictures. The
//! silhouettes of the pieces are our own.

use std::fmt::Write as _;

use shakmaty::{Color, File, Piece, Position as _, Rank, Role, Square};

use crate::chess::position::Position;

const SQUARE: u32 = 45;
const EDGE: u32 = 16;
/// The width and height of a board.
pub const SIZE: u32 = 8 * SQUARE + 2 * EDGE;
/// The width and height at which a file is shown, in pixels.
const SHOWN: u32 = 320;

/// What a board shows besides its pieces, and from which side. A king in check always glows.
#[derive(Clone, Debug, Default)]
pub struct BoardView {
    /// Whether Black is at the bottom.
    pub flipped: bool,
    /// The marked squares.
    pub marked: Vec<Square>,
    /// Arrows, each from the first square to the second.
    pub arrows: Vec<[Square; 2]>,
    /// Coloured squares with a number below their piece.
    pub worths: Vec<Worth>,
}

/// A coloured square with a number.
#[derive(Clone, Debug)]
pub struct Worth {
    /// The square.
    pub square: Square,
    /// Its colour, as in CSS.
    pub colour: String,
    /// The number, as text.
    pub text: String,
}

/// The style of the classes that a board in a file of its own or in another picture uses.
pub const STYLE: &str = "<style>.light { fill: #eef0e6 } .dark { fill: #8ba88e } .edge { fill: #4b5563 } \
    .marked { fill: #e3c33a; opacity: .6 } .arrow { fill: #15803d; stroke: #15803d; opacity: .8 }</style>";

/// Returns all pieces as symbols for a page: `piece-` and the letter of the piece in FEN. [`draw`] and
/// scripts use them. The SVG is invisible and must occur once in a page.
#[must_use]
pub fn symbols() -> String {
    let all = Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| Piece { color, role }));
    let symbols: String = all.map(symbol).collect();
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"0\" height=\"0\" hidden=\"\">{symbols}</svg>")
}

/// Returns the pieces of `position` as symbols, for the SVG that contains the board of [`inside`].
#[must_use]
pub fn symbols_of(position: &Position) -> String {
    let board = position.chess().board();
    let all = Color::ALL.into_iter().flat_map(|color| Role::ALL.map(|role| Piece { color, role }));
    all.filter(|&piece| board.by_piece(piece).any()).map(symbol).collect()
}

fn symbol(piece: Piece) -> String {
    let (letter, outline) = (piece.char(), silhouette(piece));
    format!("<symbol id=\"piece-{letter}\" viewBox=\"0 0 {SQUARE} {SQUARE}\">{outline}</symbol>")
}

/// Draws `position` with White at the bottom, for a page that contains the [`symbols`] and sets the colours
/// of the classes `light`, `dark` and `edge`.
#[must_use]
pub fn draw(position: &Position) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"board\" viewBox=\"0 0 {SIZE} {SIZE}\" \
         font-size=\"11\" role=\"img\" aria-label=\"{}\">{}</svg>",
        position.fen(),
        inside(position, &BoardView::default())
    )
}

/// Draws `position` as a complete SVG file.
#[must_use]
pub fn file(position: &Position, view: &BoardView) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{SHOWN}\" height=\"{SHOWN}\" viewBox=\"0 0 {SIZE} {SIZE}\" \
         font-family=\"sans-serif\" font-size=\"11\" role=\"img\" aria-label=\"{}\">\n{STYLE}\n{}\n{}</svg>\n",
        position.fen(),
        symbols_of(position),
        inside(position, view)
    )
}

/// Draws `position` without an element around it, [`SIZE`] wide and high, for use inside another SVG, which
/// contains the symbols of its pieces.
#[must_use]
pub fn inside(position: &Position, view: &BoardView) -> String {
    let mut svg = format!(
        "<rect width=\"{SIZE}\" height=\"{SIZE}\" rx=\"4\" class=\"edge\"/>\n\
         <rect x=\"{EDGE}\" y=\"{EDGE}\" width=\"{0}\" height=\"{0}\" class=\"light\"/>\n<path class=\"dark\" d=\"",
        8 * SQUARE
    );
    for square in Square::ALL.into_iter().filter(|square| square.is_dark()) {
        let (x, y) = view.corner(square);
        let _ = write!(svg, "M{x} {y}h{SQUARE}v{SQUARE}h-{SQUARE}z");
    }
    svg.push_str("\"/>\n");
    view.labels(&mut svg);
    let mut paint = |square: Square, look: &str| {
        let (x, y) = view.corner(square);
        let _ = writeln!(svg, "<rect x=\"{x}\" y=\"{y}\" width=\"{SQUARE}\" height=\"{SQUARE}\" {look}/>");
    };
    for worth in &view.worths {
        paint(worth.square, &format!("fill=\"{}\"", worth.colour));
    }
    for &square in &view.marked {
        paint(square, "class=\"marked\"");
    }
    view.pieces(&mut svg, position);
    for &[from, to] in &view.arrows {
        view.arrow(&mut svg, from, to);
    }
    svg
}

impl BoardView {
    /// The upper left corner of `square`.
    fn corner(&self, square: Square) -> (u32, u32) {
        let (file, rank) = (u32::from(square.file()), u32::from(square.rank()));
        let (column, row) = if self.flipped { (7 - file, rank) } else { (file, 7 - rank) };
        (EDGE + column * SQUARE, EDGE + row * SQUARE)
    }

    fn labels(&self, svg: &mut String) {
        svg.push_str("<g fill=\"#f9fafb\" text-anchor=\"middle\">");
        let mut label = |text: char, x: u32, y: u32| {
            let _ = write!(svg, "<text x=\"{x}\" y=\"{y}\">{text}</text>");
        };
        for file in File::ALL {
            let (x, _) = self.corner(Square::from_coords(file, Rank::First));
            label(file.char(), x + SQUARE / 2, SIZE - 4);
        }
        for rank in Rank::ALL {
            let (_, y) = self.corner(Square::from_coords(File::A, rank));
            label(rank.char(), EDGE / 2, y + SQUARE / 2 + 4);
        }
        svg.push_str("</g>\n");
    }

    /// Draws the pieces, and below each its worth; a piece is smaller then.
    fn pieces(&self, svg: &mut String, position: &Position) {
        for king in position.checkers().any().then(|| position.chess().our(Role::King)).into_iter().flatten()
        {
            let (x, y) = self.corner(king);
            let (x, y, r) = (x + SQUARE / 2, y + SQUARE / 2, SQUARE / 2);
            let _ = writeln!(
                svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"{r}\" fill=\"#e02020\" fill-opacity=\".6\"/>"
            );
        }
        for (square, piece) in position.chess().board() {
            let ((x, y), letter) = (self.corner(square), piece.char());
            let worth = self.worths.iter().find(|worth| worth.square == square);
            let (inset, size) = worth.map_or((0, SQUARE), |_| (6, SQUARE - 12));
            let _ = writeln!(
                svg,
                "<use href=\"#piece-{letter}\" x=\"{}\" y=\"{y}\" width=\"{size}\" height=\"{size}\"/>",
                x + inset
            );
            if let Some(worth) = worth {
                let _ = writeln!(
                    svg,
                    "<text x=\"{}\" y=\"{}\" fill=\"#111827\" text-anchor=\"middle\">{}</text>",
                    x + SQUARE / 2,
                    y + SQUARE - 3,
                    worth.text
                );
            }
        }
    }

    /// Draws an arrow between the middles of two squares; none from a square to itself.
    fn arrow(&self, svg: &mut String, from: Square, to: Square) {
        let middle = |square| {
            let (x, y) = self.corner(square);
            (f64::from(x) + f64::from(SQUARE) / 2.0, f64::from(y) + f64::from(SQUARE) / 2.0)
        };
        let ((x1, y1), (x2, y2)) = (middle(from), middle(to));
        // Not the system's function: that of new C libraries would be the only reason not to run with older
        // ones.
        let length = libm::hypot(x2 - x1, y2 - y1);
        if length == 0.0 {
            return;
        }
        let (ux, uy) = ((x2 - x1) / length, (y2 - y1) / length);
        let (bx, by) = (x2 - 16.0 * ux, y2 - 16.0 * uy);
        let _ = writeln!(
            svg,
            "<g class=\"arrow\"><path d=\"M{x1} {y1}L{bx:.1} {by:.1}\" stroke-width=\"6\"/>\
             <path d=\"M{x2} {y2}L{:.1} {:.1}L{:.1} {:.1}z\" stroke=\"none\"/></g>",
            bx - 9.0 * uy,
            by + 9.0 * ux,
            bx + 9.0 * uy,
            by - 9.0 * ux
        );
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

#[cfg(test)]
mod tests {
    use super::*;

    /// The place of the only `use` of a piece.
    fn place(svg: &str, letter: char) -> (u32, u32) {
        let piece = svg.split_once(&format!("href=\"#piece-{letter}\"")).unwrap().1;
        let number = |name: &str| {
            let value = piece.split_once(&format!("{name}=\"")).unwrap().1;
            value.split_once('"').unwrap().0.parse().unwrap()
        };
        (number(" x"), number(" y"))
    }

    #[test]
    fn a_board_is_seen_from_either_side() {
        let position = Position::from_fen("4k3/8/8/8/8/8/8/N3K3 w - - 0 1").unwrap();
        let seen = |flipped| inside(&position, &BoardView { flipped, ..BoardView::default() });
        let last = EDGE + 7 * SQUARE;
        assert_eq!(place(&seen(false), 'N'), (EDGE, last));
        assert_eq!(place(&seen(true), 'N'), (last, EDGE));
        assert_eq!(place(&seen(true), 'k'), (EDGE + 3 * SQUARE, last));
    }

    #[test]
    fn a_file_has_its_own_pieces_and_colours() {
        let position = Position::from_fen("4k3/8/8/8/8/8/4r3/4K3 w - - 0 1").unwrap();
        let view = BoardView {
            marked: vec![Square::E4],
            arrows: vec![[Square::E1, Square::E2], [Square::A1, Square::A1]],
            ..BoardView::default()
        };
        let svg = file(&position, &view);
        for letter in ['k', 'K', 'r'] {
            assert_eq!(svg.matches(&format!("id=\"piece-{letter}\"")).count(), 1, "{letter}");
        }
        assert_eq!(svg.matches("<symbol").count(), 3, "no piece that is not on the board");
        assert_eq!(svg.matches("class=\"marked\"").count(), 1);
        assert_eq!(svg.matches("class=\"arrow\"").count(), 1, "none from a square to itself");
        assert_eq!(svg.matches("<circle").count(), 1, "the king is in check: {svg}");
        let quiet = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        assert!(!inside(&quiet, &BoardView::default()).contains("<circle"));
    }
}
