//! `zugwerk spsa`: the search's numbers, for OpenBench to tune or to be tuned right here.

use std::{
    fs,
    io::{self, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, bail, ensure};
use rand::{SeedableRng as _, rngs::StdRng};
use zugwerk::{
    search::params,
    stats::spsa::{DEFAULT_RATE, Number, Spsa},
    tournament::{
        Patience,
        adjudication::{DrawRule, ResignRule, Rules},
        log::Log,
        openings::{Openings, Order},
        runner::Match,
        schedule::{Form, Schedule},
        spec::PlayerSpec,
        stop::Stop,
    },
};

use super::{Verdict, tourney::stop_on_interrupt};

const AFTER_HELP: &str = "\
Examples:
  zugwerk spsa                                                    the numbers, one line each, for OpenBench
  cargo run --release --features tune -- spsa --iterations 2000   tune all of them, 16 games an iteration

Playing needs a build with `--features tune`, in which the numbers are UCI options.

Exit codes: 0 all went well; 2 bad usage or input; 130 interrupted (--state holds what was reached).";

/// Print the search's tunable numbers, or tune them by simultaneous perturbation (SPSA) in games at fixed nodes
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    /// Play so many iterations; without it the numbers are only printed, in OpenBench's format
    #[arg(long, value_name = "N")]
    iterations: Option<u32>,

    /// Pairs of games an iteration
    #[arg(long, value_name = "N", default_value_t = 8)]
    pairs: usize,

    /// Nodes a move
    #[arg(long, value_name = "N", default_value_t = 5000)]
    nodes: u64,

    /// Games at the same time
    #[arg(long, value_name = "N", default_value_t = 1)]
    concurrency: usize,

    /// Only the numbers whose names begin with one of these
    #[arg(long, value_name = "NAME,…", value_delimiter = ',')]
    only: Vec<String>,

    /// The rate at the end of the run (R_end): larger learns sooner and from more noise, for runs of few games
    #[arg(long, value_name = "R", default_value_t = DEFAULT_RATE)]
    rate: f64,

    /// Seed of the perturbations
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,

    /// Keep the state in this file after each iteration, and go on from it if it exists
    #[arg(long, value_name = "FILE")]
    state: Option<PathBuf>,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Verdict> {
    let mut spsa = Spsa::new(numbers(args)?, args.iterations.unwrap_or(0));
    if let Some(path) = args.state.as_deref().filter(|path| path.exists()) {
        restore(&mut spsa, path).with_context(|| path.display().to_string())?;
    }
    if args.iterations.is_none() {
        return print(&spsa);
    }
    ensure!(cfg!(feature = "tune"), "playing needs a build with `--features tune`, see --help");
    ensure!(args.pairs > 0 && args.concurrency > 0, "--pairs, --concurrency: expected at least 1");
    let stop = Stop::default();
    let interrupted = stop_on_interrupt(&stop)?;
    while spsa.done < spsa.iterations {
        let mut rng = StdRng::seed_from_u64(args.seed.wrapping_add(spsa.done.into()));
        let trial = spsa.trial(&mut rng);
        let Some(lead) = play(args, &spsa, [&trial.plus, &trial.minus], &stop)? else { break };
        spsa.learn(&trial, lead);
        if let Some(path) = &args.state {
            fs::write(path, state(&spsa)).with_context(|| path.display().to_string())?;
        }
        eprint!("\r{} of {} iterations", spsa.done, spsa.iterations);
    }
    eprintln!();
    print(&spsa)?;
    Ok(if interrupted.is_set() { Verdict::Interrupted } else { Verdict::Positive })
}

fn numbers(args: &Args) -> anyhow::Result<Vec<Number>> {
    ensure!(args.rate > 0.0, "--rate: expected a positive number");
    let only = &args.only;
    let wanted = |name: &str| only.is_empty() || only.iter().any(|start| name.starts_with(start.as_str()));
    let numbers: Vec<_> = params::ALL
        .iter()
        .filter(|param| wanted(param.name))
        .map(|param| Number {
            r_end: args.rate,
            ..Number::over(param.name, param.default, param.min, param.max)
        })
        .collect();
    ensure!(!numbers.is_empty(), "--only: no number is called so");
    Ok(numbers)
}

fn print(spsa: &Spsa) -> anyhow::Result<Verdict> {
    let mut out = io::stdout().lock();
    for number in &spsa.numbers {
        writeln!(out, "{}", number.open_bench_line())?;
    }
    Ok(Verdict::Positive)
}

/// Lets the two settings play; the first one's wins less its losses, or `None` if the match was interrupted.
fn play(args: &Args, spsa: &Spsa, sides: [&[i32]; 2], stop: &Stop) -> anyhow::Result<Option<f64>> {
    let player = |name: &str, values: &[i32]| -> anyhow::Result<PlayerSpec> {
        let own = format!("cmd=self,name={name},nodes={},option.Hash=8", args.nodes);
        let mut player = PlayerSpec::parse("", &own)?;
        player.command = std::env::current_exe().context("cannot find this program")?;
        let named = spsa.numbers.iter().zip(values);
        player.options.extend(named.map(|(number, value)| (number.name.clone(), value.to_string())));
        Ok(player)
    };
    let seed = args.seed.wrapping_add(spsa.done.into());
    let game = Match {
        event: "spsa".to_owned(),
        players: vec![player("plus", sides[0])?, player("minus", sides[1])?],
        schedule: Schedule::new(2, Form::RoundRobin, args.pairs),
        openings: Openings::built_in().ordered(Order::Random(seed), 0),
        rules: Rules {
            draw: Some(DrawRule::parse("movenumber=40,movecount=8,score=10")?),
            resign: Some(ResignRule::parse("movecount=3,score=700")?),
            ..Rules::default()
        },
        patience: Patience::default(),
        recover: false,
        log: Log::default(),
        concurrency: args.concurrency,
        sprt: None,
    };
    let mut standings = game.standings();
    game.run(&mut standings, None, stop, &mut |_| ())?;
    let whole = standings.played() == game.schedule.games() as u64;
    let tally = &standings.pairings[0].games;
    Ok(whole.then_some(tally.wins as f64 - tally.losses as f64))
}

/// The state as text: iterations done, then a line `name value` for each number.
fn state(spsa: &Spsa) -> String {
    let numbers = spsa.numbers.iter().map(|number| format!("{} {}\n", number.name, number.value));
    format!("{}\n{}", spsa.done, numbers.collect::<String>())
}

fn restore(spsa: &mut Spsa, path: &Path) -> anyhow::Result<()> {
    let text = fs::read_to_string(path)?;
    let mut lines = text.lines();
    spsa.done = lines.next().unwrap_or_default().parse().context("expected the iterations done, first")?;
    for line in lines {
        let (name, value) = line.split_once(' ').context("expected `name value`")?;
        let value: f64 = value.parse().with_context(|| format!("expected a number for {name}"))?;
        let Some(number) = spsa.numbers.iter_mut().find(|number| number.name == name) else {
            bail!("{name} is none of the numbers to tune");
        };
        ensure!((number.min..=number.max).contains(&value), "{name} is out of its range");
        number.value = value;
    }
    Ok(())
}
