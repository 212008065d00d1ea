//! The start of a game.

use rand::{
    Rng as _,
    seq::{IndexedRandom as _, IteratorRandom as _},
};
use rand_chacha::ChaCha8Rng;
use shakmaty::{Move, Role};

use super::Recipe;
use crate::chess::position::{Position, chess960};

/// The kinds of pieces that may make a random ply, and the weight of each, in percent. If all moves are
/// equally likely, a queen in the open makes most of them. The weights are published: +13.2 ± 5.6 Elo for a
/// network of 512 neurons (PlentyChess, pull request 227).
const KINDS: [(Role, u32); 6] = [
    (Role::Pawn, 35),
    (Role::Knight, 15),
    (Role::Bishop, 15),
    (Role::Rook, 5),
    (Role::Queen, 15),
    (Role::King, 15),
];

/// Returns a start for game `number`, after random plies; `None` if they ended the game.
pub(super) fn draw(recipe: &Recipe, number: u64, random: &mut ChaCha8Rng) -> Option<Position> {
    let mut position = start(recipe, number, random);
    for _ in 0..random.random_range(recipe.random_plies.clone()) {
        let moves = position.legal_moves();
        let m = if recipe.by_kind { of_some_kind(&moves, random) } else { moves.choose(random).copied() };
        position.play(m?);
    }
    Some(position)
}

/// Draws a kind of piece that has a move, and one of its moves; `None` if there is no move.
fn of_some_kind(moves: &[Move], random: &mut ChaCha8Rng) -> Option<Move> {
    let of = |kind: Role| moves.iter().filter(move |m| m.role() == kind);
    let weight = |&(kind, weight): &(Role, u32)| if of(kind).next().is_some() { weight } else { 0 };
    let (kind, _) = KINDS.choose_weighted(random, weight).ok()?;
    of(*kind).choose(random).copied()
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
    fn a_kind_of_piece_is_drawn_before_its_move() {
        // Ten moves of the pawns, three of the rook, two of the king.
        let position = Position::from_fen("4k3/8/8/8/p7/P7/1PPPPP2/1R2K3 w - - 0 1").unwrap();
        let moves = position.legal_moves();
        let count = |kind: Role| moves.iter().filter(|m| m.role() == kind).count();
        assert_eq!((count(Role::Pawn), count(Role::Queen)), (10, 0));
        let mut random = generator(1, 0, 0);
        let mut drawn = [0_u32; 7];
        for _ in 0..5500 {
            drawn[of_some_kind(&moves, &mut random).unwrap().role() as usize] += 1;
        }
        // Of the weights of these kinds, 55, the pawns have 35, the rook 5 and the king 15; within five
        // standard deviations.
        assert!(drawn[Role::Pawn as usize].abs_diff(3500) < 180, "{drawn:?}");
        assert!(drawn[Role::Rook as usize].abs_diff(500) < 107, "{drawn:?}");
        assert!(drawn[Role::King as usize].abs_diff(1500) < 166, "{drawn:?}");
        assert_eq!(of_some_kind(&[], &mut random), None);
    }

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
