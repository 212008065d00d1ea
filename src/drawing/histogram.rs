//! Histograms as SVG: a bar for each class, divided into parts.

use std::fmt::Write as _;

use super::svg::escape;

/// One class.
#[derive(Clone, Debug, PartialEq)]
pub struct Bar {
    /// Its label.
    pub label: String,
    /// The counts of its parts, from left to right.
    pub parts: Vec<u64>,
}

/// Bars with a heading.
#[derive(Clone, Debug, PartialEq)]
pub struct Histogram {
    /// The heading.
    pub title: String,
    /// The names of the parts; empty if there is only one.
    pub parts: Vec<&'static str>,
    /// The bars, from top to bottom.
    pub bars: Vec<Bar>,
}

const LABELS: f64 = 150.0;
const WIDTH: f64 = 560.0;
const NUMBERS: f64 = 130.0;
const ROW: f64 = 18.0;
const HEADING: f64 = 46.0;
/// White, grey and black, the colours of results; the frame makes white visible.
const COLOURS: [&str; 3] = ["#f3f4f6", "#9ca3af", "#374151"];

/// Draws histograms below each other; the result is a complete SVG file.
#[must_use]
pub fn draw(histograms: &[Histogram]) -> String {
    let height = |it: &Histogram| HEADING + ROW * it.bars.len() as f64;
    let total: f64 = histograms.iter().map(height).sum();
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {:.0} {:.0}\" font-family=\"sans-serif\" font-size=\"12\" fill=\"#1f2937\">",
        LABELS + WIDTH + NUMBERS,
        total + ROW
    );
    let mut top = 0.0;
    for histogram in histograms {
        draw_one(&mut svg, histogram, top);
        top += height(histogram);
    }
    svg + "</svg>\n"
}

fn draw_one(svg: &mut String, histogram: &Histogram, top: f64) {
    let count = |bar: &Bar| bar.parts.iter().sum::<u64>();
    let most = histogram.bars.iter().map(count).max().unwrap_or(0).max(1);
    let all = histogram.bars.iter().map(count).sum::<u64>().max(1);
    let (line, title) = (top + 26.0, escape(&histogram.title));
    let _ = write!(svg, "<text x=\"{LABELS}\" y=\"{line:.0}\" font-weight=\"bold\">{title}</text>");
    for (index, name) in histogram.parts.iter().enumerate() {
        let x = LABELS + WIDTH - 90.0 * (histogram.parts.len() - index) as f64;
        let (y, colour, right) = (top + 16.0, COLOURS[index % COLOURS.len()], x + 17.0);
        let _ = write!(
            svg,
            "<rect x=\"{x}\" y=\"{y:.0}\" width=\"11\" height=\"11\" fill=\"{colour}\" stroke=\"#6b7280\"/>\
             <text x=\"{right}\" y=\"{line:.0}\">{name}</text>"
        );
    }
    for (index, bar) in histogram.bars.iter().enumerate() {
        let y = top + HEADING - 8.0 + ROW * index as f64;
        let (text, right, label) = (y + 12.0, LABELS - 8.0, escape(&bar.label));
        let _ = write!(svg, "<text x=\"{right}\" y=\"{text}\" text-anchor=\"end\">{label}</text>");
        let mut x = LABELS;
        for (part, &size) in bar.parts.iter().enumerate().filter(|(_, size)| **size > 0) {
            let width = WIDTH * size as f64 / most as f64;
            let colour = if bar.parts.len() == 1 { COLOURS[1] } else { COLOURS[part % COLOURS.len()] };
            let _ = write!(
                svg,
                "<rect x=\"{x:.1}\" y=\"{y}\" width=\"{width:.1}\" height=\"{}\" fill=\"{colour}\" stroke=\"#6b7280\" stroke-width=\"0.5\"/>",
                ROW - 4.0
            );
            x += width;
        }
        let share = 100.0 * count(bar) as f64 / all as f64;
        let _ = write!(svg, "<text x=\"{:.1}\" y=\"{text}\">{} ({share:.1} %)</text>", x + 6.0, count(bar));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bar_is_there_with_its_parts_to_scale() {
        let bar = |label: &str, parts| Bar { label: label.to_owned(), parts };
        let bars = vec![bar("<0", vec![1, 2, 1]), bar("0", vec![4, 0, 4])];
        let histogram = Histogram { title: "scores".to_owned(), parts: vec!["won", "drawn", "lost"], bars };
        let svg = draw(&[histogram.clone(), Histogram { bars: Vec::new(), ..histogram }]);
        assert!(svg.contains("&lt;0") && svg.contains("4 (33.3 %)") && svg.contains("8 (66.7 %)"), "{svg}");
        assert_eq!(svg.matches("<rect").count(), 6 + 5, "three parts named twice, five that are not empty");
        assert_eq!(svg.matches("width=\"280.0\"").count(), 2, "half of the longest bar each");
    }
}
