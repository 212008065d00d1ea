//! Flags that several subcommands share: the number of games at a time.

use std::str::FromStr;

use anyhow::{Result, bail, ensure};
use zugwerk::{
    arena::{load::Capacity, players::spec::PlayerSpec, schedule::Schedule},
    words::counted,
};

/// The flags of games at the same time.
#[derive(clap::Args)]
pub(crate) struct Load {
    /// Number of games played at the same time, or `auto`: as many as the cores carry. With a clock or a time
    /// for each move more are refused.
    #[arg(long, value_name = "N|auto", default_value = "1")]
    concurrency: Concurrency,

    /// Play more games at the same time than the cores carry, although the clock then measures the load of
    /// the machine.
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
    /// The number of games at a time between `players`. With a clock it is limited by the cores, because
    /// players that share a core lose time by chance.
    pub(crate) fn games(&self, players: &[PlayerSpec], schedule: &Schedule) -> Result<usize> {
        let capacity = Capacity::of(players, schedule);
        let fitting = capacity.games();
        let games = match self.concurrency {
            Concurrency::Auto => fitting.max(1),
            Concurrency::Games(games) => games,
        };
        ensure!(games > 0, "--concurrency: expected at least 1");
        let is_timed = players.iter().any(|player| player.limits.is_timed());
        if is_timed && games > fitting && !self.overload {
            let expected =
                if fitting > 0 { format!("at most {fitting}") } else { "fewer threads".to_owned() };
            let threads = counted(capacity.threads as u64, "thread", "threads");
            let cores = counted(capacity.cores as u64, "core", "cores");
            bail!(
                "--concurrency {games}: expected {expected}: a game takes {threads}, and the machine has {cores} (--overload \
                 plays all the same)"
            );
        }
        Ok(games)
    }
}
