//! `zugwerk tree`: draws the tree that an algorithm searches.

use std::{env, path::PathBuf};

use clap::ValueEnum;
use indicatif::HumanCount;
use zugwerk::{
    chess::{notation::pawns, position::Position},
    engine::{
        eval::Standard,
        search::{Limits, Searcher, Settings, Silent, Techniques},
    },
    lessons::{
        Algorithm, Mark, Tree,
        drawing::{Picture, html, svg, watched::Watched},
    },
    words::{counted, noun},
};

use crate::cli::shared::{
    evaluator::EvaluatorFlags,
    interrupt,
    output::{self, Force},
    position::PositionFlags,
    print::{print_text, refuse_terminal, warn},
    progress,
    status::ExitStatus,
    techniques::WithoutParser,
};

/// The maximum number of nodes in memory; further nodes are only counted.
const RECORDED: usize = 1 << 20;
/// The size of the hash table of `--algorithm search`, in MiB.
const HASH: usize = 64;

/// Draw the tree that an algorithm searches
///
/// Every node shows its move, its value for White and the window of its search. Pruned moves are marked `?`,
/// cut-offs and memo hits have a label, and the principal variation is bold. `--algorithm search` draws the
/// last iteration of Zugwerk's own search, with reductions, repeated searches, null moves and all other
/// techniques. The extension of the file chooses the format: .svg for small trees, .html for large ones (it
/// can be folded and searched, and needs no internet connection). Without -o the SVG is printed.
#[derive(clap::Args)]
#[command(mut_arg("force", |force| force.requires("output")))]
#[command(after_help = format!("\
Example:
  {EXAMPLE}

Exit codes: 0 drawn (the program says so if only in part), 2 bad usage or input, 130 interrupted (the tree is drawn as \
far as it was searched)."))]
pub(in crate::cli) struct Args {
    #[command(flatten)]
    position: PositionFlags,
    /// Depth of the search, in plies
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..=20))]
    depth: u32,
    /// The algorithm
    #[arg(long, value_enum, default_value_t = TreeKind::AlphaBeta)]
    algorithm: TreeKind,
    #[command(flatten)]
    evaluator: EvaluatorFlags,
    /// The file to write, ending in .svg or .html, or `-` for SVG on standard output, the default
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    #[command(flatten)]
    force: Force,
    /// Maximum number of nodes to draw [default: 300; in HTML 20,000]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    limit: Option<u32>,
    /// With `--algorithm search`: also draw quiescence
    #[arg(long)]
    quiescence: bool,
    /// With `--algorithm search`: switch techniques off, names separated by commas (`--without ?` lists them)
    /// [default: none]
    #[arg(long, value_name = "NAMES", default_value = "", hide_default_value = true, value_parser = WithoutParser)]
    without: Techniques,
}

/// What a reader may type first.
const EXAMPLE: &str = "zugwerk tree --fen '7k/7P/7P/8/8/p7/8/7K b - - 0 1' -o tree.svg";

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum TreeKind {
    /// All lines
    Minimax,
    /// Without lines that cannot change the result (max/min pair)
    AlphaBeta,
    /// The same in one function
    Negamax,
    /// The last iteration of iterative deepening
    Deepening,
    /// Alpha-beta that stores positions
    Memo,
    /// The first complete player, with quiescence
    Prototype,
    /// The last iteration of Zugwerk's own search
    Search,
}

/// Returns a picture as text in one format.
type Draw = fn(&Picture) -> String;

/// The default number of nodes in formats for small trees.
const FEW: u32 = 300;
/// The default number of nodes in formats for large trees.
const MANY: u32 = 20_000;

pub(in crate::cli) fn run(args: &Args) -> anyhow::Result<ExitStatus> {
    // The program and the subcommand, and no argument.
    if env::args_os().len() == 2 {
        warn(format_args!("An example to type: {EXAMPLE}"));
    }
    let root = args.position.position()?;
    let (draw, usual) = format_of(args)?;
    anyhow::ensure!(
        args.algorithm == TreeKind::Search || (!args.quiescence && args.without == Techniques::ALL),
        "expected --quiescence and --without only with --algorithm search"
    );
    if args.output.is_none() {
        refuse_terminal()?;
    }
    let output =
        args.output.as_deref().map(|path| args.force.open(path, args.evaluator.file())).transpose()?;
    let live = progress::live();
    live.set_message("searching");
    let Searched { tree, explanation, interrupted } = search(&root, args, args.evaluator.evaluator()?)?;
    let status = if interrupted { ExitStatus::Interrupted } else { ExitStatus::Positive };
    let nodes = (tree.nodes.len() - tree.count(Mark::Pruned)) as u64 + tree.omitted;
    let title = title(args, nodes, interrupted);
    let limit = args.limit.unwrap_or(usual) as usize;
    let picture = Picture::of(&tree, &root, title, explanation, limit);
    if let Some(shortfall) = picture.shortfall() {
        warn(format_args!("{shortfall} (--limit draws more)"));
    }
    let text = draw(&picture);
    match (output, &args.output) {
        (Some(output), Some(path)) => {
            output.write(text.as_bytes())?;
            let drawn = counted(picture.nodes.len() as u64, "node", "nodes");
            warn(format_args!("{}: {drawn} drawn", path.display()));
        }
        _ => print_text(&text)?,
    }
    Ok(status)
}

/// `alpha-beta, 3 plies: 1,525 nodes`
fn title(args: &Args, nodes: u64, interrupted: bool) -> String {
    let name = args.algorithm.to_possible_value();
    format!(
        "{}, {}: {} {}{}",
        name.map_or_else(String::new, |value| value.get_name().to_owned()),
        counted(args.depth.into(), "ply", "plies"),
        HumanCount(nodes),
        noun(nodes, "node", "nodes"),
        if interrupted { ", interrupted" } else { "" },
    )
}

/// The format of the output, and how many nodes are drawn in it by default.
fn format_of(args: &Args) -> anyhow::Result<(Draw, u32)> {
    let Some(path) = &args.output else { return Ok((svg::draw, FEW)) };
    let format: (Draw, u32) = match path.extension().and_then(|ending| ending.to_str()) {
        Some("svg") => (svg::draw, FEW),
        Some("html" | "htm") => (html::draw, MANY),
        _ if output::is_stdout(path) => (svg::draw, FEW),
        _ => anyhow::bail!("expected a file ending in .svg or .html, got {}", path.display()),
    };
    Ok(format)
}

/// The tree of a search.
struct Searched {
    tree: Tree,
    /// Remarks on it.
    explanation: String,
    interrupted: bool,
}

fn search(root: &Position, args: &Args, evaluator: Standard) -> anyhow::Result<Searched> {
    let algorithm = match args.algorithm {
        TreeKind::Minimax => Algorithm::Minimax,
        TreeKind::AlphaBeta => Algorithm::AlphaBeta,
        TreeKind::Negamax => Algorithm::Negamax,
        TreeKind::Deepening => Algorithm::Deepening,
        TreeKind::Memo => Algorithm::Memoised,
        TreeKind::Prototype => Algorithm::Prototype,
        TreeKind::Search => return watch(root, args, evaluator),
    };
    let pressed = interrupt::on_press(|| ())?;
    let walk = algorithm.begin(root, evaluator).recording(RECORDED).until(&pressed);
    let answer = algorithm.search(walk, args.depth);
    let tree = answer.tree.expect("an algorithm that records returns its tree");
    let explanation = if answer.complete { "" } else { "Interrupted: the tree is not complete." };
    Ok(Searched { tree, explanation: explanation.to_owned(), interrupted: !answer.complete })
}

/// The tree of Zugwerk's own search, and the windows of its root.
fn watch(root: &Position, args: &Args, evaluator: Standard) -> anyhow::Result<Searched> {
    let (stop, pressed) = interrupt::stop_and_halt()?;
    let mut searcher = Searcher::with_evaluator(HASH, evaluator);
    let mut watched = Watched::new(root, RECORDED, args.quiescence).until(&pressed);
    let limits = Limits::depth(args.depth);
    let settings = Settings { techniques: args.without, ..Settings::default() };
    searcher.search_watched(root, &limits, &stop, &settings, &mut Silent, &mut watched);
    let roots = watched.roots().iter().map(|(window, value)| {
        format!("({}, {}) gave {}", pawns(window.alpha), pawns(window.beta), pawns(*value))
    });
    let roots: Vec<String> = roots.collect();
    let interrupted = watched.is_interrupted();
    let mut explanation = match watched.depth() {
        depth if interrupted => format!("Interrupted in the iteration of depth {depth}. "),
        _ => String::new(),
    };
    if !roots.is_empty() {
        explanation += &format!("The root's windows: {}.", roots.join(", "));
    }
    Ok(Searched { tree: watched.finish(), explanation, interrupted })
}
