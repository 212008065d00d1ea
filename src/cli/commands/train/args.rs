//! The flags of `zugwerk train`.

use std::path::PathBuf;

use anyhow::{Context as _, Result, ensure};
use zugwerk::{engine::eval::network, workshop::train::Shape};

use crate::cli::shared::{filter::FilterFlags, output::refuse_stdout};

const AFTER_HELP: &str = "\
The data are the finished files in a folder to which `zugwerk datagen` writes, and more that come while the training runs. \
docs/training.md describes all steps. The output folder contains a checkpoint, the losses, and at the end the network, named by its architecture \
and its hash. The same data, flags and seed give the same network, byte for byte, with any number of threads.

Examples:
  zugwerk train --stream games --validation held-out.zwd --output first \\
      --positions 300000000 --uses 20 --window 16000000
  zugwerk train --stream games --validation held-out.zwd --output first \\
      --positions 300000000 --uses 20 --window 16000000 --resume
  zugwerk train --stream shards --validation held-out.zwd --output trunk \\
      --hidden 512 --shape constant

Exit codes: 0 success; 2 bad usage or input; 130 interrupted, --resume continues.";

/// Train a network on data of self-play
#[derive(clap::Args)]
#[command(
    after_help = AFTER_HELP,
    override_usage = "zugwerk train [OPTIONS] --stream DIR --validation FILE... --output DIR"
)]
pub(in crate::cli) struct Args {
    /// The folder with the training data, to which `datagen --shard` may write meanwhile
    #[arg(long, value_name = "FOLDER")]
    pub(super) stream: PathBuf,
    /// Number of times that each file is used
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) uses: u64,
    /// Number of positions that are held in memory and shuffled together, 32 bytes each
    #[arg(long, value_name = "N", default_value_t = 1 << 26)]
    pub(super) window: usize,
    /// Files of other games, outside of that folder, for validation
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    pub(super) validation: Vec<PathBuf>,
    /// The folder to write to; it must be new or empty
    #[arg(long, short, value_name = "FOLDER")]
    pub(super) output: PathBuf,
    /// Continue the training in the folder
    #[arg(long)]
    pub(super) resume: bool,
    /// Hidden neurons for each perspective, a multiple of 32
    #[arg(long, value_name = "N", default_value_t = 256)]
    pub(super) hidden: usize,
    /// Total number of positions; --shape constant needs none [default: none]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub(super) positions: Option<u64>,
    /// Positions for each step
    #[arg(long, value_name = "N", default_value_t = 16384)]
    pub(super) batch: usize,
    /// Learning rate after the warm-up
    #[arg(long, value_name = "RATE", default_value_t = 0.001)]
    pub(super) rate: f32,
    /// Learning rate at the end, except for the constant shape
    #[arg(long, value_name = "RATE", default_value_t = 0.00001)]
    pub(super) final_rate: f32,
    /// Shape of the learning rate
    #[arg(long, value_enum, default_value_t = ShapeName::Cosine)]
    pub(super) shape: ShapeName,
    /// Steps in which the learning rate rises
    #[arg(long, value_name = "N", default_value_t = 200)]
    pub(super) warm_up: u64,
    /// Share of the game's result in the target, 0 to 1, or from-to over the training; the rest is the score
    #[arg(long, value_name = "SHARE", default_value = "0.3", value_parser = share)]
    pub(super) result_share: [f32; 2],
    /// Power of the distance from the target in the loss, 1 to 4
    #[arg(long, value_name = "POWER", default_value_t = 2.0)]
    pub(super) exponent: f32,
    /// Seed of the first weights and of the order of the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub(super) seed: u64,
    /// Begin with the weights alone of a checkpoint (.zwt) or a network (.zwn); neurons and output buckets
    /// that it lacks are added [default: random weights]
    #[arg(long, value_name = "FILE")]
    pub(super) start: Option<PathBuf>,
    /// Share of the target, 0 to 1, that is the opinion of the network of --start, so that new games do not
    /// make it forget the old ones
    #[arg(long, value_name = "SHARE", default_value_t = 0.0, requires = "start")]
    pub(super) anchor: f32,
    /// Begin with the weights and moments of a checkpoint (.zwt): go on with another schedule or other data
    #[arg(long, value_name = "CHECKPOINT", conflicts_with = "start")]
    pub(super) branch: Option<PathBuf>,
    #[command(flatten)]
    pub(super) filter: FilterFlags,
    /// Threads; the network does not depend on them
    #[arg(long, value_name = "N", default_value_t = 2)]
    pub(super) threads: usize,
}

/// The name of a [`Shape`].
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub(super) enum ShapeName {
    Cosine,
    Constant,
}

impl From<ShapeName> for Shape {
    fn from(name: ShapeName) -> Self {
        match name {
            ShapeName::Cosine => Self::Cosine,
            ShapeName::Constant => Self::Constant,
        }
    }
}

/// Parses `0.1-0.4` or `0.3`. The sign of an exponent, as in `1e-1`, separates no numbers.
fn share(text: &str) -> Result<[f32; 2]> {
    let number = |text: &str| text.parse::<f32>().ok();
    let pair = |at: usize| Some([number(&text[..at])?, number(&text[at + 1..])?]);
    let range = || text.match_indices('-').find_map(|(at, _)| pair(at));
    let shares = number(text).map(|share| [share; 2]).or_else(range);
    let shares = shares.filter(|shares| shares.iter().all(|share| (0.0..=1.0).contains(share)));
    shares.context("expected a share from 0 to 1, or two as in 0.1-0.4")
}

impl Args {
    /// Checks the values that clap does not check.
    pub(super) fn check(&self) -> Result<()> {
        let hidden = self.hidden;
        ensure!(
            hidden.is_multiple_of(network::LANES)
                && (network::LANES..=network::MOST_NEURONS).contains(&hidden),
            "--hidden: expected a multiple of {} up to {}, got {hidden}",
            network::LANES,
            network::MOST_NEURONS
        );
        ensure!(
            (1..=1 << 20).contains(&self.batch),
            "--batch: expected 1 to {}, got {}",
            1 << 20,
            self.batch
        );
        ensure!(self.rate > 0.0 && self.rate <= 1.0, "--rate: expected more than 0, at most 1");
        ensure!(
            self.final_rate >= 0.0 && self.final_rate <= self.rate,
            "--final-rate: expected 0 to the value of --rate"
        );
        ensure!((1.0..=4.0).contains(&self.exponent), "--exponent: expected 1 to 4");
        ensure!((0.0..=1.0).contains(&self.anchor), "--anchor: expected 0 to 1");
        ensure!(
            self.positions.is_some() || self.shape == ShapeName::Constant,
            "expected --positions, or --shape constant"
        );
        ensure!(
            (self.batch..=1 << 30).contains(&self.window),
            "--window: expected the size of a batch, {}, to {}",
            self.batch,
            1 << 30
        );
        refuse_stdout("--output", &self.output)
    }

    /// The file of the checkpoint.
    pub(super) fn checkpoint(&self) -> PathBuf {
        self.output.join("checkpoint.zwt")
    }
}

#[cfg(test)]
mod tests {
    use super::share;

    #[test]
    fn shares_are_read_in_every_notation_of_numbers() {
        for (text, from, to) in [
            ("0.3", 0.3, 0.3),
            ("1e-1", 0.1, 0.1),
            ("0.1-0.4", 0.1, 0.4),
            ("1e-1-4e-1", 0.1, 0.4),
            ("0-1E-0", 0.0, 1.0),
        ] {
            assert_eq!(share(text).unwrap(), [from, to], "{text}");
        }
        for text in ["", "-", "x", "0.5-", "-0.5", "0.5-1.5", "0.1-0.2-0.3", "nan", "1e-1-"] {
            let error = share(text).unwrap_err().to_string();
            assert_eq!(error, "expected a share from 0 to 1, or two as in 0.1-0.4", "{text}");
        }
    }
}
