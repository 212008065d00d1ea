//! `zugwerk train`: trains a network on self-play data.

mod args;
mod finish;

use std::{
    fmt::Display,
    fs,
    path::Path,
    thread,
    time::{Duration, Instant},
};

use anyhow::{Result, bail, ensure};
use indicatif::ProgressBar;
use zugwerk::{
    engine::{eval::network, search::Stop},
    files::Lock,
    words::counted,
    workshop::{
        data::{Record, checksum},
        train::{
            Accepted, Anchor, Batch, Begin, DataFile, Feeding, FloatNetwork, Plan, Start, TrainingRun,
            TrainingSchedule, batches, dequantise, unfinished,
        },
    },
};

use crate::cli::shared::{
    input::{InFile, check_each_once},
    interrupt,
    print::{say, warn},
    progress,
    status::ExitStatus,
    threads::with_threads,
};

pub(in crate::cli) use args::Args;

/// Weight decay, per step and unit of the learning rate.
const DECAY: f32 = 0.01;
/// The time between two checkpoints; there is always one after each round.
const SAVE_EVERY: Duration = Duration::from_mins(5);
/// The ratio of the losses of validation and training from which on the network knows the positions of the
/// training by heart.
const MEMORISED: f64 = 2.0;
/// The time between two looks at the folder, and at whether the training is interrupted meanwhile.
const POLLS: u32 = 20;
const POLL: Duration = Duration::from_millis(100);

pub(in crate::cli) fn run(args: &Args) -> Result<ExitStatus> {
    args.check()?;
    with_threads(args.threads, || train(args))
}

fn train(args: &Args) -> Result<ExitStatus> {
    check_each_once(&args.validation)?;
    let (mut run, mut anchor, _lock) = args.open()?;
    let live = progress::live();
    live.set_message("reading the positions for validation");
    let validation = batches(&args.validation, args.filter.filter(), args.batch, args.threads)?;
    live.finish_and_clear();
    introduce(&run);
    let stop = interrupt::stop()?;
    let (begun, done) = (Instant::now(), run.trainer.steps());
    if !carry_out(args, &mut run, &validation, anchor.as_mut(), &stop)? {
        warn("interrupted; --resume continues");
        return Ok(ExitStatus::Interrupted);
    }
    let positions = (run.trainer.steps() - done) * run.plan.batch as u64;
    let seconds = begun.elapsed().as_secs_f64();
    say_anyway(format_args!(
        "\n{} in {seconds:.0} s, {:.0} a second, validation included",
        counted(positions, "position", "positions"),
        positions as f64 / seconds
    ));
    finish::finish(args, &run)
}

/// Tells the network and the length of the training, and its rounds so far.
fn introduce(run: &TrainingRun) {
    let network = zugwerk::workshop::train::architecture(&run.trainer.network());
    say_anyway(format_args!("{network}: {}", length(&run.plan)));
    say_anyway(format_args!("\nround      positions        rate  training  validation"));
    run.rounds.iter().for_each(say_anyway);
}

/// Trains to the end; `false` if interrupted.
fn carry_out(
    args: &Args,
    run: &mut TrainingRun,
    validation: &[Batch],
    mut anchor: Option<&mut Anchor>,
    stop: &Stop,
) -> Result<bool> {
    let (checkpoint, batch) = (args.checkpoint(), run.plan.batch as u64);
    let bar = match run.plan.schedule.steps {
        TrainingSchedule::ENDLESS => progress::count("positions"),
        steps => progress::bar(steps * batch, "positions"),
    };
    let bar = bar.with_position(run.trainer.steps() * batch);
    bar.reset_eta();
    while !run.is_over() {
        let is_whole = round(args, run, validation, anchor.as_deref_mut(), &bar, stop)?;
        run.save(&checkpoint).in_file(&checkpoint)?;
        if !is_whole {
            return Ok(false);
        }
        say_anyway(run.rounds.last().expect("one is over"));
        finish::draw(run, &args.output)?;
    }
    bar.finish_and_clear();
    if run
        .rounds
        .last()
        .is_some_and(|round| anchor.is_none() && round.validation > MEMORISED * round.training)
    {
        warn(
            "the loss of the validation is far above that of the training: too few positions for so many uses",
        );
    }
    Ok(true)
}

/// Prints a line. A training continues even if the pipe is closed.
fn say_anyway(line: impl Display) {
    let _ = say(line);
}

/// Continues to the end of the round; `false` if interrupted.
fn round(
    args: &Args,
    run: &mut TrainingRun,
    validation: &[Batch],
    anchor: Option<&mut Anchor>,
    bar: &ProgressBar,
    stop: &Stop,
) -> Result<bool> {
    let checkpoint = args.checkpoint();
    let mut saved = Instant::now();
    let mut failed = None;
    let step = |run: &TrainingRun| {
        bar.set_position(run.trainer.steps() * run.plan.batch as u64);
        if saved.elapsed() >= SAVE_EVERY {
            failed = run.save(&checkpoint).err();
            saved = Instant::now();
        }
        failed.is_none() && !stop.is_stopped()
    };
    let over = match fill(args, run, bar, stop)? {
        Some(window) => run.round(window, validation, anchor, args.threads, step)?,
        None => false,
    };
    match failed {
        Some(error) => Err(error).in_file(&checkpoint),
        None => Ok(over),
    }
}

/// Fills the window of the next round, and waits for files that are being written; `None` if interrupted.
fn fill(args: &Args, run: &mut TrainingRun, bar: &ProgressBar, stop: &Stop) -> Result<Option<Vec<Record>>> {
    let TrainingRun { plan, fed, .. } = run;
    let mut reported = None;
    let wait = |ready| {
        if reported != Some(ready) {
            say_anyway(format_args!(
                "{}: {ready} of {} positions are ready; waiting for more",
                args.stream.display(),
                args.window
            ));
            reported = Some(ready);
        }
        for _ in 0..POLLS {
            if stop.is_stopped() {
                return false;
            }
            thread::sleep(POLL);
        }
        true
    };
    bar.set_message("reading files");
    let window = fed.fill(&args.stream, args.feeding(), plan.filter, &plan.validation, wait)?;
    bar.set_message("");
    if let Some(window) = &window {
        let (folder, all, batch) = (args.stream.display(), window.len(), args.batch);
        ensure!(all >= batch, "{folder}: expected {batch} positions for a batch, found {all}");
        if all < args.window && run.rounds.is_empty() {
            say_anyway(format_args!("{folder}: all it has are {all} positions, used together in each round"));
        }
    }
    Ok(window)
}

/// The length of a training, in words.
fn length(plan: &Plan) -> String {
    let batch = plan.batch;
    let steps = match plan.schedule.steps {
        TrainingSchedule::ENDLESS => format!("steps of {batch} without end"),
        steps => format!("{} of {batch}", counted(steps, "step", "steps")),
    };
    format!("rounds of {} or more, {steps}", counted(plan.feeding.window as u64, "position", "positions"))
}

impl Args {
    /// How the files of the folder are used.
    fn feeding(&self) -> Feeding {
        Feeding { uses: self.uses, window: self.window }
    }

    /// Makes the plan, for which the files for validation are read, of a training that begins with `begin`.
    fn plan(&self, begin: &Begin) -> Result<Plan> {
        let validation = self.held_out()?;
        ensure!(validation.iter().any(|file| file.counts.positions > 0), "no positions for validation");
        let batch = self.batch as u64;
        let steps = self.positions.map_or(TrainingSchedule::ENDLESS, |positions| positions.div_ceil(batch));
        ensure!(
            steps == TrainingSchedule::ENDLESS || steps.checked_mul(batch).is_some(),
            "--positions: too many positions to count"
        );
        let schedule = TrainingSchedule {
            steps,
            warm_up: self.warm_up.min(steps / 10),
            rate: self.rate,
            final_rate: self.final_rate,
            shape: self.shape.into(),
            result_share: self.result_share,
            decay: DECAY,
            exponent: self.exponent,
        };
        let (file, network) = match begin {
            Begin::Random => (None, None),
            Begin::Weights(network) => (self.start.as_deref(), Some(network)),
            Begin::Branch(state) => (self.branch.as_deref(), Some(&state.network)),
        };
        Ok(Plan {
            hidden: self.hidden,
            seed: self.seed,
            batch: self.batch,
            schedule,
            filter: self.filter.filter(),
            feeding: self.feeding(),
            validation,
            start: file.zip(network).map(|(path, network)| Start {
                name: name(path),
                crc32: format!("{:08x}", network.checksum()),
                moments: matches!(begin, Begin::Branch(_)),
            }),
            anchor: self.anchor,
        })
    }

    /// Reads the files for validation.
    fn held_out(&self) -> Result<Vec<DataFile>> {
        let bar = progress::count("positions read");
        let mut all = Vec::new();
        for path in &self.validation {
            let counts =
                Accepted::of(std::slice::from_ref(path), self.filter.filter(), self.threads, |positions| {
                    bar.inc(positions);
                })?;
            say_anyway(format_args!("{}: {counts}", path.display()));
            bar.set_message(format!("checksum of {}", path.display()));
            let crc32 = format!("{:08x}", checksum(path).in_file(path)?);
            let bytes = fs::metadata(path).in_file(path)?.len();
            all.push(DataFile { name: name(path), bytes, crc32, counts });
        }
        Ok(all)
    }

    /// Begins a training, or loads it from the folder. The lock keeps other runs out of the folder.
    fn open(&self) -> Result<(TrainingRun, Option<Anchor>, Lock)> {
        let checkpoint = self.checkpoint();
        let lock = || Lock::of(&checkpoint).in_file(&checkpoint);
        if self.resume {
            let lock = lock()?;
            let run = TrainingRun::load(&checkpoint).in_file(&checkpoint)?;
            let begin = self.begin()?;
            let plan = self.plan(&begin)?;
            if let Some(difference) = run.plan.difference(&plan) {
                bail!("{}: cannot continue with other flags or data: {difference}", checkpoint.display());
            }
            return Ok((run, self.anchor(begin), lock));
        }
        ensure!(
            self.output.exists() || self.output.symlink_metadata().is_err(),
            "{}: expected a folder, got a link that leads nowhere",
            self.output.display()
        );
        if self.output.exists() {
            self.check_empty()?;
        }
        let begin = self.begin()?;
        let run = TrainingRun::new(self.plan(&begin)?, begin.clone());
        fs::create_dir_all(&self.output).in_file(&self.output)?;
        let lock = lock()?;
        // Another run may have been faster.
        self.check_empty()?;
        Ok((run, self.anchor(begin), lock))
    }

    /// The network of `--start` as an anchor, if it is one.
    fn anchor(&self, begin: Begin) -> Option<Anchor> {
        match begin {
            Begin::Weights(network) if self.anchor > 0.0 => Some(Anchor::new(network, self.anchor)),
            _ => None,
        }
    }

    /// Checks that the folder contains at most what a run leaves that is killed before its first checkpoint
    /// is complete.
    fn check_empty(&self) -> Result<()> {
        let (folder, checkpoint) = (self.output.display(), self.checkpoint());
        let left = [Lock::path(&checkpoint), unfinished(&checkpoint)];
        for entry in fs::read_dir(&self.output).in_file(&self.output)? {
            let path = entry.in_file(&self.output)?.path();
            ensure!(
                left.contains(&path),
                "{folder}: the folder is not empty; expected a new one, or --resume"
            );
        }
        Ok(())
    }
}

impl Args {
    /// Reads the state before the first step.
    fn begin(&self) -> Result<Begin> {
        if let Some(path) = &self.branch {
            let state = TrainingRun::load(path).in_file(path)?.trainer.state();
            let (expected, got) = (self.hidden, state.network.hidden());
            ensure!(got == expected, "{}: expected {expected} hidden neurons, got {got}", path.display());
            return Ok(Begin::Branch(state));
        }
        let Some(path) = &self.start else { return Ok(Begin::Random) };
        Ok(Begin::Weights(start(path, self.hidden)?))
    }
}

/// Reads the weights in `path`, of at most `hidden` neurons.
fn start(path: &Path, hidden: usize) -> Result<FloatNetwork> {
    let network = if path.extension().is_some_and(|extension| extension == network::file::EXTENSION) {
        dequantise(&network::Network::read(path).in_file(path)?).in_file(path)?
    } else {
        TrainingRun::load(path).in_file(path)?.trainer.network()
    };
    ensure!(
        network.hidden() <= hidden,
        "{}: expected at most {hidden} hidden neurons, got {}",
        path.display(),
        network.hidden()
    );
    Ok(network)
}

fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}
