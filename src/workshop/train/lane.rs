//! The numbers of all neurons of a slice side by side.

use std::ops::AddAssign;

use bytemuck::{Pod, Zeroable};
use wide::{f32x4, f32x8, f32x16, i16x8, i16x32, i32x8, i32x16};

use crate::engine::eval::network;

/// The number of hidden neurons in a slice of the network (`slice.rs`). A row of 16-bit numbers is then one
/// cache line. The input weights of a slice, 768 rows, take 48 KiB in 16 bits, so they stay in the core's
/// caches for a whole batch.
pub const LANES: usize = network::LANES;

/// One number for each neuron of a slice. It consists of the vectors of [`wide`], which are compiled to the
/// widest ones of the target processor; all operations have the same results with each width.
#[derive(Clone, Copy, Debug, Default, PartialEq, Pod, Zeroable)]
#[repr(transparent)]
pub struct Lane([f32x16; 2]);

// The hot functions avoid `array::map`, which is not always inlined.
impl Lane {
    /// All zeros.
    pub const ZERO: Self = Self([f32x16::ZERO; 2]);

    /// Returns the numbers of `floats`, in order.
    #[must_use]
    pub fn new(floats: [f32; LANES]) -> Self {
        bytemuck::cast(floats)
    }

    /// The numbers, in order.
    #[must_use]
    pub fn numbers(&self) -> &[f32; LANES] {
        bytemuck::cast_ref(self)
    }

    /// The numbers, in order, for changes.
    #[must_use]
    pub fn numbers_mut(&mut self) -> &mut [f32; LANES] {
        bytemuck::cast_mut(self)
    }

    /// Applies a function to all numbers.
    #[must_use]
    pub fn map(self, f: impl Fn(f32x16) -> f32x16) -> Self {
        let [a, b] = self.0;
        Self([f(a), f(b)])
    }

    /// Applies a function to the pairs of numbers of the same neuron.
    #[must_use]
    pub fn zip(self, other: Self, f: impl Fn(f32x16, f32x16) -> f32x16) -> Self {
        let ([a, b], [c, d]) = (self.0, other.0);
        Self([f(a, c), f(b, d)])
    }

    /// The sum of all numbers, in a fixed order: halves are added to halves.
    #[must_use]
    pub fn sum(self) -> f32 {
        let [low, high] = self.0;
        let [low, high]: [f32x8; 2] = bytemuck::cast(low + high);
        let [low, high]: [f32x4; 2] = bytemuck::cast(low + high);
        let [a, b, c, d] = (low + high).to_array();
        (a + c) + (b + d)
    }

    /// Returns the nearest integers. They must fit into 16 bits.
    #[must_use]
    pub fn round(self) -> i16x32 {
        let [low, high] = self.0;
        let [a, b, c, d]: [i32x8; 4] = bytemuck::cast([low.round_int(), high.round_int()]);
        let pack = i16x8::from_i32x8_saturate;
        bytemuck::cast([pack(a), pack(b), pack(c), pack(d)])
    }
}

impl From<i16x32> for Lane {
    fn from(whole: i16x32) -> Self {
        let [low, high] = bytemuck::cast(whole);
        Self([i32x16::from_i16x16(low).round_float(), i32x16::from_i16x16(high).round_float()])
    }
}

impl AddAssign for Lane {
    fn add_assign(&mut self, other: Self) {
        *self = self.zip(other, |a, b| a + b);
    }
}
