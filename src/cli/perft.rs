//! `zugwerk perft`: counts positions, and checks known counts.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context as _, bail};
use serde_json::json;
use zugwerk::{
    perft,
    position::Position,
    uci::format::{Style, move_text},
};

use super::Finding;

/// Count the positions at a given depth below a position
#[derive(clap::Args)]
pub(super) struct Args {
    /// The depth, in plies
    #[arg(required_unless_present = "suite", conflicts_with = "suite")]
    depth: Option<u32>,
    /// The position [default: the starting position]
    #[arg(long, conflicts_with = "suite")]
    fen: Option<String>,
    /// Show the count of every move
    #[arg(long, conflicts_with = "suite")]
    divide: bool,
    /// Print JSON
    #[arg(long, conflicts_with = "suite")]
    json: bool,
    /// Check a file of known counts, in rows `FEN ;D1 20 ;D2 400 ...`; exit code 1 if a count is wrong
    #[arg(long, value_name = "FILE")]
    suite: Option<PathBuf>,
    /// Skip larger counts of the suite
    #[arg(long, value_name = "N", requires = "suite", default_value_t = u64::MAX, hide_default_value = true)]
    max_nodes: u64,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Finding> {
    match (&args.suite, args.depth) {
        (Some(file), _) => check_suite(file, args.max_nodes),
        (None, depth) => count(args, depth.unwrap_or(1)),
    }
}

fn count(args: &Args, depth: u32) -> anyhow::Result<Finding> {
    let mut position = super::position::position(args.fen.as_deref())?;
    let mut out = io::stdout().lock();
    let start = Instant::now();
    let mut moves = Vec::new();
    let nodes =
        perft::divide(&mut position, depth, &|| false, |m, nodes| moves.push((m, nodes))).unwrap_or(0);
    let seconds = start.elapsed().as_secs_f64();
    if args.json {
        let moves: serde_json::Map<_, _> =
            moves.iter().map(|&(m, nodes)| (move_text(m, Style::default()), nodes.into())).collect();
        let (fen, moves) = (position.fen(), args.divide.then_some(moves));
        let counted =
            json!({ "fen": fen, "depth": depth, "nodes": nodes, "seconds": seconds, "moves": moves });
        writeln!(out, "{counted:#}")?;
        return Ok(Finding::Positive);
    }
    if args.divide {
        for (m, nodes) in moves {
            writeln!(out, "{}: {nodes}", move_text(m, Style::default()))?;
        }
    }
    writeln!(out, "{nodes} nodes {seconds:.3} s {:.0} nps", nodes as f64 / seconds.max(1e-9))?;
    Ok(Finding::Positive)
}

/// A row of a suite: a position, and the number of positions at some depths below it.
struct Row<'t> {
    fen: &'t str,
    counts: Vec<(u32, u64)>,
}

impl<'t> Row<'t> {
    fn parse(text: &'t str) -> anyhow::Result<Self> {
        let mut fields = text.split(';').map(str::trim);
        let fen = fields.next().unwrap_or_default();
        let counts =
            fields.filter_map(|field| field.strip_prefix('D')).map(count_field).collect::<Result<_, _>>()?;
        Ok(Self { fen, counts })
    }
}

/// Parses the text after `D`: `3 8902`.
fn count_field(field: &str) -> anyhow::Result<(u32, u64)> {
    let read = || {
        let (depth, nodes) = field.split_once(char::is_whitespace)?;
        Some((depth.parse().ok()?, nodes.trim().parse().ok()?))
    };
    read().with_context(|| format!("expected `D<depth> <count>`, got `D{field}`"))
}

fn check_suite(file: &Path, max_nodes: u64) -> anyhow::Result<Finding> {
    let name = file.display();
    let text = fs::read_to_string(file).with_context(|| format!("{name}"))?;
    let mut out = io::stdout().lock();
    let start = Instant::now();
    let (mut rows, mut counts, mut wrong, mut total) = (0, 0, 0, 0);
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let row = Row::parse(line).with_context(|| format!("{name}:{number}"))?;
        let mut position = Position::from_fen(row.fen)
            .map_err(|error| anyhow::anyhow!("{name}:{number}: {error}: {}", row.fen))?;
        rows += 1;
        for (depth, expected) in row.counts.into_iter().filter(|&(_, nodes)| nodes <= max_nodes) {
            let nodes = perft::count(&mut position, depth, &|| false).unwrap_or(0);
            counts += 1;
            total += nodes;
            if nodes != expected {
                wrong += 1;
                writeln!(
                    out,
                    "{name}:{number}: depth {depth}: expected {expected}, got {nodes}: {}",
                    row.fen
                )?;
            }
        }
    }
    if counts == 0 {
        bail!("{name}: expected rows `FEN ;D1 <count> ...`, got none to check");
    }
    let seconds = start.elapsed().as_secs_f64();
    writeln!(out, "{rows} positions, {counts} counts, {wrong} wrong, {total} nodes, {seconds:.1} s")?;
    Ok(if wrong == 0 { Finding::Positive } else { Finding::Negative })
}
