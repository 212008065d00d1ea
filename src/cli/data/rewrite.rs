//! `zugwerk data text`, `pack`, `merge` and `sample`: the same positions in another form or file.

use std::{
    collections::{HashSet, hash_map::RandomState},
    fs::File,
    hash::BuildHasher as _,
    io::{self, BufRead, BufReader, BufWriter, IsTerminal as _, Read as _, Write as _},
    iter,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail, ensure};
use indicatif::{ProgressBar, ProgressDrawTarget};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde_json::json;
use zugwerk::{
    data::{Blocks, DataError, GameWriter, Games, Header, Kind, Record, Source, TrainingGame, Writer},
    text::BYTE_ORDER_MARK,
};

use super::{Filters, Finding, Invalid, Reading, positions_of, read, read_with};
use crate::cli::{InFile as _, OutputFlags, interrupt, progress};

/// Write positions as lines `FEN | score | result | move`, with score and result for White
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  zugwerk data text training.zwd | head

Exit codes: 0 done, 1 a part of a file could not be read or is invalid (details on standard error), 2 bad usage or
input, 130 interrupted.")]
pub(in crate::cli) struct TextArgs {
    /// Files of training data
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    filters: Filters,
}

/// Write a file of positions from lines in the format of `text`
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  zugwerk data pack positions.txt --output positions.zwd

Exit codes: 0 written, 2 bad usage or input, 130 interrupted (nothing is written).")]
pub(in crate::cli) struct PackArgs {
    /// Text files, `-` for standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    to: OutputFlags,
}

/// Merge several files into one, in order: files of games, or files of positions
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  zugwerk data merge first.zwd second.zwd --output all.zwd --unique

Exit codes: 0 written, 1 damaged blocks were skipped, 2 bad usage or input, 130 interrupted (nothing is written).")]
pub(in crate::cli) struct MergeArgs {
    /// Files of training data
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    to: OutputFlags,
    /// Keep only the first of equal games or positions; takes up to 18 bytes of memory for each game, 50 for each
    /// position
    #[arg(long)]
    unique: bool,
    /// Skip damaged blocks and exit with 1, instead of failing
    #[arg(long)]
    skip_damaged: bool,
}

/// Write a random sample of files: whole games, or positions
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  zugwerk data sample games.zwd --share 0.1 --output tenth.zwd

Exit codes: 0 written, 1 damaged blocks were skipped, 2 bad usage or input, 130 interrupted (nothing is written).")]
pub(in crate::cli) struct SampleArgs {
    /// Files of training data
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    #[command(flatten)]
    to: OutputFlags,
    /// The probability of each game or position
    #[arg(long)]
    share: f64,
    /// Seed of the sample
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Skip damaged blocks and exit with 1, instead of failing
    #[arg(long)]
    skip_damaged: bool,
}

/// Prints lines.
pub(super) fn text(args: &TextArgs) -> Result<Finding> {
    let filter = args.filters.filter();
    let mut out = BufWriter::new(io::stdout().lock());
    let how = Reading::of(&args.files)?;
    if io::stdout().is_terminal() {
        how.bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let mut verdict = Finding::Positive;
    for path in &args.files {
        let mut invalid = Invalid::default();
        let readable = read([path], &how, |_, block| {
            for record in block.records.iter().filter(|record| filter.admits(record)) {
                match record.to_text() {
                    Ok(line) => writeln!(out, "{line}")?,
                    Err(error) => invalid.add(error),
                }
            }
            Ok(())
        })?;
        verdict = verdict.max(readable).max(invalid.report(path));
        if verdict == Finding::Interrupted {
            break;
        }
    }
    out.flush()?;
    Ok(verdict)
}

/// Reads lines.
pub(super) fn pack(args: &PackArgs) -> Result<Finding> {
    interrupt::end_on_press()?;
    let header = Header::new(Kind::Positions, "data pack");
    let file = args.to.open(&args.files)?;
    let cannot_write = || file.cannot_write();
    let mut output = Writer::create(&file.path(), &header).with_context(cannot_write)?;
    let mut count = 0_u64;
    let bar = progress::bytes(&args.files);
    for path in &args.files {
        for (line, number) in lines(path, &bar)?.zip(1_u64..) {
            let place = || format!("{} line {number}", path.display());
            let line = line.with_context(place)?;
            // Joined files have such a mark within.
            let line = line.trim_start_matches(BYTE_ORDER_MARK);
            if !line.trim().is_empty() {
                let record = Record::from_text(line).with_context(place)?;
                output.write(record).with_context(cannot_write)?;
                count += 1;
            }
        }
    }
    output.finish().with_context(cannot_write)?;
    file.finish()?;
    args.to.tell(
        format_args!("{}: {}", args.to.output.display(), super::positions(count)),
        &json!({ "positions": count }),
    )?;
    Ok(Finding::Positive)
}

/// The lines of a text file, with their ends. A line longer than any record comes in pieces, because a device may never end
/// its line.
fn lines(path: &Path, bar: &ProgressBar) -> Result<impl Iterator<Item = io::Result<String>>> {
    const LONGEST: u64 = 1 << 12;
    let mut input: Box<dyn BufRead> = if path == Path::new("-") {
        Box::new(io::stdin().lock())
    } else {
        let file = File::open(path).in_file(path)?;
        Box::new(BufReader::new(bar.wrap_read(file)))
    };
    Ok(iter::from_fn(move || {
        let mut line = String::new();
        let length = (&mut input).take(LONGEST).read_line(&mut line);
        length.map(|length| (length > 0).then_some(line)).transpose()
    }))
}

/// Copies the games or positions, without duplicates if requested.
pub(super) fn merge(args: &MergeArgs) -> Result<Finding> {
    let header =
        |kind| Header { recipe: json!({ "unique": args.unique }), ..Header::new(kind, "data merge") };
    let (mut positions, mut games, hasher) = (HashSet::new(), HashSet::new(), RandomState::new());
    copy(
        &args.files,
        &args.to,
        args.skip_damaged,
        header,
        |record| !args.unique || positions.insert(Record::identity_of(&record.to_bytes())),
        |game| {
            let mut bytes = Vec::new();
            game.iter().for_each(|piece| piece.write(&mut bytes));
            !args.unique || games.insert(hasher.hash_one(bytes))
        },
    )
}

/// Copies a random sample.
pub(super) fn sample(args: &SampleArgs) -> Result<Finding> {
    ensure!((0.0..=1.0).contains(&args.share), "expected a share of 0 to 1, got {}", args.share);
    let header = |kind| Header {
        seed: Some(args.seed),
        recipe: json!({ "share": args.share }),
        ..Header::new(kind, "data sample")
    };
    let generator = || ChaCha8Rng::seed_from_u64(args.seed);
    let (mut first, mut second) = (generator(), generator());
    copy(
        &args.files,
        &args.to,
        args.skip_damaged,
        header,
        |_| first.random_bool(args.share),
        |_| second.random_bool(args.share),
    )
}

/// Writes the selected items of `files`, which must be of the same kind, to the output of `to`. A game is selected by all
/// its pieces.
fn copy(
    files: &[PathBuf],
    to: &OutputFlags,
    skip_damaged: bool,
    header: impl FnOnce(Kind) -> Header,
    mut wants_record: impl FnMut(&Record) -> bool,
    mut wants_game: impl FnMut(&[TrainingGame]) -> bool,
) -> Result<Finding> {
    let file = to.open(files)?;
    let how = Reading::of(files)?;
    let (kind, sources) = contents(files)?;
    let header = header(kind).with_sources(sources);
    let passes = |error: &DataError| skip_damaged && error.is_damage();
    let cannot_write = || file.cannot_write();
    let (mut positions, mut games) = (0, 0);
    let verdict = match kind {
        Kind::Games => {
            let mut output = GameWriter::create(&file.path(), &header).with_context(cannot_write)?;
            let verdict = read_with(Games::open, Games::position, files, &how, passes, |_, block| {
                let whole_games = block.games.chunk_by(|_, next| next.is_continued);
                for piece in whole_games.filter(|pieces| wants_game(pieces)).flatten() {
                    output.write(piece);
                    positions += piece.plies().len() as u64;
                    games += u64::from(!piece.is_continued);
                }
                output.end_game(0).with_context(cannot_write)
            })?;
            output.finish().with_context(cannot_write)?;
            verdict
        }
        Kind::Positions => {
            let mut output = Writer::create(&file.path(), &header).with_context(cannot_write)?;
            let verdict = read_with(Blocks::open, Blocks::position, files, &how, passes, |_, mut block| {
                block.retain(&mut wants_record);
                positions += block.records.len() as u64;
                output.write_block(&block).with_context(cannot_write)
            })?;
            output.finish().with_context(cannot_write)?;
            verdict
        }
    };
    if verdict == Finding::Interrupted {
        return Ok(verdict);
    }
    file.finish()?;
    let text = format_args!("{}: {}", to.output.display(), positions_of(positions, games));
    let games = (kind == Kind::Games).then_some(games);
    to.tell(text, &json!({ "positions": positions, "games": games }))?;
    Ok(verdict)
}

/// The kind of `files`, which must be the same for all, and what a header says about them.
fn contents(files: &[PathBuf]) -> Result<(Kind, Vec<Source>)> {
    let (mut sources, mut kinds) = (Vec::new(), Vec::new());
    for path in files {
        let blocks = Blocks::open_repeatedly(path).in_file(path)?;
        sources.push(Source::new(path, blocks.header()));
        kinds.push(blocks.kind());
    }
    let kind = kinds[0];
    if let Some(other) = kinds.iter().position(|&other| other != kind) {
        bail!(
            "{} holds {kind}, {} {}: expected files of one kind (`data shuffle` takes both and writes positions)",
            files[0].display(),
            files[other].display(),
            kinds[other]
        );
    }
    Ok((kind, sources))
}
