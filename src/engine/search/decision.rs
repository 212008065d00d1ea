//! What becomes of a move of a node: it is skipped, ends the node, or is searched to some depth.
//!
//! This is the only place where extensions and reductions meet the pruning of single moves. The pruning of
//! all remaining quiet moves comes before it, when none of them has been picked
//! (`skip_quiets` in `pruning.rs`): late-move pruning and futility.

use super::{
    extensions::Extension,
    node::{Node, NodeKind},
    params::deeper_margin,
    picker::Candidate,
    watcher::Watcher,
    worker::Worker,
};
use crate::{chess::value::Value, engine::eval::Evaluator};

/// What becomes of a move.
pub(super) enum Decision {
    /// It is not searched.
    Skip,
    /// The node ends with this value, or the search is over.
    CutOff(Value),
    /// It is searched this deep.
    Search(Depths),
}

/// How deep a move is searched, in plies after it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Depths {
    /// The depth of the searches that follow the scout if it exceeds alpha.
    full: i32,
    /// How much less deep the scout is, the first search with a zero window; not positive if there is none.
    reduction: i32,
}

impl Depths {
    /// The scout's depth and the full depth; they are the same if there is no scout. A move that gives check
    /// is reduced a ply less.
    #[inline]
    pub(super) fn scout_and_full(self, gives_check: bool) -> (i32, i32) {
        let spared = i32::from(gives_check && self.reduction > 0);
        (self.full - (self.reduction - spared).min(self.full - 1).max(0), self.full)
    }

    /// The full depth after a scout that exceeded alpha: if its `value` is far above the `best` so far, the
    /// next search is worth another ply.
    pub(super) fn after_scout(self, value: Value, best: Value) -> i32 {
        self.full + i32::from(value > best + deeper_margin())
    }
}

impl<E: Evaluator, W: Watcher> Worker<'_, E, W> {
    /// Decides what becomes of a move of `node`. `is_safe`: others may be skipped
    /// ([`Found::is_safe`](super::negamax::Found::is_safe)).
    #[inline]
    pub(super) fn decide<N: NodeKind>(
        &mut self,
        node: &Node,
        candidate: Candidate,
        is_safe: bool,
    ) -> Decision {
        let Candidate { m, good, .. } = candidate;
        if is_safe && !good && self.not_worth_it::<N>(node, candidate) {
            return Decision::Skip;
        }
        let extension = match self.extension::<N>(node, m) {
            Extension::Plies(plies) => plies,
            Extension::CutOff(value) => return Decision::CutOff(value),
        };
        let reduction = if good { 0 } else { self.reduction::<N>(node, candidate) };
        // A very good history adds a ply to a move that is not extended.
        let full = node.depth - 1 + extension + i32::from(reduction < 0 && extension == 0);
        Decision::Search(Depths { full, reduction })
    }
}
