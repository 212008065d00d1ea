//! Seeded random generators.

use rand::SeedableRng as _;
use rand_chacha::ChaCha8Rng;

/// Returns the generator of item `number` in a run with `seed`. An item that needs several generators
/// distinguishes them by `purpose`.
///
/// Each combination has a generator of its own. If the number were added to the seed, item 2 of seed 1 would
/// be item 1 of seed 2. The games of training data depend on this function.
#[must_use]
pub fn generator(seed: u64, number: u64, purpose: u8) -> ChaCha8Rng {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&number.to_le_bytes());
    bytes[16] = purpose;
    ChaCha8Rng::from_seed(bytes)
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use rand::Rng as _;

    use super::*;

    #[test]
    fn every_combination_has_a_generator_of_its_own() {
        let drawn = |seed, number, purpose| generator(seed, number, purpose).random::<u64>();
        let all = (0..6 * 6 * 6).map(|n| drawn(n % 6, n / 6 % 6, (n / 36) as u8));
        assert_eq!(all.collect::<HashSet<_>>().len(), 6 * 6 * 6);
        assert_eq!(drawn(1, 2, 3), drawn(1, 2, 3));
    }
}
