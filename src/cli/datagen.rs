//! `zugwerk datagen`: generates training data by self-play.

use std::{
    io::ErrorKind,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    sync::Arc,
};

use anyhow::{Context, Result, anyhow, bail, ensure};
use serde_json::json;
use zugwerk::{
    data::DataError,
    datagen::{Counts, FileError, Place, Recipe, ResumeError, Run, RunError, TreeRule, signature},
    epd,
    position::Position,
    rules::{DrawRule, WinRule},
    search::Searcher,
    syzygy::Tables,
    text,
    tt::Table,
};

use super::{EvaluatorFlags, Finding, InFile as _, counted, data::check_new, interrupt, output, progress};

const AFTER_HELP: &str = "\
A game is determined by its number, the seed, the flags and the program, and games are written in the order of their
numbers. The files are therefore the same with any number of threads; after an interruption they have the same games in
other blocks. Give parallel runs different seeds and file names. `zugwerk data` shows, converts and shuffles the files;
docs/data.md describes them.

Examples:
  zugwerk datagen games.zwd --positions 1000000 --threads 4 --nodes 400
  zugwerk datagen games.zwd --positions 2000000 --threads 4 --nodes 400 --resume
  zugwerk datagen own.zwd --shard 5000000 --seed 7 --threads 2    own-0001.zwd, own-0002.zwd, … until Ctrl-C
  zugwerk datagen book.zwd --openings openings.epd --random-plies 2-4 --positions 100000
  zugwerk datagen tree.zwd --from-tree 8 --label-nodes 100 --positions 1000000

Exit codes: 0 the files have the requested positions (or all games of the book); 2 bad usage or input; 130 interrupted
(finished games are in the file; --resume continues).";

/// Play games of the engine against itself and write them, with a score for every move, to files of training data.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// The file to write.
    file: PathBuf,

    /// The total number of positions in the files [default: until Ctrl-C].
    #[arg(long, value_name = "N")]
    positions: Option<u64>,

    /// Write a series of files, FILE-0001 and so on, each with this many positions [default: one file].
    #[arg(long, value_name = "POSITIONS", value_parser = clap::value_parser!(u64).range(1..))]
    shard: Option<u64>,

    /// Continue the files, which must have been made by the same program with the same flags.
    #[arg(long)]
    resume: bool,

    /// Continue the files although flags or program differ from their headers.
    #[arg(long, requires = "resume")]
    accept_changes: bool,

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

    /// Hash table of each thread, in MiB.
    #[arg(long, value_name = "MIB", default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..=1_048_576))]
    hash: u32,

    /// Start from these positions in order: a file of EPD or FEN lines [default: the starting position].
    #[arg(long = "openings", alias = "book", value_name = "FILE")]
    book: Option<PathBuf>,

    /// Begin this share of the games from Chess960 positions, `10%` or `0.1`.
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share)]
    chess960: f64,

    /// Begin this share from double Chess960 positions, with a different arrangement for each side.
    #[arg(long, value_name = "SHARE", default_value = "0", value_parser = share)]
    double_chess960: f64,

    /// Random plies at the start of a game, one number or a range [default: 8-10, with --openings 0].
    #[arg(long, value_name = "N[-N]", value_parser = plies)]
    random_plies: Option<RangeInclusive<u32>>,

    /// Choose another opening if a search evaluates it as better than this for one side, in centipawns.
    #[arg(long, value_name = "CP", default_value_t = 200)]
    balance: i32,

    /// Adjudicate a win when the scores favour one side by this much, in centipawns; 0: play until mate.
    #[arg(long, value_name = "CP", default_value_t = 1000)]
    win_score: u16,

    /// Successive plies for which the scores must favour one side, to adjudicate a win; 0: play until mate.
    #[arg(long, value_name = "N", default_value_t = 4)]
    win_plies: u32,

    /// Adjudicate a draw when the scores are within this of zero, in centipawns.
    #[arg(long, value_name = "CP", default_value_t = 8)]
    draw_score: u16,

    /// Successive plies for which the scores must be within --draw-score, to adjudicate a draw; 0: play on.
    #[arg(long, value_name = "N", default_value_t = 10)]
    draw_plies: u32,

    /// The first ply of the game whose score counts for a draw.
    #[arg(long, value_name = "PLY", default_value_t = 80)]
    draw_from: u32,

    /// Adjudicate by Syzygy endgame tables: folders separated by ':' [default: none].
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,

    /// Adjudicate a draw at this ply, counted from the start of the game.
    #[arg(long, value_name = "PLY", default_value_t = 400)]
    max_plies: u32,

    /// Write up to this many positions from inside the tree of each move's search, instead of the games. The result of
    /// each is drawn at random with the probabilities of its score [default: the games].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..))]
    from_tree: Option<u16>,

    /// Nodes of the search that scores a position from a tree.
    #[arg(long, value_name = "N", default_value_t = 150, requires = "from_tree", value_parser = clap::value_parser!(u64).range(1..))]
    label_nodes: u64,

    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

/// Parses `10%` or `0.1`.
fn share(text: &str) -> Result<f64> {
    let number = |text: &str| text.parse::<f64>().ok();
    let share = match text.strip_suffix('%') {
        Some(percent) => number(percent).map(|percent| percent / 100.0),
        None => number(text),
    };
    let share = share.filter(|share| (0.0..=1.0).contains(share));
    share.context("expected a share of 0 to 1, or of 0% to 100%")
}

/// Parses `8-10` or `8`.
fn plies(text: &str) -> Result<RangeInclusive<u32>> {
    let (least, most) = text.split_once('-').unwrap_or((text, text));
    let (Ok(least), Ok(most)) = (least.parse(), most.parse()) else {
        bail!("expected a number of plies, or a range such as 8-10");
    };
    ensure!(least <= most, "expected a range with the smaller number first");
    Ok(least..=most)
}

/// Runs the games.
pub(crate) fn run(args: &Args) -> Result<Finding> {
    output::refuse_stdout("FILE", &args.file)?;
    let (evaluator, called) = (args.evaluator.evaluator()?, args.evaluator.provenance()?);
    let recipe = recipe(args)?;
    // With less memory the threads would use smaller tables and play other games.
    Table::new(args.hash as usize * usize::from(args.threads)).context("--hash")?;
    let tables = recipe.tables.clone();
    let place = Place { path: args.file.clone(), shard: args.shard };
    let all = recipe.games();
    if let Some(taken) = place.taken().filter(|_| !args.resume) {
        check_new(&taken, Run::TOOL)?;
    }
    let live = progress::live();
    live.set_message("computing the signature of the search");
    let bench = signature(&evaluator);
    live.finish_and_clear();
    let mut run = if args.resume {
        Run::resume(recipe, place, called, bench, args.accept_changes).map_err(|error| match error {
            ResumeError::Differs { .. } => {
                anyhow!("cannot resume {error} (--accept-changes continues anyway)")
            }
            _ => anyhow!("cannot resume {error}"),
        })?
    } else {
        Run::create(recipe, place, called, bench)?
    };
    let stop = interrupt::stop()?;
    let target = args.positions.unwrap_or(u64::MAX);
    let bar = match args.positions {
        Some(target) => progress::bar(target, "positions"),
        None => progress::count("positions"),
    };
    let bar = bar.with_position(run.counts().positions);
    bar.reset_eta();
    let searcher = || Searcher::with_evaluator(args.hash as usize, evaluator.clone());
    let played = run.play(searcher, args.threads.into(), target, &stop, |counts| {
        bar.set_position(counts.positions);
        bar.set_message(summary(counts));
        progress::warn_of_damage(tables.as_ref());
    });
    let counts = run.counts();
    // Finished games are kept even after a failure.
    run.finish()?;
    played.map_err(|error| play_failed(&error))?;
    let finished = counts.positions >= target || all.is_some_and(|all| counts.next >= all);
    let Counts { positions, games, played, white, draws, black, unbalanced, .. } = counts;
    let json = json!({
        "positions": positions, "games": games, "complete": finished,
        "this_run": {
            "games": played, "white": white, "draws": draws, "black": black, "unbalanced_openings": unbalanced,
        },
    });
    let (positions, games) = (counted(positions, "position", "positions"), counted(games, "game", "games"));
    let text = format_args!("{positions} of {games}; this run: {}", summary(&counts));
    output::tell([&*args.file], args.json, text, &json)?;
    Ok(if finished { Finding::Positive } else { Finding::Interrupted })
}

/// Adds advice to the error.
fn play_failed(error: &RunError) -> anyhow::Error {
    match error {
        RunError::File(FileError { error: DataError::Io(why), .. })
            if why.kind() == ErrorKind::AlreadyExists =>
        {
            anyhow!("{error} (the files before it are complete; without it --resume continues)")
        }
        _ => anyhow!("{error}"),
    }
}

fn recipe(args: &Args) -> Result<Recipe> {
    let starts = match &args.book {
        Some(path) => book(path).in_file(path)?,
        None => vec![Position::default()],
    };
    let usual = if args.book.is_some() { 0..=0 } else { 8..=10 };
    let random_plies = args.random_plies.clone().unwrap_or(usual);
    ensure!(
        args.max_plies > *random_plies.end(),
        "--max-plies: expected more than the {} random plies at the start of a game, got {}",
        random_plies.end(),
        args.max_plies
    );
    let shares = args.chess960 + args.double_chess960;
    ensure!(shares <= 1.0, "expected shares of Chess960 that add up to 1 at most, got {shares}");
    let tables = args.syzygy.as_ref().map(|path| Tables::open(path)).transpose().context("--syzygy")?;
    let win = WinRule { score: args.win_score.into(), plies: args.win_plies };
    let draw = DrawRule { score: args.draw_score.into(), plies: args.draw_plies, from_ply: args.draw_from };
    Ok(Recipe {
        seed: args.seed,
        starts,
        chess960: args.chess960,
        double_chess960: args.double_chess960,
        random_plies,
        balance: args.balance,
        nodes: args.nodes,
        hash: args.hash as usize,
        win: (args.win_score > 0 && args.win_plies > 0).then_some(win),
        draw: (args.draw_plies > 0).then_some(draw),
        tables: tables.map(Arc::new),
        max_plies: args.max_plies,
        tree: args
            .from_tree
            .map(|positions| TreeRule { positions: positions.into(), nodes: args.label_nodes }),
    })
}

/// Returns the positions of an EPD file, at least one.
pub(super) fn book(path: &Path) -> Result<Vec<Position>> {
    let starts = epd::positions(&text::read(path)?)?;
    ensure!(!starts.is_empty(), "no positions in it");
    Ok(starts)
}

/// The result of this run: `120 games, White +40 =30 -50`.
fn summary(counts: &Counts) -> String {
    let Counts { played, white, draws, black, unbalanced, .. } = counts;
    let results = match white + draws + black {
        0 => String::new(),
        _ => format!(", White +{white} ={draws} -{black}"),
    };
    let unbalanced = match unbalanced {
        0 => String::new(),
        &unbalanced => {
            format!(", {} skipped", counted(unbalanced, "unbalanced opening", "unbalanced openings"))
        }
    };
    format!("{}{results}{unbalanced}", counted(*played, "game", "games"))
}
