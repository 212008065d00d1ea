//! The benchmark, which also gives the signature of the search.
//!
//! One thread searches the same positions with a table of a fixed size to a fixed depth. The number of nodes
//! is therefore the same on every computer. It changes only when the behaviour of search or evaluator
//! changes. The nodes per second measure the speed.

use std::time::{Duration, Instant};

use crate::{
    chess::{position::Position, text::entries},
    engine::{
        eval::Standard,
        search::{Limits, Searcher, Settings, Silent, Stop, Techniques},
    },
};

/// The default depth.
pub const DEFAULT_DEPTH: u32 = 16;

/// The size of the transposition table, in MiB.
const HASH: usize = 16;

const POSITIONS: &str = include_str!("../../positions/bench.epd");

/// The result of a benchmark run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Total {
    /// Nodes visited.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl Total {
    /// Nodes per second.
    #[must_use]
    pub fn nps(&self) -> u64 {
        let nanos = self.time.as_nanos().max(1);
        u64::try_from(u128::from(self.nodes) * 1_000_000_000 / nanos).unwrap_or(u64::MAX)
    }
}

/// The positions of the benchmark, as FENs.
pub fn positions() -> impl Iterator<Item = &'static str> {
    entries(POSITIONS).map(|(_, line)| line)
}

/// Searches all positions to `depth` with `evaluator` and `techniques`, and passes the number, the FEN and
/// the nodes of each to `each`.
///
/// Ends early, with the totals so far, when `stop` is raised. A position that is not completely searched is
/// not passed.
pub fn run(
    depth: u32,
    evaluator: Standard,
    techniques: Techniques,
    stop: &Stop,
    mut each: impl FnMut(usize, &str, u64),
) -> Total {
    let mut searcher = Searcher::with_evaluator(HASH, evaluator);
    let settings = Settings { techniques, ..Settings::default() };
    let mut total = Total::default();
    for (number, fen) in (1..).zip(positions()) {
        let Ok(position) = Position::from_fen(fen) else { continue };
        let start = Instant::now();
        let outcome = searcher.search(&position, &Limits::depth(depth), stop, &settings, &mut Silent);
        total.time += start.elapsed();
        total.nodes += outcome.nodes;
        if stop.is_stopped() {
            break;
        }
        each(number, fen, outcome.nodes);
    }
    total
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use crate::engine::eval::{Choose as _, EvaluatorChoice, EvaluatorKind};

    #[test]
    fn every_position_is_playable_and_different() {
        let fens: Vec<&str> = positions().collect();
        assert!(fens.len() >= 40, "only {} positions", fens.len());
        let mut keys = HashSet::new();
        for fen in fens {
            let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
            assert!(!position.legal_moves().is_empty(), "{fen}");
            assert!(keys.insert(position.key()), "{fen} is there twice");
        }
    }

    #[test]
    fn a_run_visits_the_same_nodes_every_time() {
        let nodes = || run(2, Standard::default(), Techniques::ALL, &Stop::default(), |_, _, _| ()).nodes;
        assert_eq!(nodes(), nodes());
    }

    #[test]
    fn every_technique_changes_the_run() {
        let nodes = |techniques| {
            let evaluator =
                Standard::choose(&EvaluatorChoice { kind: EvaluatorKind::Classical, file: None }).unwrap();
            run(9, evaluator, techniques, &Stop::default(), |_, _, _| ()).nodes
        };
        let all = nodes(Techniques::ALL);
        // Mates and bare kings are too far away in these positions.
        let far = ["mate_distance_pruning", "known_draws"];
        for name in Techniques::NAMES.iter().filter(|name| !far.contains(name)) {
            assert_ne!(nodes(Techniques::without(name).unwrap()), all, "{name}");
        }
    }

    #[test]
    fn a_raised_stop_ends_the_run() {
        let stop = Stop::default();
        stop.stop();
        let mut searched = 0;
        run(50, Standard::default(), Techniques::ALL, &stop, |_, _, _| searched += 1);
        assert_eq!(searched, 0);
    }
}
