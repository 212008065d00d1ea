//! `zugwerk epd`: runs test suites.

use std::{
    path::{Path, PathBuf},
    time::{Duration, Instant},
};

use anyhow::Context as _;
use serde::Serialize;
use zugwerk::{
    chess::{
        epd::{self, EpdRecord},
        notation::san,
        position::fen_flaws,
        text::{self, entries},
        value::Score,
    },
    engine::{
        eval::Standard,
        search::{Bound, Limits, Observer, Report, Searcher, Settings, Stop},
    },
    words::counted,
};

use crate::cli::shared::{
    effort::{self, EffortFlags},
    input::check_each_once,
    interrupt,
    print::{report_result, warn},
    progress,
    status::ExitStatus,
    table::{fit, table},
};

/// The default number of nodes for each position.
const NODES: u64 = 200_000;

/// Run test suites of EPD records
///
/// A position is solved if the move found is one of its best moves (`bm`), is not one of those to avoid
/// (`am`), and mates in exactly as many moves as `dm` says, as far as the record has these operations. Points
/// (`c9` or `c0` "Nf3=10, …") are added up separately. The hash table is cleared before every position.
/// Invalid records are reported with file and line and skipped.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  zugwerk epd wac.epd sts.epd --nodes 200000 --require 250

Without --depth, --nodes and --movetime each position is searched with 200,000 nodes.

Exit codes: 0 done, 1 fewer solved than --require, 2 bad usage or input (no record could be read), 130 interrupted (the \
result covers the positions so far).")]
pub(in crate::cli) struct Args {
    /// Files of EPD records
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    effort: EffortFlags,
    /// Exit with 1 unless at least this many positions are solved [default: 0]
    #[arg(long, value_name = "N")]
    require: Option<usize>,
    /// List every position
    #[arg(short, long)]
    verbose: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

/// The result of one position.
#[derive(Serialize)]
struct Attempt {
    line: usize,
    id: String,
    fen: String,
    /// Whether it asks for a move or a mate.
    judged: bool,
    solved: bool,
    points: u32,
    most_points: u32,
    played: String,
    value: String,
    nodes: u64,
    seconds: f64,
    /// The time after which the solution was found and kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    solved_after: Option<f64>,
}

#[derive(Serialize)]
struct Suite {
    file: String,
    solved: usize,
    total: usize,
    points: u64,
    most_points: u64,
    skipped: usize,
    nodes: u64,
    seconds: f64,
    /// `None` if nothing is solved.
    mean_seconds_to_solution: Option<f64>,
    positions: Vec<Attempt>,
}

pub(in crate::cli) fn run(args: &Args) -> anyhow::Result<ExitStatus> {
    let limits = args.effort.limits(Limits::nodes(NODES));
    check_each_once(&args.files)?;
    // All before the first search, which may take hours.
    let files: Vec<_> = args.files.iter().map(|path| read(path)).collect::<Result<_, _>>()?;
    let mut searcher = args.effort.searcher()?;
    let stop = interrupt::stop()?;
    let mut suites = Vec::new();
    for file in files {
        suites.push(run_file(file, &limits, &mut searcher, &stop));
        if stop.is_stopped() {
            break;
        }
    }
    let solved: usize = suites.iter().map(|suite| suite.solved).sum();
    let mut text = String::new();
    if args.verbose {
        let attempts = suites.iter().flat_map(|suite| &suite.positions);
        let head = ["  position", "move", "value", "points", "time"];
        text += &(table(head, attempts.map(describe_attempt), &[0, 1]) + "\n");
    }
    let mut lines: Vec<String> = suites.iter().map(describe_suite).collect();
    if suites.len() > 1 {
        let total: usize = suites.iter().map(|suite| suite.total).sum();
        lines.push(format!("all: {solved} of {total} solved ({})", effort::describe(&limits)));
    }
    report_result(args.json, text + &fit(&lines.join("\n")), &suites)?;
    Ok(match args.require {
        _ if stop.is_stopped() => ExitStatus::Interrupted,
        Some(least) if solved < least => ExitStatus::Negative,
        _ => ExitStatus::Positive,
    })
}

/// A suite that is read and not yet searched.
struct File<'a> {
    path: &'a Path,
    /// The records with their line numbers.
    records: Vec<(usize, EpdRecord)>,
    /// The number of lines skipped.
    skipped: usize,
}

/// Runs the suite, or the part of it that is done when `stop` is raised.
fn run_file(file: File<'_>, limits: &Limits, searcher: &mut Searcher<Standard>, stop: &Stop) -> Suite {
    let File { path, records, skipped } = file;
    let progress = progress::bar(records.len() as u64, "positions");
    let mut positions: Vec<Attempt> = Vec::with_capacity(records.len());
    for (line, record) in records {
        let attempt = solve(line, &record, limits, searcher, stop);
        if stop.is_stopped() {
            break;
        }
        positions.push(attempt);
        let solved = positions.iter().filter(|attempt| attempt.solved).count();
        progress.set_message(format!("{solved} solved"));
        progress.inc(1);
    }
    let times: Vec<f64> = positions.iter().filter_map(|attempt| attempt.solved_after).collect();
    Suite {
        file: path.display().to_string(),
        solved: positions.iter().filter(|attempt| attempt.solved).count(),
        total: positions.iter().filter(|attempt| attempt.judged).count(),
        points: positions.iter().map(|attempt| u64::from(attempt.points)).sum(),
        most_points: positions.iter().map(|attempt| u64::from(attempt.most_points)).sum(),
        skipped,
        nodes: positions.iter().map(|attempt| attempt.nodes).sum(),
        // Not `sum`, which is -0.0 without any.
        seconds: positions.iter().fold(0.0, |sum, attempt| sum + attempt.seconds),
        mean_seconds_to_solution: (!times.is_empty()).then(|| times.iter().sum::<f64>() / times.len() as f64),
        positions,
    }
}

/// Reads the suite in the file at `path`.
fn read(path: &Path) -> anyhow::Result<File<'_>> {
    const NAMED: usize = 20;
    let text = text::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let (mut records, mut refused, mut skipped) = (Vec::new(), Vec::new(), 0);
    for (line, record) in entries(&text) {
        match EpdRecord::parse(record) {
            Ok(record) => records.push((line, record)),
            Err(error) => {
                skipped += 1;
                if skipped <= NAMED {
                    refused.push(format!("{}:{line}: {error}", path.display()));
                }
            }
        }
    }
    if records.is_empty() {
        let first = refused.first().map_or_else(String::new, |first| format!("; the first line: {first}"));
        anyhow::bail!("expected EPD records, found none in {}{first}", path.display());
    }
    for line in refused {
        warn(format_args!("{line}; skipped"));
    }
    let flawed = entries(&text).filter_map(|(line, record)| {
        let flaws = fen_flaws(&epd::fen(record).ok()?);
        (!flaws.is_empty())
            .then(|| format!("{}:{line}: the position has {}", path.display(), flaws.join(", ")))
    });
    flawed.take(NAMED).for_each(warn);
    if skipped > NAMED {
        let more = counted((skipped - NAMED) as u64, "more line", "more lines");
        warn(format_args!("{}: {more} skipped", path.display()));
    }
    Ok(File { path, records, skipped })
}

fn solve(
    line: usize,
    record: &EpdRecord,
    limits: &Limits,
    searcher: &mut Searcher<Standard>,
    stop: &Stop,
) -> Attempt {
    searcher.clear();
    // Prepared here, outside of the measured time. Fewer threads were reported when the searcher was made.
    let _ = searcher.prepare(stop);
    // A mate of the required length ends the search, because nothing better can be found.
    let mate = record.mate.and_then(|moves| u32::try_from(moves).ok()).filter(|&moves| moves > 0);
    let limits = Limits { mate, ..limits.clone() };
    let start = Instant::now();
    let mut watch = Watch { record, solved_after: None };
    let outcome = searcher.search(&record.position, &limits, stop, &Settings::default(), &mut watch);
    let seconds = start.elapsed().as_secs_f64();
    let score = Score::from(outcome.value());
    let solved = outcome
        .best
        .map_or_else(|| record.mate == Some(0) && score == Score::Mate(0), |m| is_solved(record, m, score));
    let points =
        |m| record.points.iter().find(|&&(pointed, _)| pointed == m).map_or(0, |&(_, points)| points);
    Attempt {
        line,
        id: if record.id.is_empty() { format!("line {line}") } else { record.id.clone() },
        fen: record.position.fen(),
        judged: is_judged(record),
        solved,
        points: outcome.best.map_or(0, points),
        most_points: record.points.iter().map(|&(_, points)| points).max().unwrap_or(0),
        played: outcome.best.map_or_else(|| "none".into(), |m| san(&record.position, m)),
        value: outcome.lines.first().map_or_else(String::new, Report::pawns),
        nodes: outcome.nodes,
        seconds,
        solved_after: watch.solved_after.filter(|_| solved).map(|time| time.as_secs_f64()),
    }
}

fn is_judged(record: &EpdRecord) -> bool {
    !record.best.is_empty() || !record.avoid.is_empty() || record.mate.is_some()
}

fn is_solved(record: &EpdRecord, m: shakmaty::Move, score: Score) -> bool {
    is_judged(record)
        && (record.best.is_empty() || record.best.contains(&m))
        && !record.avoid.contains(&m)
        && record.mate.is_none_or(|moves| score == Score::Mate(moves))
}

/// Records when the solution was found and kept.
struct Watch<'r> {
    record: &'r EpdRecord,
    solved_after: Option<Duration>,
}

impl Observer for Watch<'_> {
    fn iteration(&mut self, report: &Report) {
        if report.bound != Bound::Exact {
            return;
        }
        let solved = report.pv.first().is_some_and(|&m| is_solved(self.record, m, report.score()));
        self.solved_after = solved.then(|| self.solved_after.unwrap_or(report.time));
    }
}

/// A row of the table of positions.
fn describe_attempt(attempt: &Attempt) -> [String; 5] {
    let sign = if attempt.solved { "+" } else { "-" };
    let time = attempt.solved_after.map_or_else(|| "-".into(), |time| format!("{time:.3} s"));
    let points = if attempt.most_points > 0 {
        format!("{}/{}", attempt.points, attempt.most_points)
    } else {
        String::new()
    };
    [format!("{sign} {}", attempt.id), attempt.played.clone(), attempt.value.clone(), points, time]
}

fn describe_suite(suite: &Suite) -> String {
    let percent = 100.0 * suite.solved as f64 / suite.total.max(1) as f64;
    let mut text = format!("{}: {} of {} solved ({percent:.1} %)", suite.file, suite.solved, suite.total);
    if suite.most_points > 0 {
        let percent = 100.0 * suite.points as f64 / suite.most_points as f64;
        let most = counted(suite.most_points, "point", "points");
        text += &format!(", {} of {most} ({percent:.1} %)", suite.points);
    }
    if suite.skipped > 0 {
        text += &format!(", {} skipped", suite.skipped);
    }
    if let Some(seconds) = suite.mean_seconds_to_solution {
        text += &format!(", {seconds:.3} s to the solution on average");
    }
    text + &format!("; {}, {:.1} s", counted(suite.nodes, "node", "nodes"), suite.seconds)
}
