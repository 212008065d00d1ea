//! What an engine has to say about a whole game.
//!
//! Every position of the game is searched once. A move's loss is the difference between the value of the position
//! before it and that of the one after it, both for the player who moved; `judge` turns it into marks and accuracy,
//! [`GameReport::annotated`] into an annotated game, [`report`] into a web page.

mod annotate;
mod judge;
pub mod report;

use shakmaty::{Color, Move};

pub use judge::{Judgement, accuracy, centipawn_loss, win_percent};

use crate::{
    eval::Evaluator,
    game::Game,
    notation::san,
    position::Position,
    rules::BoardEnd,
    search::{Limits, Searcher, Settings, Silent, Stop},
    value::{DRAW, MATE_BOUND, Value, mated_in},
};

/// The longest better line that is written into a game, in plies.
const LINE_LENGTH: usize = 8;

/// What the search says of one position.
#[derive(Clone, Debug)]
pub struct Opinion {
    /// The value for the side to move.
    pub value: Value,
    /// The iteration it comes from, in plies; 0 if the game is over.
    pub depth: u32,
    /// The best line.
    pub pv: Vec<Move>,
}

/// One move of a game, judged.
#[derive(Clone, Debug)]
pub struct Judged {
    /// Its number, from 1, as in the game.
    pub number: u64,
    /// Who played it.
    pub player: Color,
    /// The move; `None` is a null move, which is not judged.
    pub m: Option<Move>,
    /// The move, in SAN.
    pub san: String,
    /// The value of the position after it, for White.
    pub white_value: Value,
    /// The depth of that value; 0 if the game was over.
    pub depth: u32,
    /// What the search would have played.
    pub better: Vec<Move>,
    /// Centipawns it lost.
    pub loss: Value,
    /// What it lost of the expected score, in percent.
    pub win_loss: f64,
    /// What to call it, if it was bad.
    pub judgement: Option<Judgement>,
}

/// How one side played.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Summary {
    /// Moves it made.
    pub moves: usize,
    /// Centipawns lost per move.
    pub average_loss: f64,
    /// The mean accuracy of its moves, in percent.
    pub accuracy: f64,
    /// Inaccuracies, mistakes and blunders.
    pub faults: [usize; 3],
}

/// An analysed game.
#[derive(Clone, Debug)]
pub struct GameReport {
    /// Which game of its file it is, from 1.
    pub number: usize,
    /// The game as it was read.
    pub game: Game,
    /// Its positions, the first and the last included.
    pub positions: Vec<Position>,
    /// The value of each position, for White.
    pub values: Vec<Value>,
    /// Its moves.
    pub moves: Vec<Judged>,
}

/// Searches every position of `game`, the one with this number in its file, within `limits`; `progress` hears of each.
pub fn analyse<E: Evaluator + Default>(
    number: usize,
    game: Game,
    searcher: &mut Searcher<E>,
    limits: &Limits,
    mut progress: impl FnMut(),
) -> GameReport {
    let positions = game.positions();
    searcher.clear();
    // Here, so that it takes none of the time of the first search; a refused size is of no matter to what is found.
    let _ = searcher.prepare(&Stop::default());
    let opinions: Vec<Opinion> = positions
        .iter()
        .map(|position| {
            let opinion = opinion(position, searcher, limits);
            progress();
            opinion
        })
        .collect();
    let moves = opinions.windows(2).enumerate().map(|(ply, pair)| judged(&game, &positions[ply], ply, pair));
    let moves = moves.collect();
    let values =
        positions.iter().zip(&opinions).map(|(position, opinion)| for_white(position, opinion)).collect();
    GameReport { number, game, positions, values, moves }
}

fn opinion<E: Evaluator + Default>(
    position: &Position,
    searcher: &mut Searcher<E>,
    limits: &Limits,
) -> Opinion {
    let over = |value| Opinion { value, depth: 0, pv: Vec::new() };
    match BoardEnd::of(position) {
        Some(BoardEnd::Checkmate { .. }) => return over(mated_in(0)),
        Some(_) => return over(DRAW),
        None => {}
    }
    let outcome = searcher.search(position, limits, &Stop::default(), &Settings::default(), &mut Silent);
    let value = outcome.value();
    match outcome.lines.into_iter().next() {
        Some(line) => Opinion { value, depth: line.depth, pv: line.pv },
        None => over(value),
    }
}

fn for_white(position: &Position, opinion: &Opinion) -> Value {
    position.turn().fold_wb(opinion.value, -opinion.value)
}

fn judged(game: &Game, before: &Position, ply: usize, opinions: &[Opinion]) -> Judged {
    let m = game.movetext.moves[ply].m;
    let player = before.turn();
    let after = away_from_root(-opinions[1].value);
    let best = m.is_none() || opinions[0].pv.first() == m.as_ref();
    // The search's own choice loses nothing, even if a look one ply deeper thinks less of it.
    let (loss, win_loss) = if best {
        (0, 0.0)
    } else {
        let lost = win_percent(opinions[0].value) - win_percent(after);
        (centipawn_loss(opinions[0].value, after), lost.max(0.0))
    };
    Judged {
        number: (game.start.ply() + ply as u64) / 2 + 1,
        player,
        m,
        san: m.map_or_else(|| "--".into(), |m| san(before, m)),
        white_value: player.fold_wb(-opinions[1].value, opinions[1].value),
        depth: opinions[1].depth,
        better: if best { Vec::new() } else { opinions[0].pv.iter().take(LINE_LENGTH).copied().collect() },
        loss,
        win_loss,
        judgement: Judgement::of(win_loss),
    }
}

/// A value found one ply below the move it judges: a mate is a ply farther away from there.
fn away_from_root(value: Value) -> Value {
    match value {
        mate if mate >= MATE_BOUND => mate - 1,
        mated if mated <= -MATE_BOUND => mated + 1,
        _ => value,
    }
}

impl GameReport {
    /// How `side` played.
    #[must_use]
    pub fn summary(&self, side: Color) -> Summary {
        let judged = self.moves.iter().filter(|judged| judged.player == side && judged.m.is_some());
        let moves: Vec<&Judged> = judged.collect();
        if moves.is_empty() {
            return Summary::default();
        }
        let count = moves.len() as f64;
        Summary {
            moves: moves.len(),
            average_loss: moves.iter().map(|judged| f64::from(judged.loss)).sum::<f64>() / count,
            accuracy: moves.iter().map(|judged| accuracy(judged.win_loss)).sum::<f64>() / count,
            faults: Judgement::ALL
                .map(|fault| moves.iter().filter(|judged| judged.judgement == Some(fault)).count()),
        }
    }

    /// The plies of the worst moves, at most `most` of them and only mistakes and blunders, in the order of the game.
    #[must_use]
    pub fn critical_moments(&self, most: usize) -> Vec<usize> {
        let bad = |ply: &usize| self.moves[*ply].judgement >= Some(Judgement::Mistake);
        let mut plies: Vec<usize> = (0..self.moves.len()).filter(bad).collect();
        plies.sort_by(|&a, &b| self.moves[b].win_loss.total_cmp(&self.moves[a].win_loss));
        plies.truncate(most);
        plies.sort_unstable();
        plies
    }
}
