//! Selects records.

use serde::{Deserialize, Serialize};

use super::Record;
use crate::chess::value::Value;

/// The records to leave out. The data contain every searched position, including those that an evaluator
/// cannot judge without search. The default leaves out nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Filter {
    /// Leave out positions in check.
    pub no_checks: bool,
    /// Leave out positions whose best move is a capture or a promotion.
    pub no_tacticals: bool,
    /// Leave out positions whose score is a mate.
    pub no_mates: bool,
    /// Leave out positions whose score is larger than this for either side, in centipawns.
    pub score_limit: Option<Value>,
    /// Leave out positions before this ply of the game; the starting position has ply 0.
    pub first_ply: u16,
}

impl Filter {
    /// The plies that count as the opening; by default evaluators are not fitted to them.
    pub const OPENING_PLIES: u16 = 16;

    /// Leaves out checks, tactical moves and mates, so that the rest can be evaluated statically.
    pub const QUIET: Self =
        Self { no_checks: true, no_tacticals: true, no_mates: true, score_limit: None, first_ply: 0 };

    /// Whether `record` is selected.
    #[must_use]
    pub fn accepts(self, record: &Record) -> bool {
        self.refusal(record).is_none()
    }

    /// The first reason why `record` is left out, if there is one.
    #[must_use]
    pub fn refusal(self, record: &Record) -> Option<Refusal> {
        if record.ply() < self.first_ply {
            Some(Refusal::Early)
        } else if self.score_limit.is_some_and(|limit| record.score().abs() > limit)
            || self.no_mates && record.is_mate()
        {
            Some(Refusal::LargeScore)
        } else if self.no_tacticals && record.is_tactical() {
            Some(Refusal::Tactical)
        } else if self.no_checks && record.is_check() {
            Some(Refusal::Check)
        } else {
            None
        }
    }
}

/// The reason why a record is left out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Too early in the game.
    Early,
    /// A mate, or too large a score.
    LargeScore,
    /// The best move is a capture or promotion.
    Tactical,
    /// In check.
    Check,
}

#[cfg(test)]
mod tests {
    use shakmaty::KnownOutcome;

    use super::*;
    use crate::chess::{
        position::{PackedMove, Position},
        value::mated_in,
    };

    #[test]
    fn each_wish_leaves_out_its_own() {
        let position = Position::from_fen("4k3/4R3/8/8/8/8/8/4K3 b - - 0 1").unwrap();
        let capture = PackedMove::new(position.find_move("e8e7").unwrap()).unwrap();
        let record = Record::new(&position, mated_in(4), capture, KnownOutcome::Draw).unwrap();
        assert!(Filter::default().accepts(&record));
        for filter in [
            Filter { no_checks: true, ..Filter::default() },
            Filter { no_tacticals: true, ..Filter::default() },
            Filter { no_mates: true, ..Filter::default() },
            Filter { score_limit: Some(20_000), ..Filter::default() },
            Filter { first_ply: 2, ..Filter::default() },
        ] {
            assert!(!filter.accepts(&record), "{filter:?}");
        }
        let quiet = Position::from_fen("3k4/8/4R3/8/8/8/8/4K3 w - - 0 1").unwrap();
        let step = PackedMove::new(quiet.find_move("e6a6").unwrap()).unwrap();
        let record = Record::new(&quiet, -400, step, KnownOutcome::Draw).unwrap();
        assert!(Filter::QUIET.accepts(&record));
        for (limit, accepted) in [(400, true), (399, false)] {
            let filter = Filter { score_limit: Some(limit), ..Filter::QUIET };
            assert_eq!(filter.accepts(&record), accepted, "a limit of {limit}");
        }
    }
}
