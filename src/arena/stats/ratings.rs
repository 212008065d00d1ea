//! Joint ratings: one number for every player of a tournament, fitted to all results together.
//!
//! The model is Elo's (R. A. Bradley and M. E. Terry, 1952, with a draw as half a win): the mean score
//! between two players follows from the difference of their ratings. The ratings maximise the likelihood,
//! found by Newton's method.
//!
//! Players are rated together if a chain of games connects them. Such players are a *group*, with a mean of
//! 0; ratings of different groups cannot be compared, and a player without games has none.
//!
//! A player who won all its games would have an infinite rating. Each player therefore brings half an
//! additional drawn game, in equal parts against those that it played: two players have one such game, and a
//! pairing among many has a small part of one. It adds nothing to pairings that were not played.
//!
//! The errors account for games played in pairs on one opening: the spread of the results about what the
//! ratings expect is propagated to the ratings to first order (the "sandwich" of P. J. Huber, 1967). They are
//! errors relative to the mean of the group, not to one of its players.
//!
//! The equations of each step and of each error have one unknown for each player and few coefficients:
//! conjugate gradients solve them (M. R. Hestenes and E. Stiefel, 1952).

use std::collections::BTreeSet;

use rayon::prelude::*;
use wide::f64x8;

use super::elo::{Pentanomial, Trinomial, Z95};

/// Elo per unit of the logistic function's argument.
const ELO_PER_LOGIT: f64 = 400.0 / std::f64::consts::LN_10;

/// The most steps to the solution; about ten are usual.
const MOST_STEPS: usize = 200;

/// The step, in logits between two players, after which the solution is exact.
const LAST_STEP: f64 = 1e-7;

/// The spread of all results, a ratio (see [`Group::variances`]), is estimated as if there also were two
/// games between equals with this variance in points², and a ratio of 1.
const ASSUMED: f64 = 0.5;

/// The same for the spread of one encounter, in which the ratio is that of all results: 20 games between
/// equals.
const SHARED: f64 = 5.0;

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
    /// Elo, above or below the mean of the group.
    pub elo: f64,
    /// Half the width of its 95 % interval.
    pub margin: f64,
    /// The group, from 1: ratings of different groups cannot be compared.
    pub group: usize,
}

/// The ratings of `players` players after these encounters, in the order of the players; `None` for those
/// without games. Two players have at most one encounter.
///
/// ```
/// use zugwerk::arena::stats::elo::{Pentanomial, Trinomial};
/// use zugwerk::arena::stats::ratings::{Encounter, ratings};
/// let games = Trinomial { wins: 300, draws: 400, losses: 300 };
/// let pairs = Pentanomial([20, 110, 240, 110, 20]);
/// let rated = ratings(3, &[Encounter { first: 0, second: 1, games, pairs }]);
/// let first = rated[0].unwrap();
/// assert!(first.elo.abs() < 1e-9 && first.margin > 5.0);
/// assert!(rated[2].is_none());
/// ```
#[must_use]
pub fn ratings(players: usize, encounters: &[Encounter]) -> Vec<Option<Rating>> {
    let mut rated = vec![None; players];
    for (number, (members, encounters)) in (1..).zip(groups(players, encounters)) {
        let group = Group::of(members.len(), &encounters);
        let strengths = group.strengths();
        let errors = group.errors(&strengths);
        for (&player, (strength, error)) in members.iter().zip(strengths.iter().zip(errors)) {
            let (elo, margin) = (ELO_PER_LOGIT * strength, ELO_PER_LOGIT * Z95 * error);
            rated[player] = Some(Rating { elo, margin, group: number });
        }
    }
    rated
}

/// The players of each group, in the order of the groups' first players, and its encounters with games, in
/// which a player is a place in this list.
fn groups(players: usize, encounters: &[Encounter]) -> Vec<(Vec<usize>, Vec<Encounter>)> {
    let played: Vec<&Encounter> = encounters.iter().filter(|encounter| encounter.games.games() > 0).collect();
    let mut opponents = vec![Vec::new(); players];
    for encounter in &played {
        opponents[encounter.first].push(encounter.second);
        opponents[encounter.second].push(encounter.first);
    }
    // The group of each player, and its place in it.
    let mut places: Vec<Option<(usize, usize)>> = vec![None; players];
    let mut groups = Vec::new();
    for player in 0..players {
        if places[player].is_some() || opponents[player].is_empty() {
            continue;
        }
        let (mut members, mut reached) = (Vec::new(), vec![player]);
        while let Some(player) = reached.pop() {
            if places[player].is_none() {
                places[player] = Some((groups.len(), members.len()));
                members.push(player);
                reached.extend(&opponents[player]);
            }
        }
        groups.push((members, Vec::new()));
    }
    for encounter in played {
        if let (Some((group, first)), Some((_, second))) = (places[encounter.first], places[encounter.second])
        {
            groups[group].1.push(Encounter { first, second, ..*encounter });
        }
    }
    groups
}

/// The expected score of a player that is stronger by so many logits.
fn expected_score(logits: f64) -> f64 {
    1.0 / (1.0 + (-logits).exp())
}

/// The results of two players of a group, which are numbered in its order.
struct Meeting {
    first: usize,
    second: usize,
    /// The games and the first player's points, without the drawn game.
    games: f64,
    points: f64,
    /// The part of an additional drawn game.
    drawn: f64,
    /// What the spread is estimated from: the number of pairs (or else games) by points, evenly spaced, and
    /// the games in each.
    counts: Vec<u64>,
    games_each: f64,
}

/// Players that games connect. All strengths are in logits.
struct Group {
    /// The number of players.
    size: usize,
    meetings: Vec<Meeting>,
}

impl Group {
    /// The group of so many players and their encounters.
    fn of(size: usize, encounters: &[Encounter]) -> Self {
        let mut opponents = vec![BTreeSet::new(); size];
        for &Encounter { first, second, .. } in encounters {
            opponents[first].insert(second);
            opponents[second].insert(first);
        }
        let share: Vec<f64> = opponents.iter().map(|all| 0.5 / all.len() as f64).collect();
        let meetings = encounters.iter().map(|&Encounter { first, second, games, pairs }| {
            let is_paired = pairs.pairs() > 0;
            Meeting {
                first,
                second,
                games: games.games() as f64,
                points: games.points(),
                drawn: share[first] + share[second],
                counts: if is_paired {
                    pairs.0.to_vec()
                } else {
                    vec![games.losses, games.draws, games.wins]
                },
                games_each: if is_paired { 2.0 } else { 1.0 },
            }
        });
        Self { size, meetings: meetings.collect() }
    }

    /// The most likely strengths, with a mean of 0.
    fn strengths(&self) -> Vec<f64> {
        let mut strengths = vec![0.0; self.size];
        for _ in 0..MOST_STEPS {
            let slope = self.slope(&strengths).into_iter().map(f64x8::splat).collect();
            let step = self.curvature(&strengths).solve(slope, EXACT);
            let step: Vec<f64> = step.into_iter().map(|entry| entry.to_array()[0]).collect();
            let changes =
                self.meetings.iter().map(|meeting| (step[meeting.first] - step[meeting.second]).abs());
            let largest = changes.fold(0.0, f64::max);
            // A full step far from the solution can overshoot indefinitely; with this one the likelihood
            // grows always (F. Bach, "Self-concordant analysis for logistic regression", 2010).
            let scale = if largest > 0.0 { largest.ln_1p() / largest } else { 1.0 };
            strengths.iter_mut().zip(&step).for_each(|(strength, part)| *strength += scale * part);
            if largest < LAST_STEP {
                break;
            }
        }
        let mean = strengths.iter().sum::<f64>() / strengths.len() as f64;
        strengths.iter_mut().for_each(|strength| *strength -= mean);
        strengths
    }

    /// The expected score of the first player of a meeting.
    fn expected(strengths: &[f64], meeting: &Meeting) -> f64 {
        expected_score(strengths[meeting.first] - strengths[meeting.second])
    }

    /// The gradient of the log-likelihood.
    fn slope(&self, strengths: &[f64]) -> Vec<f64> {
        let mut slope = vec![0.0; strengths.len()];
        for meeting in &self.meetings {
            let expected = (meeting.games + meeting.drawn) * Self::expected(strengths, meeting);
            let surprise = meeting.points + meeting.drawn / 2.0 - expected;
            slope[meeting.first] += surprise;
            slope[meeting.second] -= surprise;
        }
        slope
    }

    /// The curvature of the log-likelihood, negated.
    fn curvature(&self, strengths: &[f64]) -> Curvature {
        let weights = self.meetings.iter().map(|meeting| {
            let expected = Self::expected(strengths, meeting);
            (meeting.games + meeting.drawn) * expected * (1.0 - expected)
        });
        let links = self.linked(weights);
        let mut diagonal = vec![0.0; self.size];
        for link in &links {
            diagonal[link.first as usize] += link.weight;
            diagonal[link.second as usize] += link.weight;
        }
        Curvature { links, diagonal }
    }

    /// The players of each meeting, with a number for it.
    fn linked(&self, weights: impl IntoIterator<Item = f64>) -> Vec<Link> {
        let links = self.meetings.iter().zip(weights).map(|(meeting, weight)| Link {
            first: meeting.first as u32,
            second: meeting.second as u32,
            weight,
        });
        links.collect()
    }

    /// The standard errors of the strengths, relative to their mean.
    fn errors(&self, strengths: &[f64]) -> Vec<f64> {
        let curvature = self.curvature(strengths);
        let variances = self.linked(self.variances(strengths));
        // Eight players at a time.
        let errors = |first: usize| {
            let contrast = |player: usize| {
                let own = |lane| f64::from(u8::from(first + lane == player)) - 1.0 / self.size as f64;
                f64x8::new(std::array::from_fn(own))
            };
            // The change of the strengths with one more point of a player.
            let by_point = curvature.solve((0..self.size).map(contrast).collect(), NEARLY_EXACT);
            let parts = variances.iter().map(|link| {
                let difference = link.difference(&by_point);
                f64x8::splat(link.weight) * difference * difference
            });
            parts.sum::<f64x8>().sqrt().to_array()
        };
        let all: Vec<[f64; 8]> = (0..self.size).into_par_iter().step_by(8).map(errors).collect();
        all.concat()
    }

    /// The variance of the first player's points in each meeting: that of games without draws, times a ratio,
    /// which draws and pairs make smaller. The ratio is estimated from the distances of the results from what
    /// the strengths expect: for each meeting, and, because many meetings are short, also from those of all
    /// the others.
    fn variances(&self, strengths: &[f64]) -> Vec<f64> {
        // For each meeting, of pairs or games: their number, the squares of their distances, and their
        // binomial variance.
        let spreads = self.meetings.iter().map(|meeting| {
            let expected = Self::expected(strengths, meeting);
            let number = meeting.counts.iter().sum::<u64>() as f64;
            let squares = (0..).zip(&meeting.counts).map(|(half_points, &count)| {
                let distance = f64::from(half_points) / 2.0 - meeting.games_each * expected;
                count as f64 * distance * distance
            });
            (number, squares.sum::<f64>(), number * meeting.games_each * expected * (1.0 - expected))
        });
        let spreads: Vec<(f64, f64, f64)> = spreads.collect();
        let sum = |part: fn(&(f64, f64, f64)) -> f64| spreads.iter().map(part).sum::<f64>();
        let (number, squares, binomial) =
            (sum(|spread| spread.0), sum(|spread| spread.1), sum(|spread| spread.2));
        // The fitted strengths are nearer to the results than the true ones.
        let free = ((number - (strengths.len() - 1) as f64) / number).max(0.0);
        let ratio = (squares + ASSUMED) / (free * binomial + ASSUMED);
        let variances = self.meetings.iter().zip(&spreads).map(|(meeting, (_, squares, binomial))| {
            let expected = Self::expected(strengths, meeting);
            let own = (squares + SHARED * ratio) / (free * binomial + SHARED);
            own * meeting.games * expected * (1.0 - expected)
        });
        variances.collect()
    }
}

/// A symmetric matrix: the weight of a meeting in the diagonal of both players, and negated where they cross.
/// It leaves the common level of all players open.
struct Curvature {
    links: Vec<Link>,
    diagonal: Vec<f64>,
}

/// Two players who have met, and a number: all that the repeated sums over the meetings read.
struct Link {
    first: u32,
    second: u32,
    weight: f64,
}

impl Link {
    /// How much larger the first player's entry is.
    fn difference(&self, vector: &[f64x8]) -> f64x8 {
        vector[self.first as usize] - vector[self.second as usize]
    }
}

/// The part of the square of the first remainder that is left when a solution is exact.
const EXACT: f64 = 1e-24;

/// The same where a few digits are enough, also after a long chain of players.
const NEARLY_EXACT: f64 = 1e-14;

impl Curvature {
    /// Solutions `x` of `curvature · x = remainder`, whose entries add up to 0, up to a remainder whose
    /// square is a `last` part of the first one. Eight are found side by side, because reading the links
    /// takes longer than calculating with them.
    fn solve(&self, mut remainder: Vec<f64x8>, last: f64) -> Vec<f64x8> {
        let scaled = |remainder: &[f64x8]| -> Vec<f64x8> {
            let diagonal = self.diagonal.iter().map(|&entry| f64x8::splat(entry));
            remainder.iter().zip(diagonal).map(|(&entry, diagonal)| entry / diagonal).collect()
        };
        // What is rounded adds up to a little more, for which there is no solution.
        let mean = remainder.iter().copied().sum::<f64x8>() / f64x8::splat(remainder.len() as f64);
        remainder.iter_mut().for_each(|entry| *entry -= mean);
        let mut solution = vec![f64x8::ZERO; remainder.len()];
        let mut direction = scaled(&remainder);
        let mut left = dot(&remainder, &direction);
        let enough = left.to_array().map(|first| last * first.max(1e-4));
        // In exact arithmetic as many steps as unknowns are enough.
        for _ in 0..10 * remainder.len() {
            let image = self.times(&direction);
            let (now, curved) = (left.to_array(), dot(&direction, &image).to_array());
            // A solution that is exact stays as it is.
            let step = std::array::from_fn(|lane| {
                let step = now[lane] / curved[lane];
                if step.is_finite() && now[lane] > enough[lane] { step } else { 0.0 }
            });
            if step == [0.0; 8] {
                break;
            }
            let step = f64x8::new(step);
            add(&mut solution, step, &direction);
            add(&mut remainder, -step, &image);
            let next = scaled(&remainder);
            left = dot(&remainder, &next);
            let after = left.to_array();
            let turn =
                std::array::from_fn(|lane| if now[lane] > 0.0 { after[lane] / now[lane] } else { 0.0 });
            let turn = f64x8::new(turn);
            direction.iter_mut().zip(next).for_each(|(old, new)| *old = new + turn * *old);
        }
        solution
    }

    fn times(&self, vector: &[f64x8]) -> Vec<f64x8> {
        let mut product = vec![f64x8::ZERO; vector.len()];
        for link in &self.links {
            let flow = f64x8::splat(link.weight) * link.difference(vector);
            product[link.first as usize] += flow;
            product[link.second as usize] -= flow;
        }
        product
    }
}

fn dot(one: &[f64x8], two: &[f64x8]) -> f64x8 {
    one.iter().zip(two).map(|(&one, &two)| one * two).sum()
}

/// Adds `factor` times `other` to `vector`.
fn add(vector: &mut [f64x8], factor: f64x8, other: &[f64x8]) {
    vector.iter_mut().zip(other).for_each(|(entry, &other)| *entry += factor * other);
}

#[cfg(test)]
mod tests {
    use rand::rngs::StdRng;
    use rand::{Rng as _, SeedableRng as _};

    use super::*;

    /// The ratings of players that all played.
    fn rate(players: usize, encounters: &[Encounter]) -> Vec<Rating> {
        ratings(players, encounters).into_iter().map(Option::unwrap).collect()
    }

    /// Returns `rounds` pairs of games with results drawn for a difference of `elo`; about every second game
    /// is drawn.
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
        let rated = rate(2, &[encounter]);
        let plain = encounter.pairs.estimate().unwrap().elo;
        assert!((rated[0].elo - rated[1].elo - plain.value).abs() < 0.02);
        assert!((rated[0].margin * 2.0 - plain.margin()).abs() < 0.05, "{rated:?} {plain:?}");
    }

    /// 95 % intervals must contain the truth in 95 of 100 cases: in 400 × 4 cases at least 92 %, at most 98
    /// %.
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
            let rated = rate(4, &encounters);
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
        assert_eq!(rated[3], None);
        let rated: Vec<Rating> = rated.into_iter().flatten().collect();
        assert!(rated.iter().all(|rating| rating.elo.is_finite() && rating.margin.is_finite()), "{rated:?}");
        assert!(rated[0].elo > rated[1].elo + 300.0 && rated[1].elo > rated[2].elo + 300.0, "{rated:?}");
        assert_eq!((ratings(3, &[]), ratings(0, &[])), (vec![None; 3], Vec::new()));
    }

    /// A long chain of players, each of whom wins all its games against the next one: every difference is
    /// that of two such players alone.
    #[test]
    fn a_long_chain_of_whitewashes_has_a_solution() {
        let all = |first| Encounter {
            first,
            second: first + 1,
            games: Trinomial { wins: 20, draws: 0, losses: 0 },
            pairs: Pentanomial([0, 0, 0, 0, 10]),
        };
        let chain: Vec<Encounter> = (0..1000).map(all).collect();
        let rated = rate(1001, &chain);
        // The middle of the chain: half a drawn game from each player, for two opponents.
        let (points, games) = (20.25, 20.5);
        let expected = crate::arena::stats::elo::elo_of_score(points / games);
        let middle = rated[500].elo - rated[501].elo;
        assert!((middle - expected).abs() < 1e-3, "{middle} {expected}");
        assert!(rated.iter().all(|rating| rating.margin.is_finite()));
    }

    fn score_of_elo(elo: f64) -> f64 {
        crate::arena::stats::elo::score_of_elo(elo)
    }

    /// Twenty pairs of players without games between them: nobody's rating depends on the others.
    #[test]
    fn only_games_connect_ratings() {
        let games = Trinomial { wins: 60, draws: 30, losses: 10 };
        let pairs = Pentanomial([1, 4, 10, 20, 15]);
        let meet = |first| Encounter { first, second: first + 1, games, pairs };
        let idle = |first, second| Encounter {
            first,
            second,
            games: Trinomial::default(),
            pairs: Pentanomial::default(),
        };
        let mut encounters: Vec<Encounter> = (0..40).step_by(2).map(meet).collect();
        for first in 0..40 {
            encounters.extend((first + 1..40).map(|second| idle(first, second)));
        }
        let rated = rate(40, &encounters);
        let alone = rate(2, &encounters[..1]);
        for (player, rating) in rated.iter().enumerate() {
            let expected = Rating { group: player / 2 + 1, ..alone[player % 2] };
            assert!((rating.elo - expected.elo).abs() < 1e-9, "{rating:?} {expected:?}");
            assert!((rating.margin - expected.margin).abs() < 1e-9, "{rating:?} {expected:?}");
            assert_eq!(rating.group, expected.group);
        }
        // +60 =30 -10 and a drawn game.
        let difference = crate::arena::stats::elo::elo_of_score(75.5 / 101.0);
        assert!((rated[0].elo - rated[1].elo - difference).abs() < 1e-6, "{rated:?}");
    }

    /// 95 % intervals of 200 tournaments contain the truth in 93 to 97 % of all cases: round robins,
    /// gauntlets, pairings at random, in one group or in several, with 2 to 200 players, and at least 20
    /// games for each player.
    #[test]
    fn intervals_of_tournaments_contain_the_truth() {
        let mut random = StdRng::seed_from_u64(14);
        let (mut within, mut all) = ([0; 6], [0; 6]);
        for tournament in 0..200 {
            let players: usize = match tournament % 8 {
                0 => 2,
                _ => 2.0_f64.mul_add(100.0_f64.powf(random.random()), 0.5) as usize,
            };
            let groups = if tournament % 2 == 0 { 1 } else { random.random_range(1..=(players / 2).min(20)) };
            let spread = [30.0, 100.0, 200.0][tournament % 3];
            let truth: Vec<f64> = (0..players)
                .map(|_| spread * (0..12).map(|_| random.random::<f64>() - 0.5).sum::<f64>())
                .collect();
            let mut met = std::collections::BTreeMap::<(usize, usize), u64>::new();
            for group in 0..groups {
                let members: Vec<usize> = (group..players).step_by(groups).collect();
                let kind = tournament / 3 % 3;
                let size = members.len();
                let times = 10_u64.div_ceil(size as u64 - 1) * random.random_range(1..=3);
                for (at, &one) in members.iter().enumerate() {
                    match kind {
                        0 => members[at + 1..]
                            .iter()
                            .for_each(|&two| *met.entry((one, two)).or_default() += times),
                        1 if at > 0 => *met.entry((members[0], one)).or_default() += 10,
                        1 => {}
                        _ => {
                            // Ten pairs of games for each against anyone, the next one included.
                            for pair in 0..10 {
                                let by = if pair == 0 { 1 } else { random.random_range(1..size) };
                                let two = members[(at + by) % size];
                                *met.entry((one.min(two), one.max(two))).or_default() += 1;
                            }
                        }
                    }
                }
            }
            let encounters: Vec<Encounter> = met
                .into_iter()
                .map(|((one, two), rounds)| play(one, two, truth[one] - truth[two], rounds, &mut random))
                .map(|met| {
                    if tournament % 5 == 0 { Encounter { pairs: Pentanomial::default(), ..met } } else { met }
                })
                .collect();
            let rated = rate(players, &encounters);
            let kind = tournament / 3 % 3 + if spread > 150.0 { 3 } else { 0 };
            for group in 0..groups {
                let members: Vec<usize> = (group..players).step_by(groups).collect();
                let mean = members.iter().map(|&player| truth[player]).sum::<f64>() / members.len() as f64;
                for player in members {
                    let Rating { elo, margin, .. } = rated[player];
                    all[kind] += 1;
                    within[kind] += usize::from((elo - truth[player] + mean).abs() < margin);
                }
            }
        }
        let (inside, cases): (usize, usize) = (within.iter().sum(), all.iter().sum());
        assert!(
            (93 * cases..=97 * cases).contains(&(100 * inside)),
            "{inside} of {cases}: {within:?} of {all:?}"
        );
    }

    /// Compared with a Python program that uses other methods: ratings by D. R. Hunter's
    /// minorisation-maximisation (2004), and their change with a player's points by finite differences.
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
        let expected = [(55.336_921, 25.813_342), (2.462_937, 21.488_829), (-57.799_857, 30.426_784)];
        for (rating, (elo, margin)) in rate(3, &encounters).iter().zip(expected) {
            assert!((rating.elo - elo).abs() < 1e-3 && (rating.margin - margin).abs() < 1e-3, "{rating:?}");
        }
    }

    /// At the maximum every player's expected points are its points. Full steps never reach it from these
    /// results.
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
        let rated = rate(6, &encounters);
        let opponents = [3.0, 3.0, 3.0, 3.0, 2.0, 2.0];
        let mut surprise = [0.0; 6];
        for encounter in &encounters {
            let drawn = 0.5 / opponents[encounter.first] + 0.5 / opponents[encounter.second];
            let (games, points) =
                (encounter.games.games() as f64 + drawn, encounter.games.points() + drawn / 2.0);
            let difference = rated[encounter.first].elo - rated[encounter.second].elo;
            let more = points - games * score_of_elo(difference);
            surprise[encounter.first] += more;
            surprise[encounter.second] -= more;
        }
        assert!(surprise.iter().all(|points| points.abs() < 1e-6), "{surprise:?} {rated:?}");
        let mean = rated.iter().map(|rating| rating.elo).sum::<f64>() / 6.0;
        assert!(mean.abs() < 1e-9, "{mean}");
    }

    /// The first and the third player never met; their results against the second determine the difference.
    #[test]
    fn ratings_carry_over_a_common_opponent() {
        let games = |points: u64| Trinomial { wins: points, draws: 0, losses: 1000 - points };
        let pairs = Pentanomial([100, 0, 300, 0, 100]);
        let meet = |first, second, points| Encounter { first, second, games: games(points), pairs };
        let rated = rate(3, &[meet(0, 1, 640), meet(1, 2, 640)]);
        assert!((rated[0].elo - rated[2].elo - 200.0).abs() < 1.0, "{rated:?}");
    }
}
