//! The state that a search keeps for each ply of the current line.

use arrayvec::ArrayVec;
use shakmaty::Move;

use super::history::{Context, Played, Recent};
use crate::value::{MAX_PLY, Value};

/// A variation.
pub(super) type Line = ArrayVec<Move, MAX_PLY>;

/// The state of one ply.
#[derive(Clone, Debug, Default)]
pub(super) struct Frame {
    /// The corrected static evaluation at this ply; `None` in check.
    pub(super) static_eval: Option<Value>,
    /// The move played at this ply, if it is quiet.
    pub(super) quiet: Option<Move>,
    /// The number of the move played at this ply in the order of its node, from 1; only in the main search.
    pub(super) count: u16,
    /// The late-move reduction of the move played at this ply, in plies; 0 while it is searched to full depth.
    pub(super) reduction: i32,
    /// What the histories of the quiet moves at this ply depend on; `None` if not yet computed.
    pub(super) context: Option<Context>,
    /// The number of nodes at this ply that have failed high since the node two plies above was entered: a measure of how
    /// bad the moves that lead to this ply are.
    pub(super) cut_offs: u32,
}

const _: () = assert!(size_of::<Frame>() == 64, "a power of two, so that frames are quick to find");

impl Frame {
    /// Clears the frame of the last search.
    pub(super) fn reset(&mut self) {
        *self = Self::default();
    }
}

/// The moves played at the plies of the current line. The plies before the root have entries too, which are no moves, so
/// that looking back needs no conditions.
#[derive(Debug)]
pub(super) struct MovesPlayed([Played; Self::BEFORE_ROOT + MAX_PLY + 2]);

impl Default for MovesPlayed {
    fn default() -> Self {
        Self([Played::default(); Self::BEFORE_ROOT + MAX_PLY + 2])
    }
}

impl MovesPlayed {
    /// How far a [`Recent`] looks back.
    const BEFORE_ROOT: usize = 4;

    /// Records the move played at `ply`.
    #[inline]
    pub(super) fn set(&mut self, ply: usize, played: Played) {
        self.0[Self::BEFORE_ROOT + ply] = played;
    }

    /// The moves that led to the node at `ply`.
    #[inline]
    pub(super) fn before(&self, ply: usize) -> Recent {
        // No node is deeper. The compiler then knows that no index is out of bounds.
        let here = Self::BEFORE_ROOT + ply.min(MAX_PLY + 1);
        Recent([self.0[here - 1], self.0[here - 2], self.0[here - 4]])
    }
}

/// The frames of a line, one more than the longest line reaches.
pub(super) type Frames = [Frame; MAX_PLY + 2];

/// Returns the frames of a line.
pub(super) fn stack() -> Box<Frames> {
    vec![Frame::default(); MAX_PLY + 2].try_into().expect("as many frames")
}

/// The principal variations, from each ply on. Only nodes with an open window set theirs; the variations at the plies
/// of other nodes are stale. They are separate from the frames, which every node uses and which must stay small.
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

    /// Sets the variation of `ply` to `m` followed by the variation of the next ply.
    pub(super) fn extend(&mut self, ply: usize, m: Move) {
        let [parent, child] = &mut self.0[ply..ply + 2] else { return };
        parent.clear();
        parent.push(m);
        let room = parent.remaining_capacity();
        parent.extend(child.iter().copied().take(room));
    }
}
