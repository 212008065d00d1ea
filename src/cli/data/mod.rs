//! `zugwerk data`: what is in files of training data, and what can be done with them.

mod rewrite;
mod show;
mod verify;

use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use clap::Subcommand;
use zugwerk::data::{Block, Blocks, DataError, Filter};

use super::Verdict;

const AFTER_HELP: &str = "\
Examples:
  zugwerk data show games.zwd --samples 5
  zugwerk data verify games.zwd
  zugwerk data merge first.zwd second.zwd --output all.zwd --unique
  zugwerk data shuffle all.zwd --output shuffled.zwd --quiet
  zugwerk data text shuffled.zwd | head
  zugwerk data pack positions.txt --output positions.zwd

Exit codes: 0 done; 1 part of a file could not be read, or is not sound (what it is is on standard error); 2 bad usage
or input.";

/// Show, check, convert, shuffle and merge files of training data
#[derive(clap::Args)]
#[command(after_help = AFTER_HELP)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Show(show::Args),
    Verify(verify::Args),
    Text(rewrite::TextArgs),
    Pack(rewrite::PackArgs),
    Shuffle(rewrite::ShuffleArgs),
    Merge(rewrite::MergeArgs),
}

/// Which positions to leave out.
#[derive(clap::Args)]
struct Filters {
    /// Leave out positions in check.
    #[arg(long)]
    no_checks: bool,
    /// Leave out positions whose best move is a capture or a promotion.
    #[arg(long)]
    no_tacticals: bool,
    /// Leave out positions whose score is a mate.
    #[arg(long)]
    no_mates: bool,
    /// Leave out all three.
    #[arg(long)]
    quiet: bool,
}

impl Filters {
    fn filter(&self) -> Filter {
        Filter {
            no_checks: self.no_checks || self.quiet,
            no_tacticals: self.no_tacticals || self.quiet,
            no_mates: self.no_mates || self.quiet,
        }
    }
}

/// Runs the tool.
pub(super) fn run(args: &Args) -> Result<Verdict> {
    match &args.command {
        Command::Show(args) => show::run(args),
        Command::Verify(args) => verify::run(args),
        Command::Text(args) => rewrite::text(args),
        Command::Pack(args) => rewrite::pack(args),
        Command::Shuffle(args) => rewrite::shuffle(args),
        Command::Merge(args) => rewrite::merge(args),
    }
}

/// Gives every block of `files` that can be read to `each`, and names those that cannot.
fn read<'p>(
    files: impl IntoIterator<Item = &'p PathBuf>,
    mut each: impl FnMut(Block) -> Result<()>,
) -> Result<Verdict> {
    let mut verdict = Verdict::Positive;
    for path in files {
        let name = path.display();
        for block in open(path)? {
            match block {
                Ok(block) => each(block)?,
                Err(DataError::Io(error)) => return Err(error).context(name.to_string()),
                Err(damage) => {
                    eprintln!("zugwerk: {name}: {damage}");
                    verdict = Verdict::Negative;
                }
            }
        }
    }
    Ok(verdict)
}

fn open(path: &Path) -> Result<impl Iterator<Item = Result<Block, DataError>>> {
    Blocks::open(path).with_context(|| path.display().to_string())
}
