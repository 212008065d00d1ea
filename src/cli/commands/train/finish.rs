//! The output of a training: the chart of its losses, the network, and its provenance.

use std::{
    fs,
    path::{Path, PathBuf},
    thread,
};

use anyhow::{Result, ensure};
use serde_json::json;
use zugwerk::{
    engine::eval::network::file::EXTENSION,
    pages::chart::{self, Curve},
    words::counted,
    workshop::{
        data::Record,
        train::{Accepted, Round, TrainingRun, architecture, compare, quantise, read, replace},
    },
};

use super::{Args, say_anyway};
use crate::cli::shared::{input::InFile as _, status::ExitStatus};

/// The number of positions for rounding the output weights.
const ROUNDED: usize = 100_000;

/// The number of positions for comparing the quantised network.
const COMPARED: usize = 50_000;

/// Draws the losses of all rounds.
pub(super) fn draw(run: &TrainingRun, folder: &Path) -> Result<()> {
    let curve = |name: &str, colour, loss: fn(&Round) -> f64| Curve {
        name: name.to_owned(),
        colour,
        points: run.rounds.iter().map(|round| (round.number as f64, loss(round))).collect(),
        band: Vec::new(),
    };
    let curves = [
        curve("training", "#d97706", |round| round.training),
        curve("validation", "#2563eb", |round| round.validation),
    ];
    let title = format!("Loss of {}", architecture(&run.trainer.network()));
    let path = folder.join("losses.svg");
    replace(&path, chart::draw(&title, "round", &curves).as_bytes()).in_file(&path)
}

/// Writes the network.
pub(super) fn finish(args: &Args, run: &TrainingRun) -> Result<ExitStatus> {
    let network = run.trainer.network();
    let mut provenance = json!({
        "program": format!("zugwerk {}", env!("CARGO_PKG_VERSION")),
        "plan": run.plan,
        "rounds": run.rounds,
        "shards": run.fed.shards,
    });
    let shards = run.fed.shards.iter().map(|shard| args.stream.join(&shard.file.name));
    let data: Vec<PathBuf> = shards.filter(|path| path.exists()).collect();
    let quantised = quantise(&network, &provenance.to_string(), &sample(args, &data, ROUNDED)?)?;
    let deviation = compare(&network, &quantised, &sample(args, &args.validation, COMPARED)?);
    say_anyway(format_args!(
        "quantised: mean error {:.3}, largest {:.1} centipawns, over {}",
        deviation.mean,
        deviation.largest,
        counted(deviation.positions as u64, "position", "positions")
    ));
    let form = quantised.architecture().to_string().replace(' ', "-");
    let path = args.output.join(format!("{form}-{}.{EXTENSION}", quantised.hash()));
    let bytes = quantised.to_bytes();
    write(&path, &bytes)?;
    // Not in the network, which would depend on how the plan is written as flags.
    provenance["command"] = command().into();
    let beside = path.with_extension("json");
    replace(&beside, serde_json::to_string_pretty(&provenance)?.as_bytes()).in_file(&beside)?;
    ensure!(
        zugwerk::engine::eval::network::Network::read(&path)? == quantised,
        "{}: the file read differs from the one written",
        path.display()
    );
    say_anyway(format_args!("{}: {} bytes", path.display(), bytes.len()));
    Ok(ExitStatus::Positive)
}

/// Writes a new file, or accepts an identical existing one.
fn write(path: &Path, bytes: &[u8]) -> Result<()> {
    if path.exists() {
        ensure!(fs::read(path).in_file(path)? == bytes, "{} exists and differs", path.display());
        return Ok(());
    }
    replace(path, bytes).in_file(path)
}

/// The first `count` positions of `files` that the filter accepts.
fn sample(args: &Args, files: &[PathBuf], count: usize) -> Result<Vec<Record>> {
    let filter = args.filter.filter();
    let accepted = move |records: &[Record]| -> Vec<Record> {
        let mut counts = Accepted::default();
        records.iter().filter(|record| counts.accept(filter, record)).copied().collect()
    };
    thread::scope(|scope| {
        let mut sample = Vec::new();
        for records in read(scope, files, 1, accepted)? {
            sample.extend(records?);
            if sample.len() >= count {
                break;
            }
        }
        sample.truncate(count);
        Ok(sample)
    })
}

/// The command line without arguments that do not affect the network: output, threads, resumption.
fn command() -> Vec<String> {
    let mut kept = Vec::new();
    let mut args = std::env::args_os().skip(1).map(|arg| arg.to_string_lossy().into_owned());
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--output" | "-o" | "--threads" => drop(args.next()),
            "--resume" => {}
            other if ["--output=", "-o", "--threads="].iter().any(|flag| other.starts_with(flag)) => {}
            _ => kept.push(arg),
        }
    }
    kept
}
