//! Perft: counts the positions at a given depth, the standard test of a move generator.
//!
//! The moves come from [`Position::legal_moves`] and are made by [`Position::play`], as in a search. The
//! moves of the last ply are counted without being played.
//!
//! Reference: chessprogramming.org, "Perft".

use shakmaty::Move;

use crate::chess::{
    position::{Legality, Position},
    value::MAX_PLY,
};

/// The maximum depth; larger depths are reduced to it. (No computer can complete it anyway.)
pub const MAX_DEPTH: u32 = MAX_PLY as u32;

/// Counts the positions `depth` plies below `position`; `None` if `stopped` returned true before the end.
///
/// ```
/// use zugwerk::chess::{perft::count, position::Position};
/// assert_eq!(count(&mut Position::default(), 3, &|| false), Some(8_902));
/// ```
pub fn count(position: &mut Position, depth: u32, stopped: &dyn Fn() -> bool) -> Option<u64> {
    match depth.min(MAX_DEPTH) {
        0 => Some(1),
        1 => Some(legal_move_count(position)),
        _ if stopped() => None,
        depth => divide(position, depth, stopped, |_, _| ()),
    }
}

/// Counts by move: calls `each` with every legal move and the number of positions `depth - 1` plies below it.
///
/// Returns the total, or `None` if `stopped` returned true before the end.
pub fn divide(
    position: &mut Position,
    depth: u32,
    stopped: &dyn Fn() -> bool,
    mut each: impl FnMut(Move, u64),
) -> Option<u64> {
    if depth == 0 {
        return Some(1);
    }
    let mut total = 0;
    for m in position.legal_moves() {
        position.play(m);
        let below = count(position, depth - 1, stopped);
        position.undo();
        let below = below?;
        each(m, below);
        total += below;
    }
    Some(total)
}

fn legal_move_count(position: &Position) -> u64 {
    let legality = Legality::of(position);
    let mut moves = 0;
    legality.tactical_moves(|_| moves += 1);
    legality.quiet_moves(|_| moves += 1);
    moves
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn divide_adds_up_to_the_count() {
        let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
        let mut position = Position::from_fen(fen).unwrap();
        let mut sum = 0;
        let mut moves = 0;
        let total = divide(&mut position, 3, &|| false, |_, nodes| {
            sum += nodes;
            moves += 1;
        });
        assert_eq!((total, sum, moves), (Some(97_862), 97_862, 48));
        assert_eq!(position.fen(), fen, "the position is left as it was");
    }

    #[test]
    fn a_count_can_be_stopped() {
        assert_eq!(count(&mut Position::default(), 30, &|| true), None);
        assert_eq!(
            divide(&mut Position::default(), 1, &|| true, |_, _| ()),
            Some(20),
            "leaves need no stopping"
        );
    }
}
