//! Curves over a common axis as SVG: the losses of a training by round.

use std::fmt::Write as _;

use super::frame::escape;

const WIDTH: f64 = 480.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 70.0;
/// The upper edge below one row of names.
const TOP: f64 = 58.0;
/// The base line of the first row of names.
const FIRST_ROW: f64 = 42.0;
/// The height of a row of names.
const ROW: f64 = 22.0;
const BOTTOM: f64 = 40.0;
/// The distance of the numbers on the left from the lines.
const GAP: f64 = 6.0;
/// The room for a letter or a digit, also where a page shows larger ones.
const LETTER: f64 = 11.0;

/// A curve through points.
#[derive(Clone, Debug, PartialEq)]
pub struct Curve {
    /// Its name.
    pub name: String,
    /// Its colour, as in CSS.
    pub colour: &'static str,
    /// Its points, from left to right.
    pub points: Vec<(f64, f64)>,
    /// The lower and the upper bound of each point, drawn as a band; empty for none.
    pub band: Vec<(f64, f64)>,
}

/// The rectangle between the axes: the values at its edges, and its top.
struct Plane {
    across: (f64, f64),
    up: (f64, f64),
    top: f64,
}

impl Plane {
    const EDGE: f64 = LEFT + WIDTH;

    /// Returns the smallest plane that holds `curves` and their bands.
    fn of(curves: &[Curve], top: f64) -> Self {
        let points = || curves.iter().flat_map(|curve| &curve.points);
        let bands = curves.iter().flat_map(|curve| &curve.band).flat_map(|&(low, high)| [low, high]);
        let across = range(points().map(|point| point.0));
        Self { across, up: range(points().map(|point| point.1).chain(bands)), top }
    }

    fn floor(&self) -> f64 {
        self.top + HEIGHT
    }

    fn x(&self, value: f64) -> f64 {
        LEFT + WIDTH * (value - self.across.0) / (self.across.1 - self.across.0)
    }

    fn y(&self, value: f64) -> f64 {
        self.top + HEIGHT * (self.up.1 - value) / (self.up.1 - self.up.0)
    }

    /// Returns the places of `points`, as SVG writes them.
    fn places(&self, points: impl Iterator<Item = (f64, f64)>) -> Vec<String> {
        points.map(|(across, up)| format!("{:.1} {:.1}", self.x(across), self.y(up))).collect()
    }

    /// Draws the numbers of both axes and a line for each on the left.
    fn axes(&self, across: &str) -> String {
        let (edge, numbers) = (Self::EDGE, LEFT - GAP);
        let lines = ticks(self.up, 0.0).into_iter().map(|value| {
            let y = self.y(value);
            format!(
                "<line x1=\"{LEFT}\" x2=\"{edge}\" y1=\"{y:.1}\" y2=\"{y:.1}\" stroke=\"#e5e7eb\"/>\
                 <text x=\"{numbers}\" y=\"{:.1}\" text-anchor=\"end\" fill=\"#4b5563\">{value}</text>\n",
                y + 4.0
            )
        });
        let below = ticks(self.across, 1.0).into_iter().map(|value| {
            let (x, y) = (self.x(value), self.floor() + 16.0);
            format!("<text x=\"{x:.1}\" y=\"{y}\" text-anchor=\"middle\" fill=\"#4b5563\">{value}</text>\n")
        });
        let (y, across) = (self.floor() + 32.0, escape(across));
        let label =
            format!("<text x=\"{edge}\" y=\"{y}\" text-anchor=\"end\" fill=\"#4b5563\">{across}</text>\n");
        lines.chain(below).chain([label]).collect()
    }

    /// Draws the band, the line and the points of `curve`.
    fn curve(&self, curve: &Curve) -> String {
        let (name, colour) = (escape(&curve.name), curve.colour);
        let places = self.places(curve.points.iter().copied());
        let mut svg = String::new();
        if !curve.band.is_empty() {
            let bounds = || curve.points.iter().zip(&curve.band).map(|(point, band)| (point.0, *band));
            let above = bounds().map(|(across, (_, high))| (across, high));
            let below = bounds().rev().map(|(across, (low, _))| (across, low));
            let around = self.places(above.chain(below)).join(" ");
            let _ = writeln!(svg, "<polygon points=\"{around}\" fill=\"{colour}\" fill-opacity=\".2\"/>");
        }
        let line = places.join(" ");
        let _ = writeln!(
            svg,
            "<polyline points=\"{line}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"/>"
        );
        for (&(across, up), place) in curve.points.iter().zip(&places) {
            let (cx, cy) = place.split_once(' ').expect("two numbers");
            let _ = writeln!(
                svg,
                "<circle cx=\"{cx}\" cy=\"{cy}\" r=\"2.5\" fill=\"{colour}\"><title>{name}, {across}: {}</title></circle>",
                rounded(up)
            );
        }
        svg
    }
}

/// Draws `curves` in one chart; `across` is the label of the horizontal axis, along which something is
/// counted. Without points the axes go
/// from 0 to 1.
#[must_use]
pub fn draw(title: &str, across: &str, curves: &[Curve]) -> String {
    let names = name_places(curves);
    let plane = Plane::of(curves, names.last().map_or(TOP, |&(_, y)| y + TOP - FIRST_ROW));
    // Long numbers make the picture wider: on the left by their length, on the right by half of it.
    let left = (LEFT - GAP - room_of_longest(&ticks(plane.up, 0.0))).min(0.0);
    let right = Plane::EDGE + (room_of_longest(&ticks(plane.across, 1.0)) / 2.0).max(20.0);
    let (title, span, height) = (escape(title), right - left, plane.floor() + BOTTOM);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"{left:.0} 0 {span:.0} {height:.0}\" font-family=\"sans-serif\" \
         font-size=\"12\" role=\"img\" aria-label=\"{title}\">\n\
         <rect x=\"{left:.0}\" width=\"100%\" height=\"100%\" fill=\"white\"/>\n\
         <text x=\"{LEFT}\" y=\"20\" font-size=\"14\" fill=\"#111827\">{title}</text>\n"
    );
    svg += &plane.axes(across);
    for (curve, (x, y)) in curves.iter().zip(names).rev() {
        let (name, colour) = (escape(&curve.name), curve.colour);
        svg += &plane.curve(curve);
        let _ =
            writeln!(svg, "<text x=\"{x:.0}\" y=\"{y:.0}\" class=\"name\" fill=\"{colour}\">{name}</text>");
    }
    svg + "</svg>\n"
}

/// Returns the room for `text`.
fn room(text: &str) -> f64 {
    LETTER * text.chars().count() as f64
}

/// Returns the room for the longest of `numbers`.
fn room_of_longest(numbers: &[f64]) -> f64 {
    numbers.iter().map(|value| room(&value.to_string())).fold(0.0, f64::max)
}

/// The places of the names of the curves: in rows below the title.
fn name_places(curves: &[Curve]) -> Vec<(f64, f64)> {
    let (mut x, mut y) = (LEFT, FIRST_ROW);
    let places = curves.iter().map(|curve| {
        let width = room(&curve.name) + 20.0;
        if x > LEFT && x + width > LEFT + WIDTH {
            (x, y) = (LEFT, y + ROW);
        }
        x += width;
        (x - width, y)
    });
    places.collect()
}

/// Six significant digits.
fn rounded(value: f64) -> f64 {
    format!("{value:.5e}").parse().unwrap_or(value)
}

/// The minimum and the maximum of `values`; always different.
fn range(values: impl Iterator<Item = f64>) -> (f64, f64) {
    let (low, high) = values
        .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), value| (low.min(value), high.max(value)));
    match low < high {
        true => (low, high),
        false if low.is_finite() => (low - 0.5, low + 0.5),
        false => (0.0, 1.0),
    }
}

/// Returns at most ten round numbers from `low` to `high`, at least `least` apart: 1 for what is counted,
/// which has no halves, and 0 for anything else.
fn ticks((low, high): (f64, f64), least: f64) -> Vec<f64> {
    let decade = 10_f64.powf((high - low).log10().floor());
    let count = (high - low) / decade;
    let step = match count {
        ..2.0 => 0.2 * decade,
        ..4.0 => 0.5 * decade,
        _ => decade,
    };
    let step = step.max(least);
    // To avoid output such as 0.30000000000000004.
    let rounded = |value: f64| format!("{value:.9}").parse().unwrap_or(value);
    ((low / step).ceil() as i64..=(high / step).floor() as i64).map(|n| rounded(n as f64 * step)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ticks_are_few_and_round() {
        assert_eq!(ticks((0.0141, 0.0173), 0.0), [0.0145, 0.015, 0.0155, 0.016, 0.0165, 0.017]);
        assert_eq!(ticks((1.0, 20.0), 0.0), [2.0, 4.0, 6.0, 8.0, 10.0, 12.0, 14.0, 16.0, 18.0, 20.0]);
        for (low, high) in [(0.0, 1.0), (-3.0, 7.5), (0.5, 1.5), (1e-6, 4e-6), (1.0, 99.0)] {
            assert!(
                (3..=11).contains(&ticks((low, high), 0.0).len()),
                "{low} to {high}: {:?}",
                ticks((low, high), 0.0)
            );
        }
    }

    #[test]
    fn what_is_counted_has_no_halves() {
        assert_eq!(ticks((1.0, 4.0), 1.0), [1.0, 2.0, 3.0, 4.0]);
        assert_eq!(ticks((0.5, 1.5), 1.0), [1.0]);
    }

    #[test]
    fn every_point_is_inside_and_names_are_escaped() {
        let curve = Curve {
            name: "a < b".into(),
            colour: "#d97706",
            points: vec![(1.0, 0.02), (2.0, 0.018), (3.0, 0.017)],
            band: Vec::new(),
        };
        let svg = draw("losses & more", "round", &[curve]);
        assert!(svg.contains("a &lt; b") && svg.contains("losses &amp; more") && svg.ends_with("</svg>\n"));
        let corners = format!("points=\"{LEFT:.1} {TOP:.1} ");
        assert!(
            svg.contains(&corners)
                && svg.contains(&format!("{:.1} {:.1}\" fill", LEFT + WIDTH, TOP + HEIGHT))
        );
    }

    #[test]
    fn a_band_is_inside_too() {
        let (points, band) = (vec![(1.0, 2.0), (2.0, 3.0)], vec![(0.0, 4.0), (1.0, 9.0)]);
        let svg = draw("Elo", "games", &[Curve { name: "A".into(), colour: "black", points, band }]);
        let corner = format!("{:.1} {TOP:.1} ", LEFT + WIDTH);
        assert!(svg.contains("<polygon") && svg.contains(&corner), "{svg}");
    }

    #[test]
    fn no_name_is_cut_off() {
        let curve =
            |name: &str| Curve { name: name.into(), colour: "black", points: Vec::new(), band: Vec::new() };
        let places = name_places(&["Stockfish 17", "Zugwerk 1.0.0", "Zugwerk 0.9.0", "Berserk"].map(curve));
        let rows: Vec<f64> = places.iter().map(|place| place.1).collect();
        assert_eq!(rows, [FIRST_ROW, FIRST_ROW, FIRST_ROW, FIRST_ROW + ROW], "{places:?}");
        assert_eq!(places[3].0, LEFT);
    }

    #[test]
    fn no_number_is_cut_off() {
        let points = vec![(1.0, 0.001_05), (1000.0, 0.001_25)];
        let svg = draw(
            "Seconds a move",
            "move",
            &[Curve { name: "A".into(), colour: "black", points, band: Vec::new() }],
        );
        assert!(svg.contains(">0.00105</text>") && svg.contains("viewBox=\"-13 0 585 "), "{svg}");
    }

    #[test]
    fn one_point_or_none_is_drawn_too() {
        let curve = |points| Curve { name: "loss".into(), colour: "black", points, band: Vec::new() };
        for points in [vec![], vec![(1.0, 0.5)]] {
            let svg = draw("losses", "round", &[curve(points)]);
            assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");
        }
    }
}
