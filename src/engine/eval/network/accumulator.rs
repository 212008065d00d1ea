//! The accumulators of the positions along the line of play, updated move by move.
//!
//! [`push`](Accumulators::push) computes the accumulators after a move from those before it. For each side it
//! subtracts the weight rows of removed features and adds those of added features, in one pass over the
//! neurons. Each slot of the line has memory of its own, so no offsets are computed. The update does not wait
//! until a position is evaluated, although some positions never are: it runs while the processor waits for
//! the entry of the transposition table (docs/ledger.tsv has the gain).
//!
//! When a king crosses the middle of the board, the board is mirrored for its side ([`View`]), and the
//! accumulator before the move does not apply to that side. It is then computed from the last accumulator
//! refreshed with the same view, by the difference of the two boards.
//!
//! A null move does not change the board. The position after it takes the accumulators of the one before, and
//! gives them back when it is taken back.
//!
//! Reference: chessprogramming.org, "NNUE", "Accumulator" and "Finny Tables" there.

use std::{array, mem};

use shakmaty::{Board, Color, Role};

use super::{
    Lane, Network, View,
    features::{Feature, ROWS},
};
use crate::chess::position::Delta;

/// The features that a move adds (`on`) and removes (`off`).
#[derive(Clone, Copy, Debug)]
struct Change {
    on: Feature,
    off: Feature,
    also_on: Option<Feature>,
    also_off: Option<Feature>,
}

impl Change {
    #[inline(always)]
    fn of(delta: &Delta) -> Self {
        Self {
            on: Feature::of(delta.to),
            off: Feature::of(delta.from),
            also_on: delta.also_added.map(Feature::of),
            also_off: delta.also_removed.map(Feature::of),
        }
    }
}

/// A position of the line.
#[derive(Clone, Debug)]
struct Slot {
    /// The views of Black and White, in the order of [`Color`].
    views: [View; 2],
    /// Whether a null move led to the position, whose sums then belong to the position before.
    borrows: bool,
    /// The accumulator of Black, then that of White.
    sums: Box<[Lane]>,
}

/// The last accumulator refreshed with one view, and its board.
#[derive(Clone, Debug)]
struct CachedSums {
    board: Board,
    sums: Vec<Lane>,
}

/// The accumulators of a line of positions; see the module documentation.
#[derive(Clone, Debug)]
pub(super) struct Accumulators {
    /// The number of lanes that the neurons of one side take.
    lanes: usize,
    /// A slot for each position of the line, then slots of longer lines, for use again.
    slots: Vec<Slot>,
    /// The number of the last position of the line.
    last: usize,
    /// By side, and by whether the board is mirrored.
    cache: Box<[[CachedSums; 2]; 2]>,
}

impl Accumulators {
    /// Returns accumulators without a position; call [`reset`](Self::reset) first.
    pub(super) fn new(network: &Network) -> Self {
        let lanes = network.lanes();
        let empty = || CachedSums { board: Board::empty(), sums: network.biases.clone() };
        let cache = Box::new([[empty(), empty()], [empty(), empty()]]);
        Self { lanes, slots: vec![], last: 0, cache }
    }

    /// Discards all positions and begins with `root`.
    pub(super) fn reset(&mut self, network: &Network, root: &Board) {
        let views = [Color::Black, Color::White].map(|side| View::of(side, root));
        self.enter(0, views);
        for side in Color::ALL {
            self.refresh(network, side, root);
        }
    }

    /// Adds the position `after` a move that changed `delta`.
    #[inline(always)]
    pub(super) fn push(&mut self, network: &Network, after: &Board, delta: &Delta) {
        let before = self.slots[self.last].views;
        let mut views = before;
        let (mover, _) = delta.from;
        if mover.role == Role::King {
            views[mover.color as usize] = View::of(mover.color, after);
        }
        self.enter(self.last + 1, views);
        self.advance(network, Change::of(delta));
        if views != before {
            // What `advance` computed is wrong for this side.
            self.refresh(network, mover.color, after);
        }
    }

    /// Adds the position after a null move.
    pub(super) fn push_null(&mut self) {
        let views = self.slots[self.last].views;
        self.enter(self.last + 1, views);
        self.slots[self.last].borrows = true;
        self.swap_last_sums();
    }

    /// Exchanges the sums of the last two positions.
    fn swap_last_sums(&mut self) {
        if let [.., before, last] = &mut self.slots[..=self.last] {
            mem::swap(&mut before.sums, &mut last.sums);
        }
    }

    /// Makes the slot with the number `index` the last one of the line.
    #[inline(always)]
    fn enter(&mut self, index: usize, views: [View; 2]) {
        self.last = index;
        match self.slots.get_mut(index) {
            Some(slot) => (slot.views, slot.borrows) = (views, false),
            None => self.grow(views),
        }
    }

    #[cold]
    fn grow(&mut self, views: [View; 2]) {
        let sums = vec![Lane::ZERO; 2 * self.lanes].into();
        self.slots.push(Slot { views, borrows: false, sums });
    }

    /// Takes the last move or null move back.
    #[inline]
    pub(super) fn pop(&mut self) {
        if self.slots.get(self.last).is_some_and(|slot| slot.borrows) {
            self.swap_last_sums();
        }
        self.last = self.last.saturating_sub(1);
    }

    /// Returns the accumulators of Black and of White, of `lanes` lanes each, in the last position of the
    /// line.
    #[inline(always)]
    pub(super) fn sums(&self, lanes: usize) -> [&[Lane]; 2] {
        let (black, white) = self.slots[self.last].sums[..2 * lanes].split_at(lanes);
        [black, white]
    }

    /// Computes the accumulators of the last slot from those of the slot before. Compiled separately for the
    /// size of the shipped network.
    #[inline(never)]
    fn advance(&mut self, network: &Network, change: Change) {
        match self.lanes {
            16 => self.advance_blocks::<8, 2>(network, change),
            _ => self.advance_blocks::<1, 0>(network, change),
        }
    }

    /// [`advance`](Self::advance) where the neurons of one side take `B` blocks of `N` lanes. `B` is 0 if the
    /// number of blocks is not known at compile time. A known number saves most of the overhead.
    #[inline(always)]
    fn advance_blocks<const N: usize, const B: usize>(&mut self, network: &Network, change: Change) {
        let blocks = if B == 0 { self.lanes / N } else { B };
        if let [.., before, slot] = &mut self.slots[..=self.last] {
            slot.advance(network, change, &before.sums.as_chunks::<N>().0[..2 * blocks]);
        }
    }

    /// Computes the accumulator of `side` in the last slot, whose board is `board`, from the last one
    /// refreshed with the same view.
    fn refresh(&mut self, network: &Network, side: Color, board: &Board) {
        let (lanes, slot) = (self.lanes, &mut self.slots[self.last]);
        let view = slot.views[side as usize];
        let CachedSums { board: before, sums } =
            &mut self.cache[side as usize][usize::from(view.is_mirrored())];
        let row = |piece, square| network.input_row(view.row_of(Feature::of((piece, square))));
        for color in Color::ALL {
            for role in Role::ALL {
                let piece = role.of(color);
                let (now, then) = (board.by_piece(piece), before.by_piece(piece));
                for square in now & !then {
                    sums.iter_mut().zip(row(piece, square)).for_each(|(sum, &on)| *sum += on);
                }
                for square in then & !now {
                    sums.iter_mut().zip(row(piece, square)).for_each(|(sum, &off)| *sum -= off);
                }
            }
        }
        *before = board.clone();
        slot.sums[side as usize * lanes..][..lanes].copy_from_slice(sums);
    }
}

impl Slot {
    /// Computes the accumulators from those `before` the change.
    #[inline(always)]
    fn advance<const N: usize>(&mut self, network: &Network, change: Change, before: &[[Lane; N]]) {
        let (blocks, [black, white]) = (before.len() / 2, self.views);
        let after = &mut self.sums.as_chunks_mut().0[..before.len()];
        let (black_before, white_before) = before.split_at(blocks);
        let (black_after, white_after) = after.split_at_mut(blocks);
        let rows = network.rows(blocks);
        carry(rows, change, black, black_before, black_after);
        carry(rows, change, white, white_before, white_after);
        if let Some(rook) = change.also_on {
            carry_rook(network, rook, black, black_after.as_flattened_mut());
            carry_rook(network, rook, white, white_after.as_flattened_mut());
        }
    }
}

/// Computes the accumulator `after` the change from the one `before`, except for a castling rook on its new
/// square.
///
/// A block of sums stays in registers until all rows are added and subtracted. The branch between the two
/// subtractions keeps the compiler from adding up the two removed rows first, which takes one more load for
/// each vector.
#[inline(always)]
fn carry<const N: usize>(
    rows: &[[Lane; N]],
    change: Change,
    view: View,
    before: &[[Lane; N]],
    after: &mut [[Lane; N]],
) {
    let blocks = after.len();
    // The remainder changes nothing, but the compiler then sees that no row is out of bounds.
    let row = |feature| view.row_of(feature) % ROWS * blocks;
    let (on, off, also_off) = (row(change.on), row(change.off), change.also_off.map(row));
    for (block, (after, before)) in after.iter_mut().zip(before).enumerate() {
        let (on, off) = (&rows[on + block], &rows[off + block]);
        let mut sums: [Lane; N] = array::from_fn(|lane| before[lane] + on[lane] - off[lane]);
        if let Some(also_off) = also_off {
            let also_off = &rows[also_off + block];
            sums = array::from_fn(|lane| sums[lane] - also_off[lane]);
        }
        *after = sums;
    }
}

/// Adds the rook of a castling move on its new square to `after`.
#[cold]
#[inline(never)]
fn carry_rook(network: &Network, rook: Feature, view: View, after: &mut [Lane]) {
    let on = network.input_row(view.row_of(rook));
    after.iter_mut().zip(on).for_each(|(sum, &on)| *sum += on);
}
