//! `zugwerk analyse`: every move of a position scored, or whole games annotated.

use std::{
    fs::{self, File},
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use clap::ValueEnum;
use serde::Serialize;
use shakmaty::{CastlingMode, Color};
use zugwerk::{
    analysis::{self, GameReport, report},
    game::{BrokenGame, Game, read_games},
    notation::{self, numbered, pawns, san_line},
    position::Position,
    search::{Limits, Report, Settings, Silent, Stop},
    value::Score,
    wdl::Chances,
};

use super::{
    Finding,
    effort::{Effort, describe},
    eval::position,
    progress,
    table::table,
};

/// How deep a position is searched unless the flags say otherwise, in plies.
const DEPTH: u32 = 10;
/// How many nodes each position of a game gets unless the flags say otherwise.
const NODES: u64 = 100_000;

/// Score every legal move of a position, or annotate the games of a PGN file
///
/// With --fen (or nothing: the starting position) the legal moves are listed, best first, with value, depth, chances to
/// win, draw and lose in permill for the side to move, and the line expected. With --pgn every move of every game gets
/// an evaluation, bad moves get a sign and a better line, each side an accuracy; -o writes the annotated games, --html
/// a report with charts and boards. Games that cannot be read are named and written as they are.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  zugwerk analyse --fen '3k4/6R1/8/4R3/8/8/8/7K w - - 0 1' --depth 6
  zugwerk analyse --pgn games.pgn -o annotated.pgn --html report.html --nodes 50000

Exit codes: 0 done, 2 bad usage or input (no game could be read).")]
pub(super) struct Args {
    /// The position; the starting position if left out
    #[arg(long, conflicts_with = "pgn")]
    fen: Option<String>,
    /// Whose side positive values are good for
    #[arg(long, value_enum, default_value_t = Pov::White)]
    pov: Pov,
    /// Score only the best so many moves
    #[arg(long, value_parser = clap::value_parser!(u32).range(1..=256))]
    multipv: Option<u32>,
    /// Print JSON
    #[arg(long)]
    json: bool,
    /// A file of games to annotate
    #[arg(long)]
    pgn: Option<PathBuf>,
    /// Where to write the annotated games; standard output if left out
    #[arg(short, long, requires = "pgn")]
    output: Option<PathBuf>,
    /// Where to write a report as a web page
    #[arg(long, requires = "pgn")]
    html: Option<PathBuf>,
    #[command(flatten)]
    effort: Effort,
}

/// From whose side a value is told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum, Serialize)]
#[serde(rename_all = "lowercase")]
enum Pov {
    /// White's
    White,
    /// The side to move's
    Mover,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Finding> {
    match &args.pgn {
        Some(path) => {
            for output in args.output.iter().chain(&args.html) {
                anyhow::ensure!(
                    !is_same_file(output, path),
                    "{}: expected another file than the input",
                    output.display()
                );
            }
            annotate(args, path)
        }
        None => score_moves(args),
    }
}

/// One scored move.
#[derive(Serialize)]
struct Scored {
    uci: String,
    san: String,
    /// Centipawns in the view asked for; absent for a mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    cp: Option<i32>,
    /// Moves to mate in the view asked for, negative when it is suffered.
    #[serde(skip_serializing_if = "Option::is_none")]
    mate: Option<i32>,
    depth: u32,
    /// Permill won, drawn and lost, in the view asked for.
    wdl: [u32; 3],
    pv: Vec<String>,
    #[serde(skip)]
    text: String,
    #[serde(skip)]
    line: String,
}

#[derive(Serialize)]
struct Analysis {
    fen: String,
    /// Whether castling is written as the king taking its rook.
    chess960: bool,
    pov: Pov,
    nodes: u64,
    moves: Vec<Scored>,
}

fn score_moves(args: &Args) -> anyhow::Result<Finding> {
    let root = position(args.fen.as_deref())?;
    let count = root.legal_moves().len();
    let settings =
        Settings { multi_pv: args.multipv.map_or(count, |n| n as usize).max(1), ..Settings::default() };
    let limits = args.effort.limits(Limits::depth(DEPTH));
    let outcome = args.effort.searcher()?.search(&root, &limits, &Stop::default(), &settings, &mut Silent);
    let flip = args.pov == Pov::White && root.turn() == Color::Black;
    let mode = root.castling_mode();
    let moves: Vec<Scored> =
        outcome.lines.iter().filter_map(|line| scored(&root, mode, line, flip)).collect();
    let chess960 = mode.is_chess960();
    let analysis = Analysis { fen: root.fen(), chess960, pov: args.pov, nodes: outcome.nodes, moves };
    let mut out = io::stdout().lock();
    if args.json {
        writeln!(out, "{}", serde_json::to_string_pretty(&analysis)?)?;
        return Ok(Finding::Positive);
    }
    writeln!(out, "{}", analysis.fen)?;
    if analysis.moves.is_empty() {
        writeln!(out, "{}", if root.is_check() { "Checkmate." } else { "Stalemate." })?;
        return Ok(Finding::Positive);
    }
    let pov = if args.pov == Pov::White { "White" } else { "the side to move" };
    writeln!(out, "{count} legal moves, {} nodes, values for {pov}\n", analysis.nodes)?;
    let rows = analysis.moves.into_iter().map(|Scored { san, text, depth, wdl, line, .. }| {
        let [win, draw, loss] = wdl.map(|permill| permill.to_string());
        [san, text, depth.to_string(), win, draw, loss, bar(wdl), line]
    });
    let head = ["move", "value", "depth", "win", "draw", "loss", "", "line"];
    write!(out, "{}", table(head, rows, &[0, 6, 7]))?;
    Ok(Finding::Positive)
}

fn scored(root: &Position, mode: CastlingMode, line: &Report, flip: bool) -> Option<Scored> {
    let &m = line.pv.first()?;
    let value = if flip { -line.value } else { line.value };
    let Chances { win, draw, loss } = Chances::from(value);
    let (cp, mate) = match Score::from(value) {
        Score::Cp(cp) => (Some(cp), None),
        Score::Mate(moves) => (None, Some(moves)),
    };
    let pv = san_line(root, &line.pv);
    Some(Scored {
        uci: m.to_uci(mode).to_string(),
        san: pv.first()?.clone(),
        cp,
        mate,
        depth: line.depth,
        wdl: [win, draw, loss],
        pv,
        text: pawns(value),
        line: numbered(root, &line.pv),
    })
}

/// Wins, draws and losses as twenty cells.
fn bar([win, draw, _]: [u32; 3]) -> String {
    let cells = |permill: u32| (permill as usize + 25) / 50;
    let (won, not_lost) = (cells(win), cells(win + draw));
    (0..20)
        .map(|cell| {
            if cell < won {
                '█'
            } else if cell < not_lost {
                '▒'
            } else {
                '·'
            }
        })
        .collect()
}

fn annotate(args: &Args, path: &Path) -> anyhow::Result<Finding> {
    let games = read(path)?;
    let limits = args.effort.limits(Limits::nodes(NODES));
    let mut searcher = args.effort.searcher()?;
    let total: usize = games.iter().flatten().map(|game| game.movetext.moves.len() + 1).sum();
    let progress = progress::bar(total as u64, "positions");
    let mut pgn = String::new();
    let mut reports: Vec<GameReport> = Vec::with_capacity(games.len());
    for (number, game) in (1..).zip(games) {
        progress.set_message(format!("game {number}"));
        match game {
            Ok(game) => {
                let report = analysis::analyse(number, game, &mut searcher, &limits, || progress.inc(1));
                pgn += &report.annotated().to_pgn();
                reports.push(report);
            }
            Err(broken) => pgn += &(broken.text + "\n\n"),
        }
    }
    progress.finish_and_clear();

    match &args.output {
        Some(path) => write(path, &pgn)?,
        None if args.html.is_none() => io::stdout().write_all(pgn.as_bytes())?,
        None => {}
    }
    if let Some(path) = &args.html {
        let how = format!("Zugwerk {}, {} for each position", env!("CARGO_PKG_VERSION"), describe(&limits));
        write(path, &report::page(&reports, &how))?;
    }
    let mut err = io::stderr().lock();
    for report in &reports {
        writeln!(err, "{}", summary(report))?;
    }
    Ok(Finding::Positive)
}

/// The games of the file at `path`; those that cannot be read are named on standard error.
fn read(path: &Path) -> anyhow::Result<Vec<Result<Game, BrokenGame>>> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let games = read_games(file).with_context(|| format!("cannot read {}", path.display()))?;
    let broken = || games.iter().filter_map(|game| game.as_ref().err());
    if games.iter().flatten().all(|game| game.movetext.moves.is_empty()) {
        let why = broken().next().map_or_else(String::new, |first| format!(" ({first})"));
        anyhow::bail!("expected games in PGN, found none in {}{why}", path.display());
    }
    for game in broken() {
        writeln!(io::stderr(), "{}: {game}; it is kept as it is", path.display())?;
    }
    Ok(games)
}

fn summary(report: &GameReport) -> String {
    let side = |color: Color| {
        let summary = report.summary(color);
        let name = report.game.tag(notation::side(color)).unwrap_or("?");
        let [inaccuracies, mistakes, blunders] = summary.faults;
        format!(
            "{name}: accuracy {:.1} %, average loss {:.0} cp, {inaccuracies} ?! {mistakes} ? {blunders} ??",
            summary.accuracy, summary.average_loss
        )
    };
    let (white, black) = (side(Color::White), side(Color::Black));
    format!("game {}: {white}; {black} ({})", report.number, report.game.result)
}

fn write(path: &Path, text: &str) -> anyhow::Result<()> {
    fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))
}

/// Whether two paths lead to one file that is there.
fn is_same_file(one: &Path, two: &Path) -> bool {
    matches!((one.canonicalize(), two.canonicalize()), (Ok(one), Ok(two)) if one == two)
}
