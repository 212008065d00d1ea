//! A tree as SVG: boxes from left to right, light for White's moves and dark for Black's.

use std::fmt::Write as _;

use shakmaty::Color;

use super::{
    Item, Picture,
    layout::{Place, places},
    tag,
};
use crate::study::Mark;

const BOX_WIDTH: f64 = 124.0;
const COLUMN: f64 = 178.0;
const MARGIN: f64 = 24.0;
const HEADER: f64 = 132.0;

const INK: &str = "#1f2937";
const FAINT: &str = "#6b7280";
const LINE: &str = "#c3c8d0";
const PRINCIPAL: &str = "#d97706";

/// The colour of a mark's label and frame.
fn colour(mark: Mark) -> &'static str {
    match mark {
        Mark::CutOff => "#dc2626",
        Mark::Remembered => "#2563eb",
        Mark::GameOver => "#7c3aed",
        Mark::Searched | Mark::Pruned => FAINT,
    }
}

/// Escapes `text` for XML.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

/// Draws `picture`; the result is a complete SVG file.
#[must_use]
pub fn draw(picture: &Picture) -> String {
    let places = places(&picture.shape());
    let canvas = Canvas::new(picture, &places);
    let mut svg = canvas.head(picture);
    for (item, place) in picture.nodes.iter().zip(&places) {
        for &child in &item.children {
            canvas.edge(&mut svg, *place, places[child], &picture.nodes[child]);
        }
    }
    for (item, place) in picture.nodes.iter().zip(&places) {
        let (x, y) = canvas.corner(*place);
        canvas.node(&mut svg, x, y, item);
    }
    svg.push_str("</svg>\n");
    svg
}

/// Sizes in pixels.
struct Canvas {
    width: f64,
    height: f64,
    box_height: f64,
    row: f64,
}

impl Canvas {
    fn new(picture: &Picture, places: &[Place]) -> Self {
        let windows = picture.nodes.iter().any(|item| !item.window.is_empty());
        let box_height = if windows { 36.0 } else { 24.0 };
        let row = box_height + 12.0;
        let columns = places.iter().map(|place| place.column).max().unwrap_or(0) as f64;
        let rows = places.iter().map(|place| place.row).fold(0.0, f64::max);
        let hidden = if picture.nodes.iter().any(|item| item.hidden > 0) { 60.0 } else { 0.0 };
        Self {
            width: (2.0 * MARGIN + columns * COLUMN + BOX_WIDTH + hidden).max(980.0),
            height: HEADER + (rows + 1.0) * row + MARGIN,
            box_height,
            row,
        }
    }

    fn corner(&self, place: Place) -> (f64, f64) {
        (MARGIN + place.column as f64 * COLUMN, HEADER + place.row * self.row)
    }

    /// The title, the position and the legend.
    fn head(&self, picture: &Picture) -> String {
        let (width, height) = (self.width, self.height);
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width:.0}\" height=\"{height:.0}\" \
             viewBox=\"0 0 {width:.0} {height:.0}\" font-family=\"DejaVu Sans, Verdana, sans-serif\" font-size=\"12\">\n\
             <rect width=\"100%\" height=\"100%\" fill=\"#f6f7f9\"/>\n"
        );
        let title = escape(&picture.title);
        let fen = escape(&picture.fen);
        let explanation = escape(&picture.explanation);
        let _ = writeln!(
            svg,
            "<text x=\"{MARGIN}\" y=\"30\" font-size=\"17\" font-weight=\"bold\" fill=\"{INK}\">{title}</text>\n\
             <text x=\"{MARGIN}\" y=\"49\" font-family=\"DejaVu Sans Mono, monospace\" font-size=\"11\" fill=\"{FAINT}\">{fen}</text>\n\
             <text x=\"{MARGIN}\" y=\"66\" font-size=\"11\" fill=\"{FAINT}\">{explanation}</text>"
        );
        if let Some(shortfall) = picture.shortfall() {
            let _ = writeln!(
                svg,
                "<text x=\"{MARGIN}\" y=\"120\" font-size=\"11\" font-weight=\"bold\" fill=\"#b91c1c\">{}</text>",
                escape(&shortfall)
            );
        }
        let small = Canvas { box_height: 24.0, row: 24.0, ..*self };
        for (index, item) in legend().iter().enumerate() {
            small.node(&mut svg, MARGIN + index as f64 * (BOX_WIDTH + 10.0), 78.0, item);
        }
        svg
    }

    fn edge(&self, svg: &mut String, from: Place, to: Place, child: &Item) {
        let (x1, y1) = self.corner(from);
        let (x2, y2) = self.corner(to);
        let (x1, y1, y2) = (x1 + BOX_WIDTH, y1 + self.box_height / 2.0, y2 + self.box_height / 2.0);
        let bend = f64::midpoint(x1, x2);
        let style = match (child.principal, child.mark) {
            (true, _) => format!("stroke=\"{PRINCIPAL}\" stroke-width=\"3\""),
            (_, Mark::Pruned) => format!("stroke=\"{LINE}\" stroke-dasharray=\"3 3\""),
            _ => format!("stroke=\"{LINE}\" stroke-width=\"1.3\""),
        };
        let _ = writeln!(
            svg,
            "<path d=\"M{x1:.1} {y1:.1}C{bend:.1} {y1:.1} {bend:.1} {y2:.1} {x2:.1} {y2:.1}\" fill=\"none\" {style}/>"
        );
    }

    fn node(&self, svg: &mut String, x: f64, y: f64, item: &Item) {
        let height = self.box_height;
        let pruned = item.mark == Mark::Pruned;
        let (fill, ink) = match (pruned, item.mover) {
            (true, _) => ("none", FAINT),
            (_, Color::White) => ("#ffffff", INK),
            (_, Color::Black) => ("#374151", "#ffffff"),
        };
        let colour = colour(item.mark);
        let border = match item.mark {
            _ if item.principal => format!("stroke=\"{PRINCIPAL}\" stroke-width=\"3\""),
            Mark::Pruned => format!("stroke=\"{LINE}\" stroke-dasharray=\"3 3\""),
            Mark::Searched => format!("stroke=\"{colour}\""),
            _ => format!("stroke=\"{colour}\" stroke-width=\"1.5\""),
        };
        let weight = if item.principal { " font-weight=\"bold\"" } else { "" };
        let baseline = y + 16.0;
        let (left, right) = (x + 8.0, x + BOX_WIDTH - 8.0);
        let note = if item.note.is_empty() { &item.label } else { &item.note };
        let _ = writeln!(
            svg,
            "<g{weight}><title>{}</title>\
             <rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{BOX_WIDTH}\" height=\"{height}\" rx=\"5\" fill=\"{fill}\" {border}/>\
             <text x=\"{left:.1}\" y=\"{baseline:.1}\" fill=\"{ink}\">{}</text>\
             <text x=\"{right:.1}\" y=\"{baseline:.1}\" fill=\"{ink}\" text-anchor=\"end\">{}</text>",
            escape(note),
            escape(&item.label),
            escape(&item.value)
        );
        if !item.window.is_empty() {
            let _ = writeln!(
                svg,
                "<text x=\"{left:.1}\" y=\"{:.1}\" fill=\"{ink}\" font-size=\"9.5\" font-weight=\"normal\" opacity=\"0.75\">{}</text>",
                y + 29.0,
                escape(&item.window)
            );
        }
        if !item.tag.is_empty() {
            let text = item.tag;
            let wide = 6.0 * text.len() as f64 + 8.0;
            let (x, y) = (x + BOX_WIDTH - wide + 6.0, y + height - 4.0);
            let _ = writeln!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{y:.1}\" width=\"{wide:.1}\" height=\"13\" rx=\"6.5\" fill=\"{colour}\"/>\
                 <text x=\"{:.1}\" y=\"{:.1}\" font-size=\"9\" font-weight=\"normal\" fill=\"#ffffff\" text-anchor=\"middle\">{text}</text>",
                x + wide / 2.0,
                y + 9.6
            );
        }
        if item.hidden > 0 {
            let _ = writeln!(
                svg,
                "<text x=\"{:.1}\" y=\"{:.1}\" font-size=\"10\" font-weight=\"normal\" fill=\"#b91c1c\">+{}</text>",
                x + BOX_WIDTH + 8.0,
                y + height / 2.0 + 4.0,
                item.hidden
            );
        }
        svg.push_str("</g>\n");
    }
}

/// One node of every kind, with its meaning for a label.
pub(super) fn legend() -> Vec<Item> {
    let item = |label: &str, mover, mark, principal, value: &str| Item {
        children: Vec::new(),
        label: label.into(),
        value: value.into(),
        window: String::new(),
        mark,
        tag: tag(mark, ""),
        mover,
        principal,
        hidden: 0,
        note: String::new(),
    };
    vec![
        item("White's move", Color::White, Mark::Searched, false, ""),
        item("Black's move", Color::Black, Mark::Searched, false, ""),
        item("best line", Color::White, Mark::Searched, true, ""),
        item("left early", Color::White, Mark::CutOff, false, "≥ ≤"),
        item("known before", Color::White, Mark::Remembered, false, ""),
        item("mate or draw", Color::White, Mark::GameOver, false, ""),
        item("pruned", Color::White, Mark::Pruned, false, "?"),
    ]
}
