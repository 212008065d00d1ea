//! The number of games at a time, and the cores that they take.

use std::{num::NonZero, str::FromStr, thread::available_parallelism};

use anyhow::{Result, bail, ensure};
use zugwerk::{
    arena::{
        players::spec::{PlayerSpec, threads_of_a_game},
        schedule::Schedule,
    },
    words::counted,
};

/// The flags of games at the same time.
#[derive(clap::Args)]
pub(in crate::cli) struct Load {
    /// Number of games played at the same time, or `auto`: as many as the cores carry. With a clock or a time for each move
    /// more are refused.
    #[arg(long, value_name = "N|auto", default_value = "1")]
    concurrency: Concurrency,

    /// Play more games at the same time than the cores carry, although the clock then measures the load of the machine.
    #[arg(long)]
    overload: bool,
}

/// The number of games played at the same time.
#[derive(Clone, Copy)]
enum Concurrency {
    Auto,
    Games(usize),
}

impl FromStr for Concurrency {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "auto" => Ok(Concurrency::Auto),
            _ => text.parse().map(Concurrency::Games).map_err(|_| "expected a number of games or `auto`"),
        }
    }
}

impl Load {
    /// The number of games at a time between `players`. With a clock it is limited by the cores, because players that share a
    /// core lose time by chance.
    pub(in crate::cli) fn games(&self, players: &[PlayerSpec], schedule: &Schedule) -> Result<usize> {
        let pairings = schedule.pairings().iter();
        let threads = pairings.map(|&(one, two)| threads_of_a_game(&players[one], &players[two]));
        let threads = threads.max().unwrap_or(1);
        let fitting = cores() / threads;
        let games = match self.concurrency {
            Concurrency::Auto => fitting.max(1),
            Concurrency::Games(games) => games,
        };
        ensure!(games > 0, "--concurrency: expected at least 1");
        let is_timed = players.iter().any(|player| player.limits.is_timed());
        if is_timed && games > fitting && !self.overload {
            let expected =
                if fitting > 0 { format!("at most {fitting}") } else { "fewer threads".to_owned() };
            let threads = counted(threads as u64, "thread", "threads");
            let cores = counted(cores() as u64, "core", "cores");
            bail!(
                "--concurrency {games}: expected {expected}: a game takes {threads}, and the machine has {cores} (--overload \
                 plays all the same)"
            );
        }
        Ok(games)
    }
}

/// The number of processor cores.
pub(super) fn cores() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}
