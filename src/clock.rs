//! Durations and time controls in the notation of all tools, and the clock of one player.
//!
//! ```text
//!  500ms   2s   1.5   1:30   1:30:00   5m   1h   durations; the caller defines the unit of a number without one
//!  10+0.1  40/60+0.6  3:00+2  1:30:00+30        time controls: [moves/]duration[+duration], in seconds
//! ```

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

/// The longest accepted duration: ten million seconds, four months.
const LONGEST: f64 = 1e7;

/// The unit of a number without one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// Milliseconds.
    Milliseconds,
    /// Seconds.
    Seconds,
}

impl Unit {
    const fn seconds(self) -> f64 {
        match self {
            Unit::Milliseconds => 0.001,
            Unit::Seconds => 1.0,
        }
    }
}

/// A text that is not a duration.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a duration such as 500ms, 2s, 1:30 or 5m, got '{0}'")]
pub struct DurationError(String);

/// Parses a duration: a number, optionally with decimals, and `ms`, `s`, `m` or `h`; or minutes and seconds (`1:30`); or
/// hours, minutes and seconds (`1:30:00`). A number without a unit is in `unit`.
///
/// ```
/// use std::time::Duration;
/// use zugwerk::clock::{Unit, duration};
/// assert_eq!(duration("500ms", Unit::Seconds)?, Duration::from_millis(500));
/// assert_eq!(duration("1:30", Unit::Seconds)?, Duration::from_secs(90));
/// assert_eq!(duration("50", Unit::Milliseconds)?, Duration::from_millis(50));
/// # Ok::<(), zugwerk::clock::DurationError>(())
/// ```
///
/// # Errors
/// [`DurationError`] for other text, negative numbers, and more than ten million seconds.
pub fn duration(text: &str, unit: Unit) -> Result<Duration, DurationError> {
    let units = [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("", unit.seconds())];
    let read = || {
        let text = text.trim();
        let seconds = match text.rsplit_once(':') {
            Some((before, seconds)) => {
                let minutes = match before.split_once(':') {
                    Some((hours, minutes)) => 60.0 * whole(hours)? + whole(minutes).filter(|&m| m < 60.0)?,
                    None => whole(before)?,
                };
                60.0 * minutes + number(seconds).filter(|&s| s < 60.0)?
            }
            None => units
                .iter()
                .filter_map(|(name, seconds)| Some(number(text.strip_suffix(name)?)? * seconds))
                .next()?,
        };
        (seconds <= LONGEST).then(|| Duration::from_secs_f64(seconds))
    };
    read().ok_or_else(|| DurationError(text.chars().take(40).collect()))
}

/// Writes hours, minutes and whole seconds, as clocks in PGN show them: `0:04:58`.
#[must_use]
pub fn hours(time: Duration) -> String {
    let seconds = time.as_secs();
    format!("{}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// Parses a number of digits and at most one point; no sign, `inf` or `1e9`.
fn number(text: &str) -> Option<f64> {
    let digits = text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    text.parse().ok().filter(|_| digits)
}

/// Parses a whole number of digits.
fn whole(text: &str) -> Option<f64> {
    number(text).filter(|_| !text.contains('.'))
}

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

/// A text that is not a time control.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected [moves/]seconds[+increment], as in 40/60+0.5, 2+0.02 or 1:30, got '{0}'")]
pub struct TimeControlError(String);

impl TimeControl {
    /// The time at the start of the game: the base, or the increment if there is no base, as for `0+3`.
    #[must_use]
    pub fn start(&self) -> Duration {
        if self.base.is_zero() { self.increment } else { self.base }
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// ```
    /// use zugwerk::clock::TimeControl;
    /// let control: TimeControl = "40/1:30+500ms".parse()?;
    /// assert_eq!((control.moves, control.base.as_secs(), control.increment.as_millis()), (Some(40), 90, 500));
    /// # Ok::<(), zugwerk::clock::TimeControlError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let read = || {
            let (moves, rest) = match text.split_once('/') {
                Some((moves, rest)) => (Some(moves.trim().parse().ok().filter(|&m| m > 0)?), rest),
                None => (None, text),
            };
            let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
            let seconds = |text| duration(text, Unit::Seconds).ok();
            let control = TimeControl { moves, base: seconds(base)?, increment: seconds(increment)? };
            (!(control.base + control.increment).is_zero()).then_some(control)
        };
        read().ok_or_else(|| TimeControlError(text.chars().take(40).collect()))
    }
}

impl fmt::Display for TimeControl {
    /// Writes the form of the PGN tag `TimeControl`, which can be parsed again: `40/90+0.5`.
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

/// One player's clock within one game.
#[derive(Debug, Clone, Copy)]
pub struct GameClock {
    control: TimeControl,
    remaining: Duration,
    to_go: Option<u32>,
}

impl GameClock {
    /// Returns a clock at the start of the game.
    #[must_use]
    pub fn new(control: TimeControl) -> Self {
        GameClock { control, remaining: control.start(), to_go: control.moves }
    }

    /// The remaining time.
    #[must_use]
    pub fn remaining(&self) -> Duration {
        self.remaining
    }

    /// The increment of each move.
    #[must_use]
    pub fn increment(&self) -> Duration {
        self.control.increment
    }

    /// Moves until the base is added again, if the time control has such periods.
    #[must_use]
    pub fn to_go(&self) -> Option<u32> {
        self.to_go
    }

    /// Subtracts `used`, then adds the increment, and the base at the end of a period. The clock never falls below
    /// zero; the caller decides whether `used` was too much.
    pub fn charge(&mut self, used: Duration) {
        self.remaining = self.remaining.saturating_sub(used) + self.control.increment;
        if let Some(to_go) = &mut self.to_go {
            *to_go -= 1;
            if *to_go == 0 {
                self.to_go = self.control.moves;
                self.remaining += self.control.base;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn control(text: &str) -> TimeControl {
        text.parse().unwrap()
    }

    #[test]
    fn durations_are_read_in_every_unit() {
        let read = |text| duration(text, Unit::Seconds).map(|time| time.as_millis()).ok();
        for (text, milliseconds) in [
            ("500ms", 500),
            ("0.5", 500),
            (".5s", 500),
            ("2", 2_000),
            ("1:30", 90_000),
            ("0:01.5", 1_500),
            ("1:30:00", 5_400_000),
            ("0:0:1.5", 1_500),
            ("1.5m", 90_000),
            ("2h", 7_200_000),
            (" 7 ", 7_000),
        ] {
            assert_eq!(read(text), Some(milliseconds), "{text}");
        }
        for text in [
            "", "s", "ms", "-1", "+1", "nan", "inf", "1e3", "1:60", ":30", "1:2:3:4", "1:60:00", "1:0.5:00",
            "1::00", "5 s s", "1d", "1e99", "10000001", "²",
        ] {
            assert_eq!(read(text), None, "{text}");
        }
        assert_eq!(duration("250", Unit::Milliseconds).unwrap().as_millis(), 250);
    }

    #[test]
    fn time_controls_read_and_write_the_same_form() {
        for text in ["2+0.02", "40/60", "40/60+0.6", "0.5+0.005", "90"] {
            assert_eq!(control(text).to_string(), text);
        }
        assert_eq!(control("3m+500ms").to_string(), "180+0.5");
        assert_eq!(control("1:30:00+30").to_string(), "5400+30");
        for text in ["", "x", "0/60", "-1", "1+-1", "nan", "0+0", "1e99", "1:", "/5", "5/", "inf"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn the_clock_adds_increments_and_periods() {
        let mut clock = GameClock::new(control("2/10+1"));
        clock.charge(Duration::from_secs(4));
        assert_eq!((clock.remaining().as_secs(), clock.to_go()), (7, Some(1)));
        clock.charge(Duration::from_secs(7));
        assert_eq!((clock.remaining().as_secs(), clock.to_go()), (11, Some(2)));
        clock.charge(Duration::from_secs(60));
        assert_eq!(clock.remaining().as_secs(), 1, "overdrawn within the margin: only the increment is left");
    }

    #[test]
    fn a_clock_of_increments_begins_with_one() {
        assert_eq!(GameClock::new(control("0+3")).remaining().as_secs(), 3);
        assert_eq!(GameClock::new(control("2+3")).remaining().as_secs(), 2);
    }
}
