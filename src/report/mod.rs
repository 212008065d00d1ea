//! A game judged and explained: the analysis of a whole game, and its page.
//!
//! Players use it, by the subcommand `analyse`. Begin with [`analyse`], then `marks` and `reasons`.
//!
//! Every position of the game gets an [`Opinion`], from the last one to the first, so that neighbours agree
//! (`opinions`). A move's loss is the difference between the values before and after it, for the player who
//! moved, and these are the values that are shown; `marks` turns it into marks and accuracy,
//! [`GameReport::annotated`] into an annotated game, [`page`] into a web page, with
//! [`exercises`](GameReport::set_exercises), [reasons](Reason) and praise. Of many games [`player`] makes the
//! statistics of one who played them.

mod accuracy;
mod annotate;
mod course;
mod exercises;
mod marks;
mod opinions;
pub mod page;
mod phase;
pub mod player;
mod praise;
mod reasons;
mod record;
mod standing;

use std::iter;

use shakmaty::{Color, Move};

pub use annotate::Values;
pub use exercises::{Choice, Exercise};
pub use marks::{MateSlip, centipawn_loss, move_accuracy, win_chances};
pub use opinions::Opinion;
pub use phase::Phase;
pub use reasons::{Proof, Reason, Theme};
pub use record::{GameRecord, Mistake, Place, SideRecord};

use crate::{
    chess::{
        notation::san,
        pgn::Game,
        position::Position,
        remarks::Judgement,
        value::{Value, win_percent},
    },
    engine::{
        eval::Evaluator,
        search::{Limits, Searcher, Settings, Stop, Techniques},
    },
};

/// The maximum length of lines shown or written into a game, in plies.
pub const LINE_LENGTH: usize = 8;

/// The fewest moves of a game that has an accuracy, of both sides together.
const FEWEST: usize = 4;

/// The nodes of a search that lengthens a line for its reason.
const LENGTHENING: u64 = 20_000;

/// One move of a game, with its judgement.
#[derive(Clone, Debug)]
pub struct Judged {
    /// The number of the move, from 1, as in the game.
    pub number: u64,
    /// The player of the move.
    pub player: Color,
    /// The move; `None` is a null move, which is not judged.
    pub m: Option<Move>,
    /// The move, in SAN.
    pub san: String,
    /// The value of the position after it, for White.
    pub white_value: Value,
    /// The depth of that value; 0 if the game was over.
    pub depth: u32,
    /// The better line; empty if there is none.
    pub better: Vec<Move>,
    /// Centipawns lost.
    pub loss: Value,
    /// Points of [`win_chances`] lost.
    pub chances_lost: f64,
    /// The accuracy of the move, in percent, and its weight in that of its player; `None` for a move that
    /// mates.
    pub accuracy: Option<(f64, f64)>,
    /// The phase of the game.
    pub phase: Phase,
    /// The class of a bad move.
    pub judgement: Option<Judgement>,
    /// Whether it allows a mate or misses one.
    pub mate_slip: Option<MateSlip>,
    /// Why it is bad.
    pub reason: Option<Reason>,
    /// What is to be said of a very good move: `the only move that holds`.
    pub praise: Option<String>,
}

impl Judged {
    /// The move with its number and its sign: `12... Rd8??`.
    #[must_use]
    pub fn label(&self) -> String {
        let dots = self.player.fold_wb(".", "...");
        let sign = self.judgement.map_or("", Judgement::sign);
        format!("{}{dots} {}{sign}", self.number, self.san)
    }

    /// A description: `blunder, loses the knight on f6: 31. Qxf6`, or praise, or nothing.
    #[must_use]
    pub fn words(&self) -> Option<String> {
        let Some(judgement) = self.judgement else { return self.praise.clone() };
        let reason = self.reason.iter().map(|reason| reason.words.as_str());
        Some(iter::once(judgement.word()).chain(reason).collect::<Vec<_>>().join(", "))
    }
}

/// The summary of one side's play.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Number of moves.
    pub moves: usize,
    /// Average loss per move, in centipawns; `None` without moves.
    pub average_loss: Option<f64>,
    /// The accuracy, in percent; `None` without moves.
    pub accuracy: Option<f64>,
    /// The accuracy in each [`Phase`] in which it moved.
    pub phases: [Option<f64>; 3],
    /// The numbers of inaccuracies, mistakes and blunders.
    pub faults: [usize; 3],
}

/// An analysed game.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// The number of the game in its file, from 1.
    pub number: usize,
    /// The game as it was read.
    pub game: Game,
    /// Its positions, including the first and the last.
    pub positions: Vec<Position>,
    /// The opinion on each position.
    pub opinions: Vec<Opinion>,
    /// Its moves.
    pub moves: Vec<Judged>,
    /// How many positions got only a glance, because the analysis was interrupted.
    pub hurried: usize,
    /// What [`set_exercises`](Self::set_exercises) has made of it.
    pub exercises: Vec<Exercise>,
}

/// Analyses `game`, game number `number` of its file: searches every position within `limits`, and marks
/// moves. `on_opinion` receives the number of each position and the opinion on it, from the last to the
/// first. When `stop` is raised, the remaining positions are searched only briefly.
pub fn analyse<E: Evaluator + Default>(
    number: usize,
    game: Game,
    searcher: &mut Searcher<E>,
    limits: &Limits,
    stop: &Stop,
    on_opinion: impl FnMut(usize, &Opinion),
) -> GameReport {
    let positions = game.positions();
    let (opinions, hurried) = opinions::of_game(&game, &positions, searcher, limits, stop, on_opinion);
    let mut report =
        GameReport { number, game, positions, opinions, moves: Vec::new(), hurried, exercises: Vec::new() };
    report.moves = report.judge();
    let lengthening = Limits {
        nodes: Some(limits.nodes.map_or(LENGTHENING, |nodes| nodes.min(LENGTHENING))),
        ..Limits::default()
    };
    let mut best_line = |position: &Position| {
        let opinion = opinions::search(searcher, position, &lengthening, &Settings::default(), stop);
        opinion.map(|opinion| opinion.pv).unwrap_or_default()
    };
    report.give_reasons(&mut best_line);
    report.praise_sacrifices(&mut best_line);
    // A move that can be answered by going back is no draw.
    let settings =
        Settings { techniques: Techniques { repetition: false, ..Techniques::ALL }, ..Settings::default() };
    report.praise_only_moves(|position, moves, glance| {
        let limits = glance.map_or(limits.clone(), Limits::nodes);
        let limits = Limits { search_moves: moves.to_vec(), ..limits };
        opinions::search(searcher, position, &limits, &settings, stop).map(|opinion| opinion.value)
    });
    report
}

impl GameReport {
    /// The value of position `ply`, for White.
    #[must_use]
    pub fn white_value(&self, ply: usize) -> Value {
        let value = self.opinions[ply].value;
        self.positions[ply].turn().fold_wb(value, -value)
    }

    /// White's expected score in every position, in percent.
    #[must_use]
    pub fn percents(&self) -> Vec<f64> {
        (0..self.positions.len()).map(|ply| win_percent(self.white_value(ply))).collect()
    }

    fn judge(&self) -> Vec<Judged> {
        let percents = accuracy::percents(&self.positions, |ply| self.white_value(ply));
        let weights = accuracy::weights(&percents);
        let phases = Phase::of_game(&self.positions);
        let moves = self.opinions.windows(2).enumerate();
        moves
            .map(|(ply, pair)| {
                let position = &self.positions[ply];
                let m = self.game.movetext.moves[ply].m;
                let before = pair[0].value;
                // A null move is not judged.
                let after = if m.is_some() { opinions::seen_from_before(pair[1].value) } else { before };
                let chances_lost = (win_chances(before) - win_chances(after)).max(0.0);
                let accuracy = percents.get(ply..ply + 2).map(|pair| {
                    let lost = position.turn().fold_wb(pair[0] - pair[1], pair[1] - pair[0]);
                    (move_accuracy(lost), weights[ply])
                });
                let is_best = m.is_none() || pair[0].pv.first() == m.as_ref();
                Judged {
                    number: (self.game.start.ply() + ply as u64) / 2 + 1,
                    player: position.turn(),
                    m,
                    san: m.map_or_else(|| "--".into(), |m| san(position, m)),
                    white_value: self.white_value(ply + 1),
                    depth: pair[1].depth,
                    better: if is_best {
                        Vec::new()
                    } else {
                        pair[0].pv.iter().take(LINE_LENGTH).copied().collect()
                    },
                    loss: centipawn_loss(before, after),
                    chances_lost,
                    accuracy,
                    phase: phases[ply],
                    judgement: Judgement::of(before, after),
                    mate_slip: MateSlip::of(before, after),
                    reason: None,
                    praise: None,
                }
            })
            .collect()
    }

    /// Returns the summary of the play of `side`. A game of fewer than four moves has no accuracy.
    #[must_use]
    pub fn summary(&self, side: Color) -> Summary {
        let judged = self.moves.iter().filter(|judged| judged.player == side && judged.m.is_some());
        let moves: Vec<&Judged> = judged.collect();
        if moves.is_empty() {
            return Summary::default();
        }
        let accuracy = |phase: Option<Phase>| {
            let counted = moves.iter().filter(|judged| phase.is_none_or(|phase| phase == judged.phase));
            let together = accuracy::together(counted.filter_map(|judged| judged.accuracy));
            together.filter(|_| self.moves.len() >= FEWEST)
        };
        Summary {
            moves: moves.len(),
            average_loss: Some(
                moves.iter().map(|judged| f64::from(judged.loss)).sum::<f64>() / moves.len() as f64,
            ),
            accuracy: accuracy(None),
            phases: Phase::ALL.map(|phase| accuracy(Some(phase))),
            faults: Judgement::ALL
                .map(|fault| moves.iter().filter(|judged| judged.judgement == Some(fault)).count()),
        }
    }
}

#[cfg(test)]
mod tests;
