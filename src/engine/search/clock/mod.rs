//! The end of a search: converts the caller's limits to bounds on time, nodes and depth.
//!
//! Time has two bounds. After the *soft* bound no new iteration begins. It is lengthened or shortened after
//! each iteration by how certain the search is of its move. The *hard* bound ends the search at once.
//!
//! Pondering takes no time from the clock, so the hard bound counts from the ponderhit. But pondering is a
//! search like any other. So the soft bound counts from the beginning of pondering, and a search that is past
//! it at the ponderhit ends at once.
//!
//! Reference: chessprogramming.org, "Time Management".

use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{Duration, Instant},
};

use shakmaty::Color;

use super::{Limits, Stop};
use crate::chess::value::{MATE, MAX_PLY, Value, is_mate};

/// The move up to which the time is planned, unless the time control provides more time earlier.
const PLANNED_MOVES: u32 = 42;

/// The minimum number of moves that the remaining time is planned for.
const FEWEST_MOVES_LEFT: u32 = 16;

/// The maximum number of moves that the remaining time is planned for, also if a time control is farther
/// away.
const MOST_MOVES_LEFT: u32 = 40;

/// If nobody can stop it any more, a search for a mate in `N` moves alone goes on to an iteration of `2 * N`
/// and this many plies. A mate in `N` is `2 * N - 1` plies long, and a search with extensions seldom needs
/// many more.
const PLIES_BEYOND_MATE: u32 = 8;

/// The bounds of one search.
#[derive(Debug)]
pub(super) struct Clock {
    begun: Instant,
    soft: Option<Duration>,
    hard: Option<Duration>,
    /// The soft bound as adjusted after the last complete iteration, in nanoseconds; `u64::MAX` before that.
    stretched: AtomicU64,
    /// The maximum iteration.
    pub(super) depth: u32,
    /// The maximum number of nodes.
    pub(super) nodes: u64,
    /// The nodes after which no new iteration begins.
    pub(super) soft_nodes: u64,
    /// A mate in at most this many moves ends the search.
    pub(super) mate: Option<u32>,
    open_ended: bool,
}

/// The progress of the search at the end of an iteration.
#[derive(Clone, Copy, Debug)]
pub(super) struct Progress {
    /// The number of iterations since the best move changed.
    pub(super) stable_for: u32,
    /// By how much the value has fallen in the last two iterations, in centipawns.
    pub(super) score_drop: Value,
    /// The share of the nodes of the first line that was spent on the best move, 0 to 1.
    pub(super) node_share: f64,
    /// Whether the root has only one move.
    pub(super) forced: bool,
}

impl Clock {
    /// Returns the bounds of a search for the side to move at `ply` of a game. Its time begins at
    /// [`Limits::begun`], or now.
    pub(super) fn new(limits: &Limits, ply: u64, overhead: Duration) -> Self {
        let clock = limits.clock(if ply.is_multiple_of(2) { Color::White } else { Color::Black });
        let moves = limits.moves_to_go.map_or(moves_left(ply), |moves| moves.clamp(1, MOST_MOVES_LEFT));
        let planned = clock.left.map(|left| share(left, clock.increment, moves, overhead));
        let move_time = limits.move_time.map(|time| time.saturating_sub(overhead.min(time / 2)));
        let hard = planned.map(|(_, hard)| hard);
        Self {
            begun: limits.begun.unwrap_or_else(Instant::now),
            // A fixed move time is used up; only clock time is worth saving.
            soft: planned.map(|(soft, _)| soft),
            hard: hard.into_iter().chain(move_time).min(),
            stretched: AtomicU64::new(u64::MAX),
            depth: limits.depth.map_or(MAX_PLY as u32, |depth| depth.clamp(1, MAX_PLY as u32)),
            nodes: limits.nodes.unwrap_or(u64::MAX).max(1),
            soft_nodes: limits.soft_nodes.unwrap_or(u64::MAX),
            mate: limits.mate.map(|moves| moves.clamp(1, MAX_PLY as u32 / 2)),
            open_ended: limits.infinite,
        }
    }

    /// Time since the search began.
    pub(super) fn elapsed(&self) -> Duration {
        self.begun.elapsed()
    }

    /// The time that counts against the clock; `None` during pondering, which is free.
    fn charged(&self, stop: &Stop) -> Option<Duration> {
        // Looked at first: a ponderhit between both looks is then either not seen, or seen with its time.
        let pondering = stop.is_pondering();
        match stop.hit_at() {
            Some(hit) => Some(hit.elapsed()),
            None if pondering || self.open_ended => None,
            None => Some(self.elapsed()),
        }
    }

    /// Whether the search must end at once.
    pub(super) fn out_of_time(&self, stop: &Stop) -> bool {
        self.hard.zip(self.charged(stop)).is_some_and(|(hard, charged)| charged >= hard)
            || self.soft_bound_passed_at_ponderhit(stop)
    }

    /// Whether the soft bound had passed at the ponderhit. If it passes later, the iteration is completed, as
    /// in a search without pondering.
    fn soft_bound_passed_at_ponderhit(&self, stop: &Stop) -> bool {
        let stretched = Duration::from_nanos(self.stretched.load(Ordering::Relaxed));
        stop.hit_at().is_some_and(|hit| hit.saturating_duration_since(self.begun) >= stretched)
    }

    /// Whether no new iteration should begin.
    pub(super) fn soft_bound_passed(&self, stop: &Stop, progress: Progress) -> bool {
        let Some(soft) = self.soft else { return false };
        let stretched = soft.mul_f64(if progress.forced { 0.1 } else { stretch(progress) });
        let nanos = u64::try_from(stretched.as_nanos()).unwrap_or(u64::MAX);
        self.stretched.store(nanos, Ordering::Relaxed);
        self.charged(stop).is_some() && self.elapsed() >= stretched
    }

    /// Whether a search for a mate alone has completed enough iterations, `depth`, to end if nobody can stop
    /// it any more.
    pub(super) fn has_sought_mate(&self, depth: u32) -> bool {
        let endless = self.hard.is_none() && self.nodes.min(self.soft_nodes) == u64::MAX;
        endless && self.mate.is_some_and(|moves| depth >= 2 * moves + PLIES_BEYOND_MATE)
    }

    /// Whether `value` is a mate as short as asked for.
    pub(super) fn mate_found(&self, value: Value) -> bool {
        self.mate.is_some_and(|moves| is_mate(value) && MATE - value.abs() <= 2 * moves as Value)
    }
}

/// The number of moves that the remaining time is planned for at `ply` of a game.
///
/// Most games are decided around move 40, and time that is left then is wasted. Therefore each move gets not
/// the same share of the clock, but about the same time, up to that move.
fn moves_left(ply: u64) -> u32 {
    let played = u32::try_from(ply / 2).unwrap_or(u32::MAX);
    PLANNED_MOVES.saturating_sub(played).clamp(FEWEST_MOVES_LEFT, MOST_MOVES_LEFT)
}

/// The soft and the hard bound of a move, from the time `left` for the next `moves` moves.
fn share(left: Duration, increment: Duration, moves: u32, overhead: Duration) -> (Duration, Duration) {
    // Each of the coming moves also costs its overhead, less its increment; but at most half of the time is
    // reserved for that.
    let usable = left.saturating_sub(overhead);
    let reserve = overhead.saturating_sub(increment).saturating_mul(moves - 1).min(usable / 2);
    let planned = (usable - reserve) / moves + increment;
    // One move may use a large share of the time left, but must leave enough to play the moves after it.
    let hard = planned.mul_f64(4.0).min(usable.mul_f64(if moves == 1 { 0.9 } else { 0.35 }));
    (planned.mul_f64(0.8).min(hard), hard)
}

/// The factor of the soft bound: smaller if the best move has been stable and taken most of the nodes, larger
/// if it keeps changing or its value falls.
fn stretch(progress: Progress) -> f64 {
    let stability = 1.25 - 0.07 * f64::from(progress.stable_for.min(8));
    let trend = 1.0 + 0.008 * f64::from(progress.score_drop.clamp(-25, 75));
    let share = 1.6 - progress.node_share;
    stability * trend * share
}

#[cfg(test)]
mod tests;
