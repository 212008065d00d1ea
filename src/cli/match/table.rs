//! Formats a report as text.

use std::fmt::Write as _;

use zugwerk::stats::elo::{Estimate, Interval};
use zugwerk::stats::sprt::{EloScale, Sprt, SprtRun, Verdict};
use zugwerk::tournament::record::report::{MatchReport, PairingReport, PlayerReport};

use crate::cli::{counted, fit, table};

/// Formats the whole report.
pub(super) fn render(report: &MatchReport) -> String {
    let mut text = head(report);
    for pairing in &report.pairings {
        text.push('\n');
        text += &pairing_block(pairing);
    }
    if let Some(Estimate { score, elo, .. }) = &report.white_advantage {
        let _ = writeln!(text, "\nWhite: {}, {:.1} %, Elo {}", report.white, 100.0 * score, interval(elo));
    }
    if let Some(sprt) = &report.sprt {
        text.push('\n');
        text += &sprt_line(sprt);
    }
    text.push('\n');
    text += &rating_rows(&report.players);
    text += &player_rows(&report.players);
    for player in &report.players {
        text += &faults(player);
    }
    fit(&text)
}

/// `1440 of 1440 games, 480 distinct: 960 copies are not counted`, and the games that were abandoned.
fn head(report: &MatchReport) -> String {
    let MatchReport { played, planned, copies, abandoned, .. } = report;
    let mut text = format!("{played} of {}", counted(*planned, "game", "games"));
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
        let _ = writeln!(text, "  games  {}", estimates(estimate));
    } else {
        text += ")\n";
    }
    if let Some(estimate) = &pairing.by_pairs {
        let _ = writeln!(text, "  pairs  {}", estimates(estimate));
        let counts = pairing.pentanomial.0.map(|count| count.to_string()).join(", ");
        let _ = writeln!(text, "  pairs by points 0 ½ 1 1½ 2: [{counts}]");
    }
    text
}

/// `Elo +12.3 ± 20.1   nElo +15.0 ± 24.0   LOS 88.1 %`.
pub(in crate::cli) fn estimates(estimate: &Estimate) -> String {
    format!(
        "Elo {:17} nElo {:17} LOS {:.1} %",
        interval(&estimate.elo),
        interval(&estimate.normalised),
        100.0 * estimate.superiority
    )
}

/// `+12.3 ± 20.1`, or both bounds if one of them is infinite.
pub(super) fn interval(interval: &Interval) -> String {
    let margin = interval.margin();
    let value = signed(interval.value);
    match margin.is_finite() {
        true => format!("{value} ± {margin:.1}"),
        false => format!("{value} ({} .. {})", signed(interval.low), signed(interval.high)),
    }
}

/// One decimal with a sign; zero is `+0.0`.
fn signed(value: f64) -> String {
    let rounded = (value * 10.0).round() / 10.0;
    format!("{:+.1}", if rounded == 0.0 { 0.0 } else { rounded })
}

/// `SPRT 0 against 5 Elo, …: LLR 1.23 in -2.94 .. 2.94, undecided`.
pub(in crate::cli) fn sprt_line(sprt: &SprtRun) -> String {
    let test = sprt.test();
    let Sprt { elo0, elo1, alpha, beta, model } = test;
    let scale = match model {
        EloScale::Logistic => "Elo",
        EloScale::Normalised => "nElo",
    };
    let verdict = match sprt.verdict() {
        Verdict::Open => "undecided".to_owned(),
        Verdict::H0 => format!("H0 accepted: not {elo1} {scale} stronger"),
        Verdict::H1 => format!("H1 accepted: more than {elo0} {scale} stronger"),
    };
    let (llr, lower, upper) = (sprt.llr(), test.lower(), test.upper());
    format!(
        "SPRT {elo0} against {elo1} {scale}, alpha {alpha}, beta {beta}: LLR {llr:.2} in {lower:.2} .. {upper:.2}, \
         {verdict}\n"
    )
}

/// All players by joint rating, the strongest first; empty if there are no ratings.
pub(super) fn rating_rows(players: &[PlayerReport]) -> String {
    let mut rated: Vec<_> = players.iter().filter_map(|player| Some((player, player.rating?))).collect();
    if rated.is_empty() {
        return String::new();
    }
    rated.sort_by(|(_, one), (_, two)| two.elo.total_cmp(&one.elo));
    let rows = (1..).zip(rated).map(|(rank, (player, rating))| {
        let (points, games) = (player.points.to_string(), player.games.games().to_string());
        let (elo, margin) = (signed(rating.elo), format!("{:.1}", rating.margin));
        [rank.to_string(), player.name.clone(), elo, margin, points, games]
    });
    table(["rank", "player", "Elo", "± 95 %", "points", "games"], rows, &[1]) + "\n"
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
            number(player.mean_depth, 1),
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
    use zugwerk::stats::elo::{Pentanomial, Trinomial};

    use super::*;

    #[test]
    fn estimates_read_as_people_write_them() {
        let games = Trinomial { wins: 10, draws: 10, losses: 5 };
        let text = estimates(&games.estimate().unwrap());
        assert_eq!(text, "Elo +70.4 ± 110.2     nElo +92.9 ± 143.3     LOS 90.2 %");
        let all = Trinomial { wins: 3, ..Trinomial::default() };
        assert!(estimates(&all.estimate().unwrap()).starts_with("Elo +inf ("));
        assert_eq!(signed(-0.04), "+0.0");
    }

    #[test]
    fn copies_and_abandoned_games_are_named() {
        let report = MatchReport {
            played: 1440,
            planned: 1442,
            copies: 960,
            abandoned: vec!["7.1 A - B".to_owned(), "7.2 B - A".to_owned()],
            players: Vec::new(),
            pairings: Vec::new(),
            white: Trinomial::default(),
            white_advantage: None,
            sprt: None,
        };
        let expected = "1440 of 1442 games, 480 distinct: 960 copies are not counted\n\
                        abandoned: 2 games, not counted (7.1 A - B; 7.2 B - A)\n";
        assert_eq!(head(&report), expected);
    }

    #[test]
    fn a_test_says_what_it_found() {
        let line = |pairs| sprt_line(&SprtRun::after(Sprt::default(), Pentanomial(pairs)));
        assert!(line([0, 0, 5, 0, 0]).ends_with("undecided\n"));
        assert!(line([10, 100, 500, 300, 90]).ends_with("H1 accepted: more than 0 Elo stronger\n"));
        assert!(line([90, 300, 500, 100, 10]).ends_with("H0 accepted: not 5 Elo stronger\n"));
    }
}
