//! `zugwerk data pack`: games in PGN, with the scores of the players, as training data.

use std::{fs::File, path::PathBuf};

use anyhow::{Context as _, Result, ensure};
use shakmaty::{Color, KnownOutcome, Position as _};
use zugwerk::{
    chess::{
        pgn::{Game, Games},
        position::PackedMove,
        remarks::engine_notes,
        value::mate_in,
    },
    rules::BoardEnd,
    words::counted,
    workshop::data::{GameWriter, Header, Ply, Termination, TrainingGame, UnfitGame},
};

use super::positions_of;
use crate::cli::shared::{
    input::{InFile as _, check_each_once},
    interrupt,
    output::{Output, OutputFlags},
    print::warn,
    progress,
    status::ExitStatus,
};

/// Write a file of training data from PGN
///
/// The moves of the games need scores in comments, as OpenBench, fastchess, Cute Chess and `zugwerk match`
/// write them.
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  zugwerk data pack openbench.pgn --output games.zwd

Exit codes: 0 written, 2 bad usage or input, 130 interrupted (nothing is written).")]
pub(in crate::cli) struct Args {
    /// PGN files
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    to: OutputFlags,
}

/// Reads games.
pub(super) fn run(args: &Args) -> Result<ExitStatus> {
    interrupt::end_on_press()?;
    check_each_once(&args.files)?;
    let file = args.to.open(&args.files)?;
    let packed = pack(args, &file)?;
    ensure!(
        packed.games > 0,
        "expected games in PGN with results, and with scores in the comments of the moves; found none"
    );
    file.finish()?;
    if packed.left_out > 0 {
        let left_out = counted(packed.left_out, "game", "games");
        warn(format_args!(
            "zugwerk: {left_out} left out: without a certain result, without scores, or not readable"
        ));
    }
    packed.contradictions.count();
    let written = positions_of(packed.plies, packed.games);
    args.to.print_result(format_args!("{}: {written}", args.to.output.display()))?;
    Ok(ExitStatus::Positive)
}

/// What was written and left out.
#[derive(Default)]
struct Packed {
    games: u64,
    plies: u64,
    left_out: u64,
    contradictions: Contradictions,
}

/// Writes the games of all files.
fn pack(args: &Args, file: &Output) -> Result<Packed> {
    let cannot_write = || file.cannot_write();
    let header = Header::new("data pack");
    let mut output = GameWriter::create(&file.path(), &header).with_context(cannot_write)?;
    let mut packed = Packed::default();
    let bar = progress::bytes(&args.files);
    for path in &args.files {
        let input = File::open(path).in_file(path)?;
        for (number, game) in (1..).zip(Games::new(bar.wrap_read(input))) {
            let Ok(game) = game.in_file(path)? else {
                packed.left_out += 1;
                continue;
            };
            let (result, contradiction) = result(&game);
            if let Some(contradiction) = contradiction {
                packed.contradictions.name(&format!("{}: game {number}: {contradiction}", path.display()));
            }
            let game = match result.and_then(|result| training_game(&game, result)) {
                Some(Ok(game)) => game,
                other => {
                    if let Some(Err(unfit)) = other {
                        warn(format_args!("{}: game {number}: {unfit}; left out", path.display()));
                    }
                    packed.left_out += 1;
                    continue;
                }
            };
            output.write(&game);
            packed.games += 1;
            packed.plies += game.plies().len() as u64;
            output.end_game(packed.games).with_context(cannot_write)?;
        }
    }
    output.finish().with_context(cannot_write)?;
    Ok(packed)
}

/// The games whose result is contradicted.
#[derive(Default)]
struct Contradictions(u64);

impl Contradictions {
    const NAMED: u64 = 20;

    fn name(&mut self, line: &str) {
        self.0 += 1;
        if self.0 <= Self::NAMED {
            warn(line);
        }
    }

    fn count(&self) {
        if self.0 > 0 {
            warn(format_args!(
                "zugwerk: {} a result that is contradicted",
                counted(self.0, "game has", "games have")
            ));
        }
    }
}

/// The result of `game`, if it is certain, and what contradicts it. A position that ends the game decides. If
/// the moves end with another result than the tag, or before a move that cannot be read, nobody knows what
/// the result belongs to.
fn result(game: &Game) -> (Option<KnownOutcome>, Option<String>) {
    let written = match &*game.result {
        "1-0" => Some(KnownOutcome::Decisive { winner: Color::White }),
        "0-1" => Some(KnownOutcome::Decisive { winner: Color::Black }),
        "1/2-1/2" => Some(KnownOutcome::Draw),
        _ => None,
    };
    if let Some(cut) = &game.cut {
        return (None, Some(format!("cut at {cut}; left out")));
    }
    let end = game.positions().last().and_then(|position| position.chess().outcome().known());
    match end {
        Some(end) if written.is_some_and(|written| written != end) => (
            Some(end),
            Some(format!("the result is {}, but the last position is {end}, which counts", game.result)),
        ),
        Some(end) => (Some(end), None),
        None => match &game.ending {
            Some(ending) => (
                None,
                Some(format!("the tag Result is {}, but the moves end with {ending}; left out", game.result)),
            ),
            None => (written, None),
        },
    }
}

/// The part of `game` after the last move without a score; `None` if nothing follows.
fn training_game(game: &Game, result: KnownOutcome) -> Option<Result<TrainingGame, UnfitGame>> {
    let positions = game.positions();
    let end = positions.last().and_then(BoardEnd::of);
    let mut values = engine_notes::values(game);
    // cutechess-cli has no score of a mate that was played at once.
    if let (Some(BoardEnd::Checkmate { .. }), [.., Some(_), last @ None]) = (end, &mut values[..]) {
        *last = Some(mate_in(1));
    }
    let first = values.iter().rposition(Option::is_none).map_or(0, |last| last + 1);
    let moves = game.movetext.moves.iter().skip(first);
    let plies = moves
        .zip(&values[first..])
        .map(|(annotated, value)| Some(Ply { played: PackedMove::new(annotated.m?)?, score: (*value)? }));
    let plies = plies.collect::<Option<Vec<_>>>().filter(|plies| !plies.is_empty())?;
    // Who plays on after a threefold repetition may still win.
    let ending = end.filter(|end| end.outcome() == result).map_or(Termination::Unknown, Termination::from);
    Some(TrainingGame::new(positions.get(first)?, plies, result, ending))
}
