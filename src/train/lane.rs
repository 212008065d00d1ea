//! Sixteen numbers side by side, which the processor adds in two instructions.

/// The number of hidden neurons in a slice of the network (`slice.rs`). A row of weights is then 64 bytes, one cache
/// line. The feature weights of a slice, 768 rows, take 48 KiB, so they stay in the core's caches for a whole batch.
pub const LANES: usize = 16;

/// One number for each neuron of a slice.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(align(64))]
pub struct Lane(pub [f32; LANES]);

// Loops over indices instead of iterators: the compiler vectorises this form in every build, even in those that inline
// little.
#[allow(clippy::needless_range_loop)]
impl Lane {
    /// All zeros.
    pub const ZERO: Self = Self([0.0; LANES]);

    /// Adds `other`, number by number.
    #[inline(always)]
    pub fn add(&mut self, other: &Self) {
        for lane in 0..LANES {
            self.0[lane] += other.0[lane];
        }
    }

    /// Adds `factor` times `other`.
    #[inline(always)]
    pub fn add_scaled(&mut self, factor: f32, other: &Self) {
        for lane in 0..LANES {
            self.0[lane] += factor * other.0[lane];
        }
    }

    /// Applies a function to each number.
    #[inline(always)]
    #[must_use]
    pub fn map(&self, f: impl Fn(f32) -> f32) -> Self {
        let mut image = Self::ZERO;
        for lane in 0..LANES {
            image.0[lane] = f(self.0[lane]);
        }
        image
    }

    /// Applies a function to each pair of numbers.
    #[inline(always)]
    #[must_use]
    pub fn zip(&self, other: &Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let mut image = Self::ZERO;
        for lane in 0..LANES {
            image.0[lane] = f(self.0[lane], other.0[lane]);
        }
        image
    }

    /// The sum of all numbers, in a fixed order: halves are added to halves.
    #[inline(always)]
    #[must_use]
    pub fn sum(&self) -> f32 {
        let mut sums = self.0;
        let mut half = LANES / 2;
        while half > 0 {
            for lane in 0..half {
                sums[lane] += sums[lane + half];
            }
            half /= 2;
        }
        sums[0]
    }
}
