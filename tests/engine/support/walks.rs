//! Random positions, the same in every run, reached by random moves from starting positions of standard
//! chess, Chess960 and double Chess960. They have castling rights, en-passant squares, promotions and
//! histories of all kinds.

use rand::{
    Rng as _, SeedableRng as _,
    rngs::StdRng,
    seq::{IndexedRandom as _, SliceRandom as _},
};
use zugwerk::chess::position::Position;

/// The maximum length of a game, in plies.
const LONGEST: usize = 120;

/// Returns `count` positions with at least one legal move and not drawn by rule, each with its game.
pub(crate) fn random_positions(seed: u64, count: usize) -> Vec<Position> {
    let mut rng = StdRng::seed_from_u64(seed);
    std::iter::repeat_with(|| random_position(&mut rng)).flatten().take(count).collect()
}

/// Returns a position some random moves after a start; `None` if the game ended before.
fn random_position(rng: &mut StdRng) -> Option<Position> {
    let mut position = match rng.random_range(0..4) {
        0 | 1 => Position::default(),
        kind => random_start(rng, kind == 3),
    };
    for _ in 0..rng.random_range(0..LONGEST) {
        let m = *position.legal_moves().choose(rng)?;
        position.play(m);
    }
    (!position.is_draw_by_rule() && !position.legal_moves().is_empty()).then_some(position)
}

/// A Chess960 starting position, with different back ranks for both sides if `double`.
fn random_start(rng: &mut StdRng, double: bool) -> Position {
    let white = back_rank(rng);
    let black = if double { back_rank(rng) } else { white.clone() };
    let fen = format!("{}/pppppppp/8/8/8/8/PPPPPPPP/{} w KQkq - 0 1", black.to_lowercase(), white);
    Position::from_fen(&fen).expect("a starting position")
}

/// The bishops on squares of different colours, the king between the rooks.
fn back_rank(rng: &mut StdRng) -> String {
    let mut pieces = *b"RNBQKBNR";
    loop {
        pieces.shuffle(rng);
        let places =
            |piece| pieces.iter().enumerate().filter(move |(_, p)| **p == piece).map(|(file, _)| file);
        let king = places(b'K').next();
        if places(b'B').sum::<usize>() % 2 == 1 && places(b'R').min() < king && king < places(b'R').max() {
            return String::from_utf8_lossy(&pieces).into_owned();
        }
    }
}
