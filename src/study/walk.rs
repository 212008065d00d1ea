//! A walk through the tree of moves: what every algorithm of this chapter needs besides its own idea.
//!
//! An algorithm asks four things of the [`Walk`]: is this the end of the line ([`Walk::end`]), which moves are there
//! ([`Walk::moves`]), what comes of one of them ([`Walk::after`]), and, if it can prune, that it did
//! ([`Walk::cut_off`]). In return the walk counts what was visited, remembers what each root move was found to be
//! worth and, when asked to, records the whole tree for drawing ([`Tree`]).
//!
//! The rules of the end are the same for everybody: being mated later is better than sooner, and stalemate, insufficient
//! material, the fifth occurrence of a position and 75 moves without capture or pawn move (FIDE 9.6) are draws.

use shakmaty::{Color, Move, Position as _};

use super::tree::{Mark, Recorder, Step, Tree, Window};
use crate::{
    eval::Evaluator,
    position::{Legality, Position},
    value::{DRAW, Value, mated_in},
};

/// Plies without capture or pawn move after which the game is drawn whether or not anybody claims it.
const SEVENTY_FIVE_MOVES: u32 = 150;

/// How often a position must have stood before for its occurrence to end the game.
const FIVEFOLD: usize = 4;

/// Plies that a fifth occurrence of a position takes at least: four times there and back again.
const FIVEFOLD_PLIES: usize = 16;

/// From whose side an algorithm counts its values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum View {
    /// High is good for White: minimax and the max/min pair.
    White,
    /// High is good for whoever moves at that node: negamax and all that grew from it.
    Mover,
}

/// What a walk has counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Positions visited: the root, every interior node and every leaf, each time it is visited.
    pub nodes: u64,
    /// Positions that were given a static value.
    pub evaluations: u64,
    /// Nodes left early because one move refuted the move before.
    pub cut_offs: u64,
}

/// A position being searched; see the head of this module.
#[derive(Clone, Debug)]
pub struct Walk<E> {
    position: Position,
    evaluator: E,
    view: View,
    /// Plies below the root.
    ply: usize,
    /// The keys of all positions before the current one, those of the game included, oldest first.
    earlier: Vec<u64>,
    counts: Counts,
    /// The root moves searched so far and what they are worth to the side to move there.
    root_moves: Vec<(Move, Value)>,
    recorder: Option<Recorder>,
}

impl<E: Evaluator> Walk<E> {
    /// Stands at `root`, about to begin.
    #[must_use]
    pub fn new(root: &Position, mut evaluator: E, view: View) -> Self {
        evaluator.reset(root);
        Self {
            position: root.clone(),
            evaluator,
            view,
            ply: 0,
            earlier: keys_before(root),
            counts: Counts { nodes: 1, ..Counts::default() },
            root_moves: Vec::new(),
            recorder: None,
        }
    }

    /// Records the tree from now on, up to `limit` nodes.
    #[must_use]
    pub fn recording(mut self, limit: usize) -> Self {
        self.recorder = Some(Recorder::new(self.position.turn(), limit));
        self
    }

    /// Comes back to the root for another iteration. The counts go on; the tree and the root moves begin anew.
    pub fn restart(&mut self) {
        self.counts.nodes += 1;
        self.root_moves.clear();
        if let Some(recorder) = &mut self.recorder {
            recorder.restart();
        }
    }

    /// The value of this node if nothing below it is to be searched: the game is over, or `depth` is used up.
    pub fn end(&mut self, depth: u32) -> Option<Value> {
        self.game_over().or_else(|| (depth == 0).then(|| self.evaluate()))
    }

    /// The value of this node if the game is over.
    pub fn game_over(&mut self) -> Option<Value> {
        let value = if !Legality::of(&self.position).any_move() {
            if self.position.is_check() { mated_in(self.ply) } else { DRAW }
        } else if self.is_drawn() {
            DRAW
        } else {
            return None;
        };
        if let Some(recorder) = &mut self.recorder {
            recorder.mark(Mark::GameOver);
        }
        Some(self.seen(value))
    }

    fn is_drawn(&self) -> bool {
        let reach = (self.position.halfmoves() as usize).min(self.earlier.len());
        let key = self.position.key();
        let recent = &self.earlier[self.earlier.len() - reach..];
        self.position.chess().is_insufficient_material()
            || self.position.halfmoves() >= SEVENTY_FIVE_MOVES
            || recent.iter().filter(|&&earlier| earlier == key).count() >= FIVEFOLD
    }

    /// Whether a draw by repetition or by 75 moves can come up within `depth` plies. Then the value of a position is
    /// not its own but that of the way to it, and must not be remembered for others.
    #[must_use]
    pub fn history_matters(&self, depth: u32) -> bool {
        let halfmoves = self.position.halfmoves();
        let known = (halfmoves as usize).min(self.earlier.len());
        halfmoves.saturating_add(depth) >= SEVENTY_FIVE_MOVES || known + depth as usize >= FIVEFOLD_PLIES
    }

    /// What the evaluator says of this position, in the walk's view.
    pub fn evaluate(&mut self) -> Value {
        self.counts.evaluations += 1;
        let value = self.evaluator.evaluate(&self.position);
        self.seen(value)
    }

    /// A value of the side to move here, in the walk's view.
    fn seen(&self, value: Value) -> Value {
        match (self.view, self.position.turn()) {
            (View::White, Color::Black) => -value,
            _ => value,
        }
    }

    /// The legal moves: captures and promotions first, otherwise in no particular order.
    #[must_use]
    pub fn moves(&self) -> Vec<Move> {
        self.position.legal_moves()
    }

    /// Plays `m`, asks `search` for the value of what it leads to, takes `m` back and returns that value as it came.
    pub fn after(&mut self, m: Move, search: impl FnOnce(&mut Self) -> Value) -> Value {
        self.descend(m, None, search)
    }

    /// As [`after`](Self::after), noting the window the child is searched with, from the child's own view.
    pub fn after_within(
        &mut self,
        m: Move,
        window: Window,
        search: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        self.descend(m, Some(window), search)
    }

    fn descend(&mut self, m: Move, window: Option<Window>, search: impl FnOnce(&mut Self) -> Value) -> Value {
        self.earlier.push(self.position.key());
        let delta = self.position.play(m);
        self.evaluator.push(&self.position, &delta);
        self.ply += 1;
        self.counts.nodes += 1;
        let flip = self.view == View::Mover && self.position.turn().is_black();
        if let Some(recorder) = &mut self.recorder {
            recorder.enter(Step::Move(m), if flip { window.map(Window::flipped) } else { window });
        }

        let value = search(self);

        if let Some(recorder) = &mut self.recorder {
            recorder.leave(if flip { -value } else { value });
        }
        self.ply -= 1;
        self.evaluator.pop();
        self.position.undo();
        self.earlier.pop();
        if self.ply == 0 {
            let mover_likes_it_low = self.view == View::Mover || self.position.turn().is_black();
            self.root_moves.push((m, if mover_likes_it_low { -value } else { value }));
        }
        value
    }

    /// A move refuted what the opponent played before: `unseen` moves need not be looked at.
    pub fn cut_off(&mut self, unseen: &[Move]) {
        self.counts.cut_offs += 1;
        if let Some(recorder) = &mut self.recorder {
            recorder.mark(Mark::CutOff);
            recorder.pruned(unseen, "");
        }
    }

    /// The value of this node came out of a memo.
    pub fn remembered(&mut self) {
        if let Some(recorder) = &mut self.recorder {
            recorder.mark(Mark::Remembered);
        }
    }

    /// The position the walk stands at.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Plies below the root.
    #[must_use]
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// What has been counted so far.
    #[must_use]
    pub fn counts(&self) -> Counts {
        self.counts
    }

    /// The root moves in the order they were searched, with their values for the side to move at the root. After
    /// pruning only the best of them is exact; the others are bounds that did not beat it.
    #[must_use]
    pub fn root_moves(&self) -> &[(Move, Value)] {
        &self.root_moves
    }

    /// Ends the walk with `value`, in the walk's view, and returns the tree if it was recorded.
    #[must_use]
    pub fn finish(self, value: Value) -> Option<Tree> {
        let flip = self.view == View::Mover && self.position.turn().is_black();
        self.recorder.map(|recorder| recorder.finish(if flip { -value } else { value }))
    }
}

/// The keys of the positions that led to `position`, oldest first.
fn keys_before(position: &Position) -> Vec<u64> {
    let mut position = position.clone();
    let mut keys = Vec::with_capacity(position.plies_played());
    while position.plies_played() > 0 {
        position.undo();
        keys.push(position.key());
    }
    keys.reverse();
    keys
}
