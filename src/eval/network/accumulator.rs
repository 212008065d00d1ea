//! The accumulators of the positions along the line of play, updated lazily.
//!
//! [`push`](Accumulators::push) only records what the move changed. When a position is evaluated, the accumulators
//! of the nearest earlier position that has them are updated move by move. For each side the weight rows of removed
//! features are subtracted and those of added features are added, in one pass over the neurons.
//!
//! When a king crosses the middle of the board, the board is mirrored for its side ([`View`]), and earlier
//! accumulators of that side do not apply. So `push` computes the accumulators of such a position at once: that of
//! the king's side from the last accumulator refreshed with the same view, by the difference of the two boards.
//! Therefore all positions up to some point of the line have accumulators, and all later ones can be updated from
//! there.
//!
//! A null move does not change the board: the position after it copies the accumulators of the one before.
//!
//! Reference: chessprogramming.org, "NNUE", "Accumulator" and "Finny Tables" there.

use shakmaty::{Board, Color, Role};

use super::{Lane, Network, View, features::Feature};
use crate::position::Delta;

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
#[derive(Clone, Copy, Debug)]
#[repr(align(16))] // a power of two, so that slots are quick to find
struct Slot {
    /// The change from the previous slot; `None` after a null move and at the root.
    change: Option<Change>,
    /// The views of Black and White, in the order of [`Color`].
    views: [View; 2],
}

/// The last accumulator refreshed with one view, and its board.
#[derive(Clone, Debug)]
struct Remembered {
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
    /// The accumulators of all slots up to this one are computed, and the views do not change after it.
    computed: usize,
    /// For each slot the accumulator of Black, then that of White.
    sums: Vec<Lane>,
    /// By side, and by whether the board is mirrored.
    remembered: Box<[[Remembered; 2]; 2]>,
}

impl Accumulators {
    /// Returns accumulators without a position; call [`reset`](Self::reset) first.
    pub(super) fn new(network: &Network) -> Self {
        let lanes = network.lanes();
        let empty = || Remembered { board: Board::empty(), sums: network.biases.clone() };
        let remembered = Box::new([[empty(), empty()], [empty(), empty()]]);
        Self { lanes, slots: vec![], last: 0, computed: 0, sums: vec![], remembered }
    }

    /// Discards all positions and begins with `root`.
    pub(super) fn reset(&mut self, network: &Network, root: &Board) {
        let views = [Color::Black, Color::White].map(|side| View::of(side, root));
        self.enter(0, Slot { change: None, views });
        self.computed = 0;
        for side in Color::ALL {
            self.refresh(network, side, root);
        }
    }

    /// Records a move that changed `delta` and led to `after`.
    #[inline(always)]
    pub(super) fn push(&mut self, network: &Network, after: &Board, delta: &Delta) {
        let mut views = self.slots[self.last].views;
        let change = Some(Change::of(delta));
        let (mover, _) = delta.from;
        if mover.role == Role::King {
            let view = View::of(mover.color, after);
            if view != views[mover.color as usize] {
                views[mover.color as usize] = view;
                return self.cross(network, Slot { change, views }, mover.color, after);
            }
        }
        self.enter(self.last + 1, Slot { change, views });
    }

    /// Appends `slot`, whose board is `after`, and computes it; the view of `side` has changed.
    #[cold]
    #[inline(never)]
    fn cross(&mut self, network: &Network, slot: Slot, side: Color, after: &Board) {
        self.compute::<0>(network);
        self.enter(self.last + 1, slot);
        self.compute::<0>(network);
        // The line above is wrong for `side`, whose earlier accumulators do not apply.
        self.refresh(network, side, after);
    }

    /// Records a null move.
    pub(super) fn push_null(&mut self) {
        let views = self.slots[self.last].views;
        self.enter(self.last + 1, Slot { change: None, views });
    }

    /// Makes `slot` the last one of the line, with the number `index`.
    #[inline(always)]
    fn enter(&mut self, index: usize, slot: Slot) {
        self.computed = self.computed.min(self.last);
        self.last = index;
        match self.slots.get_mut(index) {
            // Field by field: a copy of the whole would wait until its parts are stored.
            Some(old) => {
                old.change = slot.change;
                old.views = slot.views;
            }
            None => self.grow(slot),
        }
    }

    #[cold]
    fn grow(&mut self, slot: Slot) {
        self.slots.push(slot);
        self.sums.resize(2 * self.lanes * self.slots.len(), Lane::ZERO);
    }

    /// Takes the last move or null move back.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.last = self.last.saturating_sub(1);
    }

    /// Returns the accumulators of `turn` and of the other side in the last position of the line.
    ///
    /// `N` is the number of lanes that the neurons of one side take, or 0 if it is not known at compile time. A
    /// known number saves most of the overhead.
    #[inline(always)]
    pub(super) fn sums<const N: usize>(&mut self, network: &Network, turn: Color) -> [&[Lane]; 2] {
        let lanes = self.lanes::<N>();
        let (black, white) = self.compute::<N>(network).split_at(lanes);
        turn.fold_wb([white, black], [black, white])
    }

    #[inline(always)]
    fn lanes<const N: usize>(&self) -> usize {
        if N == 0 { self.lanes } else { N }
    }

    /// Computes the accumulators of all slots up to the last one, and returns those of the last one.
    #[inline(always)]
    fn compute<const N: usize>(&mut self, network: &Network) -> &[Lane] {
        let pair = 2 * self.lanes::<N>();
        let last = self.last;
        for index in self.computed.min(last)..last {
            let (before, after) = self.sums[pair * index..pair * (index + 2)].split_at_mut(pair);
            self.slots[index + 1].advance(network, before, after);
        }
        self.computed = last;
        &self.sums[pair * last..pair * (last + 1)]
    }

    /// Computes the accumulator of `side` in the last slot, whose board is `board`, from the last one refreshed with
    /// the same view.
    fn refresh(&mut self, network: &Network, side: Color, board: &Board) {
        let (lanes, view) = (self.lanes, self.slots[self.last].views[side as usize]);
        let Remembered { board: before, sums } =
            &mut self.remembered[side as usize][usize::from(view.is_mirrored())];
        let row = |piece, square| network.input_row(lanes, view.row_of(Feature::of((piece, square))));
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
        self.sums[(2 * self.last + side as usize) * lanes..][..lanes].copy_from_slice(sums);
    }
}

impl Slot {
    /// Computes the accumulators `after` the change, of Black and White, from those `before`.
    #[inline(always)]
    fn advance(&self, network: &Network, before: &[Lane], after: &mut [Lane]) {
        let Some(change) = self.change else { return after.copy_from_slice(before) };
        let (lanes, [black, white]) = (before.len() / 2, self.views);
        let (black_before, white_before) = before.split_at(lanes);
        let (black_after, white_after) = after.split_at_mut(lanes);
        let row = |view: View, feature| network.input_row(lanes, view.row_of(feature));
        let (black_on, white_on) = (row(black, change.on), row(white, change.on));
        let (black_off, white_off) = (row(black, change.off), row(white, change.off));
        if let (None, Some(captured)) = (change.also_on, change.also_off) {
            carry_capture(black_after, black_before, black_on, black_off, row(black, captured));
            carry_capture(white_after, white_before, white_on, white_off, row(white, captured));
            return;
        }
        carry(black_after, black_before, black_on, black_off);
        carry(white_after, white_before, white_on, white_off);
        if change.also_on.is_some() {
            carry_rook(network, change, black, black_after);
            carry_rook(network, change, white, white_after);
        }
    }
}

/// Sets `after` to `before` plus the row `on` minus the row `off`.
#[inline(always)]
fn carry(after: &mut [Lane], before: &[Lane], on: &[Lane], off: &[Lane]) {
    for (((after, &before), &on), &off) in after.iter_mut().zip(before).zip(on).zip(off) {
        *after = before + on - off;
    }
}

/// Like [`carry`], and subtracts another row.
#[inline(always)]
fn carry_capture(after: &mut [Lane], before: &[Lane], on: &[Lane], off: &[Lane], also_off: &[Lane]) {
    let rows = after.iter_mut().zip(before).zip(on).zip(off).zip(also_off);
    for ((((after, &before), &on), &off), &also_off) in rows {
        *after = before + on - off - also_off;
    }
}

/// Updates `after` for the rook of a castling move: adds it on its new square and, if it has moved, removes it from
/// its old one.
#[cold]
fn carry_rook(network: &Network, change: Change, view: View, after: &mut [Lane]) {
    if let Some(on) = change.also_on {
        let on = network.input_row(after.len(), view.row_of(on));
        after.iter_mut().zip(on).for_each(|(sum, &on)| *sum += on);
    }
    if let Some(off) = change.also_off {
        let off = network.input_row(after.len(), view.row_of(off));
        after.iter_mut().zip(off).for_each(|(sum, &off)| *sum -= off);
    }
}
