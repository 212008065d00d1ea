//! An analysis as a web page: one file that loads nothing from the internet.
//!
//! The page is written in parts: [`begin`], then [`game`] for each game as soon as it is analysed, and
//! [`unread`] for each that could not be read; at last [`end`], with the table of the games and the
//! statistics of a player. The part written so far is always a working page, because style and scripts are at
//! its beginning.
//!
//! A game is mostly data: `page.js` builds its board, chart and moves when it is opened. Without scripts the
//! page shows the annotated games as text.
//!
//! All text from outside is escaped by `maud`, or is data that the scripts insert as text.

mod overview;
mod player;
mod summary;

use std::iter;

pub use overview::end;

use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde::Serialize;
use shakmaty::{Color, Move};

use super::{GameReport, LINE_LENGTH, Phase, Summary, Values};
use crate::{
    chess::{
        notation::pawns,
        pgn::{BrokenGame, opening_names},
        position::Position,
        remarks::{Judgement, computer, earlier::without_ours},
        value::{Value, win_percent},
    },
    pages::{
        board, frame,
        lines::written,
        played::{Played, tenths},
    },
    words::counted,
};

/// A game with its analysis for the scripts of the page. Lines are [written](written) as moves with blanks
/// between them, and values are for White.
#[derive(Serialize)]
struct Analysed {
    #[serde(flatten)]
    played: Played,
    /// The value of each position of the game, and its depth; empty after a mate, and without a depth if the
    /// game is over.
    values: Vec<String>,
    depths: Vec<u32>,
    /// White's expected score in each position, in percent.
    percents: Vec<f64>,
    /// The best line in each position; empty if it begins with the move played.
    best: Vec<String>,
    marks: Vec<MarkOfMove>,
    /// The phases of the game after the first, each with its first position.
    phases: Vec<(usize, &'static str)>,
    exercises: Vec<ExerciseData>,
    /// What another program has written of each position: White's expected score in percent, and the value.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    filed: Vec<Option<(f64, String)>>,
}

/// A bad move, or one that is praised.
#[derive(Serialize)]
struct MarkOfMove {
    /// The number of the position after it.
    at: usize,
    fault: &'static str,
    sign: &'static str,
    /// Why it is bad, if that is proved; what is good in a move that is praised.
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<String>,
    /// The line that answers it.
    refutation: String,
}

/// A position with a better move to find.
#[derive(Serialize)]
struct ExerciseData {
    /// The number of the position.
    ply: usize,
    /// The best move, first in the list, then the one played, and all others that the searches have reached.
    moves: Vec<ChoiceData>,
}

/// A move to choose in an exercise.
#[derive(Serialize)]
struct ChoiceData {
    /// The move and the best line after it.
    line: String,
    /// Its value.
    value: String,
    is_good: bool,
}

/// The length of the line that answers a move in an exercise, with the move, in plies.
const REFUTATION: usize = 4;

/// Returns the page up to its first game. `how` describes how the games were analysed.
#[must_use]
pub fn begin(how: &str) -> String {
    // `;` begins an element without ending it: the games follow inside it.
    let page = html! {
        (DOCTYPE)
        html lang="en";
        (frame::head(
            "Game report",
            &[frame::GAME_STYLE, include_str!("page.css")].concat(),
            &[frame::GAME_SCRIPT, include_str!("exercises.js"), include_str!("overview.js"), include_str!("print.js"), include_str!("page.js")].concat(),
        ))
        body;
        (PreEscaped(board::symbols()))
        header {
            h1 { "Game report" }
            nav #games hidden {}
            details.how {
                summary { (how) }
                p {
                    "Each game is analysed from its last position to its first, and what one search has found is kept for the next. "
                    "So a value often stays the same for many moves: the search already saw what was played. "
                    "--effort deep looks further, with ten times the usual number of nodes."
                }
            }
        }
        noscript {
            p {
                "Without JavaScript this page shows its games as text. "
                code { "zugwerk analyse GAMES.pgn --html game-%.html" } " writes one page a game."
            }
        }
        main;
    };
    page.into_string()
}

/// Returns a line about a game that could not be read.
#[must_use]
pub fn unread(file: &str, broken: &BrokenGame) -> String {
    html! { p.unread { "Not read: " (file) ", " (broken) } }.into_string() + "\n"
}

/// Returns a game, to be appended to the output of [`begin`] and to other games.
#[must_use]
pub fn game(report: &GameReport) -> String {
    let game = without_ours(&report.game);
    let played = Played::of(&game);
    let accuracies = Color::ALL.map(|side| shown(report.summary(side).accuracy, 0, " %")).join(" : ");
    let [white, black] = Color::ALL.map(|side| game.player(side));
    let last = report.positions.last().unwrap_or(&game.start);
    let table = table(report, &played.times);
    let listed = opening_names::of_game(&report.positions);
    let exercises = exercises(report);
    let section = html! {
        section.game #{ "game" (report.number) } data-number=(report.number) data-id=(identity(report)) data-players={ (white) " – " (black) }
            data-result=(game.result) data-accuracy=(accuracies) data-exercises=(solvers(report)) {
            h2 { (white) " – " (black) " " span.result { (game.result) } }
            p.facts { @for (index, fact) in facts(report).iter().enumerate() { @if index > 0 { " · " } (linked(fact)) } }
            (summary::summary(report, listed))
            @for fault in &game.faults { p.facts { "Fault in the PGN file: " (fault) } }
            @if report.hurried > 0 {
                p.facts { "The analysis was interrupted: " (counted(report.hurried as u64, "position was", "positions were"))
                    " searched only briefly." }
            }
            noscript { (PreEscaped(board::draw(last))) pre { (report.annotated(Values::Commands).to_pgn()) } }
            (table)
            script.data type="application/json" {
                (frame::script_data(&Analysed {
                    played,
                    values: values(report),
                    depths: report.opinions.iter().map(|opinion| opinion.depth).collect(),
                    percents: report.percents().into_iter().map(tenths).collect(),
                    best: best_lines(report),
                    marks: marks(report),
                    phases: phases(report),
                    exercises,
                    filed: filed(report),
                }))
            }
        }
    };
    section.into_string() + "\n"
}

/// The exercises, each with the side that plays and its position: `w12 b17`.
fn solvers(report: &GameReport) -> String {
    let exercises = report.exercises.iter().map(|exercise| exercise.ply);
    exercises.map(|ply| format!("{}{ply}", report.positions[ply].turn().char())).collect::<Vec<_>>().join(" ")
}

/// What tells the game from others, under which the browser keeps the results of its exercises.
fn identity(report: &GameReport) -> String {
    let last = report.positions.last().map(Position::key).unwrap_or_default();
    format!("{last:x}-{}", report.positions.len())
}

/// A number with decimals and its unit, or a dash.
fn shown(number: Option<f64>, decimals: usize, unit: &str) -> String {
    number.map_or_else(|| "–".into(), |number| format!("{number:.decimals$}{unit}"))
}

/// A fact; an address is a link.
fn linked(fact: &str) -> Markup {
    let is_address = ["https://", "http://"].iter().any(|scheme| fact.starts_with(scheme));
    html! {
        @if is_address { a href=(fact) target="_blank" rel="noopener noreferrer" { (fact) } } @else { (fact) }
    }
}

fn facts(report: &GameReport) -> Vec<String> {
    // A part of a date may be unknown.
    let known = |name: &str| Some(report.game.known_tag(name)?.trim_end_matches(".??").to_owned());
    let round = known("Round").map(|round| format!("Round {round}"));
    ["Event", "Site", "Date"].into_iter().filter_map(known).chain(round).collect()
}

/// The values of the file for each position; none if we have written them.
fn filed(report: &GameReport) -> Vec<Option<(f64, String)>> {
    let is_ours = report.game.tag("Annotator").is_some_and(|names| names.contains("Zugwerk"));
    let values = computer::values(&report.game);
    if is_ours || values.iter().all(Option::is_none) {
        return Vec::new();
    }
    let shown = |value: Option<Value>| value.map(|value| (tenths(win_percent(value)), pawns(value)));
    iter::once(None).chain(values).map(shown).collect()
}

fn best_lines(report: &GameReport) -> Vec<String> {
    let positions = report.positions.iter().zip(&report.opinions).enumerate();
    let lines = positions.map(|(ply, (position, opinion))| {
        let played = report.moves.get(ply).and_then(|judged| judged.m);
        let is_played = opinion.pv.first() == played.as_ref();
        let length = if is_played { 0 } else { opinion.pv.len().min(LINE_LENGTH) };
        written(position, &opinion.pv[..length])
    });
    lines.collect()
}

fn values(report: &GameReport) -> Vec<String> {
    let positions = report.positions.iter().enumerate();
    let shown = |(ply, position): (usize, &Position)| match position.is_checkmate() {
        true => String::new(),
        false => pawns(report.white_value(ply)),
    };
    positions.map(shown).collect()
}

fn marks(report: &GameReport) -> Vec<MarkOfMove> {
    let moves = report.moves.iter().enumerate();
    let marks = moves.filter_map(|(ply, judged)| {
        let at = ply + 1;
        let Some(fault) = judged.judgement else {
            let why = Some(judged.praise.clone()?);
            return Some(MarkOfMove { at, fault: "praise", sign: "!", why, refutation: String::new() });
        };
        Some(MarkOfMove {
            at,
            fault: fault.word(),
            sign: fault.sign(),
            why: judged.reason.as_ref().map(|reason| reason.words.clone()),
            refutation: written(&report.positions[ply + 1], report.refutation(ply)),
        })
    });
    marks.collect()
}

fn phases(report: &GameReport) -> Vec<(usize, &'static str)> {
    let phases = Phase::of_game(&report.positions);
    let pairs = phases.windows(2).enumerate();
    pairs.filter(|(_, pair)| pair[0] != pair[1]).map(|(ply, pair)| (ply + 1, pair[1].name())).collect()
}

fn exercises(report: &GameReport) -> Vec<ExerciseData> {
    let made = report.exercises.iter().map(|exercise| {
        let ply = exercise.ply;
        let position = &report.positions[ply];
        let choice = |line: &[Move], value: String, is_good| ChoiceData {
            line: written(position, &line[..line.len().min(REFUTATION)]),
            value,
            is_good,
        };
        let mut moves = vec![choice(&[exercise.best], pawns(exercise.best_value), true)];
        if let Some(played) = report.moves[ply].m {
            let line = [&[played], report.refutation(ply)].concat();
            moves.push(choice(&line, pawns(report.white_value(ply + 1)), false));
        }
        for other in &exercise.others {
            moves.push(choice(&other.line, pawns(other.white_value), other.is_good));
        }
        ExerciseData { ply, moves }
    });
    made.collect()
}

/// The table of accuracies and marks of both sides. `times` are the seconds of each move.
fn table(report: &GameReport, times: &[Option<f64>]) -> Markup {
    let sides: [Summary; 2] = Color::ALL.map(|side| report.summary(side));
    let row = |name: &str, cells: [String; 2]| {
        html! { tr { th scope="row" { (name) } @for cell in cells { td { (cell) } } } }
    };
    let percent = |share: Option<f64>| shown(share, 1, " %");
    let cp = |loss: Option<f64>| shown(loss, 0, " cp");
    let time = Color::ALL.map(|side| {
        let own = report.moves.iter().zip(times).filter(|(judged, _)| judged.player == side);
        own.filter_map(|(_, time)| *time).sum::<f64>()
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
            @if time.iter().any(|time| *time > 0.0) { (row("Time", time.map(short))) }
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

/// `4.2s`, `58s`, `2:05`, `1:02:05`
fn short(time: f64) -> String {
    let seconds = time as u64;
    let (minutes, hours) = (seconds / 60, seconds / 3600);
    match seconds {
        0..10 => format!("{time:.1}s"),
        10..60 => format!("{seconds}s"),
        60..3600 => format!("{minutes}:{:02}", seconds % 60),
        _ => format!("{hours}:{:02}:{:02}", minutes % 60, seconds % 60),
    }
}

#[cfg(test)]
mod tests;
