//! The accuracy of a side over many moves, as one number.
//!
//! The game is counted as on Lichess: a value counts up to ±10 pawns, and a mate like ±10 pawns. The usual
//! starting position counts as 15 centipawns. The move that mates is not counted. (Lichess counts 15
//! centipawns for other beginnings too, where they may be far from the value.)
//!
//! As on Lichess, the accuracies of the moves are averaged in two ways, and the result is the mean of the
//! two. The first is weighted by how much the expected score varies around a move, so that good moves in
//! quiet positions do not outweigh bad ones in sharp positions. The second is the harmonic mean, which a few
//! bad moves lower strongly.
//!
//! References: <https://lichess.org/page/accuracy>, and `AccuracyPercent` in the source of Lichess
//! (<https://github.com/lichess-org/lila>).

use std::ops::RangeInclusive;

use super::marks::CEILING;
use crate::chess::{
    position::Position,
    value::{Value, win_percent},
};

/// The value of the usual starting position, in centipawns.
const START: Value = 15;

/// The minimum and the maximum weight of a move.
const WEIGHTS: RangeInclusive<f64> = 0.5..=12.0;

/// The minimum accuracy of a move in the harmonic mean, which a zero would make zero.
const LEAST: f64 = 1.0;

/// Returns the expected score of White in the positions that count, in percent, by the values for White.
pub(super) fn percents(positions: &[Position], white_value: impl Fn(usize) -> Value) -> Vec<f64> {
    let counted = positions.iter().filter(|position| !position.is_checkmate()).count();
    let is_usual = positions[0].key() == Position::default().key();
    let value = |ply| if ply == 0 && is_usual { START } else { white_value(ply) };
    (0..counted).map(|ply| win_percent(value(ply).clamp(-CEILING, CEILING))).collect()
}

/// Returns the weight of every move of a game: the standard deviation of the expected score (`percents`
/// before the first move and after each) over the positions up to the one after it. Their number is a tenth
/// of the moves, 2 to 8.
pub(super) fn weights(percents: &[f64]) -> Vec<f64> {
    let moves = percents.len().saturating_sub(1);
    let size = (moves / 10).clamp(2, 8);
    (0..moves)
        .map(|ply| {
            let begin = (ply + 2).saturating_sub(size);
            let window = &percents[begin..(begin + size).min(percents.len())];
            deviation(window).clamp(*WEIGHTS.start(), *WEIGHTS.end())
        })
        .collect()
}

/// The standard deviation.
fn deviation(numbers: &[f64]) -> f64 {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    (numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count).sqrt()
}

/// Returns the accuracy of `moves`, each given by its accuracy and its weight; `None` if there are none.
pub(super) fn together(moves: impl Iterator<Item = (f64, f64)> + Clone) -> Option<f64> {
    let count = moves.clone().count() as f64;
    let total: f64 = moves.clone().map(|(_, weight)| weight).sum();
    let weighted = moves.clone().map(|(accuracy, weight)| accuracy * weight).sum::<f64>() / total;
    let harmonic = count / moves.map(|(accuracy, _)| 1.0 / accuracy.max(LEAST)).sum::<f64>();
    (count > 0.0).then_some(f64::midpoint(weighted, harmonic))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chess::value::mated_in;

    #[test]
    fn values_count_as_on_lichess() {
        let mut positions = vec![Position::default()];
        for m in ["f2f3", "e7e5", "g2g4", "d8h4"] {
            let mut next = positions[positions.len() - 1].clone();
            next.play(next.find_move(m).unwrap());
            positions.push(next);
        }
        let values = [40, 0, 1_500, mated_in(1), mated_in(0)];
        let expected = [15, 0, 1_000, -1_000].map(win_percent);
        assert_eq!(percents(&positions, |ply| values[ply]), expected);
        assert_eq!(percents(&positions[1..], |ply| values[ply])[0], win_percent(40), "another start");
    }

    #[test]
    fn moves_in_a_fight_weigh_more() {
        let quiet = vec![50.0; 41];
        assert!(weights(&quiet).iter().all(|&weight| weight == 0.5));
        let mut fight = quiet;
        fight[20] = 90.0;
        let weights = weights(&fight);
        assert_eq!(weights.len(), 40);
        // The windows of four positions that contain position 20 belong to moves 19 to 22: a tenth of all.
        let heavy = (0..40).filter(|&ply| weights[ply] > 0.5);
        assert_eq!(heavy.collect::<Vec<usize>>(), [19, 20, 21, 22]);
        assert!(weights.iter().all(|weight| WEIGHTS.contains(weight)));
    }

    #[test]
    fn short_games_have_weights_too() {
        assert_eq!(weights(&[50.0]), Vec::<f64>::new());
        assert_eq!(weights(&[50.0, 60.0]), [5.0]);
        assert_eq!(weights(&[]), Vec::<f64>::new());
    }

    #[test]
    fn one_blunder_pulls_the_mean_down() {
        assert_eq!(together([].into_iter()), None);
        let accuracy = |moves: &[(f64, f64)]| together(moves.iter().copied()).unwrap();
        assert!((accuracy(&[(80.0, 1.0), (80.0, 9.0)]) - 80.0).abs() < 1e-9);
        // (100 + 20) / 2 = 60 and 2 / (1/100 + 1/20) = 33.3, together 46.7.
        assert!((accuracy(&[(100.0, 1.0), (20.0, 1.0)]) - 46.666_666).abs() < 1e-3);
        assert!(accuracy(&[(100.0, 1.0), (20.0, 3.0)]) < accuracy(&[(100.0, 3.0), (20.0, 1.0)]));
        assert!(accuracy(&[(0.0, 1.0)]) > 0.0);
    }
}
