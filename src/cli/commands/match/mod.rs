//! `zugwerk match`: sets up a match from the command line, runs it, and shows its progress.

mod command;
mod dialect;
mod opening_source;
mod page;
mod pgn;
mod plan;
mod progress;

use std::{io::Write, path::PathBuf};

use anyhow::{Context as _, Result, ensure};
use clap::ValueEnum;
use zugwerk::{
    arena::{
        MatchPlan,
        load::Capacity,
        record::{manifest::Manifest, pgn::record, report::MatchReport, standings::Standings},
        runner::{MatchError, TriedSettings},
    },
    chess::pgn::Game,
    halt::Halt,
    words::counted,
};

use crate::cli::shared::{
    interrupt::halt_on_interrupt,
    load::Load,
    match_table::render,
    output::{self, Force, Outputs},
    print::{report_result, warn},
    status::ExitStatus,
    ticker::Every,
};

pub(in crate::cli) use self::command::in_own_words;
use self::page::Page;
use self::pgn::Pgn;
use self::progress::Progress;

const AFTER_HELP: &str = "\
Players are lists of key=value, separated by commas (a comma inside a value is written \\,):
  name=…          its name in tables and PGN; default: the name of the program
  cmd=…           the program; `self` is this program
  args=… arg=…    its arguments, split at blanks; or one argument unchanged
  dir=…           the directory it runs in
  option.NAME=…   a UCI option
  tc=…            clock: [moves/]seconds[+increment], as in 40/60+0.5 or 40/5:00+3; in
                  stages, separated by ~: 40/60~20
  st=…            seconds for each move
  nodes=… depth=… limits of each move; all limits combine
  margin=…        tolerated excess over the clock per move, in milliseconds (50)
  ponder=on       thinks on the opponent's time
  restart=on      is restarted for every game

Examples:
  zugwerk match --engine self,name=A --engine self,name=B,option.Hash=64 \\
      --each tc=2+0.02 --games 200
  zugwerk match --engine self --engine cmd=gnuchess,args=--uci \\
      --each tc=1+0.01 --games 20 --pgn games.pgn --max-moves 150 \\
      --draw movenumber=40 movecount=8 score=10 --resign movecount=3 score=600
  zugwerk match --engine cmd=./new --engine cmd=./old --each tc=2+0.02 \\
      --concurrency 2 --sprt elo0=0 elo1=5 --pgn sprt.pgn --resume
  zugwerk match --html match.html --from games.pgn

The flags of fastchess and cutechess-cli are understood, too (-engine cmd=… -each tc=… -rounds N).

Exit codes: 0 the match is finished, and H1 accepted if there was a test; 1 the test accepted H0; 2 bad \
usage or input, or an engine that cannot be started, crashes, stalls, or keeps running out of time or making illegal moves; \
3 the games are \
finished and the test is undecided; 130 interrupted (finished games are in the PGN and in the table).";

/// Play a match between UCI engines and compute the statistics of the result.
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct Args {
    /// A player; give two or more (see below). The others are compared with the first.
    #[arg(long = "engine", value_name = "KEY=VALUE,…", required_unless_present = "from")]
    engines: Vec<String>,

    /// Settings of all players; their own settings take precedence.
    #[arg(long, value_name = "KEY=VALUE,…", default_value = "")]
    each: String,

    /// The first player meets all others, who do not meet each other.
    #[arg(long)]
    gauntlet: bool,

    /// Games per pairing, an even number: every opening is played twice, with colours reversed [default: 100,
    /// with --sprt 20000].
    #[arg(long, value_name = "N")]
    games: Option<usize>,

    #[command(flatten)]
    load: Load,

    /// Openings: a file of EPD or FEN lines (.epd, .fen, .txt) or of games (.pgn), or `random` for generated
    /// ones. When a book is used up, openings are generated too [default: a built-in set].
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,

    /// Order of the openings.
    #[arg(long, value_enum, default_value_t = Order::Random)]
    order: Order,

    /// Seed of the random order and of generated openings; the same seed gives the same openings.
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// The first opening to use, counted from 1 in the chosen order.
    #[arg(long, value_name = "N", default_value_t = 1)]
    start: usize,

    /// Plies to play of every PGN opening [default: all].
    #[arg(long, value_name = "N")]
    plies: Option<usize>,

    /// Play Chess960, even from openings that do not need it.
    #[arg(long)]
    chess960: bool,

    /// Adjudicate a draw when both scores agree: movenumber=40 movecount=8 score=10 [default: never].
    #[arg(long, value_name = "KEY=VALUE", num_args = 0..)]
    draw: Option<Vec<String>>,

    /// Adjudicate a win when both scores agree: movecount=3 score=600 [default: never].
    #[arg(long, value_name = "KEY=VALUE", num_args = 0..)]
    resign: Option<Vec<String>>,

    /// Adjudicate a draw after this many moves of each side, not counting those of the opening [default: no
    /// limit].
    #[arg(long, value_name = "N")]
    max_moves: Option<u32>,

    /// Adjudicate by Syzygy endgame tables: folders separated by ':' (on Windows ';') [default: none].
    #[arg(long, value_name = "PATH")]
    syzygy: Option<String>,

    /// Use the tables only for positions with at most this many pieces.
    #[arg(long, value_name = "N", default_value_t = 7, requires = "syzygy")]
    syzygy_pieces: usize,

    /// Stop when a sequential test is decided: elo0=0 elo1=5 alpha=0.05 beta=0.05 model=logistic (or
    /// normalised) [default: no test].
    #[arg(long, value_name = "KEY=VALUE", num_args = 0..)]
    sprt: Option<Vec<String>>,

    /// Write the games to this file, each as soon as it is finished [default: none].
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,

    /// Write the nodes and the time left of each move into the PGN, beside score, depth and time used.
    #[arg(long, requires = "pgn")]
    pgn_detail: bool,

    /// Write a web page of the match to this file, anew every minute and at the end: the result and its
    /// course, pairs, openings, what each player used, and the games [default: none].
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,

    #[command(flatten)]
    force: Force,

    /// Play nothing: make the page of the games in this PGN file, of any program.
    #[arg(long, value_name = "PGN", requires = "html", conflicts_with_all = ["engines", "each", "gauntlet", "games",
        "concurrency", "overload", "openings", "order", "seed", "start", "plies", "chess960", "draw", "resign", "max_moves",
        "syzygy", "syzygy_pieces", "pgn", "resume", "patience", "recover", "lenient", "log", "every", "verbose"])]
    from: Option<PathBuf>,

    /// Continue the match in the PGN file.
    #[arg(long, requires = "pgn")]
    resume: bool,

    /// Seconds to wait for uciok, for readyok, and for bestmove after stop, before a player counts as
    /// stalled. A move that is limited by nodes or depth alone has five minutes, whatever --patience says.
    #[arg(long, value_name = "SECONDS", default_value = "10")]
    patience: String,

    /// Continue when an engine crashes, stalls, or keeps running out of time or making illegal moves. A game
    /// with a crash or a stall is played once more; the engine loses it if it alone fails again. Otherwise
    /// such an engine ends the match with exit code 2.
    #[arg(long)]
    recover: bool,

    /// Play on if an engine does not announce one of its options, or refuses its value. Otherwise that ends
    /// the match before the first game. Also play castling that an engine writes `O-O`, which otherwise is an
    /// illegal move.
    #[arg(long)]
    lenient: bool,

    /// Append the input (>), output (<) and standard error (!) of the engines to this file; `A#2` is the
    /// second process of player A [default: none].
    #[arg(long, value_name = "FILE")]
    log: Option<PathBuf>,

    /// Print a line with score, Elo, LLR and speed after every N games or after a time (60s, 5m) [default:
    /// 60s if standard error is no terminal].
    #[arg(long, value_name = "N|TIME")]
    every: Option<Every>,

    /// Print a line for every game and every breach of the protocol.
    #[arg(long, short)]
    verbose: bool,

    /// Print the result as JSON.
    #[arg(long)]
    json: bool,
}

#[derive(Clone, Copy, ValueEnum)]
enum Order {
    Sequential,
    Random,
}

/// Runs the match.
pub(in crate::cli) fn run(args: &Args) -> Result<ExitStatus> {
    let mut outputs = outputs(args)?;
    if let Some(path) = &args.from {
        return page::from_games(args, path, &mut outputs);
    }
    let mut prepared = prepare(args, &mut outputs)?;
    let result = prepared.play(args);
    conclude(args, prepared, result)
}

/// A match that can begin, with its results so far.
struct Prepared {
    plan: MatchPlan,
    standings: Standings,
    page: Option<Page>,
    pgn: Option<Pgn>,
    /// Ends the match.
    stop: Halt,
    /// Set by Ctrl-C alone.
    interrupted: Halt,
}

/// Checks everything that may be refused, and opens the outputs.
fn prepare(args: &Args, outputs: &mut Outputs) -> Result<Prepared> {
    let mut plan = plan::plan(args)?;
    let mut standings = plan.standings();
    let names: Vec<&str> = plan.players.iter().map(|player| &*player.name).collect();
    let mut page = Page::new(args, &names, outputs)?;
    // Before the games are opened, so that Ctrl-C removes what was created for them.
    let (stop, interrupted) = halt_on_interrupt()?;
    let mut on_game = |fixture: &_, game: &Game, standings: &_| {
        if let Some(page) = &mut page {
            page.enter(fixture, game.clone(), standings);
        }
    };
    let pgn = args.pgn.as_deref().map(|path| Pgn::open(path, args, &plan, &mut standings, &mut on_game));
    let pgn = pgn.transpose()?;
    // After all that may be refused, because it creates the file.
    plan.log = plan::open_log(args)?;
    if standings.played() < plan.schedule.games() as u64 && !standings.is_decided() {
        check_settings(args, &plan, &stop)?;
    }
    opening_source::note_generated(args, &plan);
    Ok(Prepared { plan, standings, page, pgn, stop, interrupted })
}

impl Prepared {
    /// Plays the games, and shows what is going on.
    fn play(&mut self, args: &Args) -> Result<(), MatchError> {
        let Self { plan, standings, page, pgn, stop, .. } = self;
        let mut progress = Progress::new(plan, standings, args.every, args.verbose, overloaded(plan));
        let pgn = pgn.as_mut().map(|pgn| pgn as &mut dyn Write);
        plan.run(standings, pgn, stop, &mut |news| {
            progress.show(plan, news);
            if let Some(page) = page {
                page.enter(&news.played.fixture, record(plan, news.played, true), news.standings);
                page.renew(|| MatchReport::new(plan, news.standings));
            }
        })
    }
}

/// Prints the result, and what ended the match early.
fn conclude(args: &Args, prepared: Prepared, result: Result<(), MatchError>) -> Result<ExitStatus> {
    let Prepared { plan, standings, page, interrupted, .. } = prepared;
    plan.quit_faults(&standings).iter().for_each(warn);
    opening_source::note_repeated(args, &plan);
    let report = MatchReport::new(&plan, &standings);
    let has_games = report.played > 0 || !report.abandoned.is_empty();
    let mut written = Ok(None);
    if result.is_ok() || has_games {
        written = page.map(|mut page| page.write(&report, None)).transpose();
        report_result(args.json, render(&report), &report)?;
    }
    result.map_err(|error| advised(error, args, &plan))?;
    written?;
    let is_decided = standings.is_decided() || report.planned == Some(report.played);
    Ok(match report.sprt {
        _ if interrupted.is_set() && !is_decided => {
            if args.pgn.is_some() && has_games {
                command::tell_how_to_continue();
            }
            ExitStatus::Interrupted
        }
        Some(sprt) => sprt.verdict().into(),
        None => ExitStatus::Positive,
    })
}

/// The outputs of the match: its games, their manifest, the log and the page.
fn outputs(args: &Args) -> Result<Outputs> {
    args.html.iter().try_for_each(|path| output::check_ending(path, &["html", "htm"]))?;
    for (flag, path) in [("--pgn", &args.pgn), ("--log", &args.log), ("--html", &args.html)] {
        path.iter().try_for_each(|path| output::refuse_stdout(flag, path))?;
    }
    // The page of a match that is continued is its own.
    let force = if args.resume { Force::REPLACE } else { args.force };
    let mut outputs = Outputs::new(force, args.openings.iter().chain(&args.from));
    for path in args.pgn.iter().chain(&args.log) {
        outputs.claim(path)?;
    }
    if let Some(pgn) = &args.pgn {
        outputs.claim(&Manifest::path(pgn)).context("--pgn has its manifest beside it")?;
    }
    Ok(outputs)
}

/// Shows what every player says of its settings, and checks that it accepts them; `--lenient` only warns.
fn check_settings(args: &Args, plan: &MatchPlan, stop: &Halt) -> Result<()> {
    let tried = plan.try_settings(args.chess960, stop).map_err(|error| advised(error, args, plan))?;
    let TriedSettings { refused, remarks } = tried;
    remarks.iter().filter(|remark| !refused.contains(remark)).for_each(warn);
    if args.lenient {
        refused.iter().for_each(warn);
        return Ok(());
    }
    ensure!(refused.is_empty(), "{} (--lenient plays all the same)", refused.join("; "));
    Ok(())
}

/// Adds advice to the error that ended a match, or the name of the file of openings.
fn advised(error: MatchError, args: &Args, plan: &MatchPlan) -> anyhow::Error {
    let advice = match &error {
        MatchError::Breakdown { .. } => "--log FILE records its output, --recover continues".to_owned(),
        MatchError::IllegalMoves { .. } | MatchError::Overtime { overloaded: false, .. } => {
            "--recover continues".to_owned()
        }
        MatchError::Overtime { overloaded: true, .. } => format!("so do others: {}", overloaded(plan)),
        MatchError::Thread { .. } => "play fewer at a time (--concurrency)".to_owned(),
        MatchError::Opening(_) => return opening_source::named(error, args),
        MatchError::Launch { .. } | MatchError::Pgn(_) => return error.into(),
    };
    anyhow::anyhow!("{error}: {advice}")
}

/// Advice for time forfeits because of an overloaded machine.
fn overloaded(plan: &MatchPlan) -> String {
    let cores = Capacity::of(&plan.players, &plan.schedule).cores;
    let cores = counted(cores as u64, "core", "cores");
    format!(
        "the machine is overloaded; play fewer games at a time (--concurrency is {} on \
         {cores}), give the engines fewer threads, a larger margin=… or a longer tc=…",
        plan.concurrency
    )
}
