//! Flags that several subcommands share: search limits, threads, hash table and evaluator.

use std::{path::PathBuf, time::Duration};

use zugwerk::{
    chess::clock::{Unit, duration},
    engine::{
        eval::Standard,
        search::{Limits, Searcher, Stop},
    },
    words::counted,
};

use crate::cli::shared::{evaluator::EvaluatorFlags, print::warn};

/// Numbers of nodes by names.
#[derive(clap::ValueEnum, Clone, Copy, Debug)]
enum EffortName {
    /// 20,000 nodes
    Quick,
    /// 100,000 nodes
    Normal,
    /// 1,000,000 nodes
    Deep,
}

impl EffortName {
    const fn nodes(self) -> u64 {
        match self {
            Self::Quick => 20_000,
            Self::Normal => 100_000,
            Self::Deep => 1_000_000,
        }
    }
}

/// Flags that limit a search and choose its evaluator.
#[derive(clap::Args, Clone, Debug)]
pub(crate) struct EffortFlags {
    /// Search to this depth, in plies [default: see below]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=240))]
    depth: Option<u32>,
    /// Search this many nodes [default: see below]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Search for this time, in milliseconds or with a unit (2s) [default: see below]
    #[arg(long, value_name = "MS", value_parser = milliseconds)]
    movetime: Option<Duration>,
    /// Search this many nodes, by a name
    #[arg(long, value_name = "NAME", conflicts_with_all = ["depth", "nodes", "movetime"])]
    effort: Option<EffortName>,
    /// Number of search threads (more than one is not reproducible)
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: u32,
    /// Size of the hash table, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 32, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,
    #[command(flatten)]
    evaluator: EvaluatorFlags,
}

impl EffortFlags {
    /// The requested limits, or `otherwise` if there are none.
    pub(crate) fn limits(&self, otherwise: Limits) -> Limits {
        let nodes = self.nodes.or(self.effort.map(EffortName::nodes));
        if self.depth.is_none() && nodes.is_none() && self.movetime.is_none() {
            return otherwise;
        }
        Limits { depth: self.depth, nodes, move_time: self.movetime, ..Limits::default() }
    }

    /// The file of the network, if one is named.
    pub(crate) fn file(&self) -> Option<&PathBuf> {
        self.evaluator.file()
    }

    /// Says how much memory the tables of so many searchers take, if that is a gibibyte or more.
    pub(crate) fn warn_of_memory(&self, searchers: u32) {
        let mebibytes = u64::from(self.hash) * u64::from(searchers);
        if searchers > 1 && mebibytes >= 1024 {
            let gibibytes = mebibytes as f64 / 1024.0;
            warn(format_args!(
                "{searchers} hash tables of {} MiB take {gibibytes:.1} GiB of memory (--hash)",
                self.hash
            ));
        }
    }

    /// Returns a searcher with the requested threads, table and evaluator.
    pub(crate) fn searcher(&self) -> anyhow::Result<Searcher<Standard>> {
        let mut searcher = Searcher::with_evaluator(1, self.evaluator.evaluator()?);
        searcher.resize(self.hash as usize)?;
        searcher.set_threads(self.threads as usize);
        searcher.prepare(&Stop::default())?;
        Ok(searcher)
    }
}

fn milliseconds(text: &str) -> Result<Duration, String> {
    let time = duration(text, Unit::Milliseconds).map_err(|error| error.to_string())?;
    if time.is_zero() { Err("expected more than 0".into()) } else { Ok(time) }
}

/// Describes `limits` in words.
pub(crate) fn describe(limits: &Limits) -> String {
    let words = [
        limits.depth.map(|depth| format!("depth {depth}")),
        limits.nodes.map(|nodes| counted(nodes, "node", "nodes")),
        limits.move_time.map(|time| format!("{} ms", time.as_millis())),
    ];
    words.into_iter().flatten().collect::<Vec<_>>().join(", ")
}
