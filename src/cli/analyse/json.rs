//! The analysis of a game as JSON.

use std::path::Path;

use serde_json::{Value, json};
use shakmaty::Color;
use zugwerk::{
    analysis::{GameReport, Judged, Judgement, Summary},
    notation,
    value::Score,
};

/// A game with its analysis: values for White, in centipawns or moves to mate.
pub(super) fn game(report: &GameReport, path: &Path) -> Value {
    let sides = Color::ALL.map(|color| side(report, color));
    json!({
        "game": report.number, "file": path.to_string_lossy(), "result": report.game.result,
        "complete": report.hurried == 0, "faults": report.game.faults,
        "sides": sides, "moves": report.moves.iter().map(judged).collect::<Vec<_>>(),
    })
}

fn judged(judged: &Judged) -> Value {
    let (cp, mate) = match Score::from(judged.white_value) {
        Score::Cp(cp) => (Some(cp), None),
        Score::Mate(moves) => (None, Some(moves)),
    };
    json!({
        "number": judged.number,
        "side": notation::side(judged.player),
        "san": judged.san,
        "cp": cp,
        "mate": mate,
        "depth": judged.depth,
        "chances_lost": judged.chances_lost,
        "accuracy": judged.accuracy,
        "mark": judged.judgement.map(Judgement::word),
        "words": judged.words(),
    })
}

fn side(report: &GameReport, side: Color) -> Value {
    let Summary { moves, average_loss, accuracy, faults, .. } = report.summary(side);
    let [inaccuracies, mistakes, blunders] = faults;
    json!({
        "side": notation::side(side), "name": report.game.player(side), "moves": moves,
        "accuracy": accuracy, "average_loss_cp": average_loss,
        "inaccuracies": inaccuracies, "mistakes": mistakes, "blunders": blunders,
    })
}
