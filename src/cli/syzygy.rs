//! `zugwerk syzygy`: shows the results of the moves of a position by the endgame tables.

use std::cmp::Reverse;

use anyhow::Context as _;
use clap::ValueHint;
use serde_json::json;
use zugwerk::{
    notation,
    position::Position,
    syzygy::{
        AmbiguousWdl, Circumstances, Dtz, MaybeRounded, Probe as _, Prospect, Rank, Tables, TablesError, Wdl,
    },
};

use super::{ExitStatus, PositionFlags, report_result, table, warn};

const AFTER_HELP: &str = "\
WDL is the result of the game for the side to move: win, loss or draw; `win too late` and `loss too late` are draws by \
the fifty-move rule. DTZ is the number of plies to the next capture, pawn move or mate with best play; after `~` it may \
be one more.

Examples:
  zugwerk syzygy --syzygy tables/ --fen \"8/8/8/8/8/4k3/3p4/3K2R1 w - - 0 1\"

Exit codes: 0 the tables know the position; 1 they do not; 2 bad usage or input.";

/// Show the results of the moves of a position by Syzygy endgame tables, best first
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionFlags,

    /// Syzygy endgame tables: folders separated by ':' (on Windows ';')
    #[arg(long, value_name = "PATH", value_hint = ValueHint::DirPath)]
    syzygy: String,

    /// Print the result as JSON
    #[arg(long)]
    json: bool,
}

pub(super) fn run(args: &Args) -> anyhow::Result<ExitStatus> {
    let position = args.position.position()?;
    let mut problems = Vec::new();
    let tables = Tables::open_what_can_be(&args.syzygy, |problem| problems.push(problem));
    let Some(tables) = tables else {
        let problem = problems.into_iter().next().unwrap_or(TablesError::None(args.syzygy.clone()));
        return Err(problem).context("--syzygy");
    };
    for problem in problems {
        warn(format_args!("not used: {problem}"));
    }
    let known = moves(&tables, &position);
    for problem in tables.problems() {
        warn(problem);
    }
    let one = |(san, prospect, rank): &(String, Prospect, Rank)| {
        let dtz = prospect.dtz.map(|dtz| dtz.ignore_rounding().0);
        let rounded = matches!(prospect.dtz, Some(MaybeRounded::Rounded(_)));
        json!({ "move": san, "wdl": word(rank.result), "dtz": dtz, "dtz_is_rounded": rounded })
    };
    let moves = known.as_ref().map(|moves| moves.iter().map(one).collect::<Vec<_>>());
    let json = json!({ "fen": position.fen(), "tables": tables.to_string(), "moves": moves });
    let row = |(san, prospect, rank): &(String, Prospect, Rank)| {
        let dtz = prospect.dtz.map_or_else(|| "?".to_owned(), distance);
        [san.clone(), word(rank.result).to_owned(), dtz]
    };
    let text = match known.as_deref() {
        None => "The tables do not contain this position.".to_owned(),
        Some([]) => "There is no legal move.".to_owned(),
        Some(moves) => format!("\n{}", table(["move", "WDL", "DTZ"], moves.iter().map(row), &[0, 1])),
    };
    report_result(args.json, format_args!("{tables}\n{text}"), &json)?;
    Ok(if known.is_some() { ExitStatus::Positive } else { ExitStatus::Negative })
}

/// The moves of `position` with their results by the tables, best first; `None` if the tables do not know all.
fn moves(tables: &Tables, position: &Position) -> Option<Vec<(String, Prospect, Rank)>> {
    let circumstances = Circumstances::of(position, true);
    let known = |m| {
        let prospect = Prospect::of(tables, position, m, true)?;
        let rank = prospect.rank(circumstances);
        Some((notation::san(position, m), prospect, rank))
    };
    let moves: Option<Vec<_>> = position.legal_moves().into_iter().map(known).collect();
    let mut moves = moves?;
    let soonest = |prospect: &Prospect| prospect.dtz.map_or(0, |dtz| dtz.ignore_rounding().0);
    moves.sort_by_key(|(_, prospect, rank)| (Reverse(rank.result), soonest(prospect)));
    Some(moves)
}

fn distance(dtz: MaybeRounded<Dtz>) -> String {
    match dtz {
        MaybeRounded::Precise(Dtz(plies)) => plies.to_string(),
        MaybeRounded::Rounded(Dtz(plies)) => format!("~{plies}"),
    }
}

fn word(result: AmbiguousWdl) -> &'static str {
    match result {
        AmbiguousWdl::MaybeWin => "win, perhaps too late",
        AmbiguousWdl::MaybeLoss => "loss, perhaps too late",
        sure => match sure.after_zeroing() {
            Wdl::Win => "win",
            Wdl::CursedWin => "win too late",
            Wdl::Draw => "draw",
            Wdl::BlessedLoss => "loss too late",
            Wdl::Loss => "loss",
        },
    }
}
