//! The table of the games, and the page of a player. They stand behind the games, because they are known
//! last; the script puts them first.

use std::collections::BTreeMap;

use maud::{Markup, html};
use shakmaty::Color;

use super::{player, shown};
use crate::{
    chess::remarks::Judgement,
    pages::frame,
    report::{
        GameRecord, SideRecord,
        player::{Player, in_every_game, side_of},
    },
};

/// Returns the end of a page: the table of its games, if there are several, and the statistics of `player`,
/// or else of the one whose name is in every game.
#[must_use]
pub fn end(games: &[GameRecord], player: Option<&str>) -> String {
    if games.len() < 2 && player.is_none() {
        return String::new();
    }
    let player = player.or_else(|| in_every_game(games)).and_then(|name| Player::of(name, games));
    let name = player.as_ref().map(|player| player.name.as_str());
    let page = html! {
        section #overview data-player=[name] {
            h2 { "Games" }
            div.scroll role="region" aria-label="Table of the games" tabindex="0" { (table(games, name)) }
            @if let Some(player) = &player { (player::page(player)) }
            script.moments type="application/json" { (frame::script_data(&moments(games, name))) }
        }
    };
    page.into_string() + "\n"
}

/// What is said of the mistakes in lists, by their place.
fn moments(games: &[GameRecord], player: Option<&str>) -> BTreeMap<String, String> {
    let own = games.iter().filter_map(|game| Some(game.side(side_of(game, player?)?)));
    let mistakes = own.flat_map(|side| &side.mistakes);
    mistakes
        .map(|mistake| (mistake.place.to_string(), format!("{} {}", mistake.label, mistake.why)))
        .collect()
}

/// The table of the games, seen by the player `name` if there is one.
fn table(games: &[GameRecord], name: Option<&str>) -> Markup {
    let names = if name.is_some() { ["Opponent", "Colour"] } else { ["White", "Black"] };
    html! {
        table.sortable {
            thead {
                tr {
                    @for head in ["Game", "Date", names[0], names[1], "Opening", "Result", "Accuracy", "Mistakes"] {
                        th scope="col" { button type="button" { (head) } }
                    }
                }
            }
            tbody {
                @for game in games {
                    @match name.and_then(|name| side_of(game, name)) {
                        Some(side) => (own_row(game, side)),
                        None => (row(game, name.is_some())),
                    }
                }
            }
        }
    }
}

/// A row that opens its game. `cells` are those between the date and the opening, and those behind it.
fn any_row(game: &GameRecord, side: &str, cells: [Markup; 2], rest: &Markup) -> Markup {
    html! {
        tr data-game=(game.number) data-side=(side) {
            td { a href={ "#game" (game.number) } { (game.number) } }
            td { (game.date) }
            @for cell in cells { (cell) }
            td { (game.opening) }
            (rest)
        }
    }
}

/// The row of a game of the player.
fn own_row(game: &GameRecord, side: Color) -> Markup {
    let (own, other) = (game.side(side), game.side(!side));
    let points = game.points(side);
    let (word, key) = match points {
        Some(1.0) => ("won", 2),
        Some(0.5) => ("drawn", 1),
        Some(_) => ("lost", 0),
        None => ("", -1),
    };
    let names = [html! { td { (named(other)) } }, html! { td { (side.fold_wb("White", "Black")) } }];
    let rest = html! {
        td data-key=(key) { (word) " " (game.result) }
        td { (shown(own.summary.accuracy, 0, "")) }
        td { (mistakes(own)) }
    };
    any_row(game, &side.char().to_string(), names, &rest)
}

/// The row of another game. On the page of a player both names stand in one cell.
fn row(game: &GameRecord, is_foreign: bool) -> Markup {
    let [white, black] = game.sides.each_ref();
    let names = if is_foreign {
        [html! { td { (named(white)) " – " (named(black)) } }, html! { td {} }]
    } else {
        [white, black].map(|side| html! { td { (named(side)) } })
    };
    let accuracy = [white, black].map(|side| shown(side.summary.accuracy, 0, ""));
    let rest = html! {
        td { (game.result) }
        td { (accuracy.join(" : ")) }
        td { (mistakes(white)) " : " (mistakes(black)) }
    };
    any_row(game, "", names, &rest)
}

/// The name with the rating.
fn named(side: &SideRecord) -> String {
    let name = side.name.as_deref().unwrap_or("?");
    side.elo.map_or_else(|| name.to_owned(), |elo| format!("{name} ({elo})"))
}

/// The number of mistakes and blunders.
fn mistakes(side: &SideRecord) -> usize {
    let counted = Judgement::ALL.into_iter().zip(side.summary.faults);
    counted.filter(|(fault, _)| *fault >= Judgement::Mistake).map(|(_, count)| count).sum()
}
