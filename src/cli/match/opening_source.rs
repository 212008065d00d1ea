//! The openings of a match: those of a book, and generated ones.

use std::path::Path;
use std::thread;

use anyhow::{Result, ensure};
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;
use rand_chacha::ChaCha8Rng;
use zugwerk::{
    arena::{
        MatchPlan,
        schedule::openings::{Generator, Openings, Reading},
    },
    chess::position::{Position, chess960},
    engine::{
        eval::Standard,
        search::{STACK, Searcher},
    },
    words::counted,
    workshop::datagen::{Recipe, opening},
};

use super::{Args, Order};
use crate::cli::{genfens::BOOK_PLIES, print::warn};

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
    let generator = RandomOpenings::new(args.seed, args.chess960, book.is_some());
    Ok(openings.skipping(args.start - 1).then_generated(Box::new(generator), args.seed))
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

/// Generates openings as `datagen` does: random plies that a search finds balanced. They begin from a position of the
/// book of a user, or else from a starting position.
#[derive(Debug)]
pub(in crate::cli) struct RandomOpenings {
    recipe: Recipe,
    from_book: bool,
    /// Made when it is needed.
    searcher: Option<Searcher<Standard>>,
}

impl RandomOpenings {
    /// Openings from `seed`.
    pub(in crate::cli) fn new(seed: u64, is_chess960: bool, from_book: bool) -> Self {
        let mut starts = vec![Position::default()];
        if is_chess960 {
            starts = (0..960).map(|number| chess960(number, number)).collect();
            starts.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        }
        // A thousand nodes tell that no side is far ahead.
        let recipe = Recipe { seed, starts, nodes: 1000, hash: 1, ..Recipe::default() };
        RandomOpenings { recipe, from_book, searcher: None }
    }
}

impl Generator for RandomOpenings {
    fn generate(
        &mut self,
        round: usize,
        book: Option<&Position>,
        is_new: &(dyn Fn(&Position) -> bool + Sync),
    ) -> Position {
        let hash = self.recipe.hash;
        let searcher = self.searcher.get_or_insert_with(|| Searcher::new(hash));
        let mut find = |recipe: &Recipe, number: u64| {
            // The threads of a match have less stack than a search may need.
            let search = || opening(recipe, number, searcher, is_new);
            thread::scope(|scope| {
                let thread = thread::Builder::new().stack_size(STACK).spawn_scoped(scope, search);
                thread.expect("a thread starts").join().expect("an opening is found or not")
            })
        };
        let round = round as u64;
        let near_the_book = book.filter(|_| self.from_book).and_then(|book| {
            let starts = vec![book.clone()];
            find(&Recipe { starts, random_plies: BOOK_PLIES, ..self.recipe.clone() }, round)
        });
        // A book may have positions that are lost, or so few that all near them have been used.
        let others = || (0..).find_map(|attempt: u64| find(&self.recipe, round + (attempt << 32)));
        near_the_book.or_else(others).expect("the attempts do not end")
    }
}
