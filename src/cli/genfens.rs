//! `genfens`, a line that OpenBench passes as an argument: openings for games of this program, in its format.

use std::{collections::HashSet, ops::RangeInclusive, path::Path};

use anyhow::{Result, bail, ensure};
use zugwerk::{
    datagen::{Recipe, opening},
    eval::{Choose as _, Standard},
    options::Options,
    position::Position,
    search::Searcher,
    tournament::schedule::openings::{Openings, Reading},
    words::{counted, quoted},
};

use super::{InFile as _, option_flags::Flag, say};

/// The number of successive games without a balanced opening that is new after which no more are looked for.
const IN_A_ROW: usize = 10;

/// The number of random plies after a book position.
pub(super) const BOOK_PLIES: RangeInclusive<u32> = 1..=4;

/// Whether `line` is such a line.
pub(super) fn is_it(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case("genfens"))
}

/// Prints the openings that `line` requests, one on each line, all different. The evaluator is that of `options`.
pub(super) fn run(line: &str, options: &[Flag]) -> Result<()> {
    let (count, seed, book) = read(line)?;
    let mut chosen = Options::default();
    for flag in options {
        chosen.set(flag.name, &flag.value)?;
    }
    let evaluator = Standard::choose(&chosen.choice()).map_err(anyhow::Error::msg)?;
    let found = match book {
        None => find(count, &Recipe { seed, ..Recipe::default() }, evaluator, |_| Ok(Position::default()))?,
        Some(path) => near_book(count, seed, path, evaluator).in_file(path)?,
    };
    for fen in &found {
        say(format_args!("info string genfens {fen}"))?;
    }
    let (wanted, found) = (counted(count as u64, "opening", "openings"), found.len());
    ensure!(found == count, "expected {wanted}, found {found}");
    Ok(())
}

/// Reads the number of openings, the seed, and the path of a book. Words after it are for other engines.
fn read(line: &str) -> Result<(usize, u64, Option<&Path>)> {
    let words: Vec<&str> = line.split_whitespace().skip(1).collect();
    let read = match words[..] {
        [count, seed_word, seed, book_word, book, ..]
            if seed_word.eq_ignore_ascii_case("seed") && book_word.eq_ignore_ascii_case("book") =>
        {
            count.parse().ok().zip(seed.parse().ok()).map(|(count, seed)| (count, seed, book))
        }
        _ => None,
    };
    let Some((count, seed, book)) = read else {
        bail!("expected `genfens <count> seed <number> book <file>|None`, got {}", quoted(line));
    };
    Ok((count, seed, Some(book).filter(|book| !book.eq_ignore_ascii_case("none")).map(Path::new)))
}

/// Finds openings after positions of the book at `path`, each seed in another order.
fn near_book(count: usize, seed: u64, path: &Path, evaluator: Standard) -> Result<Vec<String>> {
    // A device may have no end.
    ensure!(path.metadata()?.is_file(), "not a file");
    let book = Openings::open(path, Reading::default())?.shuffled(seed);
    let recipe = Recipe { seed, random_plies: BOOK_PLIES, ..Recipe::default() };
    find(count, &recipe, evaluator, |number| Ok(book.of_round(number)?.line.position().recent()))
}

/// Finds `count` openings, or as many as there are, of games from the positions of `start`.
fn find(
    count: usize,
    recipe: &Recipe,
    evaluator: Standard,
    start: impl Fn(usize) -> Result<Position>,
) -> Result<Vec<String>> {
    let mut searcher = Searcher::with_evaluator(recipe.hash, evaluator);
    let (mut found, mut seen, mut failures) = (Vec::new(), HashSet::new(), 0);
    for number in 0.. {
        if found.len() == count || failures == IN_A_ROW {
            break;
        }
        let recipe = Recipe { starts: vec![start(number)?], ..recipe.clone() };
        let is_new = |position: &Position| !seen.contains(&position.key());
        match opening(&recipe, number as u64, &mut searcher, &is_new) {
            Some(opening) => {
                seen.insert(opening.key());
                found.push(opening.fen());
                failures = 0;
            }
            None => failures += 1,
        }
    }
    Ok(found)
}
