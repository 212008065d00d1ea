//! `zugwerk data show`: provenance, counts, histograms and samples.

use std::{
    collections::BTreeMap,
    fmt::Write as _,
    io,
    path::{Path, PathBuf},
};

use anyhow::Result;
use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde::Serialize as _;
use serde_json::{json, ser::Formatter};
use zugwerk::{
    data::{Blocks, Census, Header, PLIES_PER_CLASS, Record, Results, SCORE_CLASSES},
    drawing::histogram::{self, Bar, Histogram},
    value::{MATE_BOUND, Value},
};

use super::{Filters, Finding, Invalid, Reading, positions, read};
use crate::cli::{Force, InFile as _, counted, fit, output, table, without_commands};

/// The longest bar of a histogram, in characters.
const BAR: usize = 32;

/// Show how files were made, counts of positions by score, result, ply and pieces, and samples
#[derive(clap::Args)]
#[command(mut_arg("force", |force| force.requires("svg")))]
#[command(after_help = "\
Examples:
  zugwerk data show games.zwd --samples 5
  zugwerk data show games-*.zwd --svg games.svg

Exit codes: 0 done, 1 a part of a file could not be read (details on standard error), 2 bad usage or
input, 130 interrupted (the counts so far are printed).")]
pub(in crate::cli) struct Args {
    /// Files of training data
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print this many random positions in the format of `text`
    #[arg(long, value_name = "N", default_value_t = 0)]
    samples: usize,
    /// Seed of the samples
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Also draw the histograms to this SVG file [default: none]
    #[arg(long, value_name = "FILE")]
    svg: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    filters: Filters,
}

/// Prints the contents of the files.
pub(super) fn run(args: &Args) -> Result<Finding> {
    let filter = args.filters.filter();
    let (mut text, mut files) = (String::new(), Vec::new());
    for path in &args.files {
        let blocks = Blocks::open_repeatedly(path).in_file(path)?;
        text += &format!("{}: ", path.display());
        describe_header(&mut text, blocks.header(), 1);
        files.push(json!({ "file": path.display().to_string(), "header": blocks.header() }));
    }
    let drawing = args.svg.as_deref().map(|path| args.force.open(path, &args.files)).transpose()?;
    let (mut census, mut games) = (Census::default(), 0_u64);
    let random = ChaCha8Rng::seed_from_u64(args.seed);
    let mut samples = Samples { wanted: args.samples, offered: 0, taken: Vec::new(), random };
    let how = Reading::of(&args.files)?;
    let mut verdict = read(&args.files, &how, |path, block| {
        games += u64::from(block.games);
        for record in block.records.iter().filter(|record| filter.admits(record)) {
            census.count(record);
            samples.offer(path, record);
        }
        Ok(())
    })?;
    let complete = verdict != Finding::Interrupted;
    if !complete {
        text += "interrupted: what was read so far\n";
    }
    text = fit(&without_commands(&(text + &describe(&census, games))));
    if let Some(drawing) = drawing {
        drawing.write(histogram::draw(&histograms(&census)).as_bytes())?;
    }
    let (mut lines, mut invalid) = (Vec::new(), BTreeMap::<_, Invalid>::new());
    for (path, record) in samples.taken {
        match record.to_text() {
            Ok(line) => lines.push(line),
            Err(error) => invalid.entry(path).or_default().add(error),
        }
    }
    for (path, invalid) in invalid {
        verdict = verdict.max(invalid.report(path));
    }
    for line in &lines {
        writeln!(text, "{line}")?;
    }
    let json = json!({
        "files": files, "games": games, "complete": complete, "census": in_json(&census), "samples": lines,
    });
    output::tell(args.svg.as_deref(), args.json, text, &json)?;
    Ok(verdict)
}

/// Describes the header of a file in a few lines.
fn describe_header(text: &mut String, header: Option<&Header>, depth: usize) {
    let Some(header) = header else {
        *text += "version 1, without a header\n";
        return;
    };
    let (kind, variant) = (header.kind, header.variant);
    let _ = write!(text, "{kind} of {variant} by `{}` of {}", header.tool, header.program);
    if let Some(evaluator) = &header.evaluator {
        let _ = write!(text, ", evaluator {evaluator}");
    }
    if let Some(bench) = header.bench {
        let _ = write!(text, ", bench {}: {} nodes", bench.depth, bench.nodes);
    }
    if let Some(seed) = header.seed {
        let _ = write!(text, ", seed {seed}");
    }
    text.push('\n');
    let indent = "  ".repeat(depth);
    if !header.recipe.is_null() {
        let _ = writeln!(text, "{indent}{}", in_words(&header.recipe));
    }
    for source in &header.sources {
        let _ = write!(text, "{indent}from {}: ", source.file);
        describe_header(text, source.header.as_ref(), depth + 1);
    }
    if header.sources_left_out {
        let _ = writeln!(text, "{indent}from files that are not kept here");
    }
}

/// JSON with a blank after each comma, where the line can be broken.
fn in_words(recipe: &serde_json::Value) -> String {
    let mut bytes = Vec::new();
    let mut serializer = serde_json::Serializer::with_formatter(&mut bytes, Spaced);
    let _ = recipe.serialize(&mut serializer);
    String::from_utf8(bytes).unwrap_or_default()
}

struct Spaced;

impl Formatter for Spaced {
    fn begin_array_value<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        if first { Ok(()) } else { writer.write_all(b", ") }
    }

    fn begin_object_key<W: ?Sized + io::Write>(&mut self, writer: &mut W, first: bool) -> io::Result<()> {
        self.begin_array_value(writer, first)
    }
}

/// The census as JSON.
fn in_json(census: &Census) -> serde_json::Value {
    let results =
        |&Results { wins, draws, losses }: &Results| json!({ "won": wins, "drawn": draws, "lost": losses });
    let classes = census.by_score.iter().enumerate();
    let scores = classes.map(|(index, of)| json!({ "score": score_class(index), "results": results(of) }));
    json!({
        "positions": census.white.total(), "white": results(&census.white), "in_check": census.checks,
        "tactical": census.tacticals, "mate_scores": census.mates, "quiet": census.quiet,
        "by_score": scores.collect::<Vec<_>>(), "plies_per_class": PLIES_PER_CLASS, "by_ply": census.by_ply,
        "pieces_per_class": 2, "by_pieces": census.by_pieces,
    })
}

/// The histograms of scores, with the results of the games for the side to move, of plies and of pieces.
fn histograms(census: &Census) -> [Histogram; 3] {
    let histogram = |title: &str, bars| Histogram { title: title.to_owned(), parts: Vec::new(), bars };
    let scores = census.by_score.iter().enumerate().map(|(index, results)| Bar {
        label: score_class(index),
        parts: vec![results.wins, results.draws, results.losses],
    });
    let counts = |counts: &[u64], label: fn(usize) -> String| {
        let bars = counts.iter().enumerate();
        bars.map(|(index, &count)| Bar { label: label(index), parts: vec![count] }).collect()
    };
    let plies = counts(&census.by_ply, |index| range(index * PLIES_PER_CLASS, PLIES_PER_CLASS));
    let pieces = counts(&census.by_pieces, |index| range(2 * index + 1, 2));
    [
        Histogram {
            parts: vec!["won", "drawn", "lost"],
            ..histogram("score for the side to move", scores.collect())
        },
        histogram("ply of the game", plies),
        histogram("pieces on the board", pieces),
    ]
}

/// A sample in which every record so far has the same probability (reservoir sampling: J. S. Vitter, "Random Sampling
/// with a Reservoir", 1985, algorithm R).
struct Samples<'p> {
    wanted: usize,
    offered: usize,
    /// The records with their files.
    taken: Vec<(&'p Path, Record)>,
    random: ChaCha8Rng,
}

impl<'p> Samples<'p> {
    fn offer(&mut self, path: &'p Path, &record: &Record) {
        self.offered += 1;
        if self.taken.len() < self.wanted {
            self.taken.push((path, record));
        } else if self.wanted > 0
            && let Some(place) = self.taken.get_mut(self.random.random_range(0..self.offered))
        {
            *place = (path, record);
        }
    }
}

fn describe(census: &Census, games: u64) -> String {
    let all = census.white.total();
    let part = |count: u64| percent(count, all).trim_start().to_owned();
    let Results { wins, draws, losses } = census.white;
    let mut text = format!("{}, {}\n", positions(all), counted(games, "game", "games"));
    text += &format!("results     White won {}, drawn {}, lost {}\n", part(wins), part(draws), part(losses));
    text += &format!(
        "kinds       in check {}, best move tactical {}, mate scores {}, none of these {}\n",
        part(census.checks),
        part(census.tacticals),
        part(census.mates),
        part(census.quiet)
    );
    let [scores, plies, pieces] = histograms(census);
    text += "\nscore for the side to move, and the result of the game for it\n";
    text += &format!("{:16} {:>10} {:>7}  {:>7} {:>7} {:>7}\n", "", "positions", "", "won", "drawn", "lost");
    text += &lines(&scores);
    text += "\nply of the game\n";
    text += &lines(&plies);
    text += "\npieces on the board\n";
    text += &lines(&pieces);
    if all > 0 { text + "\n" } else { text }
}

fn range(from: usize, size: usize) -> String {
    format!("{from}..{}", from + size - 1)
}

/// `-50..-21`, `1001 and more`, `mates`.
fn score_class(index: usize) -> String {
    let (lower, next) = (SCORE_CLASSES[index], SCORE_CLASSES.get(index + 1));
    match (lower, next) {
        (Value::MIN, _) => "is mated".to_owned(),
        (MATE_BOUND, _) => "mates".to_owned(),
        (lower, _) if lower <= -MATE_BOUND + 1 => "-1001 and less".to_owned(),
        (lower, Some(&MATE_BOUND)) => format!("{lower} and more"),
        (lower, next) => format!("{lower}..{}", next.map_or(lower, |next| next - 1)),
    }
}

/// One line for each bar, with the shares of its parts if it has several.
fn lines(histogram: &Histogram) -> String {
    let count = |bar: &Bar| bar.parts.iter().sum::<u64>();
    let total: u64 = histogram.bars.iter().map(count).sum();
    let most = histogram.bars.iter().map(count).max().unwrap_or(0).max(1);
    let line = |bar: &Bar| {
        let count = count(bar);
        let shares = match bar.parts[..] {
            [wins, draws, losses] if count > 0 => {
                "  ".to_owned() + &[wins, draws, losses].map(|part| percent(part, count)).join(" ")
            }
            _ => String::new(),
        };
        let line = format!("{:>16} {count:>10} {}{shares}", bar.label, percent(count, total));
        let longest = BAR.min(table::width().saturating_sub(line.len() + 2));
        let bar = "#".repeat((longest as f64 * count as f64 / most as f64).round() as usize);
        format!("{line}  {bar}").trim_end().to_owned() + "\n"
    };
    histogram.bars.iter().map(line).collect()
}

/// ` 12.3 %`, seven characters wide.
fn percent(part: u64, all: u64) -> String {
    format!("{:5.1} %", 100.0 * part as f64 / all.max(1) as f64)
}
