//! Returns the moves of a node one by one in order, and generates them only when needed.
//!
//! ```text
//!   table move -> good tacticals -> quiets by history -> bad tacticals
//! ```
//!
//! The table move comes before any generation, so a node that it cuts off generates nothing. Bad tacticals
//! lose material by static exchange evaluation, or promote to another piece than a queen. A quiet move gets a
//! bonus if the piece then attacks the opponent's king, and if it leaves a square that a lesser piece
//! attacks. It gets a malus if it goes to such a square.
//!
//! The root moves come in the order of the last iteration instead ([`Picker::given`]).
//!
//! The moves are stored on one stack that all nodes of a thread share ([`Moves`]). A picker owns the top of
//! it from `start` on, and must release it with [`Picker::finish`].
//!
//! Reference: chessprogramming.org, "Move Ordering".

mod generated;

use shakmaty::{Bitboard, Move, Position as _, Rank, Role, Square};

use super::{
    history::{Context, Histories, MoveHistory, Quiets},
    params::{danger_bonus, quiet_check_bonus},
};
use crate::chess::{
    position::{Legality, PackedMove, Position, Threats, is_tactical, see::material_gain},
    value::{Value, material_value},
};

pub(super) use generated::Moves;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stage {
    TtMove,
    GenerateTacticals,
    GoodTacticals,
    GenerateQuiets,
    Quiets,
    BadTacticals,
    /// The moves were given in their order.
    Given,
    Done,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    All,
    /// Quiet moves only if they give check.
    Checks,
    Tacticals,
    GoodTacticals,
}

/// A move of a node, before it is searched.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    pub(super) m: Move,
    /// Its place in the order, from 1.
    pub(super) number: usize,
    pub(super) tactical: bool,
    /// Whether it is a capture or promotion known not to lose material.
    pub(super) good: bool,
    /// Its history when it was generated; the searches of earlier moves may have changed it since.
    pub(super) move_history: MoveHistory,
}

/// The move picker of one node; see the module documentation.
#[derive(Debug)]
pub(super) struct Picker {
    stage: Stage,
    tt_move: Option<Move>,
    /// The move that is left out of those generated: the table move, which was returned before them, or an
    /// excluded move. Packed, because packed moves are compared faster.
    left_out: Option<PackedMove>,
    /// What the histories of quiet moves depend on.
    context: Context,
    wanted: Wanted,
    /// Tacticals that lose material are not among the good ones.
    see_order: bool,
    /// Captures that win less than this, in centipawns, are not generated.
    least_gain: Value,
    start: usize,
    /// Bad tacticals are collected in `start..bad_end`.
    bad_end: usize,
    /// The index of the first of the moves generated last.
    first: usize,
    /// The index of the next move.
    cursor: usize,
}

impl Picker {
    /// Returns a picker for all moves of a node. `tt_move` must be legal. `context` is what the histories of
    /// quiet moves depend on.
    pub(super) fn new(tt_move: Option<Move>, context: Context, moves: &Moves) -> Self {
        let stage = if tt_move.is_some() { Stage::TtMove } else { Stage::GenerateTacticals };
        let start = moves.len();
        let (bad_end, first, cursor) = (start, start, start);
        Self {
            stage,
            tt_move,
            left_out: tt_move.and_then(PackedMove::new),
            context,
            wanted: Wanted::All,
            see_order: true,
            least_gain: 0,
            start,
            bad_end,
            first,
            cursor,
        }
    }

    /// Returns a picker for promotions, and for captures that win at least `least_gain` centipawns. Those
    /// that lose material by static exchange evaluation, and promotions to other pieces than a queen, are
    /// included only if `losing`.
    pub(super) fn tacticals(tt_move: Option<Move>, least_gain: Value, losing: bool, moves: &Moves) -> Self {
        let tt_move = tt_move.filter(|&m| is_tactical(m) && material_gain(m) >= least_gain);
        let wanted = if losing { Wanted::Tacticals } else { Wanted::GoodTacticals };
        Self { wanted, least_gain, ..Self::new(tt_move, Context::default(), moves) }
    }

    /// Returns a picker for `given` moves, in this order.
    pub(super) fn given(given: impl Iterator<Item = Move>, moves: &mut Moves) -> Self {
        let picker = Self { stage: Stage::Given, ..Self::new(None, Context::default(), moves) };
        for m in given {
            moves.push(picker.first, m, 0, MoveHistory { total: 0, continuation: 0 });
        }
        picker
    }

    /// Leaves out `excluded`; there must be no table move.
    pub(super) fn exclude(&mut self, excluded: Option<Move>) {
        self.left_out = self.left_out.or(excluded.and_then(PackedMove::new));
    }

    /// Skips the remaining quiet moves.
    pub(super) fn skip_quiets(&mut self) {
        if matches!(self.wanted, Wanted::All | Wanted::Checks) {
            self.wanted = Wanted::Tacticals;
        }
    }

    /// Skips the remaining quiet moves that do not give check.
    pub(super) fn skip_quiets_without_check(&mut self, position: &Position, moves: &mut Moves) {
        if self.wanted == Wanted::All {
            self.wanted = Wanted::Checks;
            if self.stage == Stage::Quiets {
                let checks = Legality::of(position).checks();
                let wanted = |m: Move| checks.contain(m) || (m.is_castle() && position.gives_check(m));
                moves.retain(self.first, self.cursor, wanted);
            }
        }
    }

    /// Whether quiet moves may still follow.
    #[inline]
    pub(super) fn may_have_quiets(&self) -> bool {
        self.wants_quiets() && !matches!(self.stage, Stage::BadTacticals | Stage::Given | Stage::Done)
    }

    /// Whether quiet moves are still wanted: all, or those that give check.
    #[inline]
    fn wants_quiets(&self) -> bool {
        matches!(self.wanted, Wanted::All | Wanted::Checks)
    }

    /// Whether the last move returned is a capture or promotion known not to lose material.
    pub(super) fn at_good_tactical(&self) -> bool {
        self.stage == Stage::GoodTacticals && self.see_order
    }

    /// The history of the last move returned, as read at generation; `None` if it was not generated.
    #[inline]
    pub(super) fn move_history(&self, moves: &Moves) -> Option<MoveHistory> {
        let generated = matches!(self.stage, Stage::GoodTacticals | Stage::Quiets | Stage::BadTacticals);
        generated.then(|| moves.move_history(self.cursor - 1))
    }

    /// Releases the picker's part of the stack.
    pub(super) fn finish(self, moves: &mut Moves) {
        moves.truncate(self.start);
    }

    /// Returns the next move, or `None` if there are no more.
    #[inline(always)]
    pub(super) fn next(
        &mut self,
        position: &Position,
        histories: &Histories,
        moves: &mut Moves,
    ) -> Option<Move> {
        // Most calls return another move of the stage of the last call.
        let found = match self.stage {
            Stage::Quiets if self.wants_quiets() => self.next_quiet(moves),
            Stage::GoodTacticals if self.more(moves) => self.next_good_tactical(position, moves),
            // No stage follows.
            Stage::GoodTacticals if self.wanted == Wanted::GoodTacticals => return None,
            _ => None,
        };
        found.or_else(|| self.next_of_stages(position, histories, moves))
    }

    /// Returns the next move of this stage or a later one.
    #[inline(never)]
    fn next_of_stages(
        &mut self,
        position: &Position,
        histories: &Histories,
        moves: &mut Moves,
    ) -> Option<Move> {
        loop {
            match self.stage {
                Stage::TtMove => {
                    self.stage = Stage::GenerateTacticals;
                    if histories.techniques.table_move {
                        return self.tt_move;
                    }
                    self.left_out = None;
                }
                Stage::GenerateTacticals => {
                    self.generate_tacticals(position, histories, moves);
                    self.stage = Stage::GoodTacticals;
                }
                Stage::GoodTacticals if !self.more(moves) => self.end_good_tacticals(moves),
                Stage::GoodTacticals => {
                    if let Some(m) = self.next_good_tactical(position, moves) {
                        return Some(m);
                    }
                }
                Stage::GenerateQuiets | Stage::Quiets if !self.wants_quiets() => {
                    self.begin_bad_tacticals(moves);
                }
                Stage::GenerateQuiets => {
                    self.generate_quiets(position, histories, moves);
                    self.stage = Stage::Quiets;
                }
                Stage::Quiets => {
                    if let Some(m) = self.next_quiet(moves) {
                        return Some(m);
                    }
                }
                Stage::BadTacticals | Stage::Given => match self.take(moves) {
                    None => self.stage = Stage::Done,
                    found => return found,
                },
                Stage::Done => return None,
            }
        }
    }

    // The stages are not inlined: every call of `next` would save the registers and prepare the values that
    // some stage needs.
    #[inline(never)]
    fn generate_tacticals(&mut self, position: &Position, histories: &Histories, moves: &mut Moves) {
        let techniques = &histories.techniques;
        self.see_order = techniques.see_order || self.wanted == Wanted::GoodTacticals;
        // A factor instead of a condition for each move.
        let by_victim = i32::from(techniques.victim_order);
        let us = position.turn();
        let victims = worth_at_least(position, self.least_gain);
        if (victims & position.chess().board().by_color(!us)).is_empty() {
            return;
        }
        let first = self.first;
        let legality = Legality::of(position);
        legality.piece_captures(victims, |role, from, squares| {
            let histories = histories.captures(us, role);
            for to in squares {
                let capture = position.chess().board().role_at(to);
                let m = Move::Normal { role, from, capture, to, promotion: None };
                let move_history = histories.move_history(to, capture);
                moves.push(first, m, tactical_rank(m) * by_victim + move_history.total, move_history);
            }
        });
        legality.pawn_tacticals(victims, |m| {
            let move_history = histories.capture(us, m);
            moves.push(first, m, tactical_rank(m) * by_victim + move_history.total, move_history);
        });
    }

    /// Whether moves of this stage remain.
    #[inline]
    fn more(&self, moves: &Moves) -> bool {
        self.cursor < moves.len()
    }

    #[inline]
    fn is_left_out(&self, m: Move) -> bool {
        self.left_out.is_some_and(|left_out| left_out.is(m))
    }

    /// Returns the best remaining tactical move that does not lose material. If there is none, the next stage
    /// begins.
    #[inline(never)]
    fn next_good_tactical(&mut self, position: &Position, moves: &mut Moves) -> Option<Move> {
        while let Some(m) = self.select(moves) {
            if self.is_left_out(m) {
                continue;
            }
            let underpromotion = m.promotion().is_some_and(|role| role != Role::Queen);
            if !underpromotion && (!self.see_order || position.see_at_least(m, 0)) {
                return Some(m);
            }
            // The cursor has passed this move, so its slot, or an earlier one, is free.
            moves.copy(self.cursor - 1, self.bad_end);
            self.bad_end += 1;
        }
        self.end_good_tacticals(moves);
        None
    }

    fn end_good_tacticals(&mut self, moves: &mut Moves) {
        if self.wanted == Wanted::GoodTacticals {
            self.stage = Stage::Done;
        } else {
            moves.truncate(self.bad_end);
            self.stage = Stage::GenerateQuiets;
        }
    }

    #[inline(never)]
    fn generate_quiets(&mut self, position: &Position, histories: &Histories, moves: &mut Moves) {
        let first = moves.len();
        (self.first, self.cursor) = (first, first);
        if self.wanted == Wanted::Checks {
            self.generate_quiet_checks(position, histories, moves);
            return;
        }
        let legality = Legality::of(position);
        let rater = self.rater(&legality, position, histories);
        // In the order of `Legality::quiet_moves`.
        rater.add_all(&legality, Role::Knight, moves);
        rater.add_all(&legality, Role::Bishop, moves);
        rater.add_all(&legality, Role::Rook, moves);
        rater.add_all(&legality, Role::Queen, moves);
        rater.add_all(&legality, Role::Pawn, moves);
        rater.add_all(&legality, Role::King, moves);
        legality.castling_moves(|m| {
            let move_history = rater.quiets.move_history(m);
            moves.push(first, m, move_history.total, move_history);
        });
    }

    // Not inlined: its closure borrows the whole rater, which would then be in memory for all quiet moves.
    #[inline(never)]
    fn generate_quiet_checks(&self, position: &Position, histories: &Histories, moves: &mut Moves) {
        let legality = Legality::of(position);
        let rater = self.rater(&legality, position, histories);
        legality.quiet_check_squares(|role, from, squares| rater.add(role, from, squares, moves));
    }

    #[inline(always)]
    fn rater<'h>(&self, legality: &Legality<'_>, position: &Position, histories: &'h Histories) -> Rater<'h> {
        let quiets = histories.quiets(position.turn(), self.context);
        let (checking, threats) = (legality.checking_squares(), self.context.threats);
        Rater { quiets, checking, threats, first: self.first }
    }

    /// Returns the best remaining quiet move. If there is none, the next stage begins.
    #[inline(never)]
    fn next_quiet(&mut self, moves: &mut Moves) -> Option<Move> {
        while let Some(m) = self.select(moves) {
            if !self.is_left_out(m) {
                return Some(m);
            }
        }
        self.begin_bad_tacticals(moves);
        None
    }

    fn begin_bad_tacticals(&mut self, moves: &mut Moves) {
        moves.truncate(self.bad_end);
        self.cursor = self.start;
        self.stage = Stage::BadTacticals;
    }

    /// Returns the best remaining move, the first of equals. One step of a selection sort, because few moves
    /// are needed.
    #[inline]
    fn select(&mut self, moves: &mut Moves) -> Option<Move> {
        let m = moves.select(self.first, self.cursor)?;
        self.cursor += 1;
        Some(m)
    }

    /// Returns the next remaining move.
    #[inline]
    fn take(&mut self, moves: &Moves) -> Option<Move> {
        let m = moves.get(self.cursor)?;
        self.cursor += 1;
        Some(m)
    }
}

/// What the scores of quiet moves depend on.
struct Rater<'h> {
    quiets: Quiets<'h>,
    /// For each role, the squares on which it attacks the opponent's king.
    checking: [Bitboard; 6],
    threats: Threats,
    /// The index of the first quiet move.
    first: usize,
}

impl Rater<'_> {
    /// Adds the quiet moves of all pieces of a `role`, except castling. Inlined with a constant role, so that
    /// only the code for that role remains.
    #[inline(always)]
    fn add_all(&self, legality: &Legality<'_>, role: Role, moves: &mut Moves) {
        for from in legality.movers(role) {
            let squares = legality.quiets_of(role, from);
            if squares.any() {
                self.add(role, from, squares, moves);
            }
        }
    }

    /// Adds the quiet moves of the `role` on `from` to `squares`.
    #[inline(always)]
    fn add(&self, role: Role, from: Square, squares: Bitboard, moves: &mut Moves) {
        let (histories, checks) = (self.quiets.of_piece(role, from), self.checking[role as usize - 1]);
        let (danger, weight) = (self.threats.by_lesser_than(role), danger_weight(role));
        let escape = if danger.contains(from) { weight } else { 0 };
        for to in squares {
            let m = Move::Normal { role, from, capture: None, to, promotion: None };
            let move_history = histories.move_history(to);
            let check = if checks.contains(to) { quiet_check_bonus() } else { 0 };
            let exposure = if danger.contains(to) { weight } else { 0 };
            moves.push(self.first, m, move_history.total + escape + check - exposure, move_history);
        }
    }
}

/// The squares on which a capture may win at least `gain` centipawns: all squares if the capture may also
/// promote.
fn worth_at_least(position: &Position, gain: Value) -> Bitboard {
    let board = position.chess().board();
    let us = position.turn();
    let seventh = Bitboard::from_rank(us.fold_wb(Rank::Seventh, Rank::Second));
    if gain <= material_value(Role::Pawn) || (board.pawns() & board.by_color(us) & seventh).any() {
        return Bitboard::FULL;
    }
    let worthy = |role: &Role| material_value(*role) >= gain;
    Role::ALL.into_iter().filter(worthy).fold(Bitboard::EMPTY, |squares, role| squares | board.by_role(role))
}

/// How much it counts in the order of quiet moves that a `role` is on a square that a lesser piece attacks.
fn danger_weight(role: Role) -> i32 {
    match role {
        Role::Knight | Role::Bishop => danger_bonus(),
        Role::Rook => danger_bonus() * 3 / 2,
        Role::Queen => danger_bonus() * 2,
        Role::Pawn | Role::King => 0,
    }
}

/// Most valuable victim first, then least valuable attacker.
fn tactical_rank(m: Move) -> i32 {
    const VICTIM_WEIGHT: i32 = 32;
    material_gain(m) * VICTIM_WEIGHT - m.role() as i32
}

#[cfg(test)]
mod tests;
