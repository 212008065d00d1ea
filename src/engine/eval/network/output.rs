//! The output layer: computes the weighted sum of the activations from the accumulators.
//!
//! Let `a` be an accumulator value limited to 0..=[`QA`] and `w` its weight. `a·w` fits into 16 bits
//! ([`OUTPUT_LIMIT`]), and two products `(a·w)·a` at a time are added in 32 bits. For [`LANES`](super::LANES)
//! neurons this takes one multiplication, one multiply-add and one addition on a processor with vectors of
//! that width.
//!
//! Reference: chessprogramming.org, "NNUE", which calls this order of the factors the trick of Lizard.

use wide::{i16x32, i32x8, i32x16};

#[cfg(doc)]
use super::OUTPUT_LIMIT;
use super::{Lane, QA};

/// Returns the sum of the weighted activations of the side to move and of the other side.
#[inline(always)]
pub(super) fn weigh([ours, theirs]: [&[Lane]; 2], weights: &[Lane]) -> i64 {
    let limit = i16x32::splat(QA as i16);
    // Each of the 16 numbers adds two products a lane, each below 2²³; 1024 neurons a side give less than
    // 2³⁰.
    let mut total = i32x16::ZERO;
    let (our_weights, their_weights) = weights.split_at(ours.len());
    for (sums, weights) in [(ours, our_weights), (theirs, their_weights)] {
        for (&sum, &weight) in sums.iter().zip(weights) {
            let active = sum.max(i16x32::ZERO).min(limit);
            total += (active * weight).dot(active);
        }
    }
    // Each of the numbers is less than 2³⁰, so the sum of two fits into 32 bits.
    let [low, high]: [i32x8; 2] = bytemuck::cast(total);
    (low + high).to_array().into_iter().map(i64::from).sum()
}
