//! An analysis as a web page: one file that asks nobody for anything.

use std::fmt::Write as _;

use shakmaty::{Color, Position as _};

use super::{GameReport, Judged, Judgement};
use crate::{
    drawing::{
        board::{self, Arrow},
        chart::{self, Dot},
        svg::escape,
    },
    notation::{self, numbered, pawns},
    position::destination,
};

const HEAD: &str = include_str!("report_head.html");

/// Boards shown for one game.
const MOMENTS: usize = 8;

const PLAYED: &str = "#dc2626";
const BETTER: &str = "#15803d";

/// The page for `reports`, the games of one file, searched as `how` says.
#[must_use]
pub fn page(reports: &[GameReport], how: &str) -> String {
    let mut html = String::from(HEAD);
    let _ = write!(html, "<h1>Game report</h1><p class=\"how\">{}</p>", escape(how));
    if reports.len() > 1 {
        html.push_str("<table class=\"overview\"><tr><th>#</th><th>White</th><th>Black</th><th>Result</th><th>Accuracy</th><th>Average loss</th></tr>");
        for report in reports {
            let [white, black] = [Color::White, Color::Black].map(|side| report.summary(side));
            let _ = write!(
                html,
                "<tr><td><a href=\"#game{0}\">{0}</a></td><td>{1}</td><td>{2}</td><td>{3}</td>\
                 <td>{4:.1} : {5:.1}</td><td>{6:.0} : {7:.0}</td></tr>",
                report.number,
                escape(player(report, Color::White)),
                escape(player(report, Color::Black)),
                escape(&report.game.result),
                white.accuracy,
                black.accuracy,
                white.average_loss,
                black.average_loss
            );
        }
        html.push_str("</table>");
    }
    for report in reports {
        game(&mut html, report);
    }
    html + "</body>\n</html>\n"
}

fn player(report: &GameReport, side: Color) -> &str {
    report.game.tag(notation::side(side)).unwrap_or("?")
}

fn game(html: &mut String, report: &GameReport) {
    let number = report.number;
    let facts = ["Event", "Site", "Date", "Round"];
    let facts: Vec<&str> =
        facts.iter().filter_map(|name| report.game.tag(name)).filter(|value| !value.contains('?')).collect();
    let _ = write!(
        html,
        "<section id=\"game{number}\"><h2>{} – {} <span class=\"result\">{}</span></h2><p class=\"facts\">{}</p>",
        escape(player(report, Color::White)),
        escape(player(report, Color::Black)),
        escape(&report.game.result),
        escape(&facts.join(" · "))
    );
    summary(html, report);
    html.push_str(&course(report));
    moments(html, report);
    html.push_str("<h3>Moves</h3><p class=\"moves\">");
    for (ply, judged) in report.moves.iter().enumerate() {
        listed(html, judged, ply == 0);
    }
    let _ = write!(html, "{}</p></section>", escape(&report.game.result));
}

fn summary(html: &mut String, report: &GameReport) {
    html.push_str("<table><tr><th></th><th>Accuracy</th><th>Average loss</th><th>?!</th><th>?</th><th>??</th><th>Moves</th></tr>");
    for side in Color::ALL {
        let summary = report.summary(side);
        let [inaccuracies, mistakes, blunders] = summary.faults;
        let _ = write!(
            html,
            "<tr><td>{}</td><td>{:.1} %</td><td>{:.0} cp</td><td>{inaccuracies}</td><td>{mistakes}</td><td>{blunders}</td><td>{}</td></tr>",
            escape(player(report, side)),
            summary.accuracy,
            summary.average_loss,
            summary.moves
        );
    }
    html.push_str("</table>");
}

fn course(report: &GameReport) -> String {
    let percents = report.percents();
    let dots: Vec<Dot> = report
        .moves
        .iter()
        .enumerate()
        .filter_map(|(ply, judged)| {
            let fault = judged.judgement?;
            let colour = colour(fault);
            Some(Dot { ply: ply + 1, colour, title: format!("{} {}", headline(judged), fault.sign()) })
        })
        .collect();
    let start = &report.game.start;
    chart::draw(&percents, &dots, start.chess().fullmoves().get(), start.turn().is_white())
}

fn colour(judgement: Judgement) -> &'static str {
    match judgement {
        Judgement::Inaccuracy => "#eab308",
        Judgement::Mistake => "#f97316",
        Judgement::Blunder => "#dc2626",
    }
}

/// `12. Nf3` or `12... Nf6`.
fn headline(judged: &Judged) -> String {
    format!("{}{} {}", judged.number, judged.player.fold_wb(".", "..."), judged.san)
}

fn moments(html: &mut String, report: &GameReport) {
    let number = report.number;
    let plies = report.critical_moments(MOMENTS);
    if plies.is_empty() {
        return;
    }
    html.push_str("<h3>Critical moments</h3><div class=\"moments\">");
    for ply in plies {
        let (judged, position) = (&report.moves[ply], &report.positions[ply]);
        let turn = position.turn();
        let arrow =
            |m: shakmaty::Move, colour| m.from().map(|from| Arrow { from, to: destination(turn, m), colour });
        let played = judged.m.and_then(|m| arrow(m, PLAYED));
        let better = judged.better.first().and_then(|&m| arrow(m, BETTER));
        let arrows: Vec<Arrow> = played.into_iter().chain(better).collect();
        let sign = judged.judgement.map_or("", Judgement::sign);
        let _ = write!(
            html,
            "<figure id=\"game{number}-{ply}\">{}<figcaption><b class=\"played\">{}{sign}</b> \
             ({} → {})<br>Better: <b class=\"better\">{}</b></figcaption></figure>",
            board::draw(position, turn, &arrows),
            escape(&headline(judged)),
            pawns(report.white_value(ply)),
            pawns(report.white_value(ply + 1)),
            escape(&numbered(position, &judged.better))
        );
    }
    html.push_str("</div>");
}

fn listed(html: &mut String, judged: &Judged, first: bool) {
    if judged.player.is_white() || first {
        let _ = write!(
            html,
            "<span class=\"number\">{}{}</span> ",
            judged.number,
            judged.player.fold_wb(".", "…")
        );
    }
    let class = match judged.judgement {
        None => "",
        Some(Judgement::Inaccuracy) => " class=\"inaccuracy\"",
        Some(Judgement::Mistake) => " class=\"mistake\"",
        Some(Judgement::Blunder) => " class=\"blunder\"",
    };
    let _ = write!(
        html,
        "<span{class} title=\"{} at depth {}\">{}{}</span> <small>{}</small> ",
        pawns(judged.white_value),
        judged.depth,
        escape(&judged.san),
        judged.judgement.map_or("", Judgement::sign),
        pawns(judged.white_value)
    );
}
