//! Openings for matches, made as those of the games of self-play.

use std::{ops::RangeInclusive, thread};

use rand::{SeedableRng as _, seq::SliceRandom as _};
use rand_chacha::ChaCha8Rng;

use super::{Recipe, opening};
use crate::{
    chess::position::{Position, chess960},
    engine::{
        eval::Standard,
        search::{STACK, Searcher},
    },
};

/// The number of random plies after a book position.
pub const BOOK_PLIES: RangeInclusive<u32> = 1..=4;

/// Generates openings: random plies that a search finds balanced. They begin from a position of the book of a
/// user, or else from a starting position.
#[derive(Debug)]
pub struct RandomOpenings {
    recipe: Recipe,
    from_book: bool,
    /// Made when it is needed.
    searcher: Option<Searcher<Standard>>,
}

impl RandomOpenings {
    /// Openings from `seed`. With `from_book` they begin from positions of a book, as far as there is one.
    #[must_use]
    pub fn new(seed: u64, is_chess960: bool, from_book: bool) -> Self {
        let mut starts = vec![Position::default()];
        if is_chess960 {
            starts = (0..960).map(|number| chess960(number, number)).collect();
            starts.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        }
        // A thousand nodes tell that no side is far ahead.
        let recipe = Recipe { seed, starts, nodes: 1000, hash: 1, ..Recipe::default() };
        Self { recipe, from_book, searcher: None }
    }

    /// Returns the opening of `round`, for which `is_new` holds; `book` is a position of the book. The same
    /// call always returns the same opening.
    ///
    /// # Panics
    ///
    /// If no thread can be started.
    pub fn draw(
        &mut self,
        round: u64,
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
        let near_the_book = book.filter(|_| self.from_book).and_then(|book| {
            let starts = vec![book.clone()];
            find(&Recipe { starts, random_plies: BOOK_PLIES, ..self.recipe.clone() }, round)
        });
        // A book may have positions that are lost, or so few that all near them have been used.
        let others = || (0..).find_map(|attempt: u64| find(&self.recipe, round + (attempt << 32)));
        near_the_book.or_else(others).expect("the attempts do not end")
    }
}
