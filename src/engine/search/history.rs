//! History tables: statistics on which moves caused cut-offs, independent of the position.
//!
//! All tables consist of [`HistoryValue`]s. They are kept between searches, because the next move of the game
//! leads to similar positions, and are cleared for a new game.
//!
//! The pawn history is known from Stockfish.
//!
//! Reference: J. Schaeffer, "The History Heuristic and Alpha-Beta Search Enhancements in Practice", 1989; the
//! saturating update is chessprogramming.org's "History Bonuses" (gravity).

use std::num::NonZeroU16;

use shakmaty::{Bitboard, Color, Move, Role, Square};

use super::Techniques;
use super::history_value::{HistoryValue, MoveRow, RecentMoves, arrival, squares};
use super::params::{history_bonus, history_bonus_limit, history_malus, history_malus_limit};
use crate::chess::position::{Threats, is_tactical};

/// What the history of a quiet move depends on, besides the move and its side.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Context {
    pub(super) recent: RecentMoves,
    /// The squares that the opponent attacks.
    pub(super) threats: Threats,
    /// The slot of the pawn structure in the pawn history.
    pub(super) pawns: PawnSlot,
}

/// The slot of a pawn structure in the pawn history.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PawnSlot(NonZeroU16);

impl PawnSlot {
    const SLOTS: usize = 512;

    /// Returns the slot of the pawn structure with `key`. Other structures may have the same one.
    #[inline]
    pub(super) fn new(key: u64) -> Self {
        // Slots count from 1, so that an optional `Context` takes no more memory than a `Context`.
        Self(NonZeroU16::MIN.saturating_add((key % Self::SLOTS as u64) as u16))
    }

    #[inline]
    fn index(self) -> usize {
        usize::from(self.0.get()) - 1
    }
}

impl Default for PawnSlot {
    /// Returns the slot of the key 0.
    fn default() -> Self {
        Self::new(0)
    }
}

/// The history of a quiet move after another move, by moving role and to-square.
type AfterMove = [[HistoryValue; 64]; 6];

/// The histories of quiet moves after all moves.
type ContinuationHistory = Box<[AfterMove; MoveRow::ROWS]>;

/// The history of the quiet moves from a square: by whether the opponent attacks it, by to-square, and by
/// whether the opponent attacks that one. A piece that escapes an attack has another history than one that
/// leaves a safe square.
type FromSquareHistory = [[[HistoryValue; 2]; 64]; 2];

/// The histories of one thread.
#[derive(Clone, Debug)]
pub(super) struct Histories {
    /// What the order of moves uses. A table that is switched off learns nothing and stays empty.
    pub(super) techniques: Techniques,
    /// By side and from-square.
    quiet_history: Box<[[FromSquareHistory; 64]; 2]>,
    /// By side, moving role, to-square and captured role (0 when a promotion captures nothing).
    capture_history: Box<[[[[HistoryValue; 7]; 64]; 6]; 2]>,
    /// Continuation history: by the opponent's last move.
    continuation_1: ContinuationHistory,
    /// Continuation history: by one's own move two or four plies ago.
    continuation_2: ContinuationHistory,
    /// Pawn history: by pawn structure, side, moving role and to-square. Similar plans succeed in the same
    /// structure.
    pawn_history: Box<[[AfterMove; 2]; PawnSlot::SLOTS]>,
}

impl Default for Histories {
    fn default() -> Self {
        let continuation = || -> ContinuationHistory {
            vec![[[HistoryValue::default(); 64]; 6]; MoveRow::ROWS].try_into().expect("as many rows")
        };
        Self {
            techniques: Techniques::ALL,
            quiet_history: Box::new([[[[[HistoryValue::default(); 2]; 64]; 2]; 64]; 2]),
            capture_history: Box::new([[[[HistoryValue::default(); 7]; 64]; 6]; 2]),
            continuation_1: continuation(),
            continuation_2: continuation(),
            pawn_history: vec![[[[HistoryValue::default(); 64]; 6]; 2]; PawnSlot::SLOTS]
                .try_into()
                .expect("as many slots"),
        }
    }
}

/// The bonus of a move that causes a cut-off in a search of `depth` plies.
pub(super) fn bonus(depth: i32) -> i32 {
    (history_bonus() * depth).min(history_bonus_limit())
}

/// The malus of a move that was searched without a cut-off in a search of `depth` plies.
pub(super) fn malus(depth: i32) -> i32 {
    (history_malus() * depth).min(history_malus_limit())
}

impl Histories {
    /// Returns the histories for the quiet moves of `us` in `context`.
    #[inline]
    pub(super) fn quiets(&self, us: Color, context: Context) -> Quiets<'_> {
        let RecentMoves([ply_1, ply_2, ply_4]) = context.recent;
        Quiets {
            threats: context.threats.all(),
            quiet_history: &self.quiet_history[us as usize],
            ply_1: &self.continuation_1[ply_1.row()],
            ply_2: &self.continuation_2[ply_2.row()],
            ply_4: &self.continuation_2[ply_4.row()],
            pawns: &self.pawn_history[context.pawns.index()][us as usize],
        }
    }

    pub(super) fn update_quiet(&mut self, us: Color, context: Context, m: Move, bonus: i32) {
        self.update_from_to(us, context.threats.all(), m, bonus);
        self.update_continuation(context.recent, m, bonus);
        if self.techniques.pawn_history {
            let (role, to) = arrival(m);
            self.pawn_history[context.pawns.index()][us as usize][role][to].update(bonus);
        }
    }

    /// Updates only the part of the history that does not depend on earlier moves.
    pub(super) fn update_from_to(&mut self, us: Color, threats: Bitboard, m: Move, bonus: i32) {
        if self.techniques.quiet_history {
            let (from, to) = squares(m);
            let attacked = |square| usize::from(threats.contains(square));
            let of_square = &mut self.quiet_history[us as usize][usize::from(from)];
            of_square[attacked(from)][usize::from(to)][attacked(to)].update(bonus);
        }
    }

    pub(super) fn update_continuation(
        &mut self,
        RecentMoves([ply_1, ply_2, ply_4]): RecentMoves,
        m: Move,
        bonus: i32,
    ) {
        if !self.techniques.continuation_history {
            return;
        }
        let (role, to) = arrival(m);
        self.continuation_1[ply_1.row()][role][to].update(bonus);
        self.continuation_2[ply_2.row()][role][to].update(bonus);
        self.continuation_2[ply_4.row()][role][to].update(bonus / 2);
    }

    /// The history of move `m` of `us` in `context`.
    pub(super) fn move_history(&self, us: Color, context: Context, m: Move) -> MoveHistory {
        if is_tactical(m) { self.capture(us, m) } else { self.quiets(us, context).move_history(m) }
    }

    /// The history of a capture or promotion of `us`.
    #[inline]
    pub(super) fn capture(&self, us: Color, m: Move) -> MoveHistory {
        let (role, to, victim) = exchange(m);
        self.captures(us, role).move_history(to, victim)
    }

    /// The histories for the captures of `us` by `role`.
    #[inline(always)]
    pub(super) fn captures(&self, us: Color, role: Role) -> Captures<'_> {
        Captures(&self.capture_history[us as usize][role as usize - 1])
    }

    pub(super) fn update_capture(&mut self, us: Color, m: Move, bonus: i32) {
        if self.techniques.capture_history {
            let (role, to, victim) = exchange(m);
            let values = &mut self.capture_history[us as usize][role as usize - 1][usize::from(to)];
            values[victim.map_or(0, usize::from)].update(bonus);
        }
    }
}

/// The history values of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveHistory {
    /// The sum of all histories of the move.
    pub(super) total: i32,
    /// The part of `history` that depends on the moves before it; 0 for tactical moves.
    pub(super) continuation: i32,
}

/// The rows of the tables that are the same for all quiet moves of a node.
#[derive(Clone, Copy, Debug)]
pub(super) struct Quiets<'h> {
    threats: Bitboard,
    quiet_history: &'h [FromSquareHistory; 64],
    ply_1: &'h AfterMove,
    ply_2: &'h AfterMove,
    ply_4: &'h AfterMove,
    pawns: &'h AfterMove,
}

impl<'h> Quiets<'h> {
    /// The rows of the tables that are the same for all moves of the piece `role` on `from`.
    #[inline(always)]
    pub(super) fn of_piece(self, role: Role, from: Square) -> PieceQuiets<'h> {
        let of_role = |table: &'h AfterMove| &table[role as usize - 1];
        PieceQuiets {
            threats: self.threats,
            quiet_history: &self.quiet_history[usize::from(from)][usize::from(self.threats.contains(from))],
            ply_1: of_role(self.ply_1),
            ply_2: of_role(self.ply_2),
            ply_4: of_role(self.ply_4),
            pawns: of_role(self.pawns),
        }
    }

    pub(super) fn move_history(self, m: Move) -> MoveHistory {
        let (from, to) = squares(m);
        self.of_piece(m.role(), from).move_history(to)
    }
}

/// The rows of the tables that are the same for all quiet moves of a piece.
#[derive(Clone, Copy, Debug)]
pub(super) struct PieceQuiets<'h> {
    threats: Bitboard,
    /// By to-square, and by whether the opponent attacks it.
    quiet_history: &'h [[HistoryValue; 2]; 64],
    ply_1: &'h [HistoryValue; 64],
    ply_2: &'h [HistoryValue; 64],
    ply_4: &'h [HistoryValue; 64],
    pawns: &'h [HistoryValue; 64],
}

impl PieceQuiets<'_> {
    /// The history of the move to `to`.
    #[inline(always)]
    pub(super) fn move_history(&self, to: Square) -> MoveHistory {
        let attacked = usize::from(self.threats.contains(to));
        let to = usize::from(to);
        let continuation = self.ply_1[to].get() + self.ply_2[to].get() + (self.ply_4[to].get() >> 1);
        MoveHistory {
            total: self.quiet_history[to][attacked].get() + self.pawns[to].get() + continuation,
            continuation,
        }
    }
}

/// The histories of the captures and promotions of one role.
#[derive(Clone, Copy, Debug)]
pub(super) struct Captures<'h>(&'h [[HistoryValue; 7]; 64]);

impl Captures<'_> {
    /// The history of the move to `to` that captures `victim`, if it captures.
    #[inline(always)]
    pub(super) fn move_history(self, to: Square, victim: Option<Role>) -> MoveHistory {
        let value = self.0[usize::from(to)][victim.map_or(0, usize::from)];
        MoveHistory { total: value.get(), continuation: 0 }
    }
}

/// The moving role, the to-square and the captured role of a capture or promotion.
#[inline]
fn exchange(m: Move) -> (Role, Square, Option<Role>) {
    match m {
        Move::Normal { role, capture, to, .. } => (role, to, capture),
        _ => (Role::Pawn, m.to(), Some(Role::Pawn)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::position::Position;

    #[test]
    fn a_quiet_move_is_known_by_what_was_played_before_it() {
        let normal = |role, from, to| Move::Normal { role, from, capture: None, to, promotion: None };
        let theirs = MoveRow::new(Color::Black, normal(Role::Knight, Square::G8, Square::F6));
        let ours = MoveRow::new(Color::White, normal(Role::Pawn, Square::E2, Square::E4));
        let push = normal(Role::Pawn, Square::E4, Square::E5);
        let after = |moves| Context { recent: RecentMoves(moves), ..Context::default() };
        let mut histories = Histories::default();
        let long_ago = MoveRow::new(Color::White, normal(Role::Pawn, Square::D2, Square::D4));
        histories.update_quiet(Color::White, after([theirs, ours, long_ago]), push, 1000);
        let known = |moves| histories.quiets(Color::White, after(moves)).move_history(push).total;
        let anywhere = known([MoveRow::default(); 3]);
        assert_eq!(anywhere, 2000, "from quiet history and pawn history");
        assert!(known([theirs, MoveRow::default(), MoveRow::default()]) > anywhere);
        assert!(known([MoveRow::default(), ours, MoveRow::default()]) > anywhere);
        assert_eq!(known([ours, theirs, MoveRow::default()]), anywhere, "an answer is not a plan");
        let black_in_its_place = MoveRow::new(Color::Black, normal(Role::Pawn, Square::E2, Square::E4));
        assert_eq!(known([MoveRow::default(), black_in_its_place, MoveRow::default()]), anywhere);
    }

    #[test]
    fn a_quiet_move_is_known_by_the_pawns() {
        let m = Move::Normal {
            role: Role::Knight,
            from: Square::C3,
            capture: None,
            to: Square::D5,
            promotion: None,
        };
        let among = |key| Context { pawns: PawnSlot::new(key), ..Context::default() };
        let techniques = Techniques { quiet_history: false, continuation_history: false, ..Techniques::ALL };
        let mut histories = Histories { techniques, ..Histories::default() };
        histories.update_quiet(Color::White, among(7), m, 1000);
        let known = |us, key| histories.quiets(us, among(key)).move_history(m);
        assert_eq!(known(Color::White, 7), MoveHistory { total: 1000, continuation: 0 });
        assert_eq!(known(Color::White, 8).total, 0, "other pawns");
        assert_eq!(known(Color::Black, 7).total, 0, "the other side");
    }

    #[test]
    fn a_quiet_move_is_known_by_the_attacks_that_it_escapes_or_meets() {
        let m = Move::Normal {
            role: Role::Knight,
            from: Square::C3,
            capture: None,
            to: Square::E4,
            promotion: None,
        };
        // Rooks on c8 and e8 attack the two squares; the knight does not stand in their way.
        let attacked_by = |rooks: &str| {
            let position = Position::from_fen(&format!("{rooks}/8/8/8/8/8/8/K6k w - - 0 1")).unwrap();
            Context { threats: position.threats(), ..Context::default() }
        };
        let mut histories = Histories::default();
        histories.update_from_to(Color::White, Bitboard::from(Square::C3), m, 1000);
        let known = |rooks| histories.quiets(Color::White, attacked_by(rooks)).move_history(m).total;
        assert_eq!(["2r5", "8", "4r3", "2r1r3"].map(known), [1000, 0, 0, 0]);
        assert_eq!(known("2r3r1"), 1000, "other attacks do not matter");
    }
}
