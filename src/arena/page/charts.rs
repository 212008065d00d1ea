//! The charts of a match.

use super::Point;
use crate::{
    arena::{players::tally::Effort, stats::sprt::SprtRun},
    pages::chart::{self, Curve},
};

const COLOURS: [&str; 6] = ["#d97706", "#2563eb", "#15803d", "#c026d3", "#0e7490", "#b91c1c"];

/// The first intervals are wider than all later ones. Those wider than the last one by this factor are not
/// drawn.
const WIDEST: f64 = 4.0;

/// The course of the first pairing: Elo with its 95 % interval, and the sequential test between its bounds.
pub(super) fn course(points: &[Point], sprt: Option<SprtRun>) -> Vec<String> {
    let margin = |[low, _, high]: [f64; 3]| high - low;
    let all = points.iter().filter_map(|point| Some((point.games as f64, point.elo?)));
    let all: Vec<(f64, [f64; 3])> = all.filter(|&(_, elo)| margin(elo).is_finite()).collect();
    let widest = all.last().map_or(0.0, |&(_, elo)| WIDEST * margin(elo));
    let drawn: Vec<_> = all.into_iter().filter(|&(_, elo)| margin(elo) <= widest).collect();
    let elo = Curve {
        name: "Elo ± 95 %".into(),
        colour: COLOURS[0],
        points: drawn.iter().map(|&(games, [_, value, _])| (games, value)).collect(),
        band: drawn.iter().map(|&(_, [low, _, high])| (low, high)).collect(),
    };
    let mut charts = Vec::new();
    if !drawn.is_empty() {
        charts.push(chart::draw("Elo over the games", "games", &[elo]));
    }
    let llr: Vec<(f64, f64)> =
        points.iter().filter_map(|point| Some((point.games as f64, point.llr?))).collect();
    if let (Some(sprt), Some(&(first, _)), Some(&(last, _))) = (sprt, llr.first(), llr.last()) {
        let curve =
            |name: &str, colour, points| Curve { name: name.into(), colour, points, band: Vec::new() };
        let bound = |name, colour, value| curve(name, colour, vec![(first, value), (last, value)]);
        let (lower, upper) = (sprt.test().lower(), sprt.test().upper());
        let lines =
            [curve("LLR", COLOURS[0], llr), bound("H0", COLOURS[5], lower), bound("H1", COLOURS[2], upper)];
        charts.push(chart::draw("LLR between its bounds", "games", &lines));
    }
    charts
}

/// What the players used by the number of the move; only what the games say.
pub(super) fn by_move(players: &[String], efforts: &[Vec<Effort>]) -> Vec<String> {
    let curves = |value: fn(&Effort) -> Option<f64>| {
        let all = players.iter().zip(efforts).zip(COLOURS.into_iter().cycle());
        let curves = all.map(|((name, efforts), colour)| {
            // Moves that only a few games reach have no mean that says something.
            let least = efforts.iter().map(|effort| effort.moves).max().unwrap_or(0).div_ceil(4);
            let known = efforts.iter().enumerate().filter(|(_, effort)| effort.moves >= least);
            let points = known.filter_map(|(index, effort)| Some(((index + 1) as f64, value(effort)?)));
            Curve { name: name.clone(), colour, points: points.collect(), band: Vec::new() }
        });
        curves.collect::<Vec<_>>()
    };
    let charts = [
        ("Median depth in plies", curves(|effort| effort.median_depth().map(f64::from))),
        ("Thousand nodes a second", curves(|effort| effort.nps().map(|nps| nps / 1000.0))),
        ("Seconds a move", curves(Effort::mean_seconds)),
    ];
    let known = charts.into_iter().filter(|(_, curves)| curves.iter().any(|curve| !curve.points.is_empty()));
    known.map(|(title, curves)| chart::draw(title, "number of the move", &curves)).collect()
}
