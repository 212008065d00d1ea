//! The clock of one player.

use std::time::Duration;

use crate::chess::clock::{Stage, TimeControl};

/// One player's clock within one game.
#[derive(Debug, Clone)]
pub struct GameClock {
    /// The current stage and those that follow.
    stages: Vec<Stage>,
    remaining: Duration,
    to_go: Option<u32>,
}

impl GameClock {
    /// Returns a clock at the start of the game.
    #[must_use]
    pub fn new(control: &TimeControl) -> Self {
        let stages = control.stages().to_vec();
        GameClock { remaining: stages[0].start(), to_go: stages[0].moves, stages }
    }

    /// The remaining time.
    #[must_use]
    pub fn remaining(&self) -> Duration {
        self.remaining
    }

    /// The increment of each move of this stage.
    #[must_use]
    pub fn increment(&self) -> Duration {
        self.stages[0].increment
    }

    /// The number of moves until the next stage, if there is one.
    #[must_use]
    pub fn to_go(&self) -> Option<u32> {
        self.to_go
    }

    /// Subtracts `used`, then adds the increment, and at the end of a stage the base of the next. The clock
    /// never falls below zero; the caller decides whether `used` was too much.
    pub fn charge(&mut self, used: Duration) {
        self.remaining = self.remaining.saturating_sub(used) + self.increment();
        self.to_go = self.to_go.map(|to_go| to_go - 1);
        if self.to_go == Some(0) {
            if self.stages.len() > 1 {
                self.stages.remove(0);
            }
            self.to_go = self.stages[0].moves;
            self.remaining += self.stages[0].base;
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
    fn the_clock_adds_increments_and_periods() {
        let mut clock = GameClock::new(&control("2/10+1"));
        clock.charge(Duration::from_secs(4));
        assert_eq!((clock.remaining().as_secs(), clock.to_go()), (7, Some(1)));
        clock.charge(Duration::from_secs(7));
        assert_eq!((clock.remaining().as_secs(), clock.to_go()), (11, Some(2)));
        clock.charge(Duration::from_secs(60));
        assert_eq!(clock.remaining().as_secs(), 1, "overdrawn within the margin: only the increment is left");
    }

    #[test]
    fn every_stage_has_its_own_time() {
        let mut clock = GameClock::new(&control("1/10+1~2/5~7+2"));
        let mut after = |seconds| {
            clock.charge(Duration::from_secs(seconds));
            (clock.remaining().as_secs(), clock.increment().as_secs(), clock.to_go())
        };
        assert_eq!(after(4), (7 + 5, 0, Some(2)), "the first stage has one move");
        assert_eq!(after(1), (11, 0, Some(1)));
        assert_eq!(after(1), (10 + 7, 2, None));
        assert_eq!(after(1), (18, 2, None), "the last stage has no end");
    }

    #[test]
    fn a_clock_of_increments_begins_with_one() {
        assert_eq!(GameClock::new(&control("0+3")).remaining().as_secs(), 3);
        assert_eq!(GameClock::new(&control("2+3")).remaining().as_secs(), 2);
    }
}
