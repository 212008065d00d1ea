//! `genfens`: openings for whoever wants games of this program to begin with them, as OpenBench asks for them.

use std::{fmt::Display, fs, ops::RangeInclusive};

use rand::{SeedableRng as _, seq::SliceRandom as _};
use rand_chacha::ChaCha8Rng;

use super::{Output, command::Openings};
use crate::{
    datagen::{Recipe, openings},
    epd,
    eval::Evaluator,
    options::quoted,
    search::{Searcher, Stop},
};

/// Random plies after a position of a book.
const BOOK_PLIES: RangeInclusive<u32> = 1..=4;

/// Prints the openings, each in a line of its own, until `stop` is raised.
///
/// # Errors
///
/// What is wrong with the book, or that there are too few balanced openings.
pub(super) fn print(
    asked: &Openings,
    evaluator: impl Evaluator,
    stop: &Stop,
    output: &Output,
) -> Result<(), String> {
    let recipe = recipe(asked)?;
    let searcher = Searcher::with_evaluator(recipe.hash, evaluator);
    let openings = openings(&recipe, stop, searcher).take(asked.count);
    let printed = openings.map(|opening| output.line(&format!("info string genfens {}", opening.fen())));
    match printed.count() {
        printed if printed < asked.count => {
            Err(format!("expected {} openings, found {printed}", asked.count))
        }
        _ => Ok(()),
    }
}

/// How the openings are made: random plies from a position of the book, or from the starting position.
fn recipe(asked: &Openings) -> Result<Recipe, String> {
    let recipe = Recipe { seed: asked.seed, ..Recipe::default() };
    let Some(book) = &asked.book else { return Ok(recipe) };
    let failed = |error: &dyn Display| format!("{}: {error}", quoted(&book.to_string_lossy()));
    let text = fs::read_to_string(book).map_err(|error| failed(&error))?;
    let mut starts = epd::positions(&text).map_err(|error| failed(&error))?;
    if starts.is_empty() {
        return Err(failed(&"expected positions, found none"));
    }
    // Every seed begins at another place of the book.
    starts.shuffle(&mut ChaCha8Rng::seed_from_u64(asked.seed));
    Ok(Recipe { starts, random_plies: BOOK_PLIES, ..recipe })
}
