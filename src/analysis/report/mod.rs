//! An analysis as a web page: one file that loads nothing from the internet.
//!
//! The page is written in parts: [`begin`], then [`game`] for each game as soon as it is analysed. The part written so
//! far is always a working page, because style and scripts are at its beginning. Without scripts the page shows the
//! whole analysis; with `page.js` one can step through the games.
//!
//! All text from outside is escaped by `maud`, or is data that the scripts insert as text.

mod chart;
mod moves;
mod nodes;

use std::time::Duration;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;
use shakmaty::{CastlingMode, Color};

use super::{GameReport, Judgement, LINE_LENGTH, Phase, Summary, annotate, clocks, players};
use crate::{
    drawing::{board, page},
    game::openings,
    notation::{self, pawns, san, squares},
    words::counted,
};
use moves::short;
use nodes::Nodes;

/// The data of a game for the script of the page.
#[derive(Serialize)]
struct Data<'d> {
    /// All positions, those of the game first.
    nodes: &'d Nodes,
    /// The number of moves of the game.
    moves: usize,
    /// The evaluation of each position of the game.
    values: Vec<String>,
    /// White's expected score in each, in percent.
    percents: Vec<f64>,
    /// The description of the move before each position.
    words: Vec<Option<String>>,
    /// The best line in each position, as numbers of positions.
    best: &'d [Vec<usize>],
    exercises: Vec<Exercise>,
    chess960: bool,
}

/// A position with a better move to find. Moves are in SAN, and values are for White.
#[derive(Serialize)]
struct Exercise {
    /// The number of the position.
    ply: usize,
    /// The legal moves: squares, promotion piece, SAN.
    legal: Vec<(String, Option<char>, String)>,
    best: String,
    best_value: String,
    played: String,
    played_value: String,
    /// The best other moves, their values, and whether they are about as good as the best; all others are worse.
    others: Vec<(String, String, bool)>,
}

/// Returns the page up to its first game. `how` describes how the games were analysed.
#[must_use]
pub fn begin(how: &str) -> String {
    // `;` begins an element without ending it: the games follow inside it.
    let page = html! {
        (DOCTYPE)
        html lang="en";
        (page::head("Game report", include_str!("page.css"), include_str!("page.js")))
        body;
        (PreEscaped(board::symbols()))
        h1 { "Game report" }
        p.how { (how) }
        nav #games hidden {}
    };
    page.into_string()
}

/// Returns a game, to be appended to the output of [`begin`] and to other games.
#[must_use]
pub fn game(report: &GameReport) -> String {
    let game = annotate::without_ours(&report.game);
    let told = players::told(&game);
    let times = clocks::times(&game).into_iter().zip(&told);
    let times: Vec<_> =
        times.map(|(clock, told)| told.as_ref().and_then(|told| told.time).or(clock)).collect();
    let mut nodes = Nodes::new(&game.start);
    let mut position = game.start.clone();
    for (index, m) in game.moves().into_iter().enumerate() {
        nodes.play(index, &mut position, game.start.ply() + index as u64, m);
    }
    let best = best_lines(report, &mut nodes);
    let list = moves::list(report, &game, &times, &mut nodes, &best);
    let exercises = exercises(report);
    let accuracy = |side| report.summary(side).accuracy;
    let accuracies = Color::ALL
        .map(|side| accuracy(side).map_or_else(|| "–".into(), |percent| format!("{percent:.0} %")))
        .join(" : ");
    let [white, black] = Color::ALL.map(|side| game.player(side));
    let last = report.positions.last().unwrap_or(&game.start);
    let section = html! {
        section.game #{ "game" (report.number) } data-number=(report.number) data-players={ (white) " – " (black) }
            data-result=(game.result) data-accuracy=(accuracies) {
            h2 { (white) " – " (black) " " span.result { (game.result) } }
            p.facts { (facts(report)) }
            @if let Some(cut) = &game.cut { p.facts { "Analysed up to " (cut) "." } }
            @if report.hurried > 0 {
                p.facts { "The analysis was interrupted: " (counted(report.hurried as u64, "position was", "positions were"))
                    " searched only briefly." }
            }
            div.columns {
                div.left {
                    div.board-place { (PreEscaped(board::draw(last))) }
                    div.tools hidden {}
                    (chart::course(report, &told))
                    @if told.iter().flatten().any(|told| told.value.is_some()) {
                        p.facts { "The dashed line is what the players said." }
                    }
                    @if let Some(times) = chart::times(&times) { (times) }
                }
                div.right {
                    div.moves { (list) }
                    (exercise_list(report, &exercises))
                    (table(report, &times))
                }
            }
            script.data type="application/json" {
                (page::script_data(&Data {
                    nodes: &nodes,
                    moves: report.moves.len(),
                    values: values(report),
                    percents: report.percents().iter().map(|percent| (percent * 10.0).round() / 10.0).collect(),
                    words: report.moves.iter().map(super::Judged::words).collect(),
                    best: &best,
                    exercises,
                    chess960: game.start.castling_mode() == CastlingMode::Chess960,
                }))
            }
        }
    };
    section.into_string() + "\n"
}

fn facts(report: &GameReport) -> String {
    let opening =
        openings::of_game(&report.positions).map(|opening| format!("{} {}", opening.eco, opening.name));
    // A tag of question marks is unknown, and so is such a part of a date.
    let known = |name| {
        let value = report.game.tag(name)?.trim_end_matches(".??");
        value.contains(|c| !"?.- ".contains(c)).then(|| value.to_owned())
    };
    let named = || Some([known("ECO")?, known("Opening")?].join(" "));
    let tags = ["Event", "Site", "Date", "Round"].into_iter().filter_map(known);
    tags.chain(named().or(opening)).collect::<Vec<_>>().join(" · ")
}

/// The best line in each position; empty if it is the move played.
fn best_lines(report: &GameReport, nodes: &mut Nodes) -> Vec<Vec<usize>> {
    let positions = report.positions.iter().zip(&report.opinions).enumerate();
    let lines = positions.map(|(ply, (position, opinion))| {
        let played = report.moves.get(ply).and_then(|judged| judged.m);
        if opinion.pv.first() == played.as_ref() {
            return Vec::new();
        }
        let line = &opinion.pv[..opinion.pv.len().min(LINE_LENGTH)];
        nodes.line(ply, position, report.game.start.ply() + ply as u64, line)
    });
    lines.collect()
}

fn values(report: &GameReport) -> Vec<String> {
    let depths = report.opinions.iter().map(|opinion| opinion.depth).enumerate();
    depths
        .map(|(ply, depth)| match depth {
            0 => pawns(report.white_value(ply)),
            depth => format!("{} at depth {depth}", pawns(report.white_value(ply))),
        })
        .collect()
}

fn exercises(report: &GameReport) -> Vec<Exercise> {
    let made = report.exercises.iter().map(|exercise| {
        let ply = exercise.ply;
        let position = &report.positions[ply];
        let legal = position
            .legal_moves()
            .into_iter()
            .map(|m| (squares(position, m), m.promotion().map(shakmaty::Role::char), san(position, m)));
        let others = exercise.others.iter();
        Exercise {
            ply,
            legal: legal.collect(),
            best: san(position, exercise.best),
            best_value: pawns(exercise.best_value),
            played: report.moves[ply].san.clone(),
            played_value: pawns(report.white_value(ply + 1)),
            others: others
                .map(|other| (san(position, other.m), pawns(other.white_value), other.is_good))
                .collect(),
        }
    });
    made.collect()
}

fn exercise_list(report: &GameReport, exercises: &[Exercise]) -> Markup {
    html! {
        @if !exercises.is_empty() {
            h3 { "Find the better move" }
            ol.exercises {
                @for (index, exercise) in exercises.iter().enumerate() {
                    @let judged = &report.moves[exercise.ply];
                    li {
                        button.exercise type="button" data-exercise=(index) disabled {
                            "Move " (judged.number) ", " (notation::side(judged.player)) " to move"
                        }
                        " instead of " (judged.san) " "
                        details {
                            summary { "Answer" }
                            (exercise.best) " (" (exercise.best_value) ") instead of " (exercise.played) " ("
                            (exercise.played_value) "): " (judged.words().unwrap_or_default())
                            @for (other, value, _) in exercise.others.iter().filter(|(_, _, is_good)| *is_good) {
                                "; " (other) " (" (value) ") will do, too"
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The table of accuracies and marks of both sides.
fn table(report: &GameReport, times: &[Option<Duration>]) -> Markup {
    let sides: [Summary; 2] = Color::ALL.map(|side| report.summary(side));
    let row = |name: &str, cells: [String; 2]| {
        html! { tr { th scope="row" { (name) } @for cell in cells { td { (cell) } } } }
    };
    let percent = |share: Option<f64>| share.map_or_else(|| "–".into(), |share| format!("{share:.1} %"));
    let cp = |loss: Option<f64>| loss.map_or_else(|| "–".into(), |loss| format!("{loss:.0} cp"));
    let time = Color::ALL.map(|side| {
        let own = report.moves.iter().zip(times).filter(|(judged, _)| judged.player == side);
        own.filter_map(|(_, time)| *time).fold(Duration::ZERO, Duration::saturating_add)
    });
    html! {
        table {
            tr { td {} @for side in Color::ALL { th scope="col" { (report.game.player(side)) } } }
            (row("Accuracy", sides.map(|side| percent(side.accuracy))))
            @for (index, phase) in Phase::ALL.into_iter().enumerate() {
                @if sides.iter().any(|side| side.phases[index].is_some()) {
                    (row(&format!("in the {}", phase.name()), sides.map(|side| percent(side.phases[index]))))
                }
            }
            (row("Average loss", sides.map(|side| cp(side.average_loss))))
            @for (index, fault) in Judgement::ALL.into_iter().enumerate() {
                (row(&format!("{} {}", plural(fault), fault.sign()), sides.map(|side| side.faults[index].to_string())))
            }
            (row("Moves", sides.map(|side| side.moves.to_string())))
            @if time.iter().any(|time| !time.is_zero()) { (row("Time", time.map(short))) }
        }
    }
}

const fn plural(fault: Judgement) -> &'static str {
    match fault {
        Judgement::Inaccuracy => "Inaccuracies",
        Judgement::Mistake => "Mistakes",
        Judgement::Blunder => "Blunders",
    }
}

#[cfg(test)]
mod tests;
