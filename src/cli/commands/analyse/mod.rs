//! `zugwerk analyse`: scores all moves of a position, or annotates games.

mod games;
mod input;
mod json;
mod moves;
mod outputs;
mod players;

use std::{
    ffi::OsString,
    path::{Path, PathBuf},
};

use crate::cli::shared::{
    effort::EffortFlags,
    input::{STDIN, check_each_once, is_there},
    output::{self, Force},
    status::ExitStatus,
};

/// The default depth for a position, in plies.
const DEPTH: u32 = 10;
/// The default number of nodes for each position of a game.
const NODES: u64 = 100_000;

/// Score every legal move of a position, or annotate the games of a PGN file
///
/// With a FEN (or nothing: the starting position) the legal moves are listed, best first. Each has its value,
/// depth, the chances of winning, drawing and losing in per mille, and the expected line; values and chances
/// are for White. With files of games every move gets an evaluation, bad moves get a sign and a better line,
/// and each side gets an accuracy. -o writes the annotated games, --html a report to step through. What
/// cannot be read is reported and kept. Each game is written as soon as it is finished; Ctrl-C finishes the
/// current game quickly and ends.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  zugwerk analyse --fen '3k4/6R1/8/4R3/8/8/8/7K w - - 0 1' --depth 6
  zugwerk analyse games.pgn --html report.html
  zugwerk analyse games.pgn -o annotated.pgn --html report.html --nodes 50000
  zugwerk analyse games.pgn --html report.html --player 'Carlsen, Magnus'
  zugwerk analyse games.pgn more.pgn --json --effort deep --concurrency 4

Without --depth, --nodes, --movetime and --effort a position is searched 10 plies deep, and each position of a game with 100,000 \
nodes.

Exit codes: 0 done, 2 bad usage or input (no game could be read), 130 interrupted (finished games are written; with \
--force the old file is kept, and a folder beside it has the games).")]
pub(in crate::cli) struct Args {
    /// A FEN, quoted or not, `startpos`, or files of games (`-` for standard input)
    #[arg(value_name = "FEN|FILE", num_args = 0.., conflicts_with = "fen")]
    what: Vec<OsString>,
    /// The position: a FEN, or `startpos` [default: the starting position]
    #[arg(long)]
    fen: Option<String>,
    /// Score only this many of the best moves [default: all]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=256))]
    multipv: Option<u32>,
    /// Print the result as JSON: for games the analysis of every move, one object a line as each game is
    /// finished
    #[arg(long)]
    json: bool,
    /// Write values into the annotated games for programs, as `[%eval 0.35]`, or for people, as `+0.35/12`
    /// with the depth
    #[arg(long, value_enum, default_value = "eval", value_name = "FORM")]
    values: ValuesFlag,
    /// Analyse so many games at once; the output is the same
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=256))]
    concurrency: u32,
    /// The file for the annotated games, or `-` for standard output, the default without --html and --json
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// The file for a report as a web page, or `-` for standard output; with a `%`, which stands for the
    /// number of a game, one page a game [default: none]
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    /// The player whose statistics the report of several games has, in whichever spelling of upper and lower
    /// case [default: the only one who is in every game]
    #[arg(long, value_name = "NAME", requires = "html")]
    player: Option<String>,
    #[command(flatten)]
    force: Force,
    #[command(flatten)]
    effort: EffortFlags,
}

/// How the annotated games have the values.
#[derive(Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
enum ValuesFlag {
    Eval,
    Text,
}

pub(in crate::cli) fn run(args: &Args) -> anyhow::Result<ExitStatus> {
    if let Some(first) = args.what.first()
        && !is_there(Path::new(first))
        && let Some(how) = how_to_download(&first.to_string_lossy())
    {
        anyhow::bail!("expected a FEN or files of games, got an address: {how}, then give that file");
    }
    if are_games(&args.what) {
        let paths: Vec<PathBuf> = args.what.iter().map(PathBuf::from).collect();
        anyhow::ensure!(
            args.multipv.is_none(),
            "expected --multipv with a position only, got games: {}",
            in_words(&args.what).join(" ")
        );
        check_each_once(&paths)?;
        args.html.iter().try_for_each(|path| output::check_ending(path, &["html", "htm"]))?;
        args.player.iter().try_for_each(|name| players::check(name, &paths))?;
        return games::annotate(args, &paths);
    }
    if let Some(folder) = args.what.first().map(Path::new).filter(|path| path.is_dir()) {
        anyhow::bail!("expected a FEN or files of games, got the folder {}", folder.display());
    }
    anyhow::ensure!(
        args.output.is_none()
            && args.html.is_none()
            && args.player.is_none()
            && !args.force.is_given()
            && args.concurrency == 1
            && args.values == ValuesFlag::Eval,
        "expected --output, --html, --player, --force, --values and --concurrency with games only, got a position"
    );
    moves::score(args)
}

/// Whether `words` name files of games: the first is `-`, or the name of a file, or has an extension.
fn are_games(words: &[OsString]) -> bool {
    let Some(word) = words.first() else { return false };
    let path = Path::new(word);
    let has_ending = path.extension().is_some() && !word.to_string_lossy().contains(' ');
    word == STDIN || has_ending && !path.is_dir() || is_there(path)
}

/// How to get the PGN of a game if `word` is an address.
fn how_to_download(word: &str) -> Option<&'static str> {
    let bare = word.trim_start_matches("https://").trim_start_matches("http://").trim_start_matches("www.");
    if bare.starts_with("lichess.org/") {
        Some("download its PGN (in the menu Share & export)")
    } else if bare.starts_with("chess.com/") {
        Some("download its PGN (the button Share, then PGN)")
    } else {
        (bare.len() < word.len()).then_some("download it in a browser")
    }
}

fn in_words(arguments: &[OsString]) -> Vec<String> {
    arguments.iter().map(|word| word.to_string_lossy().into_owned()).collect()
}
