//! `zugwerk book`: shows opening books and makes them from games.

use std::{fs::File, path::PathBuf};

use anyhow::{Result, ensure};
use clap::Subcommand;
use zugwerk::{
    book::{Book, Maker},
    game::Games,
    notation,
};

use super::{
    ExitStatus, Force, InFile as _, PositionFlags, counted, interrupt, output, progress, report, table, warn,
};

/// Show and make opening books in the Polyglot format
#[derive(Subcommand)]
#[command(after_help = "\
Examples:
  zugwerk book show book.bin
  zugwerk book make book.bin games.pgn

Exit codes: 0 success, 1 the book does not know the position, 2 bad usage or input.")]
pub(super) enum Command {
    Show(Show),
    Make(Make),
}

/// Show the moves of a book for a position
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  zugwerk book show book.bin --fen \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"

Exit codes: 0 the book knows the position, 1 it does not, 2 bad usage or no book.")]
pub(super) struct Show {
    /// The book file
    file: PathBuf,
    #[command(flatten)]
    position: PositionFlags,
}

/// Make a book from games
///
/// The weight of a move is the points its players scored with it: two for a win, one for a draw or a game without a result
/// (`*`).
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  zugwerk book make book.bin games.pgn --plies 16 --min-games 3

Exit codes: 0 made, 2 bad usage or input, 130 interrupted (nothing is written).")]
pub(super) struct Make {
    /// The book to write, or `-` for standard output
    file: PathBuf,
    #[command(flatten)]
    force: Force,
    /// Files of games in PGN
    #[arg(value_name = "FILE", required = true)]
    games: Vec<PathBuf>,
    /// Use only the first plies of each game
    #[arg(long, value_name = "N", default_value_t = 20, value_parser = clap::value_parser!(u16).range(1..))]
    plies: u16,
    /// Leave out moves played in fewer games
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..))]
    min_games: u64,
}

pub(super) fn run(command: &Command) -> Result<ExitStatus> {
    match command {
        Command::Show(args) => show(args),
        Command::Make(args) => make(args),
    }
}

fn show(args: &Show) -> Result<ExitStatus> {
    let position = args.position.position()?;
    let book = Book::read(&args.file).in_file(&args.file)?;
    let moves = book.moves(&position);
    let total: u64 = moves.iter().map(|&(_, weight)| u64::from(weight)).sum();
    let rows = moves.iter().map(|&(m, weight)| {
        let share = 100.0 * f64::from(weight) / total.max(1) as f64;
        [notation::san(&position, m), weight.to_string(), format!("{share:.1} %")]
    });
    let (text, status) = match moves[..] {
        [] => ("The book has no moves for this position.".to_owned(), ExitStatus::Negative),
        _ => (format!("\n{}", table(["move", "weight", "share"], rows, &[0])), ExitStatus::Positive),
    };
    report(format_args!("{}\n{text}", size(&book)))?;
    Ok(status)
}

/// The size of a book in words.
fn size(book: &Book) -> String {
    let moves = counted(book.len() as u64, "move", "moves");
    format!("{moves} of {}", counted(book.positions() as u64, "position", "positions"))
}

fn make(args: &Make) -> Result<ExitStatus> {
    interrupt::end_on_press()?;
    let output = args.force.open(&args.file, &args.games)?;
    let mut maker = Maker::new(args.plies.into());
    let (mut read, mut broken) = (0_u64, 0_u64);
    let bar = progress::bytes(&args.games);
    for path in &args.games {
        let file = File::open(path).in_file(path)?;
        for (number, game) in (1..).zip(Games::new(bar.wrap_read(file))) {
            match game.in_file(path)? {
                Ok(game) => {
                    read += 1;
                    for fault in &game.faults {
                        warn(format_args!("{}, game {number}: {fault}", path.display()));
                    }
                    maker.add(&game);
                }
                Err(error) => {
                    warn(format_args!("skipped: {}, {error}", path.display()));
                    broken += 1;
                }
            }
        }
    }
    ensure!(broken == 0 || read > 0, "expected games in PGN that can be read, found none");
    ensure!(read > 0, "expected games in PGN, found none");
    let book = maker.book(args.min_games);
    ensure!(
        !book.is_empty(),
        "expected a move played in {} or more, got none",
        counted(args.min_games, "game", "games")
    );
    output.write(&book.to_bytes())?;
    let passed = if broken > 0 { format!(", {broken} skipped") } else { String::new() };
    let games = counted(read, "game", "games");
    let text = format_args!("{} from {games}{passed}", size(&book));
    output::tell([&*args.file], text)?;
    Ok(ExitStatus::Positive)
}
