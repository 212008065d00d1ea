//! How many games a machine can play at the same time.

use std::{num::NonZero, thread::available_parallelism};

use super::{
    players::spec::{PlayerSpec, threads_of_a_game},
    schedule::Schedule,
};

/// What this machine can carry of a match.
#[derive(Clone, Copy, Debug)]
pub struct Capacity {
    /// The number of its processor cores.
    pub cores: usize,
    /// The threads of the game that takes the most.
    pub threads: usize,
}

impl Capacity {
    /// The capacity for the games of `schedule` between `players`.
    #[must_use]
    pub fn of(players: &[PlayerSpec], schedule: &Schedule) -> Self {
        let pairings = schedule.pairings().iter();
        let threads = pairings.map(|&(one, two)| threads_of_a_game(&players[one], &players[two]));
        let cores = available_parallelism().map_or(1, NonZero::get);
        Self { cores, threads: threads.max().unwrap_or(1) }
    }

    /// The number of games at a time that do not share a core; 0 if one game takes more cores than there are.
    #[must_use]
    pub fn games(&self) -> usize {
        self.cores / self.threads
    }
}
