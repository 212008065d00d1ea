//! `zugwerk data show`: provenance, counts and histograms.

use std::{fmt::Write as _, path::PathBuf};

use anyhow::Result;
use zugwerk::{
    chess::value::{MATE_BOUND, Value},
    words::counted,
    workshop::data::{Blocks, Census, Header, PLIES_PER_CLASS, Results, SCORE_CLASSES},
};

use super::{ReadProgress, positions, read};
use crate::cli::shared::{
    input::{InFile as _, check_each_once},
    print::print_text,
    status::ExitStatus,
    table::{self, fit},
};

/// The longest bar of a histogram, in characters.
const BAR: usize = 32;

/// Show how files were made, and counts of positions by score, result, ply and pieces
#[derive(clap::Args)]
#[command(after_help = "\
Example:
  zugwerk data show games-*.zwd

Exit codes: 0 done, 1 a part of a file could not be read (details on standard error), 2 bad usage or \
input, 130 interrupted (the counts so far are printed).")]
pub(in crate::cli) struct Args {
    /// Files of training data
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
}

/// Prints the contents of the files.
pub(super) fn run(args: &Args) -> Result<ExitStatus> {
    check_each_once(&args.files)?;
    let mut text = String::new();
    for path in &args.files {
        let blocks = Blocks::open_repeatedly(path).in_file(path)?;
        text += &format!("{}: ", path.display());
        describe_header(&mut text, blocks.header());
    }
    let (mut census, mut games) = (Census::default(), 0_u64);
    let how = ReadProgress::of(&args.files)?;
    let status = read(&args.files, &how, |block| {
        games += block.games;
        block.records.iter().for_each(|record| census.count(record));
        Ok(())
    })?;
    if status == ExitStatus::Interrupted {
        text += "interrupted: what was read so far\n";
    }
    print_text(fit(&(text + &describe(&census, games))))?;
    Ok(status)
}

/// Describes the header of a file in a few lines.
fn describe_header(text: &mut String, header: &Header) {
    let Header { variant, tool, program, .. } = header;
    let _ = write!(text, "games of {variant} by `{tool}` of {program}");
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
    if !header.recipe.is_null() {
        // With a blank after each member, where the line can be broken.
        let _ = writeln!(text, "  {}", header.recipe.to_string().replace(",\"", ", \""));
    }
}

/// One class of a histogram: its label, and the counts of its parts.
struct Class {
    label: String,
    parts: Vec<u64>,
}

/// The histograms of scores, with the results of the games for the side to move, of plies and of pieces.
fn histograms(census: &Census) -> [Vec<Class>; 3] {
    let scores = census.by_score.iter().enumerate().map(|(index, results)| Class {
        label: score_class(index),
        parts: vec![results.wins, results.draws, results.losses],
    });
    let counts = |counts: &[u64], label: fn(usize) -> String| {
        let classes = counts.iter().enumerate();
        classes.map(|(index, &count)| Class { label: label(index), parts: vec![count] }).collect()
    };
    let plies = counts(&census.by_ply, |index| range(index * PLIES_PER_CLASS, PLIES_PER_CLASS));
    let pieces = counts(&census.by_pieces, |index| range(2 * index + 1, 2));
    [scores.collect(), plies, pieces]
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
    text
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

/// One line for each class, with the shares of its parts if it has several.
fn lines(classes: &[Class]) -> String {
    let count = |class: &Class| class.parts.iter().sum::<u64>();
    let total: u64 = classes.iter().map(count).sum();
    let most = classes.iter().map(count).max().unwrap_or(0).max(1);
    let line = |class: &Class| {
        let count = count(class);
        let shares = match class.parts[..] {
            [wins, draws, losses] if count > 0 => {
                "  ".to_owned() + &[wins, draws, losses].map(|part| percent(part, count)).join(" ")
            }
            _ => String::new(),
        };
        let line = format!("{:>16} {count:>10} {}{shares}", class.label, percent(count, total));
        let longest = BAR.min(table::width().saturating_sub(line.len() + 2));
        let bar = "#".repeat((longest as f64 * count as f64 / most as f64).round() as usize);
        format!("{line}  {bar}").trim_end().to_owned() + "\n"
    };
    classes.iter().map(line).collect()
}

/// ` 12.3 %`, seven characters wide.
fn percent(part: u64, all: u64) -> String {
    format!("{:5.1} %", 100.0 * part as f64 / all.max(1) as f64)
}
