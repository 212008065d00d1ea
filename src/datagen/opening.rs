//! Where a game begins.

use rand::{Rng as _, SeedableRng as _, seq::IndexedRandom as _};
use rand_chacha::ChaCha8Rng;

use super::Recipe;
use crate::position::Position;

/// The chance of one game: no two games share a generator, whatever the seeds.
pub(super) fn generator(seed: u64, number: u64) -> ChaCha8Rng {
    let mut bytes = [0; 32];
    bytes[..8].copy_from_slice(&seed.to_le_bytes());
    bytes[8..16].copy_from_slice(&number.to_le_bytes());
    ChaCha8Rng::from_seed(bytes)
}

/// A start for game `number` and random plies; `None` where they led to the end of the game.
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
    if recipe.chess960 > 0.0 || recipe.double_chess960 > 0.0 {
        let drawn: f64 = random.random();
        if drawn < recipe.chess960 + recipe.double_chess960 {
            let white = random.random_range(0..960);
            let black = if drawn < recipe.chess960 { white } else { random.random_range(0..960) };
            return chess960(white, black);
        }
    }
    starts[(number % starts.len() as u64) as usize].clone()
}

/// The start position with the arrangements of these two numbers, by R. Scharnagl's scheme: 518 is that of standard
/// chess.
fn chess960(white: u32, black: u32) -> Position {
    let (white, black) = (arrangement(white), arrangement(black).to_lowercase());
    let fen = format!("{black}/pppppppp/8/8/8/8/PPPPPPPP/{white} w KQkq - 0 1");
    Position::from_fen(&fen).expect("chess can be played from every arrangement")
}

/// The pieces on files a to h.
fn arrangement(number: u32) -> String {
    /// The free squares, of five, that the knights take.
    const KNIGHTS: [[usize; 2]; 10] =
        [[0, 1], [0, 2], [0, 3], [0, 4], [1, 2], [1, 3], [1, 4], [2, 3], [2, 4], [3, 4]];
    let mut pieces = ['\0'; 8];
    let mut rest = number as usize;
    let mut next = |count: usize| {
        let drawn = rest % count;
        rest /= count;
        drawn
    };
    pieces[2 * next(4) + 1] = 'B';
    pieces[2 * next(4)] = 'B';
    let free = |pieces: &[char; 8]| (0..8).filter(|&file| pieces[file] == '\0').collect::<Vec<_>>();
    pieces[free(&pieces)[next(6)]] = 'Q';
    let squares = free(&pieces);
    KNIGHTS[next(10)].iter().for_each(|&index| pieces[squares[index]] = 'N');
    for (file, piece) in free(&pieces).into_iter().zip("RKR".chars()) {
        pieces[file] = piece;
    }
    pieces.iter().collect()
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn there_are_960_arrangements_and_number_518_is_the_usual_one() {
        assert_eq!(arrangement(518), "RNBQKBNR");
        assert_eq!(arrangement(0), "BBQNNRKR");
        assert_eq!(arrangement(959), "RKRNNQBB");
        let all: HashSet<_> = (0..960).map(arrangement).collect();
        assert_eq!(all.len(), 960);
        for pieces in all {
            let at = |piece| pieces.match_indices(piece).map(|(file, _)| file).collect::<Vec<_>>();
            assert!(at('R')[0] < at('K')[0] && at('K')[0] < at('R')[1], "{pieces}");
            assert_ne!(at('B')[0] % 2, at('B')[1] % 2, "{pieces}");
        }
        for number in 0..960 {
            assert!(!chess960(number, 959 - number).legal_moves().is_empty());
        }
    }

    #[test]
    fn shares_are_kept() {
        let recipe = Recipe { chess960: 0.3, double_chess960: 0.2, random_plies: 0..=0, ..Recipe::default() };
        let (mut single, mut double) = (0, 0);
        for number in 0..2000 {
            let position = start(&recipe, number, &mut generator(1, number));
            let fen = position.fen();
            let ranks: Vec<_> = fen.split([' ', '/']).collect();
            if ranks[0].to_uppercase() != ranks[7] {
                double += 1;
            } else if ranks[0] != "rnbqkbnr" {
                single += 1;
            }
        }
        // Four standard deviations of binomial counts, 20 and 18.
        assert!((520..=680).contains(&single) && (330..=470).contains(&double), "{single} and {double}");
    }
}
