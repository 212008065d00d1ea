//! What a page of many games keeps of each: little, so that there may be many.

use std::fmt;

use shakmaty::Color;

use super::{GameReport, Phase, Summary, Theme, standing::Standing};
use crate::chess::{
    notation,
    pgn::opening_names,
    remarks::{Judgement, clocks},
};

/// The times left on a clock that are counted together: the name, and the seconds below which it holds.
pub(super) const CLOCKS: [(&str, f64); 6] = [
    ("under 10 seconds", 10.0),
    ("10 to 30 seconds", 30.0),
    ("30 to 60 seconds", 60.0),
    ("1 to 3 minutes", 180.0),
    ("3 to 10 minutes", 600.0),
    ("10 minutes and more", f64::INFINITY),
];

/// A position of a game on the page. It is written `3.27`, or `3` for the game from its beginning.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The number of the game.
    pub game: usize,
    /// The number of the position, from 0.
    pub position: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            0 => write!(f, "{}", self.game),
            position => write!(f, "{}.{position}", self.game),
        }
    }
}

/// A game.
#[derive(Clone, Debug)]
pub struct GameRecord {
    /// The number of the game among all, from 1.
    pub number: usize,
    /// The date as far as it is known, such as `2025.05`.
    pub date: String,
    /// Code and name of the opening; empty if it is not known.
    pub opening: String,
    /// The result.
    pub result: String,
    /// White and Black.
    pub sides: [SideRecord; 2],
}

/// A side of a game.
#[derive(Clone, Debug)]
pub struct SideRecord {
    /// The name, as the game has it; `None` if it is not known.
    pub name: Option<String>,
    /// The rating, if it is known.
    pub elo: Option<u32>,
    /// The summary of its play.
    pub summary: Summary,
    /// The number of its moves in each [`Phase`].
    pub in_phases: [usize; 3],
    /// The number of its moves with each time left.
    pub with_clocks: [usize; CLOCKS.len()],
    /// Its mistakes and blunders.
    pub mistakes: Vec<Mistake>,
    /// The last position that stood won for it.
    pub won_at: Option<usize>,
    /// The last position that stood lost for it.
    pub lost_at: Option<usize>,
}

/// A mistake or blunder.
#[derive(Clone, Debug)]
pub struct Mistake {
    /// The position after it.
    pub place: Place,
    /// The move with its number and its sign: `12... Rd8??`.
    pub label: String,
    /// Why it is bad, without the moves that prove it.
    pub why: String,
    /// What it is about.
    pub theme: Theme,
    /// Whether it misses something, instead of allowing it.
    pub is_missed_chance: bool,
    /// The phase of the game.
    pub phase: Phase,
    /// The time left after it.
    pub clock: Option<usize>,
    /// The expected score that it loses, from 0 to 1.
    pub cost: f64,
    /// Whether there is an exercise in the position before it.
    pub has_exercise: bool,
}

impl GameRecord {
    /// Returns the record of an analysed game. Its exercises must be set.
    #[must_use]
    pub fn of(report: &GameReport) -> Self {
        let game = &report.game;
        let listed = opening_names::of_game(&report.positions);
        Self {
            number: report.number,
            date: game.known_tag("Date").unwrap_or_default().trim_end_matches(".??").into(),
            opening: opening_names::title(game, listed).unwrap_or_default(),
            result: game.result.clone(),
            sides: Color::ALL.map(|side| SideRecord::of(report, side)),
        }
    }

    /// The points of a side: 1, a half or 0; `None` without a result.
    #[must_use]
    pub fn points(&self, side: Color) -> Option<f64> {
        match self.result.as_str() {
            "1-0" => Some(side.fold_wb(1.0, 0.0)),
            "0-1" => Some(side.fold_wb(0.0, 1.0)),
            "1/2-1/2" => Some(0.5),
            _ => None,
        }
    }

    /// The record of a side.
    #[must_use]
    pub fn side(&self, side: Color) -> &SideRecord {
        &self.sides[side.fold_wb(0, 1)]
    }

    /// The opening without code and variation: `Sicilian Defense`.
    #[must_use]
    pub fn family(&self) -> &str {
        let is_code = |word: &str| word.len() == 3 && word.as_bytes()[1..].iter().all(u8::is_ascii_digit);
        let name = match self.opening.split_once(' ') {
            Some((code, name)) if is_code(code) => name,
            _ => &self.opening,
        };
        name.split([':', ',']).next().unwrap_or_default().trim()
    }
}

impl SideRecord {
    fn of(report: &GameReport, side: Color) -> Self {
        let left = clocks::left(&report.game);
        let clock = |ply: usize| {
            let seconds = left[ply]?.as_secs_f64();
            CLOCKS.iter().position(|(_, below)| seconds < *below)
        };
        let own: Vec<usize> = (0..report.moves.len())
            .filter(|&ply| report.moves[ply].player == side && report.moves[ply].m.is_some())
            .collect();
        let in_phase = |phase| own.iter().filter(|&&ply| report.moves[ply].phase == phase).count();
        let with_clock = |index| own.iter().filter(|&&ply| clock(ply) == Some(index)).count();
        let last = |wanted| {
            let value = |ply| side.fold_wb(report.white_value(ply), -report.white_value(ply));
            (0..report.positions.len()).rev().find(|&ply| Standing::of(value(ply)) == wanted)
        };
        let tag = |kind: &str| report.game.known_tag(&format!("{}{kind}", notation::side(side)));
        let mistakes = own.iter().filter(|&&ply| report.moves[ply].judgement >= Some(Judgement::Mistake));
        Self {
            name: tag("").map(str::to_owned),
            elo: tag("Elo").and_then(|elo| elo.parse().ok()),
            summary: report.summary(side),
            in_phases: Phase::ALL.map(in_phase),
            with_clocks: std::array::from_fn(with_clock),
            mistakes: mistakes.map(|&ply| Mistake::of(report, ply, clock(ply))).collect(),
            won_at: last(Standing::Won),
            lost_at: last(Standing::Lost),
        }
    }
}

impl Mistake {
    fn of(report: &GameReport, ply: usize, clock: Option<usize>) -> Self {
        let judged = &report.moves[ply];
        let reason = judged.reason.as_ref();
        Self {
            place: Place { game: report.number, position: ply + 1 },
            label: judged.label(),
            why: reason.map(|reason| reason.short().to_owned()).unwrap_or_default(),
            theme: Theme::of(reason),
            is_missed_chance: reason.is_some_and(super::Reason::is_missed_chance),
            phase: judged.phase,
            clock,
            cost: judged.chances_lost / 200.0,
            has_exercise: report.exercises.iter().any(|exercise| exercise.ply == ply),
        }
    }
}
