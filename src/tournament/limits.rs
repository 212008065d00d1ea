//! How long a player may think: time controls, other limits, and the clock the referee keeps.
//!
//! The referee measures from the moment it has written `go` to the moment the line `bestmove` arrived. A player loses on
//! time only when it used more than its clock showed *plus* its margin; what it overdrew within the margin is forgiven.

use std::fmt::{self, Write as _};
use std::str::FromStr;
use std::time::Duration;

use shakmaty::{ByColor, Color};

/// The margin a player has when nothing else was said: enough for a loaded machine to wake the referee up.
pub const DEFAULT_MARGIN: Duration = Duration::from_millis(50);

/// A clock: `base` for every `moves` moves (or for the whole game), and `increment` after each move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TimeControl {
    /// Moves until `base` is added again; `None` for the whole game.
    pub moves: Option<u32>,
    /// Time for those moves.
    pub base: Duration,
    /// Added after each move.
    pub increment: Duration,
}

/// Why a time control could not be read.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not a time control: expected [moves/]seconds[+increment], as in 40/60+0.5, 2+0.02 or 1:30")]
pub struct TimeControlError(String);

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// ```
    /// use zugwerk::tournament::limits::TimeControl;
    /// let tc: TimeControl = "40/1:30+0.5".parse()?;
    /// assert_eq!((tc.moves, tc.base.as_secs(), tc.increment.as_millis()), (Some(40), 90, 500));
    /// # Ok::<(), zugwerk::tournament::limits::TimeControlError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let read = || {
            let (moves, rest) = match text.split_once('/') {
                Some((moves, rest)) => (Some(moves.trim().parse().ok().filter(|&m| m > 0)?), rest),
                None => (None, text),
            };
            let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
            let (minutes, seconds) = base.split_once(':').unwrap_or(("0", base));
            let minutes: u32 = minutes.trim().parse().ok()?;
            let control = TimeControl {
                moves,
                base: seconds_from(seconds)? + Duration::from_secs(60) * minutes,
                increment: seconds_from(increment)?,
            };
            (!(control.base + control.increment).is_zero()).then_some(control)
        };
        read().ok_or_else(|| TimeControlError(text.to_owned()))
    }
}

impl fmt::Display for TimeControl {
    /// The form of the PGN tag `TimeControl`, which is also the form that is read: `40/90+0.5`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", self.base.as_secs_f64())?;
        if !self.increment.is_zero() {
            write!(f, "+{}", self.increment.as_secs_f64())?;
        }
        Ok(())
    }
}

/// Reads a number of seconds, with or without decimals; at most 10 million (four months).
pub(super) fn seconds_from(text: &str) -> Option<Duration> {
    let seconds: f64 = text.trim().parse().ok()?;
    (0.0..=1e7).contains(&seconds).then(|| Duration::from_secs_f64(seconds))
}

/// All that bounds one player's thinking. The limits combine: the first one reached ends a move.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// A clock for the game.
    pub clock: Option<TimeControl>,
    /// A fixed time for every move, instead of a clock.
    pub move_time: Option<Duration>,
    /// Nodes per move.
    pub nodes: Option<u64>,
    /// Plies per move.
    pub depth: Option<u32>,
    /// What the player may overdraw, unpunished, each move.
    pub margin: Duration,
}

impl Default for Limits {
    /// No limit at all, and the default margin.
    fn default() -> Self {
        Limits { clock: None, move_time: None, nodes: None, depth: None, margin: DEFAULT_MARGIN }
    }
}

impl Limits {
    /// Whether nothing ends a search.
    #[must_use]
    pub fn is_unbounded(&self) -> bool {
        self.clock.is_none() && self.move_time.is_none() && self.nodes.is_none() && self.depth.is_none()
    }
}

impl fmt::Display for Limits {
    /// As in a PGN `TimeControl` tag where there is a clock; other limits in words.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            self.clock.map(|clock| clock.to_string()),
            self.move_time.map(|time| format!("{}/move", time.as_secs_f64())),
            self.nodes.map(|nodes| format!("{nodes} nodes")),
            self.depth.map(|depth| format!("depth {depth}")),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        f.write_str(if parts.is_empty() { "-" } else { "" })?;
        f.write_str(&parts.join(", "))
    }
}

/// One player's clock within one game.
#[derive(Debug, Clone)]
pub struct Clock {
    control: TimeControl,
    remaining: Duration,
    to_go: Option<u32>,
}

impl Clock {
    /// A fresh clock.
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        Clock { control, remaining: control.base, to_go: control.moves }
    }

    /// What the clock shows.
    #[must_use]
    pub fn remaining(&self) -> Duration {
        self.remaining
    }

    /// Takes `used` off, then adds the increment, and the base where a period of moves is over.
    /// Whether `used` was too much is the caller's question; the clock never falls below zero.
    pub fn charge(&mut self, used: Duration) {
        self.remaining = self.remaining.saturating_sub(used) + self.control.increment;
        if let Some(to_go) = &mut self.to_go {
            *to_go -= 1;
            if *to_go == 0 {
                *to_go = self.control.moves.expect("only counted when moves are set");
                self.remaining += self.control.base;
            }
        }
    }
}

/// The longest that `limits` and `clock` allow for the next move, margin included; `None` when only nodes or depth do.
#[must_use]
pub fn allowance(limits: &Limits, clock: Option<&Clock>) -> Option<Duration> {
    let time = clock.map(Clock::remaining).or(limits.move_time)?;
    Some(time + limits.margin)
}

/// The words behind `go` for the player of colour `turn`: both clocks where there are clocks, and its other limits.
#[must_use]
pub fn go_words(limits: &Limits, clocks: &ByColor<Option<Clock>>, turn: Color) -> String {
    let mut words = String::new();
    for (color, time, increment) in [(Color::White, "wtime", "winc"), (Color::Black, "btime", "binc")] {
        if let Some(clock) = clocks.get(color) {
            // A clock that shows nothing still sends 1 ms: zero and negative clocks confuse engines.
            let left = clock.remaining.as_millis().max(1);
            let _ = write!(words, " {time} {left}");
            if !clock.control.increment.is_zero() {
                let _ = write!(words, " {increment} {}", clock.control.increment.as_millis());
            }
        }
    }
    if let Some(to_go) = clocks.get(turn).as_ref().and_then(|clock| clock.to_go) {
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
    fn time_controls_read_and_write_the_same_form() {
        for text in ["2+0.02", "40/60", "40/60+0.6", "0.5+0.005", "90"] {
            assert_eq!(control(text).to_string(), text);
        }
        for text in ["", "x", "0/60", "-1", "1+-1", "nan", "0+0", "1e99", "1:", "/5", "5/", "inf"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_clock_adds_increments_and_periods() {
        let mut clock = Clock::new(control("2/10+1"));
        clock.charge(Duration::from_secs(4));
        assert_eq!((clock.remaining().as_secs(), clock.to_go), (7, Some(1)));
        clock.charge(Duration::from_secs(7));
        assert_eq!((clock.remaining().as_secs(), clock.to_go), (11, Some(2)));
        clock.charge(Duration::from_secs(60));
        assert_eq!(clock.remaining().as_secs(), 1, "overdrawn within the margin: only the increment is left");
    }

    #[test]
    fn the_allowance_is_the_clock_and_the_margin() {
        let mut limits = Limits::default();
        assert_eq!(allowance(&limits, None), None);
        limits.move_time = Some(Duration::from_millis(100));
        assert_eq!(allowance(&limits, None), Some(Duration::from_millis(150)));
        let clock = Clock::new(control("2"));
        assert_eq!(allowance(&limits, Some(&clock)), Some(Duration::from_millis(2050)));
    }

    #[test]
    fn go_names_both_clocks_and_every_limit() {
        let clocks =
            ByColor { white: Some(Clock::new(control("40/2+0.02"))), black: Some(Clock::new(control("3"))) };
        let limits = Limits { nodes: Some(500), depth: Some(9), ..Limits::default() };
        assert_eq!(
            go_words(&limits, &clocks, Color::White),
            " wtime 2000 winc 20 btime 3000 movestogo 40 nodes 500 depth 9"
        );
        assert_eq!(
            go_words(&limits, &clocks, Color::Black),
            " wtime 2000 winc 20 btime 3000 nodes 500 depth 9"
        );
        let none = ByColor { white: None, black: None };
        let limits = Limits { move_time: Some(Duration::from_millis(70)), ..Limits::default() };
        assert_eq!(go_words(&limits, &none, Color::White), " movetime 70");
    }
}
