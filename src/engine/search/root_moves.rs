//! The root moves: their order and their results.
//!
//! The result of a root move, exact or a bound, is stored with the move and its depth. If a search ends in
//! the middle of an iteration, all results of that iteration are therefore available.

use std::{cmp::Reverse, ops::Range};

use shakmaty::{Move, Position as _};

use super::{
    Report,
    node::Line,
    tablebase::{RankedMove, TableRank},
};
use crate::{
    chess::{
        position::{Legality, Position},
        syzygy::Rank,
        value::{DRAW, INFINITE, MATE, Value, is_mate},
    },
    engine::{
        eval::endgame::bare_king_draws,
        tt::{Bound, Entry, Table},
    },
};

/// A root move and its results.
#[derive(Clone, Debug)]
pub(super) struct RootMove {
    pub(super) m: Move,
    /// The sort key: the value in the last search of the root, or −INFINITE if the move was only proved to be
    /// no better than another.
    pub(super) value: Value,
    /// Nodes spent on it in this search.
    pub(super) nodes: u64,
    /// Its rank by the endgame tables, if they know all root moves.
    pub(super) table_rank: Option<TableRank>,
    /// Its latest result. Boxed, because root moves are sorted often and a variation is large.
    pub(super) result: Option<Box<MoveResult>>,
}

/// A result of the search for a root move.
#[derive(Clone, Debug)]
pub(super) struct MoveResult {
    /// The iteration that found it.
    pub(super) depth: u32,
    pub(super) seldepth: usize,
    pub(super) value: Value,
    pub(super) bound: Bound,
    /// The variation, which begins with the move.
    pub(super) pv: Line,
}

/// A mate from the root that an earlier search has proved.
#[derive(Debug)]
pub(super) struct ProvedMate {
    value: Value,
    /// The line to the mate.
    pv: Line,
}

impl ProvedMate {
    /// The mate from the root `position` that `table` still has with its whole line, unless a repetition or
    /// the fifty-move rule can prevent it.
    pub(super) fn of(table: &Table, position: &Position) -> Option<Self> {
        let Entry { value, bound, .. } = table.probe(position.table_key(), 0)?;
        let plies = MATE - value;
        let is_proof = matches!(bound, Some(Bound::Exact | Bound::Lower)) && is_mate(value);
        if !is_proof || plies + position.halfmoves() as Value > 100 {
            return None;
        }
        let (mut after, mut pv) = (position.clone(), Line::new());
        for ply in 1..=plies as usize {
            let m = expected_move(table, &after)?;
            after.play(m);
            pv.push(m);
            if after.is_repetition(ply) {
                return None;
            }
        }
        after.is_checkmate().then_some(Self { value, pv })
    }
}

/// The table move of `position`.
pub(super) fn expected_move(table: &Table, position: &Position) -> Option<Move> {
    Legality::of(position).unpack(table.probe(position.table_key(), 1)?.m?)
}

impl RootMove {
    pub(super) fn new(RankedMove { m, table_rank }: RankedMove) -> Self {
        Self { m, value: -INFINITE, nodes: 0, table_rank, result: None }
    }

    /// The rank of the move by the endgame tables; all ranks are equal if the tables do not know all moves.
    pub(super) fn rank(&self) -> Option<Rank> {
        self.table_rank.map(|table_rank| table_rank.rank)
    }

    /// The value of the move by the endgame tables, unless `value` of the search is a mate that agrees with
    /// them.
    pub(super) fn known(&self, value: Value) -> Option<Value> {
        let known = self.table_rank?.value;
        (!is_mate(value) || known.signum() != value.signum()).then_some(known)
    }

    /// The result of iteration `depth` for the move.
    pub(super) fn found_at(&self, depth: u32) -> Option<&MoveResult> {
        self.result.as_deref().filter(|result| result.depth == depth)
    }
}

/// Sorts root moves, best first and stably. The rank by the endgame tables comes before the value of the
/// search.
pub(super) fn sort(moves: &mut [RootMove]) {
    moves.sort_by_key(|root| Reverse((root.rank(), root.value)));
}

/// Sorts root moves like [`sort`], and those with equal values, which are nearly all, in the order of
/// `order`.
pub(super) fn sort_others(moves: &mut [RootMove], order: &[Move]) {
    // From one iteration to the next the order changes little, so each move is found at once or soon.
    let mut rest = &mut *moves;
    for &m in order {
        if let Some(place) = rest.iter().position(|root| root.m == m) {
            rest[..=place].rotate_right(1);
            rest = &mut rest[1..];
        }
    }
    sort(moves);
}

/// The number of moves at the front that the endgame tables rank equally.
pub(super) fn equals(moves: &[RootMove]) -> usize {
    moves.iter().take_while(|root| root.rank() == moves[0].rank()).count()
}

/// What every thread searches.
#[derive(Clone, Copy)]
pub(super) struct RootPosition<'s> {
    pub(super) position: &'s Position,
    /// The moves to search, at least one, best first if an order is known.
    pub(super) moves: &'s [RankedMove],
    /// The number of lines to report.
    pub(super) multi_pv: usize,
}

/// The root moves of one thread: all that may be played, and which of them are searched now.
#[derive(Debug)]
pub(super) struct RootMoves {
    /// All of them, best first.
    pub(super) list: Vec<RootMove>,
    /// The iteration.
    pub(super) depth: u32,
    /// Whether `list` contains every legal move.
    is_complete: bool,
    /// Whether the root is drawn by its material or by the rules of pawn endings.
    is_known_draw: bool,
    /// The moves that are searched now. Those before begin lines of their own; those after are worse by the
    /// endgame tables.
    pub(super) searched: Range<usize>,
    /// The index of the move that is searched now.
    pub(super) current: usize,
    /// Nodes visited before that move.
    pub(super) nodes: u64,
}

impl RootMoves {
    /// Returns the moves of a root position, in their order.
    pub(super) fn new(RootPosition { position, moves, .. }: RootPosition<'_>) -> Self {
        let list: Vec<_> = moves.iter().copied().map(RootMove::new).collect();
        let is_complete = list.len() == position.legal_moves().len();
        let is_known_draw = position.chess().is_insufficient_material() || bare_king_draws(position);
        Self { list, depth: 0, is_complete, is_known_draw, searched: 0..0, current: 0, nodes: 0 }
    }

    /// The root move that `line` begins with.
    pub(super) fn of_line(&self, line: &Report) -> Option<&RootMove> {
        self.list.iter().find(|root| line.pv.first() == Some(&root.m))
    }

    /// Returns `line` as reported: with what the endgame tables and the rules of endings know of it.
    pub(super) fn as_reported(&self, line: &Report) -> Report {
        let root = self.of_line(line);
        let line = match root.and_then(|root| root.known(line.value)) {
            Some(value) => {
                Report { value, bound: Bound::Exact, seldepth: line.seldepth.max(1), ..line.clone() }
            }
            None => line.clone(),
        };
        let is_ranked = root.is_some_and(|root| root.table_rank.is_some());
        let is_known_draw = line.value == DRAW && (self.is_known_draw || is_ranked);
        Report { is_known_draw, ..line }
    }

    /// Begins a search of the moves from `first` on, as many as the endgame tables rank equally.
    pub(super) fn begin(&mut self, first: usize) {
        self.searched = first..first + equals(&self.list[first..]);
        for root in &mut self.list[self.searched.clone()] {
            root.value = -INFINITE;
        }
    }

    /// The moves that are searched now.
    pub(super) fn searched(&self) -> &[RootMove] {
        &self.list[self.searched.clone()]
    }

    /// Whether every legal move is searched now, so that the best of them gives the value of the position.
    pub(super) fn are_all(&self) -> bool {
        self.is_complete && self.searched == (0..self.list.len())
    }

    /// Moves the first move of `mate` to the front, if the move there is worth less and the endgame tables do
    /// not prefer it.
    pub(super) fn put_first(&mut self, mate: &ProvedMate) {
        let best = &self.list[0];
        let is_better =
            |root: &RootMove| root.m == mate.pv[0] && root.rank() == best.rank() && mate.value > best.value;
        if let Some(place) = self.list.iter().position(is_better) {
            self.current = place;
            self.record(mate.pv.len(), mate.value, Bound::Exact, &mate.pv[1..]);
            self.list[..=place].rotate_right(1);
        }
    }

    /// Stores the result of the move that is searched now; `reply` is the rest of the variation.
    pub(super) fn record(&mut self, seldepth: usize, value: Value, bound: Bound, reply: &[Move]) {
        let root = &mut self.list[self.current];
        let mut pv = Line::from_iter([root.m]);
        let room = pv.remaining_capacity();
        pv.extend(reply.iter().copied().take(room));
        root.value = value;
        root.result = Some(Box::new(MoveResult { depth: self.depth, seldepth, value, bound, pv }));
    }
}
