//! The sums of the neurons along the line of play, each computed when it is asked for and never twice.
//!
//! [`push`](Accumulators::push) only notes what a move changed. When a position is evaluated, the sums of the nearest
//! position before it that has them are carried forward, move by move: for each side the weights of the inputs that
//! went off are subtracted and those that went on are added, in one pass over the neurons. Where a king has crossed the
//! middle of the board its side sees the board mirrored ([`View`]), and the sums before do not help. Then the last ones
//! that were computed afresh with the same view are brought up to date by what differs on the two boards.
//!
//! A null move changes nothing on the board: the position after it shares the sums of the one before.
//!
//! Reference: chessprogramming.org, "NNUE", "Accumulator" and "Finny Tables" there.

use shakmaty::{Board, Color, Role};

use super::{Lane, Network, View, features::Feature};
use crate::position::Delta;

/// What a move changed.
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

/// What is known of the sums of a position of the line.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// What led here from the slot before; `None` at the root.
    change: Option<Change>,
    /// How Black and White, in the order of [`Color`], look at the board.
    views: [View; 2],
    /// Whether the sums of Black and White are computed.
    known: [bool; 2],
}

/// The last sums computed afresh with some view, and the board they are of.
#[derive(Clone, Debug)]
struct Remembered {
    board: Board,
    sums: Vec<Lane>,
}

/// See the head of this module.
#[derive(Clone, Debug)]
pub(super) struct Accumulators {
    /// How many lanes the neurons of one side take.
    lanes: usize,
    slots: Vec<Slot>,
    /// For each slot the sums of Black, then of White.
    sums: Vec<Lane>,
    /// The slot of each position of the line; that after a null move is the same as before it.
    line: Vec<usize>,
    /// By side, and by whether the board is mirrored.
    remembered: Box<[[Remembered; 2]; 2]>,
}

impl Accumulators {
    /// Knows no position yet.
    pub(super) fn new(network: &Network) -> Self {
        let lanes = network.lanes();
        let empty = || Remembered { board: Board::empty(), sums: network.biases.clone() };
        let remembered = Box::new([[empty(), empty()], [empty(), empty()]]);
        Self { lanes, slots: vec![], sums: vec![], line: vec![], remembered }
    }

    /// Begins anew at the position of `root`.
    pub(super) fn reset(&mut self, root: &Board) {
        self.line.clear();
        let views = [Color::Black, Color::White].map(|side| View::of(side, root));
        self.enter(0, Slot { change: None, views, known: [false; 2] });
    }

    /// A move that changed `delta` led to `after`.
    #[inline(always)]
    pub(super) fn push(&mut self, after: &Board, delta: &Delta) {
        let before = self.last();
        let mut views = self.slots[before].views;
        let (mover, _) = delta.from;
        if mover.role == Role::King {
            views[mover.color as usize] = View::of(mover.color, after);
        }
        self.enter(before + 1, Slot { change: Some(Change::of(delta)), views, known: [false; 2] });
    }

    #[inline(always)]
    fn enter(&mut self, index: usize, slot: Slot) {
        if let Some(old) = self.slots.get_mut(index) {
            *old = slot;
        } else {
            self.slots.push(slot);
            self.sums.resize(2 * self.lanes * self.slots.len(), Lane::ZERO);
        }
        self.line.push(index);
    }

    /// A null move was played.
    pub(super) fn push_null(&mut self) {
        self.line.push(self.last());
    }

    /// The last move, or null move, was taken back.
    #[inline]
    pub(super) fn pop(&mut self) {
        self.line.pop();
    }

    #[inline]
    fn last(&self) -> usize {
        *self.line.last().expect("a line has a root")
    }

    /// The sums of `turn` and of the other side in the last position of the line, whose board is `board`.
    ///
    /// `N` is how many lanes the neurons of one side take, or 0 where that is not known when compiling. To know it spares most
    /// of the work beside the sums.
    #[inline(always)]
    pub(super) fn sums<const N: usize>(
        &mut self,
        network: &Network,
        board: &Board,
        turn: Color,
    ) -> [&[Lane]; 2] {
        let last = self.last();
        if let Some(first) = self.first_unknown(last) {
            for slot in first..last + 1 {
                self.step::<N>(network, &Color::ALL, slot);
            }
        } else {
            for side in Color::ALL {
                self.compute::<N>(network, side, last, board);
            }
        }
        let lanes = self.lanes::<N>();
        let (black, white) = self.sums[2 * last * lanes..][..2 * lanes].split_at(lanes);
        turn.fold_wb([white, black], [black, white])
    }

    #[inline(always)]
    fn lanes<const N: usize>(&self) -> usize {
        if N == 0 { self.lanes } else { N }
    }

    /// The slot from which on the sums of both sides follow step by step up to the slot `last`; the one after the last if they
    /// are known already. `None` if the sides have to be looked at one by one.
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

    /// Sees to it that the sums of `side` in the slot `last` are known.
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
            self.step::<N>(network, &[side], slot);
        }
    }

    /// Computes the sums of `sides` in `slot`, which is not the first, from those of the slot before.
    #[inline(always)]
    fn step<const N: usize>(&mut self, network: &Network, sides: &[Color], slot: usize) {
        let lanes = self.lanes::<N>();
        let Slot { change: Some(change), views, known } = &mut self.slots[slot] else { return };
        let (before, after) = self.sums[2 * lanes * (slot - 1)..][..4 * lanes].split_at_mut(2 * lanes);
        for &side in sides {
            known[side as usize] = true;
            let view = views[side as usize];
            let row = move |feature| network.input_row(lanes, view.input_of(feature));
            let before = &before[side as usize * lanes..][..lanes];
            let after = &mut after[side as usize * lanes..][..lanes];
            let (on, off) = (row(change.on), row(change.off));
            match (change.also_on, change.also_off) {
                (None, None) => carry(after, before, on, off),
                (None, Some(also_off)) => carry_capture(after, before, on, off, row(also_off)),
                (Some(also_on), also_off) => {
                    carry(after, before, on, off);
                    carry_rook(after, row(also_on), also_off.map(row));
                }
            }
        }
    }

    /// Computes the sums of `side` in `slot`, whose board is `board`, from the last ones with the same view.
    #[inline(always)]
    fn refresh<const N: usize>(&mut self, network: &Network, side: Color, slot: usize, board: &Board) {
        let lanes = self.lanes::<N>();
        let view = self.slots[slot].views[side as usize];
        let remembered = &mut self.remembered[side as usize][usize::from(view.is_mirrored())];
        let Remembered { board: before, sums } = remembered;
        let sums = &mut sums[..lanes];
        let row = move |piece, square| network.input_row(lanes, view.input((piece, square)));
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

/// `after` becomes `before` with the row `on` added and the row `off` subtracted.
#[inline(always)]
fn carry(after: &mut [Lane], before: &[Lane], on: &[Lane], off: &[Lane]) {
    for (((after, &before), &on), &off) in after.iter_mut().zip(before).zip(on).zip(off) {
        *after = before + on - off;
    }
}

/// The same with another row subtracted.
#[inline(always)]
fn carry_capture(after: &mut [Lane], before: &[Lane], on: &[Lane], off: &[Lane], also_off: &[Lane]) {
    let rows = after.iter_mut().zip(before).zip(on).zip(off).zip(also_off);
    for ((((after, &before), &on), &off), &also_off) in rows {
        *after = before + on - off - also_off;
    }
}

/// The sums `after` with the rook of a castling move where it stands now, and no more, if it has moved, where it stood.
#[cold]
fn carry_rook(after: &mut [Lane], on: &[Lane], off: Option<&[Lane]>) {
    after.iter_mut().zip(on).for_each(|(sum, &on)| *sum += on);
    if let Some(off) = off {
        after.iter_mut().zip(off).for_each(|(sum, &off)| *sum -= off);
    }
}
