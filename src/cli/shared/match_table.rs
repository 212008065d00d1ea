//! The results of a match as text.

use std::fmt::Write as _;

use zugwerk::{
    arena::{
        record::report::{MatchReport, PairingReport, PlayerReport},
        stats::elo::{Estimate, signed},
    },
    words::counted,
};

use crate::cli::shared::table::{fit, table};

/// Formats the whole report.
pub(crate) fn render(report: &MatchReport) -> String {
    let mut text = head(report) + &results(report, &report.pairings);
    text.push('\n');
    text += &rating_rows(report);
    text += &player_rows(&report.players);
    for player in &report.players {
        text += &faults(player);
    }
    fit(&text)
}

/// Formats what the games alone say: the ratings, and with two players their pairing.
pub(crate) fn summary(report: &MatchReport) -> String {
    let pairings = if report.pairings.len() == 1 { &report.pairings[..] } else { &[] };
    fit(&(head(report) + &results(report, pairings) + "\n" + rating_rows(report).trim_end()))
}

/// The results of `pairings`, of White, and of the test.
fn results(report: &MatchReport, pairings: &[PairingReport]) -> String {
    let mut text = String::new();
    for pairing in pairings {
        text.push('\n');
        text += &pairing_block(pairing);
    }
    if let Some(Estimate { score, elo, .. }) = &report.white_advantage {
        let _ = writeln!(text, "\nWhite: {}, {:.1} %, Elo {elo}", report.white, 100.0 * score);
    }
    if let Some(sprt) = &report.sprt {
        text.push('\n');
        let _ = writeln!(text, "{sprt}");
    }
    text
}

/// `1440 of 1440 games, 480 distinct: 960 copies are not counted`, and the games that were abandoned.
fn head(report: &MatchReport) -> String {
    let MatchReport { played, copies, abandoned, .. } = report;
    let mut text = report.progress();
    if *copies > 0 {
        let _ = write!(text, ", {} distinct: {copies} copies are not counted", played - copies);
    }
    text.push('\n');
    if !abandoned.is_empty() {
        let games = counted(abandoned.len() as u64, "game", "games");
        let _ = writeln!(text, "abandoned: {games}, not counted ({})", abandoned.join("; "));
    }
    text
}

fn pairing_block(pairing: &PairingReport) -> String {
    let PairingReport { first, second, games, .. } = pairing;
    let mut text = format!("{first} - {second}: {games} ({}", counted(games.games(), "game", "games"));
    if let (Some(estimate), Some(draws)) = (&pairing.by_games, pairing.draw_rate) {
        let _ = writeln!(text, ", {:.1} %, draws {:.1} %)", 100.0 * estimate.score, 100.0 * draws);
        let _ = writeln!(text, "  games  {estimate}");
    } else {
        text += ")\n";
    }
    if let Some(estimate) = &pairing.by_pairs {
        let _ = writeln!(text, "  pairs  {estimate}");
        let counts = pairing.pentanomial.0.map(|count| count.to_string()).join(", ");
        let _ = writeln!(text, "  pairs by points 0 ½ 1 1½ 2: [{counts}]");
    }
    text
}

/// All players by group and joint rating, the strongest first; empty if there are no ratings.
pub(crate) fn rating_rows(report: &MatchReport) -> String {
    let groups = report.ranking();
    if groups.is_empty() {
        return String::new();
    }
    let rows = (1..).zip(&groups).flat_map(|(number, players)| {
        let group = if groups.len() > 1 { number.to_string() } else { String::new() };
        (1..).zip(players).map(move |(rank, (player, rating))| {
            let (points, games) = (player.points.to_string(), player.games.games().to_string());
            let (elo, margin) = (signed(rating.elo), format!("{:.1}", rating.margin));
            [group.clone(), rank.to_string(), player.name.clone(), elo, margin, points, games]
        })
    });
    let note = report.no_common_scale().map(|note| note + "\n").unwrap_or_default();
    note + &table(["group", "rank", "player", "Elo", "± 95 %", "points", "games"], rows, &[2]) + "\n"
}

fn player_rows(players: &[PlayerReport]) -> String {
    let number = |value: Option<f64>, decimals: usize| {
        value.map_or("-".to_owned(), |value| format!("{value:.decimals$}"))
    };
    let rows = players.iter().map(|player| {
        [
            player.name.clone(),
            player.points.to_string(),
            player.games.games().to_string(),
            number(player.median_depth.map(f64::from), 0),
            number(player.nps, 0),
            number(player.mean_seconds, 4),
        ]
    });
    table(["player", "points", "games", "depth", "nodes/s", "s/move"], rows, &[0])
}

/// The faults and warnings of a player; empty if there are none.
fn faults(player: &PlayerReport) -> String {
    let line = |what: &str, counts: Vec<String>| match counts[..] {
        [] => String::new(),
        _ => format!("{} {what}: {}\n", player.name, counts.join(", ")),
    };
    let faults = player.faults.iter().map(|(name, count)| format!("{count} × {name}"));
    let warnings = player.warnings.named().filter(|&(_, count)| count > 0);
    let warnings = warnings.map(|(name, count)| format!("{count} × {name}"));
    line("faults", faults.collect()) + &line("warnings", warnings.collect())
}

#[cfg(test)]
mod tests {
    use zugwerk::arena::stats::elo::Trinomial;

    use super::*;

    #[test]
    fn copies_and_abandoned_games_are_named() {
        let report = MatchReport {
            played: 1440,
            planned: Some(1442),
            copies: 960,
            abandoned: vec!["7.1 A - B".to_owned(), "7.2 B - A".to_owned()],
            players: Vec::new(),
            groups: 1,
            pairings: Vec::new(),
            white: Trinomial::default(),
            white_advantage: None,
            sprt: None,
        };
        let expected = "1440 of 1442 games, 480 distinct: 960 copies are not counted\n\
                        abandoned: 2 games, not counted (7.1 A - B; 7.2 B - A)\n";
        assert_eq!(head(&report), expected);
        let found = MatchReport { played: 2, planned: None, copies: 0, abandoned: Vec::new(), ..report };
        assert_eq!(head(&found), "2 games\n", "the games of a file have no schedule");
    }
}
