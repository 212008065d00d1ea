//! Converts the arguments to a match, and finds all errors in them before an engine is started.

use std::{sync::Arc, time::Duration};

use anyhow::{Context, Result, bail, ensure};
use zugwerk::{
    arena::{
        MatchPlan, Patience,
        players::{
            log::Log,
            spec::{PlayerSpec, name_all},
        },
        schedule::{Form, MOST_GAMES, Schedule},
        stats::sprt::Sprt,
    },
    chess::{
        clock::{TimeControl, Unit, duration},
        syzygy::Tables,
    },
    rules::{DrawRule, Rules, WinRule},
};

use super::{Args, opening_source::openings};
use crate::cli::shared::{
    players::{settle, with_command},
    settings::settings,
};

/// The default clock.
const DEFAULT_CLOCK: &str = "10+0.1";

/// Parses the whole match, whose log is not opened.
pub(super) fn plan(args: &Args) -> Result<MatchPlan> {
    let players = players(args)?;
    let sprt = settings("--sprt", args.sprt.as_ref(), Sprt::parse)?;
    ensure!(sprt.is_none() || players.len() == 2, "--sprt tests one player against one other");
    let games = args.games.unwrap_or(if sprt.is_some() { 20_000 } else { 100 });
    ensure!(games > 0 && games.is_multiple_of(2), "--games {games}: expected an even number above 0");
    let form = if args.gauntlet { Form::Gauntlet } else { Form::RoundRobin };
    let schedule = Schedule::new(players.len(), form, games / 2);
    ensure!(
        games <= MOST_GAMES / schedule.pairings().len(),
        "--games {games}: expected at most {MOST_GAMES} games in all pairings together"
    );
    Ok(MatchPlan {
        concurrency: args.load.games(&players, &schedule)?,
        schedule,
        players,
        openings: openings(args)?,
        rules: rules(args)?,
        patience: patience(args)?,
        recover: args.recover,
        lenient: args.lenient,
        log: Log::default(),
        pgn_detail: args.pgn_detail,
        sprt,
    })
}

fn players(args: &Args) -> Result<Vec<PlayerSpec>> {
    let player = |own: &String| {
        let own = with_command(own);
        PlayerSpec::parse(&args.each, &own).with_context(|| format!("--engine {own}"))
    };
    let mut players = args.engines.iter().map(player).collect::<Result<Vec<_>>>()?;
    ensure!(players.len() >= 2, "--engine: a match needs two players or more");
    complete(&mut players)?;
    Ok(players)
}

/// Completes the players: their programs, a clock, a name.
fn complete(players: &mut [PlayerSpec]) -> Result<()> {
    for player in &mut *players {
        settle(player)?;
        if player.limits.is_unbounded() {
            player.limits.clock = Some(DEFAULT_CLOCK.parse::<TimeControl>()?);
        }
    }
    Ok(name_all(players)?)
}

fn rules(args: &Args) -> Result<Rules> {
    ensure!(
        args.max_moves != Some(0),
        "--max-moves 0: expected at least 1, or no --max-moves for games without a limit"
    );
    let pieces = args.syzygy_pieces;
    ensure!(pieces >= 3, "--syzygy-pieces {pieces}: expected at least 3, the pieces of the smallest tables");
    let tables = args.syzygy.as_ref().map(|path| Tables::open(path));
    let tables = tables.transpose().context("--syzygy")?;
    Ok(Rules {
        win: settings("--resign", args.resign.as_ref(), WinRule::parse)?,
        draw: settings("--draw", args.draw.as_ref(), DrawRule::parse)?,
        longest: args.max_moves.map(|moves| moves.saturating_mul(2)),
        tables: tables.map(|tables| Arc::new(tables.limited_to(pieces))),
    })
}

pub(super) fn open_log(args: &Args) -> Result<Log> {
    let log =
        args.log.as_ref().map(|path| Log::to(path).with_context(|| format!("--log {}", path.display())));
    Ok(log.transpose()?.unwrap_or_default())
}

fn patience(args: &Args) -> Result<Patience> {
    let allowed = Duration::from_millis(10)..=Duration::from_secs(3600);
    match duration(&args.patience, Unit::Seconds).ok().filter(|answer| allowed.contains(answer)) {
        Some(answer) => Ok(Patience { answer, ..Patience::default() }),
        None => bail!("--patience {}: expected seconds, 0.01 to 3600", args.patience),
    }
}
