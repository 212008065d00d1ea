//! `zugwerk perft`: counts positions, and checks known counts.

use std::{path::Path, time::Instant};

use anyhow::{Context as _, bail, ensure};
use clap::ValueHint;
use serde_json::json;
use zugwerk::{
    perft,
    position::Position,
    text::{self, entries},
    uci::format::{Style, move_text},
};

use super::{ExitStatus, PositionFlags, counted, interrupt, is_there, progress, report_result};

/// Count the positions at a given depth below a position, or check a file of known counts
#[derive(clap::Args)]
#[command(override_usage = "\
zugwerk perft [OPTIONS] <DEPTH|FILE> [FEN]...
       zugwerk perft [OPTIONS] --depth <N> [--fen <FEN>]")]
#[command(after_help = "\
Examples:
  zugwerk perft 5
  zugwerk perft 4 --divide 8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1
  zugwerk perft positions/perft.epd

Exit codes: 0 success; 1 a count of the file is wrong; 2 bad usage or input; 130 interrupted (the counts so far are \
printed).")]
pub(super) struct Args {
    /// The depth, in plies; or a file of known counts, in rows `FEN ;D1 20 ;D2 400 ...`
    #[arg(value_name = "DEPTH|FILE", required_unless_present = "depth", value_hint = ValueHint::FilePath)]
    what: Option<String>,
    /// The depth, as without the flag
    #[arg(long, value_name = "N", conflicts_with = "what")]
    depth: Option<u32>,
    #[command(flatten)]
    position: PositionFlags,
    /// Show the count of every move
    #[arg(long)]
    divide: bool,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitStatus> {
    let what = args.what.as_deref().unwrap_or_default();
    if let Some(depth) = args.depth.or_else(|| what.parse().ok()) {
        return count(args, depth);
    }
    let file = Path::new(what);
    ensure!(is_there(file), "expected a depth in plies or a file of known counts, got `{what}`");
    ensure!(
        args.position.is_left_out() && !args.divide,
        "expected no position and no --divide with a file of known counts, which has positions of its own"
    );
    check_suite(args, file)
}

fn count(args: &Args, depth: u32) -> anyhow::Result<ExitStatus> {
    let mut position = args.position.position()?;
    let stop = interrupt::stop()?;
    let bar = progress::bar(position.legal_moves().len() as u64, "moves");
    let start = Instant::now();
    let mut moves = Vec::new();
    let whole = perft::divide(&mut position, depth, &|| stop.is_stopped(), |m, nodes| {
        bar.inc(1);
        moves.push((move_text(m, Style::default()), nodes));
    });
    let seconds = start.elapsed().as_secs_f64();
    let nodes = whole.unwrap_or_else(|| moves.iter().map(|(_, nodes)| nodes).sum());
    let so_far = if whole.is_some() { "" } else { ", interrupted: not all moves are counted" };
    let lines = moves.iter().filter(|_| args.divide).map(|(m, nodes)| format!("{m}: {nodes}\n"));
    let nps = nodes as f64 / seconds.max(1e-9);
    let all = counted(nodes, "node", "nodes");
    let text = lines.collect::<String>() + &format!("{all} {seconds:.3} s {nps:.0} nps{so_far}");
    let divided: serde_json::Map<_, _> = moves.into_iter().map(|(m, nodes)| (m, nodes.into())).collect();
    let json = json!({
        "fen": position.fen(), "depth": depth, "nodes": nodes, "seconds": seconds, "complete": whole.is_some(),
        "moves": args.divide.then_some(divided),
    });
    report_result(args.json, text, &json)?;
    Ok(if whole.is_some() { ExitStatus::Positive } else { ExitStatus::Interrupted })
}

/// Parses a row of a suite: a FEN, and the number of positions at some depths below it.
fn row(text: &str) -> anyhow::Result<(&str, Vec<(u32, u64)>)> {
    let mut fields = text.split(';').map(str::trim);
    let fen = fields.next().unwrap_or_default();
    let count = |field: &str| {
        let (depth, nodes) = field.split_once(char::is_whitespace)?;
        Some((depth.parse().ok()?, nodes.trim().parse().ok()?))
    };
    let counts = fields
        .filter_map(|field| field.strip_prefix('D'))
        .map(|field| count(field).with_context(|| format!("expected `D<depth> <count>`, got `D{field}`")));
    Ok((fen, counts.collect::<Result<_, _>>()?))
}

fn check_suite(args: &Args, file: &Path) -> anyhow::Result<ExitStatus> {
    let name = file.display();
    let suite = text::read(file).with_context(|| format!("{name}"))?;
    let stop = interrupt::stop()?;
    let bar = progress::bar(entries(&suite).count() as u64, "positions");
    let start = Instant::now();
    let (mut rows, mut counts, mut total) = (0, 0, 0);
    let (mut wrong, mut text) = (Vec::new(), String::new());
    for (line, entry) in entries(&suite) {
        bar.inc(1);
        let (fen, known) = row(entry).with_context(|| format!("{name}:{line}"))?;
        let mut position =
            Position::from_fen(fen).map_err(|error| anyhow::anyhow!("{name}:{line}: {error}: {fen}"))?;
        rows += 1;
        for (depth, expected) in known {
            let Some(nodes) = perft::count(&mut position, depth, &|| stop.is_stopped()) else { break };
            counts += 1;
            total += nodes;
            if nodes != expected {
                text += &format!("{name}:{line}: depth {depth}: expected {expected}, got {nodes}: {fen}\n");
                wrong.push(
                    json!({ "line": line, "fen": fen, "depth": depth, "expected": expected, "nodes": nodes }),
                );
            }
        }
    }
    let complete = !stop.is_stopped();
    if counts == 0 && complete {
        bail!("{name}: expected rows `FEN ;D1 <count> ...`, got none to check");
    }
    let seconds = start.elapsed().as_secs_f64();
    let interrupted = if complete { "" } else { ", interrupted" };
    text += &format!(
        "{}, {}, {} wrong, {}, {seconds:.1} s{interrupted}",
        counted(rows, "position", "positions"),
        counted(counts, "count", "counts"),
        wrong.len(),
        counted(total, "node", "nodes")
    );
    let json = json!({
        "file": name.to_string(), "positions": rows, "counts": counts, "wrong": wrong, "nodes": total,
        "seconds": seconds, "complete": complete,
    });
    report_result(args.json, text, &json)?;
    Ok(match (complete, wrong.is_empty()) {
        (_, false) => ExitStatus::Negative,
        (false, true) => ExitStatus::Interrupted,
        (true, true) => ExitStatus::Positive,
    })
}
