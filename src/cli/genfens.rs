//! `genfens`, a line that OpenBench passes as an argument: openings for games of this program, in its format.

use std::{ops::RangeInclusive, path::Path};

use anyhow::{Result, bail, ensure};
use rand::{SeedableRng as _, seq::SliceRandom as _};
use rand_chacha::ChaCha8Rng;
use zugwerk::{
    datagen::{Recipe, openings},
    epd,
    eval::{Choose as _, Standard},
    options::Options,
    position::Position,
    search::{Searcher, Stop},
    text,
    words::{counted, quoted},
};

use super::{InFile as _, option_flags::Flag, say};

/// The number of random plies after a book position.
pub(super) const BOOK_PLIES: RangeInclusive<u32> = 1..=4;

/// Whether `line` is such a line.
pub(super) fn is_it(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case("genfens"))
}

/// Prints the openings that `line` requests, one on each line. The evaluator is that of `options`.
pub(super) fn run(line: &str, options: &[Flag]) -> Result<()> {
    let (count, recipe) = read(line)?;
    let mut chosen = Options::default();
    for flag in options {
        chosen.set(flag.name, &flag.value)?;
    }
    let evaluator = Standard::choose(&chosen.choice()).map_err(anyhow::Error::msg)?;
    let mut searcher = Searcher::with_evaluator(recipe.hash, evaluator);
    let stop = Stop::default();
    let mut printed = 0;
    for opening in openings(&recipe, &stop, &mut searcher).take(count) {
        say(format_args!("info string genfens {}", opening.fen()))?;
        printed += 1;
    }
    ensure!(printed == count, "expected {}, found {printed}", counted(count as u64, "opening", "openings"));
    Ok(())
}

/// Reads the number of openings, and their recipe: random plies after a position of the book, or after the starting position.
/// Words after the name of the book are for other engines.
fn read(line: &str) -> Result<(usize, Recipe)> {
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    let numbers = match words[..] {
        [count, seed_word, seed, book_word, book, ..]
            if seed_word.eq_ignore_ascii_case("seed") && book_word.eq_ignore_ascii_case("book") =>
        {
            count.parse().ok().zip(seed.parse().ok()).map(|(count, seed)| (count, seed, book))
        }
        _ => None,
    };
    let Some((count, seed, book)) = numbers else {
        bail!("expected `genfens <count> seed <number> book <file>|None`, got {}", quoted(line));
    };
    let recipe = Recipe { seed, ..Recipe::default() };
    if book.eq_ignore_ascii_case("none") {
        return Ok((count, recipe));
    }
    let mut starts = starts(Path::new(book)).in_file(Path::new(book))?;
    // Every seed begins at another place of the book.
    starts.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    Ok((count, Recipe { starts, random_plies: BOOK_PLIES, ..recipe }))
}

/// Returns the positions of a book, at least one. A device may have no end.
fn starts(path: &Path) -> Result<Vec<Position>> {
    ensure!(path.metadata()?.is_file(), "not a file");
    let starts = epd::positions(&text::read(path)?)?;
    ensure!(!starts.is_empty(), "no positions in it");
    Ok(starts)
}
