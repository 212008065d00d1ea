//! Trains networks on data of our own games.
//!
//! ```text
//!  files ──► stream ──► loader ──► trainer: for each slice of 16 neurons ──► checkpoint ──► quantise ──► .zwn
//!            threads    batches     forward, loss, backward, AdamW           at any step    and compare
//! ```
//!
//! A network has the form that [`network`](crate::eval::network) plays: 768 inputs for either side, of which some thirty are
//! on, a hidden layer with the squared clipped ReLU, and one of eight outputs. What is made small is
//!
//! ```text
//!  expected(value) = 1 / (1 + exp(-value / SCALE))
//!  target          = share · result + (1 - share) · expected(score)
//!  loss            = mean of (expected(output · SCALE) - target)²
//! ```
//!
//! with the [`SCALE`] of [`wdl`](crate::wdl), so that the network's centipawns are those of the search.
//!
//! * [`Stream`] and [`Loader`]: records through threads, in an order that does not depend on how many there are;
//!   [`Admitted`]: how many are learnt from; [`Survey`]: what is in the files, before hours are spent on them;
//! * [`Batch`]: positions as the numbers of the inputs that are on;
//! * `slice`: sixteen neurons, forwards and backwards, which a thread takes a whole batch through at a time;
//!   [`Trainer`]: all slices, the loss between, `optimiser`: the step behind; [`Schedule`]: rate and target over time;
//! * [`Run`]: a training over as many sittings as it takes, and its checkpoint; [`Plan`]: all that determines it;
//! * [`quantise()`]: the whole numbers that the engine plays with; [`compare`]: how far they are off;
//! * [`Judge`]: the loss of other evaluators, for comparison.
//!
//! One plan gives one network, byte for byte, with any number of threads: the neurons of a slice share nothing with
//! those of another but the output, whose parts are added in the order of the slices.
//!
//! Reference: Y. Nasu, "Efficiently Updatable Neural-Network-based Evaluation Functions for Computer Shogi", 2018;
//! `docs/training.md` has the commands.

mod admitted;
mod batch;
mod checkpoint;
mod judge;
mod lane;
mod loader;
mod network;
mod optimiser;
mod quantise;
mod run;
mod schedule;
mod slice;
mod stream;
mod survey;
mod target;
mod trainer;
pub use admitted::Admitted;
pub use batch::{BUCKETS, Batch};
pub use checkpoint::CheckpointError;
pub use judge::{Judge, Judgements};
pub use lane::LANES;
pub use loader::{Loader, pack};
pub use network::Network;
pub use quantise::{Deviation, OtherForm, architecture, compare, dequantise, quantise};
pub use run::{DataFile, Epoch, Plan, Run, RunError};
pub use schedule::{Schedule, Shape};
pub use stream::{FileError, Stream};
pub use survey::{Survey, checksum};
pub use target::{SCALE, expected, sigmoid};
pub use trainer::{State, Trainer};

#[cfg(test)]
mod tests;
