//! The openings of a match: those of a book, and generated ones.

use std::path::Path;

use anyhow::{Result, ensure};
use zugwerk::{
    arena::{
        MatchPlan,
        schedule::openings::{Openings, Reading},
    },
    words::counted,
};

use super::{Args, Order};
use crate::cli::shared::{openings::then_generated, print::warn};

/// The value of `--openings` that asks for generated openings only.
const RANDOM: &str = "random";

/// Returns the openings that the flags ask for.
pub(super) fn openings(args: &Args) -> Result<Openings> {
    ensure!(args.start > 0, "--start: openings are counted from 1");
    ensure!(args.start == 1 || !is_random(args), "--start: expected a book; another --seed generates others");
    let how = Reading { chess960: args.chess960, plies: args.plies.unwrap_or(usize::MAX) };
    let book = args.openings.as_ref().filter(|_| !is_random(args));
    let openings = match book {
        Some(path) => Openings::open(path, how).map_err(|error| named(error, args))?,
        None if is_random(args) => Openings::without_book(how),
        None if args.chess960 => Openings::chess960(),
        None => Openings::built_in(),
    };
    let openings = match args.order {
        Order::Sequential => openings,
        Order::Random => openings.shuffled(args.seed),
    };
    let near_the_book = book.is_some();
    Ok(then_generated(openings.skipping(args.start - 1), args.seed, args.chess960, near_the_book))
}

/// Adds the name of the file to an error of the openings.
pub(super) fn named(error: impl Into<anyhow::Error>, args: &Args) -> anyhow::Error {
    let name = args.openings.as_ref().map(|path| format!("--openings {}", path.display()));
    error.into().context(name.unwrap_or_else(|| "the openings".to_owned()))
}

fn is_random(args: &Args) -> bool {
    args.openings.as_deref() == Some(Path::new(RANDOM))
}

/// Says before a match that openings are generated, if the book has too few for it.
pub(super) fn note_generated(args: &Args, plan: &MatchPlan) {
    let (book, rounds) = (plan.openings.len(), plan.schedule.rounds());
    if book < rounds {
        let rounds = counted(rounds as u64, "round", "rounds");
        let openings = match book {
            0 => format!("{rounds}: all openings"),
            _ => format!("{} for {rounds}: the others", counted(book as u64, "opening", "openings")),
        };
        warn(format_args!("{openings} are generated (--seed {})", args.seed));
    }
}

/// Says after a match that openings were generated because the book has some of its own twice.
pub(super) fn note_repeated(args: &Args, plan: &MatchPlan) {
    let (book, different) = (plan.openings.len(), plan.openings.different());
    if book >= plan.schedule.rounds()
        && let Some(different) = different
    {
        let book = counted(book as u64, "opening", "openings");
        warn(format_args!(
            "only {different} of {book} are different: others were generated (--seed {})",
            args.seed
        ));
    }
}
