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
    /// The principal variation from this ply on.
    pub(super) pv: Line,
}

impl Frame {
    /// Forgets the last search.
    pub(super) fn reset(&mut self) {
        let Self { static_eval, killers, played, cut_offs, pv } = self;
        (*static_eval, *killers, *played, *cut_offs) = Default::default();
        pv.clear();
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

/// Makes `m`, then what `frames[ply + 1]` found, the principal variation of `ply`.
pub(super) fn extend_pv(frames: &mut [Frame], ply: usize, m: Move) {
    let [parent, child] = &mut frames[ply..ply + 2] else { return };
    parent.pv.clear();
    parent.pv.push(m);
    let room = parent.pv.remaining_capacity();
    parent.pv.extend(child.pv.iter().copied().take(room));
}
