//! Which records a reader wants.

use super::Record;

/// Which records to leave out. Everything searched is in the data, also what an evaluator without search cannot be
/// expected to judge.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Filter {
    /// Leave out positions in check.
    pub no_checks: bool,
    /// Leave out positions whose best move is a capture or a promotion.
    pub no_tacticals: bool,
    /// Leave out positions whose score is a mate.
    pub no_mates: bool,
}

impl Filter {
    /// Leaves out all three: what is left can be judged by looking at it.
    pub const QUIET: Self = Self { no_checks: true, no_tacticals: true, no_mates: true };

    /// Whether `record` is wanted.
    #[must_use]
    pub fn admits(self, record: &Record) -> bool {
        !(self.no_mates && record.is_mate()
            || self.no_tacticals && record.is_tactical()
            || self.no_checks && record.is_check())
    }
}

#[cfg(test)]
mod tests {
    use shakmaty::KnownOutcome;

    use super::*;
    use crate::{
        position::{PackedMove, Position},
        value::mated_in,
    };

    #[test]
    fn each_wish_leaves_out_its_own() {
        let position = Position::from_fen("4k3/4R3/8/8/8/8/8/4K3 b - - 0 1").unwrap();
        let capture = PackedMove::new(position.find_move("e8e7").unwrap()).unwrap();
        let record = Record::new(&position, mated_in(4), capture, KnownOutcome::Draw).unwrap();
        assert!(Filter::default().admits(&record));
        for filter in [
            Filter { no_checks: true, ..Filter::default() },
            Filter { no_tacticals: true, ..Filter::default() },
            Filter { no_mates: true, ..Filter::default() },
        ] {
            assert!(!filter.admits(&record), "{filter:?}");
        }
        let quiet = Position::from_fen("3k4/8/4R3/8/8/8/8/4K3 w - - 0 1").unwrap();
        let step = PackedMove::new(quiet.find_move("e6a6").unwrap()).unwrap();
        assert!(Filter::QUIET.admits(&Record::new(&quiet, 400, step, KnownOutcome::Draw).unwrap()));
    }
}
