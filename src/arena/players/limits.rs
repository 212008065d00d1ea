//! A player's limits on thinking time, and the `go` command for them.
//!
//! The referee measures the time from writing `go` or `ponderhit` to the arrival of the line `bestmove`. A
//! player runs out of time only if it used more than its clock showed *plus* its margin. An excess within the
//! margin is ignored.

use std::fmt::{self, Write as _};
use std::time::Duration;

use shakmaty::{ByColor, Color};

use crate::words::counted;
use crate::{arena::clock::GameClock, chess::clock::TimeControl};

/// The limits of one player's thinking. They combine: the first one reached ends a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlayerLimits {
    /// A clock for the game.
    pub clock: Option<TimeControl>,
    /// A fixed time for every move, instead of a clock.
    pub move_time: Option<Duration>,
    /// Nodes per move.
    pub nodes: Option<u64>,
    /// Plies per move.
    pub depth: Option<u32>,
    /// The excess time that is tolerated on each move.
    pub margin: Duration,
}

impl Default for PlayerLimits {
    /// Returns no limits, with a margin of 50 ms: enough for a loaded machine to wake up the referee.
    fn default() -> Self {
        let margin = Duration::from_millis(50);
        PlayerLimits { clock: None, move_time: None, nodes: None, depth: None, margin }
    }
}

impl PlayerLimits {
    /// Whether a search is limited by time, so that the load of the machine changes the moves.
    #[must_use]
    pub fn is_timed(&self) -> bool {
        self.clock.is_some() || self.move_time.is_some()
    }

    /// Whether no limit ends a search.
    #[must_use]
    pub fn is_unbounded(&self) -> bool {
        self.clock.is_none() && self.move_time.is_none() && self.nodes.is_none() && self.depth.is_none()
    }
}

impl fmt::Display for PlayerLimits {
    /// Writes the clock as it is parsed, and other limits in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.clock.as_ref().map(TimeControl::to_string),
            self.move_time.map(|time| format!("{}/move", time.as_secs_f64())),
            self.nodes.map(|nodes| counted(nodes, "node", "nodes")),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(if parts.is_empty() { "-" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

/// The maximum time that `limits` and `clock` allow for the next move, including the margin; `None` if only
/// nodes or depth are limited.
#[must_use]
pub fn allowance(limits: &PlayerLimits, clock: Option<&GameClock>) -> Option<Duration> {
    let time = clock.map(GameClock::remaining).or(limits.move_time)?;
    Some(time + limits.margin)
}

/// The arguments of `go` for the player of colour `turn`: all clocks, if it has one itself, and its other
/// limits.
#[must_use]
pub fn go_words(limits: &PlayerLimits, clocks: &ByColor<Option<GameClock>>, turn: Color) -> String {
    let mut words = String::new();
    let own = clocks.get(turn).as_ref();
    for (color, time, increment) in [(Color::White, "wtime", "winc"), (Color::Black, "btime", "binc")] {
        if let (Some(_), Some(clock)) = (own, clocks.get(color)) {
            // An empty clock is sent as 1 ms, because zero and negative times confuse engines.
            let left = clock.remaining().as_millis().max(1);
            let _ = write!(words, " {time} {left}");
            if !clock.increment().is_zero() {
                let _ = write!(words, " {increment} {}", clock.increment().as_millis());
            }
        }
    }
    if let Some(to_go) = own.and_then(GameClock::to_go) {
        let _ = write!(words, " movestogo {to_go}");
    }
    if let Some(time) = limits.move_time {
        let _ = write!(words, " movetime {}", time.as_millis().max(1));
    }
    if let Some(nodes) = limits.nodes {
        let _ = write!(words, " nodes {nodes}");
    }
    if let Some(depth) = limits.depth {
        let _ = write!(words, " depth {depth}");
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(text: &str) -> TimeControl {
        text.parse().unwrap()
    }

    #[test]
    fn the_allowance_is_the_clock_and_the_margin() {
        let mut limits = PlayerLimits::default();
        assert_eq!(allowance(&limits, None), None);
        limits.move_time = Some(Duration::from_millis(100));
        assert_eq!(allowance(&limits, None), Some(Duration::from_millis(150)));
        let clock = GameClock::new(&control("2"));
        assert_eq!(allowance(&limits, Some(&clock)), Some(Duration::from_millis(2050)));
    }

    #[test]
    fn go_names_both_clocks_and_every_limit() {
        let clocks = ByColor {
            white: Some(GameClock::new(&control("40/2+0.02"))),
            black: Some(GameClock::new(&control("3"))),
        };
        let limits = PlayerLimits { nodes: Some(500), depth: Some(9), ..PlayerLimits::default() };
        assert_eq!(
            go_words(&limits, &clocks, Color::White),
            " wtime 2000 winc 20 btime 3000 movestogo 40 nodes 500 depth 9"
        );
        assert_eq!(
            go_words(&limits, &clocks, Color::Black),
            " wtime 2000 winc 20 btime 3000 nodes 500 depth 9"
        );
        let mut staged = clocks.clone();
        staged.white = Some(GameClock::new(&control("1/2+0.02~9")));
        staged.white.iter_mut().for_each(|clock| clock.charge(Duration::from_secs(1)));
        assert!(go_words(&limits, &staged, Color::White).starts_with(" wtime 10020 btime 3000 nodes"));
        // On a clock that only the opponent has, engines would plan their time.
        let one = ByColor { white: None, black: Some(GameClock::new(&control("3"))) };
        let limits = PlayerLimits { nodes: Some(500), ..PlayerLimits::default() };
        assert_eq!(go_words(&limits, &one, Color::White), " nodes 500");
        assert_eq!(go_words(&limits, &one, Color::Black), " btime 3000 nodes 500");
        let none = ByColor { white: None, black: None };
        let limits = PlayerLimits { move_time: Some(Duration::from_millis(70)), ..PlayerLimits::default() };
        assert_eq!(go_words(&limits, &none, Color::White), " movetime 70");
    }
}
