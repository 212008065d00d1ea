//! Durations and time controls in the notation of all tools.
//!
//! ```text
//!  500ms   2s   1.5   1:30   1:30:00   5m   1h   durations; the caller says in which unit a bare number is
//!  10+0.1  40/60+0.6  3:00+2  1:30:00+30        time controls: [moves/]duration[+seconds], in seconds
//!  40/1:30:00+30~30:00+30                       stages of a time control, which has numbers of moves then
//! ```
//!
//! PGN writes stages with colons, and all times in seconds: `40/5400+30:1800+30`.

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

/// Parses a duration: a number, optionally with decimals, and `ms`, `s`, `m` or `h`; or minutes and seconds
/// (`1:30`); or hours, minutes and seconds (`1:30:00`), less than a day. A number without a unit is in
/// `unit`.
///
/// ```
/// use std::time::Duration;
/// use zugwerk::chess::clock::{Unit, duration};
/// assert_eq!(duration("500ms", Unit::Seconds)?, Duration::from_millis(500));
/// assert_eq!(duration("1:30", Unit::Seconds)?, Duration::from_secs(90));
/// assert_eq!(duration("50", Unit::Milliseconds)?, Duration::from_millis(50));
/// # Ok::<(), zugwerk::chess::clock::DurationError>(())
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
                    Some((hours, minutes)) => {
                        60.0 * whole(hours).filter(|&h| h < 24.0)? + whole(minutes).filter(|&m| m < 60.0)?
                    }
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

/// A stage of a time control: `base` for `moves` moves (or for the rest of the game), and `increment` after
/// each move.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stage {
    /// The number of its moves; `None` for all that are left.
    pub moves: Option<u32>,
    /// Time for those moves.
    pub base: Duration,
    /// Added after each move.
    pub increment: Duration,
}

/// The time of a player for a game: stages, of which the last one repeats if it has a number of moves.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimeControl {
    /// At least one. All before the last have a number of moves.
    stages: Vec<Stage>,
}

/// A text that is not a time control.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected [moves/]seconds[+increment], as in 40/60+0.5, 2+0.02, 1:30 or 40/60~20, got '{0}'")]
pub struct TimeControlError(String);

impl TimeControl {
    /// The stages, at least one. All before the last have a number of moves.
    #[must_use]
    pub fn stages(&self) -> &[Stage] {
        &self.stages
    }

    /// Parses the PGN tag `TimeControl`, in which a colon begins the next stage: `40/90+0.5:30`. If the text
    /// is no list of stages, colons may divide the hours, minutes and seconds of its base, as some programs
    /// write. A stage after the first has a base: `40/5:00+3` is not five seconds and then none, but five
    /// minutes. A fixed time for each move, `6/move` as fastchess and cutechess-cli write it, is a stage of
    /// one move.
    ///
    /// # Errors
    /// [`TimeControlError`] for other text.
    pub fn from_pgn(text: &str) -> Result<Self, TimeControlError> {
        if let Some(seconds) = text.strip_suffix("/move") {
            return format!("1/{seconds}").parse();
        }
        let stages = Self::listed(text, ':')
            .filter(|control| control.stages[1..].iter().all(|stage| !stage.base.is_zero()));
        match stages {
            Some(control) => Ok(control),
            None => Ok(TimeControl { stages: vec![text.parse()?] }),
        }
    }

    /// Returns the PGN tag `TimeControl`, which [`from_pgn`](Self::from_pgn) reads.
    #[must_use]
    pub fn to_pgn(&self) -> String {
        self.joined(":")
    }

    fn joined(&self, separator: &str) -> String {
        self.stages.iter().map(Stage::to_string).collect::<Vec<_>>().join(separator)
    }

    /// Parses stages with `separator` between them.
    fn listed(text: &str, separator: char) -> Option<Self> {
        let stages: Vec<Stage> =
            text.split(separator).map(|part| part.parse().ok()).collect::<Option<_>>()?;
        let (_, before) = stages.split_last()?;
        before.iter().all(|stage| stage.moves.is_some()).then_some(TimeControl { stages })
    }
}

impl Stage {
    /// The time at the start of a game that begins with this stage: the base, or the increment if there is no
    /// base, as for `0+3`.
    #[must_use]
    pub fn start(&self) -> Duration {
        if self.base.is_zero() { self.increment } else { self.base }
    }
}

impl FromStr for Stage {
    type Err = TimeControlError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let read = || {
            let (moves, rest) = match text.split_once('/') {
                Some((moves, rest)) => (Some(moves.trim().parse().ok().filter(|&m| m > 0)?), rest),
                None => (None, text),
            };
            let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
            let seconds = |text| duration(text, Unit::Seconds).ok();
            let increment = Some(increment).filter(|text| !text.contains(':'))?;
            let stage = Stage { moves, base: seconds(base)?, increment: seconds(increment)? };
            (!(stage.base + stage.increment).is_zero()).then_some(stage)
        };
        read().ok_or_else(|| TimeControlError(text.chars().take(40).collect()))
    }
}

impl FromStr for TimeControl {
    type Err = TimeControlError;

    /// A `~` begins the next stage, and colons divide hours, minutes and seconds.
    ///
    /// ```
    /// use zugwerk::chess::clock::TimeControl;
    /// let control: TimeControl = "40/60+500ms~20".parse()?;
    /// let second = control.stages()[1];
    /// assert_eq!((second.moves, second.base.as_secs(), second.increment.as_millis()), (None, 20, 0));
    /// let control: TimeControl = "40/1:30+1".parse()?;
    /// assert_eq!(control.stages()[0].base.as_secs(), 90);
    /// # Ok::<(), zugwerk::chess::clock::TimeControlError>(())
    /// ```
    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::listed(text, '~').ok_or_else(|| TimeControlError(text.chars().take(40).collect()))
    }
}

impl fmt::Display for Stage {
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

impl fmt::Display for TimeControl {
    /// Writes a form that can be parsed again: `40/90+0.5~30`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.joined("~"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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

    /// Each notation, what it means as a tag of PGN, and what the same text means there.
    #[test]
    fn every_notation_of_a_time_control_is_read() {
        for (text, written, in_pgn) in [
            ("2+0.02", "2+0.02", "2+0.02"),
            ("40/60", "40/60", "40/60"),
            ("40/60+0.6", "40/60+0.6", "40/60+0.6"),
            ("0.5+0.005", "0.5+0.005", "0.5+0.005"),
            ("90", "90", "90"),
            ("0+3", "0+3", "0+3"),
            ("3m+500ms", "180+0.5", "180+0.5"),
            ("1:30", "90", "90"),
            ("5:00+3", "300+3", "300+3"),
            ("1:30:00+30", "5400+30", "5400+30"),
            ("40/5:00+3", "40/300+3", "40/300+3"),
            ("40/0:05:00+3", "40/300+3", "40/300+3"),
            ("40/1:30+1", "40/90+1", "40/1:30+1"),
            ("40/60:20", "40/3620", "40/60:20"),
            ("40/60~20", "40/60:20", ""),
            ("40/1m~20s", "40/60:20", ""),
            ("40/60+0.5~20+0.5", "40/60+0.5:20+0.5", ""),
            ("40/1:30:00+30~20/30:00~15:00+30", "40/5400+30:20/1800:900+30", ""),
            ("6/move", "", "1/6"),
            ("0.2/move", "", "1/0.2"),
            ("40/60+1:30:20", "", ""),
            ("40/5400+30:20/1800:900+30", "", "40/5400+30:20/1800:900+30"),
            ("40/60:20:10", "", ""),
            ("100+5:30", "", ""),
            ("60~40/60", "", ""),
            ("60:40/60", "", ""),
            ("40/60~", "", ""),
            ("40/60:", "", ""),
            ("40/60~~20", "", ""),
            ("40/60::20", "", ""),
            ("40/60~x", "", ""),
            ("40/60:x", "", ""),
            ("", "", ""),
            ("x", "", ""),
            ("0/60", "", ""),
            ("-1", "", ""),
            ("1+-1", "", ""),
            ("nan", "", ""),
            ("inf", "", ""),
            ("0+0", "", ""),
            ("1e99", "", ""),
            ("1:", "", ""),
            ("/5", "", ""),
            ("5/", "", ""),
        ] {
            let [own, pgn] = [text.parse::<TimeControl>(), TimeControl::from_pgn(text)]
                .map(|read| read.map(|control| control.to_pgn()).unwrap_or_default());
            assert_eq!((own.as_str(), pgn.as_str()), (written, in_pgn), "{text}");
            for control in [text.parse(), TimeControl::from_pgn(text)].into_iter().flatten() {
                assert_eq!(control.to_string().parse(), Ok(control.clone()), "{text}");
                assert_eq!(TimeControl::from_pgn(&control.to_pgn()), Ok(control), "{text}");
            }
        }
    }
}
