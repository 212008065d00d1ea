//! Joint ratings: one number for every player of a tournament, fitted to all results together.
//!
//! The model is Elo's (R. A. Bradley and M. E. Terry, 1952, with a draw as half a win): the mean score between two
//! players follows from the difference of their ratings. The ratings maximise the likelihood, found by Newton's method,
//! and have a mean of 0. Each pairing is given one additional drawn game, so that a player who won all its games has a
//! rating.
//!
//! The errors account for games played in pairs on one opening. The spread of each pairing's score is that of
//! [`Pentanomial::error`], propagated to the ratings to first order (the "sandwich" of P. J. Huber, 1967). They are
//! errors relative to the mean of all players, not to one of them.

use super::elo::{Pentanomial, Trinomial, Z95, score_of_elo};

/// Elo per unit of the logistic function's argument.
const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The prior precision of a rating: that of an error of ±20,000 Elo. It fixes the ratings that no game connects with
/// the others.
const PRIOR: f64 = 1e-8;

/// The results between two players, from the perspective of the first.
#[derive(Debug, Clone, Copy)]
pub struct Encounter {
    /// The first player, an index.
    pub first: usize,
    /// The second player, an index.
    pub second: usize,
    /// Single games.
    pub games: Trinomial,
    /// The pairs among them, on one opening each.
    pub pairs: Pentanomial,
}

/// The rating of one player.
#[derive(Debug, Clone, Copy, PartialEq, serde::Serialize)]
pub struct Rating {
    /// Elo, above or below the mean of all players.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub margin: f64,
}

impl Encounter {
    /// The number of games and the first player's points, including the additional drawn game.
    fn counted(&self) -> (f64, f64) {
        ((self.games.games() + 1) as f64, self.games.points() + 0.5)
    }

    /// The variance of the first player's points.
    fn variance(&self) -> f64 {
        let error = self.pairs.error().or(self.games.error()).unwrap_or(0.5);
        (self.counted().0 * error).powi(2)
    }
}

/// The ratings of `players` players after these encounters.
///
/// ```
/// use zugwerk::arena::stats::elo::{Pentanomial, Trinomial};
/// use zugwerk::arena::stats::ratings::{Encounter, ratings};
/// let games = Trinomial { wins: 300, draws: 400, losses: 300 };
/// let pairs = Pentanomial([20, 110, 240, 110, 20]);
/// let rated = ratings(2, &[Encounter { first: 0, second: 1, games, pairs }]);
/// assert!(rated[0].elo.abs() < 1e-9 && rated[0].margin > 5.0);
/// ```
#[must_use]
pub fn ratings(players: usize, encounters: &[Encounter]) -> Vec<Rating> {
    let mut elo = vec![0.0; players];
    for _ in 0..100 {
        let (slope, curvature) = likelihood(&elo, encounters);
        let step = solve(curvature, slope);
        let largest = step.iter().fold(0.0, |most: f64, part| most.max(part.abs()));
        // A full step far from the solution can overshoot indefinitely.
        let scale = (400.0 / largest).min(1.0);
        elo.iter_mut().zip(&step).for_each(|(elo, part)| *elo += scale * part);
        if largest < 1e-9 {
            break;
        }
    }
    let mean = elo.iter().sum::<f64>() / players as f64;
    let curvature = likelihood(&elo, encounters).1;
    let mut variances = vec![0.0; players];
    for encounter in encounters {
        // The change of the ratings when the first player scores one more point in this encounter.
        let mut point = vec![0.0; players];
        point[encounter.first] = 1.0 / ELO_PER_LOGIT;
        point[encounter.second] = -1.0 / ELO_PER_LOGIT;
        let moved = solve(curvature.clone(), point);
        for (variance, by) in variances.iter_mut().zip(&moved) {
            *variance += encounter.variance() * by * by;
        }
    }
    let rated = elo.iter().zip(variances);
    rated.map(|(elo, variance)| Rating { elo: elo - mean, margin: Z95 * variance.sqrt() }).collect()
}

/// The gradient of the log-likelihood at these ratings, and its negated curvature, which is positive.
fn likelihood(elo: &[f64], encounters: &[Encounter]) -> (Vec<f64>, Vec<Vec<f64>>) {
    let mut slope: Vec<f64> = elo.iter().map(|elo| -PRIOR * elo).collect();
    let mut curvature = vec![vec![0.0; elo.len()]; elo.len()];
    for (player, row) in curvature.iter_mut().enumerate() {
        row[player] = PRIOR;
    }
    for encounter in encounters {
        let (one, two) = (encounter.first, encounter.second);
        let (games, points) = encounter.counted();
        let expected = score_of_elo(elo[one] - elo[two]);
        let surprise = (points - games * expected) / ELO_PER_LOGIT;
        slope[one] += surprise;
        slope[two] -= surprise;
        let weight = games * expected * (1.0 - expected) / ELO_PER_LOGIT.powi(2);
        for (row, column, sign) in [(one, one, 1.0), (two, two, 1.0), (one, two, -1.0), (two, one, -1.0)] {
            curvature[row][column] += sign * weight;
        }
    }
    (slope, curvature)
}

/// Solves `matrix · x = right` for a positive definite matrix, by elimination.
fn solve(mut matrix: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for pivot in 0..size {
        let (done, rest) = matrix.split_at_mut(pivot + 1);
        for (below, row) in rest.iter_mut().enumerate() {
            let factor = row[pivot] / done[pivot][pivot];
            row.iter_mut().zip(&done[pivot]).for_each(|(to, from)| *to -= factor * from);
            right[pivot + 1 + below] -= factor * right[pivot];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|column| matrix[row][column] * right[column]).sum();
        right[row] = (right[row] - known) / matrix[row][row];
    }
    right
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{Rng as _, SeedableRng as _};

    use super::*;

    /// Returns `rounds` pairs of games with results drawn for a difference of `elo`; about every second game is drawn.
    fn play(first: usize, second: usize, elo: f64, rounds: u64, random: &mut StdRng) -> Encounter {
        let mut encounter =
            Encounter { first, second, games: Trinomial::default(), pairs: Pentanomial::default() };
        let score = score_of_elo(elo);
        let draws = 2.0 * 0.6 * score.min(1.0 - score);
        for _ in 0..rounds {
            let half_points = [(); 2].map(|()| match random.random::<f64>() {
                chance if chance < draws => 1,
                chance if chance < draws + score - draws / 2.0 => 2,
                _ => 0,
            });
            half_points.iter().for_each(|&game| encounter.games.note(game));
            encounter.pairs.note(half_points.iter().sum());
        }
        encounter
    }

    #[test]
    fn two_players_have_half_the_difference_each() {
        let mut random = StdRng::seed_from_u64(9);
        let encounter = play(0, 1, 50.0, 4000, &mut random);
        let rated = ratings(2, &[encounter]);
        let plain = encounter.pairs.estimate().unwrap().elo;
        assert!((rated[0].elo - rated[1].elo - plain.value).abs() < 0.02);
        assert!((rated[0].margin * 2.0 - plain.margin()).abs() < 0.05, "{rated:?} {plain:?}");
    }

    /// 95 % intervals must contain the truth in 95 of 100 cases: in 400 × 4 cases at least 92 %, at most 98 %.
    #[test]
    fn the_truth_is_within_the_margins_as_often_as_they_say() {
        let truth = [60.0, 10.0, -20.0, -50.0];
        let mut random = StdRng::seed_from_u64(4);
        let mut within = 0;
        for _ in 0..400 {
            let mut encounters = Vec::new();
            for first in 0..4 {
                for second in first + 1..4 {
                    encounters.push(play(first, second, truth[first] - truth[second], 100, &mut random));
                }
            }
            let rated = ratings(4, &encounters);
            within += rated.iter().zip(truth).filter(|(r, truth)| (r.elo - truth).abs() < r.margin).count();
        }
        assert!((1472..=1568).contains(&within), "{within} of 1600");
    }

    #[test]
    fn whitewashes_and_strangers_have_finite_ratings() {
        let all = |first, second| Encounter {
            first,
            second,
            games: Trinomial { wins: 20, draws: 0, losses: 0 },
            pairs: Pentanomial([0, 0, 0, 0, 10]),
        };
        let rated = ratings(4, &[all(0, 1), all(1, 2)]);
        assert!(rated.iter().all(|rating| rating.elo.is_finite() && rating.margin.is_finite()), "{rated:?}");
        assert!(rated[0].elo > rated[1].elo + 300.0 && rated[1].elo > rated[2].elo + 300.0, "{rated:?}");
        assert!(ratings(3, &[]).iter().all(|rating| rating.elo == 0.0));
    }

    /// Compared with a Python program that uses other methods: ratings by D. R. Hunter's minorisation-maximisation (2004),
    /// and their change with a player's points by finite differences.
    #[test]
    fn ratings_agree_with_independent_values() {
        let meet = |first, second, [wins, draws, losses]: [u64; 3], pairs| {
            let games = Trinomial { wins, draws, losses };
            Encounter { first, second, games, pairs: Pentanomial(pairs) }
        };
        let encounters = [
            meet(0, 1, [60, 80, 40], [8, 15, 40, 20, 7]),
            meet(1, 2, [30, 50, 20], [3, 10, 20, 12, 5]),
            meet(0, 2, [25, 10, 5], [0; 5]),
        ];
        let expected = [(54.965_247, 25.019_289), (2.374_722, 20.851_819), (-57.339_97, 29.677_568)];
        for (rating, (elo, margin)) in ratings(3, &encounters).iter().zip(expected) {
            assert!((rating.elo - elo).abs() < 1e-3 && (rating.margin - margin).abs() < 1e-3, "{rating:?}");
        }
    }

    /// At the maximum every player's expected points are nearly its points: the prior moves each rating slightly towards
    /// the mean. Full steps never reach it from these results.
    #[test]
    fn extreme_results_are_reproduced() {
        let one_sided = [
            (0, 1, 0, 435),
            (0, 2, 862_661, 0),
            (0, 3, 10_220, 0),
            (1, 4, 0, 27_076),
            (1, 5, 6081, 0),
            (2, 3, 0, 4),
            (2, 5, 486, 485),
            (3, 4, 125_799, 0),
        ];
        let encounters = one_sided.map(|(first, second, wins, losses)| {
            let games = Trinomial { wins, draws: 0, losses };
            Encounter { first, second, games, pairs: Pentanomial::default() }
        });
        let rated = ratings(6, &encounters);
        let mut surprise = [0.0; 6];
        for encounter in &encounters {
            let (games, points) = encounter.counted();
            let difference = rated[encounter.first].elo - rated[encounter.second].elo;
            let more = points - games * score_of_elo(difference);
            surprise[encounter.first] += more;
            surprise[encounter.second] -= more;
        }
        assert!(surprise.iter().all(|points| points.abs() < 0.01), "{surprise:?} {rated:?}");
        let mut both = surprise.iter().zip(&rated);
        assert!(both.all(|(points, rating)| points * rating.elo > 0.0), "{surprise:?} {rated:?}");
        let mean = rated.iter().map(|rating| rating.elo).sum::<f64>() / 6.0;
        assert!(mean.abs() < 1e-9, "{mean}");
    }

    /// The first and the third player never met; their results against the second determine the difference.
    #[test]
    fn ratings_carry_over_a_common_opponent() {
        let games = |points: u64| Trinomial { wins: points, draws: 0, losses: 1000 - points };
        let pairs = Pentanomial([100, 0, 300, 0, 100]);
        let meet = |first, second, points| Encounter { first, second, games: games(points), pairs };
        let rated = ratings(3, &[meet(0, 1, 640), meet(1, 2, 640)]);
        assert!((rated[0].elo - rated[2].elo - 200.0).abs() < 1.0, "{rated:?}");
    }
}
