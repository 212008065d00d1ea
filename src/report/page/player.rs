//! The statistics of a player on the page. Every count is a button that lists the positions behind it.

use maud::{Markup, PreEscaped, html};

use super::shown;
use crate::{
    pages::chart::{self, Curve},
    report::{
        Place,
        player::{Mistakes, Player, Results},
    },
    words::counted,
};

/// From so many games on the course is drawn as a mean of some.
const MANY: usize = 20;
/// The games of such a mean.
const MEAN: usize = 10;

/// The statistics of `player`.
pub(super) fn page(player: &Player) -> Markup {
    let Player { by_colour, by_opening, by_rating, by_theme, by_phase, by_clock, .. } = player;
    html! {
        h2 { (player.name) }
        (weaknesses(player))
        p {
            "Games that stood won and were not won: " (figure(&player.not_won, "won, but not won"))
            ". Games that stood lost and were not lost: " (figure(&player.saved, "lost, but saved")) "."
        }
        div.figures {
            div { (results("Points by colour", &[by_colour, std::slice::from_ref(&player.total)].concat())) }
            div { (results("Points by opening", by_opening)) }
            div { (results("Points by the opponent’s rating", by_rating)) }
            div { (mistakes("Mistakes by kind", by_theme)) }
            div { (mistakes("Mistakes by phase", by_phase)) }
            div { (mistakes("Mistakes by the time left", by_clock)) }
            @for chart in charts(&player.course) { figure.figure { (PreEscaped(chart)) } }
        }
        p.facts {
            "%: points in percent. Acc.: mean accuracy of the games. cp: average loss of a move, in centipawns. "
            "Mistakes are those marked ? and ??. The time left is that on the clock after the move. A game stood won "
            "from an expected score over 75 % on, and lost below 25 %."
        }
    }
}

/// The weaknesses to work on, each with its positions and exercises.
fn weaknesses(player: &Player) -> Markup {
    html! {
        @if !player.weaknesses.is_empty() {
            h3 { (["One thing", "Two things", "Three things"][player.weaknesses.len().min(3) - 1]) " to work on" }
            ol.things {
                @for weakness in &player.weaknesses {
                    li {
                        (weakness.name) ": " (figure(&weakness.places, &weakness.name)) " "
                        (if weakness.places.len() == 1 { "position" } else { "positions" }) ". "
                        @if !weakness.exercises.is_empty() {
                            button.solve type="button" data-at=(written(&weakness.exercises)) {
                                "Solve " (counted(weakness.exercises.len() as u64, "exercise", "exercises"))
                            }
                        }
                    }
                }
            }
        }
    }
}

/// A table of games by what they have in common.
fn results(title: &str, rows: &[Results]) -> Markup {
    html! {
        @if !rows.is_empty() {
            h3 { (title) }
            table {
                tr { td {} @for head in ["Games", "+", "=", "−", "%", "Acc.", "cp"] { th scope="col" { (head) } } }
                @for row in rows {
                    tr {
                        th scope="row" { (row.name) }
                        @for (places, what) in [(&row.games, "all"), (&row.won, "won"), (&row.drawn, "drawn"), (&row.lost, "lost")] {
                            td { (figure(places, &format!("{}, {what}", row.name))) }
                        }
                        td { (points(row)) }
                        td { (shown(row.accuracy, 1, "")) }
                        td { (shown(row.average_loss, 0, "")) }
                    }
                }
            }
        }
    }
}

/// The points in percent.
fn points(row: &Results) -> String {
    let (points, games) = row.points();
    shown((games > 0).then(|| 100.0 * points / games as f64), 0, "")
}

/// A table of mistakes by what they have in common.
fn mistakes(title: &str, rows: &[Mistakes]) -> Markup {
    let has_moves = rows.iter().any(|row| row.moves.is_some());
    html! {
        @if !rows.is_empty() {
            h3 { (title) }
            table {
                tr {
                    td {}
                    th scope="col" { "Mistakes" }
                    th scope="col" { "Missed chances" }
                    @if has_moves { th scope="col" { "In 100 moves" } }
                }
                @for row in rows {
                    tr {
                        th scope="row" { (row.name) }
                        td { (figure(&row.places, row.name)) }
                        td { (figure(&row.missed, &format!("{}, missed chances", row.name))) }
                        @if has_moves { td { (shown(row.rate(), 1, "")) } }
                    }
                }
            }
        }
    }
}

/// A number that lists what is behind it. `title` heads the list.
fn figure(places: &[Place], title: &str) -> Markup {
    html! {
        @if places.is_empty() { "0" } @else {
            button.places type="button" data-at=(written(places)) aria-label={ (places.len()) ": " (title) } { (places.len()) }
        }
    }
}

fn written(places: &[Place]) -> String {
    places.iter().map(Place::to_string).collect::<Vec<_>>().join(" ")
}

/// Accuracy and average loss over the games. Of many games it is the mean of the last ten.
fn charts(course: &[(usize, f64, f64)]) -> Vec<String> {
    let span = if course.len() > MANY { MEAN } else { 1 };
    if course.len() < 2 {
        return Vec::new();
    }
    let drawn = |title: &str, colour, value: fn(&(usize, f64, f64)) -> f64| {
        let means = course.windows(span).enumerate().map(|(index, games)| {
            ((index + span) as f64, games.iter().map(value).sum::<f64>() / span as f64)
        });
        let name = if span == 1 { String::new() } else { format!("mean of {span} games") };
        let curve = Curve { name, colour, points: means.collect(), band: Vec::new() };
        chart::draw(title, "games", &[curve])
    };
    vec![
        drawn("Accuracy, in percent", "#d97706", |game| game.1),
        drawn("Average loss, in centipawns", "#2563eb", |game| game.2),
    ]
}
