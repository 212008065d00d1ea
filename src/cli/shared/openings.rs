//! Openings for the rounds of a match beyond its book.

use zugwerk::{
    arena::schedule::openings::{Generator, Openings},
    chess::position::Position,
    workshop::datagen::RandomOpenings,
};

/// Adds to `book` openings that are generated as `datagen` does: from starting positions of Chess960 or of
/// standard chess, or from positions of the book.
pub(crate) fn then_generated(book: Openings, seed: u64, is_chess960: bool, from_book: bool) -> Openings {
    book.then_generated(Box::new(Generated(RandomOpenings::new(seed, is_chess960, from_book))), seed)
}

/// The arena does not know how openings are made.
#[derive(Debug)]
struct Generated(RandomOpenings);

impl Generator for Generated {
    fn generate(
        &mut self,
        round: usize,
        book: Option<&Position>,
        is_new: &(dyn Fn(&Position) -> bool + Sync),
    ) -> Position {
        self.0.draw(round as u64, book, is_new)
    }
}
