//! The analysis of a game as JSON.

use std::path::Path;

use serde_json::{Value, json};
use shakmaty::Color;
use zugwerk::{
    chess::{
        notation,
        remarks::{
            Judgement,
            engine_notes::{self, EngineNote},
        },
        value::{self, Score},
    },
    report::{GameReport, Judged, Summary},
};

/// A game with its analysis: values for White, in centipawns or moves to mate.
pub(super) fn game(report: &GameReport, path: &Path) -> Value {
    let sides = Color::ALL.map(|color| side(report, color));
    let moves = report
        .moves
        .iter()
        .zip(engine_notes::of_game(&report.game))
        .map(|(judged, reported)| move_of(judged, reported));
    json!({
        "game": report.number, "file": path.to_string_lossy(), "result": report.game.result,
        "complete": report.hurried == 0, "faults": report.game.faults,
        "sides": sides, "moves": moves.collect::<Vec<_>>(),
    })
}

/// A value as centipawns or moves to mate.
fn parts(value: value::Value) -> (Option<i32>, Option<i32>) {
    match value.into() {
        Score::Cp(cp) => (Some(cp), None),
        Score::Mate(moves) => (None, Some(moves)),
    }
}

/// A move with its analysis, and what its player has told of it.
fn move_of(judged: &Judged, reported: Option<EngineNote>) -> Value {
    let (cp, mate) = parts(judged.white_value);
    let reported = reported.filter(|reported| reported.depth.is_some()).map(|reported| {
        let for_white = reported.value.map(|value| judged.player.fold_wb(value, -value));
        let (cp, mate) = for_white.map(parts).unwrap_or_default();
        let seconds = reported.time.map(|time| time.as_secs_f64());
        json!({ "cp": cp, "mate": mate, "depth": reported.depth, "seconds": seconds })
    });
    json!({
        "number": judged.number,
        "side": notation::side(judged.player),
        "san": judged.san,
        "cp": cp,
        "mate": mate,
        "depth": judged.depth,
        "chances_lost": judged.chances_lost,
        "accuracy": judged.accuracy.map(|(accuracy, _)| accuracy),
        "mark": judged.judgement.map(Judgement::word),
        "words": judged.words(),
        "praise": judged.praise,
        "proof": judged.reason.as_ref().map(|reason| reason.proof),
        "told_by_player": reported,
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
