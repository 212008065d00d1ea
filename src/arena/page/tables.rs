//! The tables of a match.

use std::collections::{BTreeMap, HashMap};

use maud::{Markup, html};

use super::{Entered, MatchPage, OpeningResults, white_half_points};
use crate::arena::{
    record::report::{MatchReport, PairingReport},
    stats::elo::{Estimate, Trinomial, signed},
};
use crate::words::counted;

/// The number of openings that are listed, those of the most games.
const MOST_OPENINGS: usize = 100;

/// The number of pairings that are listed, those of the most games.
const MOST_PAIRINGS: usize = 100;

/// The number of players of a group up to which the table has their points against each other.
const MOST_CROSSED: usize = 40;

fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

/// The score of the first side, as a share of the points.
fn score(games: &Trinomial) -> String {
    if games.games() == 0 { "–".into() } else { percent(games.points() / games.games() as f64) }
}

/// A row of cells after its head.
fn row(head: &str, cells: &[String]) -> Markup {
    html! { tr { th scope="row" { (head) } @for cell in cells { td { (cell) } } } }
}

fn head(names: &[&str]) -> Markup {
    html! { tr { @for name in names { th scope="col" { (name) } } } }
}

/// The result of each pairing, of White, and of the test.
pub(super) fn results(report: &MatchReport) -> Markup {
    let mut played: Vec<_> = report.pairings.iter().filter(|pairing| pairing.games.games() > 0).collect();
    let left_out = played.len().saturating_sub(MOST_PAIRINGS);
    if left_out > 0 {
        played.sort_by_key(|pairing| std::cmp::Reverse(pairing.games.games()));
    }
    html! {
        @let many = report.players.len() > 2;
        @if many { h2 { "Pairings" } }
        div.results {
            @for pairing in played.into_iter().take(MOST_PAIRINGS) {
                @if many { details { summary { (heading(pairing)) } (result(pairing)) } }
                @else { p.result-line { (heading(pairing)) } (result(pairing)) }
            }
            @if left_out > 0 {
                p.how {
                    (counted(left_out as u64, "more pairing is", "more pairings are"))
                    " left out; the report of the match has all."
                }
            }
            @if let Some(estimate) = &report.white_advantage {
                p {
                    "White: " (report.white) ", " (percent(estimate.score))
                    @if estimate.elo.margin().is_finite() { ", Elo " (estimate.elo) }
                }
            }
            @if let Some(sprt) = &report.sprt { p { (sprt) } }
        }
    }
}

/// The result of a pairing in a line.
fn heading(pairing: &PairingReport) -> Markup {
    let PairingReport { first, second, games, draw_rate, .. } = pairing;
    html! {
        b { (first) " – " (second) ": " (games) } ", " (score(games))
        @if let Some(draws) = draw_rate { ", draws " (percent(*draws)) }
    }
}

/// What stands below the line of a pairing.
fn result(pairing: &PairingReport) -> Markup {
    let pairs = pairing.pentanomial.0;
    let most = pairs.iter().copied().max().unwrap_or(0).max(1);
    let height = |count| format!("height:{:.0}%", 100.0 * count as f64 / most as f64);
    let said =
        |estimate: &Estimate| match estimate.elo.margin().is_finite() || pairs.iter().sum::<u64>() >= 10 {
            true => estimate.to_string(),
            false => "too few pairs for an interval".to_owned(),
        };
    html! {
        @if let Some(estimate) = &pairing.by_pairs { p { "By pairs: " (said(estimate)) } }
        @if let Some(estimate) = &pairing.by_games { p { "By games: " (said(estimate)) } }
        @if pairs.iter().any(|&count| count > 0) {
            table.spread {
                caption { "Pairs by the points of " (pairing.first) }
                (head(&["0", "½", "1", "1½", "2"]))
                tr.bars { @for count in pairs { td { div style=(height(count)) {} } } }
                tr { @for count in pairs { td { (count) } } }
            }
        }
    }
}

/// The ratings, and the points of each player against each other, in a table for each group of players that
/// games connect.
pub(super) fn cross(report: &MatchReport) -> Markup {
    let played = report.pairings.iter().filter(|pairing| pairing.games.games() > 0);
    let results: HashMap<(&str, &str), Trinomial> = played
        .flat_map(|pairing| {
            let Trinomial { wins, draws, losses } = pairing.games;
            let (first, second) = (pairing.first.as_str(), pairing.second.as_str());
            let reversed = Trinomial { wins: losses, draws, losses: wins };
            [((first, second), pairing.games), ((second, first), reversed)]
        })
        .collect();
    let against = |one: &str, two: &str| match results.get(&(one, two)) {
        Some(games) => format!("{} of {}", games.points(), games.games()),
        None if one == two => String::new(),
        None => "–".into(),
    };
    let groups = report.ranking();
    html! {
        @if !groups.is_empty() { h2 { "Cross table" } }
        @if let Some(line) = report.no_common_scale() { p.how { (line) } }
        @for (group, players) in (1..).zip(&groups) {
            @let crossed = if players.len() <= MOST_CROSSED { &players[..] } else { &[] };
            div.wide tabindex="0" {
                table {
                    @if groups.len() > 1 { caption { "Group " (group) } }
                    tr {
                        th scope="col" { "#" } th scope="col" { "Player" } th scope="col" { "Elo" } th scope="col" { "Points" }
                        @for number in 1..=crossed.len() { th scope="col" { (number) } }
                    }
                    @for (number, (player, rating)) in (1..).zip(players) {
                        tr {
                            td { (number) }
                            th scope="row" { (player.name) }
                            td { (signed(rating.elo)) " ± " (format!("{:.1}", rating.margin)) }
                            td { (player.points) " of " (player.games.games()) }
                            @for (other, _) in crossed { td { (against(&player.name, &other.name)) } }
                        }
                    }
                }
            }
        }
    }
}

/// What each player used, its faults and its warnings.
pub(super) fn players(report: &MatchReport) -> Markup {
    let number = |value: Option<f64>, decimals: usize| {
        value.map_or_else(|| "–".to_owned(), |value| format!("{value:.decimals$}"))
    };
    let list = |counts: Vec<String>| if counts.is_empty() { "none".to_owned() } else { counts.join(", ") };
    html! {
        h2 { "Players" }
        div.wide tabindex="0" {
            table {
                (head(&["Player", "Points", "Depth", "Nodes a second", "Seconds a move", "Faults", "Warnings"]))
                @for player in &report.players {
                    @let faults = player.faults.iter().map(|(name, count)| format!("{count} × {name}"));
                    @let quit = player.quit_fault.iter().map(|fault| format!("when it quits, it {fault}"));
                    @let warnings = player.warnings.named().filter(|&(_, count)| count > 0);
                    (row(&player.name, &[
                        format!("{} of {}", player.points, player.games.games()),
                        number(player.median_depth.map(f64::from), 0),
                        number(player.nps, 0),
                        number(player.mean_seconds, 3),
                        list(faults.chain(quit).collect()),
                        list(warnings.map(|(name, count)| format!("{count} × {name}")).collect()),
                    ]))
                }
            }
        }
    }
}

/// The results by opening, those of the most games first.
pub(super) fn openings(all: &BTreeMap<String, OpeningResults>, of_two: bool) -> Markup {
    let mut order: Vec<_> = all.iter().collect();
    order.sort_by_key(|(_, results)| std::cmp::Reverse(results.white.games()));
    let left_out = order.len().saturating_sub(MOST_OPENINGS);
    html! {
        @if !order.is_empty() {
            h2 { "Openings" }
            div.wide tabindex="0" {
                table {
                    (head(if of_two { &["Opening", "Games", "White", "White's score", "First player's score"] } else { &["Opening", "Games", "White", "White's score"] }))
                    @for (name, results) in order.iter().take(MOST_OPENINGS) {
                        @let cells = [results.white.games().to_string(), results.white.to_string(), score(&results.white), score(&results.first)];
                        (row(name, if of_two { &cells } else { &cells[..3] }))
                    }
                }
            }
            @if left_out > 0 { p.how { (left_out) " more openings are left out." } }
        }
    }
}

/// The pairs of the games on the page, the last one first: the first player's result with White and with
/// Black.
pub(super) fn pairs(page: &MatchPage) -> Markup {
    let mut pairs = BTreeMap::<usize, [Option<&Entered>; 2]>::new();
    for entered in &page.games {
        pairs.entry(entered.fixture.number / 2).or_default()[entered.fixture.leg] = Some(entered);
    }
    let points = |entered: &Entered| {
        let white = white_half_points(&entered.game)?;
        Some(if entered.fixture.leg == 0 { white } else { 2 - white })
    };
    let sum = |pair: &[Option<&Entered>; 2]| {
        let [one, two] = pair.map(|entered| entered.and_then(points));
        one.zip(two).map_or_else(|| "–".to_owned(), |(one, two)| ((one + two) as f64 / 2.0).to_string())
    };
    html! {
        @if !pairs.is_empty() {
            h2 { "Pairs" }
            details {
                summary { "Each opening is played twice, with colours reversed; points of the first player" }
                div.wide tabindex="0" {
                    table {
                        (head(&["Round", "Players", "Opening", "White", "Black", "Points"]))
                        @for pair in pairs.values().rev() {
                            @let any = pair[0].or(pair[1]).expect("a pair has a game");
                            @let [first, second] = if any.fixture.leg == 0 { [any.fixture.white, any.fixture.black] } else { [any.fixture.black, any.fixture.white] };
                            tr {
                                td { (any.fixture.round + 1) }
                                td { (page.players[first]) " – " (page.players[second]) }
                                td { (any.opening) }
                                @for entered in pair {
                                    td { @if let Some(entered) = entered { a href={ "#game" (entered.fixture.number + 1) } { (entered.result) } } @else { "–" } }
                                }
                                td { (sum(pair)) }
                            }
                        }
                    }
                }
            }
        }
    }
}

/// The games on the page, the last one first.
pub(super) fn games(page: &MatchPage) -> Markup {
    html! {
        h2 { "Games" }
        p.how { "Click on a round to step through its game. Keys: ← → moves, n p the next and the previous game, f turns the board, Escape the list." }
        div.wide tabindex="0" {
            table #games {
                (head(&["Game", "White", "Black", "Result", "Opening", "Plies", "Ending"]))
                @for entered in page.games.iter().rev() {
                    @let id = format!("game{}", entered.fixture.number + 1);
                    tr data-game=(id) class=[entered.is_fault.then_some("fault")] {
                        th scope="row" { a href={ "#" (id) } { (entered.fixture.round_tag()) } }
                        td { (page.players[entered.fixture.white]) }
                        td { (page.players[entered.fixture.black]) }
                        td { (entered.result) }
                        td { (entered.opening) }
                        td { (entered.plies) }
                        td { (entered.ending) }
                    }
                }
            }
        }
    }
}
