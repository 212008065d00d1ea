//! The accumulators of the positions along the line of play, updated lazily.
//!
//! [`push`](Accumulators::push) only records what the move changed. When a position is evaluated, the accumulators
//! of the nearest earlier position that has them are updated move by move. For each side the weight rows of removed
//! features are subtracted and those of added features are added, in one pass over the neurons. When a king crosses
//! the middle of the board, the board is mirrored for its side ([`View`]) and earlier accumulators of that side do
//! not apply. The last accumulator refreshed with the same view is then updated by the difference of the two
//! boards.
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

/// The state of the accumulators of one position of the line.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))] // a power of two, so that slots are quick to find
struct Slot {
    /// The change from the previous slot; `None` after a null move and at the root.
    change: Option<Change>,
    /// The views of Black and White, in the order of [`Color`].
    views: [View; 2],
    /// Whether the accumulators of Black and White are computed.
    known: [bool; 2],
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
        Self { lanes, slots: vec![], last: 0, sums: vec![], remembered }
    }

    /// Discards all positions and begins with `root`.
    pub(super) fn reset(&mut self, root: &Board) {
        let views = [Color::Black, Color::White].map(|side| View::of(side, root));
        self.enter(0, Slot { change: None, views, known: [false; 2] });
    }

    /// Records a move that changed `delta` and led to `after`.
    #[inline(always)]
    pub(super) fn push(&mut self, after: &Board, delta: &Delta) {
        let mut views = self.slots[self.last].views;
        let (mover, _) = delta.from;
        if mover.role == Role::King {
            views[mover.color as usize] = View::of(mover.color, after);
        }
        self.enter(self.last + 1, Slot { change: Some(Change::of(delta)), views, known: [false; 2] });
    }

    /// Records a null move.
    pub(super) fn push_null(&mut self) {
        let views = self.slots[self.last].views;
        self.enter(self.last + 1, Slot { change: None, views, known: [false; 2] });
    }

    /// Makes `slot` the last one of the line, with the number `index`.
    #[inline(always)]
    fn enter(&mut self, index: usize, slot: Slot) {
        self.last = index;
        match self.slots.get_mut(index) {
            // Field by field: a copy of the whole would wait until its parts are stored.
            Some(old) => {
                old.change = slot.change;
                old.views = slot.views;
                old.known = slot.known;
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

    /// Returns the accumulators of `turn` and of the other side in the last position of the line, whose board is
    /// `board`.
    ///
    /// `N` is the number of lanes that the neurons of one side take, or 0 if it is not known at compile time. A
    /// known number saves most of the overhead.
    #[inline(always)]
    pub(super) fn sums<const N: usize>(
        &mut self,
        network: &Network,
        board: &Board,
        turn: Color,
    ) -> [&[Lane]; 2] {
        let last = self.last;
        if let Some(first) = self.first_unknown(last) {
            for slot in first..last + 1 {
                self.step::<N>(network, [true; 2], slot);
            }
        } else {
            for side in Color::ALL {
                self.compute::<N>(network, side, last, board);
            }
        }
        let lanes = self.lanes::<N>();
        let (black, white) = self.sums[2 * last * lanes..2 * last * lanes + 2 * lanes].split_at(lanes);
        turn.fold_wb([white, black], [black, white])
    }

    #[inline(always)]
    fn lanes<const N: usize>(&self) -> usize {
        if N == 0 { self.lanes } else { N }
    }

    /// Returns the first slot to update for both sides at once, up to the slot `last`; `last + 1` if both are
    /// computed. `None` if the sides must be updated separately.
    #[inline(always)]
    fn first_unknown(&self, last: usize) -> Option<usize> {
        let views = self.slots[last].views;
        for (index, slot) in self.slots[..last + 1].iter().enumerate().rev() {
            if slot.views != views {
                return None;
            }
            match slot.known {
                [true, true] => return Some(index + 1),
                [false, false] => {}
                _ => return None,
            }
        }
        None
    }

    /// Computes the accumulator of `side` in the slot `last` if it is not computed yet.
    #[inline(never)]
    fn compute<const N: usize>(&mut self, network: &Network, side: Color, last: usize, board: &Board) {
        let view = self.slots[last].views[side as usize];
        let mut known = last;
        while !self.slots[known].known[side as usize] {
            if known == 0 || self.slots[known - 1].views[side as usize] != view {
                return self.refresh::<N>(network, side, last, board);
            }
            known -= 1;
        }
        for slot in known + 1..last + 1 {
            self.step::<N>(network, [Color::Black, Color::White].map(|color| color == side), slot);
        }
    }

    /// Computes the accumulators of Black and White, if wanted, in `slot`, which is not the first, from those of the
    /// slot before.
    #[inline(always)]
    fn step<const N: usize>(&mut self, network: &Network, [black, white]: [bool; 2], slot: usize) {
        let lanes = self.lanes::<N>();
        let Slot { change, views, known } = &mut self.slots[slot];
        let pair = &mut self.sums[2 * lanes * (slot - 1)..2 * lanes * (slot - 1) + 4 * lanes];
        let (before, after) = pair.split_at_mut(2 * lanes);
        if black {
            known[0] = true;
            advance(network, change, views[0], &before[..lanes], &mut after[..lanes]);
        }
        if white {
            known[1] = true;
            advance(network, change, views[1], &before[lanes..], &mut after[lanes..]);
        }
    }

    /// Computes the accumulator of `side` in `slot`, whose board is `board`, from the last one refreshed with the
    /// same view.
    #[inline(always)]
    fn refresh<const N: usize>(&mut self, network: &Network, side: Color, slot: usize, board: &Board) {
        let lanes = self.lanes::<N>();
        let view = self.slots[slot].views[side as usize];
        let remembered = &mut self.remembered[side as usize][usize::from(view.is_mirrored())];
        let Remembered { board: before, sums } = remembered;
        let sums = &mut sums[..lanes];
        let row = move |piece, square| network.input_row(lanes, view.row_of(Feature::of((piece, square))));
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
        self.sums[(2 * slot + side as usize) * lanes..][..lanes].copy_from_slice(sums);
        self.slots[slot].known[side as usize] = true;
    }
}

/// Computes the accumulator `after` the `change` of a move from the one `before`, for the side with this `view`.
#[inline(always)]
fn advance(network: &Network, change: &Option<Change>, view: View, before: &[Lane], after: &mut [Lane]) {
    let &Some(change) = change else { return after.copy_from_slice(before) };
    let on = row(network, after, view, change.on);
    let off = row(network, after, view, change.off);
    match (change.also_on, change.also_off) {
        (None, None) => carry(after, before, on, off),
        (None, Some(also_off)) => {
            carry_capture(after, before, on, off, row(network, after, view, also_off));
        }
        (Some(_), _) => {
            carry(after, before, on, off);
            carry_rook(network, change, view, after);
        }
    }
}

/// The weights of `feature` for the side with this `view`, as long as its `accumulator`.
#[inline(always)]
fn row<'n>(network: &'n Network, accumulator: &[Lane], view: View, feature: Feature) -> &'n [Lane] {
    network.input_row(accumulator.len(), view.row_of(feature))
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
        let on = row(network, after, view, on);
        after.iter_mut().zip(on).for_each(|(sum, &on)| *sum += on);
    }
    if let Some(off) = change.also_off {
        let off = row(network, after, view, off);
        after.iter_mut().zip(off).for_each(|(sum, &off)| *sum -= off);
    }
}
