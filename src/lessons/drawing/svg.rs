//! A tree as SVG: boxes, light for White's moves and dark for Black's, next to the root position and the
//! legend.
//!
//! A picture is at most about as wide as a page, so that it is readable there. A tree that would be wider
//! from left to right is drawn like folders and files.

use std::fmt::Write as _;

use shakmaty::Color;

use super::{
    Item, Picture,
    layout::{Place, indented, places},
    legend::{self, SignStyle},
};
use crate::{
    lessons::Mark,
    pages::{board, frame::escape},
};

const MARGIN: f64 = 20.0;
/// The width of the column next to the tree, with the board and the legend.
const PANEL: f64 = 246.0;
/// The left edge of the tree.
const LEFT: f64 = MARGIN + PANEL + 26.0;
const BOX_WIDTH: f64 = 124.0;
/// The distance from the signs of the legend to their meanings.
const MEANING: f64 = 94.0;
/// The maximum width of a tree drawn from left to right.
const WIDEST: f64 = 640.0;
/// The width of a letter, relative to its height.
const LETTER: f64 = 0.61;

const INK: &str = "#1f2937";
const FAINT: &str = "#6b7280";
const LINE: &str = "#c3c8d0";
const WARNING: &str = "#b91c1c";
const PRINCIPAL: &str = "#d97706";

/// The style where the reader prefers dark: other colours for the paper and what is drawn on it, not for
/// boxes and board.
fn dark() -> String {
    let text = |colour, dark| format!("text[fill=\"{colour}\"] {{ fill: {dark} }} ");
    // The ink is also that of boxes, which are groups of their own.
    let ink = ["svg > ", "svg > g > "].map(|outside| outside.to_owned() + &text(INK, "#e5e7eb")).concat();
    let [faint, warning] = [text(FAINT, "#9aa4b2"), text(WARNING, "#ff7b7b")];
    format!(
        "<style>@media (prefers-color-scheme: dark) {{ .paper {{ fill: #14171c }} {ink}{faint}{warning}\
         path[stroke=\"{LINE}\"] {{ stroke: #4b5563 }} }}</style>"
    )
}

/// The colour of a mark's label and frame.
fn colour(mark: Mark) -> &'static str {
    match mark {
        Mark::CutOff => "#dc2626",
        Mark::Memo => "#2563eb",
        Mark::GameOver => "#7c3aed",
        Mark::Searched | Mark::Pruned | Mark::Unfinished => FAINT,
    }
}

/// Draws `picture`; the result is a complete SVG file.
#[must_use]
pub fn draw(picture: &Picture) -> String {
    let form = Form::of(picture);
    let corners: Vec<(f64, f64)> = form.places.iter().map(|place| form.corner(*place)).collect();
    let right = corners.iter().zip(&picture.nodes).map(|(&(x, _), item)| x + form.width(item));
    let head = head(picture, LEFT + right.fold(0.0, f64::max));
    let panel = panel(picture);
    let low = corners.iter().map(|&(_, y)| y + form.box_height).fold(panel.height, f64::max);
    let (width, height) = (head.width, head.height + low + MARGIN);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
         viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"12\">\n\
         {}\n<rect width=\"100%\" height=\"100%\" class=\"paper\" fill=\"#f6f7f9\"/>\n{}\
         <g transform=\"translate({MARGIN} {:.0})\">\n{}</g>\n<g transform=\"translate({LEFT} {:.0})\">\n",
        [board::STYLE, &dark()].concat(),
        head.svg,
        head.height,
        panel.svg,
        head.height
    );
    let edges = picture.nodes.iter().zip(&corners).flat_map(|(item, &from)| {
        item.children.iter().map(move |&child| (from, child, picture.nodes[child].principal))
    });
    let mut edges: Vec<_> = edges.collect();
    // The principal variation is drawn above the other lines.
    edges.sort_by_key(|&(_, _, principal)| principal);
    for (from, child, _) in edges {
        form.edge(&mut svg, from, corners[child], &picture.nodes[child]);
    }
    for (item, &corner) in picture.nodes.iter().zip(&corners) {
        form.node(&mut svg, corner, item);
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// A drawing and its size.
struct Drawn {
    svg: String,
    width: f64,
    height: f64,
}

/// The width of `text` in letters of this size.
fn text_width(text: &str, size: f64) -> f64 {
    text.chars().count() as f64 * LETTER * size
}

/// Writes lines of `text` below each other, each at most `width` wide; returns the position of the next line.
fn write_lines(
    svg: &mut String,
    text: &str,
    (x, mut y): (f64, f64),
    width: f64,
    size: f64,
    look: &str,
) -> f64 {
    for line in
        textwrap::wrap(text, (width / (LETTER * size)) as usize).iter().filter(|line| !line.is_empty())
    {
        let _ =
            writeln!(svg, "<text x=\"{x}\" y=\"{y:.1}\" font-size=\"{size}\" {look}>{}</text>", escape(line));
        y += 1.35 * size;
    }
    y
}

/// Draws title, position and explanation above a drawing of this width.
fn head(picture: &Picture, width: f64) -> Drawn {
    let fen = picture.root.fen();
    let (title, small) = (17.0, 11.0);
    let widest = text_width(&picture.title, title).max(text_width(&fen, small));
    let width = (width + MARGIN).max(widest + 2.0 * MARGIN);
    let room = width - 2.0 * MARGIN;
    let mut svg = String::new();
    let bold = format!("font-weight=\"bold\" fill=\"{INK}\"");
    let y = write_lines(&mut svg, &picture.title, (MARGIN, 30.0), room, title, &bold);
    let mono = format!("font-family=\"DejaVu Sans Mono, monospace\" fill=\"{FAINT}\"");
    let y = write_lines(&mut svg, &fen, (MARGIN, y - 3.0), room, small, &mono);
    let faint = format!("fill=\"{FAINT}\"");
    let y = write_lines(&mut svg, &picture.explanation, (MARGIN, y + 2.0), room, small, &faint);
    let shortfall = picture.shortfall().unwrap_or_default();
    let warning = format!("font-weight=\"bold\" fill=\"{WARNING}\"");
    let y = write_lines(&mut svg, &shortfall, (MARGIN, y), room, small, &warning);
    Drawn { svg, width, height: y + 4.0 }
}

/// Draws the root position, and the legend below it.
fn panel(picture: &Picture) -> Drawn {
    let scale = PANEL / f64::from(board::SIZE);
    let (symbols, board) =
        (board::symbols_of(&picture.root), board::inside(&picture.root, &board::BoardView::default()));
    let mut svg = format!("{symbols}<g transform=\"scale({scale:.4})\" font-size=\"13\">{board}</g>\n");
    let mut y = PANEL + 14.0;
    let sample =
        Form { places: Vec::new(), step: 0.0, row: 0.0, box_width: 70.0, box_height: 20.0, beside: true };
    for sign in legend::of(picture) {
        match sign.sample {
            SignStyle::Node(item) => sample.node(&mut svg, (0.0, y), &item),
            SignStyle::Tag(mark, text) => tag(&mut svg, (0.0, y + 4.0), mark, text),
            SignStyle::Text(text) => small(&mut svg, (0.0, y + 14.0), 12.0, INK, text),
        }
        let look = format!("fill=\"{FAINT}\"");
        let end = write_lines(&mut svg, sign.meaning, (MEANING, y + 13.0), PANEL - MEANING, 10.0, &look);
        y = (end - 6.0).max(y + 22.0) + 2.0;
    }
    Drawn { svg, width: PANEL, height: y }
}

/// A coloured label.
fn tag(svg: &mut String, (x, y): (f64, f64), mark: Mark, text: &str) {
    let (wide, colour) = (tag_width(text), colour(mark));
    let _ = writeln!(
        svg,
        "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide:.1}\" height=\"13\" rx=\"6.5\" fill=\"{colour}\"/>\
         <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"9\" font-weight=\"normal\" fill=\"#ffffff\" text-anchor=\"middle\">{text}</text>",
        x + wide / 2.0,
        y + 9.6
    );
}

/// The width of a label with `text`, in pixels. An `m` counts twice, since it is the widest letter.
fn tag_width(text: &str) -> f64 {
    4.7 * (text.len() + text.matches('m').count()) as f64 + 10.0
}

/// Small text, never bold.
fn small(svg: &mut String, (x, y): (f64, f64), size: f64, ink: &str, text: &str) {
    let _ = writeln!(
        svg,
        "<text x=\"{x:.1}\" y=\"{y:.1}\" font-size=\"{size}\" font-weight=\"normal\" fill=\"{ink}\">{}</text>",
        escape(text)
    );
}

/// The form of the drawing: the places of the nodes, and sizes in pixels.
struct Form {
    places: Vec<Place>,
    /// The distance between two plies.
    step: f64,
    row: f64,
    box_width: f64,
    box_height: f64,
    /// Whether labels and windows are to the right of the boxes, each of which has its own row.
    beside: bool,
}

impl Form {
    fn of(picture: &Picture) -> Self {
        let shape = picture.shape();
        let places = places(&shape);
        let (box_width, step) = (BOX_WIDTH, BOX_WIDTH + 36.0);
        let columns = places.iter().map(|place| place.column).max().unwrap_or(0) as f64;
        // A box with a tag has room for a window, but not for a depth as well.
        let is_full =
            |item: &Item| !item.tag.is_empty() && item.window.starts_with(|sign: char| sign.is_ascii_digit());
        let beside = columns * step + box_width > WIDEST || picture.nodes.iter().any(is_full);
        if beside {
            let places = indented(&shape);
            return Self { places, step: 24.0, row: 30.0, box_width, box_height: 24.0, beside };
        }
        let windows = picture.nodes.iter().any(|item| !item.window.is_empty());
        let box_height = if windows { 36.0 } else { 24.0 };
        Self { places, step, row: box_height + 10.0, box_width, box_height, beside }
    }

    fn corner(&self, place: Place) -> (f64, f64) {
        (place.column as f64 * self.step, place.row * self.row)
    }

    /// The width of a node with all its labels.
    fn width(&self, item: &Item) -> f64 {
        self.box_width + self.beside(item).last().map_or(6.0, |&(_, _, end)| end)
    }

    /// The labels to the right of a node's box: the kind of each, its start and its end.
    fn beside(&self, item: &Item) -> Vec<(Beside, f64, f64)> {
        let hidden = format!("+{}", item.hidden);
        let parts = [
            (Beside::Tag, !item.tag.is_empty() && self.beside, tag_width(item.tag)),
            (Beside::Window, !item.window.is_empty() && self.beside, text_width(&item.window, 10.0)),
            (Beside::Hidden(hidden.clone()), item.hidden > 0, text_width(&hidden, 10.0)),
        ];
        let mut end = 0.0;
        let there = parts.into_iter().filter(|&(_, is_there, _)| is_there);
        there
            .map(|(part, _, width)| {
                let begin = end + 8.0;
                end = begin + width;
                (part, begin, end)
            })
            .collect()
    }

    fn edge(&self, svg: &mut String, (x1, y1): (f64, f64), (x2, y2): (f64, f64), child: &Item) {
        let style = match (child.principal, child.mark) {
            (true, _) => format!("stroke=\"{PRINCIPAL}\" stroke-width=\"3\""),
            (_, Mark::Pruned) => format!("stroke=\"{LINE}\" stroke-dasharray=\"3 3\""),
            _ => format!("stroke=\"{LINE}\" stroke-width=\"1.3\""),
        };
        let middle = y2 + self.box_height / 2.0;
        let path = if self.beside {
            format!("M{:.1} {:.1}V{middle:.1}H{x2:.1}", x1 + self.step / 2.0, y1 + self.box_height)
        } else {
            let (x1, y1) = (x1 + self.box_width, y1 + self.box_height / 2.0);
            let bend = f64::midpoint(x1, x2);
            format!("M{x1:.1} {y1:.1}C{bend:.1} {y1:.1} {bend:.1} {middle:.1} {x2:.1} {middle:.1}")
        };
        let _ = writeln!(svg, "<path d=\"{path}\" fill=\"none\" {style}/>");
    }

    fn node(&self, svg: &mut String, (x, y): (f64, f64), item: &Item) {
        let (fill, ink) = match (item.mark, item.mover) {
            (Mark::Pruned, _) => ("none", FAINT),
            (_, Color::White) => ("#ffffff", INK),
            (_, Color::Black) => ("#374151", "#ffffff"),
        };
        let border = match item.mark {
            _ if item.principal => format!("stroke=\"{PRINCIPAL}\" stroke-width=\"3\""),
            Mark::Pruned => format!("stroke=\"{LINE}\" stroke-dasharray=\"3 3\""),
            Mark::Searched => format!("stroke=\"{FAINT}\""),
            mark => format!("stroke=\"{}\" stroke-width=\"1.5\"", colour(mark)),
        };
        let weight = if item.principal { " font-weight=\"bold\"" } else { "" };
        let (width, height) = (self.box_width, self.box_height);
        let one_line = self.beside || item.window.is_empty();
        let baseline = y + if one_line { height / 2.0 + 4.0 } else { 16.0 };
        let (left, right) = (x + 8.0, x + width - 8.0);
        let note = if item.note.is_empty() { &item.label } else { &item.note };
        let _ = writeln!(
            svg,
            "<g{weight}><title>{}</title>\
             <rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{width}\" height=\"{height}\" rx=\"5\" fill=\"{fill}\" {border}/>\
             <text x=\"{left:.1}\" y=\"{baseline:.1}\" fill=\"{ink}\">{}</text>\
             <text x=\"{right:.1}\" y=\"{baseline:.1}\" fill=\"{ink}\" text-anchor=\"end\">{}</text>",
            escape(note),
            escape(&item.label),
            escape(&item.value)
        );
        if !self.beside {
            small(svg, (left, y + 29.0), 9.5, ink, &item.window);
        }
        for (part, begin, _) in self.beside(item) {
            let (x, middle) = (x + width + begin, y + height / 2.0);
            match part {
                Beside::Tag => tag(svg, (x, middle - 6.5), item.mark, item.tag),
                Beside::Window => small(svg, (x, middle + 3.5), 10.0, FAINT, &item.window),
                Beside::Hidden(text) => small(svg, (x, middle + 3.5), 10.0, WARNING, &text),
            }
        }
        if !self.beside && !item.tag.is_empty() {
            tag(svg, (x + width + 6.0 - tag_width(item.tag), y + height - 4.0), item.mark, item.tag);
        }
        svg.push_str("</g>\n");
    }
}

/// A label to the right of a node.
enum Beside {
    Tag,
    Window,
    Hidden(String),
}
