//! The textbook algorithms, exact and unpruned: lessons, and oracles of the tests.
mod alpha_beta;
mod deepening;
mod minimax;
mod negamax;
mod tree;
mod walk;

pub use alpha_beta::alpha_beta;
pub use deepening::deepening;
pub use minimax::minimax;
pub use negamax::{negamax, negamax_among};
pub use tree::{Mark, Node, Tree, Window};
pub use walk::{Counts, View, Walk};
