//! The endgame tables in the search: they rank the root moves here; nodes of the tree probe them in
//! `negamax.rs`.
//!
//! ```text
//!  at the root     every move is ranked by the tables and the counter of the fifty-move rule; only the best
//!                  are searched, and worse ones only for further lines of multi-PV
//!  in the tree     a position just after a capture or pawn move gets its value from the tables; others are
//!                  searched as usual, so that the counter is always right
//! ```
//!
//! A root that is ranked with distances needs no tables in its tree: all remaining moves keep the result, and
//! the search can look for the mate. Without distances (no DTZ tables) the tree keeps probing if there is
//! something to win. Otherwise nothing would lead the search to the next capture or pawn move.
//!
//! A win by tables is worth less than any mate and more than any evaluation, and more the sooner it is
//! reached. It is a lower bound, not an exact value, because a mate follows. This matters on the principal
//! variation, where the search continues.

use std::{
    cmp::Reverse,
    sync::Arc,
    time::{Duration, Instant},
};

use shakmaty::{Move, Position as _};

use crate::chess::{
    position::Position,
    syzygy::{Circumstances, Probe, Prospect, Rank, Wdl, result_under},
    value::{DRAW, TABLE_WIN, Value},
};

/// Endgame tables and how to use them.
#[derive(Clone, Debug)]
pub struct Tablebases {
    /// The tables, if there are any.
    pub probe: Option<Arc<dyn Probe>>,
    /// The minimum depth for probing positions with the maximum number of pieces. Those with fewer are probed
    /// at any depth.
    pub depth: i32,
    /// The maximum number of pieces; positions with more are not probed.
    pub limit: usize,
    /// Whether wins that the fifty-move rule prevents are draws.
    pub fifty_moves: bool,
}

impl Default for Tablebases {
    /// Returns settings without tables.
    fn default() -> Self {
        Self { probe: None, depth: 1, limit: 7, fifty_moves: true }
    }
}

/// The time for probing the root regardless of the clock: an immediate stop must not lose a won game. Probing
/// takes longer only on a slow disk.
const GRACE: Duration = Duration::from_millis(5);

/// What may be probed in the tree.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct InTree<'t> {
    probe: Option<&'t dyn Probe>,
    /// The maximum number of pieces; 0 if nothing may be probed.
    pub(super) pieces: usize,
    depth: i32,
    fifty_moves: bool,
}

impl<'t> InTree<'t> {
    /// The tables that give the value of `position`, which is searched `depth` plies; `None` if it is
    /// searched as usual.
    #[inline]
    pub(super) fn for_node(&self, position: &Position, depth: i32) -> Option<&'t dyn Probe> {
        let probe = self.probe?;
        let (men, chess) = (men(position), position.chess());
        let deep_enough = men < self.pieces || (men == self.pieces && depth >= self.depth);
        (deep_enough && position.halfmoves() == 0 && !chess.castles().any()).then_some(probe)
    }

    /// The value of `result` at `ply`.
    pub(super) fn value(&self, result: Wdl, ply: usize) -> Value {
        value(result_under(result, self.fifty_moves), ply)
    }
}

/// The result of probing the root.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct RootProbe<'t> {
    /// What may be probed below the root.
    pub(super) in_tree: InTree<'t>,
    /// The number of positions found.
    pub(super) hits: u64,
}

/// A root move that may be played, before the search.
#[derive(Clone, Copy, Debug)]
pub(super) struct RankedMove {
    pub(super) m: Move,
    /// Its rank by the endgame tables, if they know all root moves.
    pub(super) table_rank: Option<TableRank>,
}

impl RankedMove {
    pub(super) fn new(m: Move) -> Self {
        Self { m, table_rank: None }
    }
}

/// The rank of a root move by the endgame tables.
#[derive(Clone, Copy, Debug)]
pub(super) struct TableRank {
    pub(super) rank: Rank,
    /// The value of the result.
    pub(super) value: Value,
}

impl Tablebases {
    /// Ranks `roots`, all root moves of `position` that may be played, and sorts them, best first. They
    /// remain unchanged if the tables do not know all of them, or if `enough` returns true after [`GRACE`].
    pub(super) fn rank(
        &self,
        position: &Position,
        roots: &mut [RankedMove],
        must_end: &dyn Fn() -> bool,
    ) -> RootProbe<'_> {
        let Some(probe) = self.probe.as_deref() else { return RootProbe::default() };
        let pieces = probe.pieces().min(self.limit);
        let in_tree = InTree { probe: Some(probe), pieces, depth: self.depth, fifty_moves: self.fifty_moves };
        if men(position) > pieces || position.chess().castles().any() {
            return RootProbe { in_tree, hits: 0 };
        }
        let begun = Instant::now();
        let too_long = || begun.elapsed() >= GRACE && must_end();
        let of = |root: &RankedMove| Prospect::of(probe, position, root.m, self.fifty_moves);
        let prospect = |root: &RankedMove| (!too_long()).then(|| of(root))?;
        let Some(mut prospects) = roots.iter().map(prospect).collect::<Option<Vec<_>>>() else {
            return RootProbe { in_tree, hits: 0 };
        };
        // Distances are compared only if all are known.
        let measured = prospects.iter().all(|prospect| prospect.dtz.is_some());
        let circumstances = Circumstances::of(position, self.fifty_moves);
        for (root, prospect) in roots.iter_mut().zip(&mut prospects) {
            prospect.dtz = prospect.dtz.filter(|_| measured);
            let rank = prospect.rank(circumstances);
            root.table_rank = Some(TableRank { rank, value: value(rank.wdl(), 0) });
        }
        roots.sort_by_key(|root| Reverse(root.table_rank.map(|table_rank| table_rank.rank)));
        let to_win = roots.first().and_then(|root| root.table_rank).is_some_and(|best| best.value > DRAW);
        let in_tree = if measured || !to_win { InTree::default() } else { in_tree };
        RootProbe { in_tree, hits: roots.len() as u64 }
    }

    /// The problems of the tables since the last call.
    pub(super) fn problems(&self) -> Vec<String> {
        self.probe.as_ref().map_or_else(Vec::new, |probe| probe.problems())
    }
}

/// The value of a result at `ply`.
fn value(result: Wdl, ply: usize) -> Value {
    match result {
        Wdl::Win => TABLE_WIN - ply as Value,
        Wdl::CursedWin | Wdl::Draw | Wdl::BlessedLoss => DRAW,
        Wdl::Loss => -TABLE_WIN + ply as Value,
    }
}

fn men(position: &Position) -> usize {
    position.chess().board().occupied().count()
}

#[cfg(test)]
mod tests {
    use shakmaty::Chess;

    use super::*;
    use crate::chess::syzygy::{Dtz, MaybeRounded};

    /// A prober that gives every position this result and this distance.
    #[derive(Debug)]
    struct Always(Wdl, Option<i32>);

    impl Probe for Always {
        fn pieces(&self) -> usize {
            5
        }

        fn wdl(&self, _: &Chess) -> Option<Wdl> {
            std::thread::sleep(Duration::from_millis(1)); // simulates a slow disk
            Some(self.0)
        }

        fn dtz(&self, _: &Chess) -> Option<MaybeRounded<Dtz>> {
            self.1.map(|plies| MaybeRounded::Precise(Dtz(plies)))
        }
    }

    /// The ranked moves of `fen`, and what may be probed below them.
    fn ranked(fen: &str, always: Always, limit: usize, stopped: bool) -> (Vec<RankedMove>, usize, u64) {
        let tablebases = Tablebases { probe: Some(Arc::new(always)), limit, ..Tablebases::default() };
        let position = Position::from_fen(fen).unwrap();
        let mut roots: Vec<_> = position.legal_moves().into_iter().map(RankedMove::new).collect();
        let probe = tablebases.rank(&position, &mut roots, &|| stopped);
        (roots, probe.in_tree.pieces, probe.hits)
    }

    const QUEEN: &str = "8/8/8/8/8/4k3/8/Q2K4 w - - 4 80";

    #[test]
    fn the_tree_is_left_alone_where_the_root_knows_all() {
        let (roots, in_tree, hits) = ranked(QUEEN, Always(Wdl::Loss, Some(-9)), 7, false);
        assert!(roots.iter().all(|root| root.table_rank.is_some()));
        assert_eq!((in_tree, hits), (0, roots.len() as u64));
        let (roots, in_tree, _) = ranked(QUEEN, Always(Wdl::Loss, None), 7, false);
        assert!(roots.iter().all(|root| root.table_rank.is_some()));
        assert_eq!(in_tree, 5, "without distances there must be something to make for");
        assert_eq!(ranked(QUEEN, Always(Wdl::Draw, None), 7, false).1, 0, "where there is something to win");
    }

    #[test]
    fn what_cannot_be_ranked_stays_as_it_is() {
        let castling = "4k3/8/8/8/8/8/8/4K2R w K - 0 1";
        let all = || Always(Wdl::Loss, Some(-9));
        for (fen, limit, stopped, in_tree) in
            [(QUEEN, 7, true, 5), (QUEEN, 2, false, 2), (QUEEN, 0, false, 0), (castling, 7, false, 5)]
        {
            let (roots, tree, hits) = ranked(fen, all(), limit, stopped);
            assert!(roots.iter().all(|root| root.table_rank.is_none()), "{fen} {limit} {stopped}");
            assert_eq!((tree, hits), (in_tree, 0), "{fen} {limit} {stopped}");
        }
    }
}
