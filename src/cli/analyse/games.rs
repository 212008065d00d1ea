//! Annotates the games of a file.

use std::{
    fs::File,
    io::{self, ErrorKind, Write},
    iter,
    path::{Path, PathBuf},
};

use anyhow::Context as _;
use indicatif::ProgressBar;
use serde_json::json;
use shakmaty::Color;
use zugwerk::{
    analysis::{self, GameReport, Judgement, Opinion, Summary, report},
    eval::Standard,
    game::{BrokenGame, Game, read_games},
    notation::{self, pawns},
    search::{Limits, Searcher, Stop},
    value::Score,
};

use super::{Args, NODES};
use crate::cli::output::{self, Output};
use crate::cli::{ExitStatus, counted, effort, interrupt, progress, report_json, warn};

pub(super) fn annotate(args: &Args, path: &PathBuf) -> anyhow::Result<ExitStatus> {
    let games = read(path)?;
    let limits = args.effort.limits(Limits::nodes(NODES));
    let mut searcher = args.effort.searcher()?;
    // The outputs are opened first, so that errors appear at once and not after hours.
    let mut outputs = outputs(args, path)?;
    let stop = interrupt::stop()?;
    let analysed = analyse_all(args, games, &mut searcher, &limits, &mut outputs, &stop);
    let is_whole = analysed.is_ok() && !stop.is_stopped();
    // The files are closed first.
    let outputs = [outputs.0, outputs.1].into_iter().flatten().map(|(output, _)| output);
    output::end_all(outputs, if is_whole { Output::finish } else { Output::keep })?;
    let reports = analysed?;
    if args.json {
        report_json(&reports)?;
    }
    Ok(if stop.is_stopped() { ExitStatus::Interrupted } else { ExitStatus::Positive })
}

/// Analyses `games` and writes each as soon as it is finished. Returns the analyses for `--json`.
fn analyse_all(
    args: &Args,
    games: Vec<Result<Game, BrokenGame>>,
    searcher: &mut Searcher<Standard>,
    limits: &Limits,
    (pgn, page): &mut (Option<Open>, Option<Open>),
    stop: &Stop,
) -> anyhow::Result<Vec<serde_json::Value>> {
    let how =
        format!("Zugwerk {}, {} for each position", env!("CARGO_PKG_VERSION"), effort::describe(limits));
    keep(page, &report::begin(&how))?;
    let total: usize = games.iter().flatten().map(|game| game.movetext.moves.len() + 1).sum();
    let bar = progress::bar(total as u64, "positions");
    let count = games.len();
    let mut reports = Vec::new();
    for (number, game) in (1..).zip(games) {
        if pgn.is_none() && page.is_none() && !args.json {
            // Nobody reads the result any more.
            break;
        }
        match game {
            Ok(game) if stop.is_stopped() => keep(pgn, &game.to_pgn())?,
            Ok(game) => {
                let (live, start) = (live_line(number, count, &game), game.start.ply());
                let heard = |ply: usize, opinion: &Opinion| tell(&bar, &live, start, ply, opinion);
                let mut report = analysis::analyse(number, game, searcher, limits, stop, heard);
                if page.is_some() {
                    bar.set_message(format!("{live}: exercises"));
                    report.set_exercises(searcher, limits, stop);
                }
                keep(pgn, &report.annotated().to_pgn())?;
                keep(page, &report::game(&report))?;
                warn(summary(&report));
                reports.extend(args.json.then(|| in_json(&report)));
            }
            Err(broken) => keep(pgn, &(broken.text + "\n\n"))?,
        }
    }
    Ok(reports)
}

/// An output that is open, and the file.
type Open = (Output, Box<dyn Write>);

/// Opens the outputs for the annotated games and the report.
fn outputs(args: &Args, input: &PathBuf) -> anyhow::Result<(Option<Open>, Option<Open>)> {
    let streams = [&args.output, &args.html].into_iter().flatten().filter(|path| output::is_stdout(path));
    anyhow::ensure!(
        streams.count() + usize::from(args.json) <= 1,
        "expected one of --json, --output - and --html - at most"
    );
    if let (Some(games), Some(page)) = (&args.output, &args.html) {
        output::check_distinct(games, page)?;
    }
    let open = |path| args.force.open_live(path, iter::once(input).chain(args.effort.file()));
    let printed = args.output.is_none() && args.html.is_none() && !args.json;
    let games = args.output.as_deref().or_else(|| printed.then(|| Path::new("-")));
    let games = games.map(open).transpose()?;
    Ok((games, args.html.as_deref().map(open).transpose()?))
}

/// Writes and flushes `text`, so that it is kept even if the program is killed. An output that nobody reads any more is
/// given up; another one is not.
fn keep(output: &mut Option<Open>, text: &str) -> anyhow::Result<()> {
    let Some((name, to)) = output else { return Ok(()) };
    match progress::above_the_bar(&io::stdout(), || to.write_all(text.as_bytes()).and_then(|()| to.flush())) {
        Err(error) if error.kind() == ErrorKind::BrokenPipe => *output = None,
        written => written.with_context(|| name.cannot_write())?,
    }
    Ok(())
}

/// Reads the games of the file at `path`; invalid games are reported on standard error.
fn read(path: &Path) -> anyhow::Result<Vec<Result<Game, BrokenGame>>> {
    let file = File::open(path).with_context(|| format!("cannot read {}", path.display()))?;
    let bar = progress::bytes([&path.to_owned()]);
    let games = read_games(bar.wrap_read(file)).with_context(|| format!("cannot read {}", path.display()))?;
    let broken = || games.iter().filter_map(|game| game.as_ref().err());
    if games.iter().flatten().next().is_none() {
        let why = broken().next().map_or_else(String::new, |first| format!(" ({first})"));
        anyhow::bail!("expected games in PGN, found none in {}{why}", path.display());
    }
    for (number, game) in (1..).zip(&games) {
        match game {
            Ok(game) => game
                .faults
                .iter()
                .for_each(|fault| warn(format_args!("{}: game {number}: {fault}", path.display()))),
            Err(broken) => warn(format_args!("{}: {broken}; it is kept unchanged", path.display())),
        }
    }
    Ok(games)
}

/// The text of the progress bar during the analysis of `game`.
fn live_line(number: usize, count: usize, game: &Game) -> String {
    let [white, black] = Color::ALL.map(|side| game.tag(notation::side(side)).unwrap_or("?"));
    let names: String = format!("{white} - {black}").chars().filter(|c| !c.is_control()).take(40).collect();
    format!("game {number} of {count}, {names}")
}

fn tell(bar: &ProgressBar, live: &str, start: u64, ply: usize, opinion: &Opinion) {
    bar.inc(1);
    let at = start + ply as u64;
    let value = if at.is_multiple_of(2) { opinion.value } else { -opinion.value };
    bar.set_message(format!("{live}: move {}, {}/{}", at / 2 + 1, pawns(value), opinion.depth));
}

/// A game with its analysis: values for White, in centipawns or moves to mate.
fn in_json(report: &GameReport) -> serde_json::Value {
    let moves = report.moves.iter().map(|judged| {
        let (cp, mate) = match Score::from(judged.white_value) {
            Score::Cp(cp) => (Some(cp), None),
            Score::Mate(moves) => (None, Some(moves)),
        };
        json!({
            "number": judged.number,
            "side": notation::side(judged.player),
            "san": judged.san,
            "cp": cp,
            "mate": mate,
            "depth": judged.depth,
            "chances_lost": judged.chances_lost,
            "accuracy": judged.accuracy,
            "mark": judged.judgement.map(Judgement::word),
            "words": judged.words(),
        })
    });
    let sides = Color::ALL.map(|side| {
        let Summary { moves, average_loss, accuracy, faults, .. } = report.summary(side);
        let [inaccuracies, mistakes, blunders] = faults;
        json!({
            "side": notation::side(side), "name": report.game.tag(notation::side(side)), "moves": moves,
            "accuracy": accuracy, "average_loss_cp": average_loss,
            "inaccuracies": inaccuracies, "mistakes": mistakes, "blunders": blunders,
        })
    });
    json!({
        "game": report.number, "result": report.game.result, "complete": report.hurried == 0,
        "faults": report.game.faults,
        "sides": sides, "moves": moves.collect::<Vec<_>>(),
    })
}

fn summary(report: &GameReport) -> String {
    let side = |color: Color| {
        let summary = report.summary(color);
        let name = report.game.tag(notation::side(color)).unwrap_or("?");
        let [inaccuracies, mistakes, blunders] = summary.faults;
        let (Some(accuracy), Some(loss)) = (summary.accuracy, summary.average_loss) else {
            return format!("{name}: no moves");
        };
        format!(
            "{name}: accuracy {accuracy:.1} %, average loss {loss:.0} cp, {inaccuracies} ?! {mistakes} ? {blunders} ??"
        )
    };
    let (white, black) = (side(Color::White), side(Color::Black));
    let hurried = if report.hurried == 0 {
        String::new()
    } else {
        let positions = counted(report.hurried as u64, "position", "positions");
        format!("; interrupted: {positions} searched only briefly")
    };
    format!("game {}: {white}; {black} ({}){hurried}", report.number, report.game.result)
}
