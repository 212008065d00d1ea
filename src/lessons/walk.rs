//! A walk through the tree of moves: the code that all algorithms share.
//!
//! An algorithm calls four methods of the [`Walk`]: is this the end of the line ([`Walk::end`]), which moves
//! are legal ([`Walk::moves`]), what is the value after one of them ([`Walk::after`]), and, if it prunes,
//! there was a cut-off ([`Walk::cut_off`]). The walk counts the visits, stores the value of each root move
//! and, on request, records the tree for drawing ([`Tree`]).
//!
//! The rules for the end of a game are the same for all algorithms. A later loss by mate is better than an
//! earlier one. Stalemate, insufficient material, the fifth occurrence of a position and 75 moves without
//! capture or pawn move (FIDE 9.6) are draws.

use shakmaty::{Color, Move, Position as _};

use super::tree::{Mark, Recorder, Step, Tree, Window};
use crate::{
    chess::{
        position::{Legality, Position},
        value::{DRAW, Value, mated_in},
    },
    engine::eval::Evaluator,
    halt::Halt,
};

/// Plies without capture or pawn move after which the game is drawn without a claim.
const SEVENTY_FIVE_MOVES: u32 = 150;

/// The number of earlier occurrences after which the next one ends the game.
const FIVEFOLD: usize = 4;

/// The minimum number of plies until a fifth occurrence: four times there and back.
const FIVEFOLD_PLIES: usize = 16;

/// The perspective of an algorithm's values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Perspective {
    /// High values are good for White: minimax and the alpha-beta pair.
    White,
    /// High values are good for the side to move: negamax and the algorithms derived from it.
    Mover,
}

/// The counters of a walk.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WalkCounts {
    /// Positions visited: the root, every interior node and every leaf, at every visit.
    pub nodes: u64,
    /// Positions evaluated statically.
    pub evaluations: u64,
    /// Nodes that ended early because one move refuted the move before.
    pub cut_offs: u64,
}

/// A position being searched; see the module documentation.
#[derive(Clone, Debug)]
pub struct Walk<E> {
    position: Position,
    evaluator: E,
    view: Perspective,
    /// Plies below the root.
    ply: usize,
    /// The keys of all positions before the current one, including those of the game, oldest first.
    earlier: Vec<u64>,
    counts: WalkCounts,
    /// The root moves searched so far, with their values for the side to move at the root.
    root_moves: Vec<(Move, Value)>,
    recorder: Option<Recorder>,
    /// Ends the walk when it is set.
    stop: Halt,
    /// Whether the walk has ended for that reason.
    interrupted: bool,
}

impl<E: Evaluator> Walk<E> {
    /// Begins at `root`.
    #[must_use]
    pub fn new(root: &Position, mut evaluator: E, view: Perspective) -> Self {
        evaluator.reset(root);
        Self {
            position: root.clone(),
            evaluator,
            view,
            ply: 0,
            earlier: keys_before(root),
            counts: WalkCounts { nodes: 1, ..WalkCounts::default() },
            root_moves: Vec::new(),
            recorder: None,
            stop: Halt::default(),
            interrupted: false,
        }
    }

    /// Records the tree from now on (of iterative deepening: the last iteration), up to `limit` nodes.
    #[must_use]
    pub fn recording(mut self, limit: usize) -> Self {
        self.recorder = Some(Recorder::new(self.position.turn(), limit));
        self
    }

    /// Ends the walk soon after `stop` is set: no further move is made, and values that are not yet known
    /// have no meaning. The algorithms do not notice it. They return at once, because every move is over at
    /// once.
    #[must_use]
    pub fn until(mut self, stop: &Halt) -> Self {
        self.stop = stop.clone();
        self
    }

    /// Whether the walk was ended by the halt of [`until`](Self::until).
    fn is_interrupted(&mut self) -> bool {
        if !self.interrupted && self.stop.is_set() {
            self.interrupted = true;
            self.record(Recorder::abandon);
        }
        self.interrupted
    }

    /// Shows `event` to the recorder, if there is one.
    fn record(&mut self, event: impl FnOnce(&mut Recorder)) {
        if let Some(recorder) = &mut self.recorder {
            event(recorder);
        }
    }

    /// Returns to the root for another iteration. The counters continue; the tree and the root moves are
    /// cleared.
    pub fn restart(&mut self) {
        if self.is_interrupted() {
            return;
        }
        self.counts.nodes += 1;
        self.root_moves.clear();
        self.record(Recorder::restart);
    }

    /// The value of this node if it is a leaf: the game is over, or `depth` is 0.
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
        self.record(|recorder| recorder.mark(Mark::GameOver));
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

    /// Whether a draw by repetition or by 75 moves can occur within `depth` plies. Then the value of a
    /// position depends on the moves before it, and must not be stored for other lines.
    #[must_use]
    pub fn history_matters(&self, depth: u32) -> bool {
        let halfmoves = self.position.halfmoves();
        let known = (halfmoves as usize).min(self.earlier.len());
        halfmoves.saturating_add(depth) >= SEVENTY_FIVE_MOVES || known + depth as usize >= FIVEFOLD_PLIES
    }

    /// The evaluation of this position, in the walk's perspective.
    pub fn evaluate(&mut self) -> Value {
        self.counts.evaluations += 1;
        let value = self.evaluator.evaluate(&self.position);
        self.seen(value)
    }

    /// Converts a value for the side to move to the walk's perspective.
    fn seen(&self, value: Value) -> Value {
        match (self.view, self.position.turn()) {
            (Perspective::White, Color::Black) => -value,
            _ => value,
        }
    }

    /// The legal moves: captures and promotions first, otherwise in no particular order.
    #[must_use]
    pub fn moves(&self) -> Vec<Move> {
        self.position.legal_moves()
    }

    /// Plays `m`, calls `search` for the value after it, takes `m` back and returns that value unchanged.
    pub fn after(&mut self, m: Move, search: impl FnOnce(&mut Self) -> Value) -> Value {
        self.descend(m, None, search)
    }

    /// Like [`after`](Self::after), and records the window of the child, from the child's perspective.
    pub fn after_within(
        &mut self,
        m: Move,
        window: Window,
        search: impl FnOnce(&mut Self) -> Value,
    ) -> Value {
        self.descend(m, Some(window), search)
    }

    fn descend(&mut self, m: Move, window: Option<Window>, search: impl FnOnce(&mut Self) -> Value) -> Value {
        if self.is_interrupted() {
            return DRAW;
        }
        self.earlier.push(self.position.key());
        let delta = self.position.play(m);
        self.evaluator.push(&self.position, &delta);
        self.ply += 1;
        self.counts.nodes += 1;
        let flip = self.view == Perspective::Mover && self.position.turn().is_black();
        let seen = if flip { window.map(Window::flipped) } else { window };
        self.record(|recorder| recorder.enter(Step::Move(m), seen));

        let value = search(self);

        self.record(|recorder| recorder.leave(if flip { -value } else { value }));
        self.ply -= 1;
        self.evaluator.pop();
        self.position.undo();
        self.earlier.pop();
        if self.ply == 0 && !self.interrupted {
            let mover_likes_it_low = self.view == Perspective::Mover || self.position.turn().is_black();
            self.root_moves.push((m, if mover_likes_it_low { -value } else { value }));
        }
        value
    }

    /// Records a cut-off: a move refuted the opponent's last move, so the `unseen` moves are not searched.
    pub fn cut_off(&mut self, unseen: &[Move]) {
        self.counts.cut_offs += 1;
        self.record(|recorder| {
            recorder.mark(Mark::CutOff);
            recorder.pruned(unseen, "");
        });
    }

    /// Records that the value of this node came from a memo.
    pub fn from_memo(&mut self) {
        self.record(|recorder| recorder.mark(Mark::Memo));
    }

    /// The current position.
    #[must_use]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// Plies below the root.
    #[must_use]
    pub fn ply(&self) -> usize {
        self.ply
    }

    /// Whether the walk was not ended early.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        !self.interrupted
    }

    /// The counters so far.
    #[must_use]
    pub fn counts(&self) -> WalkCounts {
        self.counts
    }

    /// The root moves in search order, with their values for the side to move at the root. After pruning only
    /// the best of them is exact; the others are bounds that do not exceed it.
    #[must_use]
    pub fn root_moves(&self) -> &[(Move, Value)] {
        &self.root_moves
    }

    /// Ends the walk with `value`, in the walk's perspective, and returns the tree if it was recorded.
    #[must_use]
    pub fn finish(self, value: Value) -> Option<Tree> {
        let flip = self.view == Perspective::Mover && self.position.turn().is_black();
        self.recorder.map(|recorder| recorder.finish(if flip { -value } else { value }))
    }
}

/// The keys of the positions before `position`, oldest first.
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
