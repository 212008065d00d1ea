//! Lines about the progress of long work from time to time, for a log or a person who left the terminal.

use std::{
    str::FromStr,
    time::{Duration, Instant},
};

use indicatif::ProgressBar;
use zugwerk::chess::clock::{Unit, duration};

/// The time between two lines, if none is given and there is no terminal for a bar.
const USUAL: Every = Every::Time(Duration::from_secs(60));

/// How often a line is due.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Every {
    /// After so many parts of the work.
    Parts(u64),
    Time(Duration),
}

impl FromStr for Every {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let every = match text.parse() {
            Ok(parts) => Some(Every::Parts(parts)),
            Err(_) => duration(text, Unit::Seconds).ok().map(Every::Time),
        };
        let is_never = |every: &Every| matches!(every, Every::Parts(0) | Every::Time(Duration::ZERO));
        let expected = "expected a number such as 100, or a time such as 60s or 5m";
        every.filter(|every| !is_never(every)).ok_or(expected)
    }
}

/// Tells when the next line is due, and how fast the work is.
pub(crate) struct Ticker {
    every: Every,
    /// The parts that were done at the last line and when it was due.
    last: (u64, Instant),
    /// The same when the work began.
    began: (u64, Instant),
}

impl Ticker {
    /// Returns the ticker of work that `bar` shows and of which `done` parts are done. `None` if there is a
    /// terminal for the bar and `every` is not given.
    pub(crate) fn new(bar: &ProgressBar, every: Option<Every>, done: u64) -> Option<Self> {
        let (every, began) = (every.or(bar.is_hidden().then_some(USUAL))?, (done, Instant::now()));
        Some(Ticker { every, last: began, began })
    }

    /// Whether a line is due now that `done` parts are done.
    pub(crate) fn is_due(&mut self, done: u64, now: Instant) -> bool {
        let (before, at) = self.last;
        let due = match self.every {
            Every::Parts(count) => done / count > before / count,
            Every::Time(time) => now - at >= time,
        };
        if due {
            self.last = (done, now);
        }
        due
    }

    /// The parts a minute, and the time for the rest of `planned` parts.
    pub(crate) fn pace(&self, done: u64, planned: u64, now: Instant) -> (f64, Duration) {
        let (before, start) = self.began;
        let (parts, took) = ((done - before) as f64, now - start);
        (parts / took.as_secs_f64() * 60.0, took.mul_f64((planned - done) as f64 / parts.max(1.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ticker(every: &str, done: u64, now: Instant) -> Ticker {
        Ticker { every: every.parse().unwrap(), last: (done, now), began: (done, now) }
    }

    #[test]
    fn a_line_is_due_after_parts_or_after_a_time() {
        let now = Instant::now();
        let due = |every: &str| {
            let mut ticker = ticker(every, 7, now);
            let steps = [(9, 59), (10, 60), (19, 61), (31, 119), (31, 120)];
            steps.map(|(parts, seconds)| ticker.is_due(parts, now + Duration::from_secs(seconds)))
        };
        assert_eq!(due("10"), [false, true, false, true, false]);
        assert_eq!(due("60s"), [false, true, false, false, true]);
        assert_eq!("5m".parse(), Ok(Every::Time(Duration::from_secs(300))));
        for wrong in ["", "0", "0s", "-1", "x", "1.5 games"] {
            assert!(wrong.parse::<Every>().is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_pace_is_that_of_this_run() {
        let now = Instant::now();
        let pace = |done, seconds| ticker("1", 40, now).pace(done, 100, now + Duration::from_secs(seconds));
        assert_eq!(pace(60, 120), (10.0, Duration::from_secs(240)));
        assert_eq!(pace(40, 120).0, 0.0);
    }
}
