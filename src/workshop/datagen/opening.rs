//! The start of a game.

use rand::{Rng as _, seq::IndexedRandom as _};
use rand_chacha::ChaCha8Rng;

use super::Recipe;
use crate::chess::position::{Position, chess960};

/// Returns a start for game `number`, after random plies; `None` if they ended the game.
pub(super) fn draw(recipe: &Recipe, number: u64, random: &mut ChaCha8Rng) -> Option<Position> {
    let mut position = start(recipe, number, random);
    for _ in 0..random.random_range(recipe.random_plies.clone()) {
        let m = *position.legal_moves().choose(random)?;
        position.play(m);
    }
    Some(position)
}

fn start(recipe: &Recipe, number: u64, random: &mut ChaCha8Rng) -> Position {
    let starts = &recipe.starts;
    if recipe.double_chess960 > 0.0 && random.random::<f64>() < recipe.double_chess960 {
        return chess960(random.random_range(0..960), random.random_range(0..960));
    }
    starts[(number % starts.len() as u64) as usize].clone()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::generator;

    #[test]
    fn the_share_of_double_chess960_is_kept() {
        let recipe = Recipe { double_chess960: 0.2, random_plies: 0..=0, ..Recipe::default() };
        let mut double = 0;
        for number in 0..2000 {
            let position = start(&recipe, number, &mut generator(1, number, 0));
            let fen = position.fen();
            let ranks: Vec<_> = fen.split([' ', '/']).collect();
            double += u32::from(ranks[0].to_uppercase() != ranks[7]);
        }
        // Four standard deviations of a binomial count, which is 18.
        assert!((330..=470).contains(&double), "{double}");
    }
}
