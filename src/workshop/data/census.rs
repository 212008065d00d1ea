//! Statistics of the data: counts and histograms.

use shakmaty::{Color, KnownOutcome};

use super::Record;
use crate::chess::value::{MATE_BOUND, Value};

/// The lower bounds of the score classes, for the side to move; the first and the last class are mates.
pub const SCORE_CLASSES: [Value; 17] = [
    Value::MIN,
    -MATE_BOUND + 1,
    -1000,
    -500,
    -300,
    -200,
    -100,
    -50,
    -20,
    21,
    51,
    101,
    201,
    301,
    501,
    1001,
    MATE_BOUND,
];

/// The number of plies in one class.
pub const PLIES_PER_CLASS: usize = 20;

/// The number of games lost, drawn and won.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Results {
    /// Lost.
    pub losses: u64,
    /// Drawn.
    pub draws: u64,
    /// Won.
    pub wins: u64,
}

impl Results {
    /// The number of games.
    #[must_use]
    pub fn total(&self) -> u64 {
        self.losses + self.draws + self.wins
    }

    /// Counts a game from the perspective of `side`.
    fn count(&mut self, side: Color, result: KnownOutcome) {
        *match result.winner() {
            None => &mut self.draws,
            Some(winner) if winner == side => &mut self.wins,
            Some(_) => &mut self.losses,
        } += 1;
    }
}

/// Statistics of records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Census {
    /// By result for White.
    pub white: Results,
    /// By score ([`SCORE_CLASSES`]), and in each class by result for the side to move, to compare scores with
    /// results.
    pub by_score: [Results; SCORE_CLASSES.len()],
    /// By ply of the game, in classes of [`PLIES_PER_CLASS`].
    pub by_ply: Vec<u64>,
    /// By number of pieces, kings included, in classes of two; the first is 1 and 2.
    pub by_pieces: [u64; 16],
    /// Positions in check.
    pub checks: u64,
    /// Positions whose move is a capture or a promotion.
    pub tacticals: u64,
    /// Positions whose score is a mate.
    pub mates: u64,
    /// Positions that are none of the three.
    pub quiet: u64,
}

impl Census {
    /// Counts one record.
    pub fn count(&mut self, record: &Record) {
        self.white.count(Color::White, record.result());
        self.by_score[score_class(record.score())].count(record.turn(), record.result());
        let ply = usize::from(record.ply()) / PLIES_PER_CLASS;
        self.by_ply.resize(self.by_ply.len().max(ply + 1), 0);
        self.by_ply[ply] += 1;
        let pieces = record.pieces().count().clamp(1, 32);
        self.by_pieces[(pieces - 1) / 2] += 1;
        let kinds = [record.is_check(), record.is_tactical(), record.is_mate()];
        self.checks += u64::from(kinds[0]);
        self.tacticals += u64::from(kinds[1]);
        self.mates += u64::from(kinds[2]);
        self.quiet += u64::from(kinds == [false; 3]);
    }
}

/// The class of `score`: an index of [`SCORE_CLASSES`].
fn score_class(score: Value) -> usize {
    SCORE_CLASSES.partition_point(|&lower| lower <= score) - 1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        chess::value::{mate_in, mated_in},
        workshop::data::tests::record,
    };

    #[test]
    fn scores_fall_into_symmetric_classes() {
        let last = SCORE_CLASSES.len() - 1;
        for (score, class) in [(0, 8), (20, 8), (21, 9), (50, 9), (51, 10), (1000, 14), (1001, 15)] {
            assert_eq!(score_class(score), class, "{score}");
        }
        for score in 0..=mate_in(1) {
            assert_eq!(score_class(-score), last - score_class(score), "{score}");
            assert_eq!(score_class(score) == last, score >= MATE_BOUND, "{score}");
        }
        assert_eq!((score_class(mate_in(1)), score_class(mated_in(9))), (last, 0));
    }

    #[test]
    fn records_are_counted_by_all_they_are() {
        let lines = [
            "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - 2 3 | 31 | 1.0 | f1b5",
            "4k3/8/8/8/8/8/4r3/4K3 w - - 0 31 | 30 | 0.5 | e1e2",
            "4k3/8/8/8/8/8/5r2/4K3 b - - 0 31 | -31990 | 0.0 | f2f7",
        ];
        let mut census = Census::default();
        for line in lines {
            census.count(&record(line));
        }
        assert_eq!(census.white, Results { losses: 1, draws: 1, wins: 1 });
        assert_eq!(census.white.total(), 3);
        assert_eq!(census.by_score[9], Results { losses: 0, draws: 1, wins: 1 });
        assert_eq!(census.by_score[16], Results { losses: 0, draws: 0, wins: 1 }, "Black mates");
        assert_eq!(census.by_ply, [1, 0, 0, 2]);
        assert_eq!((census.by_pieces[1], census.by_pieces[15]), (2, 1));
        assert_eq!((census.checks, census.tacticals, census.mates, census.quiet), (1, 1, 1, 1));
    }
}
