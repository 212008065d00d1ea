//! `genfens`, a line that OpenBench passes as an argument: openings for games of this program, in its format.

use std::{collections::HashSet, iter, path::Path};

use anyhow::{Result, bail, ensure};
use zugwerk::{
    arena::schedule::openings::{Openings, Reading},
    chess::position::Position,
    engine::{
        eval::{Choose as _, Standard},
        options::Options,
        search::Searcher,
    },
    words::{counted, quoted},
    workshop::datagen::{BOOK_PLIES, Recipe, opening},
};

use crate::cli::shared::{input::InFile as _, option_flags::Flag, print::say};

/// The number of successive games without a balanced opening that is new after which no more are looked for.
const IN_A_ROW: usize = 10;

/// Whether `line` is such a line.
pub(super) fn is_it(line: &str) -> bool {
    line.split_whitespace().next().is_some_and(|word| word.eq_ignore_ascii_case("genfens"))
}

/// Prints the openings that `line` requests, one on each line, all different. The evaluator is that of
/// `options`.
pub(super) fn run(line: &str, options: &[Flag]) -> Result<()> {
    let (count, seed, book) = read(line)?;
    let mut chosen = Options::default();
    for flag in options {
        chosen.set(flag.name, &flag.value)?;
    }
    let evaluator = Standard::choose(&chosen.choice()).map_err(anyhow::Error::msg)?;
    let mut recipe = Recipe { seed, ..Recipe::default() };
    let start: Box<dyn Fn(usize) -> Result<Position>> = match book {
        None => Box::new(|_| Ok(Position::default())),
        Some(path) => {
            recipe.random_plies = BOOK_PLIES;
            let book = open(path, seed).in_file(path)?;
            Box::new(move |number| Ok(book.of_round(number).in_file(path)?.line.position().recent()))
        }
    };
    let mut found = 0;
    for fen in openings(&recipe, evaluator, &start).take(count) {
        say(format_args!("info string genfens {}", fen?))?;
        found += 1;
    }
    let wanted = counted(count as u64, "opening", "openings");
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

/// Opens the book at `path`, each seed in another order.
fn open(path: &Path, seed: u64) -> Result<Openings> {
    // A device may have no end.
    ensure!(path.metadata()?.is_file(), "not a file");
    Ok(Openings::open(path, Reading::default())?.shuffled(seed))
}

/// Returns different openings of games from the positions of `start`. After [`IN_A_ROW`] games without one
/// the iterator ends.
fn openings(
    recipe: &Recipe,
    evaluator: Standard,
    start: &dyn Fn(usize) -> Result<Position>,
) -> impl Iterator<Item = Result<String>> {
    let mut searcher = Searcher::with_evaluator(recipe.hash, evaluator);
    let (mut numbers, mut seen) = (0.., HashSet::new());
    let mut of_game = move |number: usize| -> Result<Option<String>> {
        let recipe = Recipe { starts: vec![start(number)?], ..recipe.clone() };
        let is_new = |position: &Position| !seen.contains(&position.key());
        let found = opening(&recipe, number as u64, &mut searcher, &is_new);
        Ok(found.map(|opening| {
            seen.insert(opening.key());
            opening.fen()
        }))
    };
    iter::from_fn(move || numbers.by_ref().take(IN_A_ROW).find_map(|number| of_game(number).transpose()))
}
