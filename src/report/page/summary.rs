//! The summary above a game.

use maud::{Markup, html};
use shakmaty::Color;

use super::short;
use crate::{
    chess::{
        notation,
        pgn::opening_names::{self, Opening},
    },
    report::{GameReport, Judged, Reason},
    words::counted,
};

/// How the game ended, its key moments, its opening, and who was in time trouble. Moves open their position.
/// `listed` is the opening by the list, and how many moves lead to it.
pub(super) fn summary(report: &GameReport, listed: Option<(Opening, usize)>) -> Markup {
    let open = |position: usize, text: &str| {
        html! { a href={ "#game" (report.number) "." (position) } { (text) } }
    };
    let left = listed.as_ref().and_then(|(_, moves)| Some((*moves, report.moves.get(*moves)?)));
    let opening = opening_names::title(&report.game, listed);
    let trouble = Color::ALL.map(|side| (notation::side(side), report.time_trouble(side)));
    let moments = report.key_moments();
    html! {
        p.summary {
            (report.ending()) ". "
            @if let Some(opening) = opening {
                (opening)
                @if let Some((moves, judged)) = left.filter(|(moves, _)| *moves > 0) {
                    ", left with " (open(moves + 1, &judged.label()))
                }
                ". "
            }
            @for (side, trouble) in trouble {
                @if let Some(trouble) = trouble {
                    (side) " had less than " (short(trouble.below.as_secs_f64())) " from "
                    (open(trouble.from, &format!("move {}", report.moves[trouble.from - 1].number)))
                    " on: " (counted(trouble.mistakes as u64, "mistake", "mistakes")) ". "
                }
            }
            @for (index, ply) in moments.iter().copied().enumerate() {
                @if index == 0 { "Key moments: " } @else { "; " }
                (open(ply + 1, &report.moves[ply].label())) (why(&report.moves[ply]))
            }
            @if !moments.is_empty() { "." }
        }
    }
}

/// ` loses the knight on f6`
fn why(judged: &Judged) -> String {
    judged.reason.as_ref().map(|reason| format!(" {}", Reason::short(reason))).unwrap_or_default()
}
