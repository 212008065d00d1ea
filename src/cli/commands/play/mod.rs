//! `zugwerk play`: a game against the engine, or between any two players.

mod live_game;
mod opponent;
mod person;
mod screen;

use std::path::PathBuf;

use anyhow::{bail, ensure};
use clap::ValueEnum;
use live_game::{LiveGame, append_to};
use opponent::{Opponent, Spec};
use rand::Rng as _;
use shakmaty::{ByColor, Color};
use zugwerk::{
    arena::{schedule::openings::Openings, stats::elo::Trinomial},
    chess::position::Position,
    engine::search::Stop,
    random::generator,
    rules::BoardEnd,
};

use crate::cli::shared::{
    interrupt,
    openings::then_generated,
    output,
    position::PositionFlags,
    print::{print_text, warn},
    progress,
    status::ExitStatus,
    table::fit,
};

/// Play against the engine, or let two players play each other
///
/// Moves are written in SAN (`Nf3`) or UCI (`g1f3`); `help` lists the other commands. Level 1 moves at
/// random, levels 2 to 6 are the textbook players, and levels 7 to 12 are the engine, from 1800 Elo up to a
/// million nodes a move. A larger number is an Elo rating: 1300 is Zugwerk limited to 1300 Elo. With --white
/// and --black any two players can be chosen: human, random, material, greedy, minimax:N, alpha-beta:N,
/// negamax:N, deepening:N, memo:N, prototype:N, search:DEPTH, nodes:N, elo:POINTS.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  zugwerk play --level 8 --colour black --pgn games.pgn
  zugwerk play --level 1500
  zugwerk play --white greedy --black random --games 200

Games between two programs begin with built-in openings, unless a position is given; a single game begins \
with the starting position. Every opening is played twice in a row, with colours reversed; between equal players once.

Exit codes: 0 done (also after Ctrl-C or Ctrl-D in a game with a person, with the game saved), 2 bad usage or input, or \
a game that cannot be saved (it is printed, and no other is played), 130 interrupted (games between programs: those that \
are over are counted, and all are in the PGN file).")]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    position: PositionFlags,
    /// The strength of the opponent: level 1 to 12, or Elo points
    #[arg(long, default_value = "8", value_name = "LEVEL|ELO", value_parser = Spec::of_level)]
    level: Spec,
    /// Your colour
    #[arg(long, alias = "color", value_enum, default_value_t = Side::White)]
    colour: Side,
    /// Who plays White, instead of --level and --colour [default: human]
    #[arg(long, value_name = "PLAYER", conflicts_with_all = ["level", "colour"])]
    white: Option<Spec>,
    /// Who plays Black, instead of --level and --colour [default: human]
    #[arg(long, value_name = "PLAYER", conflicts_with_all = ["level", "colour"])]
    black: Option<Spec>,
    /// Append the game to this file when it ends for any reason [default: print it]
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Draw the board with letters and without colours
    #[arg(long)]
    plain: bool,
    /// Number of games between programs; colours change after each
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=100_000))]
    games: u32,
    /// Seed of the players, of random colours and of the order of the openings [default: random]
    #[arg(long, value_name = "N")]
    seed: Option<u64>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Side {
    White,
    Black,
    Random,
}

pub(in crate::cli) fn run(args: &Args) -> anyhow::Result<ExitStatus> {
    let start = args.position.position()?;
    if let Some(end) = BoardEnd::of(&start) {
        bail!("expected a game that is not over, got {} ({})", start.fen(), end.name());
    }
    if let Some(path) = &args.pgn {
        output::refuse_stdout("--pgn", path)?;
    }
    let seed = args.seed.unwrap_or_else(rand::random);
    let players = players(args, seed);
    let with_person = players.white == Spec::Human || players.black == Spec::Human;
    ensure!(!with_person || args.games == 1, "expected --games only with two programs, got a person");
    let has_openings = args.games > 1 && args.position.is_left_out();
    let openings =
        has_openings.then(|| then_generated(Openings::built_in().shuffled(seed), seed, false, false));
    if let Some(path) = &args.pgn {
        // Fail now rather than after the game, but after all that may be refused, because it creates the
        // file.
        append_to(path)?;
    }
    if with_person {
        person::play(args, &start, players, seed)?;
        return Ok(ExitStatus::Positive);
    }
    meet(args, &start, openings.as_ref(), players, seed)
}

fn players(args: &Args, seed: u64) -> ByColor<Spec> {
    let is_person_white = match args.colour {
        Side::White => true,
        Side::Black => false,
        Side::Random => seed.is_multiple_of(2),
    };
    let (white, black) = match (args.white, args.black) {
        (None, None) if is_person_white => (None, Some(args.level)),
        (None, None) => (Some(args.level), None),
        given => given,
    };
    ByColor { white: white.unwrap_or(Spec::Human), black: black.unwrap_or(Spec::Human) }
}

/// Plays `--games` games between two programs, which change colours after each.
fn meet(
    args: &Args,
    start: &Position,
    openings: Option<&Openings>,
    players: ByColor<Spec>,
    seed: u64,
) -> anyhow::Result<ExitStatus> {
    // With equal players, reversed colours would repeat the game.
    let legs = if players.white == players.black { 1 } else { 2 };
    if openings.is_none() {
        warn_of_repetition(args, legs, players);
    }
    let stop = interrupt::stop()?;
    let (mut tally, mut kept) = (Trinomial::default(), Ok(()));
    let progress = progress::bar(args.games.into(), "games");
    for number in 0..args.games {
        let swapped = number % 2 == 1;
        let seats = if swapped { players.into_swapped() } else { players };
        let round = (number / legs) as usize;
        let start = match openings {
            Some(openings) => openings.of_round(round)?.line.position().clone(),
            None => start.clone(),
        };
        let mut game = LiveGame::new(start, &seats);
        game.number(number + 1);
        play_out(&mut game, programs(&seats, seed, number.into()), &stop);
        kept = save_or_print(args, &mut game);
        // Without an ending it was interrupted.
        let Some((result, _)) = game.ending() else { break };
        tally.note(match (result, swapped) {
            ("1/2-1/2", _) => 1,
            ("1-0", false) | ("0-1", true) => 2,
            _ => 0,
        });
        progress.set_message(tally.to_string());
        progress.inc(1);
        if kept.is_err() {
            break;
        }
    }
    let (played, points, complete) = (tally.games(), tally.points(), tally.games() == u64::from(args.games));
    let [first, second] = [players.white.name(), players.black.name()];
    let percent = 100.0 * points / played.max(1) as f64;
    let text = format!("{first} against {second}: {points} of {played} ({percent:.1} %), {tally}");
    print_text(fit(&text))?;
    kept?;
    Ok(if complete { ExitStatus::Positive } else { ExitStatus::Interrupted })
}

/// Saves a game between programs in the file of `--pgn`; without one, a single game is printed. A game that
/// cannot be saved is printed too.
fn save_or_print(args: &Args, game: &mut LiveGame) -> anyhow::Result<()> {
    let saved = args.pgn.as_ref().map_or(Ok(()), |path| game.save(path));
    if saved.is_err() || (args.pgn.is_none() && args.games == 1) {
        return saved.and(print_text(game.pgn()).map_err(anyhow::Error::from));
    }
    saved
}

/// Says from when on the games repeat, if they do: each is played `legs` times from one position, by players
/// without chance.
fn warn_of_repetition(args: &Args, legs: u32, players: ByColor<Spec>) {
    let by_chance = players.white.is_random() || players.black.is_random();
    if args.games > legs && !by_chance {
        warn(format_args!(
            "zugwerk: the games repeat after game {legs}: all begin with one position, and neither player chooses at \
             random"
        ));
    }
}

/// The programs of `seats`, with empty memory, for game `number` of a run with `seed`.
fn programs(seats: &ByColor<Spec>, seed: u64, number: u64) -> ByColor<Option<Opponent>> {
    let seed = |color: Color| generator(seed, number, color as u8).random();
    ByColor::new_with(|color| seats.get(color).player(seed(color)))
}

/// Plays `game` between `programs` to its end, or until `stop` is raised.
fn play_out(game: &mut LiveGame, mut programs: ByColor<Option<Opponent>>, stop: &Stop) {
    while game.ending().is_none() && !stop.is_stopped() {
        let mover = programs.get_mut(game.position.turn());
        match mover.as_mut().and_then(|player| player.choose(&game.position, stop)) {
            // What a stopped search has found is no move of the game.
            _ if stop.is_stopped() => {}
            Some(m) => game.play(m),
            None => game.end("1/2-1/2", "no move"),
        }
    }
}
