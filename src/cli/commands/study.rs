//! `zugwerk study`: compares the textbook algorithms on one position.

use std::{env, time::Instant};

use clap::builder::PossibleValuesParser;
use indicatif::HumanCount;
use zugwerk::{
    chess::{
        notation::{pawns, san},
        position::Position,
        value::Value,
    },
    engine::{
        eval::{Material, Standard},
        search::{Limits, Searcher, Settings, Silent, Stop, Techniques},
    },
    halt::Halt,
    lessons::{Algorithm, Answer, MemoCounts},
    words::counted,
};

use crate::cli::shared::{
    evaluator::EvaluatorFlags,
    interrupt,
    position::PositionFlags,
    print::{print_text, warn},
    progress,
    status::ExitStatus,
    table::{fit, table},
    techniques::WithoutParser,
};

/// Compare the textbook algorithms on one position
///
/// Each algorithm searches the position to the same depth; the table shows results and costs. A line below it
/// says whether all exact algorithms found the same value, and the last one where the course explains them.
/// `prototype` (which plays captures out) and `search` (which prunes) are shown for comparison; `--without`
/// also shows the search without some of its techniques.
#[derive(clap::Args)]
#[command(after_help = format!("\
Examples:
  {EXAMPLE}
  zugwerk study --depth 9 --algorithm search --without null_move,futility

Exit codes: 0 all exact algorithms agree, 1 they do not, 2 bad usage or input, 130 interrupted (the table has the rows \
so far)."))]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    position: PositionFlags,
    /// Depth of the search, in plies
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// Which rows to show, separated by commas [default: all]
    #[arg(long, value_name = "NAMES", value_delimiter = ',', value_parser = PossibleValuesParser::new(names()))]
    algorithm: Vec<String>,
    /// Add a row: the search without some of its techniques, names separated by commas (`--without ?` lists
    /// them) [default: none]
    #[arg(long, value_name = "NAMES", value_parser = WithoutParser)]
    without: Vec<Techniques>,
    #[command(flatten)]
    evaluator: EvaluatorFlags,
}

/// What a reader may type first.
const EXAMPLE: &str = "zugwerk study --fen '7k/7P/7P/8/8/p7/8/7K b - - 0 1' --depth 3";

/// The search with nothing but move ordering.
const BARE: &str = "bare";
/// The search as Zugwerk plays.
const SEARCH: &str = "search";

/// What `--algorithm` takes.
fn names() -> impl Iterator<Item = &'static str> {
    Algorithm::ALL.into_iter().map(Algorithm::name).chain([BARE, SEARCH])
}

/// One line of the table.
struct Row {
    algorithm: String,
    exact: bool,
    /// The value for White.
    white: Value,
    /// The value for the side to move.
    mover: Value,
    best: Vec<String>,
    nodes: u64,
    cut_offs: Option<u64>,
    memo: Option<MemoCounts>,
    /// The page of the course, for the textbook algorithms.
    page: Option<u32>,
    seconds: f64,
    /// Absent where minimax is not among the rows.
    ratio_to_minimax: Option<f64>,
}

/// All lines of the table.
struct Comparison {
    fen: String,
    depth: u32,
    agree: bool,
    /// Absent from `algorithms`, because of an interruption.
    missing: Vec<String>,
    algorithms: Vec<Row>,
}

pub(in crate::cli) fn run(args: &Args) -> anyhow::Result<ExitStatus> {
    // The program and the subcommand, and no argument.
    if env::args_os().len() == 2 {
        warn(format_args!("An example to type: {EXAMPLE}"));
    }
    let root = args.position.position()?;
    let (rows, missing) = compare(&root, args)?;
    let mut exact = rows.iter().filter(|row| row.exact);
    let first = exact.next().map_or(0, |row| row.mover);
    let agree = exact.all(|row| row.mover == first);
    let complete = missing.is_empty();
    let comparison = Comparison { fen: root.fen(), depth: args.depth, agree, missing, algorithms: rows };
    print_text(fit(&in_words(&comparison)))?;
    Ok(match agree {
        false => ExitStatus::Negative,
        true if complete => ExitStatus::Positive,
        true => ExitStatus::Interrupted,
    })
}

/// What gives a row.
enum Job {
    Textbook(Algorithm),
    /// Zugwerk's own search with these techniques, and whether it is exact.
    Search(Techniques, bool),
}

/// The requested rows, by name.
fn jobs(root: &Position, args: &Args) -> Vec<(String, Job)> {
    let wanted = |name: &str| args.algorithm.is_empty() || args.algorithm.iter().any(|wanted| wanted == name);
    // The search claims draws after 50 moves; the textbook ends the game after 75, and at the fifth
    // repetition.
    let ends_game = Algorithm::Minimax.begin(root, Material).history_matters(args.depth);
    let same_rules = root.halfmoves().saturating_add(args.depth) < 100 && !ends_game;
    let mut jobs: Vec<_> = Algorithm::ALL
        .into_iter()
        .filter(|algorithm| wanted(algorithm.name()))
        .map(|algorithm| (algorithm.name().to_owned(), Job::Textbook(algorithm)))
        .collect();
    if wanted(BARE) {
        jobs.push(("bare search".to_owned(), Job::Search(Techniques::NONE, same_rules)));
    }
    if wanted(SEARCH) {
        jobs.push(("search".to_owned(), Job::Search(Techniques::ALL, false)));
    }
    let fewer = args.without.iter().filter(|&&techniques| techniques != Techniques::ALL);
    jobs.extend(fewer.map(|techniques| {
        let names = techniques.missing().collect::<Vec<_>>().join(", ");
        (format!("without {names}"), Job::Search(*techniques, false))
    }));
    jobs
}

/// The rows, and the names of those that are missing because of an interruption.
fn compare(root: &Position, args: &Args) -> anyhow::Result<(Vec<Row>, Vec<String>)> {
    let evaluator = args.evaluator.evaluator()?;
    let (stop, pressed) = interrupt::stop_and_halt()?;
    let (jobs, live) = (jobs(root, args), progress::live());
    let (count, mut rows, mut missing) = (jobs.len(), Vec::new(), Vec::new());
    for (number, (name, job)) in (1..).zip(jobs) {
        live.set_message(format!("row {number} of {count}: {name}"));
        let row = row(root, args.depth, &evaluator, &name, &job, &stop, &pressed);
        // The results of what an interruption ended early have no meaning.
        match Some(row).filter(|_| !pressed.is_set()) {
            Some(row) => rows.push(row),
            None => missing.push(name),
        }
    }
    let minimax = rows.iter().find(|row| row.algorithm == Algorithm::Minimax.name()).map(|row| row.nodes);
    for row in &mut rows {
        row.ratio_to_minimax = minimax.map(|minimax| row.nodes as f64 / minimax as f64);
    }
    Ok((rows, missing))
}

/// Does `job`. Zugwerk's own search counts the moves it makes; one more node makes the counts comparable.
fn row(
    root: &Position,
    depth: u32,
    evaluator: &Standard,
    name: &str,
    job: &Job,
    stop: &Stop,
    halt: &Halt,
) -> Row {
    let start = Instant::now();
    let (exact, value, best, nodes, cut_offs, memo) = match *job {
        Job::Textbook(algorithm) => {
            let walk = algorithm.begin(root, evaluator.clone()).until(halt);
            let Answer { value, best, counts, memo, .. } = algorithm.search(walk, depth);
            (algorithm.is_exact(), value, best, counts.nodes, Some(counts.cut_offs), memo)
        }
        Job::Search(techniques, exact) => {
            let settings = Settings { techniques, ..Settings::default() };
            let mut searcher = Searcher::with_evaluator(16, evaluator.clone());
            let outcome = searcher.search(root, &Limits::depth(depth), stop, &settings, &mut Silent);
            (exact, outcome.value(), outcome.best.into_iter().collect(), outcome.nodes + 1, None, None)
        }
    };
    Row {
        algorithm: name.to_owned(),
        exact,
        white: root.turn().fold_wb(value, -value),
        mover: value,
        best: best.iter().map(|&m| san(root, m)).collect(),
        nodes,
        cut_offs,
        memo,
        page: match *job {
            Job::Textbook(algorithm) => Some(page(algorithm)),
            Job::Search(..) => None,
        },
        seconds: start.elapsed().as_secs_f64(),
        ratio_to_minimax: None,
    }
}

/// The page of the course that explains an algorithm.
fn page(algorithm: Algorithm) -> u32 {
    match algorithm {
        Algorithm::Minimax => 2,
        Algorithm::AlphaBeta | Algorithm::Negamax => 3,
        Algorithm::Deepening => 5,
        Algorithm::Memoised => 6,
        Algorithm::Prototype => 7,
    }
}

fn in_words(comparison: &Comparison) -> String {
    let head = ["algorithm", "exact", "White", "best", "nodes", "of minimax", "cut-offs", "time"];
    let rows = comparison.algorithms.iter().map(|row| {
        [
            row.algorithm.clone(),
            if row.exact { "yes" } else { "no" }.to_owned(),
            pawns(row.white),
            some_of(&row.best),
            HumanCount(row.nodes).to_string(),
            row.ratio_to_minimax.map_or_else(String::new, |ratio| format!("{:.2} %", 100.0 * ratio)),
            row.cut_offs.map_or_else(String::new, |n| HumanCount(n).to_string()),
            format!("{:.1} ms", 1000.0 * row.seconds),
        ]
    });
    let (results, memos) = (table(head, rows, &[0, 1, 3]), memos(&comparison.algorithms));
    let depth = counted(comparison.depth.into(), "ply", "plies");
    let conclusion = conclusion(comparison);
    let missing = match &comparison.missing[..] {
        [] => String::new(),
        names => format!("\nInterrupted. Missing rows: {}.\n", names.join(", ")),
    };
    let pages = pages(&comparison.algorithms);
    format!("{}, {depth}\n{results}{memos}{conclusion}{missing}{pages}", comparison.fen)
}

/// The pages of the course that explain the textbook algorithms among the rows.
fn pages(algorithms: &[Row]) -> String {
    let pages = algorithms.iter().filter_map(|row| Some(format!("{} on {}", row.algorithm, row.page?)));
    let pages = pages.collect::<Vec<_>>().join(", ").replacen(" on ", " on page ", 1);
    if pages.is_empty() { pages } else { format!("\ndocs/course explains {pages}.\n") }
}

/// The table of the memos, if there are any.
fn memos(algorithms: &[Row]) -> String {
    let rows = algorithms.iter().filter_map(|row| {
        let memo = row.memo.as_ref()?;
        let [tries, hits, cut_offs, entries] =
            [memo.tries, memo.hits, memo.cut_offs, memo.entries].map(|n| HumanCount(n).to_string());
        Some([row.algorithm.clone(), tries, hits, cut_offs, entries, format!("{} KiB", memo.bytes / 1024)])
    });
    let rows: Vec<_> = rows.collect();
    if rows.is_empty() {
        return String::new();
    }
    let head = ["memo of", "tries", "hits", "cut-offs", "positions", "size"];
    format!("\n{}", table(head, rows, &[0]))
}

/// Whether the exact algorithms agree, if there are several.
fn conclusion(comparison: &Comparison) -> String {
    let exact: Vec<&Row> = comparison.algorithms.iter().filter(|row| row.exact).collect();
    match exact[..] {
        [] | [_] => String::new(),
        [first, ..] if comparison.agree => {
            format!("\nAll {} exact algorithms agree: {} for White.\n", exact.len(), pawns(first.white))
        }
        _ => {
            let values: Vec<_> =
                exact.iter().map(|row| format!("{} {}", row.algorithm, pawns(row.white))).collect();
            format!("\nThe exact algorithms DISAGREE: {}.\n", values.join(", "))
        }
    }
}

/// The first few of many moves.
fn some_of(moves: &[String]) -> String {
    const SHOWN: usize = 3;
    let mut text = moves.iter().take(SHOWN).cloned().collect::<Vec<_>>().join(" ");
    if moves.len() > SHOWN {
        text += &format!(" +{}", moves.len() - SHOWN);
    }
    text
}
