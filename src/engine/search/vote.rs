//! Chooses the thread whose line is played.
//!
//! Proved results come first. The shortest mate is played before anything else. A thread that has proved that
//! the side to move is mated knows more than one that has not; of several such threads, the one with the
//! longest defence is chosen. Otherwise the threads vote for the first move of their lines, with a weight
//! that grows with depth and value of the line. Of the lines that begin with the winning move, the deepest is
//! played.
//!
//! Apart from mates, the line of another thread is chosen only if it was searched at least as deep as that of
//! the leader.
//!
//! Reference: chessprogramming.org, "Lazy SMP".

use std::cmp::Reverse;

use super::Report;
use crate::chess::value::{MATE_BOUND, Value};

/// The weight, for each ply of depth, of a line with the lowest value, in centipawns.
const LEAST_WEIGHT: i64 = 24;

/// The result of one thread.
#[derive(Debug, Default)]
pub(super) struct ThreadResult {
    /// Its lines, best first; empty if it has found none.
    pub(super) lines: Vec<Report>,
    /// The last report of the first line that the thread has made.
    pub(super) reported: Option<Report>,
}

/// A thread that takes part in the vote.
struct Voter<'w> {
    index: usize,
    line: &'w Report,
}

/// Returns the lines of the thread whose move is played; there are none if no thread has any. `threads[0]` is
/// the leader.
pub(super) fn choose(mut threads: Vec<ThreadResult>) -> Vec<Report> {
    elect(&threads).map(|elected| threads.swap_remove(elected).lines).unwrap_or_default()
}

/// Returns the index of the thread whose lines are played.
///
/// Only threads with as many lines as the leader take part, or any with lines if the leader has none.
fn elect(threads: &[ThreadResult]) -> Option<usize> {
    let wanted = threads.first().map_or(0, |result| result.lines.len());
    let voters: Vec<Voter<'_>> = threads
        .iter()
        .enumerate()
        .filter(|(_, result)| wanted == 0 || result.lines.len() == wanted)
        .filter_map(|(index, result)| Some(Voter { index, line: result.lines.first()? }))
        .collect();
    proved(&voters, |value| value >= MATE_BOUND)
        .or_else(|| proved(&voters, |value| value <= -MATE_BOUND))
        .or_else(|| most_voted(&voters))
}

/// The thread with the highest of the `decisive` values: the shortest mate, or the longest defence.
fn proved(voters: &[Voter<'_>], decisive: impl Fn(Value) -> bool) -> Option<usize> {
    let proofs = voters.iter().filter(|voter| decisive(voter.line.value));
    let best = proofs.max_by_key(|voter| (voter.line.value, voter.line.depth, Reverse(voter.index)));
    best.map(|voter| voter.index)
}

/// The thread whose first move has the most votes, among the lines searched deep enough.
fn most_voted(voters: &[Voter<'_>]) -> Option<usize> {
    let lowest = voters.iter().map(|voter| voter.line.value).min()?;
    let weight = |voter: &Voter<'_>| {
        (i64::from(voter.line.value - lowest) + LEAST_WEIGHT) * i64::from(voter.line.depth.max(1))
    };
    let votes = |line: &Report| -> i64 {
        voters.iter().filter(|other| other.line.pv.first() == line.pv.first()).map(weight).sum()
    };
    let leader = voters.iter().find(|voter| voter.index == 0);
    let least_depth = leader.map_or(0, |leader| leader.line.depth);
    let eligible = voters.iter().filter(|voter| voter.line.depth >= least_depth);
    let best = eligible.max_by_key(|voter| (votes(voter.line), voter.line.depth, Reverse(voter.index)));
    best.map(|voter| voter.index)
}

#[cfg(test)]
mod tests {
    use shakmaty::Move;

    use super::*;
    use crate::chess::{
        position::Position,
        value::{mate_in, mated_in},
    };

    /// The result of a thread: a move of the starting position, its value and depth; `None` if it has no
    /// line.
    type ThreadLine = Option<(&'static str, Value, u32)>;

    fn find(m: &str) -> Move {
        Position::default().find_move(m).unwrap()
    }

    fn results(said: &[ThreadLine]) -> Vec<ThreadResult> {
        let report = |&(m, value, depth): &(&str, Value, u32)| Report::new(depth, value, vec![find(m)]);
        let result = |said: &ThreadLine| ThreadResult {
            lines: said.iter().map(report).collect(),
            ..ThreadResult::default()
        };
        said.iter().map(result).collect()
    }

    #[test]
    fn what_is_proved_comes_first_and_then_the_vote() {
        let cases: &[(&[ThreadLine], Option<usize>, &str)] = &[
            (&[None, None], None, "nobody has a line"),
            (&[None, Some(("e2e4", 10, 3))], Some(1), "the leader has none"),
            (&[Some(("e2e4", 10, 9)), Some(("e2e4", 10, 9))], Some(0), "the leader, when all agree"),
            (&[Some(("e2e4", 10, 9)), Some(("e2e4", 10, 10))], Some(1), "the deeper line of the same move"),
            (&[Some(("e2e4", 10, 9)), Some(("d2d4", 900, 8))], Some(0), "a line less deep is not trusted"),
            (
                &[Some(("e2e4", 10, 9)), Some(("d2d4", 40, 9)), Some(("d2d4", 30, 9))],
                Some(1),
                "two against one",
            ),
            (&[Some(("e2e4", 10, 9)), Some(("d2d4", 40, 9))], Some(1), "as deep, and better"),
            (&[Some(("e2e4", 900, 20)), Some(("d2d4", mate_in(7), 8))], Some(1), "a mate"),
            (&[Some(("e2e4", mate_in(9), 20)), Some(("d2d4", mate_in(7), 8))], Some(1), "a shorter mate"),
            (&[Some(("e2e4", mate_in(7), 9)), Some(("d2d4", mate_in(7), 9))], Some(0), "as short a mate"),
            (
                &[Some(("e2e4", mate_in(7), 9)), Some(("d2d4", 900, 20)), Some(("d2d4", 900, 20))],
                Some(0),
                "no vote against a mate",
            ),
            (
                &[Some(("e2e4", mated_in(4), 9)), Some(("d2d4", mated_in(8), 9))],
                Some(1),
                "the longest defence",
            ),
            (&[Some(("e2e4", -700, 9)), Some(("d2d4", mated_in(8), 9))], Some(1), "who knows of the mate"),
        ];
        for (said, expected, why) in cases {
            assert_eq!(elect(&results(said)), *expected, "{why}");
        }
    }

    #[test]
    fn with_several_lines_only_whole_sets_take_part() {
        let mut results = results(&[Some(("e2e4", 10, 5)), Some(("d2d4", 500, 5)), Some(("d2d4", 0, 5))]);
        let second = results.pop().unwrap().lines;
        results[0].lines.extend(second);
        assert_eq!(elect(&results), Some(0));
    }
}
