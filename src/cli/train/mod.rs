//! `zugwerk train`: trains a network on self-play data.

mod args;
mod finish;

use std::{
    fmt::Display,
    fs,
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use anyhow::{Context as _, Result, bail, ensure};
use indicatif::ProgressBar;
use serde_json::json;
use zugwerk::{
    data::{Record, checksum},
    eval::network,
    lock::Lock,
    search::Stop,
    train::{
        Batch, Begin, DataFile, Feeding, FloatNetwork, Loader, Plan, Start, Survey, TrainingRun,
        TrainingSchedule, dequantise, unfinished,
    },
};

use super::{ExitStatus, InFile, counted, progress, report_json, say, warn, with_threads};
pub(super) use args::{Args, Chosen};

/// Weight decay, per step and unit of the learning rate.
const DECAY: f32 = 0.01;
/// The time between two checkpoints; there is always one after each epoch.
const SAVE_EVERY: Duration = Duration::from_mins(5);
/// The time between two looks at the folder of `--stream`, and at whether the training is interrupted meanwhile.
const POLLS: u32 = 20;
const POLL: Duration = Duration::from_millis(100);

pub(super) fn run(args: &Args) -> Result<ExitStatus> {
    args.check()?;
    with_threads(args.threads, || train(args))
}

fn train(args: &Args) -> Result<ExitStatus> {
    let (mut run, _lock) = args.open()?;
    let live = progress::live();
    live.set_message("reading the positions for validation");
    let mut loader = Loader::new(&args.validation, args.chosen.filter(), args.batch, None, args.threads);
    let mut validation: Vec<Batch> = loader.by_ref().collect::<Result<_, _>>()?;
    validation.extend(loader.rest());
    live.finish_and_clear();
    args.tell(format_args!(
        "{}: {}",
        zugwerk::train::architecture(&run.trainer.network()),
        length(&run.plan)
    ));
    args.tell(format_args!("\nepoch      positions        rate  training  validation"));
    for epoch in &run.epochs {
        args.tell(epoch);
    }
    let stop = super::interrupt::stop()?;
    let checkpoint = args.checkpoint();
    let (begun, done) = (Instant::now(), run.trainer.steps());
    let batch = run.plan.batch as u64;
    let bar = match run.plan.schedule.steps {
        TrainingSchedule::ENDLESS => progress::count("positions"),
        steps => progress::bar(steps * batch, "positions"),
    };
    let bar = bar.with_position(done * batch);
    bar.reset_eta();
    while !run.is_over() {
        let is_whole = pass(args, &mut run, &validation, &bar, &stop)?;
        run.save(&checkpoint).in_file(&checkpoint)?;
        if !is_whole {
            warn("interrupted; --resume continues");
            if args.json {
                report_json(&json!({ "epochs": run.epochs, "complete": false }))?;
            }
            return Ok(ExitStatus::Interrupted);
        }
        let epoch = run.epochs.last().expect("one is over");
        args.tell(epoch);
        finish::draw(&run, &args.output)?;
    }
    bar.finish_and_clear();
    let positions = (run.trainer.steps() - done) * batch;
    let seconds = begun.elapsed().as_secs_f64();
    args.tell(format_args!(
        "\n{} in {seconds:.0} s, {:.0} a second, validation included",
        counted(positions, "position", "positions"),
        positions as f64 / seconds
    ));
    finish::finish(args, &run)
}

/// Continues to the end of the epoch; `false` if interrupted.
fn pass(
    args: &Args,
    run: &mut TrainingRun,
    validation: &[Batch],
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
    let over = match &args.stream {
        None => run.epoch(&args.data, validation, args.threads, step)?,
        Some(folder) => match fill(args, run, folder, bar, stop)? {
            Some(window) => run.round(window, validation, args.threads, step)?,
            None => false,
        },
    };
    match failed {
        Some(error) => Err(error).in_file(&checkpoint),
        None => Ok(over),
    }
}

/// Fills the window of the next round, and waits for files as long as that takes; `None` if interrupted.
fn fill(
    args: &Args,
    run: &mut TrainingRun,
    folder: &Path,
    bar: &ProgressBar,
    stop: &Stop,
) -> Result<Option<Vec<Record>>> {
    let TrainingRun { plan, fed, .. } = run;
    let mut told = None;
    let wait = |ready| {
        if told != Some(ready) {
            args.tell(format_args!(
                "{}: {ready} of {} positions are ready; waiting for more",
                folder.display(),
                args.window
            ));
            told = Some(ready);
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
    let window = fed.fill(folder, args.feeding(), plan.filter, &plan.validation, wait)?;
    bar.set_message("");
    Ok(window)
}

/// The length of a training, in words.
fn length(plan: &Plan) -> String {
    let batch = plan.batch;
    let steps = match plan.schedule.steps {
        TrainingSchedule::ENDLESS => format!("steps of {batch} without end"),
        steps => format!("{} of {batch}", counted(steps, "step", "steps")),
    };
    match plan.feeding {
        Some(feeding) => {
            format!("rounds of {} or more, {steps}", counted(feeding.window as u64, "position", "positions"))
        }
        None => format!(
            "{}, {steps} ({:.1} epochs)",
            counted(plan.training.iter().map(|file| file.counts.positions).sum(), "position", "positions"),
            plan.schedule.steps as f64 / plan.steps_per_epoch() as f64
        ),
    }
}

impl Args {
    /// How the files of `--stream` are used.
    fn feeding(&self) -> Feeding {
        Feeding { uses: self.uses, window: self.window }
    }

    /// Prints a line: on standard output, or on standard error if the result is JSON. A training continues even if the pipe is
    /// closed.
    fn tell(&self, line: impl Display) {
        if self.json {
            warn(line);
        } else {
            let _ = say(line);
        }
    }

    /// Makes the plan, for which all files are read but those of `--stream`, of a training that begins with `begin`.
    fn plan(&self, begin: &Begin) -> Result<Plan> {
        let training = self.survey(&self.data, false)?;
        let validation = self.survey(&self.validation, true)?;
        let positions: u64 = training.iter().map(|file| file.counts.positions).sum();
        let batch = self.batch as u64;
        ensure!(
            positions >= batch || self.stream.is_some(),
            "expected at least one batch of {} for training, got {positions}; --batch sets another size",
            counted(batch, "position", "positions")
        );
        ensure!(validation.iter().any(|file| file.counts.positions > 0), "no positions for validation");
        check_held_out(&self.data, &self.validation)?;
        let per_epoch = positions / batch;
        let steps = match self.positions {
            Some(positions) => Some(positions.div_ceil(batch)),
            None if self.stream.is_some() => Some(TrainingSchedule::ENDLESS),
            None => self.epochs.checked_mul(per_epoch),
        };
        let steps = steps
            .filter(|&steps| steps == TrainingSchedule::ENDLESS || steps.checked_mul(batch).is_some())
            .context("--epochs, --positions: too many positions to count")?;
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
            filter: self.chosen.filter(),
            training,
            feeding: self.stream.as_ref().map(|_| self.feeding()),
            validation,
            start: file.zip(network).map(|(path, network)| Start {
                name: name(path),
                crc32: format!("{:08x}", network.checksum()),
                moments: matches!(begin, Begin::Branch(_)),
            }),
        })
    }

    /// Surveys `files`; refuses the order of the games unless `any_order`.
    fn survey(&self, files: &[PathBuf], any_order: bool) -> Result<Vec<DataFile>> {
        let bar = progress::count("positions read");
        let mut all = Vec::new();
        for path in files {
            let survey =
                Survey::of(std::slice::from_ref(path), self.chosen.filter(), self.threads, |positions| {
                    bar.inc(positions);
                })?;
            let counts = survey.counts;
            self.tell(format_args!("{}: {counts}", path.display()));
            bar.set_message(format!("checksum of {}", path.display()));
            ensure!(
                any_order || !survey.is_in_order_of_games(),
                "{}: the positions are in the order of their games; expected random order, see `zugwerk data \
                 shuffle`",
                path.display()
            );
            let crc32 = format!("{:08x}", checksum(path).in_file(path)?);
            let bytes = fs::metadata(path).in_file(path)?.len();
            all.push(DataFile { name: name(path), bytes, crc32, counts });
        }
        Ok(all)
    }

    /// Begins a training, or loads it from the folder. The lock keeps other runs out of the folder.
    fn open(&self) -> Result<(TrainingRun, Lock)> {
        let checkpoint = self.checkpoint();
        let lock = || Lock::of(&checkpoint).in_file(&checkpoint);
        if self.resume {
            let lock = lock()?;
            let run = TrainingRun::load(&checkpoint).in_file(&checkpoint)?;
            let plan = self.plan(&self.begin()?)?;
            if let Some(difference) = run.plan.difference(&plan) {
                bail!("{}: cannot continue with other flags or data: {difference}", checkpoint.display());
            }
            return Ok((run, lock));
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
        let run = TrainingRun::new(self.plan(&begin)?, begin);
        fs::create_dir_all(&self.output).in_file(&self.output)?;
        let lock = lock()?;
        // Another run may have been faster.
        self.check_empty()?;
        Ok((run, lock))
    }

    /// Checks that the folder contains at most what a run leaves that is killed before its first checkpoint is complete.
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

/// Checks that no file for `validation` has the contents of one for `training`, under this or another name.
fn check_held_out(training: &[PathBuf], validation: &[PathBuf]) -> Result<()> {
    for file in validation {
        for twin in training {
            ensure!(
                !has_contents_of(file, twin)?,
                "{}: the same data as {}, which is for training; expected other games",
                name(file),
                name(twin)
            );
        }
    }
    Ok(())
}

fn has_contents_of(one: &Path, two: &Path) -> Result<bool> {
    let size = |path: &Path| fs::metadata(path).map(|file| file.len()).in_file(path);
    let sum = |path: &Path| checksum(path).in_file(path);
    Ok(size(one)? == size(two)? && sum(one)? == sum(two)?)
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
