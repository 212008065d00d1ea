//! Scores every legal move of a position.

use indicatif::ProgressBar;
use serde::Serialize;
use shakmaty::{CastlingMode, Color, Position as _};
use zugwerk::{
    chess::{
        notation::{numbered, pawns, san_line},
        position::Position,
        value::Score,
    },
    engine::{
        search::{Bound, Limits, Observer, Report, Settings},
        wdl::{self, Chances},
    },
    words::counted,
};

use super::{Args, DEPTH, in_words};
use crate::cli::shared::{
    interrupt, position,
    print::report_result,
    progress,
    status::ExitStatus,
    table::{fit, table},
};

/// One scored move.
#[derive(Serialize)]
struct Scored {
    uci: String,
    san: String,
    /// Centipawns or moves to mate (`cp`, `mate`), for White; absent without a value.
    #[serde(flatten)]
    score: Option<Score>,
    /// What the value is, for White: `exact`, a `lower` or an `upper` bound, or `none` where the search has
    /// not reached the move.
    bound: &'static str,
    depth: u32,
    /// Per mille won, drawn and lost, for White; absent without a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    wdl: Option<[u32; 3]>,
    pv: Vec<String>,
    #[serde(skip)]
    text: String,
    #[serde(skip)]
    line: String,
}

#[derive(Serialize)]
struct Analysis {
    fen: String,
    /// Whether castling is written king-takes-rook.
    chess960: bool,
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

pub(super) fn score(args: &Args) -> anyhow::Result<ExitStatus> {
    let root = position::position(args.fen.as_deref(), &in_words(&args.what))?;
    let count = root.legal_moves().len();
    let settings =
        Settings { multi_pv: args.multipv.map_or(count, |n| n as usize).max(1), ..Settings::default() };
    let limits = args.effort.limits(Limits::depth(DEPTH));
    let mut searcher = args.effort.searcher()?;
    let stop = interrupt::stop()?;
    let mut live = Live { root: &root, line: progress::live() };
    let outcome = searcher.search(&root, &limits, &stop, &settings, &mut live);
    let flip = root.turn() == Color::Black;
    let mode = root.castling_mode();
    let moves: Vec<Scored> =
        outcome.lines.iter().filter_map(|line| scored(&root, mode, line, flip)).collect();
    let chess960 = mode.is_chess960();
    let interrupted = stop.is_stopped();
    let complete = !interrupted && moves.iter().all(|scored| scored.bound == "exact");
    let analysis = Analysis { fen: root.fen(), chess960, nodes: outcome.nodes, complete, moves };
    let legal = counted(count as u64, "legal move", "legal moves");
    let nodes = counted(analysis.nodes, "node", "nodes");
    let rows = analysis.moves.iter().map(|Scored { san, text, depth, wdl, line, .. }| {
        let [win, draw, loss] = wdl.map(|wdl| wdl.map(|permill| permill.to_string())).unwrap_or_default();
        let bar = wdl.map_or_else(String::new, bar);
        [san.clone(), text.clone(), depth.to_string(), win, draw, loss, bar, line.clone()]
    });
    let head = ["move", "value", "depth", "win", "draw", "loss", "", "line"];
    let fen = &analysis.fen;
    let text = match count {
        0 if root.is_check() => format!("{fen}\nCheckmate."),
        0 => format!("{fen}\nStalemate."),
        _ => fit(&format!("{fen}\n{legal}, {nodes}, values for White\n\n")) + &table(head, rows, &[0, 6, 7]),
    };
    report_result(args.json, text, &analysis)?;
    Ok(if interrupted { ExitStatus::Interrupted } else { ExitStatus::Positive })
}

fn scored(root: &Position, mode: CastlingMode, line: &Report, flip: bool) -> Option<Scored> {
    let &m = line.pv.first()?;
    let (value, bound) = if flip { (-line.value, line.bound.flipped()) } else { (line.value, line.bound) };
    let Chances { win, draw, loss } = line.chances(wdl::material(root.chess().board()));
    let [win, loss] = if flip { [loss, win] } else { [win, loss] };
    let is_reached = line.seldepth > 0;
    let text = if is_reached { format!("{}{}", bound.sign(), pawns(value)) } else { "?".to_owned() };
    let bound = match bound {
        _ if !is_reached => "none",
        Bound::Exact => "exact",
        Bound::Lower => "lower",
        Bound::Upper => "upper",
    };
    let pv = san_line(root, &line.pv);
    Some(Scored {
        uci: m.to_uci(mode).to_string(),
        san: pv.first()?.clone(),
        score: is_reached.then(|| value.into()),
        bound,
        depth: if is_reached { line.depth } else { 0 },
        wdl: is_reached.then_some([win, draw, loss]),
        pv,
        text,
        line: numbered(root, &line.pv),
    })
}

/// Draws wins, draws and losses as twenty cells.
fn bar([win, draw, _]: [u32; 3]) -> String {
    let cells = |permill: u32| (permill as usize + 25) / 50;
    let (won, not_lost) = (cells(win), cells(win + draw));
    ["█".repeat(won), "▒".repeat(not_lost - won), "·".repeat(20 - not_lost)].concat()
}
