//! The chart of a game: expected score and time of each move. It scales to any width.

use std::{fmt::Write as _, time::Duration};

use maud::{Markup, html};

use crate::analysis::{GameReport, players::Told, win_percent};

/// Draws White's expected score, also by what the players have `told`, with a slider over it that the script reads.
pub(super) fn course(report: &GameReport, told: &[Option<Told>]) -> Markup {
    let percents = report.percents();
    let last = percents.len() - 1;
    let mut line = String::new();
    for (ply, percent) in percents.iter().enumerate() {
        let _ = write!(line, "{}{ply} {:.1}", if ply == 0 { "M" } else { "L" }, 100.0 - percent);
    }
    let told = told_line(report, told);
    let width = last.max(1);
    let dots = report.moves.iter().enumerate().filter_map(|(ply, judged)| Some((ply + 1, judged.judgement?)));
    html! {
        div.chart {
            svg viewBox={ "0 0 " (width) " 100" } preserveAspectRatio="none" aria-hidden="true" {
                rect.black width=(width) height="100" {}
                path.white d={ (line) "V100H0Z" } {}
                line.middle x1="0" x2=(width) y1="50" y2="50" {}
                path.curve d=(line) {}
                @if !told.is_empty() { path.told d=(told) {} }
            }
            @for (ply, fault) in dots {
                @let (left, top) = (100.0 * ply as f64 / width as f64, 100.0 - percents[ply]);
                span class={ "dot " (fault.word()) } style=(format!("left:{left:.2}%;top:{top:.1}%")) {}
            }
            span.cursor hidden {}
            input type="range" min="0" max=(last) value=(last) aria-label="Position in the game" disabled;
        }
    }
}

/// The line of White's expected score by what the players have `told` of their moves; it is interrupted where they said
/// nothing.
fn told_line(report: &GameReport, told: &[Option<Told>]) -> String {
    let (mut line, mut is_open) = (String::new(), false);
    for (ply, (judged, told)) in report.moves.iter().zip(told).enumerate() {
        let value = told.as_ref().and_then(|told| told.value);
        if let Some(value) = value {
            let percent = win_percent(judged.player.fold_wb(value, -value));
            let _ = write!(line, "{}{} {:.1}", if is_open { "L" } else { "M" }, ply + 1, 100.0 - percent);
        }
        is_open = value.is_some();
    }
    line
}

/// Draws the time of every move as a bar, if any is known.
pub(super) fn times(times: &[Option<Duration>]) -> Option<Markup> {
    let seconds = || times.iter().map(|time| time.map_or(0.0, |time| time.as_secs_f64()));
    let longest = seconds().fold(0.0, f64::max);
    (longest > 0.0).then(|| {
        html! {
            svg.times viewBox={ "0 0 " (times.len()) " 100" } preserveAspectRatio="none" role="img" aria-label="Time of each move" {
                @for (ply, time) in seconds().enumerate() {
                    @let height = 100.0 * time / longest;
                    rect class=(if ply % 2 == 0 { "first" } else { "second" }) x=(ply) width="0.8"
                        y=(format!("{:.1}", 100.0 - height)) height=(format!("{height:.1}")) {}
                }
            }
        }
    })
}
