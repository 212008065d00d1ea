//! Chooses the thread whose line is played.
//!
//! Proved results come first. The shortest mate is played before anything else. A thread that has proved that the side
//! to move is mated knows more than one that has not; of several such threads, the one with the longest defence is
//! chosen. Otherwise the threads vote for the first move of their lines, with a weight that grows with depth and value
//! of the line. Of the lines that begin with the winning move, the deepest is played.
//!
//! The leader has reported its own line during the search. Apart from mates, the line of another thread is chosen only
//! if it is at least as deep, so that reported depths do not decrease.
//!
//! Reference: chessprogramming.org, "Lazy SMP".

use std::cmp::Reverse;

use super::Report;
use crate::value::{MATE_BOUND, Value};

/// The weight, for each ply of depth, of a line with the lowest value, in centipawns.
const LEAST_WEIGHT: i64 = 24;

/// Returns the index of the thread whose lines are played. `threads[0]` are the leader's lines; a thread may have none.
///
/// Only threads with as many lines as the leader take part, or any with lines if the leader has none.
pub(super) fn choose(threads: &[Vec<Report>]) -> Option<usize> {
    let wanted = threads.first().map_or(0, Vec::len);
    let takes_part = |lines: &[Report]| !lines.is_empty() && (wanted == 0 || lines.len() == wanted);
    let voters: Vec<(usize, &Report)> = threads
        .iter()
        .enumerate()
        .filter(|(_, lines)| takes_part(lines))
        .filter_map(|(index, lines)| Some((index, lines.first()?)))
        .collect();
    proved(&voters, |value| value >= MATE_BOUND)
        .or_else(|| proved(&voters, |value| value <= -MATE_BOUND))
        .or_else(|| elected(&voters))
}

/// The thread with the highest of the `decisive` values: the shortest mate, or the longest defence.
fn proved(voters: &[(usize, &Report)], decisive: impl Fn(Value) -> bool) -> Option<usize> {
    let proofs = voters.iter().filter(|(_, line)| decisive(line.value));
    proofs.max_by_key(|(index, line)| (line.value, line.depth, Reverse(*index))).map(|&(index, _)| index)
}

fn elected(voters: &[(usize, &Report)]) -> Option<usize> {
    let lowest = voters.iter().map(|(_, line)| line.value).min()?;
    let weight =
        |line: &Report| (i64::from(line.value - lowest) + LEAST_WEIGHT) * i64::from(line.depth.max(1));
    let votes = |line: &Report| -> i64 {
        let same = voters.iter().filter(|(_, other)| other.pv.first() == line.pv.first());
        same.map(|(_, other)| weight(other)).sum()
    };
    let leaders_depth = voters.iter().find(|(index, _)| *index == 0).map_or(0, |(_, line)| line.depth);
    let eligible = voters.iter().filter(|(_, line)| line.depth >= leaders_depth);
    eligible.max_by_key(|(index, line)| (votes(line), line.depth, Reverse(*index))).map(|&(index, _)| index)
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

    fn words(said: &[Said]) -> Vec<Vec<Report>> {
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
            pv: vec![Position::default().find_move(m).unwrap()],
        };
        said.iter().map(|word| word.as_ref().map(report).into_iter().collect()).collect()
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
            assert_eq!(choose(&words(said)), *expected, "{why}");
        }
    }

    #[test]
    fn with_several_lines_only_whole_sets_take_part() {
        let two = words(&[Some(("e2e4", 10, 5)), Some(("d2d4", 0, 5))]).concat();
        let one = words(&[Some(("d2d4", 500, 5))]).concat();
        assert_eq!(choose(&[two, one]), Some(0));
    }
}
