//! `zugwerk data text` and `pack`: positions as lines of text, and back.

use std::{
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, IsTerminal as _, Read as _, Write as _},
    iter,
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, ensure};
use indicatif::{ProgressBar, ProgressDrawTarget};
use serde_json::json;
use zugwerk::{
    data::{DataKind, Header, PositionWriter, Record, TextError},
    text::BYTE_ORDER_MARK,
};

use super::{ExitStatus, Reading, positions, read};
use crate::cli::{InFile as _, OutputFlags, counted, interrupt, progress, warn};

/// Write positions as lines `FEN | score | result | move`, with score and result for White
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  zugwerk data text training.zwd | head

Exit codes: 0 done, 1 a part of a file could not be read or is invalid (details on standard error), 2 bad usage or \
input, 130 interrupted.")]
pub(in crate::cli) struct TextArgs {
    /// Files of training data
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Write a file of positions from lines in the format of `text`, or a file of games from PGN
///
/// The moves of the games need scores in comments, as OpenBench, fastchess, Cute Chess and `zugwerk match` write them.
#[derive(clap::Args)]
#[command(after_help = "\
Examples:
  zugwerk data pack positions.txt --output positions.zwd
  zugwerk data pack openbench.pgn --output games.zwd

Exit codes: 0 written, 2 bad usage or input, 130 interrupted (nothing is written).")]
pub(in crate::cli) struct PackArgs {
    /// Text files, `-` for standard input, or else PGN files (.pgn)
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    #[command(flatten)]
    pub(super) to: OutputFlags,
}

/// The positions of a file that are invalid and cannot be written as text.
#[derive(Default)]
struct Invalid {
    count: u64,
    first: Option<TextError>,
}

impl Invalid {
    fn add(&mut self, error: TextError) {
        self.count += 1;
        self.first.get_or_insert(error);
    }

    /// Reports them, if there are any.
    fn report(self, path: &Path) -> ExitStatus {
        let Some(first) = self.first else { return ExitStatus::Positive };
        let (name, left_out) = (path.display(), counted(self.count, "invalid position", "invalid positions"));
        warn(format_args!("zugwerk: {name}: {left_out} left out; the first: {first}"));
        ExitStatus::Negative
    }
}

/// Prints lines.
pub(super) fn text(args: &TextArgs) -> Result<ExitStatus> {
    let mut out = BufWriter::new(io::stdout().lock());
    let how = Reading::of(&args.files)?;
    if io::stdout().is_terminal() {
        how.bar.set_draw_target(ProgressDrawTarget::hidden());
    }
    let mut status = ExitStatus::Positive;
    for path in &args.files {
        let mut invalid = Invalid::default();
        let readable = read([path], &how, |block| {
            for record in &block.records {
                match record.to_text() {
                    Ok(line) => writeln!(out, "{line}")?,
                    Err(error) => invalid.add(error),
                }
            }
            Ok(())
        })?;
        status = status.max(readable).max(invalid.report(path));
        if status == ExitStatus::Interrupted {
            break;
        }
    }
    out.flush()?;
    Ok(status)
}

impl PackArgs {
    /// Whether the files are games, by their names.
    ///
    /// # Errors
    ///
    /// If only some are.
    pub(super) fn are_games(&self) -> Result<bool> {
        let is_pgn = |path: &PathBuf| path.extension().is_some_and(|name| name.eq_ignore_ascii_case("pgn"));
        let games = self.files.iter().filter(|path| is_pgn(path)).count();
        ensure!(
            games == 0 || games == self.files.len(),
            "expected only PGN files (.pgn) or only text, got both"
        );
        Ok(games > 0)
    }
}

/// Reads lines.
pub(super) fn pack(args: &PackArgs) -> Result<ExitStatus> {
    interrupt::end_on_press()?;
    let header = Header::new(DataKind::Positions, "data pack");
    let file = args.to.open(&args.files)?;
    let cannot_write = || file.cannot_write();
    let mut output = PositionWriter::create(&file.path(), header).with_context(cannot_write)?;
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
        format_args!("{}: {}", args.to.output.display(), positions(count)),
        &json!({ "positions": count }),
    )?;
    Ok(ExitStatus::Positive)
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
