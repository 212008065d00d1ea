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

use super::{LANES, Lane, Network, View};
use crate::position::{Delta, Placement};

/// What is known of the sums of a position of the line.
#[derive(Clone, Copy, Debug)]
struct Slot {
    /// What led here from the slot before; `None` at the root.
    delta: Option<Delta>,
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
        let lanes = network.architecture.neurons / LANES;
        let empty = || Remembered { board: Board::empty(), sums: network.biases.clone() };
        let remembered = Box::new([[empty(), empty()], [empty(), empty()]]);
        Self { lanes, slots: vec![], sums: vec![], line: vec![], remembered }
    }

    /// Begins anew at the position of `root`.
    pub(super) fn reset(&mut self, root: &Board) {
        self.line.clear();
        let views = [Color::Black, Color::White].map(|side| View::of(side, root));
        self.enter(0, Slot { delta: None, views, known: [false; 2] });
    }

    /// A move that changed `delta` led to `after`.
    #[inline]
    pub(super) fn push(&mut self, after: &Board, delta: &Delta) {
        let before = self.last();
        let mut views = self.slots[before].views;
        let (mover, _) = delta.from;
        if mover.role == Role::King {
            views[mover.color as usize] = View::of(mover.color, after);
        }
        self.enter(before + 1, Slot { delta: Some(*delta), views, known: [false; 2] });
    }

    #[inline]
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
    #[inline]
    pub(super) fn sums(&mut self, network: &Network, board: &Board, turn: Color) -> [&[Lane]; 2] {
        let last = self.last();
        self.compute(network, Color::White, last, board);
        self.compute(network, Color::Black, last, board);
        let (black, white) = self.sums[2 * last * self.lanes..][..2 * self.lanes].split_at(self.lanes);
        turn.fold_wb([white, black], [black, white])
    }

    /// Sees to it that the sums of `side` in the slot `last` are known.
    fn compute(&mut self, network: &Network, side: Color, last: usize, board: &Board) {
        let view = self.slots[last].views[side as usize];
        let mut known = last;
        while !self.slots[known].known[side as usize] {
            if known == 0 || self.slots[known - 1].views[side as usize] != view {
                return self.refresh(network, side, last, board);
            }
            known -= 1;
        }
        for slot in known + 1..=last {
            self.step(network, side, slot);
        }
    }

    /// Computes the sums of `side` in `slot` from those of the slot before.
    fn step(&mut self, network: &Network, side: Color, slot: usize) {
        let Slot { delta: Some(delta), views, known } = &mut self.slots[slot] else { return };
        known[side as usize] = true;
        let view = views[side as usize];
        let row = |placement: Placement| network.input_row(view.input(placement));
        let (before, after) = self.sums.split_at_mut(2 * self.lanes * slot);
        let before = &before[(2 * (slot - 1) + side as usize) * self.lanes..][..self.lanes];
        let after = &mut after[side as usize * self.lanes..][..self.lanes];
        let (on, off) = (row(delta.to), row(delta.from));
        match (delta.also_added, delta.also_removed) {
            (None, None) => carry(after, before, on, off),
            (None, Some(also_off)) => carry_capture(after, before, on, off, row(also_off)),
            (Some(also_on), also_off) => {
                carry(after, before, on, off);
                after.iter_mut().zip(row(also_on)).for_each(|(sum, &on)| *sum += on);
                if let Some(also_off) = also_off {
                    after.iter_mut().zip(row(also_off)).for_each(|(sum, &off)| *sum -= off);
                }
            }
        }
    }

    /// Computes the sums of `side` in `slot`, whose board is `board`, from the last ones with the same view.
    #[cold]
    fn refresh(&mut self, network: &Network, side: Color, slot: usize, board: &Board) {
        let view = self.slots[slot].views[side as usize];
        let remembered = &mut self.remembered[side as usize][usize::from(view.is_mirrored())];
        let Remembered { board: before, sums } = remembered;
        let row = |piece, square| network.input_row(view.input((piece, square)));
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
        remembered.board = board.clone();
        let start = (2 * slot + side as usize) * self.lanes;
        self.sums[start..start + self.lanes].copy_from_slice(&remembered.sums);
        self.slots[slot].known[side as usize] = true;
    }
}

/// `after` becomes `before` with the row `on` added and the row `off` subtracted.
#[inline]
fn carry(after: &mut [Lane], before: &[Lane], on: &[Lane], off: &[Lane]) {
    for (((after, &before), &on), &off) in after.iter_mut().zip(before).zip(on).zip(off) {
        *after = before + on - off;
    }
}

/// The same with another row subtracted.
#[inline]
fn carry_capture(after: &mut [Lane], before: &[Lane], on: &[Lane], off: &[Lane], also_off: &[Lane]) {
    let rows = after.iter_mut().zip(before).zip(on).zip(off).zip(also_off);
    for ((((after, &before), &on), &off), &also_off) in rows {
        *after = before + on - off - also_off;
    }
}
