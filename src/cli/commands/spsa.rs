//! `zugwerk spsa`: prints the search parameters for OpenBench, or tunes them.

use std::{
    collections::BTreeMap,
    fs::File,
    io::{BufReader, Read as _},
    path::{Path, PathBuf},
    time::Instant,
};

use anyhow::{Context as _, bail, ensure};
use rand::Rng as _;
use serde::{Deserialize, Serialize};
use zugwerk::{
    arena::{
        MatchPlan, Patience,
        players::{log::Log, program::Program, spec::PlayerSpec},
        schedule::{Form, MOST_GAMES, Schedule, openings::Openings},
    },
    chess::clock::{TimeControl, hours},
    engine::search::params,
    files::Lock,
    halt::Halt,
    random::generator,
    rules::{DrawRule, Rules, WinRule},
    words::{counted, noun},
    workshop::spsa::{DEFAULT_RATE, Number, Spsa},
};

use crate::cli::shared::{
    input::InFile as _,
    interrupt::halt_on_interrupt,
    load::Load,
    openings::then_generated,
    output::{self, Force},
    players::{settle, with_command},
    print::{print_text, warn},
    progress,
    status::ExitStatus,
    ticker::Ticker,
};

const AFTER_HELP: &str = "\
Examples:
  zugwerk spsa
  cargo run --release --features tune -- spsa --iterations 2000
  cargo run --release --features tune -- spsa --iterations 2000 --tc 8+0.08

The first prints the parameters for OpenBench, the others tune all of them, with 16 games in each iteration.

Playing needs a build with `--features tune`, in which the parameters are UCI options. A run that continues from its \
state needs the flags that it was begun with.

Exit codes: 0 success; 2 bad usage or input; 130 interrupted (--state has the progress).";

/// Print the tunable parameters of the search, or tune them by SPSA in games
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(in crate::cli) struct Args {
    /// Number of iterations; without it the parameters are only printed, in OpenBench's format [default:
    /// none]
    #[arg(long, value_name = "N")]
    iterations: Option<u32>,

    /// Pairs of games in each iteration
    #[arg(long, value_name = "N", default_value_t = 8)]
    pairs: usize,

    /// Nodes for each move [default: 5000, with --tc no limit]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,

    /// A clock, as for `zugwerk match`: 8+0.08 [default: none]
    #[arg(long, value_name = "TIME")]
    tc: Option<TimeControl>,

    #[command(flatten)]
    load: Load,

    /// Only parameters whose names begin with one of these [default: all]
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    only: Vec<String>,

    /// The rate at the end of the run (R_end): a larger rate learns faster but from more noise, for runs with
    /// few games
    #[arg(long, value_name = "R", default_value_t = DEFAULT_RATE)]
    rate: f64,

    /// Seed of the perturbations
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Save the state in this file after each iteration, and continue from it if it exists; without
    /// --iterations, print the values in it [default: none]
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,

    /// Tune this engine, a list as for `zugwerk match --engine`; it must have the parameters as options
    #[arg(long, value_name = "KEY=VALUE,…", default_value = "self")]
    engine: String,
}

/// The default of `--nodes`.
const NODES: u64 = 5000;

pub(in crate::cli) fn run(args: &Args) -> anyhow::Result<ExitStatus> {
    let mut spsa = Spsa::new(numbers(args)?, args.iterations.unwrap_or(0));
    args.state.iter().try_for_each(|path| output::refuse_stdout("--state", path))?;
    if args.iterations.is_some() {
        return tune(args, spsa);
    }
    if let Some(path) = &args.state {
        SavedRun::read(path).and_then(|state| state.restore(&mut spsa)).in_file(path)?;
    }
    print(&spsa)?;
    Ok(ExitStatus::Positive)
}

/// Plays the iterations that are left.
fn tune(args: &Args, mut spsa: Spsa) -> anyhow::Result<ExitStatus> {
    let _lock = prepare(args, &mut spsa)?;
    let (stop, interrupted) = halt_on_interrupt()?;
    let quit_fault = carry_out(args, &mut spsa, &stop)?;
    quit_fault.iter().for_each(warn);
    print(&spsa)?;
    Ok(if interrupted.is_set() { ExitStatus::Interrupted } else { ExitStatus::Positive })
}

/// Checks the flags, and restores the state of a run that goes on. The lock keeps other runs from the state.
fn prepare(args: &Args, spsa: &mut Spsa) -> anyhow::Result<Option<Lock>> {
    let engine = PlayerSpec::parse("", &with_command(&args.engine)).context("--engine")?;
    ensure!(
        cfg!(feature = "tune") || engine.command != Path::new("self"),
        "playing needs a build with `--features tune`, see --help"
    );
    ensure!(args.pairs > 0, "--pairs: expected at least 1");
    ensure!(args.pairs <= MOST_GAMES / 2, "--pairs {}: expected at most {}", args.pairs, MOST_GAMES / 2);
    let Some(path) = &args.state else { return Ok(None) };
    let lock = Lock::of(path).in_file(path)?;
    if path.exists() {
        let state = SavedRun::read(path).in_file(path)?;
        state.check(&args.plan(), spsa).and_then(|()| state.restore(spsa)).in_file(path)?;
        let planned = counted(spsa.iterations.into(), "iteration", "iterations");
        let are = noun(spsa.done.into(), "is", "are");
        warn(format_args!("{}: {} of {planned} {are} done", path.display(), spsa.done));
    }
    Ok(Some(lock))
}

/// Plays and learns until all iterations are done, or interrupted. Returns the first crash of a player that
/// was asked to quit.
fn carry_out(args: &Args, spsa: &mut Spsa, stop: &Halt) -> anyhow::Result<Option<String>> {
    let (mut quit_fault, mut program, begun, plan) = (None, None, spsa.done, args.plan());
    let bar = progress::bar(spsa.iterations.into(), "iterations").with_position(spsa.done.into());
    let mut ticker = Ticker::new(&bar, None, spsa.done.into());
    while spsa.done < spsa.iterations {
        let trial = spsa.trial(&mut generator(args.seed, spsa.done.into(), 0));
        let game = game(args, spsa, [&trial.plus, &trial.minus])?;
        program.get_or_insert_with(|| Program::of(&game.players[0])).check().context("--engine")?;
        if spsa.done == begun
            && let Some(refusal) = game.try_settings(false, stop)?.refused.first()
        {
            bail!("--engine: {refusal}");
        }
        let Some(lead) = play(&game, stop, &mut quit_fault)? else { break };
        spsa.learn(&trial, lead);
        if let Some(path) = &args.state {
            SavedRun::write(spsa, &plan, path).in_file(path)?;
        }
        bar.set_position(spsa.done.into());
        let (done, planned, now) = (spsa.done.into(), spsa.iterations.into(), Instant::now());
        if let Some(ticker) = ticker.as_mut().filter(|_| done < planned)
            && ticker.is_due(done, now)
        {
            let left = hours(ticker.pace(done, planned, now).1);
            warn(format_args!("{done} of {planned} iterations are done, {left} left"));
        }
    }
    Ok(quit_fault)
}

fn numbers(args: &Args) -> anyhow::Result<Vec<Number>> {
    ensure!(args.rate > 0.0 && args.rate.is_finite(), "--rate: expected a number above 0");
    let only = &args.only;
    let names = || params::ALL.iter().map(|param| param.name);
    for start in only {
        let named = if start.is_empty() { "an empty one" } else { start };
        ensure!(
            !start.is_empty() && names().any(|name| name.starts_with(start.as_str())),
            "--only: expected names of parameters, or their beginnings, got {named}: `zugwerk spsa` lists them"
        );
    }
    let wanted = |name: &str| only.is_empty() || only.iter().any(|start| name.starts_with(start.as_str()));
    let wanted = params::ALL.iter().filter(|param| wanted(param.name));
    let number = |param: &params::Param| Number {
        r_end: args.rate,
        ..Number::over(param.name, param.default, param.min, param.max)
    };
    Ok(wanted.map(number).collect())
}

fn print(spsa: &Spsa) -> anyhow::Result<()> {
    let lines: Vec<_> = spsa.numbers.iter().map(Number::open_bench_line).collect();
    Ok(print_text(lines.join("\n"))?)
}

/// The next match between the two settings.
fn game(args: &Args, spsa: &Spsa, sides: [&[i32]; 2]) -> anyhow::Result<MatchPlan> {
    let player = |name: &str, values: &[i32]| -> anyhow::Result<PlayerSpec> {
        let limits: Vec<_> =
            args.limits().into_iter().map(|(name, value)| format!("{name}={value},")).collect();
        let each = limits.concat() + "option.Hash=8";
        let mut player = PlayerSpec::parse(&each, &with_command(&args.engine))?;
        let program = player.command.file_stem().unwrap_or_default().to_string_lossy();
        player.name = format!("{program} ({name})");
        settle(&mut player)?;
        let named = spsa.numbers.iter().zip(values);
        player.options.extend(named.map(|(number, value)| (number.name.clone(), value.to_string())));
        Ok(player)
    };
    let seed = generator(args.seed, spsa.done.into(), 1).random();
    let players = vec![player("plus", sides[0])?, player("minus", sides[1])?];
    let schedule = Schedule::new(2, Form::RoundRobin, args.pairs);
    Ok(MatchPlan {
        concurrency: args.load.games(&players, &schedule)?,
        players,
        schedule,
        openings: then_generated(Openings::built_in().shuffled(seed), seed, false, false),
        rules: Rules {
            draw: Some(DrawRule::parse("movenumber=40,movecount=8,score=10")?),
            win: Some(WinRule::parse("movecount=3,score=700")?),
            ..Rules::default()
        },
        patience: Patience::default(),
        recover: false,
        lenient: false,
        log: Log::default(),
        pgn_detail: false,
        sprt: None,
    })
}

/// Plays a match; returns the wins of the first player less its losses, or `None` if interrupted.
/// `quit_fault` gets the first crash of a player that was asked to quit, in all matches.
fn play(game: &MatchPlan, stop: &Halt, quit_fault: &mut Option<String>) -> anyhow::Result<Option<f64>> {
    let mut standings = game.standings();
    let result = game.run(&mut standings, None, stop, &mut |_| {});
    *quit_fault = quit_fault.take().or_else(|| game.quit_faults(&standings).into_iter().next());
    result?;
    let whole = standings.played() == game.schedule.games() as u64;
    let tally = &standings.pairings[0].games;
    Ok(whole.then_some(tally.wins as f64 - tally.losses as f64))
}

impl Args {
    /// The limits of thinking, as settings of players.
    fn limits(&self) -> Vec<(&'static str, String)> {
        let nodes = self.nodes.or(self.tc.is_none().then_some(NODES));
        let limits = [
            ("nodes", nodes.map(|nodes| nodes.to_string())),
            ("tc", self.tc.as_ref().map(TimeControl::to_string)),
        ];
        limits.into_iter().filter_map(|(name, value)| Some((name, value?))).collect()
    }

    /// The flags that a continued run must share with its beginning.
    fn plan(&self) -> BTreeMap<String, String> {
        let plan = [
            ("engine", self.engine.clone()),
            ("iterations", self.iterations.unwrap_or(0).to_string()),
            ("pairs", self.pairs.to_string()),
            ("only", self.only.join(",")),
            ("rate", self.rate.to_string()),
            ("seed", self.seed.to_string()),
        ];
        plan.into_iter().chain(self.limits()).map(|(name, value)| (name.to_owned(), value)).collect()
    }
}

/// The state of a run in a file.
#[derive(Serialize, Deserialize)]
struct SavedRun {
    plan: BTreeMap<String, String>,
    done: u32,
    numbers: BTreeMap<String, f64>,
}

impl SavedRun {
    fn read(path: &Path) -> anyhow::Result<Self> {
        // A state takes a few kilobytes. Reading a device might never end.
        const LONGEST: u64 = 1 << 20;
        let file = BufReader::new(File::open(path)?).take(LONGEST);
        serde_json::from_reader(file).context("not a state of spsa")
    }

    /// Writes a new file and replaces the old one by it, so that a complete one always exists.
    fn write(spsa: &Spsa, plan: &BTreeMap<String, String>, path: &Path) -> anyhow::Result<()> {
        let numbers = spsa.numbers.iter().map(|number| (number.name.clone(), number.value));
        let state = SavedRun { plan: plan.clone(), done: spsa.done, numbers: numbers.collect() };
        let text = serde_json::to_string_pretty(&state)? + "\n";
        Force::REPLACE.open(path, [])?.write(text.as_bytes())
    }

    /// Checks that the state is one of this run: of the same flags and parameters.
    fn check(&self, plan: &BTreeMap<String, String>, spsa: &Spsa) -> anyhow::Result<()> {
        for name in plan.keys().chain(self.plan.keys()) {
            let flag = |plan: &BTreeMap<String, String>| match plan.get(name) {
                Some(value) => format!("with --{name} {value}"),
                None => format!("without --{name}"),
            };
            let (then, now) = (flag(&self.plan), flag(plan));
            ensure!(then == now, "it was begun {then}, not {now}");
        }
        for Number { name, .. } in &spsa.numbers {
            ensure!(self.numbers.contains_key(name), "it was begun without the parameter {name}");
        }
        Ok(())
    }

    fn restore(&self, spsa: &mut Spsa) -> anyhow::Result<()> {
        for (name, &value) in &self.numbers {
            let Some(number) = spsa.numbers.iter_mut().find(|number| number.name == *name) else {
                // `--only` may leave out parameters of a state that is printed.
                let is_known = params::ALL.iter().any(|param| param.name == name);
                ensure!(is_known, "{name} is not a parameter to tune");
                continue;
            };
            ensure!((number.min..=number.max).contains(&value), "{name} is out of its range");
            number.value = value;
        }
        spsa.done = self.done;
        Ok(())
    }
}
