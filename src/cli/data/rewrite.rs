//! `zugwerk data text`, `pack`, `merge` and `sample`: the same positions in another form or file.

use std::{
    collections::{HashSet, hash_map::RandomState},
    fs::File,
    hash::BuildHasher as _,
    io::{self, BufRead, BufReader, BufWriter, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail, ensure};
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use zugwerk::data::{
    Blocks, DataError, GameWriter, Games, Header, Kind, Record, Source, TrainingGame, Writer,
};

use super::{Filters, Finding, Reading, read, say, warn};

/// Write positions as lines `FEN | score | result | move`, with score and result for White
#[derive(clap::Args)]
pub(super) struct TextArgs {
    /// Files of training data
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    filters: Filters,
}

/// Read lines in the format of `text`
#[derive(clap::Args)]
pub(super) struct PackArgs {
    /// Text files, `-` for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(long, short, alias = "out", value_name = "FILE")]
    output: PathBuf,
}

/// Merge several files into one, in order: files of games, or files of positions
#[derive(clap::Args)]
pub(super) struct MergeArgs {
    /// Files of training data
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(long, short, alias = "out", value_name = "FILE")]
    output: PathBuf,
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
pub(super) struct SampleArgs {
    /// Files of training data
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(long, short, alias = "out", value_name = "FILE")]
    output: PathBuf,
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
    let verdict = read(&args.files, &Reading::quiet(), |block| {
        for record in block.records.iter().filter(|record| filter.admits(record)) {
            writeln!(out, "{}", record.to_text()?)?;
        }
        Ok(())
    })?;
    out.flush()?;
    Ok(verdict)
}

/// Reads lines.
pub(super) fn pack(args: &PackArgs) -> Result<Finding> {
    let header = Header::new(Kind::Positions, "data pack");
    let mut output =
        Writer::create_whole(&args.output, &header).with_context(|| cannot_create(&args.output))?;
    let mut count = 0_u64;
    for path in &args.files {
        for (line, number) in lines(path)?.zip(1_u64..) {
            let place = || format!("{} line {number}", path.display());
            let line = line.with_context(place)?;
            if !line.trim().is_empty() {
                output.write(Record::from_text(&line).with_context(place)?)?;
                count += 1;
            }
        }
    }
    output.finish().with_context(|| format!("cannot write {}", args.output.display()))?;
    say(format_args!("{}: {count} positions", args.output.display()))?;
    Ok(Finding::Positive)
}

fn lines(path: &Path) -> Result<Box<dyn Iterator<Item = io::Result<String>>>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lines()));
    }
    let file = File::open(path).with_context(|| path.display().to_string())?;
    Ok(Box::new(BufReader::new(file).lines()))
}

fn cannot_create(path: &Path) -> String {
    format!("cannot create {}", path.display())
}

/// Copies the games or positions, without duplicates if requested.
pub(super) fn merge(args: &MergeArgs) -> Result<Finding> {
    let copy = Copy { files: &args.files, output: &args.output, skip_damaged: args.skip_damaged };
    let header = |kind| Header {
        recipe: serde_json::json!({ "unique": args.unique }),
        ..Header::new(kind, "data merge")
    };
    let (mut positions, mut games, hasher) = (HashSet::new(), HashSet::new(), RandomState::new());
    copy.run(
        header,
        |record| !args.unique || positions.insert(Record::identity_of(&record.to_bytes())),
        |game| {
            let mut bytes = Vec::new();
            game.write(&mut bytes);
            !args.unique || games.insert(hasher.hash_one(bytes))
        },
    )
}

/// Copies a random sample.
pub(super) fn sample(args: &SampleArgs) -> Result<Finding> {
    ensure!((0.0..=1.0).contains(&args.share), "expected a share of 0 to 1, got {}", args.share);
    let copy = Copy { files: &args.files, output: &args.output, skip_damaged: args.skip_damaged };
    let header = |kind| Header {
        seed: Some(args.seed),
        recipe: serde_json::json!({ "share": args.share }),
        ..Header::new(kind, "data sample")
    };
    let generator = || ChaCha8Rng::seed_from_u64(args.seed);
    let (mut first, mut second) = (generator(), generator());
    copy.run(header, |_| first.random_bool(args.share), |_| second.random_bool(args.share))
}

/// The parameters of a copy.
struct Copy<'a> {
    files: &'a [PathBuf],
    output: &'a Path,
    skip_damaged: bool,
}

impl Copy<'_> {
    /// Writes the selected items of all files, which must be of the same kind.
    fn run(
        &self,
        header: impl FnOnce(Kind) -> Header,
        wants_record: impl FnMut(&Record) -> bool,
        wants_game: impl FnMut(&TrainingGame) -> bool,
    ) -> Result<Finding> {
        let (mut sources, mut kinds) = (Vec::new(), Vec::new());
        for path in self.files {
            let blocks = Blocks::open(path).with_context(|| path.display().to_string())?;
            sources.push(Source::new(path, blocks.header()));
            kinds.push(blocks.kind());
        }
        let kind = kinds[0];
        if let Some(other) = kinds.iter().position(|&other| other != kind) {
            bail!(
                "{} holds {kind}, {} {}: expected files of one kind (`data convert` makes games of positions)",
                self.files[0].display(),
                self.files[other].display(),
                kinds[other]
            );
        }
        let header = header(kind).with_sources(sources);
        match kind {
            Kind::Games => self.games(&header, wants_game),
            Kind::Positions => self.positions(&header, wants_record),
        }
    }

    fn games(&self, header: &Header, mut wants: impl FnMut(&TrainingGame) -> bool) -> Result<Finding> {
        let mut output =
            GameWriter::create_whole(self.output, header).with_context(|| cannot_create(self.output))?;
        let (mut positions, mut games) = (0, 0);
        let verdict = self.each(Games::open, |block| {
            // All pieces of a game are treated like the first.
            let mut is_wanted = true;
            for game in &block.games {
                if !game.is_continued {
                    is_wanted = wants(game);
                }
                if is_wanted {
                    output.write(game);
                    positions += game.plies().len();
                    games += 1;
                }
            }
            output.end_game(0)
        })?;
        output.finish().with_context(|| format!("cannot write {}", self.output.display()))?;
        say(format_args!("{}: {positions} positions of {games} games", self.output.display()))?;
        Ok(verdict)
    }

    fn positions(&self, header: &Header, mut wants: impl FnMut(&Record) -> bool) -> Result<Finding> {
        let mut output =
            Writer::create_whole(self.output, header).with_context(|| cannot_create(self.output))?;
        let mut positions = 0;
        let verdict = self.each(Blocks::open, |mut block| {
            block.retain(&mut wants);
            positions += block.records.len();
            output.write_block(&block)
        })?;
        output.finish().with_context(|| format!("cannot write {}", self.output.display()))?;
        say(format_args!("{}: {positions} positions", self.output.display()))?;
        Ok(verdict)
    }

    /// Passes every block to `copy`.
    fn each<B, I: Iterator<Item = Result<B, DataError>>>(
        &self,
        open: impl Fn(&Path) -> Result<I, DataError>,
        mut copy: impl FnMut(B) -> io::Result<()>,
    ) -> Result<Finding> {
        let mut verdict = Finding::Positive;
        for path in self.files {
            let name = path.display();
            for block in open(path).with_context(|| name.to_string())? {
                match block {
                    Ok(block) => {
                        copy(block).with_context(|| format!("cannot write {}", self.output.display()))?;
                    }
                    Err(damage) if self.skip_damaged && damage.is_damage() => {
                        warn(format_args!("zugwerk: {name}: {damage}"));
                        verdict = Finding::Negative;
                    }
                    Err(error) => return Err(error).context(name.to_string()),
                }
            }
        }
        Ok(verdict)
    }
}
