//! Limits the playing strength to a given number of Elo points.
//!
//! Two things make a player weak. The search gets fewer nodes, so it looks less far ahead. And the move
//! played is not always the best one found: it is drawn from the best lines, with a probability that falls
//! with the loss, and without moves that lose far too much. In a known win it is always the best one. The
//! first is enough for a club player, whose moves each make sense; a beginner needs both.
//!
//! The strengths of the table below were measured in games; docs/elo.md describes how. A change of the search
//! or the evaluation changes them, so they should then be measured again.

use std::ops::RangeInclusive;

use rand::{
    Rng,
    distr::{Distribution as _, weighted::WeightedIndex},
};

use super::{Limits, Outcome, Settings};
use crate::chess::value::{KNOWN_WIN, MATE_BOUND, Score, Value};

/// Measured players: Elo points, nodes for each line, noise. Values between them are interpolated linearly,
/// nodes by their logarithm.
const MEASURED: [(i32, f64, f64); 11] = [
    (910, 200.0, 250.0),
    (1080, 200.0, 150.0),
    (1225, 200.0, 100.0),
    (1490, 200.0, 50.0),
    (1645, 200.0, 20.0),
    (1720, 200.0, 5.0),
    (1960, 1_000.0, 0.0),
    (2225, 4_000.0, 0.0),
    (2540, 16_000.0, 0.0),
    (2995, 64_000.0, 0.0),
    (3290, 200_000.0, 0.0),
];

/// The number of lines to draw from.
const LINES: usize = 5;

/// A move that loses more than this many times the noise is never drawn, because even a weak player does not
/// overlook it.
const OVERLOOKED: f64 = 3.0;

/// Values are limited to this size, in centipawns, before lines are compared. Mates come on top of it.
const CLEAR: Value = 2000;

/// A mate in n moves counts as much above [`CLEAR`], in centipawns, as this divided by n: the shorter a mate
/// is, the more rarely it is overlooked. The same holds for being mated, below zero.
const MATE_IN_ONE: f64 = 300.0;

/// The parameters of a player of some strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Strength {
    /// The maximum number of nodes for each line.
    pub nodes: u64,
    /// The loss, in centipawns, at which a move is e times less likely to be played than the best one.
    pub noise: f64,
}

impl Strength {
    /// The available strengths, in Elo points.
    pub const ELO: RangeInclusive<i32> = MEASURED[0].0..=MEASURED[MEASURED.len() - 1].0;

    /// Returns the player of `elo` points, limited to [`ELO`](Self::ELO).
    #[must_use]
    pub fn of(elo: i32) -> Self {
        let elo = elo.clamp(*Self::ELO.start(), *Self::ELO.end());
        let above = MEASURED.partition_point(|&(measured, ..)| measured < elo).clamp(1, MEASURED.len() - 1);
        let ((low, nodes_low, noise_low), (high, nodes_high, noise_high)) =
            (MEASURED[above - 1], MEASURED[above]);
        let share = f64::from(elo - low) / f64::from(high - low);
        Self {
            nodes: (nodes_low * (nodes_high / nodes_low).powf(share)).round() as u64,
            noise: noise_low + share * (noise_high - noise_low),
        }
    }

    /// Changes `limits` and `settings` to those of this player, for a search of `root_moves` moves. Tighter
    /// limits remain.
    pub fn restrain(self, root_moves: usize, limits: &mut Limits, settings: &mut Settings) {
        let lines = if self.noise > 0.0 { LINES } else { 1 };
        settings.multi_pv = settings.multi_pv.max(lines);
        // Several threads share the nodes and use them less well.
        settings.one_thread = true;
        let searched = settings.multi_pv.min(root_moves.max(1));
        let nodes = self.nodes * searched as u64;
        limits.nodes = Some(limits.nodes.map_or(nodes, |limit| limit.min(nodes)));
    }

    /// Draws the line to play from those of a limited search. It becomes the first of the lines of `outcome`,
    /// which are numbered anew; the moves to play and to ponder on are set from it. Returns whether another
    /// line is the first one now.
    pub fn choose(self, outcome: &mut Outcome, chance: &mut impl Rng) -> bool {
        let values: Vec<Value> = outcome.lines.iter().map(|line| line.value).collect();
        let drawn = self.draw(&values, chance);
        if drawn > 0 {
            let depth = outcome.lines[0].depth;
            outcome.lines[..=drawn].rotate_right(1);
            let first = &mut outcome.lines[0];
            // It may come from an earlier iteration, and the reported depth never decreases.
            first.depth = first.depth.max(depth);
            (outcome.best, outcome.ponder) = (first.pv.first().copied(), first.pv.get(1).copied());
            for (number, line) in (1..).zip(&mut outcome.lines) {
                line.multi_pv = number;
            }
        }
        drawn > 0
    }

    /// Draws an index of `values`, of which the first is the best.
    fn draw(self, values: &[Value], chance: &mut impl Rng) -> usize {
        let best = values.first().copied().unwrap_or(0);
        if (KNOWN_WIN..MATE_BOUND).contains(&best) {
            // Even a beginner knows how to mate with a queen.
            return 0;
        }
        let weight = |&value: &Value| {
            let loss = (felt(best) - felt(value)) / self.noise;
            if loss > OVERLOOKED { 0.0 } else { (-loss).exp() }
        };
        // Without lines or without noise the first is chosen.
        let weights = WeightedIndex::new(values.iter().take(LINES).map(weight));
        weights.map_or(0, |weights| weights.sample(chance))
    }
}

/// The worth of a line to a player who compares it with others, in centipawns.
fn felt(value: Value) -> f64 {
    let beyond = match Score::from(value) {
        Score::Mate(moves) if moves != 0 => MATE_IN_ONE / f64::from(moves),
        Score::Mate(_) | Score::Cp(_) => 0.0,
    };
    f64::from(value.clamp(-CLEAR, CLEAR)) + beyond
}

#[cfg(test)]
mod tests {
    use rand::{SeedableRng as _, rngs::StdRng};
    use shakmaty::{Move, Role, Square};

    use super::*;
    use crate::{
        chess::value::{EVAL_LIMIT, mate_in, mated_in},
        engine::{search::Report, tt::Bound},
    };

    #[test]
    fn more_elo_is_more_nodes_and_less_noise() {
        let players: Vec<Strength> = Strength::ELO.step_by(50).map(Strength::of).collect();
        for pair in players.windows(2) {
            assert!(pair[0].nodes <= pair[1].nodes && pair[0].noise >= pair[1].noise, "{pair:?}");
            assert_ne!(pair[0], pair[1], "every step is felt");
        }
        for (elo, nodes, noise) in MEASURED {
            assert_eq!(Strength::of(elo), Strength { nodes: nodes.round() as u64, noise }, "{elo}");
        }
        assert_eq!(Strength::of(-5), players[0]);
        assert_eq!(Strength::of(9999).noise, 0.0);
    }

    fn drawn(noise: f64, values: &[Value]) -> [u32; 5] {
        let mut chance = StdRng::seed_from_u64(1);
        let player = Strength { nodes: 1, noise };
        let mut counts = [0; 5];
        for _ in 0..1000 {
            counts[player.draw(values, &mut chance)] += 1;
        }
        counts
    }

    #[test]
    fn better_moves_are_likelier_and_blunders_excluded() {
        let counts = drawn(50.0, &[30, 10, -20, -119, -121]);
        assert!(counts.is_sorted_by(|a, b| a > b), "{counts:?}");
        assert!(counts[3] > 0 && counts[4] == 0, "{counts:?}");
        assert_eq!(drawn(0.0, &[30, 29, 28, 27, 26]), [1000, 0, 0, 0, 0]);
        assert_eq!(drawn(100.0, &[mate_in(3), 900, 880, 3, 2])[0], 1000, "mates are seen");
        assert_eq!(drawn(100.0, &[]), [1000, 0, 0, 0, 0]);
        assert_eq!(drawn(100.0, &[KNOWN_WIN + 30, KNOWN_WIN + 20])[0], 1000, "the method is known");
    }

    #[test]
    fn the_shorter_a_mate_is_the_more_rarely_it_is_overlooked() {
        let mate = |moves: usize| mate_in(2 * moves - 1);
        let mated = |moves: usize| mated_in(2 * moves);
        let missed = |noise, values: &[Value]| 1000 - drawn(noise, values)[0];
        let won = [mate(1), mate(2), mate(3), 3000, EVAL_LIMIT];
        let overlooked = [5.0, 50.0, 100.0, 150.0].map(|noise| missed(noise, &won));
        assert_eq!(overlooked[0], 0);
        assert!(overlooked.is_sorted(), "{overlooked:?}");
        assert!((200..600).contains(&overlooked[3]), "{overlooked:?}");
        assert_eq!(missed(5.0, &[mate(5), mate(9), 3000]), 0, "it makes progress in a won game");
        let by_length = [1, 2, 5].map(|moves| missed(100.0, &[mate(moves), 2000]));
        assert!(by_length[0] < by_length[1] && by_length[1] < by_length[2], "{by_length:?}");
        assert_eq!(missed(5.0, &[mated(3), mated(2), mated(1)]), 0, "a lost game goes on as long as it can");
        let lost = drawn(100.0, &[mated(3), mated(2), mated(1)]);
        assert!(lost.is_sorted_by(|a, b| a >= b) && lost[2] > 0, "{lost:?}");
        assert_eq!(missed(100.0, &[-2000, mated(1)]), missed(100.0, &[mate(1), 2000]), "both sides alike");
    }

    fn pawn_move(to: Square) -> Move {
        Move::Normal { role: Role::Pawn, from: Square::E2, to, capture: None, promotion: None }
    }

    /// An exact line of depth 2 that begins with e2e4, and a bound of depth 1 that begins with e2e3.
    fn two_lines(value: Value) -> Outcome {
        let line = |multi_pv, to, depth, bound| Report {
            multi_pv,
            bound,
            ..Report::new(depth, value, vec![pawn_move(to)])
        };
        Outcome {
            best: Some(pawn_move(Square::E4)),
            lines: vec![line(1, Square::E4, 2, Bound::Exact), line(2, Square::E3, 1, Bound::Upper)],
            ..Outcome::default()
        }
    }

    #[test]
    fn the_line_drawn_comes_first() {
        let mut chance = StdRng::seed_from_u64(1);
        let mut seen = [0, 0];
        for _ in 0..100 {
            let mut outcome = two_lines(0);
            Strength { nodes: 1, noise: 10.0 }.choose(&mut outcome, &mut chance);
            let first = &outcome.lines[0];
            assert_eq!(outcome.best, first.pv.first().copied());
            let is_another = first.pv[0] == pawn_move(Square::E3);
            let bound = if is_another { Bound::Upper } else { Bound::Exact };
            assert_eq!(
                (first.depth, first.bound),
                (2, bound),
                "the depth never decreases, a bound stays a bound"
            );
            assert_eq!([0, 1].map(|index| outcome.lines[index].multi_pv), [1, 2]);
            seen[usize::from(outcome.best == Some(pawn_move(Square::E3)))] += 1;
        }
        assert!(seen.iter().all(|&times| times > 20), "{seen:?}");
    }

    #[test]
    fn the_nodes_are_those_of_each_line() {
        let nodes_among = |root_moves, player: Strength, multi_pv| {
            let (mut limits, mut settings) =
                (Limits::default(), Settings { multi_pv, ..Settings::default() });
            player.restrain(root_moves, &mut limits, &mut settings);
            (limits.nodes.unwrap(), settings.multi_pv)
        };
        let nodes = |player, multi_pv| nodes_among(20, player, multi_pv);
        let [exact, noisy] = [0.0, 10.0].map(|noise| Strength { nodes: 100, noise });
        assert_eq!([1, 4].map(|lines| nodes(exact, lines)), [(100, 1), (400, 4)]);
        assert_eq!([1, 4, 20].map(|lines| nodes(noisy, lines)), [(500, 5), (500, 5), (2000, 20)]);
        assert_eq!(nodes(exact, 256), (2000, 256), "there are no more lines than moves");
        assert_eq!([0, 1, 3].map(|moves| nodes_among(moves, noisy, 1).0), [100, 100, 300]);
    }
}
