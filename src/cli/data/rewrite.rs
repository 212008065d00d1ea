//! `zugwerk data text`, `pack`, `shuffle` and `merge`: the same positions in another form or order.

use std::{
    collections::HashSet,
    fs::File,
    io::{self, BufRead, BufReader, BufWriter, Write as _},
    path::{Path, PathBuf},
};

use anyhow::{Context as _, Result, bail};
use rand::{SeedableRng as _, rngs::StdRng, seq::SliceRandom as _};
use zugwerk::data::{Block, Filter, Record, Writer};

use super::{Filters, Verdict, read};

/// Write positions as lines `FEN | score | result | move`, score and result from White's view
#[derive(clap::Args)]
pub(super) struct TextArgs {
    /// Files of training data
    #[arg(required = true)]
    files: Vec<PathBuf>,
    #[command(flatten)]
    filters: Filters,
}

/// Read lines as `text` writes them
#[derive(clap::Args)]
pub(super) struct PackArgs {
    /// Text files, `-` for standard input
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
}

/// Put positions in random order; all are in memory at once, 32 bytes each
#[derive(clap::Args)]
pub(super) struct ShuffleArgs {
    /// Files of training data
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// The same seed gives the same order
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    #[command(flatten)]
    filters: Filters,
}

/// Write several files into one, in their order
#[derive(clap::Args)]
pub(super) struct MergeArgs {
    /// Files of training data
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// The file to write
    #[arg(long, short, value_name = "FILE")]
    output: PathBuf,
    /// Keep only the first of equal positions; takes up to 18 bytes of memory for each
    #[arg(long)]
    unique: bool,
    #[command(flatten)]
    filters: Filters,
}

/// Prints lines.
pub(super) fn text(args: &TextArgs) -> Result<Verdict> {
    let filter = args.filters.filter();
    let mut out = BufWriter::new(io::stdout().lock());
    let verdict = read(&args.files, |block| {
        for record in block.records.iter().filter(|record| filter.admits(record)) {
            writeln!(out, "{}", record.to_text()?)?;
        }
        Ok(())
    })?;
    out.flush()?;
    Ok(verdict)
}

/// Reads lines.
pub(super) fn pack(args: &PackArgs) -> Result<Verdict> {
    let mut output = create(&args.output)?;
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
    finish(output, &args.output, count)?;
    Ok(Verdict::Positive)
}

fn lines(path: &Path) -> Result<Box<dyn Iterator<Item = io::Result<String>>>> {
    if path == Path::new("-") {
        return Ok(Box::new(io::stdin().lines()));
    }
    let file = File::open(path).with_context(|| path.display().to_string())?;
    Ok(Box::new(BufReader::new(file).lines()))
}

/// Reads everything, and writes it in another order.
pub(super) fn shuffle(args: &ShuffleArgs) -> Result<Verdict> {
    let mut output = create(&args.output)?;
    let filter = args.filters.filter();
    let mut records = Vec::new();
    let verdict = read(&args.files, |block| {
        records.extend(block.records.into_iter().filter(|record| filter.admits(record)));
        Ok(())
    })?;
    records.shuffle(&mut StdRng::seed_from_u64(args.seed));
    for &record in &records {
        output.write(record)?;
    }
    finish(output, &args.output, records.len() as u64)?;
    Ok(verdict)
}

/// Copies block by block.
pub(super) fn merge(args: &MergeArgs) -> Result<Verdict> {
    let mut output = create(&args.output)?;
    let filter = args.filters.filter();
    let (mut seen, mut count) = (HashSet::new(), 0);
    let verdict = read(&args.files, |mut block| {
        keep(&mut block, filter, args.unique.then_some(&mut seen));
        count += block.records.len() as u64;
        Ok(output.write_block(&block)?)
    })?;
    finish(output, &args.output, count)?;
    Ok(verdict)
}

/// Drops what is not wanted, and what was `seen` before.
fn keep(block: &mut Block, filter: Filter, mut seen: Option<&mut HashSet<u64>>) {
    block.records.retain(|record| {
        let is_new = |seen: &mut &mut HashSet<u64>| match record.position() {
            Ok(position) => seen.insert(position.key()),
            Err(_) => true,
        };
        filter.admits(record) && seen.as_mut().is_none_or(is_new)
    });
}

fn create(path: &Path) -> Result<Writer> {
    if path.exists() {
        bail!("{} exists", path.display());
    }
    Writer::create(path).with_context(|| format!("cannot create {}", path.display()))
}

fn finish(output: Writer, path: &Path, count: u64) -> Result<()> {
    output.finish().with_context(|| format!("cannot write {}", path.display()))?;
    println!("{}: {count} positions", path.display());
    Ok(())
}
