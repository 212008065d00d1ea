//! From games to a network, and from games to numbers of the search.
//!
//! Someone who trains a network uses it, by the subcommands `datagen`, `data`, `train`, `net` and `spsa`.
//!
//! ```text
//!  datagen   games of the engine against itself, with a score for every move
//!    -> data     files of games in checksummed blocks
//!      -> train    a stream of their positions, batches, steps, checkpoints -> a network for eval
//!  spsa      tunes numbers by the results of matches
//! ```
//!
//! Begin with [`data`], which says what a file contains, then [`datagen`] or [`train`].

pub mod data;
pub mod datagen;
pub mod spsa;
pub mod train;
