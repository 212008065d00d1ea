//! The list of moves on the page, with remarks of annotators and of the search.

use std::time::Duration;

use maud::{Markup, html};

use super::nodes::{Nodes, move_number};
use crate::{
    analysis::{GameReport, Judged, Judgement, annotate::without_commands, players},
    game::{Annotated, Game, Movetext, Remark, sign},
    notation::pawns,
    position::Position,
};

/// Returns the list. Its variations are played out into `nodes`, which has the positions of the game. `game` is the
/// game without the results of an earlier analysis.
pub(super) fn list(
    report: &GameReport,
    game: &Game,
    times: &[Option<Duration>],
    nodes: &mut Nodes,
    best: &[Vec<usize>],
) -> Markup {
    let start = game.start.ply();
    let moves = game.movetext.moves.iter().zip(&report.moves).enumerate();
    // After a remark in between, Black's move shows its number too.
    let mut interrupted = true;
    let lines = moves
        .map(|(index, (annotated, judged))| {
            let ply = start + index as u64;
            let mut said = said(annotated, &report.positions[index], index, ply, nodes);
            if judged.judgement.is_some() {
                said.push(better(judged, &best[index], nodes));
            }
            let numbered = std::mem::replace(&mut interrupted, !said.is_empty()) || ply.is_multiple_of(2);
            html! {
                span.pair {
                    @if numbered { span.number { (move_number(ply)) } " " }
                    button.move.(judged.judgement.map_or("", Judgement::word)) type="button" data-n=(index + 1) tabindex="-1" {
                        (judged.san) (signs(annotated))
                        @if let Some(fault) = judged.judgement { span.ours { (fault.sign()) } }
                        small { (pawns(judged.white_value)) @if let Some(time) = times[index] { " " (short(time)) } }
                    }
                }
                " "
                @if !said.is_empty() { div.said { @for one in said { (one) } } }
            }
        })
        .collect::<Vec<_>>();
    html! {
        @for remark in &game.movetext.before {
            @if let Remark::Comment(text) = remark { p.comment { (plain(text)) } }
        }
        @for line in lines { (line) }
        span.result { (game.result) }
    }
}

/// Formats the result of the search for a bad move.
fn better(judged: &Judged, line: &[usize], nodes: &Nodes) -> Markup {
    html! {
        p.verdict.(judged.judgement.map_or("", Judgement::word)) {
            (judged.words().unwrap_or_default()) "; better: "
            @for &node in line {
                @let label = in_line(nodes.label(node), line.first() == Some(&node));
                button.move type="button" data-n=(node) tabindex="-1" { (label) } " "
            }
        }
    }
}

/// The label of a move of a line, without a number that the move before already shows.
fn in_line(label: &str, is_first: bool) -> &str {
    match label.split_once("... ") {
        Some((_, san)) if !is_first => san,
        _ => label,
    }
}

/// Formats comments and variations on a move; `position`, with the number `parent`, is the position before it.
fn said(
    annotated: &Annotated,
    position: &Position,
    parent: usize,
    ply: u64,
    nodes: &mut Nodes,
) -> Vec<Markup> {
    let mut all = Vec::new();
    for remark in &annotated.remarks {
        match remark {
            Remark::Comment(text) if !plain(text).is_empty() => {
                all.push(html! { span.comment { (plain(text)) } " " });
            }
            Remark::Variation(line) => {
                let inside = variation(line, &mut position.clone(), parent, ply, nodes);
                all.push(html! { span.variation { "(" (inside) ")" } " " });
            }
            _ => {}
        }
    }
    all
}

/// Formats a variation. (Games that can be read have at most 100 nested ones.)
fn variation(
    line: &Movetext,
    position: &mut Position,
    mut parent: usize,
    ply: u64,
    nodes: &mut Nodes,
) -> Markup {
    let mut moves = Vec::new();
    for (annotated, ply) in line.moves.iter().zip(ply..) {
        let before = position.clone();
        let node = nodes.play(parent, position, ply, annotated.m);
        let label = nodes.label(node).to_owned();
        let text = in_line(&label, moves.is_empty());
        let said = said(annotated, &before, parent, ply, nodes);
        moves.push(html! {
            button.move type="button" data-n=(node) tabindex="-1" { (text) (signs(annotated)) } " "
            @for one in said { (one) }
        });
        parent = node;
    }
    html! {
        @for remark in &line.before {
            @if let Remark::Comment(text) = remark { span.comment { (plain(text)) } " " }
        }
        @for one in moves { (one) }
    }
}

/// The usual signs of the glyphs.
fn signs(annotated: &Annotated) -> String {
    annotated.glyphs().filter_map(sign).collect()
}

/// Returns a comment without commands to programs (`[%clk …]`, `[%csl …]`), and without the numbers of a playing engine, which
/// the charts show.
fn plain(comment: &str) -> String {
    let told = players::read(comment).map(|told| told.words);
    told.unwrap_or_else(|| without_commands(comment, "[%", |rest| rest).trim().to_owned())
}

/// `4.2s`, `58s`, `2:05`, `1:02:05`
pub(super) fn short(time: Duration) -> String {
    let seconds = time.as_secs();
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    match seconds {
        0..10 => format!("{:.1}s", time.as_secs_f64()),
        10..60 => format!("{seconds}s"),
        60..3600 => format!("{minutes}:{:02}", seconds % 60),
        _ => format!("{hours}:{:02}:{:02}", minutes % 60, seconds % 60),
    }
}
