//! Scores every legal move of a position.

use std::fmt::Write as _;

use indicatif::ProgressBar;
use serde::Serialize;
use shakmaty::{CastlingMode, Color};
use zugwerk::{
    notation::{numbered, pawns, san_line},
    position::Position,
    search::{Bound, Limits, Observer, Report, Settings},
    value::{Score, Value},
    wdl::Chances,
};

use super::{Args, DEPTH, Pov};
use crate::cli::{Finding, counted, fit, interrupt, position, progress, report, report_json, table};

/// One scored move.
#[derive(Serialize)]
struct Scored {
    uci: String,
    san: String,
    /// Centipawns or moves to mate (`cp`, `mate`), in the chosen perspective; absent without a value.
    #[serde(flatten)]
    score: Option<Score>,
    /// What the value is.
    bound: Kind,
    depth: u32,
    /// Per mille won, drawn and lost, in the chosen perspective; absent without a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    wdl: Option<[u32; 3]>,
    pv: Vec<String>,
    #[serde(skip)]
    text: String,
    #[serde(skip)]
    line: String,
}

/// What a value is, in the chosen perspective.
#[derive(Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    /// The value of a search.
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
    /// There is no value, because the search has not reached the move.
    None,
}

impl Kind {
    fn of(line: &Report, flip: bool) -> Self {
        match line.bound {
            _ if line.seldepth == 0 => Self::None,
            Bound::Exact => Self::Exact,
            Bound::Lower if !flip => Self::Lower,
            Bound::Upper if flip => Self::Lower,
            Bound::Lower | Bound::Upper => Self::Upper,
        }
    }

    /// Returns `value` as text.
    fn write(self, value: Value) -> String {
        match self {
            Self::Exact => pawns(value),
            Self::Lower => format!("≥ {}", pawns(value)),
            Self::Upper => format!("≤ {}", pawns(value)),
            Self::None => "?".to_owned(),
        }
    }
}

#[derive(Serialize)]
struct Analysis {
    fen: String,
    /// Whether castling is written king-takes-rook.
    chess960: bool,
    pov: Pov,
    nodes: u64,
    /// Whether the search was not interrupted and all values are exact.
    complete: bool,
    moves: Vec<Scored>,
}

/// Shows the best line of each iteration during the search.
struct Live<'r> {
    root: &'r Position,
    line: ProgressBar,
}

impl Observer for Live<'_> {
    fn iteration(&mut self, report: &Report) {
        if report.multi_pv == 1 && report.bound == Bound::Exact {
            let (value, line) = (pawns(report.value), numbered(self.root, &report.pv));
            let (depth, nodes) = (report.depth, counted(report.nodes, "node", "nodes"));
            self.line.set_message(format!("depth {depth}, {nodes}, {value} for the side to move: {line}"));
        }
    }
}

pub(super) fn score(args: &Args) -> anyhow::Result<Finding> {
    let root = position::position(args.fen.as_deref(), &args.what)?;
    let count = root.legal_moves().len();
    let settings =
        Settings { multi_pv: args.multipv.map_or(count, |n| n as usize).max(1), ..Settings::default() };
    let limits = args.effort.limits(Limits::depth(DEPTH));
    let mut searcher = args.effort.searcher()?;
    let stop = interrupt::stop()?;
    let mut live = Live { root: &root, line: progress::live() };
    let outcome = searcher.search(&root, &limits, &stop, &settings, &mut live);
    let pov = args.pov.unwrap_or(Pov::White);
    let flip = pov == Pov::White && root.turn() == Color::Black;
    let mode = root.castling_mode();
    let moves: Vec<Scored> =
        outcome.lines.iter().filter_map(|line| scored(&root, mode, line, flip)).collect();
    let chess960 = mode.is_chess960();
    let interrupted = stop.is_stopped();
    let complete = !interrupted && moves.iter().all(|scored| scored.bound == Kind::Exact);
    let analysis = Analysis { fen: root.fen(), chess960, pov, nodes: outcome.nodes, complete, moves };
    let finding = if interrupted { Finding::Interrupted } else { Finding::Positive };
    if args.json {
        report_json(&analysis)?;
        return Ok(finding);
    }
    let mut text = analysis.fen + "\n";
    if analysis.moves.is_empty() {
        text += if root.is_check() { "Checkmate.\n" } else { "Stalemate.\n" };
        report(&text)?;
        return Ok(finding);
    }
    let pov = if pov == Pov::White { "White" } else { "the side to move" };
    let legal = counted(count as u64, "legal move", "legal moves");
    let nodes = counted(analysis.nodes, "node", "nodes");
    let _ = writeln!(text, "{legal}, {nodes}, values for {pov}\n");
    let rows = analysis.moves.into_iter().map(|Scored { san, text, depth, wdl, line, .. }| {
        let [win, draw, loss] = wdl.map(|wdl| wdl.map(|permill| permill.to_string())).unwrap_or_default();
        [san, text, depth.to_string(), win, draw, loss, wdl.map_or_else(String::new, bar), line]
    });
    let head = ["move", "value", "depth", "win", "draw", "loss", "", "line"];
    report(&(fit(&text) + &table(head, rows, &[0, 6, 7])))?;
    Ok(finding)
}

fn scored(root: &Position, mode: CastlingMode, line: &Report, flip: bool) -> Option<Scored> {
    let &m = line.pv.first()?;
    let value = if flip { -line.value } else { line.value };
    let Chances { win, draw, loss } = Chances::from(value);
    let bound = Kind::of(line, flip);
    let pv = san_line(root, &line.pv);
    Some(Scored {
        uci: m.to_uci(mode).to_string(),
        san: pv.first()?.clone(),
        score: (bound != Kind::None).then(|| value.into()),
        bound,
        depth: if bound == Kind::None { 0 } else { line.depth },
        wdl: (bound != Kind::None).then_some([win, draw, loss]),
        pv,
        text: bound.write(value),
        line: numbered(root, &line.pv),
    })
}

/// Draws wins, draws and losses as twenty cells.
fn bar([win, draw, _]: [u32; 3]) -> String {
    let cells = |permill: u32| (permill as usize + 25) / 50;
    let (won, not_lost) = (cells(win), cells(win + draw));
    ["█".repeat(won), "▒".repeat(not_lost - won), "·".repeat(20 - not_lost)].concat()
}
