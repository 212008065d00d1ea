//! What a search keeps for each ply of the line it is looking at.

use arrayvec::ArrayVec;
use shakmaty::Move;

use super::history::Played;
use crate::{
    position::PackedMove,
    value::{MAX_PLY, Value},
};

/// A variation.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// The state of one ply.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    /// The static evaluation at this ply, corrected by experience; `None` in check.
    pub(super) static_eval: Option<Value>,
    /// Quiet moves that caused a cut-off at this ply in a sibling, the latest first.
    pub(super) killers: [Option<PackedMove>; 2],
    /// The move that leads on from this ply.
    pub(super) played: Played,
    /// How many children of this ply's node have failed high one after the other, that is how bad its moves are.
    pub(super) cut_offs: u32,
}

impl Frame {
    /// Forgets the last search.
    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }

    pub(super) fn remember_killer(&mut self, m: Move) {
        let killer = PackedMove::new(m);
        if self.killers[0] != killer {
            self.killers = [killer, self.killers[0]];
        }
    }
}

/// The frames of a line, one more than the longest line can reach.
pub(super) fn stack() -> Vec<Frame> {
    vec![Frame::default(); MAX_PLY + 2]
}

/// The principal variations, from each ply on. Only nodes of an open window have one; what lies at the plies of others is
/// left over. They are kept apart from the frames, which every node uses and which are therefore to be small.
#[derive(Debug)]
pub(super) struct Variations(Vec<Line>);

impl Default for Variations {
    fn default() -> Self {
        Self(vec![Line::new(); MAX_PLY + 2])
    }
}

impl Variations {
    /// The variation from `ply` on.
    pub(super) fn at(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }

    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Makes `m`, then the variation from the next ply on, that of `ply`.
    pub(super) fn extend(&mut self, ply: usize, m: Move) {
        let [parent, child] = &mut self.0[ply..ply + 2] else { return };
        parent.clear();
        parent.push(m);
        let room = parent.remaining_capacity();
        parent.extend(child.iter().copied().take(room));
    }
}
