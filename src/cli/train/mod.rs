//! `zugwerk train`: trains a network on self-play data.

use std::{
    fmt, fs,
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail, ensure};
use indicatif::ProgressBar;
use zugwerk::{
    clock::{DurationError, Unit, duration},
    data::Filter,
    eval::network,
    search::Stop,
    train::{
        Batch, DataFile, LANES, Loader, Network, Plan, Run, Schedule, Shape, Survey, checksum, dequantise,
    },
};

use super::{Finding, progress, say, warn};

mod finish;

const AFTER_HELP: &str = "\
The data are files of `zugwerk datagen`, shuffled and split by games with `zugwerk data shuffle`; docs/training.md
describes all steps. The folder contains a checkpoint, the losses, and at the end the network, named by its architecture
and its hash. The same data, flags and seed give the same network, byte for byte, with any number of threads.

Examples:
  zugwerk train shuffled.zwd --validation held-out.zwd --output first --hidden 128
  zugwerk train shuffled.zwd --validation held-out.zwd --output first --hidden 128 --resume
  zugwerk train real.zwd --validation held-out.zwd --output second --start first/checkpoint.zwt

Exit codes: 0 success; 2 bad usage or input; 130 interrupted, --resume continues.";

/// Train a network on data of self-play
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Files of shuffled training data
    #[arg(required = true, value_name = "DATA")]
    data: Vec<PathBuf>,
    /// Files of training data from other games, for validation
    #[arg(long, required = true, num_args = 1.., value_name = "FILE")]
    validation: Vec<PathBuf>,
    /// The folder to write to; it must be new or empty
    #[arg(long, short, value_name = "FOLDER")]
    output: PathBuf,
    /// Continue the training in the folder
    #[arg(long)]
    resume: bool,
    /// Hidden neurons for each perspective, a multiple of 32
    #[arg(long, value_name = "N", default_value_t = 256)]
    hidden: usize,
    /// Number of passes through the data
    #[arg(long, value_name = "N", default_value_t = 20)]
    epochs: u64,
    /// Total number of positions, instead of --epochs
    #[arg(long, value_name = "N", conflicts_with = "epochs")]
    positions: Option<u64>,
    /// Positions for each step
    #[arg(long, value_name = "N", default_value_t = 16384)]
    batch: usize,
    /// Learning rate after the warm-up
    #[arg(long, value_name = "RATE", default_value_t = 0.001)]
    rate: f32,
    /// Learning rate at the end
    #[arg(long, value_name = "RATE", default_value_t = 0.00001)]
    final_rate: f32,
    /// Shape of the learning rate: `cosine`, or `step` (one drop after three quarters)
    #[arg(long, value_name = "SHAPE", default_value = "cosine", value_parser = shape)]
    shape: Shape,
    /// Steps in which the learning rate rises
    #[arg(long, value_name = "N", default_value_t = 200)]
    warm_up: u64,
    /// Weight decay, per step and unit of the learning rate
    #[arg(long, value_name = "DECAY", default_value_t = 0.01)]
    decay: f32,
    /// Share of the game's result in the target, 0 to 1, or from-to over the training; the rest is the score
    #[arg(long, value_name = "SHARE", default_value = "0.3", value_parser = share)]
    result_share: [f32; 2],
    /// Seed of the first weights and of the order of the positions
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Begin with the weights of a checkpoint (.zwt) or a network (.zwn)
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    #[command(flatten)]
    chosen: Chosen,
    /// Accept data in the order of the games, from which a network learns little
    #[arg(long)]
    unshuffled: bool,
    /// Threads; the network does not depend on them
    #[arg(long, value_name = "N", default_value_t = 2)]
    threads: usize,
    /// Minutes between two checkpoints, or with a unit (30s); there is always one after each epoch
    #[arg(long, value_name = "MINUTES", default_value = "5", value_parser = minutes)]
    save_every: Duration,
}

/// The filter of the positions.
#[derive(clap::Args)]
pub(super) struct Chosen {
    /// Leave out larger scores, in centipawns
    #[arg(long, value_name = "CP", default_value_t = 2500)]
    score_limit: i32,
    /// Leave out earlier positions, in plies from the start of the game
    #[arg(long, value_name = "PLY", default_value_t = Filter::OPENING_PLIES)]
    first_ply: u16,
    /// Include positions in check, and those whose best move is a capture or a promotion
    #[arg(long)]
    tactical: bool,
}

impl Chosen {
    /// Converts the flags to a filter.
    pub(super) fn filter(&self) -> Filter {
        let quiet = !self.tactical;
        let (score_limit, first_ply) = (Some(self.score_limit), self.first_ply);
        Filter { no_checks: quiet, no_tacticals: quiet, no_mates: true, score_limit, first_ply }
    }
}

fn shape(text: &str) -> Result<Shape> {
    match text {
        "cosine" => Ok(Shape::Cosine),
        "step" => Ok(Shape::Step),
        _ => bail!("expected cosine or step"),
    }
}

/// Parses `0.1-0.4` or `0.3`.
fn share(text: &str) -> Result<[f32; 2]> {
    let (from, to) = text.split_once('-').unwrap_or((text, text));
    let shares = [from.parse::<f32>()?, to.parse()?];
    ensure!(shares.iter().all(|share| (0.0..=1.0).contains(share)), "expected shares from 0 to 1");
    Ok(shares)
}

impl Args {
    fn check(&self) -> Result<()> {
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
        ensure!(self.threads > 0, "--threads: expected at least 1");
        ensure!(self.rate > 0.0 && self.rate <= 1.0, "--rate: expected more than 0, at most 1");
        ensure!(
            self.final_rate >= 0.0 && self.final_rate <= self.rate,
            "--final-rate: expected 0 to the value of --rate"
        );
        ensure!((0.0..=1.0).contains(&self.decay), "--decay: expected 0 to 1");
        ensure!(self.epochs > 0, "--epochs: expected at least 1");
        Ok(())
    }

    fn checkpoint(&self) -> PathBuf {
        self.output.join("checkpoint.zwt")
    }

    /// Makes the plan, for which all files are read.
    fn plan(&self) -> Result<Plan> {
        let training = self.survey(&self.data)?;
        let validation = self.survey(&self.validation)?;
        let positions: u64 = training.iter().map(|file| file.counts.positions).sum();
        let batch = self.batch as u64;
        ensure!(
            positions >= batch,
            "expected at least one batch of {batch} positions for training, got {positions}"
        );
        ensure!(validation.iter().any(|file| file.counts.positions > 0), "no positions for validation");
        let per_epoch = positions / batch;
        let steps = self.positions.map_or(self.epochs * per_epoch, |positions| positions.div_ceil(batch));
        let schedule = Schedule {
            steps,
            warm_up: self.warm_up.min(steps / 10),
            rate: self.rate,
            final_rate: self.final_rate,
            shape: self.shape,
            result_share: self.result_share,
        };
        Ok(Plan {
            hidden: self.hidden,
            seed: self.seed,
            batch: self.batch,
            schedule,
            decay: self.decay,
            filter: self.chosen.filter(),
            training,
            validation,
            start: self.start.as_deref().map(name),
        })
    }

    /// Surveys `files`.
    fn survey(&self, files: &[PathBuf]) -> Result<Vec<DataFile>> {
        let bar = progress::count("positions read");
        let mut all = Vec::new();
        for path in files {
            let survey =
                Survey::of(std::slice::from_ref(path), self.chosen.filter(), self.threads, |positions| {
                    bar.inc(positions);
                })?;
            let counts = survey.counts;
            bar.suspend(|| tell(format_args!("{}: {counts}", path.display())));
            ensure!(
                self.unshuffled || !survey.is_in_order_of_games(),
                "{}: the positions are in the order of their games; expected random order, see `zugwerk data \
                 shuffle` (or --unshuffled)",
                path.display()
            );
            let place = || path.display().to_string();
            let crc32 = format!("{:08x}", checksum(path).with_context(place)?);
            let bytes = fs::metadata(path).with_context(place)?.len();
            all.push(DataFile { name: name(path), bytes, crc32, counts });
        }
        bar.finish_and_clear();
        Ok(all)
    }

    /// Begins a training, or loads it from the folder.
    fn open(&self) -> Result<Run> {
        let checkpoint = self.checkpoint();
        let place = || checkpoint.display().to_string();
        if self.resume {
            let run = Run::load(&checkpoint).with_context(place)?;
            let plan = self.plan()?;
            if let Some(difference) = run.plan.difference(&plan) {
                bail!("{}: cannot continue with other flags or data: {difference}", checkpoint.display());
            }
            return Ok(run);
        }
        if self.output.exists() {
            let empty = fs::read_dir(&self.output)
                .with_context(|| self.output.display().to_string())?
                .next()
                .is_none();
            ensure!(
                empty,
                "{}: the folder is not empty; expected a new one, or --resume",
                self.output.display()
            );
        }
        let start = self.start.as_deref().map(|path| start(path, self.hidden)).transpose()?;
        let run = Run::new(self.plan()?, start);
        fs::create_dir_all(&self.output).with_context(|| self.output.display().to_string())?;
        Ok(run)
    }
}

/// Reads the weights in `path`.
fn start(path: &Path, hidden: usize) -> Result<Network> {
    let place = || path.display().to_string();
    let network = if path.extension().is_some_and(|extension| extension == network::file::EXTENSION) {
        dequantise(&network::Network::read(path).with_context(place)?)?
    } else {
        Run::load(path).with_context(place)?.trainer.network()
    };
    ensure!(
        network.hidden() == hidden,
        "{}: expected {hidden} hidden neurons, got {}",
        path.display(),
        network.hidden()
    );
    Ok(network)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

fn minutes(text: &str) -> Result<Duration, DurationError> {
    duration(text, Unit::Minutes)
}

pub(super) fn run(args: &Args) -> Result<Finding> {
    args.check()?;
    const { assert!(network::LANES.is_multiple_of(LANES)) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(args.threads).build()?;
    pool.install(|| train(args))
}

fn train(args: &Args) -> Result<Finding> {
    let mut run = args.open()?;
    let mut validation: Vec<Batch> = Vec::new();
    let mut loader = Loader::new(&args.validation, args.chosen.filter(), args.batch, None, args.threads);
    for batch in loader.by_ref() {
        validation.push(batch?);
    }
    validation.push(loader.rest());
    tell(format_args!(
        "{}: {} positions, {} steps of {} ({:.1} epochs)",
        zugwerk::train::architecture(&run.trainer.network()),
        run.plan.training.iter().map(|file| file.counts.positions).sum::<u64>(),
        run.plan.schedule.steps,
        run.plan.batch,
        run.plan.schedule.steps as f64 / run.plan.steps_per_epoch() as f64
    ));
    tell(format_args!("\nepoch      positions        rate  training  validation"));
    for epoch in &run.epochs {
        tell(format_args!("{epoch}"));
    }
    let stop = super::interrupt::stop()?;
    let checkpoint = args.checkpoint();
    let bar = bar(&run);
    let (begun, done) = (Instant::now(), run.trainer.steps());
    while !run.is_over() {
        if !pass(args, &mut run, &validation, &bar, &stop)? {
            run.save(&checkpoint).with_context(|| checkpoint.display().to_string())?;
            bar.finish_and_clear();
            warn(format_args!("interrupted; --resume continues"));
            return Ok(Finding::Interrupted);
        }
        run.save(&checkpoint).with_context(|| checkpoint.display().to_string())?;
        let epoch = run.epochs.last().expect("one is over");
        bar.suspend(|| tell(format_args!("{epoch}")));
        finish::draw(&run, &args.output)?;
    }
    bar.finish_and_clear();
    let positions = (run.trainer.steps() - done) * run.plan.batch as u64;
    let seconds = begun.elapsed().as_secs_f64();
    tell(format_args!(
        "\n{positions} positions in {seconds:.0} s, {:.0} a second, validation included",
        positions as f64 / seconds
    ));
    finish::finish(args, &run)
}

/// Prints a line. A training continues even if the pipe is closed.
fn tell(line: fmt::Arguments<'_>) {
    let _ = say(line);
}

/// Continues to the end of the epoch; `false` if interrupted.
fn pass(args: &Args, run: &mut Run, validation: &[Batch], bar: &ProgressBar, stop: &Stop) -> Result<bool> {
    let checkpoint = args.checkpoint();
    let mut saved = Instant::now();
    let mut failed = None;
    let over = run.epoch(&args.data, validation, args.threads, |run| {
        bar.set_position(run.trainer.steps() * run.plan.batch as u64);
        if saved.elapsed() >= args.save_every {
            failed = run.save(&checkpoint).err();
            saved = Instant::now();
        }
        failed.is_none() && !stop.is_stopped()
    })?;
    match failed {
        Some(error) => Err(error).with_context(|| checkpoint.display().to_string()),
        None => Ok(over),
    }
}

fn bar(run: &Run) -> ProgressBar {
    let batch = run.plan.batch as u64;
    let bar = progress::bar(run.plan.schedule.steps * batch, "positions")
        .with_position(run.trainer.steps() * batch);
    bar.reset_eta();
    bar
}
