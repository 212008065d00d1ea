//! `zugwerk net`: shows networks.

use std::path::PathBuf;

use anyhow::Result;
use clap::Subcommand;
use zugwerk::engine::eval::{
    EvaluatorChoice, EvaluatorKind,
    network::{BIAS_LIMIT, INPUT_LIMIT, INPUTS, OUTPUT_LIMIT, QA, QB},
};

use crate::cli::shared::{print::print_text, status::ExitStatus};

/// Show networks
#[derive(Subcommand)]
#[command(after_help = HELP)]
pub(in crate::cli) enum Command {
    /// Check a network and describe it
    ///
    /// A file is checked as strictly as when it is loaded for playing: architecture, sizes, weights,
    /// checksum.
    /// Without a file the embedded network is described.
    #[command(after_help = HELP)]
    Show {
        /// The network file [default: the embedded network]
        file: Option<PathBuf>,
    },
}

const HELP: &str = "\
Example:
  zugwerk net show best.zwn

Exit codes: 0 a valid network, 2 bad usage, or not a valid network.";

pub(in crate::cli) fn run(Command::Show { file }: &Command) -> Result<ExitStatus> {
    let network = EvaluatorChoice { kind: EvaluatorKind::Network, file: file.clone() }.network()?;
    let architecture = network.architecture();
    let layer = |name, weights: &mut dyn Iterator<Item = &i16>, limit: i16, one: i32| {
        let greatest = weights.map(|weight| weight.unsigned_abs()).max().unwrap_or(0);
        let in_units = |weight: u16| f64::from(weight) / f64::from(one);
        (name, in_units(greatest), in_units(limit.unsigned_abs()))
    };
    let mut inputs = (0..INPUTS).flat_map(|input| network.input_weights(input));
    let mut outputs = (0..architecture.buckets).flat_map(|bucket| network.output_weights(bucket));
    let layers = [
        layer("inputs", &mut inputs, INPUT_LIMIT, QA),
        layer("biases", &mut network.biases().iter(), BIAS_LIMIT, QA),
        layer("outputs", &mut outputs, OUTPUT_LIMIT, QB),
    ];
    let bytes = network.to_bytes().len();
    let provenance: serde_json::Value = serde_json::from_str(network.provenance())?;
    let (hash, scale) = (network.hash().to_string(), network.scale());
    let mut text = format!("architecture  {architecture}\nhash          {hash}\n");
    text += &format!("bytes         {bytes}\nscale         {scale} centipawns\n");
    for (name, weight, limit) in layers {
        text += &format!("{name:<13} up to {weight:.2} of {limit:.2}\n");
    }
    text += &format!("provenance    {}", serde_json::to_string_pretty(&provenance)?);
    print_text(text)?;
    Ok(ExitStatus::Positive)
}
