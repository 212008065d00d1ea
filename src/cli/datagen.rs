//! `zugwerk datagen`: self-play games for a file of training data.

use std::{fs, ops::RangeInclusive, path::PathBuf, sync::Arc};

use anyhow::{Context, Result, bail, ensure};
use indicatif::{ProgressBar, ProgressStyle};
use zugwerk::{
    datagen::{Counts, DrawRule, Recipe, Run, WinRule},
    epd::Record,
    position::Position,
    search::Stop,
    tt::Table,
};

use super::Verdict;

const AFTER_HELP: &str = "\
A game is determined by its number, the seed and the flags, and games are written in the order of their numbers: the
file is the same with any number of threads, and whether the run was interrupted and resumed (with the same flags) or
not. `zugwerk data` shows and converts the file; docs/data.md describes it.

Examples:
  zugwerk datagen games.zwd --positions 1000000 --threads 4
  zugwerk datagen games.zwd --positions 2000000 --threads 4 --resume
  zugwerk datagen book.zwd --positions 100000 --book openings.epd --random-plies 2-4 --nodes 20000

Exit codes: 0 the file holds the positions asked for (or all games of the book); 2 bad usage or input; 130 interrupted
(what is finished is in the file; --resume goes on).";

/// Play games against itself and write every searched position to a file of training data.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The file to write.
    file: PathBuf,

    /// Positions the file shall hold in the end.
    #[arg(long, value_name = "N")]
    positions: u64,

    /// Go on with the file.
    #[arg(long)]
    resume: bool,

    /// Games at the same time, one thread each.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=1024))]
    threads: u16,

    /// Seed of the random moves.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Nodes per move: no iteration begins after so many (and none goes beyond eight times as many).
    #[arg(long, value_name = "N", default_value_t = 5000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,

    /// Hash table of each thread, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,

    /// Start from these positions, one after the other: a file of EPD or FEN lines [default: the start position].
    #[arg(long, value_name = "FILE")]
    book: Option<PathBuf>,

    /// Random plies to begin a game with, one number or a range [default: 8-10, with --book 0].
    #[arg(long, value_name = "N[-N]", value_parser = plies)]
    random_plies: Option<RangeInclusive<u32>>,

    /// Draw another opening when a search finds one side better by more than this, in centipawns.
    #[arg(long, value_name = "CP", default_value_t = 200)]
    balance: i32,

    /// Call a game won when the scores favour one side by this, in centipawns; 0: play on to the mate.
    #[arg(long, value_name = "CP", default_value_t = 1000)]
    win_score: u16,

    /// For so many plies running.
    #[arg(long, value_name = "N", default_value_t = 4)]
    win_plies: u32,

    /// Call a game drawn when the scores are within this of zero, in centipawns.
    #[arg(long, value_name = "CP", default_value_t = 8)]
    draw_score: u16,

    /// For so many plies running; 0: play on.
    #[arg(long, value_name = "N", default_value_t = 10)]
    draw_plies: u32,

    /// From this ply on.
    #[arg(long, value_name = "PLY", default_value_t = 80)]
    draw_from: u32,

    /// Call a game drawn at this ply.
    #[arg(long, value_name = "PLY", default_value_t = 400)]
    max_plies: u32,
}

/// Reads `8-10` or `8`.
fn plies(text: &str) -> Result<RangeInclusive<u32>> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let range = least.parse()?..=most.parse()?;
    ensure!(!range.is_empty(), "expected the smaller number first");
    Ok(range)
}

/// Runs the games.
pub(crate) fn run(args: &Args) -> Result<Verdict> {
    let recipe = recipe(args)?;
    // The threads would go on with smaller tables, and play other games.
    Table::new(args.hash as usize * usize::from(args.threads)).context("--hash")?;
    let name = args.file.display();
    let mut run = match args.resume {
        true => Run::resume(&args.file).with_context(|| format!("cannot resume {name}"))?,
        false if args.file.exists() => bail!("{name} exists: --resume goes on with it"),
        false => Run::create(&args.file).with_context(|| format!("cannot create {name}"))?,
    };
    let stop = stop_on_interrupt()?;
    let bar = bar(args.positions, &run.counts());
    let written = run.play(&recipe, args.threads.into(), args.positions, &stop, |counts| {
        bar.set_position(counts.positions);
        bar.set_message(summary(counts));
    });
    bar.finish_and_clear();
    let counts = run.counts();
    written.and_then(|()| run.finish()).with_context(|| format!("cannot write {name}"))?;
    println!("{} positions of {} games; this run: {}", counts.positions, counts.games, summary(&counts));
    let finished =
        counts.positions >= args.positions || recipe.games().is_some_and(|all| counts.games >= all);
    Ok(if finished { Verdict::Positive } else { Verdict::Interrupted })
}

fn recipe(args: &Args) -> Result<Recipe> {
    let starts = match &args.book {
        Some(path) => book(path).with_context(|| path.display().to_string())?,
        None => vec![Position::default()],
    };
    let usual = if args.book.is_some() { 0..=0 } else { 8..=10 };
    let win = WinRule { score: args.win_score.into(), plies: args.win_plies };
    let draw = DrawRule { score: args.draw_score.into(), plies: args.draw_plies, from_ply: args.draw_from };
    Ok(Recipe {
        seed: args.seed,
        starts,
        random_plies: args.random_plies.clone().unwrap_or(usual),
        balance: args.balance,
        nodes: args.nodes,
        hash: args.hash as usize,
        win: (args.win_score > 0).then_some(win),
        draw: (args.draw_plies > 0).then_some(draw),
        max_plies: args.max_plies,
    })
}

/// The positions of an EPD file; blank lines and lines that begin with `#` are passed over.
fn book(path: &PathBuf) -> Result<Vec<Position>> {
    let text = fs::read_to_string(path)?;
    let lines = (1..).zip(text.lines().map(str::trim));
    let lines = lines.filter(|(_, line)| !line.is_empty() && !line.starts_with('#'));
    let position = |(number, line)| {
        let record = Record::parse(line).with_context(|| format!("line {number}"))?;
        Ok(record.position)
    };
    let starts: Vec<_> = lines.map(position).collect::<Result<_>>()?;
    ensure!(!starts.is_empty(), "no positions in it");
    Ok(starts)
}

/// Lets Ctrl-C end the run in good order, and a second one at once.
fn stop_on_interrupt() -> Result<Arc<Stop>> {
    let stop = Arc::new(Stop::default());
    let pressed = Arc::clone(&stop);
    ctrlc::set_handler(move || {
        if pressed.is_stopped() {
            std::process::exit(super::INTERRUPTED.into());
        }
        pressed.stop();
    })
    .context("cannot handle Ctrl-C")?;
    Ok(stop)
}

/// The bar on standard error, which hides itself where that is no terminal.
fn bar(target: u64, counts: &Counts) -> ProgressBar {
    let style = ProgressStyle::with_template(
        "{bar:24} {human_pos}/{human_len} positions [{elapsed}<{eta}] {per_sec:.0}, {msg}",
    );
    let bar = ProgressBar::new(target)
        .with_style(style.expect("the template is well-formed"))
        .with_position(counts.positions);
    bar.reset_eta();
    bar
}

/// What this run has played: `120 games, White +40 =30 -50, 312 duplicates`.
fn summary(counts: &Counts) -> String {
    let Counts { white, draws, black, duplicates, .. } = counts;
    let games = white + draws + black;
    format!("{games} games, White +{white} ={draws} -{black}, {duplicates} duplicates dropped")
}
