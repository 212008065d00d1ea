//! Chooses the thread whose line is played.
//!
//! Proved results come first. The shortest mate is played before anything else. A thread that has proved that the side
//! to move is mated knows more than one that has not; of several such threads, the one with the longest defence is
//! chosen. Otherwise the threads vote for the first move of their lines, with a weight that grows with depth and value
//! of the line. Of the lines that begin with the winning move, the deepest is played.
//!
//! A thread that has found its best move to lose, in an iteration that it could not complete, plays another move, of which
//! it knows nothing ([`Detour`]). Its vote has the least weight. Lines that begin with the losing move and were searched less
//! deep are not played.
//!
//! Apart from mates, the line of another thread is chosen only if it was searched at least as deep as that of the leader.
//!
//! Reference: chessprogramming.org, "Lazy SMP".

use std::cmp::Reverse;

use shakmaty::Move;

use super::Report;
use crate::value::{MATE_BOUND, Value};

/// The weight, for each ply of depth, of a line with the lowest value, in centipawns.
const LEAST_WEIGHT: i64 = 24;

/// The result of one thread.
#[derive(Debug, Default)]
pub(super) struct ThreadResult {
    /// Its lines, best first; empty if it has found none.
    pub(super) lines: Vec<Report>,
    /// Set if the last iteration has no result for the first line.
    pub(super) detour: Option<Detour>,
    /// The message of its panic, if it panicked.
    pub(super) panic: Option<String>,
    /// The last report of the first line that the thread has made.
    pub(super) reported: Option<Report>,
}

/// The reason for a first line that an iteration has not searched: it is put before losses.
#[derive(Debug)]
pub(super) struct Detour {
    /// The iteration that found the value of the line, or that of the line it replaces.
    pub(super) searched: u32,
    /// The moves that lose, as far as the unfinished iteration has searched them.
    pub(super) lost: Vec<Move>,
}

/// A thread that takes part in the vote.
struct Voter<'w> {
    index: usize,
    line: &'w Report,
    detour: Option<&'w Detour>,
}

impl Voter<'_> {
    /// The depth to which the line was searched.
    fn depth(&self) -> u32 {
        self.detour.map_or(self.line.depth, |detour| detour.searched)
    }

    /// Whether the voter has found, deeper than `line` was searched, that its first move loses.
    fn objects_to(&self, line: &Report) -> bool {
        let loses = |detour: &Detour| line.pv.first().is_some_and(|m| detour.lost.contains(m));
        line.depth < self.line.depth && self.detour.is_some_and(loses)
    }
}

/// Returns the lines of the thread whose move is played; there are none if no thread has any. `threads[0]` is the leader.
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
        .filter_map(|(index, result)| {
            Some(Voter { index, line: result.lines.first()?, detour: result.detour.as_ref() })
        })
        .collect();
    proved(&voters, |value| value >= MATE_BOUND)
        .or_else(|| proved(&voters, |value| value <= -MATE_BOUND))
        .or_else(|| most_voted(&voters))
}

/// The thread with the highest of the `decisive` values: the shortest mate, or the longest defence.
fn proved(voters: &[Voter<'_>], decisive: impl Fn(Value) -> bool) -> Option<usize> {
    let proofs = voters.iter().filter(|voter| decisive(voter.line.value));
    let best = proofs.max_by_key(|voter| (voter.line.value, voter.depth(), Reverse(voter.index)));
    best.map(|voter| voter.index)
}

/// The thread whose first move has the most votes, among the lines searched deep enough.
fn most_voted(voters: &[Voter<'_>]) -> Option<usize> {
    let lowest = voters.iter().map(|voter| voter.line.value).min()?;
    let weight = |voter: &Voter<'_>| match voter.detour {
        None => (i64::from(voter.line.value - lowest) + LEAST_WEIGHT) * i64::from(voter.line.depth.max(1)),
        Some(_) => LEAST_WEIGHT,
    };
    let votes = |line: &Report| -> i64 {
        voters.iter().filter(|other| other.line.pv.first() == line.pv.first()).map(weight).sum()
    };
    let leaders_depth = voters.iter().find(|voter| voter.index == 0).map_or(0, Voter::depth);
    let eligible = voters.iter().filter(|voter| {
        voter.depth() >= leaders_depth && !voters.iter().any(|other| other.objects_to(voter.line))
    });
    let best = eligible.max_by_key(|voter| (votes(voter.line), voter.depth(), Reverse(voter.index)));
    best.map(|voter| voter.index)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::{
        position::Position,
        tt::Bound,
        value::{mate_in, mated_in},
    };

    /// The result of a thread: a move of the starting position, its value and depth; `None` if it has no line.
    type Said = Option<(&'static str, Value, u32)>;

    fn find(m: &str) -> Move {
        Position::default().find_move(m).unwrap()
    }

    fn results(said: &[Said]) -> Vec<ThreadResult> {
        let report = |&(m, value, depth): &(&str, Value, u32)| Report {
            depth,
            seldepth: depth,
            multi_pv: 1,
            value,
            bound: Bound::Exact,
            nodes: 0,
            time: Duration::ZERO,
            hashfull: 0,
            tb_hits: 0,
            pv: vec![find(m)],
        };
        let result = |said: &Said| ThreadResult {
            lines: said.iter().map(report).collect(),
            ..ThreadResult::default()
        };
        said.iter().map(result).collect()
    }

    #[test]
    fn what_is_proved_comes_first_and_then_the_vote() {
        let cases: &[(&[Said], Option<usize>, &str)] = &[
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

    #[test]
    fn a_move_that_only_avoids_a_loss_has_little_weight_and_the_losing_one_none() {
        // In iteration 9 the leader has found that e2e4 loses. Of a2a3 it knows nothing.
        let cases: &[(&[Said], usize, &str)] = &[
            (&[None], 0, "nobody else has a line"),
            (&[Some(("d2d4", 40, 8))], 1, "a line as deep as the last complete iteration of the leader"),
            (&[Some(("d2d4", 40, 7))], 0, "a line less deep"),
            (&[Some(("e2e4", 500, 8)), Some(("e2e4", 500, 8))], 0, "the losing move, searched less deep"),
            (&[Some(("e2e4", 500, 8)), Some(("d2d4", -200, 8))], 2, "the losing move and another one"),
            (&[Some(("e2e4", 500, 9))], 1, "a complete iteration that contradicts"),
        ];
        for (others, expected, why) in cases {
            let mut results = results(&[&[Some(("a2a3", 450, 9))][..], *others].concat());
            results[0].detour = Some(Detour { searched: 8, lost: vec![find("e2e4")] });
            assert_eq!(elect(&results), Some(*expected), "{why}");
        }
    }
}
