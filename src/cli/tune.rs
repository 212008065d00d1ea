//! `zugwerk tune`: fits the weights of the classical evaluator to self-play data.

use std::{
    fmt::Display,
    io::{self, ErrorKind},
    path::PathBuf,
};

use anyhow::{Result, ensure};
use clap::builder::PossibleValuesParser;
use serde_json::json;
use zugwerk::{
    data::{Blocks, DataKind, Filter, Header},
    eval::classical::terms::TERMS,
    halt::Halt,
    tune::{Model, Outcomes, Split, Tuner, TuningSchedule, rounded, source, without},
};

use super::{
    ExitStatus, Force, InFile as _, counted, interrupt, note, output, progress, train, warn, with_threads,
};

const AFTER_HELP: &str = "\
The data are files of `zugwerk datagen`. Positions in check, positions whose best move is a capture or a promotion, mate \
scores, scores above 15 pawns and the first plies are left out. Every fit begins with plain material, independent of the current \
weights; it depends only on data, flags and seed. docs/tuning.md lists the commands that made the current weights.

Examples:
  zugwerk tune games.zwd -o src/eval/classical/weights.rs --force
  zugwerk tune games.zwd --epochs 0
  zugwerk tune games.zwd --without KING_ATTACK,STORM

The second fits only the scale and the chances of winning; the third tells what terms are worth in validation loss.

Exit codes: 0 success; 2 bad usage or input; 130 interrupted (the best weights so far are printed and \
written, unless it was still reading).";

/// A fit ends when validation has not improved for this many epochs.
const PATIENCE: u32 = 5;

/// Positions with larger scores for either side are left out, in centipawns.
const SCORE_LIMIT: i32 = 1500;

/// Fit the weights of the classical evaluator to self-play data
#[derive(clap::Args)]
#[command(mut_arg("force", |force| force.requires("output")))]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Files of training data
    #[arg(required = true, value_name = "FILE")]
    data: Vec<PathBuf>,
    /// Number of passes through the data; the fit ends sooner when 5 of them have not improved validation
    #[arg(long, value_name = "N", default_value_t = 15)]
    epochs: u32,
    /// Positions for each step
    #[arg(long, value_name = "N", default_value_t = 16384)]
    batch: usize,
    /// Size of the first steps, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 1.0)]
    rate: f32,
    /// Share of the game's result in the target, 0 to 1; the rest is the score
    #[arg(long, value_name = "SHARE", default_value_t = 0.5)]
    result_share: f32,
    /// Seed of the split and of the order of the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Share of the data for validation, by blocks of whole games
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, conflicts_with = "validation")]
    validation_share: f64,
    /// Use this file for validation instead of a share; required for shuffled data, see
    /// `zugwerk data shuffle --validation` [default: none]
    #[arg(long, value_name = "FILE")]
    validation: Option<PathBuf>,
    /// Leave out positions before this ply of the game
    #[arg(long, value_name = "PLY", default_value_t = Filter::OPENING_PLIES)]
    first_ply: u16,
    /// Names of terms in weights.rs to leave at zero [default: none]
    #[arg(long, value_name = "TERM", value_delimiter = ',', hide_possible_values = true)]
    #[arg(value_parser = PossibleValuesParser::new(TERMS.iter().map(|term| term.name)))]
    without: Vec<String>,
    /// Threads; the result does not depend on them
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// The Rust file of weights to write, or `-` for standard output [default: none]
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Print the result as JSON, and the progress on standard error
    #[arg(long)]
    json: bool,
}

impl Args {
    /// The files of training data.
    fn inputs(&self) -> impl Iterator<Item = &PathBuf> {
        self.data.iter().chain(&self.validation)
    }

    /// Prints a line about the work in progress. If nobody reads it, that is an error only if the weights are not written
    /// to a file.
    fn tell(&self, line: impl Display) -> io::Result<()> {
        let is_for_result = self.json || self.output.as_deref().is_some_and(output::is_stdout);
        match note(is_for_result, line) {
            Err(error) if error.kind() == ErrorKind::BrokenPipe && self.output.is_some() => Ok(()),
            told => told,
        }
    }

    fn check(&self) -> Result<()> {
        ensure!(self.batch > 0, "--batch: expected at least 1");
        ensure!((0.0..=1.0).contains(&self.result_share), "--result-share: expected 0 to 1");
        ensure!(
            self.validation_share > 0.0 && self.validation_share <= 0.5,
            "--validation-share: expected more than 0, at most 0.5"
        );
        ensure!(self.rate > 0.0 && self.rate.is_finite(), "--rate: expected a number above 0");
        Ok(())
    }

    fn filter(&self) -> Filter {
        Filter { score_limit: Some(SCORE_LIMIT), first_ply: self.first_ply, ..Filter::QUIET }
    }
}

pub(super) fn run(args: &Args) -> Result<ExitStatus> {
    args.check()?;
    with_threads(args.threads, || tune(args))
}

fn tune(args: &Args) -> Result<ExitStatus> {
    let pressed = interrupt::on_press(|| {
        warn("ends as soon as possible; Ctrl-C again ends it at once, without a result");
    })?;
    let output = args.output.as_deref().map(|path| args.force.open(path, args.inputs())).transpose()?;
    train::check_held_out(&args.data, args.validation.as_slice())?;
    let Some(data) = read(args, &pressed)? else { return Ok(ExitStatus::Interrupted) };
    let live = progress::live();
    live.set_message("fitting the scale");
    let outcomes = Outcomes::of(&data.training);
    let scale = outcomes.scale() as f32;
    let (midpoint, spread) = outcomes.wdl();
    live.finish_and_clear();
    args.tell(format_args!(
        "scale {scale:.1}; chances of winning: midpoint {midpoint:.1}, spread {spread:.1}"
    ))?;

    let model = Model { scale, blend: args.result_share };
    let schedule =
        TuningSchedule { epochs: args.epochs, batch: args.batch, rate: args.rate, seed: args.seed };
    let mut trainer = Tuner::new(&data, model, schedule, without(&args.without));
    args.tell("\nepoch   rate    training  validation")?;
    args.tell(format_args!("    0             -       {:.8}", trainer.best().0))?;
    let bar = progress::bar(data.training.len() as u64, "positions");
    let (mut since_best, mut epochs) = (0, Vec::new());
    for _ in 0..args.epochs {
        bar.reset();
        let epoch = trainer.epoch(|positions| bar.inc(positions as u64))?;
        let mark = if epoch.best { " *" } else { "" };
        let (number, rate) = (epoch.number, epoch.rate);
        let (training, validation) = (epoch.training, epoch.validation);
        args.tell(format_args!("{number:>5} {rate:>6.3}  {training:.8}  {validation:.8}{mark}"))?;
        epochs.push(json!({ "epoch": number, "rate": rate, "training": training, "validation": validation }));
        since_best = if epoch.best { 0 } else { since_best + 1 };
        if since_best == PATIENCE || pressed.is_set() {
            break;
        }
    }
    let (loss, weights) = trainer.best();
    args.tell(format_args!("\nbest validation loss {loss:.8}"))?;
    if let (Some(output), Some(path)) = (output, &args.output) {
        output.write(source(&rounded(weights)).as_bytes())?;
        args.tell(format_args!("{}: weights written", path.display()))?;
    }
    if args.json {
        let json = json!({
            "records": data.records, "training": data.training.len(), "validation": data.validation.len(),
            "scale": scale, "midpoint": midpoint, "spread": spread, "epochs": epochs, "best_validation_loss": loss,
            "complete": !pressed.is_set(),
        });
        output::tell(args.output.as_deref(), true, "", &json)?;
    }
    Ok(if pressed.is_set() { ExitStatus::Interrupted } else { ExitStatus::Positive })
}

/// Reads all files; `None` if interrupted. Damage is an error: weights must not be fitted to an accidental part of the
/// data.
fn read(args: &Args, pressed: &Halt) -> Result<Option<Split>> {
    // With a file for validation, the files have been compared before.
    let open = if args.validation.is_some() { Blocks::open_repeatedly } else { Blocks::open };
    let shuffled = |header: &Header| header.kind == DataKind::Positions;
    let mut data = Split::new(args.validation_share, args.seed);
    let bar = progress::bytes(args.inputs());
    let training = args.data.iter().map(|path| (path, false));
    for (path, is_validation) in training.chain(args.validation.iter().map(|path| (path, true))) {
        let (mut blocks, mut before) = (open(path).in_file(path)?, 0);
        ensure!(
            args.validation.is_some() || !shuffled(blocks.header()),
            "{}: its positions are shuffled, so games cannot be split: expected --validation FILE",
            path.display()
        );
        while let Some(block) = blocks.next() {
            let block = block.in_file(path)?;
            match args.validation {
                Some(_) => data.add_to(is_validation, &block, args.filter()),
                None => data.add(&block, args.filter()),
            }
            bar.inc(blocks.position() - before);
            before = blocks.position();
            if pressed.is_set() {
                return Ok(None);
            }
        }
    }
    let (training, validation) = (data.training.len(), data.validation.len());
    let records = counted(data.records, "record", "records");
    ensure!(
        training > 0 && validation > 0,
        "expected positions for training and for validation, got {training} and {validation} of {records}; \
         a small file cannot be split: --validation FILE"
    );
    args.tell(format_args!(
        "{records}: {} for training, {validation} for validation",
        counted(training as u64, "position", "positions")
    ))?;
    Ok(Some(data))
}
