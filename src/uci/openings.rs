//! `genfens`: generates openings for games of this program, in OpenBench's format.

use std::{fmt::Display, fs, ops::RangeInclusive};

use rand::{SeedableRng as _, seq::SliceRandom as _};
use rand_chacha::ChaCha8Rng;

use super::{Output, command::Genfens};
use crate::{
    datagen::{Recipe, openings},
    epd,
    eval::Evaluator,
    options::quoted,
    search::{Searcher, Stop},
    text::{self, counted},
};

/// The number of random plies after a book position.
const BOOK_PLIES: RangeInclusive<u32> = 1..=4;

/// Prints the openings, one on each line, until `stop` is raised.
///
/// # Errors
///
/// A message if the book cannot be used, if there are too few balanced openings, or if `stop` was raised.
pub(super) fn print(
    asked: &Genfens,
    evaluator: impl Evaluator,
    stop: &Stop,
    output: &Output,
) -> Result<(), String> {
    let recipe = recipe(asked)?;
    let searcher = Searcher::with_evaluator(recipe.hash, evaluator);
    let openings = openings(&recipe, stop, searcher).take(asked.count);
    let printed = openings.map(|opening| output.line(&format!("info string genfens {}", opening.fen())));
    match printed.count() {
        printed if printed == asked.count => Ok(()),
        _ if stop.is_stopped() => Err("genfens was stopped".to_owned()),
        printed => {
            Err(format!("expected {}, found {printed}", counted(asked.count as u64, "opening", "openings")))
        }
    }
}

/// Returns the recipe of the openings: random plies after a position of the book, or after the starting position.
fn recipe(asked: &Genfens) -> Result<Recipe, String> {
    let recipe = Recipe { seed: asked.seed, ..Recipe::default() };
    let Some(book) = &asked.book else { return Ok(recipe) };
    let failed = |error: &dyn Display| format!("{}: {error}", quoted(&book.to_string_lossy()));
    // A device may have no end.
    if !fs::metadata(book).map_err(|error| failed(&error))?.is_file() {
        return Err(failed(&"not a file"));
    }
    let text = text::read(book).map_err(|error| failed(&error))?;
    let mut starts = epd::positions(&text).map_err(|error| failed(&error))?;
    if starts.is_empty() {
        return Err(failed(&"expected positions, found none"));
    }
    // Every seed begins at another place of the book.
    starts.shuffle(&mut ChaCha8Rng::seed_from_u64(asked.seed));
    Ok(Recipe { starts, random_plies: BOOK_PLIES, ..recipe })
}
