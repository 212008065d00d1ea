//! `zugwerk play`: a game against the engine, or between any two players.

mod opponent;
mod person;
mod screen;
mod table;

use std::{
    fs,
    io::{self, Write as _},
    path::PathBuf,
};

use clap::ValueEnum;
use shakmaty::{ByColor, Color};
use zugwerk::{clock::TimeControl, position::Position};

use super::{Finding, position::PositionFlags, progress};
use opponent::Spec;
use table::Table;

/// Play against the engine, or let two players play each other
///
/// Moves are written in SAN (`Nf3`) or UCI (`g1f3`); `help` lists the other commands. Level 1 moves at random, levels 2
/// to 6 are the textbook players, and levels 7 to 12 are the engine, from 1800 Elo up to a million nodes a move. A
/// larger number is an Elo rating: 1300 is Zugwerk limited to 1300 Elo. With --white and --black any two players can be
/// chosen: human, random, material, greedy, minimax:N, alpha-beta:N, negamax:N, deepening:N, memo:N, prototype:N,
/// search:DEPTH, nodes:N, elo:POINTS.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  zugwerk play --level 8 --colour black --tc 10:00+5 --pgn games.pgn
  zugwerk play --level 1500
  zugwerk play --white greedy --black random --games 200

Exit codes: 0 done (also after Ctrl-C or Ctrl-D, with the game saved), 2 bad usage or input.")]
pub(super) struct Args {
    #[command(flatten)]
    position: PositionFlags,
    /// The strength of the opponent: level 1 to 12, or Elo points
    #[arg(long, default_value = "8", value_name = "LEVEL|ELO", value_parser = Spec::of_level)]
    level: Spec,
    /// Your colour
    #[arg(long, alias = "color", value_enum, default_value_t = Side::White)]
    colour: Side,
    /// Who plays White (instead of --level and --colour)
    #[arg(long, value_name = "PLAYER")]
    white: Option<Spec>,
    /// Who plays Black (instead of --level and --colour)
    #[arg(long, value_name = "PLAYER")]
    black: Option<Spec>,
    /// Clocks for both sides: [MOVES/]SECONDS[+SECONDS], such as 5:00+3 or 40/60+0.6
    #[arg(long, value_name = "TIME")]
    tc: Option<TimeControl>,
    /// Append the game to this file when it ends for any reason
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Draw the board with letters and without colours
    #[arg(long)]
    plain: bool,
    /// Number of games between programs; colours change after each
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,
    /// Seed of the players and of random colours [default: from the clock]
    #[arg(long)]
    seed: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Side {
    White,
    Black,
    Random,
}

pub(super) fn run(args: &Args) -> anyhow::Result<Finding> {
    let start = args.position.position()?;
    anyhow::ensure!(
        !start.legal_moves().is_empty(),
        "expected a position with legal moves, got {}",
        start.fen()
    );
    if let Some(path) = &args.pgn {
        // Fail now rather than after the game.
        fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(path)
            .map_err(|error| anyhow::anyhow!("cannot write {}: {error}", path.display()))?;
    }
    let seed = args.seed.unwrap_or_else(rand::random);
    let players = players(args, seed);
    if players.white == Spec::Human || players.black == Spec::Human {
        person::play(args, &start, players, seed)?;
    } else {
        meet(args, &start, players, seed)?;
    }
    Ok(Finding::Positive)
}

fn players(args: &Args, seed: u64) -> ByColor<Spec> {
    let opponent = args.level;
    match (args.white, args.black) {
        (None, None) => {
            let white = match args.colour {
                Side::White => true,
                Side::Black => false,
                Side::Random => seed.is_multiple_of(2),
            };
            if white {
                ByColor { white: Spec::Human, black: opponent }
            } else {
                ByColor { white: opponent, black: Spec::Human }
            }
        }
        (white, black) => {
            ByColor { white: white.unwrap_or(Spec::Human), black: black.unwrap_or(Spec::Human) }
        }
    }
}

/// Plays `--games` games between two programs; the first one is White in odd games.
fn meet(args: &Args, start: &Position, players: ByColor<Spec>, seed: u64) -> anyhow::Result<()> {
    let mut tally = [0_u32; 3];
    let progress = progress::bar(args.games.into(), "games");
    for number in 0..args.games {
        let swapped = number % 2 == 1;
        let seats = if swapped { ByColor { white: players.black, black: players.white } } else { players };
        let table = game(args, start, &seats, seed.wrapping_add(u64::from(number) * 2));
        if let Some(path) = &args.pgn {
            table.save(path)?;
        } else if args.games == 1 {
            write!(io::stdout(), "{}", table.pgn())?;
        }
        let (result, _) = table.ending().unwrap_or(("1/2-1/2", ""));
        let outcome = match (result, swapped) {
            ("1/2-1/2", _) => 1,
            ("1-0", false) | ("0-1", true) => 0,
            _ => 2,
        };
        tally[outcome] += 1;
        progress.set_message(format!("+{} ={} -{}", tally[0], tally[1], tally[2]));
        progress.inc(1);
    }
    progress.finish_and_clear();
    let [wins, draws, losses] = tally;
    let points = f64::from(wins) + f64::from(draws) / 2.0;
    writeln!(
        io::stdout(),
        "{} against {}: {points} of {} ({:.1} %), +{wins} ={draws} -{losses}",
        players.white.name(),
        players.black.name(),
        args.games,
        100.0 * points / f64::from(args.games)
    )?;
    Ok(())
}

fn game(args: &Args, start: &Position, seats: &ByColor<Spec>, seed: u64) -> Table {
    let mut table = Table::new(start.clone(), seats, args.tc);
    let (mut white, mut black) = (seats.white.player(seed), seats.black.player(seed.wrapping_add(1)));
    while table.ending().is_none() {
        let mover = match table.position.turn() {
            Color::White => &mut white,
            Color::Black => &mut black,
        };
        let clocks = table.clocks();
        match mover.as_mut().and_then(|player| player.choose(&table.position, clocks)) {
            Some(m) => table.play(m),
            None => table.end("1/2-1/2", "no move"),
        }
    }
    table
}
