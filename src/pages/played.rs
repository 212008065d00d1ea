//! What every game has, analysed or not, as the scripts of a page read it.

use std::time::Duration;

use serde::Serialize;
use shakmaty::{CastlingMode, Color};

use super::lines::ScriptLine;
use crate::chess::{
    notation::{self, pawns},
    pgn::{Game, opening_names},
    remarks::{clocks, engine_notes},
    value::win_percent,
};

/// A game as `src/pages/game.js` reads it.
#[derive(Serialize)]
pub(crate) struct Played {
    /// The first position.
    fen: String,
    /// Whether its side to move is in check.
    check: bool,
    chess960: bool,
    line: ScriptLine,
    result: String,
    players: [Player; 2],
    /// The opening, and how many moves lead to the last position that has a name.
    #[serde(skip_serializing_if = "Option::is_none")]
    opening: Option<(String, usize)>,
    /// The seconds that each move took.
    #[serde(skip_serializing_if = "are_unknown")]
    pub(crate) times: Vec<Option<f64>>,
    /// The seconds left after each move.
    #[serde(skip_serializing_if = "are_unknown")]
    clocks: Vec<Option<f64>>,
    /// What the players said of each move: White's expected score in percent, and the value for White with
    /// its depth.
    #[serde(skip_serializing_if = "are_unknown")]
    reported: Vec<Option<(f64, String)>>,
}

#[derive(Serialize)]
struct Player {
    name: String,
    /// The rating; empty if it is not known.
    elo: String,
}

impl Played {
    /// `game` is without the results of an earlier analysis.
    pub(crate) fn of(game: &Game) -> Self {
        let reported = engine_notes::of_game(game);
        let seconds =
            |time: Option<Duration>| time.map(|time| (time.as_secs_f64() * 1000.0).round() / 1000.0);
        let times = clocks::times(game).into_iter().zip(&reported);
        let times = times
            .map(|(clock, reported)| seconds(reported.as_ref().and_then(|reported| reported.time).or(clock)));
        let first = game.start.turn();
        let reported = reported.iter().zip([first, !first].into_iter().cycle()).map(|(reported, player)| {
            let reported = reported.as_ref()?;
            let value = player.fold_wb(reported.value?, -reported.value?);
            Some((tenths(win_percent(value)), format!("{}/{}", pawns(value), reported.depth?)))
        });
        let player = |side| {
            let elo = game.tag(&format!("{}Elo", notation::side(side))).unwrap_or_default();
            let is_rating = !elo.is_empty() && elo.bytes().all(|byte| byte.is_ascii_digit());
            Player { name: game.player(side).into(), elo: if is_rating { elo.into() } else { String::new() } }
        };
        let opening = opening_names::of_game(&game.positions()).filter(|(_, moves)| *moves > 0);
        let opening = opening.and_then(|listed| Some((opening_names::title(game, Some(listed))?, listed.1)));
        Self {
            opening,
            fen: game.start.fen(),
            check: game.start.is_check(),
            chess960: game.start.castling_mode() == CastlingMode::Chess960,
            line: ScriptLine::of(&game.movetext, &game.start),
            result: game.result.clone(),
            players: [Color::White, Color::Black].map(player),
            times: times.collect(),
            clocks: clocks::left(game).into_iter().map(seconds).collect(),
            reported: reported.collect(),
        }
    }
}

/// A percentage with one decimal.
pub(crate) fn tenths(percent: f64) -> f64 {
    (percent * 10.0).round() / 10.0
}

fn are_unknown<T>(all: &[Option<T>]) -> bool {
    all.iter().all(Option::is_none)
}
