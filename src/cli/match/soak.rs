//! `zugwerk match --soak PLAN`: a series of matches without faults.

use std::io::Write;
use std::path::Path;
use std::time::Instant;

use anyhow::{Context, Result, ensure};
use zugwerk::halt::Halt;
use zugwerk::text;
use zugwerk::tournament::Match;
use zugwerk::tournament::players::{program::Program, spec::threads_of_a_game};
use zugwerk::tournament::soak::{LONG, SHORT, Stage, faults_of, read_plan};

use super::pgn::Pgn;
use super::plan::{complete, open_log, patience, with_command};
use super::{Args, ExitStatus, cores, halt_on_interrupt};
use crate::cli::{counted, progress, report, warn};

/// Plays the plan. Faults are printed to standard error at once; a line for every stage and the total to standard
/// output.
pub(super) fn run(args: &Args, name: &str) -> Result<ExitStatus> {
    let stages = stages(name)?;
    ensure!(args.engines.len() <= 2, "--soak: expected one engine, or two who play each other");
    let soaks = stages.iter().map(|stage| set_up(args, stage)).collect::<Result<Vec<_>>>()?;
    let (stop, interrupted) = halt_on_interrupt()?;
    let mut pgn = args.pgn.as_deref().map(Pgn::create).transpose()?;
    let log = open_log(args)?;
    let programs: Vec<Program> = soaks[0].players.iter().map(Program::of).collect();
    let (mut games, mut faults) = (0, 0);
    for (number, (stage, mut soak)) in (1..).zip(stages.iter().zip(soaks)) {
        let of = format!("stage {number}/{}", stages.len());
        programs.iter().try_for_each(Program::check)?;
        soak.log = log.clone();
        soak.pgn_detail = args.pgn_detail;
        let (played, found) = play(&soak, stage, &of, pgn.as_mut(), &stop)?;
        games += played;
        faults += found;
        if interrupted.is_set() {
            break;
        }
    }
    let games = counted(games, "game", "games");
    report(format_args!("soak: {games}, {}", counted(faults, "fault", "faults")))?;
    Ok(match faults {
        _ if interrupted.is_set() => ExitStatus::Interrupted,
        0 => ExitStatus::Positive,
        _ => ExitStatus::Negative,
    })
}

fn stages(name: &str) -> Result<Vec<Stage>> {
    let text = match name {
        "short" => SHORT.to_owned(),
        "long" => LONG.to_owned(),
        file => text::read(Path::new(file))
            .with_context(|| format!("--soak {file}: expected short, long or a file that can be read"))?,
    };
    read_plan(&text).with_context(|| format!("--soak {name}"))
}

/// Returns the match of a stage, without a log.
fn set_up(args: &Args, stage: &Stage) -> Result<Match> {
    let usual = ["cmd=self".to_owned()];
    let engines: &[String] = if args.engines.is_empty() { &usual } else { &args.engines };
    let engines: Vec<String> = engines.iter().map(|own| with_command(own)).collect();
    let mut players = stage.players(&args.each, &engines).context("--engine")?;
    complete(&mut players)?;
    Ok(stage.set_up(players, patience(args)?, cores(), args.seed))
}

/// Plays a stage, and returns the number of its games and faults.
fn play(soak: &Match, stage: &Stage, of: &str, pgn: Option<&mut Pgn>, stop: &Halt) -> Result<(u64, u64)> {
    let (cores, threads) = (cores(), threads_of_a_game(&soak.players[0], &soak.players[1]));
    if threads > cores {
        let cores = counted(cores as u64, "core", "cores");
        warn(format_args!("{of}: {threads} threads share {cores}"));
    }
    let mut standings = soak.standings();
    let mut faults = 0;
    let began = Instant::now();
    let bar = progress::bar(soak.schedule.games() as u64, "games").with_message(of.to_owned());
    let pgn = pgn.map(|pgn| pgn as &mut dyn Write);
    soak.run(&mut standings, pgn, stop, &mut |news| {
        bar.set_position(news.standings.played());
        for line in faults_of(&soak.players, news) {
            faults += 1;
            warn(format_args!("{of}, {line}"));
        }
    })?;
    for line in soak.quit_faults(&standings) {
        faults += 1;
        warn(format_args!("{of}, {line}"));
    }
    let (games, slots, seconds) = (standings.played(), soak.concurrency, began.elapsed().as_secs_f64());
    let (played, lost) = (counted(games, "game", "games"), counted(faults, "fault", "faults"));
    report(format_args!("{of}: {}: {played}, {slots} at a time, {lost}, {seconds:.0} s", stage.text))?;
    Ok((games, faults))
}
