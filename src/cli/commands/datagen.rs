//! `zugwerk datagen`: generates training data by self-play.

use std::{
    io::ErrorKind,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, anyhow, ensure};
use zugwerk::{
    engine::{
        eval::Standard,
        search::{Searcher, Techniques},
        tt::Table,
    },
    words::counted,
    workshop::{
        data::{Blocks, DataError},
        datagen::{OutputPath, Recipe, Run, RunCounts, RunError, WriteError, signature},
    },
};

use crate::cli::shared::{
    evaluator::EvaluatorFlags, interrupt, output, print::warn, progress, status::ExitStatus,
    techniques::WithoutParser,
};

const AFTER_HELP: &str = "\
A game is determined by its number, the seed, the flags and the program, and games are written in the order of their \
numbers. The files are therefore the same with any number of threads; after an interruption they have the same games in \
other blocks. Give parallel runs different seeds and file names. `zugwerk data` shows and checks the files; docs/data.md \
describes them.

Examples:
  zugwerk datagen games.zwd --positions 1000000 --threads 4 --nodes 400
  zugwerk datagen games.zwd --positions 2000000 --threads 4 --nodes 400 --resume
  zugwerk datagen own.zwd --shard 5000000 --seed 7 --threads 2

The last writes own-0001.zwd, own-0002.zwd, … until Ctrl-C.

Exit codes: 0 the files have the requested positions; 2 bad usage or input; 130 interrupted \
(finished games are in the file; --resume continues).";

/// Play games of the engine against itself and write them, with a score for every move, to files of training
/// data.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The file to write.
    file: PathBuf,

    /// The total number of positions in the files [default: until Ctrl-C].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    positions: Option<u64>,

    /// Write a series of files, FILE-0001 and so on, each with this many positions [default: one file].
    #[arg(long, value_name = "POSITIONS", value_parser = clap::value_parser!(u64).range(1..))]
    shard: Option<u64>,

    /// Continue the files, which must have been made by the same program with the same flags.
    #[arg(long)]
    resume: bool,

    #[command(flatten)]
    evaluator: EvaluatorFlags,

    /// Number of games played at the same time, one thread each.
    #[arg(long, alias = "concurrency", value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Seed of the random moves.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Nodes per move: no new iteration begins after this many (and no search exceeds eight times as many).
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Techniques of the search that are switched off: names separated by commas (`--without ?` lists them).
    /// Without `pv_pruning` the scores of short searches are more exact.
    #[arg(long, value_name = "NAMES", default_value = "pv_pruning", value_parser = WithoutParser)]
    without: Techniques,

    /// Hash table of each thread, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,

    /// Begin this share of the games from double Chess960 positions, with an arrangement for each side: `20%`
    /// or `0.2`.
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share)]
    double_chess960: f64,

    /// Let each random ply choose a kind of piece first, a pawn in 35 % of the cases, a rook in 5 %, each
    /// other kind in 15 %, and then one of its moves [default: all legal moves are equally likely].
    #[arg(long)]
    by_kind: bool,
}

/// Parses `20%` or `0.2`.
fn share(text: &str) -> Result<f64> {
    let number = |text: &str| text.parse::<f64>().ok();
    let share = match text.strip_suffix('%') {
        Some(percent) => number(percent).map(|percent| percent / 100.0),
        None => number(text),
    };
    let share = share.filter(|share| (0.0..=1.0).contains(share));
    share.context("expected a share of 0 to 1, or of 0% to 100%")
}

/// Runs the games.
pub(in crate::cli) fn run(args: &Args) -> Result<ExitStatus> {
    let evaluator = args.evaluator.evaluator()?;
    let mut run = prepare(args, &evaluator)?;
    let played = carry_out(args, &mut run, &evaluator)?;
    let counts = run.counts();
    // Finished games are kept even after a failure.
    run.finish()?;
    played.map_err(|error| play_failed(&error))?;
    let positions = counted(counts.positions, "position", "positions");
    let games = counted(counts.games, "game", "games");
    let text = format_args!("{positions} of {games}; this run: {}", summary(&counts));
    output::print_result(Some(&args.file), text)?;
    let is_whole = counts.positions >= args.target();
    Ok(if is_whole { ExitStatus::Positive } else { ExitStatus::Interrupted })
}

/// Opens the files, after everything that may be refused.
fn prepare(args: &Args, evaluator: &Standard) -> Result<Run> {
    output::refuse_stdout("FILE", &args.file)?;
    let called = args.evaluator.provenance()?;
    let recipe = args.recipe();
    // With less memory the threads would use smaller tables and play other games.
    Table::new(args.hash as usize * usize::from(args.threads)).context("--hash")?;
    let output = OutputPath { path: args.file.clone(), shard: args.shard };
    if let Some(taken) = output.taken().filter(|_| !args.resume) {
        check_new(&taken)?;
    }
    let live = progress::live();
    live.set_message("computing the signature of the search");
    let bench = signature(evaluator);
    live.finish_and_clear();
    if !args.resume {
        return Ok(Run::create(recipe, output, called, bench)?);
    }
    let resumed = Run::resume(recipe, output, called, bench);
    let (run, cut) = resumed.map_err(|error| anyhow!("cannot resume {error}"))?;
    if let Some(cut) = cut {
        warn(format_args!("zugwerk: {cut}"));
    }
    Ok(run)
}

/// Plays until there are enough positions, or Ctrl-C is pressed.
fn carry_out(args: &Args, run: &mut Run, evaluator: &Standard) -> Result<Result<(), RunError>> {
    let stop = interrupt::stop()?;
    let bar = match args.positions {
        Some(target) => progress::bar(target, "positions"),
        None => progress::count("positions"),
    };
    let bar = bar.with_position(run.counts().positions);
    bar.reset_eta();
    let searcher = || Searcher::with_evaluator(args.hash as usize, evaluator.clone());
    Ok(run.play(searcher, args.threads.into(), args.target(), &stop, |counts| {
        bar.set_position(counts.positions);
        bar.set_message(summary(counts));
    }))
}

impl Args {
    /// The number of positions that are wanted.
    fn target(&self) -> u64 {
        self.positions.unwrap_or(u64::MAX)
    }

    fn recipe(&self) -> Recipe {
        Recipe {
            seed: self.seed,
            double_chess960: self.double_chess960,
            by_kind: self.by_kind,
            nodes: self.nodes,
            techniques: self.without,
            hash: self.hash as usize,
            ..Recipe::default()
        }
    }
}

/// Checks that no file is at `path`, for data that are written block by block and continued with `--resume`.
fn check_new(path: &Path) -> Result<()> {
    let can_continue = || match Blocks::open(path) {
        Ok(blocks) => blocks.header().tool == Run::TOOL,
        // As after a killed run.
        Err(error) => matches!(error, DataError::Empty | DataError::TornHeader),
    };
    let advice = match path.is_file() && can_continue() {
        true => "--resume continues it",
        false => "expected a new file",
    };
    ensure!(path.symlink_metadata().is_err(), "{} exists: {advice}", path.display());
    Ok(())
}

/// Adds advice to the error.
fn play_failed(error: &RunError) -> anyhow::Error {
    match error {
        RunError::File(WriteError { error: DataError::Io(why), .. })
            if why.kind() == ErrorKind::AlreadyExists =>
        {
            anyhow!("{error} (the files before it are complete; without it --resume continues)")
        }
        _ => anyhow!("{error}"),
    }
}

/// The result of this run: `120 games, White +40 =30 -50`.
fn summary(counts: &RunCounts) -> String {
    let RunCounts { played, white, draws, black, unbalanced, .. } = counts;
    let unbalanced = match unbalanced {
        0 => String::new(),
        &unbalanced => {
            format!(", {} skipped", counted(unbalanced, "unbalanced opening", "unbalanced openings"))
        }
    };
    format!("{}, White +{white} ={draws} -{black}{unbalanced}", counted(*played, "game", "games"))
}
